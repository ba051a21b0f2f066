"""The screenshot of a page in tiles, each encoded again: only pixels of a file reach the browser."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from ..page.page import Page
from ..segment.pictures.screenshot import opened_screenshot

if TYPE_CHECKING:
    from PIL import Image

#: Height of a tile, in pixels.
TILE = 1024
#: Screenshots in memory: a page of 30,000 pixels takes a hundred megabytes.
_CACHED = 2


class Tiles:
    """Tiles of the screenshots of pages."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Image.Image] = OrderedDict()
        self._lock = threading.Lock()

    def size(self, identity: str, page: Page) -> tuple[int, int] | None:
        """Return width and height of the screenshot, None for a page without one."""
        return None if page.screenshot is None else self._image(identity, page).size

    def tile(self, identity: str, page: Page, number: int) -> bytes | None:
        """Return one tile as a PNG, counted from the top; None if there is none."""
        if page.screenshot is None:
            return None
        image = self._image(identity, page)
        top = number * TILE
        if not 0 <= top < image.height:
            return None
        part = image.crop((0, top, image.width, min(top + TILE, image.height)))
        out = io.BytesIO()
        part.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _image(self, identity: str, page: Page) -> Image.Image:
        with self._lock:
            if identity not in self._open:
                self._open[identity] = opened_screenshot(page).convert("RGB")
            self._open.move_to_end(identity)
            while len(self._open) > _CACHED:
                self._open.popitem(last=False)
            return self._open[identity]
