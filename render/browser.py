"""The browser: a headless Chromium that renders pages, with its lifecycle."""

from __future__ import annotations

import atexit
import os
import threading
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ..page.page import Page
from ..page.store import is_saved, loads
from .archives.archives import archive_kind
from .chromium.process.executable import find_browser
from .render_options import RenderOptions
from .sources.sources import (
    PageSource,
    archive_source,
    as_secure_context,
    checked_address,
    html_source,
    is_address,
    read_file,
)

if TYPE_CHECKING:
    from .chromium.worker import BrowserWorker

Source = str | os.PathLike[str] | bytes | PageSource


class Browser:
    """A headless Chromium that turns addresses, files and bytes into pages.

    Use it as a context manager; it starts on entry (or at the first page), and all its processes end on exit.

    Parameters
    ----------
    executable : path, optional
        The browser's executable; by default it is searched
        (:func:`~blocksight.render.chromium.process.executable.find_browser`).
    pages : int
        Number of pages that are rendered simultaneously, each in a browser process of its own (about 120 MB).
    options : RenderOptions
        How pages are rendered.

    Raises
    ------
    BrowserMissing
        On start, if there is no browser; the message says how to install one.
    """

    def __init__(
        self,
        executable: str | os.PathLike[str] | None = None,
        *,
        pages: int = 2,
        options: RenderOptions | None = None,
    ) -> None:
        if pages < 1:
            raise ValueError(f"pages must be 1 or more, not {pages}")
        self.pages = pages
        self.options = options or RenderOptions()
        self._executable = executable
        self._worker: BrowserWorker | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Browser:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the browser, if it is not running."""
        from .chromium.worker import BrowserWorker  # imports Playwright, which HTML and saved pages do not need

        with self._lock:
            if self._worker is None:
                self._worker = BrowserWorker(find_browser(self._executable), self.pages, self.options)
                atexit.register(self.close)

    def close(self) -> None:
        """End the browser and all its processes; it can be started again."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            atexit.unregister(self.close)
            worker.stop()

    @property
    def stretch(self) -> float:
        """Factor of the timeouts of pages, 1 to 2: above 1 while other programs use the processors."""
        worker = self._worker
        return worker.stretch if worker is not None else 1.0

    def open(
        self,
        source: Source,
        *,
        url: str | None = None,
        encoding: str | None = None,
        options: RenderOptions | None = None,
    ) -> Page:
        """Render a page.

        Parameters
        ----------
        source : str, path, bytes or PageSource
            An http(s) address; the path of an HTML file (it may use style sheets, images, scripts and fonts of its
            folder, and no network, to which it could send them), of an archive (MHTML, WARC, WACZ), which is
            replayed without network, or of a saved page, which is loaded without a browser; or the bytes of one of
            these.
        url : str, optional
            For files and bytes: the address of the page; a file then may use the network, and no local files. For
            archives: the page to open.
        encoding : str, optional
            For files and bytes: their encoding, which overrides the declaration.
        options : RenderOptions, optional
            Override the browser's options.

        Raises
        ------
        PageFailed
            If the page cannot be opened; ``reason`` says why.
        Refused
            If the options forbid its address or size.
        """
        return self.submit(source, url=url, encoding=encoding, options=options).result()

    def submit(
        self,
        source: Source,
        *,
        url: str | None = None,
        encoding: str | None = None,
        options: RenderOptions | None = None,
    ) -> Future[Page]:
        """Start rendering a page, with the arguments of :meth:`open`, and return its future.

        Cancelling the future ends the rendering; ``asyncio.wrap_future`` makes it awaitable.

        Raises
        ------
        PageFailed
            If the source cannot be read; what happens later is an error of the future.
        """
        chosen = options or self.options
        target = _target(source, url, encoding, chosen)
        if isinstance(target, PageSource) and chosen.fetch_only:
            target = target.parsed()
        if isinstance(target, Page):
            loaded: Future[Page] = Future()
            loaded.set_result(target)
            return loaded
        self.start()
        worker = self._worker
        if worker is None:
            raise RuntimeError("the browser was closed while it was asked for a page")
        return worker.submit(target, chosen)


def _target(source: Source, url: str | None, encoding: str | None, options: RenderOptions) -> str | PageSource | Page:
    if isinstance(source, PageSource):
        return source
    if isinstance(source, str) and is_address(source):
        return checked_address(source)
    if isinstance(source, bytes):
        name, folder, data = url or "bytes", None, source
    else:
        data = read_file(source, max_bytes=options.max_bytes, timeout=options.timeout)
        name, folder = str(source), Path(source).parent if url is None else None
    if is_saved(data):
        return loads(data, name=name)
    if archive_kind(data):
        return archive_source(data, name=name, url=url, encoding=encoding, max_bytes=options.max_bytes)
    document = html_source(data, name=name, url=url, encoding=encoding, folder=folder, max_bytes=options.max_bytes)
    return as_secure_context(document, options)
