"""Time limits of Playwright's sync API: many of its calls have none, and wait as long as a script of the page runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

_BETWEEN = 0.1


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError out of the call that waits after so many seconds; the call is given up."""
    import greenlet  # with Playwright, whose loop runs in this thread while a call waits

    timer = asyncio.get_running_loop().call_later(max(seconds, 0.0), greenlet.getcurrent().throw, TimeoutError())
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def scripts_stopped(*sessions: CDPSession) -> Iterator[None]:
    """Terminate what scripts run meanwhile, again and again; only sessions work that were there before they ran."""
    import greenlet
    from playwright.sync_api import Error

    def terminate(session: CDPSession) -> None:
        with suppress(Error):
            session.send("Runtime.terminateExecution")

    async def repeat() -> None:
        while True:
            for session in sessions:
                greenlet.greenlet(terminate).switch(session)
            await asyncio.sleep(_BETWEEN)

    task = asyncio.get_running_loop().create_task(repeat())
    try:
        yield
    finally:
        task.cancel()
