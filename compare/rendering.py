"""The pages of a corpus, rendered once, offline, and kept."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path

from ..gold.pages import Case
from ..render.browser import Browser
from ..render.errors import BlocksightError, BrowserMissing
from ..render.network.loopback import serve_folder
from ..render.options import RenderOptions
from ..render.page import Page
from ..render.progress import Progress
from ..render.store import save
from .journal import Journal


def saved_path(out: Path, case: Case, folder: str = "pages") -> Path:
    """Where a rendered page is kept; names that would be the same as files differ by a checksum."""
    plain = re.sub(r"[^\w.-]+", "_", case.id)[:80]
    return out / folder / f"{plain}-{zlib.crc32(case.id.encode()):08x}.page"


def render_missing(
    corpus: Path,
    out: Path,
    cases: Sequence[Case],
    journal: Journal,
    progress: Progress,
    *,
    workers: int = 1,
    executable: str | None = None,
) -> None:
    """Render the pages that are not there yet, offline, and note how long each took or why it failed."""
    missing = [
        case
        for case in cases
        if not case.error and not saved_path(out, case).exists() and not _failed_before(journal, case)
    ]
    if not missing:
        return
    progress("rendering", 0, len(missing))
    (out / "pages").mkdir(exist_ok=True)
    with Renderer(corpus, missing, workers, executable) as renderer, ThreadPoolExecutor(workers) as threads:
        futures = [threads.submit(_rendered, renderer, out, case) for case in missing]
        for number, future in enumerate(as_completed(futures), 1):
            journal.add_opened(*future.result())
            progress("rendering", number, len(missing))


def _failed_before(journal: Journal, case: Case) -> bool:
    return bool(journal.opened.get(case.id, {}).get("error"))


def _rendered(renderer: Renderer, out: Path, case: Case) -> tuple[str, float | None, str]:
    start = time.perf_counter()
    try:
        page = renderer.open(case)
    except BrowserMissing:
        raise
    except (BlocksightError, OSError, EOFError) as error:
        return case.id, None, str(error)
    seconds = time.perf_counter() - start
    save(page, saved_path(out, case))
    return case.id, seconds, ""


class Renderer:
    """A browser for the pages of a corpus: offline, sites that are kept as a whole served on 127.0.0.1.

    Parameters
    ----------
    corpus : Path
    cases : sequence of Case
        Those that will be asked for.
    pages : int
        At once.
    executable : str, optional
        The browser's program.
    screenshot : bool
    """

    def __init__(
        self,
        corpus: Path,
        cases: Sequence[Case],
        pages: int = 1,
        executable: str | None = None,
        *,
        screenshot: bool = False,
    ) -> None:
        options = RenderOptions(offline=True, allow_private=True, timeout=20.0, screenshot="full" if screenshot else "")
        self._browser = Browser(executable, pages=pages, options=options)
        self._served = corpus if any(case.url_path for case in cases) else None
        self._stack = ExitStack()
        self._address = ""

    def __enter__(self) -> Renderer:
        if self._served is not None:
            self._address = self._stack.enter_context(serve_folder(self._served))
        self._stack.enter_context(self._browser)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def open(self, case: Case) -> Page:
        """Render a page of the corpus; :meth:`~blocksight.render.browser.Browser.open` tells what may go wrong."""
        if case.url_path:
            return self._browser.open(self._address + case.url_path)
        url = case.url if case.url and case.url.startswith("http") else None
        return self._browser.open(case.raw(), url=url, encoding=case.encoding)
