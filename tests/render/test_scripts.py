"""The JavaScript files that run in pages: each is loaded by name, and does what its comment says."""

import io
import re
from pathlib import Path

import blocksight.render
import pytest
from blocksight.render.chromium.page_clock import PageClock
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.devtools.scripts import call, joined, script
from blocksight.render.render_options import RenderOptions
from PIL import Image

RENDER = Path(blocksight.render.__file__).parent
NAMES = sorted(path.stem for path in (RENDER / "scripts").glob("*.js"))
ISOLATED = joined(script("finish_animations"), script("isolated_world"))


def test_every_script_is_loaded_by_name_and_no_other():
    source = "".join(path.read_text(encoding="utf-8") for path in RENDER.rglob("*.py"))
    assert sorted(set(re.findall(r'\b(?:script|call)\("(\w+)"', source))) == NAMES


def test_a_call_passes_its_arguments_as_json():
    assert call("image_sizes", 2, 'a"b').endswith('(2, "a\\"b")')
    assert call("image_sizes", 2).startswith(script("image_sizes"))


@pytest.fixture(scope="module")
def tab():
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if is_root() else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser(None).path), args=arguments)
        page = browser.new_page()
        page.evaluate(ISOLATED)  # the other scripts use it
        yield page
        browser.close()


@pytest.mark.browser
def test_a_fixed_clock_and_seeded_numbers(tab):
    frame = tab.context.browser.new_page()
    frame.add_init_script(PageClock(None, None, RenderOptions(deterministic=True)).script)
    values = []
    for _ in range(2):
        frame.goto("about:blank")
        random = "crypto.getRandomValues(new Uint8Array(4)).join()"
        values.append(frame.evaluate(f"[Date.now(), new Date().getTime(), Math.random(), {random}]"))
    assert values[0] == values[1]
    assert values[0][:2] == [1704067200000] * 2
    assert frame.evaluate("new Date(5) instanceof Date && new Date(5).getTime()") == 5


@pytest.mark.browser
def test_texts_are_hidden_and_shown(tab):
    tab.set_content("<p id=a>first words</p><p style='margin-top: 5000px'>second</p>")
    tab.evaluate(
        f"window.size = {script('text_visibility')}(...[...document.querySelectorAll('p')].map(p => p.firstChild))"
    )
    assert tab.evaluate("window.size") == tab.evaluate("[innerWidth, innerHeight]")
    # Its clip rectangle, the offsets of its shadows, and a line.
    assert [len(boxes) for boxes in tab.evaluate("blocksightTexts.boxes()")] == [3, 0]
    assert [start for start, *_ in tab.evaluate("blocksightTexts.words(0)")] == [0, 5]
    shown = tab.screenshot()
    tab.evaluate("blocksightTexts.hide([0])")
    assert tab.screenshot() != shown
    tab.evaluate("blocksightTexts.show()")
    assert tab.screenshot() == shown
    assert tab.evaluate("blocksightTexts.bring(1, 0.5, [true, true])")
    assert [len(boxes) for boxes in tab.evaluate("blocksightTexts.boxes()")] == [0, 3]


@pytest.fixture
def with_texts(tab):
    """Load markup and the script for the texts of its paragraphs."""

    def load(markup):
        tab.set_content(f"<!doctype html>{markup}")
        texts = "[...document.querySelectorAll('p')].map(p => p.firstChild)"
        tab.evaluate(f"void {script('text_visibility')}(...{texts})")
        return tab

    return load


@pytest.mark.browser
@pytest.mark.parametrize(
    ("markup", "offsets"),
    [
        ("<p>words", []),
        ("<p style='text-shadow: 4px 4px #000'>words", []),
        ("<p style='text-shadow: 5px 4px #000'>words", [[5, 4]]),
        ("<p style='text-shadow: 300px 40px #000, 1px 1px red, 0 -20px rgb(0 0 9)'>words", [[300, 40], [0, -20]]),
        ("<div style='filter: drop-shadow(0 30px 0 #000)'><div style='filter: drop-shadow(90px 0 #000)'><p>words",
         [[90, 30]]),
        ("<div style='text-shadow: 50px 0 #000'><p>words", [[50, 0]]),
    ],
)  # fmt: skip
def test_shadows_apart_from_their_letters_have_boxes(with_texts, markup, offsets):
    assert with_texts(markup).evaluate("blocksightTexts.boxes()[0][1]") == offsets


@pytest.mark.browser
def test_a_shadow_is_brought_into_view(with_texts):
    tab = with_texts("<p style='text-shadow: 0 3000px #000; margin-bottom: 5000px'>words</p>")
    assert tab.evaluate("blocksightTexts.bring(0, 0.5, [true, true])")
    low, high = tab.evaluate("[scrollY, scrollY + innerHeight]")
    assert low < 3000 < high
    assert len(tab.evaluate("blocksightTexts.boxes()[0]")) == 3


@pytest.mark.browser
def test_selected_texts_are_hidden_too(with_texts):
    tab = with_texts("<style>::selection { color: #fff; background: #036 }</style><p id=a>first words</p><p>second</p>")
    tab.evaluate("getSelection().selectAllChildren(a)")

    def colors():
        with Image.open(io.BytesIO(tab.locator("#a").screenshot())) as picture:
            return {color for _, color in picture.convert("RGB").getcolors(10_000)}

    plain = {(0, 51, 102), (255, 255, 255)}
    assert plain < colors()
    tab.evaluate("blocksightTexts.hide([0])")
    # White of the rest of the line only.
    assert colors() == plain
    tab.evaluate("blocksightTexts.show()")
    assert plain < colors()
