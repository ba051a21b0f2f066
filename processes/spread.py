"""Work spread over processes, such that one that dies takes one page with it and not the batch."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def spread(
    work: Callable[[T], R],
    tasks: Sequence[T],
    processes: int,
    *,
    died: Callable[[T], R],
    prepare: Callable[[], None] | None = None,
) -> Iterator[tuple[int, R]]:
    """Do each task, in this process or in several others, and yield its number and its result as they come.

    Parameters
    ----------
    work : callable
        From a task to its result; with several processes it, the tasks and the results must be picklable.
    tasks : sequence
    processes : int
        1 works here, and then a crash of a library is a crash of the program.
    died : callable
        The result of a task whose process died; it may raise an error instead.
    prepare : callable, optional
        Done once in each process.
    """
    if processes == 1:
        if prepare is not None and tasks:
            prepare()
        yield from enumerate(map(work, tasks))
        return
    remaining = list(range(len(tasks)))
    while remaining:
        done: set[int] = set()
        for number, result in _pooled(work, {n: tasks[n] for n in remaining}, processes, prepare):
            done.add(number)
            yield number, result
        remaining = [number for number in remaining if number not in done]
        # A process has died, and all that were under way with it: the next ones, one by one, show whose fault it was.
        while remaining:
            number = remaining.pop(0)
            found = list(_pooled(work, {number: tasks[number]}, 1, prepare))
            yield number, found[0][1] if found else died(tasks[number])
            if not found:
                break


def spread_in_order(work: Callable[[T], R], tasks: Sequence[T], processes: int, *, died: Callable[[T], R]) -> list[R]:
    """Do each task as :func:`spread` does, and return the results in the order of the tasks."""
    found = dict(spread(work, tasks, processes, died=died))
    return [found[number] for number in range(len(tasks))]


def _pooled(
    work: Callable[[T], R], tasks: dict[int, T], processes: int, prepare: Callable[[], None] | None
) -> Iterator[tuple[int, R]]:
    """Yield number and result of the tasks that were done before a process died."""
    begin = partial(_begin, prepare)
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"), initializer=begin)
    try:
        futures = {pool.submit(work, task): number for number, task in tasks.items()}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                return
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(prepare: Callable[[], None] | None) -> None:
    """Get a process ready."""
    end_with_parent()
    if prepare is not None:
        prepare()


def end_with_parent() -> None:
    """Have this process end with the one that started it, even if that is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
