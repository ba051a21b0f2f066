"""Open pages and work on them in worker processes, each page within a time limit.

The commands, the service and the MCP server share it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from ..document.route import by_route
from ..errors import BrowserMissing, PageFailed
from ..page.page import Page
from ..processes.contention import MOST_STRETCH
from ..processes.workers import WorkerPool, named_errors
from ..render.browser import Browser
from ..render.render_options import RenderOptions
from ..render.sources.sources import RawPage, as_page, checked_address, is_address, read_raw
from .command_options import AUTO

if TYPE_CHECKING:
    from ..classify.system import System

R = TypeVar("R")

#: Seconds beyond the timeout of a page in which all work on it must end.
_GRACE = 0.9
#: Share of the timeout that work on a page has in any case while other programs use all processors.
_LEAST_WORK = 0.5


class PageRunner(ExitStack):
    """A browser and worker processes; use it as a context manager. Many threads may call it.

    Parameters
    ----------
    options : RenderOptions
        How pages are rendered; ``timeout`` is for opening a page and the work on it together.
    browser : bool or "auto"
        Without a browser, files are read as raw HTML. With "auto", raw HTML is read first.
    executable : str, optional
        The browser's executable.
    workers : int
        Number of pages at once.
    warm_up : callable
        It is called first in each process, while the first page is opened.
    """

    def __init__(
        self,
        options: RenderOptions,
        *,
        browser: bool | Literal["auto"] = True,
        executable: str | None = None,
        workers: int = 1,
        warm_up: Callable[[], object] = bool,
    ) -> None:
        super().__init__()
        self.options = options
        self.is_auto = browser == AUTO
        self.browser = Browser(executable, pages=workers, options=options) if browser else None
        #: The address that is rendered while the work on the next page is done.
        self.following = ""
        self._prefetched: tuple[str, Future[Page]] | None = None
        self._workers = WorkerPool(workers, warm_up)
        self._warming = threading.Thread(target=self._workers.warm_up, name="blocksight-warm-up", daemon=True)

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        if self.browser is not None:
            self.callback(self.browser.close)
        self._warming.start()
        return self

    def warm_up(self) -> None:
        """Wait until processes and browser are ready for the first page; BrowserMissing without a browser."""
        if self.browser is not None:
            self.browser.open(b"<p>Fresh water boils.")
        self._warming.join()

    def open(
        self,
        source: str | bytes | RawPage,
        *,
        url: str | None = None,
        encoding: str | None = None,
        options: RenderOptions | None = None,
    ) -> Page | RawPage:
        """Open a source as :meth:`~blocksight.render.browser.Browser.open` does."""
        options = options or self.options
        if isinstance(source, RawPage):
            return source
        if self.browser is not None:
            prefetched, self._prefetched = self._prefetched, None
            if prefetched is not None and prefetched[0] == source:
                return prefetched[1].result()
            return self.browser.open(source, url=url, encoding=encoding, options=options)
        if isinstance(source, str):
            return read_raw(source, options, url=url, encoding=encoding)
        return RawPage(data=source, name="standard input", url=url, encoding=encoding, limit=options.max_bytes)

    def run(
        self,
        source: str | bytes | RawPage,
        task: Callable[..., R],
        *arguments: Any,
        options: RenderOptions | None = None,
        **opening: Any,
    ) -> R:
        """Open a source and return ``task(page, *arguments)``.

        The task runs in a worker process: it, its arguments and its result must be picklable. ``opening`` are
        arguments of :meth:`open`. Raises PageFailed or PageUnreadable.
        """
        options = options or self.options
        if self.browser is not None and isinstance(source, str) and is_address(source):
            checked_address(source)
            self.browser.start()  # not within the page's timeout
        start = time.monotonic()
        page = self.open(source, options=options, **opening)
        opened = time.monotonic() - start
        self._prefetch()
        return self.work(page, task, *arguments, timeout=options.timeout, opened=opened)

    def run_by_route(
        self,
        source: str | bytes | RawPage,
        task: Callable[..., tuple[R, str]],
        *arguments: Any,
        options: RenderOptions | None = None,
        **opening: Any,
    ) -> R:
        """Do the same as :meth:`run`, with "auto" on raw HTML first.

        ``task(page, *arguments, reason)`` has a last argument and two results, as those of
        :func:`~blocksight.document.route.routed`.
        """
        if not self.is_auto or isinstance(source, RawPage):
            return self.run(source, task, *arguments, None, options=options, **opening)[0]
        return by_route(
            lambda chosen, reason: self.run(source, task, *arguments, reason, options=chosen, **opening),
            options or self.options,
        )

    def work(
        self,
        page: Page | RawPage,
        task: Callable[..., R],
        *arguments: Any,
        timeout: float | None = None,
        opened: float = 0.0,
    ) -> R:
        """Return ``task(page, *arguments)`` of a page that was opened in ``opened`` seconds."""
        name = page.name if isinstance(page, RawPage) else page.url
        timeout = timeout or self.options.timeout
        self._warming.join()  # not within the page's timeout
        seconds = work_seconds(timeout, opened)
        result: R = named_errors(self._workers, name, timeout, _work, page, task, *arguments, seconds=seconds)
        return result

    def _prefetch(self) -> None:
        """Start to render the address that follows; if that fails at once, it fails again in its turn."""
        if self.browser is not None and is_address(self.following) and not self.is_auto:
            with suppress(PageFailed, BrowserMissing):
                self._prefetched = self.following, self.browser.submit(self.following)


def warm_up(system: System | str = "blocksight") -> None:
    """Extract a page, so that the libraries and the models of a system are loaded."""
    from ..document.extract import extract
    from ..page.parse import parse

    page = parse("<title>A</title><h1>A</h1><p>Some words of a page.")
    extract(page, system="everything").written("markdown")
    extract(page, system=system)


def _work(page: Page | RawPage, task: Callable[..., R], *arguments: Any) -> R:
    return task(as_page(page), *arguments)


def work_seconds(timeout: float, opened: float) -> float:
    """Return the seconds for the work on a page that was opened in ``opened`` seconds.

    On a busy machine rendering may have used more than the timeout, and some is left for work.
    """
    stretch = min(max(opened / timeout, 1.0), MOST_STRETCH)
    return max(timeout * stretch - opened, _LEAST_WORK * timeout * (stretch - 1.0)) + _GRACE
