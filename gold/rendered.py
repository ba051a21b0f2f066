"""Pages of a corpus, rendered once and kept in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from ..classify.corpora import GoldPage
from ..render.browser import Browser
from ..render.errors import BlocksightError, BrowserMissing
from ..render.network.loopback import serve_folder
from ..render.options import RenderOptions
from ..render.page import Page
from ..render.store import has_screenshot, save

#: A saved page shows what was saved with it: nothing is fetched.
OFFLINE = RenderOptions(offline=True, allow_private=True, timeout=20.0)


def saved_path(folder: Path, gold: GoldPage) -> Path:
    """Where a rendered page of a corpus is kept."""
    return folder / gold.corpus / f"{gold.id.replace('/', '_')}.page"


def missing_pages(pages: Sequence[GoldPage], folder: Path, *, screenshot: bool = False) -> list[GoldPage]:
    """Return the pages that are not yet in the folder, or, where a picture is wanted, there without one."""
    return [gold for gold in pages if not _is_kept(saved_path(folder, gold), screenshot=screenshot)]


def render_missing(
    pages: Sequence[GoldPage],
    folder: Path,
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    at_once: int = 1,
    done: Callable[[GoldPage, str], None],
) -> None:
    """Render pages that are not yet in the folder.

    Parameters
    ----------
    pages : sequence of GoldPage
    folder : Path
        Keeps the pages, each under its corpus; a run that was ended goes on where it was.
    options : RenderOptions
        Offline by default.
    executable : path, optional
        The browser's program.
    at_once : int
        Pages rendered at the same time.
    done : callable
        Told of each page as it is done, with the reason of its failure or "".
    """
    missing = missing_pages(pages, folder, screenshot=options.screenshot != "")
    if not missing:
        return
    with ExitStack() as stack:
        browser = stack.enter_context(Browser(executable, pages=at_once, options=options))
        sites = sorted({gold.folder for gold in missing if gold.url_path})
        served = {folder: stack.enter_context(serve_folder(folder)) for folder in sites}
        threads = stack.enter_context(ThreadPoolExecutor(at_once))
        stack.callback(partial(threads.shutdown, cancel_futures=True))
        begun = {
            threads.submit(_keep, browser, gold, served.get(gold.folder, ""), saved_path(folder, gold)): gold
            for gold in missing
        }
        for future in as_completed(begun):
            done(begun[future], future.result())


def _keep(browser: Browser, gold: GoldPage, address: str, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        save(open_page(browser, gold, address), path)
    except BrowserMissing:
        raise
    except BlocksightError as error:
        return str(error)
    return ""


def open_page(browser: Browser, gold: GoldPage, address: str) -> Page:
    """Render a page of a corpus; sites kept as a whole are served at ``address``."""
    if gold.url_path:
        return browser.open(address + gold.url_path)
    url = gold.url if gold.url and gold.url.startswith("http") else None
    return browser.open(gold.path.read_bytes(), url=url, encoding=gold.encoding)


def _is_kept(path: Path, *, screenshot: bool) -> bool:
    return path.exists() and (not screenshot or has_screenshot(path))
