"""From the sources that a command was called with to pages, one after the other, with a reason for each that fails."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import click

from ..errors import BlocksightError, PageFailed, PageUnreadable, TimedOut
from ..files.atomic import write_bytes, write_whole
from ..page.page import Page
from ..page.store import is_saved
from ..processes.time_limited import Died, Limited
from ..render.archives.archives import archive_kind
from ..render.browser import Browser
from ..render.render_options import RenderOptions, Screenshot
from ..render.sources.raw import Raw
from ..render.sources.sources import is_address, read_descriptor, read_file
from .command_options import render_options
from .console import Failed, ProgressBar, complain, say

R = TypeVar("R")

#: Seconds beyond the time for a page in which all that is done with it must be over.
_GRACE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOpener:
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

    def open_all(
        self, sources: Sequence[str], work: Callable[[Page], R], ready: Callable[[], object] | None = None
    ) -> Iterator[Done[R]]:
        """Yield what some work makes of each source's page, or its failure, in order.

        Opening and work together take no longer than the timeout and a second: the work is done by another process,
        which is ended then. A browser that is missing ends it all.
        """
        with Limited(ready) as limited:
            browser = Browser(self.executable, options=self.options)
            try:
                with ProgressBar("pages", len(sources)) as bar:
                    for number, source in enumerate(sources, 1):
                        done = self._done(browser, limited, source, work)
                        bar("pages", number, len(sources))
                        with bar.hidden():
                            yield done
            finally:
                browser.close()

    def _done(self, browser: Browser, limited: Limited, source: str, work: Callable[[Page], R]) -> Done[R]:
        if not self.static and is_address(source):
            browser.start()  # its start is none of the page's time
        late = time.monotonic() + self.options.timeout + _GRACE
        try:
            page = self._page(browser, source)
            partial, found = limited.run(_worked, page, work, seconds=late - time.monotonic())
            return Done(source=source, found=found, partial=partial)
        except (PageFailed, PageUnreadable) as error:
            return Done(source=source, error=error)
        except TimeoutError:
            why = f"not done within {self.options.timeout:g} s (--timeout sets it)"
            return Done(source=source, error=TimedOut(source, why))
        except Died:
            return Done(source=source, error=PageFailed(source, "the process that read it died, perhaps of its size"))

    def _page(self, browser: Browser, source: str) -> Page | Raw:
        if self.static:
            return self._raw(source)
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

    def _raw(self, source: str) -> Raw:
        if is_address(source):
            raise PageFailed(source, "an address needs the browser; save the page and give the file")
        limit = self.options.max_bytes
        data = self._stdin() if source == "-" else read_file(source, max_bytes=limit, timeout=self.options.timeout)
        name = "standard input" if source == "-" else source
        return Raw(data=data, name=name, url=self.url, encoding=self.encoding, limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[R]):
    """A source, and what was made of its page or why there is none.

    Attributes
    ----------
    source : str
    found : object, optional
        What the work returned.
    error : PageFailed or PageUnreadable, optional
        Where that is missing.
    partial : bool
        Whether the page was still loading.
    """

    source: str
    found: R | None = None
    error: PageFailed | PageUnreadable | None = None
    partial: bool = False


def _worked(page: Page | Raw, work: Callable[[Page], R]) -> tuple[bool, R]:
    page = page.page() if isinstance(page, Raw) else page
    return page.partial, work(page)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts what failed."""

    opener: SourceOpener
    sources: tuple[str, ...]
    failures: list[str]

    def results(self, work: Callable[[Page], R], ready: Callable[[], object] | None = None) -> Iterator[tuple[str, R]]:
        """Yield what some work makes of each page that could be opened, and complain of the others.

        Parameters
        ----------
        work : callable
            It is done by another process, in the time for the page: it and what it returns must be picklable.
        ready : callable, optional
            What that process does first, while a page is being rendered.
        """
        for done in self.opener.open_all(self.sources, work, ready):
            if done.error is not None:
                why = done.error.why if isinstance(done.error, PageFailed) else str(done.error)
                self.fail(done.source, why.removeprefix(f"{done.source}: "))
            else:
                if done.partial:
                    say(f"{done.source}: still loading when it was taken (partial)")
                yield done.source, cast(R, done.found)

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
    opener = SourceOpener(
        options=options,
        executable=rendering["browser"],
        static=static,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )
    return Job(opener=opener, sources=sources, failures=[])


def unlisted(sources: Iterable[str]) -> tuple[str, ...]:
    """Put in place of each list, ``@FILE`` or ``@-``, what stands in it, one source a line."""
    from ..batch.sources.lists import lines_of

    found: list[str] = []
    for source in sources:
        try:
            found += lines_of(source[1:]) if source.startswith("@") else [source]
        except OSError as error:
            raise click.BadParameter(f"{source[1:]}: cannot be read: {error.strerror or error}") from error
    return tuple(found)


def given_sources(sources: Iterable[str], folder: Path) -> Iterator[str | Path]:
    """Yield sources; a page that comes by standard input is put into a folder, so that a later run finds it."""
    for source in sources:
        if source != "-":
            yield source
            continue
        data = sys.stdin.buffer.read()
        kind = archive_kind(data[:8192]) or "html"
        ending = "page" if is_saved(data) else f"{kind}.gz" if data.startswith(b"\x1f\x8b") else kind
        path = folder / f"{hashlib.sha256(data).hexdigest()[:32]}.{ending}"
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
        yield path
