"""Pages of a corpus as raw HTML says them, or rendered once, offline, and kept in a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from ..errors import BlocksightError, BrowserMissing
from ..page.page import Page
from ..page.parse import parse
from ..page.store import has_screenshot, load, save
from ..render.browser import Browser
from ..render.network.local_server import serve_folder
from ..render.render_options import RenderOptions
from ..render.sources.sources import check_not_empty
from .pages import SAVED, GoldPage

#: A saved page shows what was saved with it: nothing is fetched.
OFFLINE = RenderOptions(offline=True, allow_private=True, timeout=20.0)


def read_page(gold: GoldPage, rendered: Path | None = None) -> Page:
    """Parse the raw HTML of a page, or load it as it was rendered.

    Parameters
    ----------
    gold : GoldPage
    rendered : Path, optional
        The folder that keeps rendered pages (:func:`render_missing`); without one, raw HTML is parsed.

    Raises
    ------
    PageFailed
        When its file cannot be read, or holds no page.
    PageUnreadable
        When there is no such rendered page, or it is damaged.
    """
    if rendered is not None:
        return load(saved_path(rendered, gold))
    name = gold.url or gold.path.name
    return parse(check_not_empty(gold.raw(), name=name), url=name, encoding=gold.encoding)


def saved_path(folder: Path, gold: GoldPage) -> Path:
    """Where a rendered page of a corpus is kept; one that was saved as it was rendered is where it is."""
    if gold.path.suffix == SAVED:
        return gold.path
    return folder / gold.corpus / f"{gold.file_name}.page"


def missing_pages(pages: Sequence[GoldPage], folder: Path, *, screenshot: bool = False) -> list[GoldPage]:
    """Return the usable pages that are not yet in the folder, or, where a picture is wanted, there without one."""
    return [gold for gold in pages if not gold.error and not _is_kept(saved_path(folder, gold), screenshot=screenshot)]


def _is_kept(path: Path, *, screenshot: bool) -> bool:
    return path.exists() and (not screenshot or has_screenshot(path))


def render_missing(
    pages: Sequence[GoldPage],
    folder: Path,
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    at_once: int = 1,
    done: Callable[[GoldPage, str, float], object],
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
        Is called with each page as it is done, the reason of its failure or "", and the seconds that it took.

    Raises
    ------
    BrowserMissing
        When there is no browser.
    OSError
        When nothing can be written to the folder.
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
            done(begun[future], *future.result())


def _keep(browser: Browser, gold: GoldPage, address: str, path: Path) -> tuple[str, float]:
    start = time.perf_counter()
    try:
        page = open_gold(browser, gold, address)
    except BrowserMissing:
        raise
    except BlocksightError as error:
        return str(error), time.perf_counter() - start
    seconds = time.perf_counter() - start
    path.parent.mkdir(parents=True, exist_ok=True)
    save(page, path)
    return "", seconds


def open_gold(browser: Browser, gold: GoldPage, address: str = "", *, options: RenderOptions | None = None) -> Page:
    """Render a page of a corpus.

    Parameters
    ----------
    browser : Browser
    gold : GoldPage
    address : str
        Where the folder of the corpus is served, for sites kept as a whole.
    options : RenderOptions, optional
        Instead of the browser's.

    Raises
    ------
    PageFailed
        When it cannot be had.
    """
    if gold.url_path:
        return browser.open(address + gold.url_path, options=options)
    url = gold.url if gold.url and gold.url.startswith("http") else None
    return browser.open(gold.raw(), url=url, encoding=gold.encoding, options=options)
