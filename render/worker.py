"""One browser process behind a thread of its own: started, watched, renewed and ended.

Playwright runs on an event loop in that thread, so that a Browser works the same in a script, in a notebook (where a
loop already runs) and under threads. Nothing here waits without a deadline.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import psutil
from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import BrowserContext, HttpCredentials, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as PlaywrightPage

from .channel import Channel
from .errors import BrowserMissing, PageFailed
from .find import FoundBrowser
from .guard import Policy
from .options import RenderOptions
from .page import Page
from .proxy import Exit, open_exit
from .session import PageCrashed, Session
from .sources import Document

T = TypeVar("T")

_FLAGS = (
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are looked up by the guard; whatever goes round the page's proxy finds nobody.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
)
_LAUNCH_SECONDS = 60.0
_OPEN_SECONDS = 15.0
_CLOSE_SECONDS = 2.0
_END_SECONDS = 10.0

#: A browser is renewed after so many documents, or when it and its children hold more memory than this.
MOST_DOCUMENTS = 500
MOST_BYTES = 2_000_000_000


class Worker:
    """Renders documents, several at once, in a browser that is renewed when it has grown, hung or died.

    Parameters
    ----------
    found : FoundBrowser
    pages : int
        Documents at once.
    """

    def __init__(self, found: FoundBrowser, pages: int) -> None:
        self._found = found
        self._pages = pages
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="blocksight-browser", daemon=True)
        self._thread.start()
        try:
            self._process = self._call(_Process.launch(found), _LAUNCH_SECONDS)
            self._free = asyncio.Semaphore(pages)
            self._turn = asyncio.Lock()
        except BaseException:
            self._end_thread()
            raise

    def submit(self, target: str | Document, options: RenderOptions) -> Future[Page]:
        """Begin with a document; the future gives its page or raises PageFailed."""
        return asyncio.run_coroutine_threadsafe(self._render(target, options), self._loop)

    def stop(self) -> None:
        """End the browser, the driver and the thread."""
        with suppress(TimeoutError, PlaywrightError):
            self._call(self._process.end(), _END_SECONDS)
        self._end_thread()

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T], limit: float) -> T:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, limit), self._loop)
        try:
            return future.result(limit + 5.0)
        except BaseException:
            future.cancel()
            raise

    async def _render(self, target: str | Document, options: RenderOptions) -> Page:
        async with self._free:
            page = await self._tried(target, options)
            if not len(page.leaves) and options.javascript and isinstance(target, Document):
                # Scripts of a saved page that miss their site may wipe it or try to leave it.
                page = await self._tried(target, replace(options, javascript=False))
        if page.has_tag("html", "head", "body").all():
            raise PageFailed(page.url, "the page is empty")
        return page

    async def _tried(self, target: str | Document, options: RenderOptions) -> Page:
        name = target if isinstance(target, str) else target.name
        # A page may have died of its neighbours: it gets one more chance, on a fresh browser.
        with suppress(PageCrashed, PlaywrightError, TimeoutError):
            return await self._attempt(target, options)
        try:
            return await self._attempt(target, options, fresh=True)
        except PlaywrightError as error:
            raise PageFailed(name, f"the browser failed: {error.message.splitlines()[0]}") from error
        except TimeoutError as error:
            raise PageFailed(name, "the browser no longer answers") from error

    async def _attempt(self, target: str | Document, options: RenderOptions, *, fresh: bool = False) -> Page:
        process = await self._ready(fresh=fresh)
        process.busy += 1
        process.documents += 1
        try:
            return await process.render(target, options)
        except (PageCrashed, PlaywrightError, TimeoutError):
            process.worn = True
            raise
        finally:
            process.busy -= 1
            if process.worn and not process.busy and process is not self._process:
                await process.end()

    async def _ready(self, *, fresh: bool) -> _Process:
        """Give the browser process to use now; one that is worn is left to those who still use it."""
        async with self._turn:
            old = self._process
            if fresh or old.is_worn():
                old.worn = True
                self._process = await asyncio.wait_for(_Process.launch(self._found), _LAUNCH_SECONDS)
                if not old.busy:
                    await old.end()
            return self._process


class _Process:
    """Playwright's driver and one browser."""

    def __init__(self, playwright: Playwright, browser: PlaywrightBrowser, port: int) -> None:
        self._playwright = playwright
        self._browser = browser
        self._port = port
        self.busy = 0
        self.documents = 0
        self.worn = False
        self._looked = 0.0

    @classmethod
    async def launch(cls, found: FoundBrowser) -> _Process:
        """Start the driver and the browser.

        Raises
        ------
        BrowserMissing
            When the browser does not start.
        """
        playwright = await async_playwright().start()
        port = _free_port()
        try:
            browser = await playwright.chromium.launch(
                executable_path=found.path,
                headless=True,
                chromium_sandbox=not _is_root(),
                args=[*_FLAGS, f"--remote-debugging-port={port}"],
                timeout=_LAUNCH_SECONDS * 1000,
            )
        except PlaywrightError as error:
            await playwright.stop()
            first = error.message.splitlines()[0]
            raise BrowserMissing(
                f"{found.path} ({found.how}) does not start: {first}\n{_start_cure(error.message)}"
            ) from error
        return cls(playwright, browser, port)

    def is_worn(self) -> bool:
        """Tell whether this browser has died or has done enough."""
        if self.worn or self.documents >= MOST_DOCUMENTS or not self._browser.is_connected():
            return True
        if time.monotonic() - self._looked > 10.0:
            self._looked = time.monotonic()
            return self._memory() > MOST_BYTES
        return False

    def _memory(self) -> int:
        """Sum up the resident memory of the browser's processes (they carry our debugging port)."""
        mark = f"--remote-debugging-port={self._port}"
        total = 0
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if mark in child.cmdline():
                    total += sum(part.memory_info().rss for part in (child, *child.children(recursive=True)))
        return total

    async def end(self) -> None:
        """Close the browser and the driver, whatever state they are in."""
        with suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(self._browser.close(), _END_SECONDS / 2)
        with suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(self._playwright.stop(), _END_SECONDS / 2)

    async def render(self, target: str | Document, options: RenderOptions) -> Page:
        """Render one document in a context of its own, which leaves nothing behind."""
        policy = Policy.of(options, target, own_ports=frozenset({self._port}))
        async with open_exit(policy, max_bytes=options.max_bytes) as way:
            if isinstance(target, str):
                await way.check(target)
            return await self._render(target, options, way)

    async def _render(self, target: str | Document, options: RenderOptions, way: Exit) -> Page:
        context = await asyncio.wait_for(self._context(options, way), _OPEN_SECONDS)
        try:
            page = await asyncio.wait_for(context.new_page(), _OPEN_SECONDS)
            channel = await Channel.open(await self._address(page), _OPEN_SECONDS)
            try:
                return await Session(channel, options, way).render(target)
            finally:
                await channel.close()
        finally:
            with suppress(PlaywrightError):
                try:
                    await asyncio.wait_for(context.close(), _CLOSE_SECONDS)
                except TimeoutError:
                    self.worn = True

    async def _context(self, options: RenderOptions, way: Exit) -> BrowserContext:
        return await self._browser.new_context(
            viewport={"width": options.viewport[0], "height": options.viewport[1]},
            proxy={"server": way.address, "bypass": "<-loopback>"},
            service_workers="block",
            accept_downloads=False,
            java_script_enabled=options.javascript,
            locale=options.locale,
            timezone_id=options.timezone,
            reduced_motion="reduce",
            user_agent=options.user_agent or None,
            extra_http_headers=dict(options.headers) or None,
            http_credentials=_credentials(options),
            storage_state=options.storage_state,
        )

    async def _address(self, page: PlaywrightPage) -> str:
        session = await asyncio.wait_for(page.context.new_cdp_session(page), _OPEN_SECONDS)
        target = await asyncio.wait_for(session.send("Target.getTargetInfo"), _OPEN_SECONDS)
        await asyncio.wait_for(session.detach(), _OPEN_SECONDS)
        return f"ws://127.0.0.1:{self._port}/devtools/page/{target['targetInfo']['targetId']}"


def _credentials(options: RenderOptions) -> HttpCredentials | None:
    if options.credentials is None:
        return None
    name, password = options.credentials
    return {"username": name, "password": password}


def _start_cure(message: str) -> str:
    if "shared libraries" in message:
        return "Libraries are missing; on Debian and Ubuntu: sudo python3 -m playwright install-deps chromium"
    if "sandbox" in message.lower():
        # Ubuntu 23.10 and later refuse unprivileged user namespaces to programs without a profile.
        return (
            "Its sandbox is not allowed here. Use the system's own Chromium, or allow user namespaces:\n"
            "  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    return "`blocksight setup` looks for another browser; BLOCKSIGHT_BROWSER names one."


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
