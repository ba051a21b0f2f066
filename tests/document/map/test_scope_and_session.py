"""Maps of a part of a page, and acting on a page by its map."""

import time
from contextlib import contextmanager

import blocksight as bs
import pytest
from blocksight.errors import PageFailed, TimedOut
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.browser
FIRST = """<!doctype html><title>Boats</title><header><a href=/other>Other</a></header><main><h1>Boats</h1>
<button onclick="document.querySelector('p').textContent = 'Booked for you'">Book</button><p>Free</p>
<label>Town <input></label> <label>Port <select><option>Rye<option>Deal</select></label> <button>Idle</button>
<iframe srcdoc="<button onclick=this.textContent='Done'>Inside</button>"></iframe>
<a href=/other target=_blank>Opened</a> <div style=height:3000px></div></main><footer><a href=#>End</a></footer>"""


#: Scripts that do not end: after a click, again and again, in it, while a page loads, in a frame, in pages it opens.
ENDLESS = {
    "/later": "<button onclick='setTimeout(() => {for (;;);}, 50)'>Go</button><p>Here",
    "/again": "<button onclick='setInterval(() => {for (;;);}, 50)'>Go</button><p>Here",
    "/first": "<p>Here<script>for (;;);</script>",
    "/frame": "<p>Here<iframe src=/first></iframe>",
    "/popup": "<button onclick='window.open(`/first`)'>Go</button><p>Here",
}


class Site(Answering):
    """Serves pages."""

    def do_GET(self):
        """Answer a request."""
        other = "<title>Other</title><main><h1>Other</h1><a href=/>Home</a>"
        self.answer(FIRST if self.path == "/" else ENDLESS.get(self.path, other))


@pytest.fixture(scope="module")
def page(browser):
    return browser.open(FIRST.encode())


def names(page, **scope):
    return [one.name for one in bs.page_map(page, system="everything", **scope).controls]


def test_scope_window_region_and_selector(page):
    whole = bs.page_map(page, system="everything")
    assert names(page, within="window") == ["Other", "Book", "Town", "Port", "Idle", "Inside", "Opened"]
    assert names(page, within="A") == ["Other"]
    assert names(page, within="footer a, header a") == ["Other", "End"]
    part = bs.page_map(page, within="footer", system="everything")
    assert part.controls[0].number == whole.controls[-1].number
    assert part.text.splitlines()[-1] == "left out: 7 controls, 9 words"
    assert part.to_dict()["left_out"] == part.left_out


def test_scope_of_a_page_with_rows_of_its_own(browser):
    page = browser.open(
        b"<!doctype html><title>A</title><p><button data-blocksight-row=99999>Go</button><a href=/>B</a>"
    )
    assert names(page, within="button") == ["Go"]


def test_scope_controls_only(page):
    text = bs.page_map(page, only="controls", system="everything").text
    assert "Book" in text
    assert "# Boats" not in text


@pytest.mark.parametrize("within", ["dialog", "Z", "###", ".nothing"])
def test_scope_that_is_not_there(page, within):
    with pytest.raises(ValueError, match=r"nothing of the page|no CSS selector"):
        bs.page_map(page, within=within, system="everything")


@contextmanager
def opened(seconds=10.0):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=not is_root())
        yield bs.Session(program.new_page(), seconds=seconds, system="everything")
        program.close()


def test_session():
    with serve(Site) as address, opened() as session:
        assert session.open(f"{address}/").startswith("Boats | ")
        number = {one.name: one.number for one in session.map.controls}
        assert session.click(number["Book"]) == '+ "Booked for you"\n'
        assert session.fill(number["Town"], "Hythe") == f'~ [{number["Town"]}] textbox Town ="Hythe"\n'
        assert session.select(number["Port"], "Deal") == f'~ [{number["Port"]}] combobox Port ="Deal" of 2\n'
        assert session.click(number["Idle"]) == "nothing on the page changed\n"
        assert session.click(number["Inside"]) == f"~ [{number['Inside']}] button Done\n"
        assert "left out" in session.scroll()
        assert session.map.control(number["Inside"]).clickable
        assert "Other" in session.click(number["Other"])
        assert session.map.url.endswith("/other")
        assert "Book" in session.back()
        session.click(next(one.number for one in session.map.controls if one.name == "Opened"))
        assert session.page.url.endswith("/other")
        with pytest.raises(PageFailed, match="there is no control 999"):
            session.click(999)
        with pytest.raises(PageFailed):
            session.open("http://127.0.0.1:1/")


def test_session_of_scripts_that_do_not_end():
    with serve(Site) as address, opened(seconds=4.0) as session:
        for path in ("/later", "/again", "/frame", "/popup"):
            before = time.monotonic()
            with pytest.raises(TimedOut, match="a script that did not end was stopped"):
                assert session.click(1) if "Here" in session.open(address + path) else None
            assert time.monotonic() - before < 30.0
            assert path == "/again" or "Here" in session.show()
            assert "Other" in session.open(f"{address}/other")
            assert session.click(1).startswith("now at")
