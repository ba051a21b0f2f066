"""A run in an output folder: inputs in, rows out; the next call continues an interrupted run."""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from ..errors import HttpFailed, RunStopped
from ..files.atomic import delete_unfinished, open_run_folder
from .batch_options import BatchOptions
from .host_queue import BUSY, HostQueue
from .output.lock import locked
from .output.output import PAGES, WARC, Output
from .output.shards import disk_errors
from .output.waiting_inputs import WaitingInputs
from .pipeline import NeedsBrowser, Outcome, Pipeline, failed, refused
from .redirects import Redirected, RedirectHistory
from .retries import Outage, down_error, is_unreachable, retry_seconds
from .robots import RobotsRules, check_robots
from .row_schema import DUPLICATE, ROBOTS, Row
from .sources.inputs import Input, part_of
from .sources.lists import Source, inputs_of
from .summary import Summary
from .tasks import Tasks, ThreadTasks

_LOG = logging.getLogger(__name__)
#: A record for each row, with the attribute ``page``.
_PAGES = logging.getLogger("blocksight.pages")
#: Columns of such a record.
_LOGGED = (
    *("id", "source", "error_kind", "error", "status", "verdict", "tries"),
    *("seconds_render", "seconds_analyse", "cpu_seconds"),
)

#: Most inputs that are noted in one transaction, and the seconds until a source that is slow has one.
_CHUNK, _CHUNK_SECONDS = 100, 0.2
#: Inputs that wait while all workers are busy, and at most.
WINDOW, _AHEAD = 500, 1_000_000
#: Longest pause between two checks for inputs that can start, in seconds.
_POLL = 1.0

