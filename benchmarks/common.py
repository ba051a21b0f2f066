"""Shared parts of the benchmarks: options, pages of corpora, processor time, memory, tables.

Importing this module makes the page generators of ``tests/generators`` importable as ``generators``.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import blocksight as bs
import click
import numpy as np
import psutil
from blocksight.compare.measures.measures import interval
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage
from blocksight.gold.rendered import read_page
from blocksight.render.network.local_server import QuietHandler

sys.path.append(str(Path(__file__).parents[1] / "tests"))

T = TypeVar("T")
#: A gold page and the page that was parsed or rendered.
OpenPage = tuple[GoldPage, bs.Page]
FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)

corpora_argument = click.argument("corpora", nargs=-1, required=True, type=FOLDER)
limit_option = click.option("--limit", type=int, help="Take a sample of this size, the same on each run.")
split_option = click.option("--split", default="dev", show_default=True)
rendered_option = click.option("--rendered", type=FOLDER, help="Folder with rendered pages, CORPUS/ID.page.")


class List(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Separated values of one type."""

    name = "value,..."

    def __init__(self, kind: Callable[[str], Any], choices: Iterable[str] = (), separator: str = ",") -> None:
        self._kind = kind
        self._separator = separator
        self._choices = tuple(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the values as a list."""
        if not isinstance(value, str):
            return list(value)
        parts = value.split(self._separator)
        unknown = [part for part in parts if self._choices and part not in self._choices]
        if unknown:
            self.fail(f"{unknown[0]!r} is not one of {', '.join(self._choices)}", param, ctx)
        try:
            return [self._kind(part) for part in parts]
        except ValueError:
            self.fail(f"{value!r} is not a list of {self._kind.__name__}", param, ctx)


INTEGERS = List(int)


def run(group: click.Group) -> None:
    """Run a command; exit with 2 if a corpus cannot be read."""
    try:
        group()
    except bs.errors.CorpusUnreadable as error:
        print(f"skipped: {error}", file=sys.stderr)
        sys.exit(2)


def skip(reason: str) -> None:
    """Exit with 2 because there is nothing to measure."""
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(2)


# -- pages ------------------------------------------------------------------------------------------------------------


def text_golds(folder: Path, split: str = "dev") -> list[GoldPage]:
    """Return the pages of a split that have a gold text."""
    return [gold for gold in read_corpus(folder) if split in (gold.split, "all") and gold.texts and not gold.error]


def open_pages(golds: Iterable[GoldPage], rendered: Path | None = None) -> Iterator[OpenPage]:
    """Yield gold and page, parsed or as rendered; pages that cannot be read are named on standard error."""
    for gold in golds:
        try:
            yield gold, read_page(gold, rendered)
        except bs.BlocksightError as error:
            print(f"{gold.name}: {error}", file=sys.stderr)


def report_failure(gold: GoldPage, reason: str, _: float) -> None:
    """Name a page that could not be rendered."""
    if reason:
        print(f"{gold.name}: {reason}", file=sys.stderr)


def marked_text(page: bs.Page, system: bs.System) -> str:
    """Return the text that a system marks as content; nothing for a page that it refuses."""
    try:
        marks = system.mark(page)
    except bs.PageFailed:
        marks = np.zeros(len(page.leaves), dtype=bool)
    return "\n".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark)


# -- a local site ------------------------------------------------------------------------------------------------------


def respond(handler: QuietHandler, kind: str, body: bytes) -> None:
    """Send a response; 404 for an empty body."""
    handler.send_response(200 if body else 404)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


# -- time and memory --------------------------------------------------------------------------------------------------


def processes() -> list[psutil.Process]:
    """Return this process and all its descendants."""
    return [psutil.Process(), *psutil.Process().children(recursive=True)]


def cpu_seconds(*, own: bool = True) -> float:
    """Return the CPU seconds of this process (if ``own``) and its descendants, ended ones included."""
    total = sum(psutil.Process().cpu_times()[0 if own else 2 : 4])
    for child in processes()[1:]:
        with suppress(psutil.Error):
            total += sum(child.cpu_times()[:4])
    return total


def private_megabytes(process: psutil.Process) -> float:
    """Return the memory of a process without what it shares, in MB; 0 for one that has ended."""
    with suppress(psutil.Error):
        info = process.memory_info()
        return float(info.rss - getattr(info, "shared", 0)) / 1e6
    return 0.0


class PeakMemory:
    """The largest memory of this process and its descendants while the context lasts, in ``megabytes``.

    ``measure`` gives the MB of a process, ``seconds`` is the time between two samples, ``without`` a process to leave
    out.
    """

    def __init__(self, measure: Callable[[psutil.Process], float], *, seconds: float, without: int = 0) -> None:
        self._measure = measure
        self._seconds = seconds
        self._without = without

    def __enter__(self) -> PeakMemory:
        self.megabytes = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._end.wait(self._seconds):
            with suppress(psutil.Error):
                total = sum(self._measure(each) for each in processes() if each.pid != self._without)
                self.megabytes = max(self.megabytes, total)


def timed(step: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of this process for a step, without garbage from before, and its result."""
    gc.collect()
    start = time.process_time()
    result = step()
    return time.process_time() - start, result


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of log cost over log size: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(costs, 1e-6)), 1)[0])


# -- tables -----------------------------------------------------------------------------------------------------------


def table_row(*cells: object) -> None:
    """Print a row of a Markdown table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def table_head(*cells: object) -> None:
    """Print the head of a Markdown table."""
    table_row(*cells)
    print("|" + "---|" * len(cells), flush=True)


def growth_table(sizes: Sequence[int], costs: Sequence[dict[str, float]], unit: str = "s") -> None:
    """Print the costs of each stage by size, and the exponent over the last three sizes."""
    table_head("stage", *(f"{size:,} nodes" for size in sizes), "exponent")
    for stage in costs[0]:
        values = [cost[stage] for cost in costs]
        table_row(stage, *(f"{value:.3f} {unit}" for value in values), f"{exponent(sizes[-3:], values[-3:]):.2f}")


def interval_cell(values: Sequence[float]) -> str:
    """Return a mean over pages with its 95 % interval."""
    mean, low, high = interval(np.asarray(values)[:, None])
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def share(part: float, whole: float) -> float:
    """Return part / whole, 0 for an empty whole."""
    return part / whole if whole else 0.0
