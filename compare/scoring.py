"""Measure systems on one page: each runs once, is timed, and is compared with the gold."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..classify.system import System
from ..classify.systems import ORACLES
from ..errors import BlocksightError
from ..gold.pages import GoldPage
from ..gold.rendered import read_page
from ..lexicon.words import count_words
from ..page.arrays import Marks
from ..page.page import Page
from ..page.parse import parse
from ..page.visibility import invisible_leaves
from .measures.measures import LeafReference, Measure, leaf_reference, shortest
from .outputs import system_output, try_marks, with_metadata

Row = dict[str, Any]

RAW, RENDERED = "raw", "rendered"
#: The system that returns the whole page; it is always evaluated.
BASELINE = "everything"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A page to be measured."""

    gold: GoldPage
    input: str  # "raw" or "rendered"
    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    rendered: Path | None = None  # The folder of rendered pages, for rendered input
    error: str = ""  # Why the page could not be opened, "" if it could
    open_seconds: float | None = None  # Rendering time, if known
    limit: float = 60.0  # Seconds that a system may take


class OutOfTime(Exception):
    """A system exceeded its time limit."""


def measure_page(task: Task) -> list[Row]:
    """Open a page, run the systems on it and measure them; return one row for each system.

    A system that fails or times out is scored with an empty result, and its row has the reason. If the page cannot be
    opened, the rows have the reason and no scores.
    """
    if task.error or task.gold.error:
        return failed_rows(task, task.gold.error or task.error)
    try:
        start = time.perf_counter()
        page = read_page(task.gold, task.rendered)
        seconds = task.open_seconds if task.input == RENDERED else time.perf_counter() - start
        columns = _page_columns(task, page) | {"open_seconds": seconds}
        needed = any(measure.needs == "labels" for measure in task.measures)
        leaves = leaf_reference(page, task.gold) if needed else None
    except BlocksightError as error:
        return failed_rows(task, str(error))
    return [_row(task, with_gold(system, task.gold), page, leaves) | columns for system in task.systems]


def with_gold(system: System, gold: GoldPage) -> System:
    """Return an oracle (:data:`~blocksight.classify.systems.ORACLES`) with the gold text; other systems unchanged."""
    oracle = ORACLES.get(system.card.name)
    return oracle(gold.text) if oracle is not None and gold.texts else system


def failed_rows(task: Task, reason: str) -> list[Row]:
    """Return the rows of a page that cannot be measured."""
    return [_page_columns(task) | _system_columns(task, system) | {"error": reason} for system in task.systems]


def warm_up(systems: Sequence[System], limit: float) -> None:
    """Let each system load its models, so that this is not included in the time of the first page.

    A missing dependency must not be scored as an empty result: ImportError is raised, other errors are not.
    """
    page = parse("<p>One sentence that is long enough to be content, and a second one. It ends here.</p>")
    for system in systems:
        with time_limit(limit):
            try:
                system.mark(page)
            except ImportError:
                raise
            except Exception:
                continue


def _row(task: Task, system: System, page: Page, leaves: LeafReference | None) -> Row:
    marks, seconds, error = timed_marks(system, page, task.limit)
    output = system_output(page, marks)
    measures = [measure for measure in task.measures if measure.applies(task.gold)]
    if not error and any(measure.needs == "fields" for measure in measures):
        with time_limit(task.limit):
            output, error = with_metadata(system, output)
    row = _system_columns(task, system) | {"cpu_seconds": seconds, "error": error}
    row["prediction_words"] = count_words(output.text)
    for measure in measures:
        row |= measure.score(output, task.gold, leaves)
    return row


def timed_marks(system: System, page: Page, limit: float) -> tuple[Marks, float, str]:
    """Run a system with a time limit; return its marks, its CPU seconds and the reason if it failed."""
    start = time.process_time()
    with time_limit(limit):
        marks, error = try_marks(system, page)
    return marks, time.process_time() - start, error


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTime` in the block after some seconds; no limit without SIGALRM or outside the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_alarm(*_: object) -> None:
        raise OutOfTime(f"not done after {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _system_columns(task: Task, system: System) -> Row:
    return {"system": system.card.name, "visual": system.card.visual, "input": task.input}


def _page_columns(task: Task, page: Page | None = None) -> Row:
    gold = task.gold
    row: Row = {"corpus": gold.corpus, "page": gold.id, "site": gold.site, "kind": gold.kind, "language": gold.language}
    if gold.texts:
        row["reference_words"] = count_words(shortest(gold.texts))
    if page is None:
        return row
    row["language"] = gold.language or page.language.split("-")[0].lower()
    visible = ~invisible_leaves(page)
    row["page_words"] = sum(
        count_words(text) for text, is_visible in zip(page.leaf_texts, visible, strict=True) if is_visible
    )
    return row
