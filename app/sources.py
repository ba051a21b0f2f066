"""From the names on the command line to pages, one after the other, with a reason for each that fails."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..render.archives import archive_kind
from ..render.browser import Browser, Opened
from ..render.errors import PageFailed, PageUnreadable
from ..render.options import RenderOptions
from ..render.page import Page
from ..render.sources import archived, is_address, page_source, read_file
from ..render.static import parse
from ..render.store import is_saved, loads

#: Seconds after which a progress bar appears.
PATIENCE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opener:
    """Opens sources: addresses, HTML files, saved pages, and "-" for standard input.

    Parameters
    ----------
    options : RenderOptions
    executable : str, optional
        The browser's program.
    static : bool
        Parse raw HTML instead of rendering it; no browser is needed.
    url, encoding : str, optional
        What files and standard input are to be taken for.
    """

    options: RenderOptions
    executable: str | None = None
    static: bool = False
    url: str | None = None
    encoding: str | None = None

    def open_all(self, sources: Sequence[str]) -> Iterator[Opened]:
        """Yield each source's page or failure, in order; a browser that is missing ends it all."""
        browser = Browser(self.executable, options=self.options)
        try:
            with progress(len(sources)) as bar:
                for source in sources:
                    opened = self._opened(browser, source)
                    bar.advance(bar.task_ids[0])
                    # The bar makes room: results may go to the same terminal.
                    shown = bar.live.is_started
                    bar.stop()
                    yield opened
                    if shown:
                        bar.start()
        finally:
            browser.close()

    def _opened(self, browser: Browser, source: str) -> Opened:
        try:
            return Opened(source=source, page=self._page(browser, source))
        except (PageFailed, PageUnreadable) as error:
            return Opened(source=source, error=error)

    def _page(self, browser: Browser, source: str) -> Page:
        if self.static:
            return self._parsed(source)
        if source == "-":
            return browser.open(self._stdin(), url=self.url, encoding=self.encoding)
        return browser.open(source, url=self.url, encoding=self.encoding)

    def _stdin(self) -> bytes:
        return sys.stdin.buffer.read(self.options.max_bytes + 1)

    def _parsed(self, source: str) -> Page:
        if is_address(source):
            raise PageFailed(source, "an address needs the browser; save the page and give the file")
        limit = self.options.max_bytes
        data = self._stdin() if source == "-" else read_file(source, max_bytes=limit)
        if is_saved(data):
            return loads(data, name=source).without_geometry()
        name = "standard input" if source == "-" else source
        make = archived if archive_kind(data) else page_source
        found = make(data, name=name, url=self.url, encoding=self.encoding, max_bytes=limit)
        return parse(found.html, url=found.name)


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """Show a bar on standard error when work takes long and a person is watching."""
    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    bar.add_task("pages", total=total)
    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
