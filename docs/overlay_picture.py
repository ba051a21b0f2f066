"""Make the README's picture: a page with its content tinted, and next to it the Markdown that comes out.

python docs/overlay_picture.py docs/overlay.png
"""

from __future__ import annotations

import argparse
import base64
import io
import tempfile
from html import escape
from pathlib import Path

import blocksight as bs
from blocksight.render.network.local_server import serve_folder
from blocksight.segment.pictures.page_picture import opened_screenshot
from PIL import Image, ImageDraw

PAGE = Path(__file__).parent.parent / "fixtures" / "magazine"
SHEET = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: #e9e9e6; width: 1500px; display: grid; grid-template-columns: 860px 1fr; gap: 24px;
  padding: 24px; box-sizing: border-box }}
img {{ width: 860px; display: block; border-radius: 8px; box-shadow: 0 2px 12px #0003 }}
pre {{ margin: 0; background: #1f2428; color: #e4e8eb; border-radius: 8px; padding: 20px 22px; white-space: pre-wrap;
  font: 15px/1.62 "DejaVu Sans Mono", monospace; overflow-wrap: anywhere;
  box-shadow: 0 2px 12px #0003; overflow: hidden }}
</style><img src="data:image/png;base64,{picture}"><pre>{markdown}</pre>"""


def tinted(page: bs.Page) -> bytes:
    """Return the screenshot of a page as PNG, its content tinted green, the rest red."""
    picture = opened_screenshot(page).convert("RGB")
    canvas = ImageDraw.Draw(picture, "RGBA")
    for block in bs.extract(page, blocks="all").all_blocks:
        if block.box is not None:
            (x, y, width, height), color = block.box, "#008c3c" if block.kept else "#be2828"
            corners = (x - 2, y - 2, x + width + 2, y + height + 2)
            canvas.rectangle(corners, fill=f"{color}46", outline=color, width=2)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    wanted = parser.parse_args().output
    options = bs.RenderOptions(screenshot="full", allow_private=True)
    with bs.Browser(options=options) as browser, serve_folder(PAGE) as address:
        page = browser.open(f"{address}/page.html")
        drawn = tinted(page)
        markdown = bs.extract(page).markdown.replace(f"{address}/", "")
        sheet = SHEET.format(picture=base64.b64encode(drawn).decode(), markdown=escape(markdown))
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "sheet.html").write_text(sheet, encoding="utf-8")
            picture = browser.open(
                Path(folder) / "sheet.html", options=bs.RenderOptions(screenshot="full", viewport=(1500, 800))
            )
    assert picture.screenshot is not None
    with Image.open(io.BytesIO(picture.screenshot)) as whole:
        whole.convert("P", palette=Image.Palette.ADAPTIVE, colors=256).save(wanted, optimize=True)


if __name__ == "__main__":
    main()
