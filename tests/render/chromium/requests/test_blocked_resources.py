"""Blocked resources: which requests are answered here, and that no box moves."""

import asyncio
import struct
import zlib
from dataclasses import replace
from typing import Any

import blocksight as bs
import numpy as np
import pytest
from blocksight.render.chromium.requests.interception import BlockedResources
from blocksight.render.network.local_server import serve
from opening import Answering


class Page:
    """A channel to a page of some pictures."""

    def __init__(self, sizes_of_page: Any) -> None:
        self.sizes_of_page, self.asked = sizes_of_page, 0

    async def evaluate(self, expression: str, *, timeout: float) -> Any:
        self.asked += 1
        await asyncio.sleep(0)
        return self.sizes_of_page


def sizes(page, addresses):
    """Ask for all at once, before the document has been parsed."""

    async def run():
        parsed = asyncio.Event()
        blocked = BlockedResources(page, ("image",), parsed.wait)
        asked = asyncio.gather(*(blocked.size(address) for address in addresses))
        await asyncio.sleep(0)
        assert page.asked == 0
        parsed.set()
        return await asked

    return asyncio.run(run())


def test_image_sizes_are_requested_once_after_parsing():
    page = Page([["http://a/1.png#x", "30", "20"], ["http://a/2.png", "5", "6"]])
    wanted = [f"http://a/{number}.png" for number in (1, 2, 3, 3, 3)]
    assert sizes(page, wanted) == [(30, 20), (5, 6), None, None, None]
    assert page.asked == 1


def png(wide: int, high: int) -> bytes:
    """Return a black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(high * (wide + 1))))
        + chunk(b"IEND", b"")
    )


HTML = b"""<!doctype html><style>img { max-width: 200px; height: auto } div { background: url(ground.png) }</style>
<p>before</p><img src=known.png width=400 height=300><p>between</p><img src=unknown.png><p>under</p>
<div>on a ground</div><video src=film.mp4></video><script>navigator.sendBeacon("/beacon", "x");
onload = () => { const late = new Image(400, 100); late.src = "late.png"; document.body.append(late) }</script>
<p>last</p>"""


class Site(Answering):
    """Serves the page and its pictures; notes what it is asked for."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self):
        name = self.path.strip("/")
        self.asked.append(name)
        high = {"known.png": 300, "unknown.png": 60, "ground.png": 10, "late.png": 100}.get(name, 0)
        body = HTML if not name else png(400, high) if high else b""
        self.answer(body, status=200 if body else 404, kind="image/png" if name else "text/html")

    do_POST = do_GET


@pytest.mark.browser
def test_blocked_resources_are_not_loaded(browser):
    options = bs.RenderOptions(allow_private=True, timeout=120.0)
    boxes, asked = [], []
    with serve(Site) as address:
        for block in ((), ("image", "media")):
            Site.asked.clear()
            page = browser.open(address, options=replace(options, block=block))
            boxes.append(page.geometry.box)
            asked.append(set(Site.asked) - {"favicon.ico"})
    # A beacon changes nothing: it is never sent.
    assert asked[0] == {"", "known.png", "unknown.png", "ground.png", "late.png", "film.mp4"}
    assert asked[1] == {"", "unknown.png", "ground.png"}
    np.testing.assert_array_equal(*boxes)


@pytest.mark.parametrize("shown", [{"screenshot": "full"}, {"mhtml": True}])
def test_blocked_images_exclude_screenshots_and_archives(shown):
    with pytest.raises(ValueError, match="choose one of them"):
        bs.RenderOptions(block=("image",), **shown)
