"""One input to its row: opened by the browser, which all share, and judged by a process that can be ended."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from ..classify.systems import as_system
from ..render.browser import Browser
from ..render.errors import BlocksightError, BrowserMissing, ExtraMissing, PageFailed, RunStopped
from ..render.page import Page
from ..render.saved.store import is_saved
from ..render.sources.raw import Raw
from ..render.sources.sources import is_address, read_file
from ..render.version import VERSION
from .analysis import Analysis, NoText, about, analyse, warm
from .folder.kept import keep_warc
from .folder.parts import disk_named
from .judges import TRIES, Judges
from .limited import Died
from .options import BatchOptions
from .robots import Always, Rules, read_rules
from .rows import DIED, EMPTY, FAULT, SOURCE, Row, error_kind, whole_row
from .sources.inputs import ID_LENGTH, Input
from .sources.records import is_packed, page_at, raw_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an input.

    Attributes
    ----------
    row : dict
        With every column but ``tries``.
    error : Exception or None
        Why there is no text.
    """

    row: Row
    error: Exception | None = None


class Stage:
    """Does inputs, several at once, each in the thread that asks.

    Use it as a context manager, and enter it before other threads are started: then its processes are copies of this
    one, and begin at once.

    Parameters
    ----------
    options : BatchOptions
    pages : Path, optional
        The folder to keep rendered pages in.
    warcs : Path, optional
        The folder to keep archives in.
    """

    def __init__(self, options: BatchOptions, *, pages: Path | None = None, warcs: Path | None = None) -> None:
        self._options = options
        self._pages = pages
        self._warcs = warcs
        self._analysis = Analysis(system=as_system(options.system), hidden=options.hidden, images=options.images)
        self._digest = options.digest
        rendered = replace(options.render, warc="warc" in options.keep)
        self._browser = Browser(options.executable, pages=options.workers, options=rendered)
        self._judges = Judges(options.workers, warm, self._analysis)
        self._stack = ExitStack()

    def __enter__(self) -> Stage:
        self._stack.enter_context(self._judges)
        self._stack.callback(self._browser.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def rules(self, host: str) -> Rules:
        """Read the rules of a host; where they cannot be read for whatever reason, nothing may be asked of it."""
        try:
            return read_rules(self._browser, host)
        except (BrowserMissing, ExtraMissing):
            raise
        except Exception as error:  # the edge of the batch: one host shall not be the end of all others
            return Always(
                f"robots.txt could not be read ({type(error).__name__}: {error}), so nothing may be asked for"
            )

    def refused(self, found: Input, kind: str, why: str) -> Outcome:
        """Return the row of an input that is not opened."""
        error = PageFailed(found.source, why)
        return Outcome(row=self._row(found, {"error_kind": kind, "error": why}), error=error)

    def do(self, found: Input) -> Outcome:
        """Open and judge an input; whatever goes wrong with it is in its row.

        Raises
        ------
        BrowserMissing, RunStopped
            What ends the run: no browser, no room on the disk.
        """
        if found.wrong:
            return self.refused(found, SOURCE, found.wrong)
        began = time.perf_counter()
        known: dict[str, Any] = {}
        try:
            material = self._opened(found)
            known["seconds_render"] = round(time.perf_counter() - began, 4)
            known |= about(material) if isinstance(material, Page) else {}
            return self._finished(found, material, known)
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # the edge of the batch: one page shall not be the end of all others
            known.setdefault("seconds_render", round(time.perf_counter() - began, 4))
            return Outcome(row=self._row(found, known | _failure(found, error)), error=error)

    def _finished(self, found: Input, material: Page | Raw, known: dict[str, Any]) -> Outcome:
        """Judge a page; one that was rendered is archived, whatever comes of that."""
        error = None
        light = material.changed(warc=None) if isinstance(material, Page) else material
        try:
            row = self._row(found, known | self._judged(found, light))
        except (PageFailed, Died, TimeoutError) as failed:
            error = failed
            row = self._row(found, known | _failure(found, failed))
        if self._warcs is not None and isinstance(material, Page):
            keep_warc(self._warcs, material, row)
        return Outcome(row=row, error=error)

    def _opened(self, found: Input) -> Page | Raw:
        options, largest = self._options, self._options.render.max_bytes
        if is_address(found.source):
            if not options.browser:
                raise PageFailed(found.source, "an address needs the browser; save the page and give the file")
            return self._browser.open(found.source)
        if found.url and is_packed(found.source):
            if not options.browser:
                return raw_at(found.source, found.url, found.place, largest=largest)
            return self._browser.open(page_at(found.source, found.url, found.place, largest=largest))
        if options.browser and not _is_saved_file(found.source):
            return self._browser.open(found.source)
        data = read_file(found.source, max_bytes=largest, timeout=options.render.timeout)
        seen = options.browser
        return Raw(data=data, name=found.source, url=None, encoding=None, limit=largest, geometry=seen)

    def _judged(self, found: Input, material: Page | Raw) -> dict[str, Any]:
        keep = self._kept_at(found) if isinstance(material, Page) else None
        seconds = self._options.render.timeout
        return self._judges.run(analyse, material, self._analysis, keep, seconds=seconds)

    def _kept_at(self, found: Input) -> Path | None:
        if self._pages is None:
            return None
        path = page_path(self._pages, found.id)
        with disk_named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _row(self, found: Input, known: Mapping[str, Any]) -> Row:
        own: dict[str, Any] = {"id": found.id, "source": found.source, "url": found.url or None}
        if is_address(found.source):
            own["url"] = found.source
        told = {"finished": time.time(), "blocksight": VERSION, "options": self._digest}
        return whole_row(own | told | dict(known))


def page_path(folder: Path, identity: str) -> Path:
    """Return where the page of an input is kept: a folder a two digits, as folders of a million files are slow."""
    return folder / identity[:2] / f"{identity}.page"


def _is_saved_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return is_saved(file.read(ID_LENGTH * 2))
    except (OSError, ValueError):
        return False


def _failure(found: Input, error: Exception) -> dict[str, Any]:
    """Return the columns that say what went wrong."""
    status = getattr(error, "status", 0) or None
    why = error.why if isinstance(error, PageFailed) else str(error)
    if isinstance(error, NoText):
        kind = EMPTY
    elif isinstance(error, Died):
        kind, why = DIED, f"the process that read it died {TRIES} times, perhaps of its size"
    else:
        kind = error_kind(error)
    if kind == FAULT and not isinstance(error, BlocksightError):
        why = f"{type(error).__name__}: {error}"
    told = {"error_kind": kind, "error": why.removeprefix(f"{found.source}: ")}
    return told | ({"status": status} if status else {})
