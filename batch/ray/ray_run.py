"""A run on a Ray cluster: the ledger lists the waiting inputs, Ray writes their rows, and the ledger merges them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import islice
from pathlib import Path

from ...errors import RunStopped
from ..batch_options import BatchOptions
from ..output.incoming import STOP
from ..output.shards import disk_errors
from ..pipeline import refused
from ..row_schema import DIED, Row, schema
from ..run import Run
from ..sources.inputs import Input
from ..sources.lists import Source
from .actors import BLOCK
from .connection import check_nodes, connected, library, tolerate_losses
from .stages import Actors, input_table, staged

#: Inputs of one Ray job.
ROUND = 100_000
#: Seconds between two checks for incoming files.
_POLL = 1.0
#: CPUs that writing a file reserves.
_WRITING_CPUS = 0.1


def run_on_ray(
    sources: Iterable[Source],
    out: str,
    *,
    options: BatchOptions | None = None,
    address: str = "",
    actors: Actors | None = None,
) -> Iterator[Row]:
    """Extract many pages into a folder, on a Ray cluster; otherwise as :func:`~blocksight.batch.run.run_batch`.

    All sources are noted before the first one starts. Every node must be able to write to ``out``. ``address`` is as
    for :func:`~blocksight.batch.ray.connection.connected`, ``actors`` as for
    :func:`~blocksight.batch.ray.stages.extract`. Rows are yielded as soon as their file is merged.
    """
    with RayRun(Path(out), options or BatchOptions(), address, actors) as run:
        run.note(sources)
        yield from run.rows()


class RayRun(Run):
    """One run on a cluster, with the parameters of :func:`run_on_ray`; use it as a context manager."""

    def __init__(self, out: Path, options: BatchOptions, address: str = "", actors: Actors | None = None) -> None:
        super().__init__(out.absolute(), options)
        self._address = address
        self._actors = actors

    def _start_workers(self, pages: Path | None, warcs: Path | None) -> None:
        self._pages = str(pages) if pages else None
        self._warcs = str(warcs) if warcs else None
        with disk_errors(self._out):
            self._out.mkdir(parents=True, exist_ok=True)
        self.enter_context(connected(self._address))
        self.enter_context(tolerate_losses())
        if errors := check_nodes(str(self._out), self._options):
            raise RunStopped("; ".join(errors))

    def rows(self, sources: Iterable[Source] = (), *, eager: bool = False) -> Iterator[Row]:
        """Process all inputs that are not done, those of sources as well, and yield their rows."""
        del eager  # all sources are noted first
        self.note(sources)
        self.summary.recount()
        ledger = self._output.ledger
        try:
            while inputs := list(islice(ledger.waiting(), ROUND)):
                for size in (BLOCK, 1):
                    if waiting := [entry for entry in inputs if ledger.is_waiting(entry.id)]:
                        yield from self._processed(mixed(waiting), size)
                yield from self._lost([entry for entry in inputs if ledger.is_waiting(entry.id)])
        finally:
            self._output.flush()
            self.summary.write(self._out)

    def _processed(self, inputs: Sequence[Input], size: int) -> Iterator[Row]:
        """Run a Ray job with blocks of some size, and yield rows as their files arrive."""
        folder = self._output.incoming.folder
        self._output.incoming.make()
        job = self._started(inputs, size, folder)
        try:
            yield from self._until_done(job)
        except (KeyboardInterrupt, GeneratorExit):
            # Pages in progress end within their timeouts, and are stored; the actors drop all others.
            (folder / STOP).touch()
            for _ in self._until_done(job):
                pass
            raise

    def _until_done(self, job: Future[None]) -> Iterator[Row]:
        while not wait([job], timeout=_POLL).done:
            yield from self._merged()
        yield from self._ended(job)

    def _started(self, inputs: Sequence[Input], size: int, folder: Path) -> Future[None]:
        """Start a job in a thread that does not keep the program alive."""
        job: Future[None] = Future()

        def work() -> None:
            try:
                self._job(inputs, size, folder)
                job.set_result(None)
            except BaseException as error:  # for the caller that waits
                job.set_exception(error)

        threading.Thread(target=work, name="blocksight-ray", daemon=True).start()
        return job

    def _job(self, inputs: Sequence[Input], size: int, folder: Path) -> None:
        tries = self._output.ledger.tries
        blocks = [inputs[first : first + size] for first in range(0, len(inputs), size)]
        tables = [input_table(block, [tries(entry.id) for entry in block]) for block in blocks]
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
            min_rows_per_file=self._options.shard_rows,
            ray_remote_args={"num_cpus": _WRITING_CPUS},
            schema=schema(),
            compression="zstd",
        )

    def _ended(self, job: Future[None]) -> Iterator[Row]:
        error = job.exception()
        yield from self._merged()
        self._output.incoming.clean_up()
        if error is not None:
            remedy = "call the same command again: it continues this run"
            raise RunStopped(f"the cluster has failed ({type(error).__name__}: {error}); {remedy}") from error

    def _merged(self) -> Iterator[Row]:
        for row in self._output.merge():
            if self._options.markdown:
                self._output.write_markdown(row)
            self.summary.count(row)
            yield row

    def _lost(self, inputs: Sequence[Input]) -> Iterator[Row]:
        """Store a row for inputs that were lost each time, also in a block of their own."""
        why = "its actor died, or never returned, at each attempt, also with no other input"
        for entry in inputs:
            row = refused(entry, DIED, why, self._options.digest).row
            row = row | {"tries": self._output.ledger.tries(entry.id) + 2}
            self._output.add(entry, row)
            self.summary.count(row)
            yield row


def mixed(inputs: Sequence[Input]) -> list[Input]:
    """Return inputs with their hosts in turn, so that blocks have few pages of one host; files stay in order."""
    counts: Counter[str] = Counter()
    turns = []
    for entry in inputs:
        turns.append(counts[entry.host])
        counts[entry.host] += 1
    return [inputs[index] for index in sorted(range(len(inputs)), key=turns.__getitem__)]
