"""Text in CSS columns stands where it is seen, not all in the first column."""

import pytest
from blocksight.render.columns import place_lines

# Lines of 20 pixels, seven to a column of 150; columns of 200 stand 220 apart.
WORDS = "word " * 60
PAGE = (
    "<!DOCTYPE html><style>body{margin:0;font:16px/20px sans-serif}"
    "div{columns:200px;column-gap:10px;column-fill:auto;height:150px;width:430px}</style>"
    f"<div><p style='margin:0'>{WORDS}<b>bold</b> end</p></div><p>after</p>"
)


@pytest.mark.browser
def test_lines_stand_in_their_columns(browser):
    page = browser.open(PAGE.encode())
    geometry = page.geometry
    text = {page.text_of(row).strip()[:4]: geometry.line_box[geometry.line_node == row] for row in page.leaves.tolist()}
    left, top = text["word"][:, 0].tolist(), text["word"][:, 1].tolist()
    assert left == [0] * 7 + [220] * (len(left) - 7)
    assert top == [1 + 20 * line for line in range(7)] + [1 + 20 * line for line in range(len(top) - 7)]
    assert text["bold"][0, 0] == 220
    assert text["end"][0, 0] > 220
    assert text["afte"][0, 0] == 0


def test_other_lines_than_the_snapshots_are_not_taken():
    document = {
        "textBoxes": {"layoutIndex": [3, 3, 4], "bounds": [[0, 0, 9, 9], [0, 9, 9, 9], [0, 0, 5, 9]]},
        "scrollOffsetX": 0,
        "scrollOffsetY": 100,
    }
    place_lines(document, [3, 4], [[[0, 0, 9, 9]], [[50, -100, 5, 9]]])
    assert document["textBoxes"]["bounds"] == [[0, 0, 9, 9], [0, 9, 9, 9], [50, 0, 5, 9]]
