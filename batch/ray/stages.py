"""The two stages on a cluster of Ray: actors that render and actors that judge, with pages streaming between them.

Here ``import ray`` is the library: this module is ``blocksight.batch.ray.stages``.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..batch_options import BatchOptions
from ..sources.inputs import input_of
from .actors import AT_ONCE, BLOCK, ExtractActor, RenderActor, lease
from .connection import library
from .rate_limiter import RateLimiter

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

#: Of a CPU, as Ray counts them: what an actor claims. So that all fit on what is left when half of the nodes are lost.
_CLAIM = 0.2
#: What it claims to name inputs, which is nothing.
_NAMING = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Actors:
    """How many actors each stage has.

    Attributes
    ----------
    rendering : int
        Each with a browser of its own, and ``BatchOptions.workers`` pages at once.
    judging : int
        Each with one process that judges.
    """

    rendering: int
    judging: int

    def __post_init__(self) -> None:
        if min(self.rendering, self.judging) < 1:
            raise ValueError("rendering and judging must be 1 or more")


def extract(
    dataset: Dataset, *, source: str = "source", options: BatchOptions | None = None, actors: Actors | None = None
) -> Dataset:
    """Extract the pages that a data set of Ray names, as a step of your own pipeline.

    Nothing is done before the result is asked for. Blocks become small first (8 rows), as those of an actor that dies
    are done again together; Ray wants a whole CPU for that, so some node must have two. Errors
    are rows. Pages that are to be kept need ``blocksight batch --ray``.

    Parameters
    ----------
    dataset : ray.data.Dataset
    source : str
        The column with the address, or the path of a file that every node sees. It is in the rows as it was.
    options : BatchOptions, optional
        What it says of the folder of a run, lists and ledgers does not count here.
    actors : Actors, optional
        By default two for every CPU that the cluster has at this moment, half of them rendering.

    Returns
    -------
    ray.data.Dataset
        A row for each row, in any order, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`.

    Raises
    ------
    ValueError
        When pages are to be kept.
    ExtraMissing
        When Ray is not installed.
    """
    options = options or BatchOptions()
    if options.keep or options.markdown:
        raise ValueError("extract keeps no pages and writes no files: use `blocksight batch --ray`")
    library()
    named = dataset.map_batches(_named, fn_args=(source,), batch_format="pyarrow", num_cpus=_NAMING)
    return staged(named.repartition(target_num_rows_per_block=BLOCK), options, actors=actors)


def _named(table: pyarrow.Table, column: str) -> pyarrow.Table:
    """Make a table of inputs of one of sources."""
    import pyarrow as pa

    if column not in table.column_names:
        raise ValueError(f"there is no column {column!r}; source= names one of {', '.join(table.column_names)}")
    inputs = [
        input_of(name) if isinstance(name, str) and name else input_of(str(name), wrong="the row has no source")
        for name in table[column].to_pylist()
    ]
    return pa.table(
        {
            "id": [one.id for one in inputs],
            "written": [one.written() for one in inputs],
            "tries": pa.array([0] * len(inputs), pa.int64()),
        }
    )


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
    """Return a data set of inputs (``id``, ``written``, ``tries``) with both stages behind it.

    Parameters
    ----------
    dataset : ray.data.Dataset
        Its blocks are what an actor takes at once.
    options : BatchOptions
    actors : Actors, optional
    pages, warcs : str, optional
        Folders to keep pages and archives in, which every node sees.
    stop : str
        A file that every node sees; when it is there, no more inputs are opened, and they have no rows.
    alone : bool
        Nothing else is under way in an actor while it has a block, so that its death is that block's.
    """
    ray = library()
    actors = actors or _actors(ray.cluster_resources().get("CPU", 1.0), browser=options.browser)
    gate = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(RateLimiter).remote(
        options.polite, lease(options)
    )
    at_once = 1 if alone else AT_ONCE
    rendering = ray.data.ActorPoolStrategy(
        size=actors.rendering,
        max_tasks_in_flight_per_actor=1 if alone else AT_ONCE + 1,
        max_concurrent_calls_per_actor=at_once,
        enable_true_multi_threading=True,
    )
    judging = ray.data.ActorPoolStrategy(size=actors.judging, max_tasks_in_flight_per_actor=at_once)
    opened = _mapped(dataset, RenderActor, (options, _RemoteGate(gate), stop), rendering)
    return _mapped(opened, ExtractActor, (options, pages, warcs), judging)


def _mapped(dataset: Dataset, stage: type, given: tuple[object, ...], compute: Any) -> Dataset:
    with warnings.catch_warnings():
        # Ray 2.64 is to have another way to say how often a block is tried; this version has none.
        warnings.filterwarnings("ignore", ".*ray_remote_args", DeprecationWarning)
        return dataset.map_batches(
            stage,
            fn_constructor_args=given,
            batch_size=None,
            batch_format="pyarrow",
            compute=compute,
            num_cpus=_CLAIM,
            # Actors that have died are started anew, but a block that they die of is tried for ever by default.
            max_task_retries=1,
        )


def _actors(cpus: float, *, browser: bool) -> Actors:
    """Return two actors a CPU; where nothing is rendered, few are enough to read files."""
    count = max(int(2 * cpus), 2)
    rendering = count // 2 if browser else max(count // 8, 1)
    return Actors(rendering=rendering, judging=count - rendering)


class _RemoteGate:
    """The gate of all actors, as one of them sees it."""

    def __init__(self, gate: Any) -> None:
        self._gate = gate

    def ask(self, host: str) -> float:
        seconds: float = library().get(self._gate.ask.remote(host))
        return seconds

    def over(self, host: str, delay: float) -> None:
        library().get(self._gate.over.remote(host, delay))

    def busy(self, host: str, delay: float, seconds: float | None) -> None:
        library().get(self._gate.busy.remote(host, delay, seconds))
