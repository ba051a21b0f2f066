"""What lies over a page."""

import blocksight as bs
import pytest
from blocksight.page.overlays import find_overlays

BODY = "<body style='margin:0'><p>" + "The text of the page goes on and on. " * 40 + "</p>"


def overlays(browser, html):
    return find_overlays(browser.open((BODY + html).encode()))


@pytest.mark.browser
@pytest.mark.parametrize(
    ("style", "text", "kind"),
    [
        ("bottom:0;left:0;right:0;height:80px", "We use cookies. Accept?", "consent"),
        ("bottom:0;left:0;right:0;height:80px", "Souhlasíte? Potřebujeme váš souhlas.", "consent"),
        ("bottom:0;left:0;right:0;height:80px", "当サイトはクッキーを使用します", "consent"),
        ("top:100px;left:200px;width:800px;height:500px", "Subscribe to our letter", "dialog"),
        ("top:0;left:0;right:0;height:60px", "Home News Sport", "bar"),
    ],
)
def test_kinds(browser, style, text, kind):
    (found,) = overlays(browser, f"<div style='position:fixed;{style}'><div style='position:fixed'>{text}</div></div>")
    assert (found.kind, found.text) == (kind, text)
    assert 0 < found.share <= 1
    assert found.to_dict()["box"] == list(found.box)


@pytest.mark.browser
def test_find_overlays_sticky(browser):
    bar = "<div style='position:sticky;top:0;height:50px'>Menu</div>"
    side = "<div style='position:sticky;top:0;width:200px;height:500px'>Contents</div>"
    assert [found.kind for found in overlays(browser, bar + side)] == ["bar"]


@pytest.mark.browser
def test_hidden_boxes_cover_nothing(browser):
    assert overlays(browser, "<div style='position:fixed;top:0;display:none'>Menu</div>") == ()
    assert overlays(browser, "<div style='position:fixed;top:0;width:90px;height:90px'></div>") == ()


@pytest.mark.browser
def test_find_overlays_fixed_app(browser):
    html = f"<div style='position:fixed;inset:0;overflow:auto'>{BODY}</div>"
    assert find_overlays(browser.open(html.encode())) == ()


@pytest.mark.browser
def test_document_overlays(browser, address):
    found = bs.extract(browser.open(f"{address}/news/page.html")).to_dict()["overlays"]
    assert [overlay["kind"] for overlay in found] == ["consent"]
    assert "cookies" in found[0]["text"]


def test_find_overlays_without_geometry():
    assert find_overlays(bs.parse("<div style='position:fixed'>cookies</div>")) == ()
