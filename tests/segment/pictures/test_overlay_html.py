"""The picture as one HTML file: its data, and what its script makes of it."""

import json
import re

import blocksight as bs
import pytest
from blocksight.segment.pictures.overlay_html import Layer, overlay_html


@pytest.fixture
def page(boxed):
    lines = [
        ("p", (100, y, 200, 20), [(text, (100, y, 200, 20))]) for y, text in ((100, "</script><b>one"), (300, "two"))
    ]
    return boxed(("body", (0, 0, 800, 1000), lines))


def data_of(html):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    return json.loads(found)


def test_the_file_holds_blocks_separators_and_columns(page):
    layers = [Layer(name=str(pdoc), blocks=bs.vips(page, pdoc=pdoc)) for pdoc in (1, 10)]
    fine = layers[1].blocks
    layers[1] = Layer(name="10", blocks=fine, columns={"score": [None, 0.123456, float("nan")]})
    data = data_of(overlay_html(page, layers, shown=1, marked=[True, False]))
    assert (data["size"], data["picture"], data["shown"]) == ([800, 1000], [800, 1000], 1)
    coarse, fine = data["layers"]
    assert (coarse["parent"], coarse["leaf"], coarse["kept"]) == ([-1], [True], [True])
    assert fine["parent"] == [-1, 0, 0]
    assert fine["leaf"] == [False, True, True]
    assert fine["kept"] == [True, True, False]
    assert fine["box"][1:] == [[100, 100, 200, 20], [100, 300, 200, 20]]
    assert fine["text"] == ["", "</script><b>one", "two"]
    assert fine["columns"] == {"score": [None, 0.1235, None]}
    # 180 pixels of white space weigh 18, halved between texts that look the same.
    assert fine["separators"] == [{"block": 0, "box": [100, 120, 200, 180], "horizontal": True, "weight": 9}]


def test_it_needs_nothing_from_elsewhere(page):
    html = overlay_html(page, [Layer(name="", blocks=bs.text_blocks(page))])
    assert html.count("</script>") == 2
    assert set(re.findall(r'(?:src|href)="([^"]{1,10})', html)) == {"data:image"}
    assert "default-src 'none'" in html


def test_wrong_arguments(page):
    blocks = bs.text_blocks(page)
    with pytest.raises(ValueError, match="no geometry"):
        overlay_html(bs.parse("<p>a"), [])
    with pytest.raises(ValueError, match="one of the 0 layers"):
        overlay_html(page, [])
    with pytest.raises(ValueError, match="column words: 1 values"):
        overlay_html(page, [Layer(name="", blocks=blocks, columns={"words": [1]})])


@pytest.mark.browser
def test_the_script_draws_the_blocks(browser, page):
    def drawn(layers, shown):
        seen = browser.open(overlay_html(page, layers, shown=shown).encode())
        rects = [
            row for row in range(len(seen)) if seen.tag_of(row) == "rect" and "data-row" in seen.attributes_of(row)
        ]
        return seen, [seen.geometry.box[row].tolist() for row in rects]

    layers = [Layer(name=str(pdoc), blocks=bs.vips(page, pdoc=pdoc)) for pdoc in (1, 10)]
    seen, boxes = drawn(layers, 1)
    assert "2 blocks" in seen.leaf_texts
    assert len(boxes) == 2
    scale = boxes[0][2] / 200
    assert boxes[1][1] - boxes[0][1] == pytest.approx(200 * scale, abs=2)
    seen, boxes = drawn(layers, 0)
    assert "1 block" in seen.leaf_texts
    assert len(boxes) == 1
