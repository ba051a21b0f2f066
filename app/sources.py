"""From the sources that a command was called with to pages, one after the other, with a reason for each that fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..render.browser import Browser, Opened
from ..render.errors import BlocksightError, PageFailed, PageUnreadable
from ..render.files import write_whole
from ..render.options import RenderOptions, Screenshot
from ..render.page import Page
from ..render.saved.store import is_saved, loads
from ..render.sources.archives import archive_kind
from ..render.sources.sources import archived, is_address, page_source, read_descriptor, read_file
from ..render.static import parse
from .console import Bar, Failed, complain, say
from .options import render_options


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
            with Bar("pages", len(sources)) as bar:
                for number, source in enumerate(sources, 1):
                    opened = self._opened(browser, source)
                    bar("pages", number, len(sources))
                    with bar.hidden():
                        yield opened
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
        most, timeout = self.options.max_bytes, self.options.timeout
        try:
            descriptor = sys.stdin.fileno()
        except (OSError, ValueError):  # something that stands in for it
            return sys.stdin.buffer.read(most + 1)
        return read_descriptor(descriptor, name="standard input", max_bytes=most, timeout=timeout)

    def _parsed(self, source: str) -> Page:
        if is_address(source):
            raise PageFailed(source, "an address needs the browser; save the page and give the file")
        limit = self.options.max_bytes
        data = self._stdin() if source == "-" else read_file(source, max_bytes=limit, timeout=self.options.timeout)
        if is_saved(data):
            return loads(data, name=source).without_geometry()
        name = "standard input" if source == "-" else source
        make = archived if archive_kind(data) else page_source
        found = make(data, name=name, url=self.url, encoding=self.encoding, max_bytes=limit)
        return parse(found.html, url=found.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts what failed."""

    opener: Opener
    sources: tuple[str, ...]
    failures: list[str]

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Yield the pages that could be opened, and complain of the others."""
        for opened in self.opener.open_all(self.sources):
            source = str(opened.source)
            if opened.page is None:
                why = opened.error.why if isinstance(opened.error, PageFailed) else str(opened.error)
                self.fail(source, why.removeprefix(f"{source}: "))
            else:
                if opened.page.partial:
                    say(f"{source}: still loading when it was taken (partial)")
                yield source, opened.page

    def fail(self, source: str, why: str) -> None:
        """Note that a page failed."""
        self.failures.append(source)
        complain(source, why)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Turn what went wrong into the exit code."""
        try:
            yield
        except BlocksightError as error:
            complain("blocksight", str(error))
            raise Failed from error
        if self.failures:
            raise Failed

    def write(self, path: Path, write: Callable[[Path], Any]) -> bool:
        """Write a result whole or not at all; return whether it was written."""
        try:
            write_whole(path, write)
        except OSError as error:
            self.fail(str(path), f"cannot be written: {error.strerror or error}")
            return False
        return True

    def write_bytes(self, path: Path, data: bytes) -> bool:
        """Write bytes in the same way."""
        return self.write(path, lambda unfinished: unfinished.write_bytes(data))


def start_job(
    sources: tuple[str, ...],
    rendering: dict[str, Any],
    *,
    static: bool = False,
    screenshot: Screenshot = "",
    mhtml: bool = False,
) -> Job:
    """Prepare to open sources, with the options of `rendering` as they were given."""
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    options = render_options(rendering, screenshot=screenshot, mhtml=mhtml)
    opener = Opener(
        options=options,
        executable=rendering["browser"],
        static=static,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )
    return Job(opener=opener, sources=sources, failures=[])
