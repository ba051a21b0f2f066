"""The inspector's page as a file: all of it in one document, to look at in a browser."""

import json
import re

import blocksight as bs
import pytest
from blocksight.inspector.page_file import page_file
from playwright.sync_api import expect

HOSTILE = """<title>&lt;/title>&lt;script>broken=1&lt;/script></title><body onload="broken=1">
<h1 id="a&quot;><img src=x onerror=broken=1>">\u2028</h1>
<p class=x>&lt;/script&gt;&lt;script&gt;broken=1&lt;/script&gt;</p>
<p>&lt;img src=x onerror="broken=1"&gt;</p><p title="--><svg onload=broken=1>">three</p>"""


@pytest.fixture(scope="module")
def article(fixtures):
    return bs.load(fixtures / "golden" / "article.page")


def answers_of(html):
    (data,) = re.findall(r'<script type="application/json" id="answers">(.*?)</script>', html, re.DOTALL)
    return json.loads(data)


def test_page_file_holds_all_degrees_of_vips(article):
    html = page_file(article, pdoc=6, color="verdict")
    answers = answers_of(html)
    assert answers["api/session"]["start"] == {"method": "vips", "pdoc": 6, "color": "verdict"}
    for pdoc in ("auto", 1, 10):
        blocks = bs.vips(article, pdoc=pdoc)
        query = f"?method=vips&pdoc={pdoc}"
        assert answers[f"api/pages/page/blocks{query}"]["parent"] == blocks.parent.tolist()
    assert len(answers_of(page_file(article, "targets"))) == 3


def test_page_file_needs_nothing_from_elsewhere(article):
    html = page_file(article, "paragraphs")
    assert html.count("</script>") == 2
    assert {address[:5] for address in re.findall(r'(?:src|href)="([^"]+)', html)} == {"data:", "#main"}
    assert "default-src 'none'" in html


def test_page_file_needs_geometry():
    with pytest.raises(ValueError, match="no geometry"):
        page_file(bs.parse("<p>a"))


def shown(tab, tmp_path, html):
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    tab.goto((tmp_path / "page.html").as_uri())
    expect(tab.locator(".bar .faint")).to_contain_text("blocks")


@pytest.mark.browser
def test_page_file_in_a_browser(tab, tmp_path, saved_pages):
    shown(tab, tmp_path, page_file(bs.load(saved_pages / "bar" / "0.page")))
    expect(tab.locator("#page-name")).to_have_text("Tides")
    expect(tab.locator("img.tile")).to_have_count(1)
    assert tab.evaluate("document.querySelector('img.tile').naturalWidth") > 0
    tab.locator(".part", has_text="High water").click()
    expect(tab.locator(".excerpt")).to_contain_text("High water")
    expect(tab.locator("#block")).to_contain_text("degree of coherence")
    assert tab.locator(".role, #queue, #done, #train").locator("visible=true").count() == 0
    title = tab.locator("#block-title").inner_text()
    for key in ("8", "Enter", "]", "u"):  # of labels and other pages, of which there are none
        tab.keyboard.press(key)
    expect(tab.locator("#block-title")).to_have_text(title)
    tab.locator(".degree").fill("1")
    expect(tab.locator(".bar .faint")).to_have_text("1 blocks")
    tab.keyboard.press("s")
    expect(tab.locator(".pane")).to_have_count(2)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_page_file_runs_no_script_of_the_page(browser, tab, tmp_path):
    shown(tab, tmp_path, page_file(browser.open(HOSTILE.encode()), "paragraphs"))
    assert "</title><script>broken=1" in tab.locator("#page-name").inner_text()
    for _ in range(4):
        tab.keyboard.press("j")
    tab.locator("#tab-text").click()
    assert tab.locator("script").count() == 2
    # Should something slip in all the same, the policy stops it.
    with pytest.raises(Exception, match="TrustedHTML"):
        tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=broken=1>')")
    assert tab.evaluate("typeof broken") == "undefined"
