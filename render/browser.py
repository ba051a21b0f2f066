"""The browser: found, started, asked for pages, and ended, whatever happens.

Playwright runs on an event loop of its own in a thread of its own, so that a Browser works the same in a script, in a
notebook (where a loop already runs) and under threads.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import socket
import threading
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as PlaywrightPage
from playwright.async_api import Playwright, async_playwright

from .channel import Channel
from .errors import BrowserMissing, PageFailed
from .find import FoundBrowser, find_browser
from .options import RenderOptions
from .page import Page
from .session import CAPTURE_RESERVE, Session
from .sources import Document, checked_address, document, is_address, read_file
from .store import is_saved, loads

T = TypeVar("T")

_FLAGS = (
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
)
_LAUNCH_SECONDS = 60.0
_PAGE_SECONDS = 20.0
_CLOSE_SECONDS = 10.0


class Browser:
    """A headless Chromium that turns addresses, files and bytes into pages.

    Use it as a context manager; it starts on entry (or at the first page) and leaves no process behind.

    Parameters
    ----------
    executable : path, optional
        The browser's program; by default it is looked for (:func:`~blocksight.render.find.find_browser`).
    options : RenderOptions
        How pages are rendered.

    Raises
    ------
    BrowserMissing
        On start, when there is no browser; the message says how to get one.
    """

    def __init__(
        self, executable: str | os.PathLike[str] | None = None, *, options: RenderOptions | None = None
    ) -> None:
        self.options = options or RenderOptions()
        self._executable = executable
        self._worker: _Worker | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Browser:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Find and start the browser, if it is not running."""
        with self._lock:
            if self._worker is None:
                self._worker = _Worker(find_browser(self._executable))
                atexit.register(self.close)

    def close(self) -> None:
        """End the browser and everything that belongs to it; it may be started again."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            atexit.unregister(self.close)
            worker.stop()

    def open(
        self,
        source: str | os.PathLike[str] | bytes,
        *,
        url: str | None = None,
        encoding: str | None = None,
        options: RenderOptions | None = None,
    ) -> Page:
        """Render a page.

        Parameters
        ----------
        source : str, path or bytes
            An http(s) address; the path of an HTML file (it may use the stylesheets, pictures and scripts that lie
            beside it) or of a saved page, which is loaded without a browser; or the bytes of an HTML document.
        url : str, optional
            For files and bytes: the address the page is to believe it has.
        encoding : str, optional
            For files and bytes: their encoding, where it is known better than the document does.
        options : RenderOptions, optional
            Instead of the browser's.

        Raises
        ------
        PageFailed
            When the page could not be had; ``why`` says why.
        Refused
            When its address or size is against the options.
        """
        chosen = options or self.options
        target = _target(source, url, encoding, chosen)
        if isinstance(target, Page):
            return target
        self.start()
        page = self._rendered(target, chosen)
        if not len(page.leaves) and chosen.javascript and isinstance(target, Document):
            # Scripts of a saved page that miss their site may wipe it or try to leave it.
            page = self._rendered(target, replace(chosen, javascript=False))
        return page

    def _rendered(self, target: str | Document, options: RenderOptions) -> Page:
        worker = self._worker
        if worker is None:
            raise RuntimeError("the browser was closed while it was asked for a page")
        return worker.render(target, options)


def _target(
    source: str | os.PathLike[str] | bytes, url: str | None, encoding: str | None, options: RenderOptions
) -> str | Document | Page:
    if isinstance(source, bytes):
        name = url or "bytes"
        return document(source, name=name, url=url, encoding=encoding, max_bytes=options.max_bytes)
    if isinstance(source, str) and is_address(source):
        return checked_address(source)
    data = read_file(source, max_bytes=options.max_bytes * 4)
    if is_saved(data):
        return loads(data)
    path = Path(source)
    folder = path.parent if url is None else None
    return document(data, name=str(source), url=url, encoding=encoding, folder=folder, max_bytes=options.max_bytes)


class _Worker:
    """The thread with the event loop, Playwright's driver and one browser process."""

    def __init__(self, found: FoundBrowser) -> None:
        self._found = found
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="blocksight-browser", daemon=True)
        self._thread.start()
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._port = 0
        try:
            self._call(self._launch(), _LAUNCH_SECONDS)
        except BaseException:
            self.stop()
            raise

    def render(self, target: str | Document, options: RenderOptions) -> Page:
        name = target if isinstance(target, str) else target.name
        limit = _PAGE_SECONDS + options.timeout + CAPTURE_RESERVE + _CLOSE_SECONDS
        try:
            return self._call(self._render(target, options), limit)
        except PlaywrightError as error:
            raise PageFailed(name, f"the browser failed: {error.message.splitlines()[0]}") from error
        except TimeoutError as error:
            raise PageFailed(name, "the browser no longer answers") from error

    def stop(self) -> None:
        with suppress(TimeoutError, PlaywrightError):
            self._call(self._shut(), _CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T], limit: float) -> T:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, limit), self._loop)
        try:
            return future.result(limit + 5.0)
        except BaseException:
            future.cancel()
            raise

    async def _launch(self) -> None:
        self._playwright = await async_playwright().start()
        self._port = _free_port()
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=self._found.path,
                headless=True,
                chromium_sandbox=not _is_root(),
                args=[*_FLAGS, f"--remote-debugging-port={self._port}"],
                timeout=_LAUNCH_SECONDS * 1000,
            )
        except PlaywrightError as error:
            first = error.message.splitlines()[0]
            raise BrowserMissing(
                f"{self._found.path} ({self._found.how}) does not start: {first}\n{_start_cure(error.message)}"
            ) from error

    async def _shut(self) -> None:
        if self._browser is not None:
            with suppress(PlaywrightError):
                await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()

    async def _render(self, target: str | Document, options: RenderOptions) -> Page:
        if self._browser is None:
            raise RuntimeError("the browser is not running")
        context = await self._browser.new_context(
            viewport={"width": options.viewport[0], "height": options.viewport[1]},
            service_workers="block",
            accept_downloads=False,
            java_script_enabled=options.javascript,
            locale=options.locale,
            timezone_id=options.timezone,
            reduced_motion="reduce",
        )
        try:
            page = await context.new_page()
            channel = await Channel.open(await self._address(page), _PAGE_SECONDS)
            try:
                return await Session(channel, options).render(target)
            finally:
                await channel.close()
        finally:
            with suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(context.close(), _CLOSE_SECONDS)

    async def _address(self, page: PlaywrightPage) -> str:
        session = await page.context.new_cdp_session(page)
        target = await session.send("Target.getTargetInfo")
        await session.detach()
        return f"ws://127.0.0.1:{self._port}/devtools/page/{target['targetInfo']['targetId']}"


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
