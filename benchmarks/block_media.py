"""Measure what blocking images, media and pings saves and changes, on saved pages whose images are made to load.

    python benchmarks/block_media.py FOLDER [--limit N]

FOLDER holds HTML files. The addresses of their pictures are exchanged for ones on 127.0.0.1, where photographs of noise
are served, of twice the size that the markup declares (800 by 500 where it declares none). Each page is rendered three
times, by turns: twice in full and once blocked. Printed are the sums of CPU and wall time and of bytes, the share of
boxes that move by more than a pixel, and of pages whose extracted text differs, between full and full and between full
and blocked. The first comparison says how much of the second is chance.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import tempfile
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.render.network.local_server import QuietHandler, serve
from capture import measured
from PIL import Image

FULL = bs.RenderOptions(offline=True, allow_private=True)
BLOCKED = bs.RenderOptions(offline=True, allow_private=True, block=("image", "media", "ping"))
WAYS = {"full": FULL, "full again": FULL, "blocked": BLOCKED}
USUAL = (800, 500)

_PICTURE = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_CHOICE = re.compile(r"<source\b[^>]*>", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\s(?:src|srcset|data-src|data-srcset|sizes)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE
)


@lru_cache(maxsize=200)
def photograph(wide: int, high: int) -> bytes:
    """Return a JPEG of coarse noise."""
    noise = np.random.default_rng(wide * high).integers(0, 255, (high // 8 + 1, wide // 8 + 1, 3), dtype=np.uint8)
    made = io.BytesIO()
    Image.fromarray(noise).resize((wide, high), Image.Resampling.BICUBIC).save(made, "JPEG", quality=85)
    return made.getvalue()


def localised(html: str) -> str:
    """Return a page with other pictures, each with an address of its own."""
    count = iter(range(100_000))

    def exchanged(found: re.Match[str]) -> str:
        tag = found[0]
        if not _ADDRESS.search(tag):
            return tag
        sizes = [re.search(rf"\s{side}\s*=\s*[\"']?(\d+)(?:px)?[\"'\s/>]", tag, re.I) for side in ("width", "height")]
        known = [min(int(one[1]), 2000) for one in sizes if one]
        wide, high = (2 * side for side in known) if len(known) == 2 and all(known) else USUAL
        return _ADDRESS.sub("", tag).replace("<img", f'<img src="/picture/{wide}x{high}/{next(count)}.jpg"', 1)

    return _PICTURE.sub(exchanged, _CHOICE.sub("", html))


class Site(QuietHandler):
    """Serves pages of a folder and made pictures; counts bytes."""

    folder = Path()
    sent = 0

    def do_GET(self) -> None:
        """Answer."""
        if found := re.match(r"/picture/(\d+)x(\d+)/", self.path):
            kind, body = "image/jpeg", photograph(int(found[1]), int(found[2]))
        else:
            path = self.folder / Path(self.path).name
            kind, body = "text/html; charset=utf-8", path.read_bytes() if path.is_file() else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        type(self).sent += len(body)


def moved(one: bs.Page, other: bs.Page) -> float:
    """Return the share of boxes with text in them that stand elsewhere; 1 where the pages have other nodes."""
    if one.geometry is None or other.geometry is None or len(one) != len(other):
        return 1.0
    boxes = [page.geometry.line_box for page in (one, other) if page.geometry is not None]
    if boxes[0].shape != boxes[1].shape:
        return 1.0
    return float((np.abs(boxes[0] - boxes[1]).max(axis=1, initial=0) > 1).mean()) if len(boxes[0]) else 0.0


def opened(browser: bs.Browser, url: str, name: str, pages: dict[str, bs.Page]) -> Callable[[], int]:
    """Return a step that renders a page and keeps it."""

    def run() -> int:
        pages[name] = browser.open(url, options=WAYS[name])
        return len(pages[name])

    return run


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=30)
    given = parser.parse_args()
    files = sorted(given.folder.glob("*.htm*"), key=lambda path: zlib.crc32(path.name.encode()))[: given.limit]
    costs: dict[str, list[tuple[float, float, int]]] = {name: [] for name in WAYS}
    changed: dict[str, list[tuple[float, bool]]] = {name: [] for name in list(WAYS)[1:]}
    with tempfile.TemporaryDirectory() as folder, bs.Browser(pages=1, options=FULL) as browser:
        Site.folder = Path(folder)
        for path in files:
            html = localised(path.read_text(encoding="utf-8", errors="replace"))
            (Site.folder / path.name).write_text(html, encoding="utf-8")
        with serve(Site) as address:
            browser.open(f"{address}/{files[0].name}")
            for number, path in enumerate(files):
                pages: dict[str, bs.Page] = {}
                for name in list(WAYS)[:: 1 if number % 2 else -1]:
                    before = Site.sent
                    cpu, wall, _ = measured(opened(browser, f"{address}/{path.name}", name, pages))
                    costs[name].append((cpu, wall, Site.sent - before))
                texts = {name: bs.extract(page).text for name, page in pages.items()}
                for name, found in changed.items():
                    found.append((moved(pages["full"], pages[name]), texts["full"] != texts[name]))
    print(f"{len(files)} pages, load {os.getloadavg()[0]:.1f}; sums of CPU and wall seconds, MB")
    for name, rows in costs.items():
        cpu, wall, sent = np.sum(rows, axis=0).tolist()
        print(f"  {name:10} CPU {cpu:.1f}  wall {wall:.1f}  {sent / 1e6:.1f} MB")
    for name, found in changed.items():
        share, texts_differ = np.asarray(found, dtype=np.float64).T
        print(
            f"  full and {name}: lines that move {share.mean():.3f} (mean over pages), pages on which any does"
            f" {(share > 0).mean():.2f}, pages of other text {texts_differ.mean():.2f}"
        )


if __name__ == "__main__":
    main()
