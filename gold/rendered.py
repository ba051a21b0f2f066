"""Pages of a corpus: parsed from raw HTML, or rendered once, offline, and saved in a folder."""

from __future__ import annotations

import os
import re
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

#: Nothing is fetched: a page of a corpus has only the resources that were saved with it.
OFFLINE = RenderOptions(offline=True, allow_private=True, timeout=20.0)

_STYLE = re.compile(rb"<style\b[^>]*>(.*?)</style|\bstyle\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE | re.DOTALL)
#: A page with less inline style, and without files of its own, is not rendered for its style: few such pages have the
#: look that a visitor sees.
_LEAST_STYLE = 20_000


def style_bytes(html: bytes) -> int:
    """Count the bytes of style sheets and style attributes in a page's HTML."""
    return sum(len(sheet) + len(attribute) for sheet, attribute in _STYLE.findall(html))


def may_be_styled(gold: GoldPage) -> bool:
    """Decide whether rendering a page offline may show style: its site is kept, or it contains style itself."""
    return bool(gold.url_path) or gold.path.suffix == SAVED or style_bytes(gold.raw()) >= _LEAST_STYLE


def read_page(gold: GoldPage, rendered: Path | None = None) -> Page:
    """Parse the raw HTML of a page, or load it from the folder of rendered pages.

    Raises PageFailed if its file cannot be read or holds no page, PageUnreadable if the rendered page is missing or
    damaged.
    """
    if rendered is not None:
        return load(saved_path(rendered, gold))
    name = gold.url or gold.path.name
    return parse(check_not_empty(gold.raw(), name=name), url=name, encoding=gold.encoding)


def saved_path(folder: Path, gold: GoldPage) -> Path:
    """Return the path of a rendered page of a corpus; a page that was saved as rendered is its own."""
    if gold.path.suffix == SAVED:
        return gold.path
    return folder / gold.corpus / f"{gold.file_name}.page"


def missing_pages(pages: Sequence[GoldPage], folder: Path, *, screenshot: bool = False) -> list[GoldPage]:
    """Return the usable pages that are missing in the folder, or stored there without a required screenshot."""
    paths = ((gold, saved_path(folder, gold)) for gold in pages if not gold.error)
    return [gold for gold, path in paths if not path.exists() or (screenshot and not has_screenshot(path))]


def render_missing(
    pages: Sequence[GoldPage],
    folder: Path,
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    at_once: int = 1,
    done: Callable[[GoldPage, str, float], object],
) -> None:
    """Render the pages that are missing in a folder, ``at_once`` at a time, and save them there, each under its corpus.

    ``done`` is called for each page with the reason of its failure or "", and the seconds taken. Raises BrowserMissing
    if there is no browser, and OSError if the folder cannot be written.
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
        futures = {
            threads.submit(_render, browser, gold, served.get(gold.folder, ""), saved_path(folder, gold)): gold
            for gold in missing
        }
        for future in as_completed(futures):
            done(futures[future], *future.result())


def _render(browser: Browser, gold: GoldPage, address: str, path: Path) -> tuple[str, float]:
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
    """Render a page of a corpus; ``address`` is that of the served corpus, for sites that are kept as a whole."""
    if gold.url_path:
        return browser.open(address + gold.url_path, options=options)
    url = gold.url if gold.url and gold.url.startswith("http") else None
    return browser.open(gold.raw(), url=url, encoding=gold.encoding, options=options)
