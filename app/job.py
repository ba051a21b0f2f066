"""The pages of one command call, opened one after the other; each failure is reported with its reason.

While the work on a page is done, the next one is rendered.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import click

from ..classify.route import LEAST_SHARE
from ..errors import BlocksightError, BrowserMissing, PageFailed, PageUnreadable, TimedOut
from ..files.atomic import create_folder, write_atomic, write_bytes
from ..page.page import Page
from ..page.store import is_saved
from ..processes.contention import MOST_STRETCH
from ..processes.workers import Worker, WorkerDied
from ..render.archives.archives import archive_kind
from ..render.browser import Browser
from ..render.render_options import RenderOptions, Screenshot
from ..render.sources.raw import RawPage, as_page, read_raw
from ..render.sources.sources import is_address, read_descriptor
from .command_options import AUTO, program, render_options
from .console import Failed, ProgressBar, complain, say

R = TypeVar("R")

#: Seconds beyond the timeout of a page in which all work on it must end.
_GRACE = 0.9
#: Share of the timeout that work on a page has in any case while other programs use all processors.
_LEAST_WORK = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult(Generic[R]):
    """A source with the result of its page, or the error; ``notes`` are lines about the page."""

    source: str
    result: R | None = None
    error: PageFailed | PageUnreadable | None = None
    notes: tuple[str, ...] = ()


class _Prefetcher:
    """Prefetches: renders the address that follows, while the work on a page is done."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.following = ""
        self._address = ""
        self._page: Future[Page] = Future()
        self._start = self._end = 0.0

    def start(self, options: RenderOptions) -> None:
        """Start to render what follows; if that fails at once, it fails again in its turn."""
        with suppress(PageFailed, BrowserMissing):
            self._start, self._end = time.monotonic(), 0.0
            self._page = self.browser.submit(self.following, options=options)
            self._page.add_done_callback(self._note_end)
            self._address = self.following

    def _note_end(self, _: object) -> None:
        self._end = time.monotonic()

    def take(self, source: str) -> tuple[Page, float] | None:
        """Return the page of a source and the seconds that it took, None if its rendering was not started."""
        address, self._address = self._address, ""
        if not source or address != source:
            return None
        page = self._page.result()
        # It may have been rendered this moment.
        return page, (self._end or time.monotonic()) - self._start


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts failures."""

    sources: tuple[str, ...]  # Addresses, HTML files, saved pages, archives, and "-" for standard input
    options: RenderOptions
    executable: str | None = None  # The browser's program
    static: bool = False  # Parse raw HTML instead of rendering it; no browser is needed
    auto: bool = False  # Read raw HTML first, and render pages of which it is not enough
    url: str | None = None  # Address of files and standard input
    encoding: str | None = None  # Encoding of these
    failures: list[str] = field(default_factory=list)

    def results(
        self,
        work: Callable[[Page], R],
        warm_up: Callable[[], object] | None = None,
        ask: Callable[[R], str] = lambda _: "",
    ) -> Iterator[tuple[str, R]]:
        """Yield the result of each page that could be opened, and report the others.

        With ``auto``, ``ask`` returns why a page should be rendered instead, "" if the result is enough.

        ``work`` runs in a worker process, within the timeout of the page: it and its result must be picklable.
        ``warm_up`` runs first in that process, while the first page is rendered.
        """
        for page in self._open_all(work, warm_up, ask):
            if page.error is not None:
                why = page.error.reason if isinstance(page.error, PageFailed) else str(page.error)
                self.fail(page.source, why.removeprefix(f"{page.source}: "))
            else:
                for note in page.notes:
                    say(f"{page.source}: {note}")
                yield page.source, cast(R, page.result)

    def _open_all(
        self, work: Callable[[Page], R], warm_up: Callable[[], object] | None, ask: Callable[[R], str]
    ) -> Iterator[PageResult[R]]:
        browser = Browser(self.executable, options=self.options)
        prefetcher = _Prefetcher(browser)
        with Worker(warm_up) as worker, ProgressBar("pages", len(self.sources)) as bar:
            try:
                for number, source in enumerate(self.sources, 1):
                    prefetcher.following = "".join(self.sources[number : number + 1])
                    page = self._process_by_route(prefetcher, worker, source, work, ask)
                    bar("pages", number, len(self.sources))
                    with bar.hidden():
                        yield page
            finally:
                browser.close()

    def _process_by_route(
        self, prefetcher: _Prefetcher, worker: Worker, source: str, work: Callable[[Page], R], ask: Callable[[R], str]
    ) -> PageResult[R]:
        """Process a page; with ``auto`` its raw HTML first."""
        if not self.auto:
            return self._process(prefetcher, worker, source, work, self.options)
        data = self._stdin() if source == "-" else source
        start = time.monotonic()
        page = self._process(prefetcher, worker, data, work, replace(self.options, fetch_only=True))
        if page.error is not None or not (reason := ask(cast(R, page.result))):
            return replace(page, source=source)
        say(f"{source}: rendered ({reason})")
        left = max(self.options.timeout - (time.monotonic() - start), LEAST_SHARE * self.options.timeout)
        return replace(
            self._process(prefetcher, worker, data, work, replace(self.options, timeout=left)), source=source
        )

    def _process(
        self,
        prefetcher: _Prefetcher,
        worker: Worker,
        source: str | bytes,
        work: Callable[[Page], R],
        options: RenderOptions,
    ) -> PageResult[R]:
        name, browser = source if isinstance(source, str) else "-", prefetcher.browser
        if not self.static and is_address(name):
            browser.start()  # not within the page's timeout
        start = time.monotonic()
        try:
            page, opened = prefetcher.take(name) or (self._open(browser, source, options), time.monotonic() - start)
            worker.wait_until_ready()  # not within the page's timeout, either
            if is_address(prefetcher.following) and not self.static and not self.auto:
                prefetcher.start(self.options)
            seconds = work_seconds(options.timeout, browser.stretch, opened)
            notes, result = worker.run(_worked, page, work, seconds=seconds)
            return PageResult(source=name, result=result, notes=notes)
        except (PageFailed, PageUnreadable) as error:
            return PageResult(source=name, error=error)
        except TimeoutError:
            why = f"not done within {options.timeout:g} s (--timeout sets it)"
            return PageResult(source=name, error=TimedOut(name, why))
        except WorkerDied:
            return PageResult(source=name, error=PageFailed(name, "its worker process died, perhaps of its size"))

    def _open(self, browser: Browser, source: str | bytes, options: RenderOptions) -> Page | RawPage:
        data = self._stdin() if source == "-" else source
        if not self.static:
            return browser.open(data, url=self.url, encoding=self.encoding, options=options)
        if isinstance(data, str):
            return read_raw(data, self.options, url=self.url, encoding=self.encoding)
        limit = self.options.max_bytes
        return RawPage(data=data, name="standard input", url=self.url, encoding=self.encoding, limit=limit)

    def _stdin(self) -> bytes:
        most, timeout = self.options.max_bytes, self.options.timeout
        try:
            descriptor = sys.stdin.fileno()
        except (OSError, ValueError):  # a replacement without a descriptor
            return sys.stdin.buffer.read(most + 1)
        return read_descriptor(descriptor, name="standard input", max_bytes=most, timeout=timeout)

    def fail(self, source: str, why: str) -> None:
        """Report that a page failed."""
        self.failures.append(source)
        complain(source, why)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Turn failures into the exit code."""
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
            write_atomic(path, write)
        except OSError as error:
            self.fail(str(path), f"cannot be written: {error.strerror or error}")
            return False
        return True

    def write_bytes(self, path: Path, data: bytes) -> bool:
        """Write bytes whole or not at all; return whether they were written."""
        return self.write(path, lambda unfinished: unfinished.write_bytes(data))


