"""The two stages on a Ray cluster: actors that render and actors that extract, with pages streaming between them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..batch_options import BatchOptions
from ..sources.inputs import Input, input_of, unreadable_input
from .actors import AT_ONCE, BLOCK, ExtractActor, RenderActor, lease
from .connection import library
from .rate_limiter import RateLimiter

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

#: CPUs that an actor reserves: all actors fit on the remaining nodes when half of them are lost.
_ACTOR_CPUS = 0.2
_NAMING_CPUS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Actors:
    """Number of actors of each stage.

    Attributes
    ----------
    rendering : int
        Each has its own browser, and ``BatchOptions.workers`` concurrent pages.
    extracting : int
        Each has one worker process.
    """

    rendering: int
    extracting: int

    def __post_init__(self) -> None:
        if min(self.rendering, self.extracting) < 1:
            raise ValueError("rendering and extracting must be 1 or more")


def extract(
    dataset: Dataset, *, source: str = "source", options: BatchOptions | None = None, actors: Actors | None = None
) -> Dataset:
    """Extract the pages of a Ray data set, as a lazy step of a pipeline.

    Blocks are made small first (8 rows), as those of an actor that dies are repeated together; Ray reserves a whole CPU
    for that, so some node must have two. Failures are rows.

    Parameters
    ----------
    dataset : ray.data.Dataset
    source : str
        The column with addresses, or paths of files that every node can read; the rows have it unchanged.
    options : BatchOptions, optional
        Settings of output folder, lists and ledger are ignored.
    actors : Actors, optional
        By default two per CPU of the cluster, half of them rendering.

    Returns
    -------
    ray.data.Dataset
        One row per row, in any order, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`.

    Raises
    ------
    ValueError
        With options that keep files: these need ``blocksight batch --ray``.
    PeerMissing
        When Ray is not installed.
    """
    options = options or BatchOptions()
    if options.keep or options.markdown:
        raise ValueError("extract keeps no pages and writes no files: use `blocksight batch --ray`")
    library()
    inputs = dataset.map_batches(_inputs, fn_args=(source,), batch_format="pyarrow", num_cpus=_NAMING_CPUS)
    return staged(inputs.repartition(target_num_rows_per_block=BLOCK), options, actors=actors)


def _inputs(table: pyarrow.Table, column: str) -> pyarrow.Table:
    if column not in table.column_names:
        raise ValueError(f"there is no column {column!r}; choose source= from {', '.join(table.column_names)}")
    inputs = [
        input_of(name) if isinstance(name, str) and name else unreadable_input(str(name), "the row has no source")
        for name in table[column].to_pylist()
    ]
    return input_table(inputs, [0] * len(inputs))


def input_table(inputs: Sequence[Input], tries: Sequence[int]) -> pyarrow.Table:
    """Return a table of inputs with the number of their earlier attempts."""
    import pyarrow as pa

    columns = {"id": [entry.id for entry in inputs], "input": [entry.to_json() for entry in inputs]}
    return pa.table(columns | {"tries": pa.array(tries, pa.int64())})


def staged(
    dataset: Dataset,
    options: BatchOptions,
    *,
    actors: Actors | None = None,
    pages: str | None = None,
    warcs: str | None = None,
    stop: str = "",
    alone: bool = False,
) -> Dataset:
    """Return a data set of inputs (see :func:`input_table`) with both stages applied.

    Every node can write to the folders ``pages`` and ``warcs``, and see the file ``stop``: while it exists, inputs are
    dropped without a row. ``alone`` gives an actor one block at a time, so that a crash is caused by that block.
    """
    if options.browser == "auto":
        raise ValueError('browser="auto" is for one computer: a cluster renders every page, or with browser=False none')
    ray = library()
    actors = actors or _actors(ray.cluster_resources().get("CPU", 1.0), browser=options.browser)
    limiter = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(RateLimiter).remote(
        options.limits, lease(options)
    )
    at_once = 1 if alone else AT_ONCE
    rendering = ray.data.ActorPoolStrategy(
        size=actors.rendering,
        max_tasks_in_flight_per_actor=1 if alone else AT_ONCE + 1,
        max_concurrent_calls_per_actor=at_once,
        enable_true_multi_threading=True,
    )
    extracting = ray.data.ActorPoolStrategy(size=actors.extracting, max_tasks_in_flight_per_actor=at_once)
    opened = _mapped(dataset, RenderActor, (options, _RemoteLimiter(limiter), stop), rendering)
    return _mapped(opened, ExtractActor, (options, pages, warcs), extracting)


def _mapped(dataset: Dataset, stage: type, arguments: tuple[object, ...], compute: Any) -> Dataset:
    with warnings.catch_warnings():
        # Deprecated for Ray 2.64; earlier versions have no other way to limit the attempts of a block.
        warnings.filterwarnings("ignore", ".*ray_remote_args", DeprecationWarning)
        return dataset.map_batches(
            stage,
            fn_constructor_args=arguments,
            batch_size=None,
            batch_format="pyarrow",
            compute=compute,
            num_cpus=_ACTOR_CPUS,
            # A block that kills its actor would be repeated for ever by default.
            max_task_retries=1,
        )


def _actors(cpus: float, *, browser: bool) -> Actors:
    """Return two actors per CPU; without a browser, few are enough to read files."""
    count = max(int(2 * cpus), 2)
    rendering = count // 2 if browser else max(count // 8, 1)
    return Actors(rendering=rendering, extracting=count - rendering)


class _RemoteLimiter:
    def __init__(self, limiter: Any) -> None:
        self._limiter = limiter

    def acquire(self, name: str, delay: float, slots: int) -> float:
        seconds: float = library().get(self._limiter.acquire.remote(name, delay, slots))
        return seconds

    def release(self, name: str) -> None:
        library().get(self._limiter.release.remote(name))

    def back_off(self, name: str, delay: float, seconds: float | None) -> None:
        library().get(self._limiter.back_off.remote(name, delay, seconds))
