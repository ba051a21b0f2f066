"""Processes that judge pages, as many as work at once; each can be ended, and another takes its place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from ..errors import PageFailed
from .time_limited import Died, Limited

T = TypeVar("T")

#: How often a page is judged whose process dies of it.
TRIES = 2
#: Seconds for a process to import what it needs, on a busy machine.
_WARM_SECONDS = 120.0


class Judges:
    """Some processes, for as many threads.

    Use it as a context manager, and enter it before other threads are started: then they are copies of this process,
    and begin at once.

    Parameters
    ----------
    count : int
    warm : callable
        What a fresh process does first, so that its imports are none of a page's time.
    *given : object
        What that is given.
    copied : bool
        False has all processes begin from nothing: where this one has threads that Python does not know.
    """

    def __init__(self, count: int, warm: Callable[..., object], *given: object, copied: bool = True) -> None:
        self._count = count
        self._copied = copied
        self._warm = warm
        self._given = given
        self._free: SimpleQueue[Limited] = SimpleQueue()
        self._cold: set[Limited] = set()
        self._stack = ExitStack()

    def __enter__(self) -> Judges:
        for _ in range(self._count):
            process = self._stack.enter_context(Limited(copied=self._copied))
            self._cold.add(process)
            self._free.put(process)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, work: Callable[..., T], *given: Any, seconds: float) -> T:
        """Do some work in a process that is free, or wait for one.

        Raises
        ------
        TimeoutError
            When it takes longer.
        Died
            When its process dies of it, and another one as well.
        """
        process = self._free.get()
        try:
            for last in (False, True):
                self._warmed(process)
                try:
                    return process.run(work, *given, seconds=seconds)
                except Died:
                    self._cold.add(process)
                    if last:
                        raise
                except TimeoutError as error:
                    self._cold.add(process)
                    raise TimeoutError(f"not judged within {seconds:g} s (--timeout sets it)") from error
            raise AssertionError
        finally:
            self._free.put(process)

    def _warmed(self, process: Limited) -> None:
        if process in self._cold:
            self._cold.discard(process)
            with suppress(TimeoutError, Died, PageFailed):
                process.run(self._warm, *self._given, seconds=_WARM_SECONDS)
