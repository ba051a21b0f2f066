"""From sheets to frozen pages: rendered once with a picture, kept in a folder, and read from there ever after."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ..errors import PageFailed
from ..gold.pages import SAVED, GoldPage
from ..gold.rendered import open_gold
from ..page.page import Page
from ..page.store import has_screenshot, load, save
from ..render.browser import Browser
from ..render.network.local_server import serve_folder
from ..render.render_options import RenderOptions
from .items import Item

#: Pages that are held in memory.
HELD = 6


class PageCache(ExitStack):
    """Opens pages; use it as a context manager.

    Parameters
    ----------
    folder : Path
        Keeps rendered pages, ``ID.page`` each.
    options : RenderOptions
        Pages get a screenshot in any case.
    executable : str, optional
        The browser's program.
    """

    def __init__(self, folder: Path, options: RenderOptions, executable: str | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._options = replace(options, screenshot="full")
        self._browser = Browser(executable, pages=2, options=self._options)
        self.callback(self._browser.close)
        self._served: dict[Path, str] = {}
        self._held: OrderedDict[str, Page] = OrderedDict()
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def page(self, sheet: Item) -> Page:
        """Return the page of a sheet, from memory, from the folder, or from its source.

        Raises
        ------
        PageFailed
            When it cannot be had, or was saved without geometry.
        PageUnreadable
            When a saved page is damaged.
        BrowserMissing
            When it must be rendered and there is no browser.
        """
        with self._lock:
            if sheet.id in self._held:
                self._held.move_to_end(sheet.id)
                return self._held[sheet.id]
        page = self._opened(sheet)
        with self._lock:
            self._held[sheet.id] = page
            while len(self._held) > HELD:
                self._held.popitem(last=False)
        return page

    def _opened(self, sheet: Item) -> Page:
        kept = self._folder / f"{sheet.id}{SAVED}"
        with self._turn:  # two that ask for the same page do not render it twice
            if kept.exists() and has_screenshot(kept):
                return load(kept)
            page = self._rendered(sheet)
            if page.geometry is None:
                raise PageFailed(page.url, "this page was saved without geometry; render it again")
            if not sheet.source.endswith(SAVED):
                self.keep(sheet, page)
            return page

    def keep(self, sheet: Item, page: Page) -> None:
        """Put a page into the folder, where it is not there yet: what is labelled can be learned from later."""
        kept = self._folder / f"{sheet.id}{SAVED}"
        if not kept.exists() or (page.screenshot is not None and not has_screenshot(kept)):
            self._folder.mkdir(parents=True, exist_ok=True)
            save(page.replace(mhtml=None), kept)

    def _rendered(self, sheet: Item) -> Page:
        if sheet.gold is None or sheet.source.endswith(SAVED):
            return self._browser.open(sheet.source)
        return self._of_corpus(sheet.gold)

    def _of_corpus(self, gold: GoldPage) -> Page:
        """Render a page of a corpus, which shows what was saved with it: sites kept as a whole are served."""
        offline = replace(self._options, offline=True, allow_private=True)
        if gold.url_path and gold.folder not in self._served:
            self._served[gold.folder] = self.enter_context(serve_folder(gold.folder))
        return open_gold(self._browser, gold, self._served.get(gold.folder, ""), options=offline)
