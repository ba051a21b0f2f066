"""The two stages of a Ray data set as actors: tables of inputs in, tables of rows out; failures are rows."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import BrowserMissing, ExtraMissing, HttpFailed, RunStopped
from ..batch_options import BatchOptions
from ..host_queue import BUSY, delay_of, slots_of
from ..pipeline import InputOpener, OpenedInput, Outcome, RowExtractor, failed, refused
from ..redirects import Redirected, RedirectHistory
from ..retries import retry_seconds
from ..robots import ALLOW_ALL, RobotsRules
from ..row_schema import ROBOTS, Row, schema
from ..sources.inputs import Input, read_input
from .page_actor import killed_after, lease

if TYPE_CHECKING:
    import pyarrow

#: Rows of one block, which are lost together if their actor dies, and then done one by one.
BLOCK = 8
#: Concurrent blocks of an actor, so that a slow page does not block the browser.
AT_ONCE = 2
#: Hosts whose rules are remembered.
_MAX_HOSTS = 10_000
#: Columns of the tables between the stages, besides those of the data set.
INPUT_COLUMNS = ("blocksight_id", "blocksight_input", "blocksight_html")
_OPENED = "blocksight_opened"


class HostSlots(Protocol):
    """The interface of :class:`~blocksight.batch.ray.rate_limiter.RateLimiter`."""

    def acquire(self, name: str, delay: float, slots: int) -> float:
        """Acquire a slot, or return the seconds to wait."""

    def release(self, name: str) -> None:
        """Release a slot."""

    def back_off(self, name: str, delay: float, seconds: float | None) -> None:
        """Release a slot at a busy host."""


class RenderActor:
    """The first stage: it owns a browser, and renders."""

    def __init__(self, options: BatchOptions, limiter: HostSlots) -> None:
        self._options = options
        self._limiter = limiter
        self._lock = threading.Lock()
        self._opener: InputOpener | None = None
        self._rules: dict[str, Future[RobotsRules]] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE * BLOCK, thread_name_prefix="blocksight-render")
        self._pages = threading.Semaphore(options.workers)

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Open the inputs of a table with :data:`INPUT_COLUMNS` and others, which are kept."""
        import pyarrow as pa

        opened = list(self._threads.map(self._packed, table.select(INPUT_COLUMNS).to_pylist()))
        rest = table.drop_columns(list(INPUT_COLUMNS))
        return rest.append_column(_OPENED, pa.array(opened, pa.large_binary()))

    def _packed(self, row: Mapping[str, Any]) -> bytes:
        identity, data, html = (row[name] for name in INPUT_COLUMNS)
        entry = read_input(identity, data)
        try:
            result, tries = (self._open(entry, html=html), 1) if html is not None else self._opened(entry)
            return pickle.dumps((tries, result if isinstance(result, OpenedInput) else result.row))
        except (BrowserMissing, ExtraMissing, RunStopped):  # no page of this node can be opened
            raise
        except Exception as error:  # one page must not end the pipeline
            return pickle.dumps((1, failed(entry, {}, self._options.digest, error).row))

    def _opened(self, entry: Input) -> tuple[OpenedInput | Outcome, int]:
        """Open an input within the rate limits of its hosts; return the number of attempts as well."""
        if not entry.host or not self._options.browser:
            return self._open(entry), 1
        history, next_input, tries = RedirectHistory(), entry, 0
        while True:
            rules = self._rules_of(next_input.host)
            if why := rules.forbids(next_input.address, self._options.limits.user_agent):
                return refused(entry, ROBOTS, why, self._options.digest), tries + 1
            result, more = self._opened_in_turn(next_input, rules, history.rules(next_input, rules))
            tries += more
            error = result.error if isinstance(result, Outcome) else None
            moved = history.next_input(next_input, rules, error.target) if isinstance(error, Redirected) else None
            if moved is None:
                return result, tries
            next_input, tries = moved, tries - 1

    def _opened_in_turn(
        self, entry: Input, rules: RobotsRules, others: Mapping[str, RobotsRules]
    ) -> tuple[OpenedInput | Outcome, int]:
        """Open an input when its host may be asked, again while that is busy or its failure may pass."""
        limits, tries = self._options.limits, 0
        delay = delay_of(rules, limits)
        while True:
            self._wait_for(entry.host, delay, slots_of(rules, limits))
            result, tries = self._open(entry, others), tries + 1
            error = result.error if isinstance(result, Outcome) else None
            if isinstance(error, HttpFailed) and error.status in BUSY:
                self._limiter.back_off(entry.host, delay, error.retry_after)
                if tries >= limits.max_attempts:
                    return result, tries
                continue
            self._limiter.release(entry.host)
            if (pause := retry_seconds(error, tries, limits)) is None:
                return result, tries
            time.sleep(pause)

    def _wait_for(self, host: str, delay: float, slots: int) -> None:
        while seconds := self._limiter.acquire(host, delay, slots):
            time.sleep(seconds)

    def _open(
        self, entry: Input, rules: Mapping[str, RobotsRules] | None = None, html: bytes | None = None
    ) -> OpenedInput | Outcome:
        with self._pages, killed_after(lease(self._options)):
            return self._started().open(entry, rules, html=html)

    def _rules_of(self, host: str) -> RobotsRules:
        """Read the rules of a host once; concurrent callers wait."""
        with self._lock:
            future, mine = self._rules.get(host), host not in self._rules
            if future is None:
                if len(self._rules) >= _MAX_HOSTS:
                    self._rules.clear()  # they are read again when needed
                future = self._rules[host] = Future()
        if mine:
            try:
                future.set_result(self._read_rules(host) if self._options.limits.robots else ALLOW_ALL)
            except Exception as error:  # for all callers that wait
                future.set_exception(error)
        return future.result()

    def _read_rules(self, host: str) -> RobotsRules:
        self._wait_for(host, self._options.limits.delay, 1)
        try:
            return self._started().rules(host)
        finally:
            self._limiter.release(host)

    def _started(self) -> InputOpener:
        with self._lock:
            if self._opener is None:
                self._opener = InputOpener(self._options).__enter__()
            return self._opener


class ExtractActor:
    """The second stage: it extracts, without a browser, in a worker process."""

    def __init__(self, options: BatchOptions) -> None:
        self._options = replace(options, workers=1)
        self._extractor: RowExtractor | None = None

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Extract the rows of opened inputs; the other columns of the table follow."""
        import pyarrow as pa

        rows = pa.Table.from_pylist([self._row(data) for data in table[_OPENED].to_pylist()], schema=schema())
        for name in table.column_names:
            rows = rows if name == _OPENED else rows.append_column(table.field(name), table[name])
        return rows

    def _row(self, data: bytes) -> Row:
        tries, opened = pickle.loads(data)  # noqa: S301 - of the first stage of the same run
        if not isinstance(opened, OpenedInput):
            row: Row = opened
            return row | {"tries": tries}
        try:
            with killed_after(2 * lease(self._options)):
                return self._started().extract(opened).row | {"tries": tries}
        except Exception as error:  # one page must not end the pipeline
            return failed(opened.input, opened.columns, self._options.digest, error).row | {"tries": tries}

    def _started(self) -> RowExtractor:
        if self._extractor is None:
            self._extractor = RowExtractor(self._options, 1, fork=False).__enter__()
        return self._extractor
