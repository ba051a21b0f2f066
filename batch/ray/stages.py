"""The two stages on a Ray cluster: actors that render and actors that extract, with pages streaming between them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..batch_options import BatchOptions
from ..robots import check_robots
from ..row_schema import NAMES
from ..sources.inputs import input_of, unreadable_input
from .actors import AT_ONCE, BLOCK, INPUT_COLUMNS, ExtractActor, RenderActor
from .connection import library
from .page_actor import lease
from .rate_limiter import RateLimiter

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

#: CPUs that naming the inputs of a block reserves.
_NAMING_CPUS = 0.1
#: Share of the CPUs of a cluster that the default actors take; the rest is for reading, writing and other steps.
_SHARE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Actors:
    """Actors of the two stages of a pipeline.

    Attributes
    ----------
    rendering, extracting : int or tuple of int
        Number of actors of each stage, or the least and the most, between which Ray scales. Each rendering actor has
        its own browser, and ``BatchOptions.workers`` concurrent pages; each extracting one has a worker process.
    cpus : float
        CPUs that each actor reserves: a page takes about as much time of each stage.
    memory : int
        Bytes that each actor reserves.
    """

    rendering: int | tuple[int, int]
    extracting: int | tuple[int, int]
    cpus: float = 0.5
    memory: int = 700_000_000

    def __post_init__(self) -> None:
        for size in (self.rendering, self.extracting):
            least, most = size if isinstance(size, tuple) else (size, size)
            if not 1 <= least <= most:
                raise ValueError("rendering and extracting must be 1 or more, or (least, most)")


def extract(
    dataset: Dataset,
    *,
    source: str = "source",
    html: str | None = None,
    options: BatchOptions | None = None,
    actors: Actors | None = None,
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
    actors : Actors, optional
        By default as many of each stage as 0.8 of the CPUs of the cluster can hold, at least half of them.

    Returns
    -------
    ray.data.Dataset
        One row per row, in any order, with the columns of :data:`~blocksight.batch.row_schema.COLUMNS`, then the other
        columns of the data set, without those of ``source`` and ``html``.

    Raises
    ------
    ValueError
        With options that keep files: these need ``blocksight batch --ray``. If another column of the data set has the
        name of one of the rows, the pipeline fails and names it.
    PeerMissing
        When Ray is not installed.
    ExtraMissing
        When robots.txt is to be obeyed and the extra ``scale`` is not installed. On a node without it, or without a
        browser that a page needs, the pipeline fails.
    """
    options = options or BatchOptions()
    if options.keep or options.markdown or options.browser == "auto":
        raise ValueError('extract keeps no pages, writes no files, and has no browser="auto": use `blocksight batch`')
    if options.browser and options.limits.robots:
        check_robots()
    ray = library(data=True)
    actors = actors or _actors(ray.cluster_resources().get("CPU", 1.0), browser=bool(options.browser))
    limiter = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(RateLimiter).remote(
        options.limits, lease(options)
    )
    inputs = dataset.map_batches(_inputs, fn_args=(source, html), batch_format="pyarrow", num_cpus=_NAMING_CPUS)
    blocks = inputs.repartition(target_num_rows_per_block=BLOCK)
    rendering = ray.data.ActorPoolStrategy(
        **_sizes(actors.rendering),
        max_tasks_in_flight_per_actor=AT_ONCE + 1,
        max_concurrent_calls_per_actor=AT_ONCE,
        enable_true_multi_threading=True,
    )
    extracting = ray.data.ActorPoolStrategy(**_sizes(actors.extracting), max_tasks_in_flight_per_actor=AT_ONCE)
    opened = _mapped(blocks, RenderActor, (options, _RemoteLimiter(limiter)), rendering, actors)
    return _mapped(opened, ExtractActor, (options,), extracting, actors)


def _sizes(size: int | tuple[int, int]) -> dict[str, int]:
    if isinstance(size, tuple) and size[0] < size[1]:
        return {"min_size": size[0], "max_size": size[1]}
    return {"size": size[0] if isinstance(size, tuple) else size}


def _inputs(table: pyarrow.Table, source: str, html: str | None) -> pyarrow.Table:
    """Return a table with :data:`~blocksight.batch.ray.actors.INPUT_COLUMNS` and the other columns."""
    import pyarrow as pa

    for name in (source, *([html] if html is not None else [])):
        if name not in table.column_names:
            raise ValueError(f"there is no column {name!r}; choose from {', '.join(table.column_names)}")
    rest = table.drop_columns([source] if html is None else [source, html])
    if taken := set(rest.column_names) & set(NAMES):
        raise ValueError(f"rename these columns, as the rows have others of their names: {', '.join(sorted(taken))}")
    sources = table[source].to_pylist()
    inputs = [
        input_of(name) if isinstance(name, str) and name else unreadable_input(str(name), "the row has no source")
        for name in sources
    ]
    documents = [None] * len(inputs) if html is None else map(_as_bytes, table[html].to_pylist())
    columns = (
        pa.array([entry.id for entry in inputs], pa.string()),
        pa.array([entry.to_json() for entry in inputs], pa.string()),
        pa.array(documents, pa.large_binary()),
    )
    for name, column in zip(INPUT_COLUMNS, columns, strict=True):
        rest = rest.append_column(name, column)
    return rest


def _as_bytes(document: object) -> bytes | None:
    if isinstance(document, str):
        # An encoding that the markup declares is that of the bytes before they were text.
        return b"\xef\xbb\xbf" + document.encode("utf-8", "replace")
    return document if isinstance(document, bytes) else None


def _mapped(dataset: Dataset, stage: type, arguments: tuple[object, ...], compute: Any, actors: Actors) -> Dataset:
    with warnings.catch_warnings():
        # Deprecated for Ray 2.64; earlier versions have no other way to limit the attempts of a block.
        warnings.filterwarnings("ignore", ".*ray_remote_args", DeprecationWarning)
        return dataset.map_batches(
            stage,
            fn_constructor_args=arguments,
            batch_size=None,
            batch_format="pyarrow",
            compute=compute,
            num_cpus=actors.cpus,
            memory=actors.memory,
            # A block that kills its actor would be repeated for ever by default.
            max_task_retries=1,
        )


def _actors(cpus: float, *, browser: bool) -> Actors:
    """Return the default actors; without a browser, few are enough to read files."""
    count = max(int(_SHARE * cpus / Actors(rendering=1, extracting=1).cpus), 2)
    rendering = count // 2 if browser else max(count // 8, 1)
    extracting = count - rendering
    return Actors(rendering=(max(rendering // 2, 1), rendering), extracting=(max(extracting // 2, 1), extracting))


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
