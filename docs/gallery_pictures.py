"""Make the pictures of the gallery, all of them or those that are named.

python docs/gallery_pictures.py docs/gallery [NAME...]
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import blocksight as bs
from blocksight.inspector.page_file import page_file
from blocksight.inspector.page_view import drawn_blocks
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.segment.methods import segment_page
from blocksight.segment.pictures.page_picture import opened_screenshot
from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    import playwright.sync_api

ROOT = Path(__file__).parent.parent
#: Relative to the root, so that pictures show no path of the computer that makes them.
MAGAZINE = Path("fixtures/magazine/page.html")
LIST = Path("fixtures/layouts/job-list.html")
TUTORIAL = Path(__file__).parent / "tutorials" / "visual-or-dom.md"
#: Colours of roles: content, data about it, other texts, the rest.
COLORS = {"body": "#1a7f37", "title": "#0b5cad", "standfirst": "#0b5cad", "author": "#8a3ffc", "date": "#8a3ffc"}
COLORS |= {"caption": "#b26a00", "note": "#b26a00", "related": "#c2185b", "promotion": "#c2185b"}
OTHER = "#666666"


def run(*words: object) -> None:
    """Run a command of blocksight."""
    subprocess.run([sys.executable, "-m", "blocksight", *map(str, words)], cwd=ROOT, check=True, timeout=300)


def write(picture: Image.Image, path: Path) -> None:
    """Write a picture, at most 900 pixels wide, from the top down to 1,500."""
    if picture.width > 900:
        picture = picture.resize((900, round(picture.height * 900 / picture.width)), Image.Resampling.LANCZOS)
    picture.crop((0, 0, picture.width, min(picture.height, 1500))).convert("RGB").save(path, quality=55, method=6)


def from_command(path: Path, *words: object) -> None:
    """Write the picture that a command writes as PNG behind its last word."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.png"
        run(*words, made)
        with Image.open(made) as picture:
            write(picture, path)


def draw_boxes(path: Path, source: Path, boxes: Callable[[bs.Page], Iterable[tuple[list[float], str, str]]]) -> None:
    """Draw boxes with a colour and a label over the screenshot of a page."""
    with bs.Browser(options=bs.RenderOptions(screenshot="full")) as browser:
        page = browser.open(ROOT / source)
    picture = opened_screenshot(page).convert("RGB")
    canvas = ImageDraw.Draw(picture, "RGBA")
    font = ImageFont.load_default(12)
    for (x, y, width, height), color, label in boxes(page):
        canvas.rectangle((x - 2, y - 2, x + width + 2, y + height + 2), fill=f"{color}22", outline=color, width=2)
        box = canvas.textbbox((x + 2, y - 13), label, font=font)
        canvas.rectangle((box[0] - 2, box[1] - 1, box[2] + 2, box[3] + 1), fill=color)
        canvas.text((x + 2, y - 13), label, font=font, fill="white")
    write(picture, path)


def roles_of(page: bs.Page) -> Iterator[tuple[list[float], str, str]]:
    """Yield the boxes of all blocks with their roles."""
    for block in bs.extract(page, blocks="all").all_blocks:
        if block.box is not None and block.role:
            yield [*map(float, block.box)], COLORS.get(block.role, OTHER), block.role


def content_of(page: bs.Page) -> Iterator[tuple[list[float], str, str]]:
    """Yield the boxes of all blocks, content in green, the rest in red."""
    for block in bs.extract(page, blocks="all").all_blocks:
        if block.box is not None:
            yield [*map(float, block.box)], "#1a7f37" if block.kept else "#be2828", ""


def blocks_of(page: bs.Page, method: str) -> Iterator[tuple[list[float], str, str]]:
    """Yield the boxes of the innermost blocks of a segmentation, with their numbers and degrees of coherence."""
    blocks = segment_page(page, method, 8)
    for number, row in enumerate(drawn_blocks(blocks).tolist()):
        degree = f" · {blocks.doc[row]}" if blocks.doc[row] else ""
        yield blocks.box[row].tolist(), ("#0072b2", "#d55e00", "#009e73", "#cc79a7")[number % 4], f"{number}{degree}"


