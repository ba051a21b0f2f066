"""One page against its gold: every system runs once, is timed, and is measured."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..classify.system import System
from ..classify.systems import ORACLES
from ..errors import BlocksightError
from ..gold.convention import agreed
from ..gold.pages import GoldPage
from ..gold.rendered import read_page
from ..lexicon.scripts import script_of
from ..lexicon.words import count_words
from ..page.arrays import Marks
from ..page.page import Page
from ..page.parse import parse
from ..page.visibility import invisible_leaves
from .measures.labelling import LeafGold, known_leaves
from .measures.measures import Measure
from .measures.overlap import shortest
from .outputs import Answer, answer, attempt, attempt_markdown, attempt_roles, attempt_segments, attempt_stated

Row = dict[str, Any]

RAW, RENDERED = "raw", "rendered"
#: Whose meaning of content counts: the corpus' own, or only that about which it agrees with the default profile.
CORPUS, DEFAULT = "corpus", "default"
CONVENTIONS = (CORPUS, DEFAULT)
#: What these measures need is said of the whole page, whatever a convention counts as content.
OF_ALL = ("structure", "fields", "roles")
#: The system that takes the whole page; it is always among those that are evaluated.
BASELINE = "everything"
_STYLE = re.compile(rb"<style\b[^>]*>(.*?)</style|\bstyle\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A page to be measured.

    Attributes
    ----------
    gold : GoldPage
    input : str
        "raw" or "rendered".
    systems : tuple of System
    measures : tuple of Measure
    rendered : Path or None
        The folder that keeps rendered pages, for the rendered one.
    error : str
        Why there is no page, "" if there is one.
    open_seconds : float or None
        How long it took to render, where it is known.
    limit : float
        Seconds that a system may take.
    convention : str
        One of :data:`CONVENTIONS`.
    """

    gold: GoldPage
    input: str
    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    rendered: Path | None = None
    error: str = ""
    open_seconds: float | None = None
    limit: float = 60.0
    convention: str = CORPUS


class OutOfTime(Exception):
    """A system took longer than it may."""


def measure_page(task: Task) -> list[Row]:
    """Open a page, run the systems on it and measure them; one row a system, whatever happens.

    A system that fails, or runs out of time, is measured as one that found nothing, and its row has the reason. Where
    there is no page at all, the rows have the reason and no scores.
    """
    if task.error or task.gold.error:
        return failed(task, task.gold.error or task.error)
    try:
        start = time.perf_counter()
        page = read_page(task.gold, task.rendered)
        seconds = task.open_seconds if task.input == RENDERED else time.perf_counter() - start
        about = _about(task, page) | {"open_seconds": seconds}
        judged = _judged(task, page)
        about |= _gold_size(judged.gold)
    except BlocksightError as error:
        return failed(task, str(error))
    return [_row(task, with_gold(system, task.gold), page, judged, about) for system in task.systems]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ReferenceLabels:
    """What the answers on a page are judged by: gold, that of the leaves, and the leaves that count for nobody."""

    gold: GoldPage
    leaves: LeafGold | None
    uncounted: Marks


def _judged(task: Task, page: Page) -> _ReferenceLabels:
    gold, uncounted = task.gold, np.zeros(len(page.leaves), dtype=bool)
    if task.convention == DEFAULT:
        both = agreed(page, gold)
        gold, uncounted = both.gold, both.uncounted
    wanted = any(measure.needs == "labels" for measure in task.measures)
    leaves = known_leaves(page, task.gold) if wanted else None
    if leaves is not None:
        leaves = replace(leaves, known=leaves.known & ~uncounted)
    return _ReferenceLabels(gold=gold, leaves=leaves, uncounted=uncounted)


def with_gold(system: System, gold: GoldPage) -> System:
    """Return an upper bound (:data:`~blocksight.classify.systems.ORACLES`) the gold text; others stay as they are."""
    oracle = ORACLES.get(system.card.name)
    return oracle(gold.text) if oracle is not None and gold.texts else system


def failed(task: Task, why: str) -> list[Row]:
    """Return the rows of a page that cannot be measured."""
    return [_about(task) | _named(task, system) | {"error": why} for system in task.systems]


