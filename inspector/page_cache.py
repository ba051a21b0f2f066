"""Pages of items: rendered once with a screenshot, saved in a folder, and read from there later."""

from __future__ import annotations

import io
import threading
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ..errors import PageFailed
from ..gold.pages import SAVED
from ..gold.rendered import open_gold
from ..page.page import Page
from ..page.store import has_screenshot, load, save
from ..render.browser import Browser
from ..render.network.local_server import serve_folder
from ..render.render_options import RenderOptions
from ..segment.pictures.page_picture import opened_screenshot
from .items import InspectorItem

#: Pages in memory.
_CACHED = 6
#: Height of a tile, in pixels.
TILE = 1024
#: Screenshots in memory: a page of 30,000 pixels takes a hundred megabytes.
_CACHED_SCREENSHOTS = 2


class PageCache(ExitStack):
    """Opens pages, and saves rendered ones as ``ID.page``; use it as a context manager."""

    def __init__(self, folder: Path, options: RenderOptions, executable: str | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._options = replace(options, screenshot="full")
        self._browser = Browser(executable, pages=2, options=self._options)
        self.callback(self._browser.close)
        self._served: dict[Path, str] = {}
        self._opened = lru_cache(_CACHED)(self._open)
        self._render_lock = threading.Lock()

    def page(self, item: InspectorItem) -> Page:
        """Return the page of an item, from memory, from the folder, or from its source.

        Raises PageFailed if it cannot be opened or was saved without geometry, PageUnreadable if a saved page is
        damaged, BrowserMissing if it must be rendered without a browser.
        """
        return self._opened(item)

    def _open(self, item: InspectorItem) -> Page:
        path = self._folder / f"{item.id}{SAVED}"
        with self._render_lock:  # concurrent requests do not render a page twice
            if path.exists() and has_screenshot(path):
                return load(path)
            page = self._render(item)
            if page.geometry is None:
                raise PageFailed(page.url, "this page was saved without geometry; render it again")
            if not item.source.endswith(SAVED):
                self.keep(item, page)
            return page

    def keep(self, item: InspectorItem, page: Page) -> None:
        """Save a page if it is not saved yet: labels can then be used for training later."""
        path = self._folder / f"{item.id}{SAVED}"
        if not path.exists() or (page.screenshot is not None and not has_screenshot(path)):
            self._folder.mkdir(parents=True, exist_ok=True)
            save(page.replace(mhtml=None), path)

    def _render(self, item: InspectorItem) -> Page:
        gold = item.gold
        if gold is None or item.source.endswith(SAVED):
            return self._browser.open(item.source)
        # Offline, with the resources of the corpus: whole sites are served.
        offline = replace(self._options, offline=True, allow_private=True)
        if gold.url_path and gold.folder not in self._served:
            self._served[gold.folder] = self.enter_context(serve_folder(gold.folder))
        return open_gold(self._browser, gold, self._served.get(gold.folder, ""), options=offline)


class Tiles:
    """Screenshots in tiles, each encoded again: only pixels of a file reach the browser."""

    def __init__(self) -> None:
        self._image = lru_cache(_CACHED_SCREENSHOTS)(lambda page: opened_screenshot(page).convert("RGB"))

    def size(self, page: Page) -> tuple[int, int] | None:
        """Return width and height of the screenshot, None for a page without one."""
        return None if page.screenshot is None else self._image(page).size

    def tile(self, page: Page, number: int) -> bytes | None:
        """Return one tile as a PNG, counted from the top; None if there is none."""
        if page.screenshot is None:
            return None
        image = self._image(page)
        top = number * TILE
        if not 0 <= top < image.height:
            return None
        part = image.crop((0, top, image.width, min(top + TILE, image.height)))
        out = io.BytesIO()
        part.save(out, "PNG", compress_level=1)
        return out.getvalue()
