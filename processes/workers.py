"""Worker processes that can be killed: one task at a time each, with a time limit, and a new process after a crash.

No signal reaches a library's loop over a hostile page; a process can always be killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from ..errors import PageFailed, TimedOut, WorkersEnded
from .contention import INTERVAL, Contention

T = TypeVar("T")
R = TypeVar("R")

#: How often a task is run whose worker dies.
MAX_ATTEMPTS = 2
#: Seconds for a worker to import its libraries, on a busy machine.
_WARM_UP_SECONDS = 120.0
_JOIN_SECONDS = 5.0
_ENDED = (
    'worker processes end while they start: a script must call this in a block `if __name__ == "__main__":`, as each '
    "worker runs the lines outside of it"
)
#: Seconds for a fresh interpreter to start, on a busy machine.
_START_SECONDS = 120.0


class WorkerDied(Exception):
    """The process died while it ran a task."""


class Worker(ExitStack):
    """One process that runs one task after the other; use it as a context manager.

    On Linux, and while this process has one thread, it is started by fork, in a few milliseconds; otherwise by spawn,
    in half a second. ``fork=False`` always spawns: this process has threads that Python does not know.
    """

    def __init__(self, *, fork: bool = True) -> None:
        super().__init__()
        self._fork = fork
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False
        self._has_started = False

    def __enter__(self) -> Self:
        self.callback(self._close)
        self._connection()
        return self

    def await_start(self) -> None:
        """Wait until the process runs; WorkersEnded if it ends before, also at a second attempt."""
        for _ in range(MAX_ATTEMPTS):
            pipe = self._connection()
            if self._has_started:
                return
            with suppress(EOFError, OSError):
                if pipe.poll(_START_SECONDS):
                    pipe.recv()
                    self._has_started = True
                    return
            self._kill()
            if self._closed:
                raise WorkerDied
        raise WorkersEnded(_ENDED)

    def run(self, task: Callable[..., T], *arguments: Any, seconds: float | None = None) -> T:
        """Run a task in the process; it, its arguments, its result and its errors must be picklable.

        Raises TimeoutError if it takes longer than ``seconds``, on a busy machine than up to twice as many, after its
        process was killed; WorkerDied if its process died.
        """
        self.await_start()
        deadline = None if seconds is None else time.monotonic() + seconds
        pipe = self._connection()
        try:
            pipe.send((task, arguments))
            left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
            if not pipe.poll(left) and not self._ends_late(pipe, seconds or 0.0):
                raise TimeoutError
            result, error, remote_traceback = pipe.recv()
        except BaseException as gone:
            self._kill()  # its state is unknown
            if isinstance(gone, EOFError | OSError) and not isinstance(gone, TimeoutError):
                raise WorkerDied from gone
            raise
        if error is not None:
            error.add_note(remote_traceback)
            raise error
        return result  # type: ignore[no-any-return]

    def _ends_late(self, pipe: Connection, seconds: float) -> bool:
        """Wait longer than ``seconds`` for a result if other programs use all processors; return whether it came."""
        with suppress(ImportError):  # the base package is without psutil
            contention = Contention(self._processor_seconds)
            contention.measure()
            if pipe.poll(min(INTERVAL, seconds)):
                return True
            return pipe.poll(max(seconds * (contention.stretch - 1.0) - INTERVAL, 0.0))
        return False

    def _processor_seconds(self) -> float:
        import psutil

        with suppress(psutil.Error, AttributeError):
            times = psutil.Process(self._process.pid).cpu_times()  # type: ignore[union-attr]
            return float(times.user + times.system)
        return 0.0

    def _connection(self) -> Connection:
        """Return the pipe to the process, which is started if it is not running; WorkerDied once it is closed."""
        if self._closed:
            raise WorkerDied
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        self._kill()
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            # This process was started by a script without a guard, and is running that script again.
            raise SystemExit(1)
        self._has_started = False
        fork = self._fork and sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if fork else "spawn")
        self._pipe, remote = context.Pipe()
        process: BaseProcess = context.Process(target=_serve, args=(remote,), name="blocksight-worker", daemon=True)
        with warnings.catch_warnings():
            # The threads of NumPy's libraries, which are safe to fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        remote.close()
        self._process = process
        return self._pipe

    def _close(self) -> None:
        self._closed = True
        self._kill()

    def _kill(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None:
            process.kill()  # first: a thread that waits at the pipe then reads its end
            process.join(_JOIN_SECONDS)
        if pipe is not None:
            pipe.close()


def _serve(pipe: Connection) -> None:
    """Run the tasks that arrive through a pipe until it is closed."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent handles them, and kills this process
        signal.signal(number, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()
    pipe.send(None)
    while True:
        try:
            task, arguments = pipe.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None, str]
        try:
            answer = task(*arguments), None, ""
        except Exception as error:  # raised again in the parent
            answer = None, error, "".join(traceback.format_exception(error))
        pipe.send(answer)


