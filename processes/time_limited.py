"""Work that ends in time, whatever happens inside: done by another process, which is ended where it takes too long.

Not even a signal reaches a library's loop over a page that was made to be slow; a process can always be ended.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, TypeVar

from .spread import end_with_parent

T = TypeVar("T")

_END_SECONDS = 5.0


class Died(Exception):
    """The process has died of its work."""


class Limited:
    """One process that does one piece of work after the other.

    It is started on entry. Where it must be started anew, or where other threads run already, that takes half a second;
    else, on Linux, hardly any time: it is a copy of this one.

    Parameters
    ----------
    ready : callable, optional
        What the process does before its first work, while nobody waits for it: imports, for the most part. What it
        raises does not matter.
    copied : bool
        False has it begin from nothing: where this process has threads that Python does not know.
    """

    def __init__(self, ready: Callable[[], object] | None = None, *, copied: bool = True) -> None:
        self._ready = ready
        self._copied = copied
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Limited:
        self._started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, work: Callable[..., T], *given: Any, seconds: float) -> T:
        """Do some work.

        Parameters
        ----------
        work : callable
            It, what it is given, and what it returns or raises must be picklable. What it changes, it changes there.
        seconds : float
            Time that it may take.

        Raises
        ------
        TimeoutError
            When it takes longer; its process is ended.
        Died
            When its process died.
        """
        late = time.monotonic() + seconds
        pipe = self._started()
        try:
            pipe.send((work, given))
            if not pipe.poll(max(late - time.monotonic(), 0.0)):
                raise TimeoutError
            found, error, told = pipe.recv()
        except TimeoutError:
            self._end()
            raise
        except (EOFError, OSError) as gone:
            self._end()
            raise Died from gone
        except BaseException:
            self._end()  # it may be in the middle of anything
            raise
        if error is not None:
            error.add_note(told)
            raise error
        result: T = found
        return result

    def _started(self) -> Connection:
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        self._end()
        copied = self._copied and sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if copied else "spawn")
        self._pipe, its = context.Pipe()
        process: BaseProcess = context.Process(
            target=_serve, args=(its, self._ready), name="blocksight-analysis", daemon=True
        )
        with warnings.catch_warnings():
            # Threads of NumPy's libraries, which know that they may be copied.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        its.close()
        self._process = process
        return self._pipe

    def _end(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join(_END_SECONDS)


def _serve(pipe: Connection, ready: Callable[[], object] | None) -> None:
    """Do what comes through the pipe until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that waits for us has been interrupted, and will end us
    end_with_parent()
    if ready is not None:
        with suppress(Exception):
            ready()
    while True:
        try:
            work, given = pipe.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None, str]
        try:
            answer = work(*given), None, ""
        except Exception as error:  # whoever waits for the work shall have it
            answer = None, error, "".join(traceback.format_exception(error))
        pipe.send(answer)
