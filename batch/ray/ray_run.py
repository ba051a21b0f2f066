"""A run on a Ray cluster: the driver has the ledger and the queue of hosts, and actors process the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from ...files.atomic import create_folder
from ..batch_options import BatchOptions
from ..output.shards import disk_errors
from ..row_schema import Row
from ..run import Run
from ..sources.lists import Source
from ..tasks import Tasks
from .actor_tasks import ActorPool, ActorTasks
from .connection import connected


def run_on_ray(
    sources: Iterable[Source],
    out: str,
    *,
    options: BatchOptions | None = None,
    address: str = "",
    pool: ActorPool | None = None,
) -> Iterator[Row]:
    """Extract many pages into a folder, on a Ray cluster; otherwise as :func:`~blocksight.batch.run.run_batch`.

    ``out`` is a folder of this computer; with ``BatchOptions.keep``, every node must be able to write to it.
    ``address`` is as for :func:`~blocksight.batch.ray.connection.connected`.
    """
    with RayRun(Path(out), options or BatchOptions(), address, pool) as run:
        yield from run.rows(sources)


class RayRun(Run):
    """One run on a cluster, with the parameters of :func:`run_on_ray`; use it as a context manager."""

    def __init__(self, out: Path, options: BatchOptions, address: str = "", pool: ActorPool | None = None) -> None:
        super().__init__(out.absolute(), options)
        self._address = address
        self._pool = pool or ActorPool()

    def _start_workers(self, pages: Path | None, warcs: Path | None) -> None:
        with disk_errors(self._out):
            create_folder(self._out)
        self.enter_context(connected(self._address))
        self._folders = {"pages": str(pages) if pages else None, "warcs": str(warcs) if warcs else None}

    def _tasks(self) -> AbstractContextManager[Tasks]:
        folder = str(self._out) if self._options.keep else ""
        return ActorTasks(self._options, self._pool, folder=folder, **self._folders)
