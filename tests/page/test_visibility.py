"""Visible and hidden text."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight import parse
from blocksight.document.hidden_report import hidden_report
from blocksight.features.class_names import node_families
from blocksight.page.visibility import hidden_leaves, invisible_leaves, with_hidden_text

SENTENCE = "This is a sentence that a person can read from its beginning to its end. "
SCRIPT = "<script>run()</script>"


def hidden(html, scripts=None):
    page = parse(html)
    page = page.replace(environment={} if scripts is None else {"scripts": scripts})
    return [text for text, gone in zip(page.leaf_texts, invisible_leaves(page), strict=True) if gone]


@pytest.mark.parametrize("seen", ["Menu", SENTENCE * 3], ids=["hardly anything", "something to read"])
@pytest.mark.parametrize("scripts", ["ran", "failed", "kept out", "off", None])
def test_invisible_leaves_page_awaits_scripts(seen, scripts):
    secret = SENTENCE * 30
    html = f"<body><p>{seen}</p><div style='display:none'>{secret}</div>"
    assert hidden(html, scripts) == [secret]
    believed = scripts in ("ran", "failed") or len(seen) > 100
    assert hidden(html + SCRIPT, scripts) == ([secret] if believed else [])


@pytest.mark.parametrize("scripts", ["ran", "failed", "kept out", "off", None])
def test_invisible_leaves_scripts_removed(scripts):
    html = "<body style='visibility:hidden'><p>{}</p><p>{}</p>"
    whole = html.format("Menu", SENTENCE * 3)
    assert hidden(whole, scripts) == (["Menu", SENTENCE * 3] if scripts in ("ran", "failed") else [])
    # A few hidden words are no page, and what is visible next to hidden text is all there is.
    assert hidden(html.format("Menu", SENTENCE), scripts) == ["Menu", SENTENCE]
    assert hidden(f"{whole}<p style='visibility:visible'>Menu</p>", scripts) == ["Menu", SENTENCE * 3]


def test_invisible_leaves_links_alone():
    menu = "".join(f"<a href=/{number}>{SENTENCE}</a>" for number in range(9))
    html = f"<body>{menu}<main style='visibility:hidden'>{SENTENCE * 30}</main>"
    assert hidden(html + SCRIPT, "kept out") == []
    assert len(hidden(html + f"<p>{SENTENCE * 3}</p>" + SCRIPT, "kept out")) == 1


def test_invisible_leaves_for_other_reasons():
    blank = "\u200b\u2060" * 400
    assert hidden(f"<body><p>Menu</p><p>{blank}</p>{SCRIPT}", "kept out") == [blank]


def test_with_hidden_text():
    page = parse(f"<body><p>{SENTENCE}</p><p hidden>one</p><p style='opacity:0'>two</p>")
    assert hidden_leaves(page).tolist() == [False, True, True]
    shown = with_hidden_text(page)
    assert not hidden_leaves(shown).any()
    assert shown.leaf_texts == page.leaf_texts
    assert np.array_equal(replace(shown).leaves, page.leaves)


@pytest.mark.parametrize("style", ["display:none;{}", "{}display:none"], ids=["at the beginning", "at the end"])
def test_hidden_style_of_megabytes(style):
    page = parse(f"<body><p>{SENTENCE}</p><p style='{style.format('color:red;' * 100_000)}'>gone</p>")
    assert hidden_leaves(page).tolist() == [False, True]


@pytest.mark.parametrize("column", [invisible_leaves, node_families])
def test_columns_are_computed_once_per_page(column):
    page = parse("<p class=text>a")
    assert column(page) is column(page)
    assert column(page) is not column(parse("<p class=text>a"))


def test_cached_column_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        invisible_leaves(parse("<p>a"))[0] = True


@pytest.mark.parametrize("style", ["opacity:0;transform:translateY(20px)", "visibility:hidden"])
def test_invisible_leaves_start_of_animations(style):
    texts = [f"The weir above the mill number {n} was rebuilt in the spring after the flood." for n in range(6)]
    rest = "".join(f"<p>{text}</p>" for text in texts)
    faded = "".join(f"<section style='{style}'>{text}</section>" for text in texts)
    page = parse(f"<script>run()</script>{rest}{faded}")
    assert not invisible_leaves(page).any()
    report = hidden_report(page)
    assert report.awaiting_words == 6 * 15
    assert invisible_leaves(parse(f"<script>run()</script>{rest}<p style='{style}'>{texts[0]}")).sum() == 1
    assert invisible_leaves(parse(f"{rest}{faded}")).sum() == 6  # no script would show them


def test_invisible_leaves_shut_dialogs():
    page = parse("<p>Eels</p><dialog>Choose</dialog><div popover>Tip</div><dialog open>Say</dialog>")
    assert invisible_leaves(page).tolist() == [False, True, True, False]