def records_of(page: bs.Page) -> Iterator[tuple[list[float], str, str]]:
    """Yield the boxes of all records, with their sets and numbers."""
    for number, records in enumerate(bs.extract(page).records):
        color = ("#1a7f37", "#0b5cad", "#c2185b", "#b26a00")[number % 4]
        for place, record in enumerate(records.records, 1):
            if record.box is not None:
                yield [*map(float, record.box)], color, f"{records.kind}: {records.record_type} {place}"


@contextmanager
def window(width: int = 1296, height: int = 810) -> Iterator[playwright.sync_api.Page]:
    """Open an empty page of a browser."""
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if is_root() else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(find_browser().path), args=arguments)
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def shoot(page: playwright.sync_api.Page, path: Path) -> None:
    """Write what the window shows."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.png"
        page.screenshot(path=made)
        with Image.open(made) as picture:
            write(picture, path)


def overlay_html(path: Path) -> None:
    """Write a picture of the inspector's page as a file, with a block picked."""
    with bs.Browser(options=bs.RenderOptions(screenshot="full")) as browser:
        page = replace(browser.open(ROOT / MAGAZINE), url="https://example.org/ferry")
    with tempfile.TemporaryDirectory() as folder, window() as tab:
        made = Path(folder) / "blocks.html"
        made.write_text(page_file(page, color="verdict"), encoding="utf-8")
        tab.goto(made.as_uri())
        tab.wait_for_selector(".bar .faint:not(:empty)")
        tab.mouse.click(400, 560)
        tab.wait_for_selector("#block dl")
        shoot(tab, path)


def report(path: Path) -> None:
    """Write a picture of the report of ten generated pages."""
    script = re.findall(r'^```python title="make_pages.py"\n(.*?)^```$', TUTORIAL.read_text(), re.M | re.S)[0]
    with tempfile.TemporaryDirectory() as folder, window(1100, 1300) as page:
        (Path(folder) / "make_pages.py").write_text(script)
        subprocess.run([sys.executable, "make_pages.py", "pages", "10"], cwd=folder, check=True, timeout=60)
        results = Path(folder) / "results"
        run(
            "evaluate",
            Path(folder) / "pages",
            "--systems",
            "blocksight,blocksight-dom,bte,cetd",
            "--on",
            "both",
            "-o",
            results,
        )
        page.goto((results / "report.html").as_uri())
        shoot(page, path)


def inspector(path: Path) -> None:
    """Write a picture of the inspector, with a block chosen."""
    with tempfile.TemporaryDirectory() as folder, window() as page:
        shutil.copytree((ROOT / MAGAZINE).parent, Path(folder) / MAGAZINE.parent)
        words = ["inspect", str(MAGAZINE), "--no-open", "--port", "0", "-o", "pages"]
        server = subprocess.Popen(
            [sys.executable, "-m", "blocksight", *words], cwd=folder, stderr=subprocess.PIPE, text=True
        )
        try:
            address = next(line.split()[1] for line in server.stderr or () if line.startswith("open "))
            page.goto(address)
            page.get_by_text("eleven people").first.wait_for(timeout=300_000)
            page.wait_for_timeout(3_000)
            for _ in range(9):
                page.keyboard.press("j")
            page.wait_for_timeout(2_000)
            where = page.get_by_text(folder).first  # no path of the computer that makes the picture
            where.evaluate("(element, path) => { element.textContent = path }", MAGAZINE.as_posix())
            shoot(page, path)
        finally:
            server.terminate()
            server.wait(30)


PICTURES: dict[str, Callable[[Path], None]] = {
    "vips": lambda path: draw_boxes(path, MAGAZINE, lambda page: blocks_of(page, "vips")),
    "targets": lambda path: draw_boxes(path, MAGAZINE, lambda page: blocks_of(page, "targets")),
    "content": lambda path: draw_boxes(path, MAGAZINE, content_of),
    "marks": lambda path: from_command(path, "map", MAGAZINE, "--picture"),
    "roles": lambda path: draw_boxes(path, MAGAZINE, roles_of),
    "records": lambda path: draw_boxes(path, LIST, records_of),
    "overlay-html": overlay_html,
    "report": report,
    "inspector": inspector,
}


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PICTURES)}")
    arguments = parser.parse_args()
    for name in arguments.names or PICTURES:
        PICTURES[name](arguments.folder / f"{name}.webp")


if __name__ == "__main__":
    main()
