"""A run in an output folder: inputs in, rows out; the next call continues an interrupted run."""

from __future__ import annotations

import logging
import os
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import orjson

from ..files.atomic import delete_unfinished, open_run_folder, write_bytes
from .batch_options import BatchOptions
from .host_queue import HostQueue, down_error, is_busy, retry_seconds
from .output.ledger import WaitingInputs
from .output.output import PAGES, EarlierRows, Output, disk_errors, locked
from .pipeline import Outcome, Pipeline, failed, refused
from .robots import RobotsRules, robots_parser
from .row_schema import ROBOTS, SCHEMA_VERSION, Row
from .sources.inputs import Input, part_of
from .sources.lists import Source, inputs_of

_LOG = logging.getLogger(__name__)
#: Most inputs that are noted in one transaction, and the seconds until a source that is slow has one.
_CHUNK, _CHUNK_SECONDS = 100, 0.2
#: Inputs that wait while all workers are busy, and at most.
WINDOW, _AHEAD = 500, 1_000_000
#: Longest pause between two checks for inputs that can start, in seconds.
_POLL = 1.0

_Result = Future[Outcome | Input] | Future[RobotsRules]


def run_batch(
    sources: Iterable[Source], out: str | os.PathLike[str], *, options: BatchOptions | None = None
) -> Iterator[Row]:
    """Extract many pages into a folder, and yield each row as soon as it is stored.

    An input whose row an earlier run has stored is neither repeated nor yielded: call it again with the same sources to
    continue. Inputs that an earlier call has noted and not finished are processed as well. ``sources`` is read as
    needed: some 500 inputs ahead, and up to a million while a worker is idle because all hosts must wait.

    Parameters
    ----------
    sources : iterable of str or path
        Addresses, files, folders, lists and archives, as :func:`~blocksight.batch.sources.lists.inputs_of` takes them.
    out : path
        A folder; ``docs/batch.md`` describes its files.
    options : BatchOptions, optional

    Yields
    ------
    dict
        One per input, also for failures, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`.

    Raises
    ------
    SettingsMismatch, RunInProgress
        When the folder holds a run with other settings, or another run writes into it.
    RunStopped
        When nothing can be written any more; all rows so far are stored.
    BrowserMissing, ExtraMissing
        When a page needs a browser, or robots.txt the extra ``scale``, and there is none.
    """
    with Run(Path(out), options or BatchOptions()) as run:
        yield from run.rows(sources)


