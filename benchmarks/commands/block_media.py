"""Cost and effect of blocking media while rendering."""

from __future__ import annotations

import io
import itertools
import os
import re
import tempfile
from functools import lru_cache, partial
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.render.network.local_server import QuietHandler, serve
from common import folder_argument, html_files, respond
from PIL import Image

from .rendering import cpu_and_wall

FULL = bs.RenderOptions(offline=True, allow_private=True)
BLOCKED = bs.RenderOptions(offline=True, allow_private=True, block=("image", "media", "ping"))
WAYS = {"full": FULL, "full again": FULL, "blocked": BLOCKED}
USUAL_SIZE = (800, 500)
_IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"<source\b[^>]*>", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\s(?:src|srcset|data-src|data-srcset|sizes)\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE
)


@lru_cache(maxsize=200)
def photograph(width: int, height: int) -> bytes:
    """Return a JPEG of coarse noise."""
    noise = np.random.default_rng(width * height).integers(0, 255, (height // 8 + 1, width // 8 + 1, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC).save(file, "JPEG", quality=85)
    return file.getvalue()


def with_local_pictures(html: str) -> str:
    """Return a page whose pictures are served locally, each at an address of its own."""
    count = itertools.count()

    def replaced(match: re.Match[str]) -> str:
        tag = match[0]
        if not _ADDRESS.search(tag):
            return tag
        sides = [re.search(rf"\s{side}\s*=\s*[\"']?(\d+)(?:px)?[\"'\s/>]", tag, re.I) for side in ("width", "height")]
        declared = [min(int(side[1]), 2000) for side in sides if side]
        width, height = (2 * side for side in declared) if len(declared) == 2 and all(declared) else USUAL_SIZE
        return _ADDRESS.sub("", tag).replace("<img", f'<img src="/picture/{width}x{height}/{next(count)}.jpg"', 1)

    return _IMG.sub(replaced, _SOURCE.sub("", html))


class PictureSite(QuietHandler):
    """Serves the pages of a folder and generated pictures; counts bytes."""

    folder = Path()
    sent = 0

    def do_GET(self) -> None:
        """Respond."""
        if match := re.match(r"/picture/(\d+)x(\d+)/", self.path):
            kind, body = "image/jpeg", photograph(int(match[1]), int(match[2]))
        else:
            path = self.folder / Path(self.path).name
            kind, body = "text/html; charset=utf-8", path.read_bytes() if path.is_file() else b""
        respond(self, kind, body)
        type(self).sent += len(body)


def moved_share(one: bs.Page, other: bs.Page) -> float:
    """Return the share of lines that moved by more than a pixel; 1 if the pages have other nodes or lines."""
    if one.geometry is None or other.geometry is None or len(one) != len(other):
        return 1.0
    before, after = one.geometry.line_box, other.geometry.line_box
    if before.shape != after.shape:
        return 1.0
    return float((np.abs(before - after).max(axis=1, initial=0) > 1).mean()) if len(before) else 0.0


@click.command()
@folder_argument
@click.option("--limit", default=30)
def block_media(folder: Path, limit: int) -> None:
    """Measure what blocking images, media and pings saves and changes, on saved pages with generated pictures.

    FOLDER holds HTML files. Their pictures are replaced by photographs of noise on 127.0.0.1, of twice the declared
    size (800 by 500 without one). Each page is rendered three times, in turn: twice in full and once blocked.
    Printed are sums of CPU and wall time and of bytes, the share of lines that move by more than a pixel, and of pages
    whose extracted text differs: between full and full, which is chance, and between full and blocked.
    """
    files = html_files(folder, limit)
    costs: dict[str, list[tuple[float, float, int]]] = {name: [] for name in WAYS}
    changes: dict[str, list[tuple[float, bool]]] = {name: [] for name in list(WAYS)[1:]}
    with tempfile.TemporaryDirectory() as temporary, bs.Browser(pages=1, options=FULL) as browser:
        PictureSite.folder = Path(temporary)
        for path in files:
            html = with_local_pictures(path.read_text(encoding="utf-8", errors="replace"))
            (PictureSite.folder / path.name).write_text(html, encoding="utf-8")
        with serve(PictureSite) as address:
            browser.open(f"{address}/{files[0].name}")
            for number, path in enumerate(files):
                pages: dict[str, bs.Page] = {}
                for name in list(WAYS)[:: 1 if number % 2 else -1]:
                    before = PictureSite.sent
                    step = partial(browser.open, f"{address}/{path.name}", options=WAYS[name])
                    cpu, wall, pages[name] = cpu_and_wall(step)
                    costs[name].append((cpu, wall, PictureSite.sent - before))
                texts = {name: bs.extract(page).text for name, page in pages.items()}
                for name, rows in changes.items():
                    rows.append((moved_share(pages["full"], pages[name]), texts["full"] != texts[name]))
    print(f"{len(files)} pages, load {os.getloadavg()[0]:.1f}; sums of CPU and wall seconds, MB")
    for name, triples in costs.items():
        cpu, wall, sent = np.sum(triples, axis=0).tolist()
        print(f"  {name:10} CPU {cpu:.1f}  wall {wall:.1f}  {sent / 1e6:.1f} MB")
    for name, rows in changes.items():
        moved, texts_differ = np.asarray(rows, dtype=np.float64).T
        print(
            f"  full and {name}: lines that move {moved.mean():.3f} (mean over pages), pages on which any does"
            f" {(moved > 0).mean():.2f}, pages of other text {texts_differ.mean():.2f}"
        )
