"""Extraction as a step of a Ray Data pipeline: actors with a browser each, and one actor for the rate limits."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import BrowserMissing, ExtraMissing, PeerMissing, RunStopped
from ..processes.contention import MOST_STRETCH
from .batch_options import BatchOptions, RateLimits
from .host_queue import HostPace, delay_of, slots_of
from .pipeline import Moved, Outcome, Pipeline, failed, refused
from .retries import is_busy, retry_seconds
from .robots import ALLOW_ALL, RobotsRules, robots_parser
from .row_schema import NAMES, ROBOTS, Row, schema
from .sources.inputs import Input, input_of, read_input, unreadable_input

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

#: Not part of an extra, as it has no wheels for some supported platforms.
REQUIREMENT = "ray[data]>=2.60,<2.64"
#: Rows of one block, which are lost together if their actor dies.
_BLOCK = 8
#: Concurrent blocks of an actor, so that a slow page does not block the browser.
_CONCURRENT_BLOCKS = 2
#: Hosts whose rules an actor remembers.
_MAX_HOSTS = 10_000
#: Hosts that the rate limiter remembers, and seconds until the next attempt if it is unknown when a host is free.
_MAX_LIMITED_HOSTS, _POLL = 100_000, 0.5
#: Columns of a block besides those of the data set.
_INPUT_COLUMNS = ("blocksight_id", "blocksight_input", "blocksight_html")
#: CPUs that naming the inputs of a block reserves.
_NAMING_CPUS = 0.1
#: Share of the CPUs of a cluster that the default actors take; the rest is for reading, writing and other steps.
_SHARE = 0.8
#: Bytes of an actor with its browser, and of each page at once with its worker process.
_BASE_MEMORY, _PAGE_MEMORY = 500_000_000, 500_000_000
#: Seconds beyond the longest time of a page after which its slot at a host is free again.
_GRACE = 180.0


def extract(
    dataset: Dataset,
    *,
    source: str = "source",
    html: str | None = None,
    options: BatchOptions | None = None,
    actors: int | tuple[int, int] | None = None,
) -> Dataset:
    """Extract the pages of a Ray data set, as a lazy step of a pipeline.

    Blocks are made small first (8 rows), as those of an actor that dies are repeated together; Ray reserves a whole CPU
    for that, so some node must have two. Failures are rows.

    Parameters
    ----------
    dataset : ray.data.Dataset
    source : str
        The column with addresses, or paths of files that every node can read; the rows have it unchanged.
    html : str, optional
        A column with the documents themselves, as bytes or text; ``source`` has their addresses. Rows without a
        document are opened by their source.
    options : BatchOptions, optional
        Settings of output folder, lists and ledger are ignored.
    actors : int or tuple of int, optional
        The number of actors, or the least and the most, between which Ray scales; by default up to as many as 0.8 of
        the CPUs of the cluster can hold. Each has a browser, and a CPU and 0.5 GB for each of its
        ``BatchOptions.workers`` concurrent pages.

    Returns
    -------
    ray.data.Dataset
        One row per row, in any order, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`, then the other
        columns of the data set, without those of ``source`` and ``html``.

    Raises
    ------
    ValueError
        With options that keep files. If another column of the data set has the name of one of the rows, the pipeline
        fails and names it.
    PeerMissing
        When Ray is not installed.
    ExtraMissing
        When robots.txt is to be obeyed and the extra ``scale`` is not installed. On a node without it, or without a
        browser that a page needs, the pipeline fails.
    """
    options = options or BatchOptions()
    if options.keep or options.markdown:
        raise ValueError("extract keeps no pages and writes no files: use `blocksight batch`")
    if options.browser and options.limits.robots:
        robots_parser()
    ray = _library()
    least, most = _pool(actors, options.workers, ray.cluster_resources().get("CPU", 1.0))
    limiter = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(RateLimiter).remote(
        options.limits, (MOST_STRETCH + 1.0) * options.render.timeout + _GRACE
    )
    inputs = dataset.map_batches(_inputs, fn_args=(source, html), batch_format="pyarrow", num_cpus=_NAMING_CPUS)
    pool = ray.data.ActorPoolStrategy(
        min_size=least,
        max_size=most,
        max_tasks_in_flight_per_actor=_CONCURRENT_BLOCKS + 1,
        max_concurrent_calls_per_actor=_CONCURRENT_BLOCKS,
        enable_true_multi_threading=True,
    )
    with warnings.catch_warnings():
        # Deprecated for Ray 2.64; earlier versions have no other way to limit the attempts of a block.
        warnings.filterwarnings("ignore", ".*ray_remote_args", DeprecationWarning)
        return inputs.repartition(target_num_rows_per_block=_BLOCK).map_batches(
            PageActor,
            fn_constructor_args=(options, partial(_ask_actor, limiter)),
            batch_size=None,
            batch_format="pyarrow",
            compute=pool,
            num_cpus=options.workers,
            memory=_BASE_MEMORY + options.workers * _PAGE_MEMORY,
            # A block that kills its actor would be repeated for ever by default.
            max_task_retries=1,
        )


def _library() -> Any:
    """Return Ray with Ray Data; PeerMissing if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise PeerMissing("Ray", REQUIREMENT) from error
    return ray


def _pool(actors: int | tuple[int, int] | None, workers: int, cpus: float) -> tuple[int, int]:
    """Return the least and the most number of actors, each with ``workers`` of the CPUs of a cluster."""
    if actors is None:
        return 1, max(int(_SHARE * cpus / workers), 1)
    least, most = actors if isinstance(actors, tuple) else (actors, actors)
    if not 1 <= least <= most:
        raise ValueError("actors must be 1 or more, or (least, most)")
    return least, most


def _inputs(table: pyarrow.Table, source: str, html: str | None) -> pyarrow.Table:
    """Return a table with :data:`_INPUT_COLUMNS` and the other columns."""
    import pyarrow as pa

    named = [name for name in (source, html) if name is not None]
    for name in named:
        if name not in table.column_names:
            raise ValueError(f"there is no column {name!r}; choose from {', '.join(table.column_names)}")
    rest = table.drop_columns(named)
    if taken := set(rest.column_names) & set(NAMES):
        raise ValueError(f"rename these columns, as the rows have others of their names: {', '.join(sorted(taken))}")
    inputs = [
        input_of(name) if isinstance(name, str) and name else unreadable_input(str(name), "the row has no source")
        for name in table[source].to_pylist()
    ]
    documents = [None] * len(inputs) if html is None else map(_as_bytes, table[html].to_pylist())
    columns = (
        pa.array([entry.id for entry in inputs], pa.string()),
        pa.array([entry.to_json() for entry in inputs], pa.string()),
        pa.array(documents, pa.large_binary()),
    )
    for name, column in zip(_INPUT_COLUMNS, columns, strict=True):
        rest = rest.append_column(name, column)
    return rest


def _as_bytes(document: object) -> bytes | None:
    if isinstance(document, str):
        # An encoding that the markup declares is that of the bytes before they were text.
        return b"\xef\xbb\xbf" + document.encode("utf-8", "replace")
    return document if isinstance(document, bytes) else None


@dataclass(slots=True)
class _LimitedHost(HostPace):
    """A host, with the expiry time of each of its slots in use."""

    leases: list[float] = field(default_factory=list)


class RateLimiter:
    """Slots at hosts. A slot is free again after ``lease`` seconds, as its holder may have died."""

    def __init__(self, limits: RateLimits, lease: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._lease = lease
        self._clock = clock
        self._hosts: dict[str, _LimitedHost] = {}

    def acquire(self, name: str, delay: float, slots: int) -> float:
        """Acquire one of the slots at a host and return 0, or return the seconds until the next attempt.

        The next page of the host starts ``delay`` seconds later at the earliest.
        """
        now = self._clock()
        host = self._host(name, now)
        if host.free_at > now:
            return host.free_at - now
        if host.running >= slots:
            return _POLL
        host.leases.append(now + self._lease)
        host.start(now, delay)
        return 0.0

    def release(self, name: str) -> None:
        """Release a slot."""
        self._released(name).refusals = 0

    def back_off(self, name: str, delay: float, seconds: float | None) -> None:
        """Release a slot at a busy host, and pause it for the seconds that it requests, if it does."""
        self._released(name).back_off(self._clock(), delay, seconds, self._limits.max_backoff)

    def _released(self, name: str) -> _LimitedHost:
        host = self._host(name, self._clock())
        del host.leases[:1]
        return host

    def _host(self, name: str, now: float) -> _LimitedHost:
        if name not in self._hosts and len(self._hosts) >= _MAX_LIMITED_HOSTS:
            self._hosts = {name: host for name, host in self._hosts.items() if host.free_at > now or host.leases}
        host = self._hosts.setdefault(name, _LimitedHost())
        host.leases = [expiry for expiry in host.leases if expiry > now]
        host.running = len(host.leases)
        return host


def _ask_actor(limiter: Any, method: str, *arguments: object) -> Any:
    return _library().get(getattr(limiter, method).remote(*arguments))


class PageActor:
    """Processes blocks from sources to rows, with a browser and ``BatchOptions.workers`` worker processes.

    ``ask`` calls a method of the rate limiter, named first, with its arguments.
    """

    def __init__(self, options: BatchOptions, ask: Callable[..., Any]) -> None:
        self._options = options
        self._ask = ask
        self._lock = threading.Lock()
        self._pipeline: Pipeline | None = None
        self._rules: dict[str, Future[RobotsRules]] = {}
        self._threads = ThreadPoolExecutor(_CONCURRENT_BLOCKS * _BLOCK, thread_name_prefix="blocksight-ray")
        self._pages = threading.Semaphore(options.workers)

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        """Return the rows of a table with :data:`_INPUT_COLUMNS`; its other columns follow."""
        import pyarrow as pa

        rows = list(self._threads.map(self._row, table.select(_INPUT_COLUMNS).to_pylist()))
        result = pa.Table.from_pylist(rows, schema=schema())
        for name in table.column_names:
            result = result if name in _INPUT_COLUMNS else result.append_column(table.field(name), table[name])
        return result

    def _row(self, values: Mapping[str, Any]) -> Row:
        identity, data, html = (values[name] for name in _INPUT_COLUMNS)
        entry = read_input(identity, data)
        try:
            if html is None and entry.host and self._options.browser:
                result, tries = self._requested(entry)
            else:
                result, tries = self._read(entry, html), 1
        except (BrowserMissing, ExtraMissing, RunStopped):  # no page of this node can be opened
            raise
        except Exception as error:  # one page must not end the pipeline
            result, tries = failed(entry, {}, self._options.digest, error), 1
        return result.row | {"tries": tries}

    def _requested(self, entry: Input) -> tuple[Outcome, int]:
        """Process an address within the rate limits of its hosts, again if its failure may pass; count attempts."""
        limits, tries = self._options.limits, 0
        while True:
            rules = self._rules_of(entry.host)
            if why := rules.forbids(entry.address, limits.user_agent):
                return refused(entry, ROBOTS, why, self._options.digest), tries + 1
            delay = delay_of(rules, limits)
            self._wait_for(entry.host, delay, slots_of(rules, limits))
            result = self._processed(entry, rules)
            error = result.error if isinstance(result, Outcome) else None
            if is_busy(error):
                self._ask("back_off", entry.host, delay, error.retry_after)
            else:
                self._ask("release", entry.host)
            if isinstance(result, Moved):
                entry = result.to
                continue
            tries += 1
            seconds = retry_seconds(error, tries, limits)
            if seconds is None:
                return result, tries
            time.sleep(seconds)

    def _wait_for(self, host: str, delay: float, slots: int) -> None:
        while seconds := self._ask("acquire", host, delay, slots):
            time.sleep(seconds)

    def _processed(self, entry: Input, rules: RobotsRules | None) -> Outcome | Moved:
        with self._pages:
            return self._started().process(entry, rules)

    def _read(self, entry: Input, html: bytes | None) -> Outcome:
        """Process a file or a document, for which no host is asked."""
        with self._pages:
            result = self._started().process(entry, html=html)
            while isinstance(result, Moved):
                result = self._started().process(result.to, html=html)
        return result

    def _rules_of(self, host: str) -> RobotsRules:
        """Read the rules of a host once; concurrent callers wait."""
        with self._lock:
            if len(self._rules) >= _MAX_HOSTS and host not in self._rules:
                self._rules.clear()  # they are read again when needed
            is_first = host not in self._rules
            future = self._rules.setdefault(host, Future())
        if is_first:
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
            self._ask("release", host)

    def _started(self) -> Pipeline:
        with self._lock:
            if self._pipeline is None:
                # Ray has threads that Python does not know, so workers are not forked.
                self._pipeline = Pipeline(self._options, fork=False).__enter__()
            return self._pipeline
