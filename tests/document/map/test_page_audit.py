"""The audit of small pages in a real browser."""

import io

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.map.audit_picture import draw_audit
from blocksight.document.map.page_audit import contrast_ratio, page_audit
from PIL import Image

STYLE = "<style>body { font: 16px/20px sans-serif; color: #000; background: #fff }</style>"


def test_contrast_ratios():
    black, white = np.zeros(3), np.full(3, 255.0)
    assert contrast_ratio(white, white) == 1.0
    assert contrast_ratio(black, white) == pytest.approx(21.0)
    # The palest grey that passes on white.
    assert contrast_ratio(np.full(3, 0x76), white) == pytest.approx(4.54, abs=0.01)


@pytest.fixture
def found(browser):
    def auditing(body):
        audit = page_audit(browser.open((STYLE + body).encode()))
        return [(finding.kind, finding.text) for finding in audit.findings], audit

    return auditing


@pytest.mark.browser
def test_pale_text(found):
    findings, audit = found(
        "<p style='color:#777'>Pale words</p><p style='color:#757575'>Words</p>"
        "<p style='color:#888;font-size:24px'>Large words of a page that are not a heading but a long sentence here</p>"
        "<div style='background:#000'><p style='color:#fffa'>On black</p></div>"
        "<p style='background-image:linear-gradient(#000,#fff)'>Over a gradient</p>"
    )
    assert findings == [("contrast", "Pale words")]
    assert audit.findings[0].value == pytest.approx(4.48)
    assert audit.unknown_contrast == 3


@pytest.mark.browser
def test_headings(found):
    findings, _ = found(
        "<h1 style='font-size:30px'>Boats</h1><h3 style='font-size:20px'>Sails</h3>"
        "<h2 style='font-size:40px'>Larger</h2><p>Some words of a text that is long enough to be most of the page.</p>"
        "<div style='font-size:26px'>Looks like one</div>"
    )
    assert findings == [("heading", "Sails"), ("heading", "Larger"), ("heading", "Looks like one")]


@pytest.mark.browser
def test_order(found):
    findings, _ = found(
        "<div style='display:flex;flex-direction:column-reverse'><p>First of all</p><p>Second</p></div>"
    )
    assert findings == [("order", "Second")]


@pytest.mark.browser
def test_targets(found):
    row = "<a href=/{0} style='display:inline-block;width:20px;height:20px;margin:{1}px'>{0}</a>"
    near, far = ("".join(row.format(number, margin) for number in pair) for pair, margin in (((1, 2), 0), ((3, 4), 30)))
    text = "<p>Some words with <a href=/5>a link</a> and <a href=/6>one</a> more in them</p>"
    findings, _ = found(f"{near}<hr style='margin:60px'>{far}{text}")
    assert findings == [("target", "1"), ("target", "2")]


@pytest.mark.browser
def test_the_picture(browser):
    options = bs.RenderOptions(screenshot="full", allow_private=True)
    page = browser.open((STYLE + "<p style='color:#999'>Pale</p>").encode(), options=options)
    audit = page_audit(page)
    assert audit.counts == {"contrast": 1, "order": 0, "heading": 0, "target": 0}
    picture = Image.open(io.BytesIO(draw_audit(page, audit)))
    assert picture.convert("RGB").getcolors(10_000) is not None
    assert (213, 94, 0) in {color for _, color in picture.convert("RGB").getcolors(100_000)}
    assert audit.to_dict()["findings"][0]["selector"] == "p"


def test_without_geometry():
    with pytest.raises(ValueError, match="needs geometry"):
        page_audit(bs.parse("<p>Words"))
