"""Hostile pages that are fast to render: each gives its text or is refused with a reason."""

import asyncio
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.chromium.page_session import PageLate, PageSession
from blocksight.render.chromium.worker import BrowserWorker
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.long

SENTENCE = "The heron stands at the weir."
#: Scripts after the sentence, and whether the page is then too large.
SCRIPTS = {
    "signs of another kind": ("Object.prototype.toJSON = () => 1; Map.prototype.set = 0", False),
    "stopped clock": ("Date.now = performance.now = () => 0; setTimeout = requestAnimationFrame = () => 0", False),
    "names of members": (
        "for (const name of ['body', 'fonts', 'querySelectorAll', 'getAnimations', 'documentElement']) "
        "document.body.append(Object.assign(document.createElement('img'), {name, id: name}))",
        False,
    ),
    "poisoned signs": ("performance.getEntriesByType = () => ({filter: () => ({length: 1})}); URL = 1", False),
    "nodes by script": ("for (;;) document.body.append(document.createElement('p'))", True),
    "leaving at once": ("location.href = '?' + Math.random()", False),
}


PAGE = "<!doctype html><meta charset=utf-8>{}<title>t</title><body><p>" + SENTENCE + "</p>{}"
#: The text before and after the sentence on pages of which only the beginning comes out.
TOO_MUCH = {
    "large": ("<style>.x { display: none }</style>", "<p class=x>hidden words</p>" + "<p>word</p>" * 9_500),
    "refresh": ("<meta http-equiv=refresh content=0>", ""),
    "styles": ("<style>" + "p { color: #222 }" * 40_000 + "</style>", ""),
}


class Site(Answering):
    def do_GET(self):
        name = self.path[1:].partition("?")[0].replace("%20", " ")
        before, after = TOO_MUCH.get(name) or ("", f"<script>{SCRIPTS[name][0]}</script>")
        self.answer(PAGE.format(before, after), kind="text/html; charset=utf-8")


@pytest.fixture(scope="module")
def site():
    with serve(Site) as address:
        yield address


@pytest.fixture(scope="module")
def hasty():
    with bs.Browser(pages=1, options=bs.RenderOptions(timeout=15, allow_private=True, max_nodes=20_000)) as browser:
        yield browser


@pytest.mark.browser
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_hostile_page(site, hasty, name):
    try:
        page = hasty.open(f"{site}/{name.replace(' ', '%20')}")
    except bs.Refused:
        assert SCRIPTS[name][1]
    else:
        assert SENTENCE in page.leaf_texts
        assert page.partial or not SCRIPTS[name][1]  # of a page that grew too fast to be counted, its beginning


@pytest.fixture
def too_slow(monkeypatch):
    """Nothing but the beginning of a page is captured in time."""
    capture = PageSession._capture

    async def late(self, name, *given, **named):
        if not self._budget.is_truncated:
            raise PageLate(name, "not done in time")
        return await capture(self, name, *given, **named)

    monkeypatch.setattr(PageSession, "_capture", late)


def assert_beginning(page):
    assert page.partial
    assert page.environment["scripts"] == "off"
    assert SENTENCE in page.leaf_texts
    assert len(page) < 19_000
    why = dict(zip(page.leaf_texts, page.geometry.hidden.tolist(), strict=True))
    assert why["hidden words"] == Hidden.DISPLAY
    assert why[SENTENCE] == Hidden.VISIBLE


@pytest.mark.browser
def test_of_a_page_that_is_too_much_the_beginning_comes_out(site, hasty, too_slow):
    assert_beginning(hasty.open(f"{site}/large"))


@pytest.mark.browser
def test_so_it_does_of_a_file(tmp_path, hasty, too_slow):
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(*TOO_MUCH["large"]), encoding="utf-8")
    assert_beginning(hasty.open(path))


@pytest.mark.browser
def test_so_it_does_of_a_page_that_leaves_again_and_again(site, hasty):
    page = hasty.open(f"{site}/refresh", options=replace(hasty.options, timeout=8.0))
    assert page.partial
    assert SENTENCE in page.leaf_texts


@pytest.mark.browser
def test_a_page_that_is_never_captured_gives_its_html(site, monkeypatch):
    async def late(self, name, *given, **named):
        await asyncio.sleep(60)

    monkeypatch.setattr(PageSession, "_capture", late)
    with bs.Browser(pages=1, options=bs.RenderOptions(timeout=4, allow_private=True)) as browser:
        page = browser.open(f"{site}/stopped%20clock")
        given = browser.open(f"<!doctype html><p>{SENTENCE}</p>".encode())
    for each in (page, given):
        assert each.partial
        assert each.geometry is None
        assert SENTENCE in each.leaf_texts
        assert each.environment["partial"].startswith("its HTML, without styles and scripts: not done within 4 s")
    assert page.environment["status"] == "200"


@pytest.mark.browser
def test_a_page_that_is_captured_while_it_has_no_text_gives_its_html(monkeypatch):
    async def empty(self, slot, task):
        return bs.parse("<html></html>", url="x")

    monkeypatch.setattr(BrowserWorker, "_render_with_retries", empty)
    with bs.Browser(pages=1, options=bs.RenderOptions(javascript=False)) as browser:
        page = browser.open(f"<!doctype html><p>{SENTENCE}</p>".encode())
        assert page.leaf_texts == (SENTENCE,)
        assert page.environment["partial"] == "its HTML, without styles and scripts: the page is empty"
        with pytest.raises(bs.PageFailed, match="the page is empty"):
            browser.open(b"<!doctype html><p> </p>")


@pytest.mark.browser
def test_style_sheets_that_are_too_large_are_the_reason(site, hasty, too_slow):
    with pytest.raises(bs.Refused, match="style sheets are too large"):
        hasty.open(f"{site}/styles")
