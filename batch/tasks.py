"""Processing of several inputs at once: by the threads of this computer, or by actors of a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Protocol, Self

from .pipeline import Outcome, Pipeline
from .robots import RobotsRules
from .sources.inputs import Input


class Tasks(Protocol):
    """Processes several inputs at once."""

    def slots(self) -> int:
        """Return the number of inputs that can be processed at once, now; replace what has died."""

    def process(self, entry: Input, rules: Mapping[str, RobotsRules] | None) -> Future[Outcome]:
        """Start to process an input; an error of the future ends the run."""

    def rules(self, host: str) -> Future[RobotsRules]:
        """Start to read the rules of a host."""

    def wants_more(self) -> None:
        """Note that inputs could start, and all slots are in use."""

    def stop(self) -> None:
        """Cancel what has not started: the run ends."""


class ThreadTasks(ExitStack):
    """Threads of this computer; use it as a context manager."""

    def __init__(self, pipeline: Pipeline, workers: int) -> None:
        super().__init__()
        self._pipeline = pipeline
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="blocksight-batch")
        self._workers = workers

    def __enter__(self) -> Self:
        self.enter_context(self._pool)
        return self

    def slots(self) -> int:
        """Return the number of threads."""
        return self._workers

    def process(self, entry: Input, rules: Mapping[str, RobotsRules] | None) -> Future[Outcome]:
        """Start to process an input in a thread."""
        return self._pool.submit(self._pipeline.process, entry, rules)

    def rules(self, host: str) -> Future[RobotsRules]:
        """Start to read the rules of a host in a thread."""
        return self._pool.submit(self._pipeline.rules, host)

    def wants_more(self) -> None:
        """Do nothing: the number of threads is fixed."""

    def stop(self) -> None:
        """Do nothing: all that was submitted has a thread."""
