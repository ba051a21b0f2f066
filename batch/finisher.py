"""From a page to its row: judged by a process that can be ended, kept where that is wanted, without a browser."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from ..classify.systems import as_system
from ..errors import BrowserMissing, PageFailed, RunStopped
from ..page.page import Page
from ..processes.pool import Judges
from ..processes.time_limited import Died
from ..render.sources.raw import Raw
from .batch_options import BatchOptions
from .extract_row import Analysis, analyse, warm
from .opener import OpenedInput
from .outcome import Outcome, failed, outcome
from .output.shards import disk_named
from .output.stored_page import keep_warc
from .sources.inputs import Input


class Finisher(ExitStack):
    """Judges pages, several at once, each in the thread that asks.

    Use it as a context manager, and enter it before other threads are started: then its processes are copies of this
    one, and begin at once.

    Parameters
    ----------
    options : BatchOptions
    count : int
        Processes.
    pages : Path, optional
        The folder to keep rendered pages in.
    warcs : Path, optional
        The folder to keep archives in.
    copied : bool
        False has all processes begin from nothing: where this one has threads that Python does not know.
    """

    def __init__(
        self,
        options: BatchOptions,
        count: int,
        *,
        pages: Path | None = None,
        warcs: Path | None = None,
        copied: bool = True,
    ) -> None:
        super().__init__()
        self._options = options
        self._digest = options.digest
        self._pages = pages
        self._warcs = warcs
        self._analysis = Analysis(system=as_system(options.system), hidden=options.hidden, images=options.images)
        self._judges = Judges(count, warm, self._analysis, copied=copied)

    def __enter__(self) -> Self:
        self.enter_context(self._judges)
        return self

    def finish(self, opened: OpenedInput) -> Outcome:
        """Judge a page; whatever goes wrong with it is in its row.

        Raises
        ------
        RunStopped
            When what is to be kept cannot be written.
        """
        try:
            return self._finished(opened.input, opened.material, opened.known)
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # the edge of the batch: one page shall not be the end of all others
            return failed(opened.input, opened.known, self._digest, error)

    def _finished(self, found: Input, material: Page | Raw, known: dict[str, Any]) -> Outcome:
        """Judge a page; one that was rendered is archived, whatever comes of that."""
        light = material.replace(warc=None) if isinstance(material, Page) else material
        try:
            result = outcome(found, known | self._judged(found, light), self._digest)
        except (PageFailed, Died, TimeoutError) as error:
            result = failed(found, known, self._digest, error)
        if self._warcs is not None and isinstance(material, Page):
            keep_warc(self._warcs, material, result.row)
        return result

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


def page_path(folder: Path, identity: str) -> Path:
    """Return where the page of an input is kept: a folder a two digits, as folders of a million files are slow."""
    return folder / identity[:2] / f"{identity}.page"
