"""Visual columns of rendered pages, measured with a ruler."""

import numpy as np
import pytest
from blocksight.features.block_table import measure


@pytest.mark.browser
def test_visual_columns_of_a_rendered_page(browser):
    html = (
        "<body style='margin:0;font:20px/30px sans-serif'><div style='position:absolute;left:640px;width:320px'>"
        "<p style='margin:0;height:60px'>Word</p></div>"
        "<p style='margin:0;font-size:40px;font-weight:bold'>Large words</p>"
        "<p style='margin:0;opacity:0'>Nobody sees this</p><p>"
        + "Body text of the page goes on and on here. " * 12
        + "</p>"
    )
    columns = measure(browser.open(html.encode())).columns
    word, large, _, body = range(4)
    assert columns["x"][word] == pytest.approx(0.5)
    assert columns["x"][large] == 0
    assert columns["font_size"][large] == pytest.approx(2.0)
    assert columns["font_bold"].tolist() == [0, 1, 0, 0]
    assert columns["hidden"].tolist() == [0, 0, 1, 0]
    assert columns["lifted"].tolist() == [1, 0, 0, 0]
    assert columns["solidity1"][large] == pytest.approx(1.0)
    assert columns["lines_log"][body] > columns["lines_log"][large]
    assert all(np.isfinite(columns[name]).all() for name in ("x", "y", "width", "height_log", "area_share"))


@pytest.mark.browser
def test_a_last_line_of_several_pieces_is_measured_as_a_whole(browser):
    # Lines of 36 and 6 digits of one width, in any font; the last one is two boxes.
    html = (
        b"<!DOCTYPE html><body><p style='width:37ch;font:20px serif'>000000000000000000000000000000000000 "
        b"<a href=/>000</a><span>000</span></p>"
    )
    assert measure(browser.open(html)).columns["last_line"].tolist() == pytest.approx([6 / 36], abs=0.005)


@pytest.mark.browser
def test_how_far_lines_by_coordinates_and_by_tags_differ(browser):
    # The texts stand at the top of the page and at four fifths of it; four of its five block-level elements begin
    # before the first one, all five before the second.
    html = (
        b"<!DOCTYPE html><html><head></head><body style='margin:0;height:1000px;font:16px/20px sans-serif'>"
        b"<p style='margin:0'>one</p><p style='position:absolute;margin:0;top:800px'>two</p></body></html>"
    )
    difference = measure(browser.open(html)).columns["line_difference"]
    assert difference.tolist() == pytest.approx([0 - 4 / 5, 4 / 5 - 5 / 5], abs=0.005)