_Result = Future[Outcome] | Future[RobotsRules]
_Pending = dict[_Result, Input | str]


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
    SettingsMismatch
        When the folder holds a run with other settings.
    RunInProgress
        When another run writes into it.
    RunStopped
        When nothing can be written any more, no host can be reached, or more inputs than ``max_failed`` failed; all
        rows so far are stored.
    BrowserMissing
        When there is no browser, and a page needs one.
    ExtraMissing
        When robots.txt is to be obeyed and the extra ``scale`` is not installed.
    """
    with Run(Path(out), options or BatchOptions()) as run:
        yield from run.rows(sources)


class Run(ExitStack):
    """One run in one folder; use it as a context manager. Set ``stopped`` to start no further inputs."""

    def __init__(self, out: Path, options: BatchOptions) -> None:
        super().__init__()
        self._out = out
        self._options = options
        self._attempts: dict[str, int] = {}
        self._redirects = RedirectHistory()
        self._done: SimpleQueue[_Result] = SimpleQueue()
        self.stopped = False
        self._stop_reason = ""
        self._outage = Outage(options.limits.outage)

    def __enter__(self) -> Self:
        options = self._options
        if options.browser and options.limits.robots:
            check_robots()
        try:
            # Workers are forked: before there is a lock or a ledger that they would inherit.
            self._start_workers(
                self._out / PAGES if "pages" in options.keep else None,
                self._out / WARC if "warc" in options.keep else None,
            )
            with disk_errors(self._out):
                if self.enter_context(locked(self._out)):
                    delete_unfinished(self._out)
                open_run_folder(self._out, options.settings(), BatchOptions().settings())
            self._output = Output(self._out, format=options.format, shard_rows=options.shard_rows, rows=options.rows)
            self.callback(self._output.close)
            self._output.flush()
            missing = self._output.missing_shards() if "missing" in options.retry else ()
            self.repeated = self._output.ledger.reset(
                failed="failed" in options.retry, kinds=options.retry, before=options.since, shards=missing
            )
        except BaseException:
            self.close()
            raise
        self.summary = Summary(self._output)
        return self

    def _start_workers(self, pages: Path | None, warcs: Path | None) -> None:
        self._pipeline = self.enter_context(Pipeline(self._options, pages=pages, warcs=warcs))

    def _tasks(self) -> AbstractContextManager[Tasks]:
        return ThreadTasks(self._pipeline, self._options.workers)

    @property
    def repaired(self) -> str:
        """What was wrong with the ledger, "" if nothing: it was rebuilt from the rows."""
        return self._output.repaired

    def note(self, sources: Iterable[Source]) -> int:
        """Note all inputs of sources, to be done by :meth:`rows`; return the number of new ones."""
        return sum(len(self._output.ledger.add(chunk)) for chunk in self._chunks(sources))

    def rows(self, sources: Iterable[Source] = (), *, eager: bool = False) -> Iterator[Row]:
        """Process all inputs that are not done, those of sources as well, and yield their rows.

        Sources are read some inputs ahead, further while a worker is idle as the hosts of all inputs must wait;
        ``eager`` reads all of them while the first pages are in progress.
        """
        queue = HostQueue(WaitingInputs(self._output.ledger), self._options.limits)
        chunks = self._chunks(sources)
        pending: _Pending = {}
        with self._tasks() as tasks:
            try:
                while not self.stopped and not self._stop_reason:
                    self.summary.write_progress(self._out)
                    self._submit(queue, tasks, pending)
                    is_idle = len(pending) < tasks.slots()
                    most = self.summary.waiting + 1 if eager else _AHEAD if is_idle else WINDOW
                    if self.summary.waiting < most and self._note_chunk(chunks, queue):
                        pause: float | None = 0.0
                    elif not pending and queue.is_empty:
                        break
                    else:
                        pause = queue.wait(time.monotonic())
                    yield from self._collect(queue, pending, _POLL if pause is None else min(max(pause, 0.01), _POLL))
                yield from self._drain(queue, tasks, pending)
                if self._stop_reason:
                    raise RunStopped(self._stop_reason)
            except (KeyboardInterrupt, GeneratorExit):
                # Pages in progress end within their timeouts, and are stored.
                for _ in self._drain(queue, tasks, pending):
                    pass
                raise
            finally:
                self._output.flush()
                self.summary.write(self._out)

    def _note_chunk(self, chunks: Iterator[list[Input]], queue: HostQueue) -> bool:
        """Note more inputs; return False if there are none."""
        if (chunk := next(chunks, None)) is None:
            return False
        added = self._output.ledger.add(chunk)
        queue.add(Counter(entry.host for entry in added))
        self.summary.total += len(added)
        return True

    def _chunks(self, sources: Iterable[Source]) -> Iterator[list[Input]]:
        options = self._options
        inputs = inputs_of(
            sources,
            column=options.column,
            largest=options.render.max_bytes,
            addresses_only=options.addresses_only,
            html_column=options.html_column,
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

    def _submit(self, queue: HostQueue, tasks: Tasks, pending: _Pending) -> None:
        slots = tasks.slots()
        while len(pending) < slots and (entry := queue.next(time.monotonic())) is not None:
            future: _Result
            if isinstance(entry, str):
                future = tasks.rules(entry)
            elif (known := self._known_outcome(queue, entry)) is not None:
                future = Future[Outcome]()
                future.set_result(known)
            else:
                rules = self._redirects.rules(entry, queue.rules(entry)) if entry.host else None
                future = tasks.process(entry, rules)
            pending[future] = entry
            future.add_done_callback(self._done.put)
        if len(pending) >= slots and queue.wait(time.monotonic()) == 0:
            tasks.wants_more()

    def _known_outcome(self, queue: HostQueue, entry: Input) -> Outcome | None:
        """Return the outcome of an input that is not opened, as its host forbids it or is down."""
        if why := queue.forbids(entry):
            return refused(entry, ROBOTS, why, self._options.digest)
        if down := queue.down(entry):
            return failed(entry, {}, self._options.digest, down_error(entry.source, down))
        return None

    def _collect(self, queue: HostQueue, pending: _Pending, seconds: float | None) -> Iterator[Row]:
        """Yield the row of one input that has ended within some seconds, if it is not put back."""
        try:
            future = self._done.get(timeout=seconds)
        except Empty:
            return
        entry = pending.pop(future)
        if future.cancelled():  # it waits for the next call
            return
        result = future.result()
        if isinstance(entry, str):
            if not isinstance(result, Outcome):
                queue.set_rules(entry, result)
        elif isinstance(result, Outcome) and not self._is_retried(queue, entry, result):
            yield self._stored(entry, result)

    def _drain(self, queue: HostQueue, tasks: Tasks, pending: _Pending) -> Iterator[Row]:
        tasks.stop()
        while pending:
            tasks.slots()
            yield from self._collect(queue, pending, _POLL)

    def _is_retried(self, queue: HostQueue, entry: Input, result: Outcome) -> bool:
        """Release the host of an input; return whether the input is put back, as its host is busy."""
        self._attempts[entry.id] = self._attempts.get(entry.id, 0) + 1
        now, error = time.monotonic(), result.error
        if isinstance(error, Redirected):
            moved = self._redirects.next_input(entry, queue.rules(entry), error.target)
            if moved is not None:
                self._attempts[entry.id] -= 1
                queue.move(entry, moved, now)
                return True
        if isinstance(error, NeedsBrowser):
            # In its turn, as any other page of the host.
            self._attempts[entry.id] -= 1
            queue.move(entry, replace(entry, renders=True), now)
            return True
        again = self._attempts[entry.id] < self._options.limits.max_attempts
        if again and isinstance(error, HttpFailed) and error.status in BUSY:
            _LOG.info("%s: %s; its host is busy, and asked again later", entry.source, error)
            queue.back_off(entry, now, error.retry_after)
            return True
        if entry.host and queue.down(entry) is None and self._is_requested_later(queue, entry, error):
            return True
        queue.finish(entry, now, error)
        self._redirects.forget(entry)
        return False

    def _is_requested_later(self, queue: HostQueue, entry: Input, error: Exception | None) -> bool:
        """Put an input back whose failure may pass; also all that fail while the network is down."""
        self._stop_reason = self._stop_reason or self._outage.record(entry.host, error)
        seconds = retry_seconds(error, self._attempts[entry.id], self._options.limits)
        if self._stop_reason and is_unreachable(error):
            seconds = 0.0
        if seconds is None:
            return False
        _LOG.info("%s: %s; it is requested again in %.0f s", entry.source, error, seconds)
        queue.retry(entry, time.monotonic(), seconds, error)
        return True

    def _stored(self, entry: Input, result: Outcome) -> Row:
        row = result.row | {"tries": self._output.ledger.tries(entry.id) + self._attempts.pop(entry.id)}
        if self._options.markdown:
            self._output.write_markdown(row)
        row = self._output.add(entry, row)
        self.summary.count(row)
        _PAGES.info("page", extra={"page": {name: row[name] for name in _LOGGED}})
        most = self._options.max_failed
        if most is not None and self.summary.failures.total() - self.summary.failures[DUPLICATE] > most:
            self._stop_reason = self._stop_reason or (
                f"more than {most:,} inputs failed: {self.summary.failed()}; call the same command again to go on, "
                "with --retry KIND to repeat those of a kind"
            )
        return row
