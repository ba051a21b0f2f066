"""Text and marks that style sheets write: what a reader sees is text."""

import blocksight as bs
import pytest

pytestmark = pytest.mark.browser
WORDS = "The weir above the old paper mill was rebuilt in the spring after the flood had carried away two gates. "
PAGE = f"""<!doctype html><title>Weir</title><style>
.warning::before {{ content: "Warning: " }} .weight::after {{ content: attr(data-weight) }}
.sign::before {{ content: "\\2192" }} .count::before {{ content: "12 " }}
.label::before {{ content: "Note"; display: block }}
.gone::before {{ content: "Hidden words"; display: none }} pre::before {{ content: "Shell code" }}
ol {{ list-style-type: lower-roman }}</style><main><h1>The weir</h1><p>{WORDS * 2}
<p class=warning>Do not step on the grating.
<p>The float weighs <span class=weight data-weight="48 kg"></span> when dry.
<p class=sign>An arrow is before this line. <p class=count>A number is before this line.
<div class=label>A label is above this line.</div><p class=gone>Nothing is before this line.
<pre>open --gate</pre><ol><li>The gate is common.<li>The keeper has no dog.</ol><p>{WORDS}</main>""".encode()


@pytest.fixture(scope="module")
def page(browser):
    return browser.open(PAGE)


def test_words_of_style_sheets_are_text(page):
    text = bs.extract(page).text
    assert "Warning: Do not step" in text
    assert "weighs 48 kg when" in text
    assert "Note A label is above" in text


@pytest.mark.parametrize("words", ["→", "12 A number", "Hidden words", "Shell code"])
def test_signs_counters_hidden_words_and_code_stay_out(page, words):
    assert words not in bs.extract(page, system="everything").text


def test_boxes_of_generated_text(page):
    index = page.leaf_texts.index("Warning: ")
    lines = page.geometry.line_box[page.geometry.line_node == page.leaves[index]]
    assert len(lines) == 1
    assert lines[0][2] > 20


def test_marks_of_lists(page):
    assert '<ol type="i">' in bs.extract(page).html
