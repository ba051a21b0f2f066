"""Pipeline of one input, from source to row: opened or read, then extracted in a worker process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from ..classify.systems import as_system
from ..errors import BlocksightError, BrowserMissing, ExtraMissing, PageFailed, RunStopped
from ..files.atomic import delete_unfinished_of
from ..files.buckets import is_bucket, read_bucket_file
from ..page.page import Page
from ..page.store import is_saved
from ..processes.workers import MAX_ATTEMPTS, WorkerDied, WorkerPool
from ..render.archives.archives import PARTS_PER_PAGE
from ..render.browser import Browser
from ..render.render_options import RenderOptions
from ..render.sources.raw import RawPage, read_raw
from ..render.sources.sources import is_address
from ..version import VERSION
from .batch_options import BatchOptions
from .extract_row import ASKS, ExtractSettings, extract_row, page_columns, warm_up
from .output.shards import disk_errors
from .output.warc_output import keep_warc
from .redirects import RedirectFilter
from .robots import FixedAnswer, RobotsRules, read_rules
from .row_schema import DIED, FAULT, ROBOTS, Row, error_kind, whole_row
from .sources.archive_pages import is_packed, page_at, raw_at
from .sources.html_tables import is_html_table, table_page
from .sources.inputs import ID_LENGTH, Input, is_web_address, refused_input


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The row of an input, without ``tries``, and the error of a failure."""

    row: Row
    error: Exception | None = None


def outcome(entry: Input, columns: Mapping[str, Any], digest: str, *, error: Exception | None = None) -> Outcome:
    """Return the row of an input with some columns; ``digest`` is that of the options."""
    is_page_address = is_address(entry.source) and not is_bucket(entry.source)
    url = entry.source if is_page_address else entry.url or None
    base: dict[str, Any] = {"id": entry.id, "source": entry.source, "url": url}
    base |= {"finished": time.time(), "blocksight": VERSION, "options": digest}
    named = {"url": url} if entry.target else {}
    return Outcome(row=whole_row(base | dict(columns) | named), error=error)


def refused(entry: Input, kind: str, why: str, digest: str) -> Outcome:
    """Return the outcome of an input that is not opened."""
    return outcome(entry, {"error_kind": kind, "error": why}, digest, error=PageFailed(entry.source, why))


def failed(entry: Input, columns: Mapping[str, Any], digest: str, error: Exception) -> Outcome:
    """Return the outcome of an input that raised an error."""
    return outcome(entry, dict(columns) | _error_columns(entry, error), digest, error=error)


def _error_columns(entry: Input, error: Exception) -> dict[str, Any]:
    status = getattr(error, "status", 0) or None
    why = error.reason if isinstance(error, PageFailed) else str(error)
    if isinstance(error, WorkerDied):
        kind, why = DIED, f"its worker process died {MAX_ATTEMPTS} times, perhaps of its size"
    else:
        kind = error_kind(error)
    if kind == FAULT and not isinstance(error, BlocksightError):
        why = f"{type(error).__name__}: {error}"
    columns = {"error_kind": kind, "error": why.removeprefix(f"{entry.source}: ")}
    return columns | ({"status": status} if status else {})


