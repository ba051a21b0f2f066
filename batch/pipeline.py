"""Pipeline of one input, from source to row: opened or read, then extracted in a worker process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from ..classify.systems import as_system
from ..errors import BlocksightError, BrowserMissing, PageFailed, RunStopped
from ..files.atomic import delete_unfinished_of
from ..files.buckets import is_bucket, read_bucket_file
from ..page.page import Page
from ..page.store import is_saved
from ..processes.workers import MAX_ATTEMPTS, WorkerDied, WorkerPool
from ..render.archives.archives import PARTS_PER_PAGE
from ..render.browser import Browser
from ..render.render_options import RenderOptions
from ..render.sources.sources import RawPage, is_address, read_raw
from ..version import VERSION
from .batch_options import BatchOptions
from .extract_row import ExtractSettings, extract_row, page_columns, warm_up
from .output.output import disk_errors
from .robots import ALLOW_ALL, RobotsRules, rules_of
from .row_schema import DIED, FAULT, ROBOTS, USAGE, Row, error_kind, whole_row
from .sources.archive_pages import is_packed, page_at, raw_at
from .sources.inputs import ID_LENGTH, Input, host_of, is_web_address, refused_input


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
    known: dict[str, Any] = {"url": url} if entry.target else {}
    known |= {"answer_hash": entry.answer} if entry.answer else {}
    if entry.earlier is not None and error is None:
        known["changed"] = entry.earlier.get("content_hash") != columns.get("content_hash")
    return Outcome(row=whole_row(base | dict(columns) | known), error=error)


def carried_over(entry: Input) -> Outcome:
    """Return the earlier row of an input whose page has not changed."""
    changes = {"source": entry.source, "finished": time.time(), "changed": False}
    return Outcome(row=whole_row({**(entry.earlier or {}), **changes}))


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


class Pipeline(ExitStack):
    """Opens inputs in the threads of its callers, and extracts their rows in worker processes.

    Use it as a context manager, and enter it before other threads are started: then its workers are forked. The browser
    starts when it is first needed. ``pages`` is the folder for rendered pages.
    """

    def __init__(self, options: BatchOptions, *, pages: Path | None = None) -> None:
        super().__init__()
        self._options = options
        self._digest = options.digest
        self._pages = pages
        self._settings = ExtractSettings(
            system=as_system(options.system),
            hidden=options.hidden,
            images=options.images,
            respect_usage=options.respect_usage,
            others=options.other_systems(),
        )
        self._workers = WorkerPool(options.workers, warm_up, self._settings)
        self._browser = Browser(options.executable, pages=options.workers, options=options.render)

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        self.callback(self._browser.close)
        return self

    def rules(self, host: str) -> RobotsRules:
        """Read the rules of a host; if they cannot be read for any reason, all is forbidden."""
        agent, uses = self._options.limits.user_agent, self._options.respect_usage
        return rules_of(self._browser, host, agent, tdmrep=bool(uses))

    def process(self, entry: Input, rules: RobotsRules | None = None) -> Outcome | Input:
        """Open an input and extract its row, also of a failure; BrowserMissing and RunStopped end the run.

        Returns an input that is to be processed in its turn, in the browser or at the host to which this one redirects.

        ``rules`` are those of its host: redirects to a host that it has not visited are then not followed.
        """
        if self._options.addresses_only and not entry.error and not is_web_address(entry.source):
            entry = refused_input(entry.source, identity=entry.id)
        if entry.error:
            return refused(entry, entry.error_kind, entry.error, self._digest)
        if rules and (statement := rules.reserved(entry.address, self._options.respect_usage)):
            return refused(entry, USAGE, f"its site reserves its use ({statement})", self._digest)
        opened = self._opened(entry, rules)
        if not isinstance(opened, tuple):
            return opened
        page, columns = opened
        try:
            return self._extracted(entry, page, columns)
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # one page must not end the batch
            return failed(entry, columns, self._digest, error)

    def _reads_raw(self, entry: Input) -> bool:
        return (self._options.browser == "auto" or bool(self._earlier(entry))) and not entry.renders

    def _earlier(self, entry: Input) -> Mapping[str, Any]:
        """Return the row that is carried over if an address has not changed, {} if there is none of these settings."""
        row = entry.earlier or {}
        is_same = row.get("options") == self._digest and row.get("blocksight") == VERSION and not row.get("error_kind")
        return row if is_same and entry.host and self._options.browser and self._pages is None else {}

    def _opened(
        self, entry: Input, rules: RobotsRules | None
    ) -> tuple[Page | RawPage, dict[str, Any]] | Outcome | Input:
        """Return the page of an input, and the columns that are known before extraction."""
        start = time.perf_counter()
        follow = RedirectFilter(rules_by_host(entry, rules), self._options.limits.user_agent) if rules else None
        reads_raw, columns = self._reads_raw(entry), dict[str, Any]()
        earlier = self._earlier(entry) if reads_raw else {}
        try:
            page = self._page(entry, self._render_options(earlier, follow, reads_raw))
            if isinstance(page, Page):
                page = (rules or ALLOW_ALL).with_usage(page)
                columns = page_columns(page)
            answer = columns.get("answer_hash")
            if answer and answer == earlier.get("answer_hash"):
                return carried_over(entry)
            if reads_raw and self._options.browser is True:
                return replace(entry, renders=True, answer=answer)
            return page, {"seconds_render": round(time.perf_counter() - start, 4)} | columns
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # one page must not end the batch
            if earlier and getattr(error, "status", 0) == HTTPStatus.NOT_MODIFIED:
                return carried_over(entry)
            seconds = {"seconds_render": round(time.perf_counter() - start, 4)}
            return self._not_followed(entry, rules, follow) or failed(entry, seconds, self._digest, error)

    def _render_options(
        self, earlier: Mapping[str, Any], follow: RedirectFilter | None, reads_raw: bool
    ) -> RenderOptions:
        """Return how a page is opened; if it has an earlier row, only a version that is another one is asked for."""
        usual = self._browser.options
        asked = {"If-None-Match": earlier.get("etag"), "If-Modified-Since": earlier.get("last_modified")}
        conditions = tuple((name, value) for name, value in asked.items() if value)
        # Raw HTML that only says whether a page has changed needs no Markdown.
        alternate = usual.alternate and self._options.browser == "auto"
        return replace(usual, follow=follow, fetch_only=reads_raw, conditions=conditions, alternate=alternate)

    def _not_followed(
        self, entry: Input, rules: RobotsRules | None, follow: RedirectFilter | None
    ) -> Outcome | Input | None:
        """Return what becomes of an input that redirects to where it may not be requested now, None for any other."""
        if rules is None or follow is None or not (follow.forbidden or follow.target):
            return None
        if follow.forbidden:
            return refused(entry, ROBOTS, follow.forbidden, self._digest)
        error = PageFailed(entry.source, f"it redirects to {follow.target}")
        return redirected(entry, rules, follow.target) or failed(entry, {}, self._digest, error)

    def _page(self, entry: Input, render: RenderOptions) -> Page | RawPage:
        source, options = entry.source, self._options
        if entry.url and is_packed(source):
            read = page_at if options.browser else raw_at
            place = (entry.url, entry.offset, entry.length)
            page = read(source, *place, largest=options.render.max_bytes)
            return page if isinstance(page, RawPage) else self._browser.open(page, options=render)
        if is_bucket(source):
            try:
                data = read_bucket_file(source, options.render.max_bytes * PARTS_PER_PAGE + 1)
            except OSError as error:
                raise PageFailed(source, str(error)) from error
            if options.browser and not is_saved(data):
                return self._browser.open(data, options=render)
            geometry, limit = bool(options.browser), options.render.max_bytes
            return RawPage(data=data, name=source, url=None, encoding=None, limit=limit, geometry=geometry)
        if options.browser and (is_address(source) or not _is_saved_file(source)):
            return self._browser.open(entry.address, options=render)
        return read_raw(source, options.render, geometry=bool(options.browser))

    def _extracted(self, entry: Input, page: Page | RawPage, columns: dict[str, Any]) -> Outcome | Input:
        """Extract the row of a page, and keep the page; RunStopped if a file cannot be written."""
        path = None
        if self._pages is not None and isinstance(page, Page):
            path = page_path(self._pages, entry.id)
            with disk_errors(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        settings = replace(self._settings, may_ask=self._reads_raw(entry))
        try:
            row = self._workers.run(extract_row, page, settings, path, seconds=self._options.render.timeout)
        except (PageFailed, WorkerDied, TimeoutError) as error:
            if path is not None:
                delete_unfinished_of(path)
            return failed(entry, columns, self._digest, error)
        if row is None:
            return replace(entry, renders=True, answer=columns.get("answer_hash"))
        return outcome(entry, columns | row, self._digest)


def _is_saved_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return is_saved(file.read(ID_LENGTH * 2))
    except (OSError, ValueError):
        return False


def page_path(folder: Path, identity: str) -> Path:
    """Return the path of a kept page; subfolders by two digits, as folders with a million files are slow."""
    return folder / identity[:2] / f"{identity}.page"


#: Hosts that one input may be redirected to.
_MAX_HOSTS = 10


class RedirectFilter:
    """Decides for one page which redirects are followed: those to hosts with known rules that allow the address.

    Use it as ``RenderOptions.follow``. Afterwards ``target`` is an address at another host that was not requested, and
    ``forbidden`` the reason why one at a known host was not; "" if there is none.
    """

    def __init__(self, rules: Mapping[str, RobotsRules], agent: str) -> None:
        self._rules = rules
        self._agent = agent
        self.target = ""
        self.forbidden = ""

    def __call__(self, address: str) -> str:
        """Return why an address must not be requested, "" if it may be."""
        host = host_of(address)
        if not host:  # no request of a host, such as of a blob
            return ""
        if host not in self._rules:
            self.target = address
            return "it is at another host"
        self.forbidden = self._rules[host].forbids(address, self._agent)
        return self.forbidden


def rules_by_host(entry: Input, rules: RobotsRules) -> Mapping[str, RobotsRules]:
    """Return the hosts whose pages an input may request now, with their rules; ``rules`` are those of its own."""
    return {**(entry.visited if not entry.target else {}), entry.host: rules}


def redirected(entry: Input, rules: RobotsRules, target: str) -> Input | None:
    """Return the input to process for one that redirects to another host; None after too many.

    It is opened there. If it returns to a host, it may need the cookies of its way: then it is opened from its start
    again, and follows redirects to all hosts that it has visited.
    """
    visited, host = {**entry.visited, entry.host: rules}, host_of(target)
    if len(visited) > _MAX_HOSTS or not host:
        return None
    return replace(entry, target="" if host in visited else target, visited=visited)
