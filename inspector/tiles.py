"""The picture of a page in tiles, each encoded anew: what reaches the browser is pixels, whatever a file held."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from ..page.page import Page
from ..segment.pictures.screenshot import opened_screenshot

if TYPE_CHECKING:
    from PIL import Image

#: Height of a tile, pixels of the picture.
TILE = 1024
#: Pictures that are held open: a page of 30,000 pixels takes a hundred megabytes.
_HELD = 2


class Tiles:
    """Cuts the screenshots of pages into tiles."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Image.Image] = OrderedDict()
        self._lock = threading.Lock()

    def size(self, identity: str, page: Page) -> tuple[int, int] | None:
        """Return width and height of the picture; None for a page without one."""
        return None if page.screenshot is None else self._picture(identity, page).size

    def tile(self, identity: str, page: Page, number: int) -> bytes | None:
        """Return one tile as a PNG, counted from the top; None where there is none."""
        if page.screenshot is None:
            return None
        picture = self._picture(identity, page)
        top = number * TILE
        if not 0 <= top < picture.height:
            return None
        part = picture.crop((0, top, picture.width, min(top + TILE, picture.height)))
        out = io.BytesIO()
        part.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _picture(self, identity: str, page: Page) -> Image.Image:
        with self._lock:
            if identity not in self._open:
                self._open[identity] = opened_screenshot(page).convert("RGB")
            self._open.move_to_end(identity)
            while len(self._open) > _HELD:
                self._open.popitem(last=False)
            return self._open[identity]