def _exit_with(parent: BaseProcess) -> None:
    """Exit as soon as the parent process has ended, even by SIGKILL."""
    parent.join()
    os._exit(1)


class WorkerPool(ExitStack):
    """Several workers, shared by as many threads.

    Use it as a context manager, and enter it before other threads are started: then its workers are forked.
    ``warm_up`` is called in each new process, so that imports do not count as a task's time.
    """

    def __init__(self, count: int, warm_up: Callable[..., object], *arguments: object, fork: bool = True) -> None:
        super().__init__()
        self._warm_up = partial(warm_up, *arguments)
        self._workers = [Worker(fork=fork) for _ in range(count)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._cold = set(self._workers)

    def __enter__(self) -> Self:
        for worker in self._workers:
            self._idle.put(self.enter_context(worker))
        for worker in self._workers:
            worker.await_start()
        return self

    def run(self, task: Callable[..., T], *arguments: Any, seconds: float | None = None) -> T:
        """Run a task in an idle worker, or wait for one; if its worker dies, run it once more.

        Raises TimeoutError if it takes longer than its time limit, WorkerDied if two workers died of it.
        """
        worker = self._idle.get()
        try:
            for attempt in range(1, MAX_ATTEMPTS + 1):
                self._warm(worker)
                try:
                    return worker.run(task, *arguments, seconds=seconds)
                except (WorkerDied, TimeoutError) as error:
                    self._cold.add(worker)
                    if isinstance(error, TimeoutError):
                        raise TimeoutError(f"not done within {seconds:g} s (timeout sets it)") from error
                    if attempt == MAX_ATTEMPTS:
                        raise
            raise AssertionError
        finally:
            self._idle.put(worker)

    def warm_up(self) -> None:
        """Call ``warm_up`` in all workers that have not done it; no task may run meanwhile."""
        with ThreadPoolExecutor(len(self._workers)) as threads:
            list(threads.map(self._warm, self._workers))

    def _warm(self, worker: Worker) -> None:
        if worker in self._cold:
            self._cold.discard(worker)
            with suppress(Exception):
                worker.run(self._warm_up, seconds=_WARM_UP_SECONDS)


def run_in_time(seconds: float, name: str, task: Callable[..., T], *arguments: Any) -> T:
    """Run a task in a process of its own, which is killed after some seconds: TimedOut, of what has the name.

    The task, its arguments and its result must be picklable.
    """
    if not seconds > 0:
        raise ValueError(f"timeout must be above 0 seconds, not {seconds!r}")
    with WorkerPool(1, bool, task) as pool:  # what the task needs is imported before
        return named_errors(pool, name, seconds, task, *arguments)


def named_errors(
    pool: WorkerPool, name: str, timeout: float, task: Callable[..., T], *arguments: Any, seconds: float | None = None
) -> T:
    """Run a task of a page in a pool; an end by its ``timeout``, or by a crash, is an error of the page."""
    try:
        return pool.run(task, *arguments, seconds=timeout if seconds is None else seconds)
    except TimeoutError as error:
        raise TimedOut(name, f"not done within {timeout:g} s (timeout sets it)") from error
    except WorkerDied as error:
        raise PageFailed(name, "its worker process died, perhaps of its size") from error


def run_parallel(
    work: Callable[[T], R],
    tasks: Sequence[T],
    processes: int,
    *,
    died: Callable[[T], R],
    warm_up: Callable[[], object] = bool,
) -> Iterator[tuple[int, R]]:
    """Run all tasks in worker processes, and yield the index and the result of each as soon as it is done.

    The work, the tasks and the results must be picklable. With 1 process all run in this one, where a crash of a
    library is a crash of the program. ``died`` returns the result of a task whose worker died, or raises an error;
    ``warm_up`` is called first in each process.
    """
    if processes == 1:
        if tasks:
            warm_up()
        yield from enumerate(map(work, tasks))
        return
    with (
        WorkerPool(min(processes, max(len(tasks), 1)), warm_up, fork=False) as pool,
        ThreadPoolExecutor(processes) as threads,
    ):
        futures = {threads.submit(pool.run, work, task): index for index, task in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                index = futures[future]
                try:
                    result = future.result()
                except WorkerDied:
                    result = died(tasks[index])
                yield index, result
        except BaseException:
            pool.close()  # after an interrupt, the tasks that still run are not waited for
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def parallel_map(work: Callable[[T], R], tasks: Sequence[T], processes: int, *, died: Callable[[T], R]) -> list[R]:
    """Run all tasks as :func:`run_parallel` does, and return the results in the order of the tasks."""
    results = dict(run_parallel(work, tasks, processes, died=died))
    return [results[index] for index in range(len(tasks))]


#: Is called with what is being done, how much of it is done, and of how much.
Progress = Callable[[str, int, int], None]