class Run(ExitStack):
    """One run in one folder; use it as a context manager."""

    def __init__(self, out: Path, options: BatchOptions) -> None:
        super().__init__()
        self._out = out
        self._options = options
        self._attempts: dict[str, int] = {}
        self._earlier: EarlierRows | None = None
        self._pending: dict[_Result, Input | str] = {}

    def __enter__(self) -> Self:
        options = self._options
        if options.browser and options.limits.robots:
            robots_parser()
        try:
            # Workers are forked: before there is a lock or a ledger that they would inherit.
            pages = self._out / PAGES if options.save_pages else None
            self._pipeline = self.enter_context(Pipeline(options, pages=pages))
            with disk_errors(self._out):
                if self.enter_context(locked(self._out)):
                    delete_unfinished(self._out)
                open_run_folder(self._out, options.settings(), BatchOptions().settings())
            self._output = Output(
                self._out, format=options.format, shard_rows=options.shard_rows, texts=options.other_systems()
            )
            self.callback(self._output.close)
            self._output.flush()
            since = options.since
            before = since if isinstance(since, int | float) else None
            if since is not None:
                self._earlier = EarlierRows(self._out if isinstance(since, int | float) else Path(since))
            failed = "failed" in options.retry
            self.repeated = self._output.ledger.reset(failed=failed, kinds=options.retry, before=before)
        except BaseException:
            self.close()
            raise
        self.summary = Summary(self._output)
        return self

    def rows(self, sources: Iterable[Source] = (), *, eager: bool = False) -> Iterator[Row]:
        """Process all inputs that are not done, those of sources as well, and yield their rows.

        Sources are read some inputs ahead, further while a worker is idle as the hosts of all inputs must wait;
        ``eager`` reads all of them while the first pages are in progress.
        """
        self._queue = HostQueue(WaitingInputs(self._output.ledger), self._options.limits)
        chunks = self._chunks(sources)
        with ThreadPoolExecutor(self._options.workers, thread_name_prefix="blocksight-batch") as threads:
            try:
                while True:
                    self._submit(threads)
                    is_idle = len(self._pending) < self._options.workers
                    most = self.summary.waiting + 1 if eager else _AHEAD if is_idle else WINDOW
                    if self.summary.waiting < most and self._note_chunk(chunks):
                        pause: float | None = 0.0
                    elif not self._pending and self._queue.is_empty:
                        break
                    else:
                        pause = self._queue.wait(time.monotonic())
                    yield from self._collect(_POLL if pause is None else min(max(pause, 0.01), _POLL))
            except (KeyboardInterrupt, GeneratorExit):
                # Pages in progress end within their timeouts, and are stored.
                while self._pending:
                    for _ in self._collect(_POLL):
                        pass
                raise
            finally:
                self._output.flush()
                self.summary.write(self._out)

    def _note_chunk(self, chunks: Iterator[list[Input]]) -> bool:
        """Note more inputs; return False if there are none."""
        if (chunk := next(chunks, None)) is None:
            return False
        added = self._output.ledger.add(chunk)
        self._queue.add(Counter(entry.host for entry in added))
        self.summary.total += len(added)
        return True

    def _chunks(self, sources: Iterable[Source]) -> Iterator[list[Input]]:
        options = self._options
        largest, addresses_only = options.render.max_bytes, options.addresses_only
        inputs = inputs_of(
            sources, column=options.column, largest=largest, addresses_only=addresses_only, archives=options.archives
        )
        if options.shard[1] > 1:
            inputs = (entry for entry in inputs if part_of(entry, options.shard[1]) == options.shard[0])
        chunk: list[Input] = []
        end = time.monotonic() + _CHUNK_SECONDS
        for entry in inputs:
            chunk.append(entry)
            if len(chunk) >= _CHUNK or time.monotonic() > end:
                yield chunk
                chunk, end = [], time.monotonic() + _CHUNK_SECONDS
        if chunk:
            yield chunk

    def _submit(self, threads: ThreadPoolExecutor) -> None:
        queue = self._queue
        while len(self._pending) < self._options.workers and (entry := queue.next(time.monotonic())) is not None:
            future: _Result
            if isinstance(entry, str):
                future = threads.submit(self._pipeline.rules, entry)
            elif (known := self._known_outcome(entry)) is not None:
                future = Future[Outcome | Input]()
                future.set_result(known)
            else:
                if self._earlier is not None and entry.earlier is None:
                    entry = replace(entry, earlier=self._earlier.row(entry.id))
                future = threads.submit(self._pipeline.process, entry, queue.rules(entry) if entry.host else None)
            self._pending[future] = entry

    def _known_outcome(self, entry: Input) -> Outcome | None:
        """Return the outcome of an input that is not opened, as its host forbids it or is down."""
        if why := self._queue.forbids(entry):
            return refused(entry, ROBOTS, why, self._options.digest)
        if down := self._queue.down(entry):
            return failed(entry, {}, self._options.digest, down_error(entry.source, down))
        return None

    def _collect(self, seconds: float) -> Iterator[Row]:
        """Yield the rows of the inputs that have ended, if they are not put back; wait some seconds for one."""
        # An interrupt may be raised at any step: what has ended is known from the futures, so that none is waited for.
        if not self._pending:
            time.sleep(seconds)
        pending: list[Future[Any]] = list(self._pending)
        for future in wait(pending, seconds, FIRST_COMPLETED).done:
            entry, result = self._pending.pop(future), future.result()
            if isinstance(result, RobotsRules):
                self._queue.set_rules(str(entry), result)
            elif isinstance(entry, Input) and isinstance(result, Input):
                self._queue.move(entry, result, time.monotonic())
            elif isinstance(entry, Input) and isinstance(result, Outcome) and not self._is_retried(entry, result.error):
                yield self._stored(entry, result)

    def _is_retried(self, entry: Input, error: Exception | None) -> bool:
        """End an input; return whether it is put back, as its failure may pass."""
        now, limits = time.monotonic(), self._options.limits
        self._attempts[entry.id] = attempts = self._attempts.get(entry.id, 0) + 1
        seconds = retry_seconds(error, attempts, limits)
        if seconds is not None and is_busy(error):
            _LOG.info("%s: %s; its host is busy, and asked again later", entry.source, error)
            self._queue.back_off(entry, now, error.retry_after)
            return True
        if seconds is None or not entry.host or self._queue.down(entry) is not None:
            self._queue.finish(entry, now, error)
            return False
        _LOG.info("%s: %s; it is requested again in %.0f s", entry.source, error, seconds)
        self._queue.retry(entry, now, seconds, error)
        return True

    def _stored(self, entry: Input, result: Outcome) -> Row:
        row = result.row | {"tries": self._output.ledger.tries(entry.id) + self._attempts.pop(entry.id)}
        row = self._output.add(entry, row)
        self.summary.count(row)
        return row


SUMMARY = "summary.json"
#: Number of recent pages of which the rate is measured.
_RECENT = 200


class Summary:
    """Counts of one run and of its folder."""

    def __init__(self, output: Output) -> None:
        self._ledger = output.ledger
        self._start = time.time()
        self._times = deque([time.monotonic()], maxlen=_RECENT)
        self.rows = 0
        self.failures: Counter[str] = Counter()
        done, waiting, failed = self._ledger.counts()
        #: Inputs that were done before this run, and all of the folder.
        self.before = done + sum(failed.values())
        self.total = self.before + waiting

    def count(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self._times.append(time.monotonic())
        if row["error_kind"] is not None:
            self.failures[row["error_kind"]] += 1

    @property
    def waiting(self) -> int:
        """Number of inputs that are not done."""
        return self.total - self.before - self.rows

    def pace(self) -> str:
        """Return the recent pages per second."""
        passed = time.monotonic() - self._times[0]
        return f"{(len(self._times) - 1) / passed if passed > 0 else 0.0:.1f} pages/s"

    def failed(self) -> str:
        """Return the failures by kind, the most frequent first."""
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.failures.most_common())
        return f"{sum(self.failures.values()):,} failed ({kinds})"

    def to_dict(self) -> dict[str, Any]:
        """Return all counts as JSON values."""
        done, waiting, failed = self._ledger.counts()
        finished = done + sum(failed.values())
        return {
            "schema": SCHEMA_VERSION,
            "inputs": finished + waiting,
            "rows": finished,
            "done": done,
            "failed": sum(failed.values()),
            "failed_by_kind": failed,
            "waiting": waiting,
            "this_run": {
                "start": self._start,
                "seconds": round(time.time() - self._start, 3),
                "rows": self.rows,
                "failed_by_kind": dict(self.failures.most_common()),
            },
        }

    def write(self, folder: Path) -> None:
        """Write the summary file of a folder."""
        with disk_errors(folder):
            write_bytes(folder / SUMMARY, orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2) + b"\n")
