"""Iterators for a loop of asyncio: each ``next`` runs in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


async def aiter_in_thread(items: Iterable[T]) -> AsyncGenerator[T, None]:
    """Yield the items of an iterator without blocking the event loop.

    It is for :meth:`~blocksight.render.browser.Browser.open_many` and :func:`~blocksight.batch.run.run_batch`. The
    iterator runs in one thread. If the loop over it is left early or cancelled, the iterator is closed after its
    current step, and nothing waits for that.

    Examples
    --------
    >>> async def squares():
    ...     return [number**2 async for number in aiter_in_thread(range(4))]
    >>> asyncio.run(squares())
    [0, 1, 4, 9]
    """
    loop, end = asyncio.get_running_loop(), object()
    iterator = iter(items)
    thread = ThreadPoolExecutor(1, thread_name_prefix="blocksight-aiter")
    try:
        while (item := await loop.run_in_executor(thread, next, iterator, end)) is not end:
            yield item  # type: ignore[misc]
    finally:
        thread.submit(_close, iterator)
        thread.shutdown(wait=False)


def _close(iterator: Iterator[object]) -> None:
    close: Callable[[], None] | None = getattr(iterator, "close", None)
    if close is not None:
        close()
