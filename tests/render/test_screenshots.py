"""A picture of the whole page shows every box where the page's geometry has it."""

import io
from contextlib import suppress

import blocksight as bs
import numpy as np
import pytest
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from PIL import Image

pytestmark = pytest.mark.browser

#: The boxes of a page, each with a colour of its own.
COLORS = {"column": (0, 10, 200), "whole": (0, 60, 200), "right": (0, 110, 200), "wide": (0, 160, 200)}
STYLE = "* { margin: 0; padding: 0 } div { height: 20px; position: relative }"
STYLE += "#column { width: 400px; margin: 40px auto } #whole { width: 100% }"
STYLE += " #right { position: fixed; right: 0; top: 300px; width: 50px } #wide { width: 30px }"
STYLE += "@media (min-width: 1280px) { #wide { width: 70px } }"
STYLE += "".join(f"#{name} {{ background: rgb{color} }}" for name, color in COLORS.items())
BOXES = "".join(f"<div id={name}></div>" for name in COLORS) + "<p>The text of the page.</p>"
TALL = "<p style='height: 2000px'></p>"
SCROLLED = (
    "<style>#table, #list { overflow: auto; padding: 3px; border: 2px solid } #list { width: 300px; height: 90px }"
    "</style><section id=table><p style='width: 3000px'>a wide table</p></section>"
    "<section id=list><p style='width: 900px; height: 900px'>a list</p></section>"
)


def page_html(before="", after="", style="", doctype="<!doctype html>"):
    return f"{doctype}<title>Boxes</title><style>{STYLE}{style}</style>{before}{BOXES}{after}".encode()


def differences(page, scale=1.0):
    """Return, by box, those whose pixels are not where the page has the box: (box, pixels)."""
    picture = np.asarray(Image.open(io.BytesIO(page.screenshot)).convert("RGB"))
    column, found = page.attribute("id"), {}
    for name, color in COLORS.items():
        row = next(row for row in (column >= 0).nonzero()[0] if page.strings[column[row]] == name)
        box = page.geometry.box[row]
        rows, columns = (picture == color).all(axis=2).nonzero()
        assert len(rows), f"{name} is not in the picture"
        pixels = np.array([columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1]) / scale
        # A box may have half a pixel; a scrollbar has 15, of which a centred box moves by half.
        if np.abs(pixels - box).max() >= 1:
            found[name] = box.tolist(), pixels.tolist()
    return found


CASES = {
    "tall": page_html(after=TALL),
    "short": page_html(),
    "without a doctype": page_html(after=TALL, doctype=""),
    "from right to left": page_html("<html dir=rtl>", TALL),
    "wider than the window": page_html(after=TALL + "<p style='width: 2000px'>wide</p>"),
    "never scrolled": page_html(after=TALL, style="html { overflow: hidden }"),
    "with a gutter": page_html(after=TALL, style="html { scrollbar-gutter: stable }"),
    "boxes that scroll": page_html(SCROLLED, TALL),
    "boxes of another sizing": page_html(SCROLLED, TALL, style="section { box-sizing: border-box }"),
    "the body scrolls": page_html(after=TALL, style="html { overflow: hidden } html, body { height: 100% }"),
    "an application": page_html(
        "<main>", TALL + "</main>", style="html, body, main { height: 100%; overflow: hidden } main { overflow: auto }"
    ),
}
CASES["the body scrolls"] = CASES["the body scrolls"].replace(b"</style>", b"body { overflow: auto }</style>", 1)


@pytest.mark.parametrize("name", CASES)
def test_boxes_are_where_the_picture_shows_them(browser, name):
    options = bs.RenderOptions(allow_private=True, screenshot="full")
    page = browser.open(CASES[name], options=options)
    assert page.geometry.viewport == (1280, 800)
    assert differences(page) == {}


def test_a_scrollbar_takes_room_of_a_tall_page_only(browser):
    options = bs.RenderOptions(allow_private=True, screenshot="full")
    widths = {}
    for name in ("tall", "short"):
        page = browser.open(CASES[name], options=options)
        widths[name] = page.geometry.size[0], Image.open(io.BytesIO(page.screenshot)).size[0]
    assert widths == {"tall": (1265, 1265), "short": (1280, 1280)}


@pytest.mark.parametrize("given", [{"device_scale": 2.0}, {"javascript": False}, {"screenshot": "viewport"}])
def test_other_pictures(browser, given):
    options = bs.RenderOptions(**({"allow_private": True, "screenshot": "full"} | given))
    for name in ("tall", "boxes that scroll", "an application"):
        assert differences(browser.open(CASES[name], options=options), options.device_scale) == {}


def test_a_picture_leaves_the_page_as_it_was(browser):
    plain = bs.RenderOptions(allow_private=True, mhtml=True)
    pictured = bs.RenderOptions(allow_private=True, mhtml=True, screenshot="full")
    archives = [browser.open(CASES["boxes that scroll"], options=options).mhtml for options in (plain, pictured)]
    assert [b"scrollbar-gutter" in archive for archive in archives] == [False, False]
    assert [b"min-height" in archive for archive in archives] == [False, False]


def picture_of(tab):
    """Take Playwright's picture of a page, which Chromium may refuse while the machine is busy."""
    from playwright.sync_api import Error

    for _ in range(4):
        with suppress(Error):
            return tab.screenshot(full_page=True)
    return tab.screenshot(full_page=True)


@pytest.mark.parametrize("scale", [1, 2])
def test_a_page_of_playwright_with_a_picture_of_playwright(scale):
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if is_root() else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(None).path, args=arguments)
        tab = chromium.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=scale)
        for name in ("tall", "boxes that scroll", "an application"):
            tab.set_content(CASES[name].decode())
            page = bs.capture(tab).replace(screenshot=picture_of(tab))
            assert differences(page, scale) == {}
        chromium.close()
