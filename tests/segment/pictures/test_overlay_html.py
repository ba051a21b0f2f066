"""The picture as one HTML file: its data, and what its script makes of it."""

import json
import re

import blocksight as bs
import numpy as np
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
    assert (coarse["parent"], coarse["leaf"], coarse["kind"]) == ([-1], [True], ["partly"])
    assert fine["parent"] == [-1, 0, 0]
    assert fine["leaf"] == [False, True, True]
    assert fine["kind"] == ["partly", "content", "not content"]
    assert fine["selector"] == ["body", "p:nth-of-type(1)", "p:nth-of-type(2)"]
    assert (fine["rule"], fine["whole"]) == (["R3", "R4", "R4"], [True, True, True])
    assert fine["box"][1:] == [[100, 100, 200, 20], [100, 300, 200, 20]]
    assert fine["text"] == ["", "</script><b>one", "two"]
    assert fine["columns"] == {"score": [None, 0.1235, None]}
    # 180 pixels of white space weigh 15, halved between texts that look the same.
    (separator,) = fine["separators"]
    assert separator == {
        "block": 0, "box": [100, 120, 200, 180], "direction": "horizontal", "weight": 7.5,
        "parts": {"distance": 15, "series": -7.5},
    }  # fmt: skip
    assert data["lines"] == [100, 100, 200, 20, 100, 300, 200, 20]


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


HOSTILE = """<title>&lt;/title>&lt;script>broken=1&lt;/script>{{data}}{{script}}</title><body onload="broken=1">
<h1 id="a&quot;><img src=x onerror=broken=1>">\u2028</h1>
<p class=x>&lt;/script&gt;&lt;script&gt;broken=1&lt;/script&gt;</p>
<p>&lt;img src=x onerror="broken=1"&gt;{{picture}} </p><p title="--><svg onload=broken=1>">three</p>"""


@pytest.fixture(scope="module")
def live():
    """A browser that a person would use."""
    from blocksight.render.chromium.process.executable import find_browser
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        program = driver.chromium.launch(executable_path=find_browser().path, args=["--no-sandbox"])
        yield program
        program.close()


def shown_in(live, tmp_path, html, width=1280):
    """Open a file in that browser; return the page, and what it complains of."""
    (tmp_path / "overlay.html").write_text(html, encoding="utf-8")
    opened, said = live.new_page(viewport={"width": width, "height": 800}), []
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    opened.goto((tmp_path / "overlay.html").as_uri())
    return opened, said


@pytest.mark.browser
def test_no_script_of_the_page_runs(browser, live, tmp_path):
    page = browser.open(HOSTILE.encode())
    layers = [
        Layer(name="<b>8", blocks=bs.vips(page, pdoc=10), columns={"<i>x": ["</script>"] * len(bs.vips(page, pdoc=10))})
    ]
    opened, said = shown_in(live, tmp_path, overlay_html(page, layers, method="<script>alert(1)</script>"))
    for row in range(len(layers[0].blocks)):
        opened.click(f"#tree li[data-row='{row}']")
    assert opened.title().startswith("Blocks of ")
    assert "</script>{{data}}{{script}}" in opened.title()
    assert opened.locator("img, svg svg, script").count() == 2
    assert "<img src=x" in opened.inner_text("#text") or "three" in opened.inner_text("#text")
    # Should something slip in all the same, the policy stops it.
    opened.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=broken=1>')")
    opened.wait_for_timeout(100)
    assert opened.evaluate("typeof broken") == "undefined"
    assert said == []


@pytest.mark.browser
def test_keys_tree_search_and_selector(live, tmp_path, page):
    layers = [Layer(name=str(pdoc), blocks=bs.vips(page, pdoc=pdoc)) for pdoc in (1, 10)]
    opened, said = shown_in(live, tmp_path, overlay_html(page, layers, shown=1))
    opened.keyboard.press("ArrowDown")
    assert opened.inner_text("#name") == "Inner block 0 <body>"
    opened.keyboard.press("ArrowDown")
    assert opened.input_value("#selector") == "p:nth-of-type(1)"
    assert opened.input_value("#xpath") == "/body/p[1]"
    opened.keyboard.press("ArrowRight")
    assert opened.input_value("#selector") == "p:nth-of-type(2)"
    opened.click("#up")
    assert opened.inner_text("#name") == "Inner block 0 <body>"
    assert "distance 15 + series -7.5" in opened.inner_text("#facts")
    opened.keyboard.press("/")
    opened.keyboard.type("TWO")
    assert opened.locator("#tree li:visible").count() == 1
    opened.keyboard.press("Enter")
    assert opened.inner_text("#name") == "Block 2 <p>"
    opened.fill("#search", "")
    opened.focus(".block[data-row='1']")
    opened.keyboard.press("Enter")
    assert opened.inner_text("#name") == "Block 1 <p>"
    opened.keyboard.press("Escape")
    assert opened.inner_text("#name") == "Point at a block"
    assert said == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1280])
def test_it_fits_and_zooms(live, tmp_path, page, width):
    opened, said = shown_in(live, tmp_path, overlay_html(page, [Layer(name="", blocks=bs.text_blocks(page))]), width)
    wide = "document.getElementById('page').clientWidth"
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    before = opened.evaluate(wide)
    assert before <= width
    opened.click("#in")
    assert opened.evaluate(wide) == pytest.approx(1.25 * before, abs=2)
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    opened.keyboard.press("0")
    assert opened.evaluate(wide) == before
    assert said == []


@pytest.mark.browser
def test_labels_cover_neither_text_nor_each_other(browser, live, tmp_path, address):
    page = browser.open(f"{address}/news/page.html")
    opened, _ = shown_in(live, tmp_path, overlay_html(page, [Layer(name="", blocks=bs.text_blocks(page))]))
    boxes = """selector => [...document.querySelectorAll(selector)].map(one => {
      const box = one.getBBox(); return [box.x, box.y, box.x + box.width, box.y + box.height]; })"""
    labels = opened.evaluate(boxes, ".tag")
    lines = np.asarray(data_of((tmp_path / "overlay.html").read_text(encoding="utf-8"))["lines"]).reshape(-1, 4)
    assert len(labels) > 10
    taken = np.concatenate([np.asarray(labels), np.concatenate([lines[:, :2], lines[:, :2] + lines[:, 2:]], axis=1)])
    for number, label in enumerate(labels):
        other = np.delete(taken, number, axis=0)
        shared = np.minimum(other[:, 2:], label[2:]) - np.maximum(other[:, :2], label[:2])
        assert not (shared > 0.1).all(axis=1).any()
