"""What comes one after the other, for a loop of asyncio: waited for in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


async def awaited(items: Iterable[T]) -> AsyncGenerator[T, None]:
    """Yield what an iterator yields, while the loop of asyncio goes on with other work.

    It is for :meth:`~blocksight.render.browser.Browser.open_many` and :func:`~blocksight.batch.run.run_batch`, and
    does all that the iterator does in one thread. Whoever leaves it early, or is cancelled, does not wait: the iterator
    is closed as soon as what it does at that moment is over.

    Examples
    --------
    >>> async def squares():
    ...     return [number**2 async for number in awaited(range(4))]
    >>> asyncio.run(squares())
    [0, 1, 4, 9]
    """
    loop, over = asyncio.get_running_loop(), object()
    iterator = iter(items)
    thread = ThreadPoolExecutor(1, thread_name_prefix="blocksight-awaited")
    try:
        while (found := await loop.run_in_executor(thread, next, iterator, over)) is not over:
            yield found  # type: ignore[misc]
    finally:
        thread.submit(_close, iterator)
        thread.shutdown(wait=False)


def _close(iterator: Iterator[object]) -> None:
    close: Callable[[], None] | None = getattr(iterator, "close", None)
    if close is not None:
        close()
