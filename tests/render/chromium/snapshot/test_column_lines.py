"""Text in CSS columns is where it is seen, not all in the first column."""

import numpy as np
import pytest
from blocksight.render.chromium.snapshot.live import set_line_boxes

# Twelve lines of 20 pixels, seven to a column of 150; columns of 200 stand 220 apart (210 of content, 10 between).
WORDS = "word word<br>" * 12
PAGE = (
    "<!DOCTYPE html><style>body{margin:0;font:16px/20px sans-serif}"
    "div{columns:200px;column-gap:10px;column-fill:auto;height:150px;width:430px}</style>"
    f"<div><p style='margin:0'>{WORDS}<b>bold</b> end</p></div><p>after</p>"
)


@pytest.mark.browser
def test_lines_are_placed_in_their_columns(browser):
    page = browser.open(PAGE.encode())
    geometry = page.geometry
    lines = np.flatnonzero(geometry.line_box[:, 2] > 0)  # a <br> has a box without width
    left, top = geometry.line_box[lines, 0].tolist(), geometry.line_box[lines, 1].tolist()
    *words, bold, end, after = range(len(lines))
    texts = [page.text_of(geometry.line_node[lines[line]]) for line in (bold, end, after)]
    assert texts == ["bold", " end", "after"]
    assert [left[line] for line in words] == [0] * 7 + [220] * 5
    assert [top[line] - top[0] for line in words] == [20 * line for line in (*range(7), *range(5))]
    assert (left[bold], top[bold] - top[0]) == (220, 100)
    assert left[end] > 220
    assert left[after] == 0


def test_other_lines_than_the_snapshots_are_not_taken():
    document = {
        "textBoxes": {"layoutIndex": [3, 3, 4], "bounds": [[0, 0, 9, 9], [0, 9, 9, 9], [0, 0, 5, 9]]},
        "scrollOffsetX": 0,
        "scrollOffsetY": 100,
    }
    set_line_boxes(document, [3, 4], [[[0, 0, 9, 9]], [[50, -100, 5, 9]]])
    assert document["textBoxes"]["bounds"] == [[0, 0, 9, 9], [0, 9, 9, 9], [50, 0, 5, 9]]
