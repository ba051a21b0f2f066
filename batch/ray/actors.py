"""The two stages as other processes run them: tables of inputs in, tables of rows out, and never an error."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import HttpFailed
from ..batch_options import BatchOptions
from ..finisher import Finisher
from ..host_queue import BUSY, delay_of
from ..opener import InputOpener, OpenedInput
from ..outcome import Outcome, failed, refused
from ..robots import OPEN, RobotsRules
from ..row_schema import ROBOTS, Row, schema
from ..sources.inputs import Input, read_input

if TYPE_CHECKING:
    import pyarrow

#: Rows of one block, which are lost together when their worker dies, and then done one by one.
BLOCK = 8
#: Blocks that a worker has under way, so that a slow page does not hold up the browser.
AT_ONCE = 2
#: Hosts whose rules are kept.
_REMEMBERED = 10_000
#: Seconds beyond twice the time for a page after which a worker that does not come back is ended.
_GRACE = 180.0


class HostSlots(Protocol):
    """Places at hosts; see :class:`~blocksight.batch.ray.rate_limiter.RateLimiter`."""

    def ask(self, host: str) -> float:
        """Take a place, or return the seconds to wait."""
        ...

    def over(self, host: str, delay: float) -> None:
        """Return a place."""
        ...

    def busy(self, host: str, delay: float, seconds: float | None) -> None:
        """Return a place at a host that is busy."""
        ...


def lease(options: BatchOptions) -> float:
    """Return the seconds after which a page is over, one way or another."""
    return 2 * options.render.timeout + _GRACE


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """End this process when something that has deadlines of its own breaks them all; another takes its place."""
    timer = threading.Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class RenderActor:
    """The first stage: it owns a browser, and renders.

    Parameters
    ----------
    options : BatchOptions
    gate : HostSlots
    stop : str
        When this file is there, inputs are dropped; "" for none.
    """

    def __init__(self, options: BatchOptions, gate: HostSlots, stop: str = "") -> None:
        self._stop = stop
        self._options = options
        self._gate = gate
        self._lock = threading.Lock()
        self._opener: InputOpener | None = None
        self._rules: dict[str, Future[RobotsRules]] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE * BLOCK, thread_name_prefix="blocksight-opening")
        self._places = threading.Semaphore(options.workers)

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Open the inputs of a table with the columns ``id``, ``written`` and ``tries``."""
        import pyarrow as pa

        opened = list(self._threads.map(self._packed, table.to_pylist()))
        return pa.table({"opened": pa.array([one for one in opened if one is not None], pa.large_binary())})

    def _packed(self, told: Mapping[str, Any]) -> bytes | None:
        if self._stop and os.path.exists(self._stop):
            return None
        found = read_input(told["id"], told["written"])
        tries = told["tries"]
        try:
            result, more = self._opened(found)
            return pickle.dumps((tries + more, result if isinstance(result, OpenedInput) else result.row))
        except Exception as error:  # the edge of the batch: one page shall not be the end of all others
            return pickle.dumps((tries + 1, failed(found, {}, self._options.digest, error).row))

    def _opened(self, found: Input) -> tuple[OpenedInput | Outcome, int]:
        """Open an input as its host bears it; return how often it was tried as well."""
        polite = self._options.polite
        if not found.host or not self._options.browser:
            return self._open(found), 1
        rules = self._rules_of(found.host)
        if why := rules.forbids(found.source, polite.agent):
            return refused(found, ROBOTS, why, self._options.digest), 1
        delay = delay_of(rules, polite)
        tries = 0
        while True:
            self._wait_for(found.host)
            result, tries = self._open(found), tries + 1
            error = result.error if isinstance(result, Outcome) else None
            if not (isinstance(error, HttpFailed) and error.status in BUSY):
                self._gate.over(found.host, delay)
                return result, tries
            self._gate.busy(found.host, delay, error.retry_after)
            if tries >= polite.tries:
                return result, tries

    def _wait_for(self, host: str) -> None:
        while seconds := self._gate.ask(host):
            time.sleep(seconds)

    def _open(self, found: Input) -> OpenedInput | Outcome:
        with self._places, _ended_after(lease(self._options)):
            return self._started().open(found)

    def _rules_of(self, host: str) -> RobotsRules:
        """Read the rules of a host once; whoever asks meanwhile waits."""
        with self._lock:
            future, mine = self._rules.get(host), host not in self._rules
            if future is None:
                if len(self._rules) >= _REMEMBERED:
                    self._rules.clear()  # they are read again
                future = self._rules[host] = Future()
        if mine:
            try:
                future.set_result(self._read_rules(host) if self._options.polite.robots else OPEN)
            except Exception as error:  # whoever waits for them shall have it
                future.set_exception(error)
        return future.result()

    def _read_rules(self, host: str) -> RobotsRules:
        self._wait_for(host)
        try:
            return self._started().rules(host)
        finally:
            self._gate.over(host, self._options.polite.delay)

    def _started(self) -> InputOpener:
        with self._lock:
            if self._opener is None:
                self._opener = InputOpener(self._options).__enter__()
            return self._opener


class ExtractActor:
    """The second stage: it judges, without a browser, in a process that it can end.

    Parameters
    ----------
    options : BatchOptions
    pages, warcs : str, optional
        Folders to keep pages and archives in.
    """

    def __init__(self, options: BatchOptions, pages: str | None = None, warcs: str | None = None) -> None:
        self._options = replace(options, workers=1)
        self._folders = {"pages": Path(pages) if pages else None, "warcs": Path(warcs) if warcs else None}
        self._finisher: Finisher | None = None

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Judge what was opened."""
        import pyarrow as pa

        rows = [self._row(told) for told in table["opened"].to_pylist()]
        return pa.Table.from_pylist(rows, schema=schema())

    def _row(self, told: bytes) -> Row:
        tries, opened = pickle.loads(told)  # noqa: S301 - of the first stage of the same run
        if not isinstance(opened, OpenedInput):
            row: Row = opened
            return row | {"tries": tries}
        try:
            with _ended_after(2 * lease(self._options)):
                return self._started().finish(opened).row | {"tries": tries}
        except Exception as error:  # the edge of the batch: one page shall not be the end of all others
            return failed(opened.input, opened.known, self._options.digest, error).row | {"tries": tries}

    def _started(self) -> Finisher:
        if self._finisher is None:
            self._finisher = Finisher(self._options, 1, **self._folders, copied=False).__enter__()
        return self._finisher