class NeedsBrowser(PageFailed):
    """The raw HTML of a page is not enough: it is to be opened again, and rendered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedInput:
    """An input with its page, and the columns that are known before extraction."""

    input: Input
    page: Page | RawPage
    columns: dict[str, Any]


class InputOpener(ExitStack):
    """Opens inputs in the threads of its callers; as a context manager it ends the browser.

    The browser starts when it is first needed.
    """

    def __init__(self, options: BatchOptions) -> None:
        super().__init__()
        self._options = options
        self._digest = options.digest
        render = replace(options.render, warc="warc" in options.keep)
        self._browser = Browser(options.executable, pages=options.workers, options=render)
        self.callback(self._browser.close)

    def rules(self, host: str) -> RobotsRules:
        """Read the rules of a host; if they cannot be read for any reason, all is forbidden."""
        try:
            return read_rules(self._browser, host, self._options.limits.user_agent)
        except (BrowserMissing, ExtraMissing):
            raise
        except Exception as error:  # one host must not end the batch
            why = f"robots.txt could not be read ({type(error).__name__}: {error}), so nothing may be requested"
            return FixedAnswer(why)

    def open(
        self, entry: Input, rules: Mapping[str, RobotsRules] | None = None, html: bytes | None = None
    ) -> OpenedInput | Outcome:
        """Open an input, or return the outcome of its failure; BrowserMissing and RunStopped end the run.

        ``rules`` are those of the hosts to which it may be redirected; without them, all redirects are followed.
        ``html`` is the document itself, which is then not requested.
        """
        if self._options.addresses_only and not entry.error and not is_web_address(entry.source):
            entry = refused_input(entry.source, identity=entry.id)
        if entry.error:
            return refused(entry, entry.error_kind, entry.error, self._digest)
        start = time.perf_counter()
        follow = None if rules is None else RedirectFilter(rules, self._options.limits.user_agent)
        try:
            raw = is_raw(entry, self._options)
            render = replace(self._browser.options, follow=follow, fetch_only=raw)
            if html is None:
                page = self._page(entry, render)
            else:
                page = self._document(
                    html, entry.source, entry.source if is_web_address(entry.source) else None, render
                )
            columns: dict[str, Any] = {"seconds_render": round(time.perf_counter() - start, 4)}
            columns |= page_columns(page) if isinstance(page, Page) else {}
            return OpenedInput(input=entry, page=page, columns=columns)
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # one page must not end the batch
            columns = {"seconds_render": round(time.perf_counter() - start, 4)}
            if follow is not None and follow.forbidden:
                return refused(entry, ROBOTS, follow.forbidden, self._digest)
            redirected = follow.error(entry.source) if follow is not None else None
            return failed(entry, columns, self._digest, redirected or error)

    def _page(self, entry: Input, render: RenderOptions) -> Page | RawPage:
        source, options = entry.source, self._options
        if entry.offset >= 0 and options.html_column is not None and is_html_table(source):
            raw = table_page(source, options.html_column, entry.url, entry.offset, limit=options.render.max_bytes)
            if not options.browser:
                return raw
            return self._browser.open(raw.data, url=raw.url, encoding=raw.encoding, options=render)
        if entry.url and is_packed(source):
            read = page_at if options.browser else raw_at
            page = read(source, entry.url, entry.offset, largest=options.render.max_bytes)
            return page if isinstance(page, RawPage) else self._browser.open(page, options=render)
        if is_bucket(source):
            return self._stored_page(source, render)
        if options.browser and (is_address(source) or not _is_saved_file(source)):
            return self._browser.open(entry.address, options=render)
        return read_raw(source, options.render, geometry=bool(options.browser))

    def _stored_page(self, source: str, render: RenderOptions) -> Page | RawPage:
        try:
            data = read_bucket_file(source, self._options.render.max_bytes * PARTS_PER_PAGE + 1)
        except OSError as error:
            raise PageFailed(source, str(error)) from error
        return self._document(data, source, None, render)

    def _document(self, data: bytes, name: str, url: str | None, render: RenderOptions) -> Page | RawPage:
        """Open the bytes of a document or of a saved page."""
        if self._options.browser and not is_saved(data):
            return self._browser.open(data, url=url, options=render)
        geometry, limit = bool(self._options.browser), self._options.render.max_bytes
        return RawPage(data=data, name=name, url=url, encoding=None, limit=limit, geometry=geometry)


def is_raw(entry: Input, options: BatchOptions) -> bool:
    """Return whether only the raw HTML of an input is read."""
    return options.browser == "auto" and not entry.renders


def _is_saved_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return is_saved(file.read(ID_LENGTH * 2))
    except (OSError, ValueError):
        return False


class RowExtractor(ExitStack):
    """Extracts rows from pages in worker processes.

    Use it as a context manager, and enter it before other threads are started: then its workers are forked.
    ``pages`` and ``warcs`` are the folders for rendered pages and for archives.
    """

    def __init__(
        self,
        options: BatchOptions,
        count: int,
        *,
        pages: Path | None = None,
        warcs: Path | None = None,
        fork: bool = True,
    ) -> None:
        super().__init__()
        self._seconds = options.render.timeout
        self._digest = options.digest
        self._pages = pages
        self._warcs = warcs
        self._settings = ExtractSettings(system=as_system(options.system), hidden=options.hidden, images=options.images)
        self._options = options
        self._workers = WorkerPool(count, warm_up, self._settings, fork=fork)

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        return self

    def extract(self, opened: OpenedInput) -> Outcome:
        """Extract the row of a page, also if that fails; RunStopped if a file cannot be written."""
        entry, page = opened.input, opened.page
        try:
            result = self._extracted(entry, page, opened.columns)
            if self._warcs is not None and isinstance(page, Page):
                keep_warc(self._warcs, page, result.row)
            return result
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # one page must not end the batch
            return failed(entry, opened.columns, self._digest, error)

    def _extracted(self, entry: Input, page: Page | RawPage, columns: dict[str, Any]) -> Outcome:
        path = None
        if self._pages is not None and isinstance(page, Page):
            path = page_path(self._pages, entry.id)
            with disk_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        sent = page.replace(warc=None) if isinstance(page, Page) else page
        settings = replace(self._settings, asks=is_raw(entry, self._options))
        try:
            row = self._workers.run(extract_row, sent, settings, path, seconds=self._seconds)
        except (PageFailed, WorkerDied, TimeoutError) as error:
            if path is not None:
                delete_unfinished_of(path)
            return failed(entry, columns, self._digest, error)
        if reason := row.pop(ASKS, ""):
            return failed(entry, columns, self._digest, NeedsBrowser(entry.source, reason))
        return outcome(entry, columns | row, self._digest)


def page_path(folder: Path, identity: str) -> Path:
    """Return the path of a kept page; subfolders by two digits, as folders with a million files are slow."""
    return folder / identity[:2] / f"{identity}.page"


class Pipeline(ExitStack):
    """Opens inputs and extracts their rows; use it as :class:`RowExtractor`."""

    def __init__(
        self, options: BatchOptions, *, pages: Path | None = None, warcs: Path | None = None, fork: bool = True
    ) -> None:
        super().__init__()
        self._extractor = RowExtractor(options, options.workers, pages=pages, warcs=warcs, fork=fork)
        self._opener = InputOpener(options)
        self.rules = self._opener.rules

    def __enter__(self) -> Self:
        self.enter_context(self._extractor)
        self.enter_context(self._opener)
        return self

    def process(self, entry: Input, rules: Mapping[str, RobotsRules] | None = None) -> Outcome:
        """Open an input and extract its row, with the arguments and the errors of :meth:`InputOpener.open`."""
        opened = self._opener.open(entry, rules)
        return opened if isinstance(opened, Outcome) else self._extractor.extract(opened)
