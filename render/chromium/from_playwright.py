"""Capture the page that a user's own Playwright controls, as it is: nothing is loaded again or changed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, cast, overload

from ...errors import PageFailed, TimedOut
from ...page.page import Page
from ..devtools.channel import Channel, ChannelClosed, CommandFailed
from ..network.proxy import PageProxy
from ..render_options import RenderOptions
from .page_session import PageSession
from .sync_limit import limited
from .time_budget import PageTime, TimeBudget

if TYPE_CHECKING:
    from playwright.async_api import Page as AsyncPage
    from playwright.sync_api import Page as SyncPage

_SECONDS = 30.0
#: Seconds in which a session ends; that of a page whose script does not end stays until the page ends.
_ENDING = 0.5

#: Sends a DevTools command.
Send = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


@overload
def capture(page: SyncPage, *, timeout: float = _SECONDS) -> Page: ...
@overload
def capture(page: AsyncPage, *, timeout: float = _SECONDS) -> Coroutine[Any, Any, Page]: ...


def capture(page: SyncPage | AsyncPage, *, timeout: float = _SECONDS) -> Page | Coroutine[Any, Any, Page]:
    """Capture the page that your own Playwright controls, after whatever was clicked before.

    The page does not change and continues to run: nothing is navigated, scrolled or paused. So animations are captured
    where they are, and visibility that only a screenshot could decide is decided by the layout.

    Parameters
    ----------
    page : playwright.sync_api.Page or playwright.async_api.Page
        In Chromium.
    timeout : float
        Seconds in total.

    Returns
    -------
    Page or coroutine
        A coroutine for an asynchronous page: ``await capture(page)``.

    Raises
    ------
    PageFailed
        When it is closed, crashed, or not in Chromium; TimedOut when it is not captured in time.
    TypeError
        When it is no page of Playwright.
    """
    if type(page).__module__.startswith("playwright.async_api"):
        return _capture_async(cast("AsyncPage", page), timeout)
    if type(page).__module__.startswith("playwright.sync_api"):
        return _capture_sync(cast("SyncPage", page), timeout)
    raise TypeError(f"capture takes a page of Playwright, not a value of type {type(page).__name__}")


async def _capture_async(page: AsyncPage, timeout: float) -> Page:
    from playwright.async_api import Error

    try:
        session = await page.context.new_cdp_session(page)
    except Exception as error:
        raise _no_session(page.url, error) from error
    try:
        return await _captured(session.send, timeout)
    finally:
        # That of a closed page is detached already.
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_ENDING):
                await session.detach()


def _capture_sync(page: SyncPage, timeout: float) -> Page:
    """Capture in another thread, whose commands are sent from this one: Playwright's objects belong to their thread."""
    from playwright.sync_api import Error

    try:
        session = page.context.new_cdp_session(page)
    except Error as error:
        raise _no_session(page.url, error) from error
    commands: SimpleQueue[tuple[str, dict[str, Any], Future[dict[str, Any]]] | None] = SimpleQueue()
    result: Future[Page] = Future()

    async def send(method: str, params: dict[str, Any]) -> dict[str, Any]:
        reply: Future[dict[str, Any]] = Future()
        commands.put((method, params, reply))
        return await asyncio.wrap_future(reply)

    def work() -> None:
        try:
            result.set_result(asyncio.run(_captured(send, timeout)))
        except BaseException as error:  # raised by result() in the caller
            result.set_exception(error)
        finally:
            commands.put(None)

    threading.Thread(target=work, name="blocksight-capture", daemon=True).start()
    end = time.monotonic() + timeout
    while (command := commands.get()) is not None:
        method, params, reply = command
        if not reply.set_running_or_notify_cancel():
            continue
        try:
            with limited(end - time.monotonic()):
                reply.set_result(session.send(method, params))
        except (Error, TimeoutError) as error:
            reply.set_exception(error)
    try:
        return result.result()
    finally:
        # That of a closed page is detached already.
        with suppress(Error, TimeoutError), limited(_ENDING):
            session.detach()


async def _captured(send: Send, timeout: float) -> Page:
    channel = _PlaywrightChannel(send)
    page_time = PageTime(timeout)
    name = "the page"
    try:
        tree = await channel.send("Page.getFrameTree", timeout=timeout)
        name, channel.frame = str(tree["frameTree"]["frame"]["url"]), str(tree["frameTree"]["frame"]["id"])
        version = await channel.send("Browser.getVersion", timeout=timeout)
        visible = (await channel.send("Page.getLayoutMetrics", timeout=timeout))["cssLayoutViewport"]
        window = (max(int(visible["clientWidth"]), 1), max(int(visible["clientHeight"]), 1))
        # There is no proxy: the page loads everything by itself.
        options, no_proxy, browser = RenderOptions(viewport=window), cast(PageProxy, None), str(version["product"])
        # With truncated=True no time is reserved for another attempt.
        session = PageSession(channel, options, no_proxy, TimeBudget(page_time, options, truncated=True), browser)
        page = await session.capture_as_is(name)
        return page.replace(environment=dict(page.environment) | {"address": name})
    except ChannelClosed as closed:
        raise PageFailed(name, "the page was closed, or has crashed") from closed
    except TimeoutError as error:
        raise TimedOut(name, f"not captured in {timeout:.3g} s (a script without end holds a page)") from error
    except CommandFailed as error:
        raise PageFailed(name, f"it could not be captured ({error})") from error


def _no_session(name: str, error: Exception) -> PageFailed:
    return PageFailed(name or "the page", f"only open pages of Chromium can be captured ({str(error).splitlines()[0]})")


class _PlaywrightChannel(Channel):
    """A channel over Playwright's own connection."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.crashed = asyncio.Event()

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        """Call a command and wait for its result; see :class:`~blocksight.render.devtools.channel.Channel`."""
        try:
            async with asyncio.timeout(max(timeout, 0.001)):
                return await self._send(method, params or {})
        except TimeoutError:
            raise
        except Exception as error:
            if type(error).__name__ == "TargetClosedError" or "closed" in str(error):
                raise ChannelClosed(method) from error
            raise CommandFailed(str(error).splitlines()[0]) from error