def work_seconds(timeout: float, stretch: float, opened: float) -> float:
    """Return the seconds for the work on a page that was opened in ``opened`` seconds.

    On a busy machine (``stretch`` above 1, or the browser was late) rendering may have used all of the extended time,
    and some is left for work.
    """
    stretch = max(stretch, min(opened / timeout, MOST_STRETCH))
    return max(timeout * stretch - opened, _LEAST_WORK * timeout * (stretch - 1.0)) + _GRACE


def _worked(page: Page | RawPage, work: Callable[[Page], R]) -> tuple[tuple[str, ...], R]:
    page = as_page(page)
    return (f"partial: {page.partial_reason}",) if page.partial else (), work(page)


def start_job(
    sources: tuple[str, ...],
    rendering: dict[str, Any],
    *,
    static: bool = False,
    screenshot: Screenshot = "",
    mhtml: bool = False,
    chooses: bool = False,
) -> Job:
    """Return the job of some sources with the values of the options of `rendering`.

    ``chooses`` is whether the command can ask for a page to be rendered after it has read its raw HTML.
    """
    if rendering["browser"] == AUTO and not chooses:
        raise click.UsageError("--browser auto is for extract, batch and serve")
    if rendering["browser"] == AUTO and static:
        raise click.UsageError("--browser auto and --no-browser exclude each other")
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    return Job(
        sources=sources,
        options=render_options(rendering, screenshot=screenshot, mhtml=mhtml),
        executable=program(rendering["browser"]),
        static=static,
        auto=rendering["browser"] == AUTO,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )


def expand_lists(sources: Iterable[str]) -> tuple[str, ...]:
    """Replace each list, ``@FILE`` or ``@-``, by its sources, one per line."""
    from ..batch.sources.lists import lines_of

    expanded: list[str] = []
    for source in sources:
        try:
            expanded += lines_of(source[1:]) if source.startswith("@") else [source]
        except OSError as error:
            raise click.BadParameter(f"{source[1:]}: cannot be read: {error.strerror or error}") from error
    return tuple(expanded)


def stored_stdin(sources: Iterable[str], folder: Path) -> Iterator[str | Path]:
    """Yield sources, with a page from standard input stored in a folder, so that a later run can read it again."""
    for source in sources:
        if source != "-":
            yield source
            continue
        data = sys.stdin.buffer.read()
        kind = archive_kind(data[:8192]) or "html"
        suffix = "page" if is_saved(data) else f"{kind}.gz" if data.startswith(b"\x1f\x8b") else kind
        path = folder / f"{hashlib.sha256(data).hexdigest()[:32]}.{suffix}"
        create_folder(folder)
        write_bytes(path, data)
        yield path
