"""The route to a page: raw HTML first, the browser if the verdict or the confidence asks for it."""

import json
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.document.route import RENDER_BELOW, extract_by_route, raw_route, render_reason

TEXT = "<h1>Tide</h1>" + 4 * f"<p>{30 * 'The tide comes in and goes out again. '}</p>"
ARTICLE = f"<title>Tide</title><article>{TEXT}</article>".encode()
SHELL = (
    "<title>Tide</title><div id=root></div><script>document.getElementById('root').innerHTML = "
    + json.dumps(TEXT).replace("</", "<\\/")
    + "</script>"
).encode()


def document(html, **changes):
    page = bs.parse(html)
    return page, replace(bs.extract(page), **changes)


def test_a_sure_article_is_enough():
    page, found = document(ARTICLE, confidence=RENDER_BELOW)
    assert render_reason(page, found) == ""
    assert raw_route(page, found) == f"raw HTML (content, confidence {RENDER_BELOW:.2f})"


def test_a_low_confidence_asks():
    page, found = document(ARTICLE, confidence=RENDER_BELOW - 0.01)
    assert render_reason(page, found) == f"confidence {RENDER_BELOW - 0.01:.2f}"


def test_a_system_without_confidence_asks_by_the_verdict_alone():
    assert render_reason(*document(ARTICLE, confidence=None)) == ""
    assert render_reason(*document(SHELL, confidence=None)).startswith("shell, empty root: div (#root)")


def test_render_reason_of_an_error():
    html = b"<title>404 Not Found</title><h1>Page not found</h1><p>It is not here.</p>"
    page, found = document(html, confidence=0.9)
    assert found.verdict == "error"
    assert render_reason(page, found) == ""
    missing = page.replace(environment=dict(page.environment) | {"status": "404"})
    assert render_reason(missing, replace(bs.extract(missing), confidence=0.9)) == ""


def test_a_source_needs_a_browser():
    with pytest.raises(TypeError, match='browser="auto"'):
        bs.extract("page.html")
    with pytest.raises(TypeError, match=r"extract\(parse\(html\)\)"):
        bs.extract(" <p>a", browser="auto")
    with pytest.raises(ValueError, match='Browser or "auto"'):
        bs.extract("page.html", browser="always")
    with pytest.raises(TypeError, match="unexpected keyword argument 'picture'"):
        bs.extract(bs.parse("<p>a"), picture="none")


class Opener:
    """Opens the same page, raw or "rendered", and counts."""

    def __init__(self, raw, rendered):
        self.options, self.pages, self.opened = bs.RenderOptions(), {True: raw, False: rendered}, []

    def open(self, source, options=None):
        fetched = options is not None and options.fetch_only
        self.opened.append(fetched)
        return self.pages[fetched]


def test_a_shell_is_rendered_once_and_an_article_never():
    shell = Opener(bs.parse(SHELL), bs.parse(ARTICLE))
    found = extract_by_route(shell, "https://tide.example/", bs.extract)
    assert shell.opened == [True, False]
    assert found.route.startswith("rendered (shell")
    assert found.text.startswith("The tide") or found.text.startswith("Tide")
    article = Opener(bs.parse(ARTICLE), None)
    assert extract_by_route(article, "https://tide.example/", bs.extract).route.startswith("raw HTML (content")
    assert article.opened == [True]
    clicks = Opener(None, bs.parse(ARTICLE))
    clicks.options = bs.RenderOptions(reveal=True)
    assert extract_by_route(clicks, "https://tide.example/", bs.extract).route == "rendered (reveal)"
    assert clicks.opened == [False]


@pytest.mark.browser
def test_an_address_is_fetched_by_the_browser(browser, address):
    page = browser.open(f"{address}/client-rendered/page.html", options=replace(browser.options, fetch_only=True))
    assert page.geometry is None
    assert page.environment["status"] == "200"
    assert bs.extract(page).verdict == "shell"
    assert bs.extract(f"{address}/client-rendered/page.html", browser=browser).route.startswith("rendered (shell")
    assert bs.extract(f"{address}/magazine/page.html", browser=browser).route.startswith("raw HTML (content")


@pytest.mark.browser
def test_what_is_fetched_obeys_the_limits_of_any_page(browser, address):
    fetching = replace(browser.options, fetch_only=True)
    with pytest.raises(bs.PageFailed, match="404"):
        browser.open(f"{address}/nothing.html", options=fetching)
    with pytest.raises(bs.PageFailed, match="above the limit"):
        browser.open(f"{address}/magazine/page.html", options=replace(fetching, max_bytes=500))
    with pytest.raises(bs.Refused, match="loopback"):
        browser.open(f"{address}/magazine/page.html", options=replace(fetching, allow_private=False))
    asked = []
    refuse = replace(fetching, follow=lambda target: asked.append(target) or "not there")
    assert len(browser.open(f"{address}/magazine/page.html", options=refuse).leaves)
    assert asked == []
