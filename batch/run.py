"""A run: inputs go in, rows come out and are kept; one that was ended goes on where it ended."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from types import TracebackType

from ..errors import HttpFailed
from ..files.atomic import go_on
from .batch_options import BatchOptions
from .host_queue import BUSY, HostQueue
from .outcome import Outcome
from .output.lock import locked
from .output.output import PAGES, WARC, Output
from .output.shards import disk_named
from .robots import RobotsRules, check_robots
from .row_schema import ROBOTS, Row
from .sources.inputs import Input
from .sources.lists import Source, inputs_of
from .stage import Stage
from .summary import Summary

#: Inputs that are noted at once.
_STRIDE = 100
#: Seconds between two looks at what can begin, where nothing ends.
_LOOK = 1.0


def run_batch(
    sources: Iterable[Source | Input], out: str | os.PathLike[str], *, options: BatchOptions | None = None
) -> Iterator[Row]:
    """Extract many pages into a folder, and yield a row for each as soon as it is kept.

    An input that has its row from an earlier run is not done again, and not yielded: call it again with the same
    sources and it goes on. It reads ``sources`` as it needs them, some 500 ahead, and holds none.

    Parameters
    ----------
    sources : iterable of str or path
        Addresses, files, folders, lists and archives, as :func:`~blocksight.batch.sources.lists.inputs_of` takes them.
    out : path
        A folder; what lies in it then stands in ``docs/batch.md``.
    options : BatchOptions, optional

    Yields
    ------
    dict
        One an input, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`, whatever became of it.

    Raises
    ------
    OtherSettings
        When the folder was begun with other settings.
    RunUnderWay
        When another run writes into it.
    RunStopped
        When nothing can be written any more. All rows so far are kept.
    BrowserMissing
        When there is no browser, and a page needs one.
    ExtraMissing
        When robots.txt is to be obeyed and the extra ``batch`` is not installed.
    """
    with Run(Path(out), options or BatchOptions()) as run:
        yield from run.rows(sources)


class Run:
    """One run in one folder; use it as a context manager.

    Attributes
    ----------
    summary : Summary
        What this run has done so far.
    """

    def __init__(self, out: Path, options: BatchOptions) -> None:
        self._out = out
        self._options = options
        self._stack = ExitStack()
        self._tries: dict[str, int] = {}
        self.stopped = False

    def __enter__(self) -> Run:
        options = self._options
        if options.browser and options.polite.robots:
            check_robots()
        try:
            # Its processes begin as copies of this one: before there is a lock or a ledger to be copied.
            pages = self._out / PAGES if "pages" in options.keep else None
            warcs = self._out / WARC if "warc" in options.keep else None
            self._begin_work(pages, warcs)
            with disk_named(self._out):
                self._stack.enter_context(locked(self._out))
                go_on(self._out, options.settings())
            self._output = Output(self._out, form=options.form, part_rows=options.part_rows)
            self._stack.callback(self._output.close)
            self._output.file()
            self.again = self._output.ledger.again(failed=options.retry_failed, before=options.since)
        except BaseException:
            self._stack.close()
            raise
        self.summary = Summary(self._output.ledger)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _begin_work(self, pages: Path | None, warcs: Path | None) -> None:
        self._stage = self._stack.enter_context(Stage(self._options, pages=pages, warcs=warcs))

    @property
    def mended(self) -> str:
        """What was wrong with the ledger, "" for nothing."""
        return self._output.mended

    def note(self, sources: Iterable[Source | Input]) -> int:
        """Note all inputs that sources stand for, to be done by :meth:`rows`; return how many are new."""
        return sum(self._output.ledger.add(some) for some in self._strides_of(sources))

    def rows(self, sources: Iterable[Source | Input] | None = None) -> Iterator[Row]:
        """Do inputs and yield their rows.

        Parameters
        ----------
        sources : iterable, optional
            By default all that was noted and is not done.
        """
        lanes = HostQueue(self._inputs(sources), self._options.polite)
        under_way: dict[Future[Outcome | RobotsRules], Input | str] = {}
        with ThreadPoolExecutor(self._options.workers, thread_name_prefix="blocksight-batch") as pool:
            try:
                while not self.stopped:
                    self._begin(lanes, pool, under_way)
                    if not under_way and lanes.is_over:
                        break
                    yield from self._finish(lanes, under_way, self._patience(lanes))
                yield from self._last(lanes, under_way)
            except (KeyboardInterrupt, GeneratorExit):
                # What is under way ends within its deadlines, and is kept.
                for _ in self._last(lanes, under_way):
                    pass
                raise
            finally:
                self._output.file()
                self.summary.write(self._out)

    def _inputs(self, sources: Iterable[Source | Input] | None) -> Iterator[Input]:
        ledger = self._output.ledger
        if sources is None:
            yield from ledger.waiting()
            return
        for some in self._strides_of(sources):
            yield from ledger.take(some)

    def _strides_of(self, sources: Iterable[Source | Input]) -> Iterator[list[Input]]:
        inputs = inputs_of(sources, column=self._options.column, largest=self._options.render.max_bytes)
        while some := list(islice(inputs, _STRIDE)):
            yield some

    def _begin(
        self, lanes: HostQueue, pool: ThreadPoolExecutor, under_way: dict[Future[Outcome | RobotsRules], Input | str]
    ) -> None:
        while len(under_way) < self._options.workers and (found := lanes.next(time.monotonic())) is not None:
            if isinstance(found, str):
                under_way[pool.submit(self._stage.rules, found)] = found
            elif why := lanes.allows(found):
                under_way[pool.submit(self._stage.refused, found, ROBOTS, why)] = found
            else:
                under_way[pool.submit(self._stage.do, found)] = found

    def _patience(self, lanes: HostQueue) -> float:
        pause = lanes.wait(time.monotonic())
        return _LOOK if pause is None else min(max(pause, 0.01), _LOOK)

    def _finish(
        self, lanes: HostQueue, under_way: dict[Future[Outcome | RobotsRules], Input | str], seconds: float | None
    ) -> Iterator[Row]:
        if not under_way:
            time.sleep(seconds or 0.0)
            return
        done, _ = wait(under_way, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in done:
            found, result = under_way[future], future.result()
            if isinstance(found, str):
                if not isinstance(result, Outcome):
                    lanes.ruled(found, result, time.monotonic())
            elif isinstance(result, Outcome) and not self._waits_again(lanes, found, result):
                yield self._kept(found, result)
            del under_way[future]

    def _waits_again(self, lanes: HostQueue, found: Input, result: Outcome) -> bool:
        """Return whether an input is put back, as its host is busy; otherwise it is over."""
        self._tries[found.id] = self._tries.get(found.id, 0) + 1
        now, error = time.monotonic(), result.error
        busy = isinstance(error, HttpFailed) and error.status in BUSY
        if isinstance(error, HttpFailed) and busy and self._tries[found.id] < self._options.polite.tries:
            lanes.busy(found, now, error.retry_after)
            return True
        lanes.done(found, now, asked=result.row["error_kind"] != ROBOTS)
        return False

    def _kept(self, found: Input, result: Outcome) -> Row:
        row = result.row | {"tries": self._output.ledger.tries(found.id) + self._tries.pop(found.id)}
        if self._options.markdown:
            self._output.write_markdown(row)
        self._output.keep(found, row)
        self.summary.count(row)
        return row

    def _last(self, lanes: HostQueue, under_way: dict[Future[Outcome | RobotsRules], Input | str]) -> Iterator[Row]:
        """Wait for what is under way."""
        while under_way:
            yield from self._finish(lanes, under_way, None)
