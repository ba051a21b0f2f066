"""What zoom and a wider window change: on a liquid page less than a twentieth of what a column can be."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import column_names, measure

pytestmark = pytest.mark.browser

WINDOW = (1280, 150)
OPTIONS = bs.RenderOptions(timeout=20.0, allow_private=True)
#: A browser's zoom shows the page in a window of fewer or more CSS pixels.
WINDOWS = {"zoom 50 %": (2560, 300), "zoom 200 %": (640, 75), "twice the width": (2560, 150)}
#: Counted in heights of the window, which the width does not change.
OF_THE_WINDOW = {"first_line_y", "on_first_screen"}
MOST = 0.05


@pytest.fixture(scope="module")
def html(fixtures):
    text = (fixtures / "liquid" / "page.html").read_text()
    # A scrollbar takes the same 15 pixels of every window.
    return text.replace("<html ", '<html class="bare" ').replace(
        "</head>", "<style>.bare { scrollbar-width: none }</style></head>"
    )


def columns(browser, html, window, group):
    page = browser.open(html.encode(), options=replace(OPTIONS, viewport=window))
    assert page.geometry.size[1] > window[1], "a page lower than its window is not liquid"
    return measure(page, groups=(group,)).columns


def changes(first, second):
    """Largest change of each column, relative to its largest value."""
    assert all(np.array_equal(np.isnan(first[name]), np.isnan(second[name])) for name in first)
    return {
        name: np.nanmax(np.abs(second[name] - first[name])) / max(np.nanmax(np.abs(first[name])), 1e-9)
        for name in first
        if np.isfinite(first[name]).any()
    }


@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_visual_columns_type_grows_with_window(browser, html, window):
    growing = html.replace("--unit: 1px", "--unit: 0.078125vw")
    assert growing != html
    found = changes(columns(browser, growing, WINDOW, "visual"), columns(browser, growing, window, "visual"))
    assert set(found) == set(column_names("visual"))
    assert {name: change for name, change in found.items() if change >= MOST and name not in OF_THE_WINDOW} == {}


@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_proportions_text_wraps_otherwise(browser, html, window):
    found = changes(columns(browser, html, WINDOW, "proportion"), columns(browser, html, window, "proportion"))
    assert set(found) == set(column_names("proportion"))
    assert max(found.values()) < MOST


@pytest.mark.parametrize("zoom", [0.5, 2.0])
def test_proportions_css_zoom(browser, html, zoom):
    zoomed = html.replace("<html ", f'<html style="zoom: {zoom}" ')
    found = changes(columns(browser, html, WINDOW, "proportion"), columns(browser, zoomed, WINDOW, "proportion"))
    assert max(found.values()) < MOST


def test_proportions_by_hand(browser):
    style = "margin:0;position:absolute;font:20px/30px monospace;"
    html = (
        f"<body><p style='{style}left:128px;width:640px;top:0'>wwwwww</p>"
        f"<p style='{style}left:128px;width:320px;top:90px;font-size:40px;line-height:60px;color:red'>w</p>"
        f"<p style='{style}display:none'>unseen</p>"
    )
    found = measure(browser.open(html.encode(), options=OPTIONS), groups=("proportion",)).columns
    # Six letters of size 20 and one of size 40: 6·(20·20) and 40·40, as letters are as wide as the type is large.
    assert found["ink_share"][:2] == pytest.approx([0.6, 0.4], abs=0.01)
    assert found["ink_before"][:2] == pytest.approx([0, 0.6], abs=0.01)
    assert found["ink_of_largest"][:2] == pytest.approx([1, 2 / 3], abs=0.01)
    assert found["element_x"][:2] == pytest.approx([0.1, 0.1])
    assert found["element_width"][:2] == pytest.approx([0.5, 0.25])
    assert found["element_center"][:2] == pytest.approx([-0.3, -0.55])
    assert found["column_ink"][:2] == pytest.approx([1, 1])
    assert found["width_ink"][:2] == pytest.approx([0.6, 0.4], abs=0.01)
    assert found["font_ink"][:2] == pytest.approx([0.6, 0.4], abs=0.01)
    assert found["color_ink"][:2] == pytest.approx([0.6, 0.4], abs=0.01)
    assert found["background_ink"][:2] == pytest.approx([1, 1])
    assert all(np.isnan(column[2]) for column in found.values())
