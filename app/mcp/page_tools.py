"""The tools of the MCP server: each opens a page and returns text, values or a picture, within limits."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from ...document.map.page_map import letter
from ...errors import PageFailed
from ...page.page import Page
from ...render.sources.sources import RawPage, demand_web_address
from ..page_runner import PageRunner

T = TypeVar("T")

#: Pages that are kept, and for how many seconds: a map and the picture of one of its regions are of the same page.
_KEPT, _SECONDS = 8, 300.0
#: Most tokens of an answer, most records, blocks and passages of hidden text, and most characters of a block.
MOST_TOKENS, _MOST_RECORDS, _MOST_BLOCKS, _MOST_PASSAGES, _BLOCK = 20_000, 200, 300, 50, 200
#: Most pixels of a picture.
_MOST_PIXELS = 20_000_000
_BOX = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s+(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)\s*")


class PageTools:
    """The tools of a server, with the pages that were opened last."""

    def __init__(self, runner: PageRunner) -> None:
        self._runner = runner
        self._pages: OrderedDict[str, tuple[float, Page | RawPage]] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, url: str, task: Callable[..., T], *arguments: Any, fresh: bool = False) -> T:
        """Return the result of a task on a page, which runs in a worker process within the timeout of a page."""
        return self._runner.work(self._open(url, fresh=fresh), task, *arguments)

    def _open(self, url: str, *, fresh: bool) -> Page | RawPage:
        demand_web_address(url)
        with self._lock:
            opened, page = self._pages.get(url, (0.0, None))
        if page is not None and not fresh and time.monotonic() - opened < _SECONDS:
            return page
        page = self._runner.open(url)
        with self._lock:
            self._pages[url] = time.monotonic(), page
            self._pages.move_to_end(url)
            while len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        return page


def extract_markdown(page: Page, tokens: int) -> str:
    """Return the content as Markdown, and a note about hidden text that addresses language models."""
    from ...document.extract import extract

    document = extract(page)
    text = document.within(_within(tokens)).markdown
    count = len(document.hidden.instructions)
    note = f"\n\n[{count} hidden passages that read as instructions were left out]" if count else ""
    return (text or "[no main text found]") + note


def map_text(page: Page, tokens: int, within: str, only: Literal["", "controls"]) -> str:
    """Return the map of a page, or of a part of it."""
    from ...document.map.map_builder import page_map

    return page_map(page, within=within, only=only).to_text(tokens=max(_within(tokens), 100))


def page_records(page: Page, kind: Literal["content", "all"]) -> list[dict[str, Any]]:
    """Return the record sets of a page, without navigation unless ``kind`` is "all"."""
    from ...document.records.record_sets import page_records as found_records

    sets = [one.to_dict() for one in found_records(page).sets if kind == "all" or one.kind != "navigation"]
    for one in sets:
        for record in one["records"]:
            record.pop("html", None)
        del one["records"][_MOST_RECORDS:]
    return sets


def page_metadata(page: Page) -> dict[str, Any]:
    """Return the metadata of a page."""
    from ...page.metadata.metadata import metadata

    return metadata(page).to_dict()


def hidden_text(page: Page) -> dict[str, Any]:
    """Return the report of hidden text."""
    from ...document.hidden_report import hidden_report

    report = hidden_report(page).to_dict()
    return report | {"passages": report["passages"][:_MOST_PASSAGES]}


def locate_quote(page: Page, quote: str) -> list[list[float]]:
    """Return the boxes of a quotation from the content."""
    from ...document.extract import extract

    return [list(box) for box in extract(page).locate(quote)]


def page_blocks(page: Page, pdoc: int) -> list[dict[str, Any]]:
    """Return the blocks with text: box, text."""
    import numpy as np

    from ...segment.vips.vips import vips

    blocks = vips(page, pdoc=pdoc or "auto")
    found = []
    for row in np.unique(blocks.leaf_block[blocks.leaf_block >= 0])[:_MOST_BLOCKS].tolist():
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in np.flatnonzero(blocks.leaf_block == row)).split())
        found.append({"box": [round(float(value), 1) for value in blocks.box[row]], "text": text[:_BLOCK]})
    return found


def picture(page: Page, region: str, marks: bool) -> bytes:
    """Return a PNG of the page, or of a region: a letter of its map, or "left,top width×height" in CSS pixels."""
    import io

    from PIL import Image

    from ...document.map.map_builder import page_map
    from ...document.map.map_marks import draw_marks
    from ...segment.pictures.page_picture import page_picture

    found = page_map(page)
    image: Image.Image = Image.open(io.BytesIO(draw_marks(page, found) if marks else page_picture(page)[0]))
    scale = image.width / max(found.size[0], 1.0)
    corners = [value * scale for value in _corners(page, [one.box for one in found.regions], region)]
    corners = [max(corners[0], 0), max(corners[1], 0), min(corners[2], image.width), min(corners[3], image.height)]
    if corners[2] - corners[0] < 1 or corners[3] - corners[1] < 1:
        raise PageFailed(page.url, f"the region {region} is outside of the picture")
    image = image.crop((round(corners[0]), round(corners[1]), round(corners[2]), round(corners[3])))
    if image.width * image.height > _MOST_PIXELS:
        image = image.crop((0, 0, image.width, _MOST_PIXELS // image.width))
    out = io.BytesIO()
    image.convert("RGB").save(out, "PNG", optimize=True)
    return out.getvalue()


def _corners(page: Page, boxes: list[tuple[float, float, float, float]], region: str) -> list[float]:
    if not region:
        assert page.geometry is not None
        return [0.0, 0.0, *page.geometry.size]
    letters = [letter(index) for index in range(len(boxes))]
    if match := _BOX.fullmatch(region):
        left, top, width, height = map(float, match.groups())
    elif region.upper() in letters:
        left, top, width, height = boxes[letters.index(region.upper())]
    else:
        why = f"there is no region {region}: take a letter of its map ({', '.join(letters)}) or left,top width×height"
        raise PageFailed(page.url, why)
    return [left, top, left + width, top + height]


def _within(tokens: int) -> int:
    return max(1, min(tokens, MOST_TOKENS))
