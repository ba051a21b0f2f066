"""Pages that a user's own Playwright holds."""

import asyncio

import blocksight as bs
import pytest
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root

PAGE = """<title>Tea</title><body style="background: white"><h1>Tea</h1>
<button onclick="more()">More</button><div id=more></div>
<p style="display: none">Nobody sees this.</p><script>
let clicks = 0;
function more() { clicks++;
  document.getElementById("more").innerHTML = "<p>The pot was warmed " + clicks + " times.</p>"; }
</script>"""


def how():
    return {"executable_path": find_browser().path, "args": ["--no-sandbox"] if is_root() else []}


def check(page):
    texts = dict(zip(page.leaf_texts, page.hidden.tolist(), strict=True))
    assert texts["The pot was warmed 2 times."] == 0
    assert texts["Nobody sees this."] != 0
    assert page.title == "Tea"
    assert page.geometry.viewport == (900.0, 700.0)
    assert "warmed 2 times" in bs.extract(page, system="everything").text


@pytest.mark.browser
def test_a_page_of_the_synchronous_interface():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, playwright.chromium.launch(**how()) as browser:
        page = browser.new_page(viewport={"width": 900, "height": 700})
        page.set_content(PAGE)
        page.click("button")
        page.click("button")
        check(bs.capture(page))
        # It goes on as if nothing had been.
        page.click("button")
        assert "3 times" in page.inner_text("#more")
        assert page.evaluate("document.adoptedStyleSheets.length") == 0
        page.close()
        with pytest.raises(bs.PageFailed, match="only open pages of Chromium"):
            bs.capture(page)


@pytest.mark.browser
def test_a_page_of_the_asynchronous_interface():
    from playwright.async_api import async_playwright

    async def captured():
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**how())
            page = await browser.new_page(viewport={"width": 900, "height": 700})
            await page.set_content(PAGE)
            await page.click("button")
            await page.click("button")
            found = await bs.capture(page)
            await browser.close()
            return found

    check(asyncio.run(captured()))


def test_what_is_no_page():
    with pytest.raises(TypeError, match="takes a page of Playwright, not a value of type str"):
        bs.capture("https://example.org/")
