"""A run on a cluster: the ledger says what is left, Ray does it and writes the rows, and the ledger takes them in."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunStopped
from ..batch_options import BatchOptions
from ..outcome import refused
from ..output.incoming import STOP
from ..output.shards import disk_named
from ..row_schema import DIED, Row, schema
from ..run import Run
from ..sources.inputs import Input
from ..sources.lists import Source
from .actors import BLOCK
from .connection import check_nodes, connected, library, losses_borne
from .stages import Actors, staged

if TYPE_CHECKING:
    import pyarrow

#: Inputs that the cluster is given at once.
ROUND = 100_000
#: Seconds between two looks at what has arrived.
_LOOK = 1.0
#: Of a CPU: what writing a file claims.
_WRITING = 0.1


def run_on_ray(
    sources: Iterable[Source | Input],
    out: str,
    *,
    options: BatchOptions | None = None,
    address: str = "",
    actors: Actors | None = None,
) -> Iterator[Row]:
    """Extract many pages into a folder, on a cluster of Ray; otherwise as :func:`~blocksight.batch.run.run_batch`.

    Parameters
    ----------
    sources : iterable of str or path
        All are noted before the first is done.
    out : path
        A folder that every node sees.
    options : BatchOptions, optional
        ``workers`` are the pages that each browser has at once.
    address : str
        As for :func:`~blocksight.batch.ray.connection.connected`.
    actors : Actors, optional
        By default two for every CPU that the cluster has at the beginning, half of them rendering.

    Yields
    ------
    dict
        One an input, when the file arrives in which it stands.
    """
    with RayRun(Path(out), options or BatchOptions(), address, actors) as run:
        run.note(sources)
        yield from run.rows()


class RayRun(Run):
    """One run in one folder, done by a cluster; use it as a context manager.

    Parameters
    ----------
    out : Path
        A folder that every node sees.
    options : BatchOptions
    address : str
        As for :func:`~blocksight.batch.ray.connection.connected`.
    actors : Actors, optional
    """

    def __init__(self, out: Path, options: BatchOptions, address: str = "", actors: Actors | None = None) -> None:
        if options.form != "parquet":
            raise ValueError("a cluster writes Parquet: leave the format as it is")
        super().__init__(out.absolute(), options)
        self._address = address
        self._actors = actors

    def _begin_work(self, pages: Path | None, warcs: Path | None) -> None:
        self._pages = str(pages) if pages else None
        self._warcs = str(warcs) if warcs else None
        with disk_named(self._out):
            self._out.mkdir(parents=True, exist_ok=True)
        self._stack.enter_context(connected(self._address))
        self._stack.enter_context(losses_borne())
        if told := check_nodes(str(self._out), self._options):
            raise RunStopped("; ".join(told))

    def rows(self, sources: Iterable[Source | Input] | None = None) -> Iterator[Row]:
        """Do inputs and yield their rows.

        Parameters
        ----------
        sources : iterable, optional
            By default all that was noted and is not done.
        """
        if sources is not None:
            self.note(sources)
        ledger = self._output.ledger
        try:
            while some := list(islice(ledger.waiting(), ROUND)):
                for size in (BLOCK, 1):
                    if left := [one for one in some if ledger.is_waiting(one.id)]:
                        yield from self._done_by_ray(mixed(left), size)
                yield from self._lost([one for one in some if ledger.is_waiting(one.id)])
        finally:
            self._output.file()
            self.summary.write(self._out)

    def _done_by_ray(self, inputs: Sequence[Input], size: int) -> Iterator[Row]:
        """Have inputs done, so many to a block, and yield rows as they arrive."""
        folder = self._output.arrivals.folder
        self._output.arrivals.make()
        job = self._begun(inputs, size, folder)
        try:
            yield from self._until_done(job)
        except (KeyboardInterrupt, GeneratorExit):
            # What is under way ends within its deadlines, and is kept; whatever else the actors take, they drop.
            (folder / STOP).touch()
            for _ in self._until_done(job):
                pass
            raise

    def _until_done(self, job: Future[None]) -> Iterator[Row]:
        while not wait([job], timeout=_LOOK).done:
            yield from self._arrived()
        yield from self._ended(job)

    def _begun(self, inputs: Sequence[Input], size: int, folder: Path) -> Future[None]:
        """Begin in a thread that does not hold up the end of the program."""
        job: Future[None] = Future()

        def work() -> None:
            try:
                self._job(inputs, size, folder)
                job.set_result(None)
            except BaseException as error:  # whoever waits for it shall have it
                job.set_exception(error)

        threading.Thread(target=work, name="blocksight-ray", daemon=True).start()
        return job

    def _job(self, inputs: Sequence[Input], size: int, folder: Path) -> None:
        tables = [self._table(inputs[first : first + size]) for first in range(0, len(inputs), size)]
        rows = staged(
            library().data.from_arrow(tables),
            self._options,
            actors=self._actors,
            pages=self._pages,
            warcs=self._warcs,
            stop=str(folder / STOP),
            alone=size == 1,
        )
        rows.write_parquet(
            str(folder),
            min_rows_per_file=self._options.part_rows,
            ray_remote_args={"num_cpus": _WRITING},
            schema=schema(),
            compression="zstd",
        )

    def _table(self, inputs: Sequence[Input]) -> pyarrow.Table:
        import pyarrow as pa

        tries = [self._output.ledger.tries(one.id) for one in inputs]
        return pa.table(
            {"id": [one.id for one in inputs], "written": [one.written() for one in inputs], "tries": tries}
        )

    def _ended(self, job: Future[None]) -> Iterator[Row]:
        error = job.exception()
        yield from self._arrived()
        self._output.arrivals.sweep()
        if error is not None:
            then = "call the same command again: it goes on where this run ended"
            raise RunStopped(f"the cluster has failed ({type(error).__name__}: {error}); {then}") from error

    def _arrived(self) -> Iterator[Row]:
        for row in self._output.adopt():
            if self._options.markdown:
                self._output.write_markdown(row)
            self.summary.count(row)
            yield row

    def _lost(self, inputs: Sequence[Input]) -> Iterator[Row]:
        """Keep a row for inputs that came back from nowhere, not even alone."""
        why = "the worker that had it died, or did not come back, each time, also when it had nothing else"
        for one in inputs:
            row = refused(one, DIED, why, self._options.digest).row
            row = row | {"tries": self._output.ledger.tries(one.id) + 2}
            self._output.keep(one, row)
            self.summary.count(row)
            yield row


def mixed(inputs: Sequence[Input]) -> list[Input]:
    """Return inputs with their hosts in turn, so that blocks have few pages of one; files stay in order."""
    seen: Counter[str] = Counter()
    turns = []
    for one in inputs:
        turns.append(seen[one.host])
        seen[one.host] += 1
    return [inputs[place] for place in sorted(range(len(inputs)), key=turns.__getitem__)]