def require(systems: Sequence[System], limit: float) -> None:
    """Try each system once, for what is not installed must not count as a page on which nothing was found.

    Raises
    ------
    ImportError
        When a system needs something that is not there.
    """
    for system in systems:
        try:
            with time_limit(limit):
                system.mark(_tiny())
        except ImportError:
            raise
        except Exception:
            continue


def warm_up(systems: Sequence[System], limit: float) -> None:
    """Let each system load what it needs, so that the first page is not charged for it."""
    for system in systems:
        timed(system, _tiny(), limit)


def _tiny() -> Page:
    return parse("<p>One sentence that is long enough to be content, and a second one. It ends here.</p>")


def _row(task: Task, system: System, page: Page, judged: _ReferenceLabels, about: Row) -> Row:
    marks, seconds, error = timed(system, page, task.limit)
    gold = judged.gold
    segments = None
    if not error and any(measure.needs == "markup" and measure.applies(gold) for measure in task.measures):
        with time_limit(task.limit):
            segments, error = attempt_segments(system, page)
    found = answer(page, marks & ~judged.uncounted, segments)
    if not error:
        found, error = _with_structure(task, system, page, found)
    row = about | _named(task, system) | {"cpu_seconds": seconds, "error": error}
    row["found_words"] = count_words(found.text)
    for measure in task.measures:
        if measure.applies(gold):
            row |= measure.score(found, task.gold if measure.needs in OF_ALL else gold, judged.leaves)
    return row


def _with_structure(task: Task, system: System, page: Page, found: Answer) -> tuple[Answer, str]:
    """Add Markdown, and what is said of the page, where measures of this page need them."""
    needed = {measure.needs for measure in task.measures if measure.applies(task.gold)}
    error = ""
    with time_limit(task.limit):
        if "structure" in needed:
            markdown, error = attempt_markdown(system, page, found.marks)
            found = replace(found, markdown=markdown)
        if "fields" in needed:
            stated, failure = attempt_stated(system, page)
            found, error = replace(found, stated=stated), error or failure
        if "roles" in needed:
            roles, failure = attempt_roles(system, page)
            found, error = replace(found, roles=roles), error or failure
    return found, error


def timed(system: System, page: Page, limit: float) -> tuple[Marks, float, str]:
    """Run a system within its time; give its marks, its CPU seconds and the reason if it failed."""
    start = time.process_time()
    with time_limit(limit):
        marks, error = attempt(system, page)
    return marks, time.process_time() - start, error


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the work inside after so long; where the machine has no alarm clock, or off the main thread, let it run."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise OutOfTime(f"not done after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _named(task: Task, system: System) -> Row:
    return {"system": system.card.name, "visual": system.card.visual, "input": task.input}


def _about(task: Task, page: Page | None = None) -> Row:
    """What is known of the page itself."""
    gold = task.gold
    row: Row = {"corpus": gold.corpus, "page": gold.id, "kind": gold.kind, "language": gold.language}
    row |= _gold_size(gold)
    if page is None:
        return row
    seen = np.asarray(page.leaf_texts, dtype=object)[~invisible_leaves(page)]
    row["script"] = str(script_of(gold.text) or script_of("".join(seen)) or "")
    row["language"] = gold.language or page.language.split("-")[0].lower()
    row["page_words"] = sum(map(count_words, seen))
    if gold.texts:
        # Bevendorff and others (SIGIR 2023), section 3: the share of the page that is not content.
        row["complexity"] = 1 - min(row["gold_words"] / max(row["page_words"], 1), 1.0)
    row["styled"] = bool(gold.url_path) or style_bytes(gold.raw()) >= STYLED
    return row


def _gold_size(gold: GoldPage) -> Row:
    if not gold.texts:
        return {}
    short = shortest(gold.texts)
    return {"gold_words": count_words(short), "gold_bytes": len(short.encode())}


#: A page that carries at least so many bytes of its own style looks about as it was meant to.
STYLED = 5000


def style_bytes(html: bytes) -> int:
    """Count the bytes of style sheets and style attributes in a page's markup."""
    return sum(len(sheet) + len(attribute) for sheet, attribute in _STYLE.findall(html))
