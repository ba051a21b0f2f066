"""The page that a user's own Playwright holds, as it stands: nothing is loaded again, and nothing in it is changed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, cast, overload

from ...errors import PageFailed
from ...page.page import Page
from ..devtools.channel import Channel, ChannelClosed, CommandFailed
from ..network.proxy import PageProxy
from ..render_options import RenderOptions
from .page_session import PageSession

if TYPE_CHECKING:
    from playwright.async_api import Page as AsyncPage
    from playwright.sync_api import Page as SyncPage

_SECONDS = 30.0

#: Asks the browser for something.
Ask = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


@overload
def capture(page: SyncPage, *, timeout: float = _SECONDS) -> Page: ...
@overload
def capture(page: AsyncPage, *, timeout: float = _SECONDS) -> Coroutine[Any, Any, Page]: ...


def capture(page: SyncPage | AsyncPage, *, timeout: float = _SECONDS) -> Page | Coroutine[Any, Any, Page]:
    """Take the page that your own Playwright holds, with whatever was clicked before.

    It stays as it is, and goes on running: nothing is navigated, scrolled or paused. So animations are taken where they
    are, and texts of which only a picture would tell whether they are seen are judged by the layout.

    Parameters
    ----------
    page : playwright.sync_api.Page or playwright.async_api.Page
        In Chromium.
    timeout : float
        Seconds for all of it.

    Returns
    -------
    Page or coroutine
        A coroutine for an asynchronous page: ``await capture(page)``.

    Raises
    ------
    PageFailed
        When it is closed, crashed, not in Chromium, or not captured in time.
    TypeError
        When it is no page of Playwright.
    """
    if type(page).__module__.startswith("playwright.async_api"):
        return _awaited(cast("AsyncPage", page), timeout)
    if type(page).__module__.startswith("playwright.sync_api"):
        return _called(cast("SyncPage", page), timeout)
    raise TypeError(f"capture takes a page of Playwright, not a value of type {type(page).__name__}")


async def _awaited(page: AsyncPage, timeout: float) -> Page:
    try:
        session = await page.context.new_cdp_session(page)
    except Exception as error:
        raise _no_session(page.url, error) from error
    try:
        return await _captured(session.send, timeout)
    finally:
        await _quietly(session.detach())


async def _quietly(ending: Awaitable[None]) -> None:
    """End a session; one of a page that has gone has ended."""
    from playwright.async_api import Error

    try:
        await ending
    except Error:
        return


def _called(page: SyncPage, timeout: float) -> Page:
    """Capture in another thread; what it asks is asked here, as Playwright's objects belong to their thread."""
    from playwright.sync_api import Error

    try:
        session = page.context.new_cdp_session(page)
    except Error as error:
        raise _no_session(page.url, error) from error
    asked: SimpleQueue[tuple[str, dict[str, Any], Future[dict[str, Any]]] | None] = SimpleQueue()
    result: Future[Page] = Future()

    async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer: Future[dict[str, Any]] = Future()
        asked.put((method, params, answer))
        return await asyncio.wrap_future(answer)

    def work() -> None:
        try:
            result.set_result(asyncio.run(_captured(ask, timeout)))
        except BaseException as error:  # handed to the caller
            result.set_exception(error)
        finally:
            asked.put(None)

    threading.Thread(target=work, name="blocksight-capture", daemon=True).start()
    while (wanted := asked.get()) is not None:
        method, params, answer = wanted
        if not answer.set_running_or_notify_cancel():
            continue
        try:
            answer.set_result(session.send(method, params))
        except Error as error:
            answer.set_exception(error)
    try:
        return result.result()
    finally:
        if not page.is_closed():
            session.detach()


async def _captured(ask: Ask, timeout: float) -> Page:
    channel = _Borrowed(ask)
    deadline = time.monotonic() + timeout
    name = "the page"
    try:
        tree = await channel.send("Page.getFrameTree", timeout=timeout)
        name = str(tree["frameTree"]["frame"]["url"])
        version = await channel.send("Browser.getVersion", timeout=timeout)
        shown = (await channel.send("Page.getLayoutMetrics", timeout=timeout))["cssLayoutViewport"]
        window = (max(int(shown["clientWidth"]), 1), max(int(shown["clientHeight"]), 1))
        # There is no way out of ours: whatever the page loads, it loads by itself.
        options, no_way, browser = RenderOptions(viewport=window), cast(PageProxy, None), str(version["product"])
        # There will be no other attempt, for which time would be kept.
        session = PageSession(channel, options, no_way, deadline, browser, begins=True)
        page = await session.take(name, window)
        return page.replace(environment=dict(page.environment) | {"address": name})
    except ChannelClosed as closed:
        raise PageFailed(name, "the page was closed, or has crashed") from closed
    except (TimeoutError, CommandFailed) as error:
        raise PageFailed(name, f"it could not be captured ({error or 'not in time'})") from error


def _no_session(name: str, error: Exception) -> PageFailed:
    return PageFailed(name or "the page", f"only open pages of Chromium can be captured ({str(error).splitlines()[0]})")


class _Borrowed(Channel):
    """A channel over Playwright's own connection."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.crashed = asyncio.Event()

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        """Call a command and wait for its answer; see :class:`~blocksight.render.devtools.channel.Channel`."""
        try:
            async with asyncio.timeout(max(timeout, 0.001)):
                return await self._ask(method, params or {})
        except TimeoutError:
            raise
        except Exception as error:
            if type(error).__name__ == "TargetClosedError" or "closed" in str(error):
                raise ChannelClosed(method) from error
            raise CommandFailed(str(error).splitlines()[0]) from error
