"""Callouts of the common generators become quotes with their kind; a title is kept unless it only names the kind."""

import numpy as np
import pytest
from blocksight.document.content.parts.callouts import MOST_CHARACTERS
from blocksight.document.document import document
from blocksight.page.parse import parse

TEXT = "<p>Some words that are the content of the page.</p>"


@pytest.mark.parametrize(
    ("box", "kind"),
    [
        ("<div class='admonition note'><p class=admonition-title>Note</p><p>Hot.</p></div>", "NOTE"),
        ("<div class='admonition seealso'><p class=admonition-title>See also</p><p>Hot.</p></div>", "NOTE"),
        ("<div class='theme-admonition theme-admonition-danger alert'><div class=admonitionHeading_G>danger</div>"
         "<div class=admonitionContent_B><p>Hot.</p></div></div>", "CAUTION"),
        ("<div class='markdown-alert markdown-alert-important'><p class=markdown-alert-title>Important</p><p>Hot.</p>"
         "</div>", "IMPORTANT"),
        ("<div class='tip custom-block'><p class=custom-block-title>TIP</p><p>Hot.</p></div>", "TIP"),
        ("<div class='notecard warning'><p><strong>Warning:</strong> Hot.</p></div>", "WARNING"),
        ("<div class=callout data-callout=bug><div class=callout-title>Bug</div><p>Hot.</p></div>", "CAUTION"),
        ("<aside class='starlight-aside starlight-aside--tip'><p class=starlight-aside__title>Tip</p><p>Hot.</p>"
         "</aside>", "TIP"),
        ("<div class='alert alert-info'>Hot.</div>", "NOTE"),
        ("<div class='admonition warning'><p class=admonition-title>Achtung</p><p>Hot.</p></div>", "WARNING"),
    ],
)  # fmt: skip
def test_a_callout(box, kind, markdown_of, html_of):
    assert markdown_of(f"{TEXT}{box}{TEXT}").split("\n\n")[1] == f"> [!{kind}]\n> Hot."
    assert f'<blockquote class="callout {kind.lower()}">' in html_of(f"{TEXT}{box}{TEXT}")


def test_a_title_of_its_own_stays(markdown_of):
    box = "<div class='admonition tip'><p class=admonition-title>Warm the cup</p><p>Hot.</p></div>"
    assert markdown_of(f"{TEXT}{box}{TEXT}").split("\n\n")[1] == "> [!TIP]\n> Warm the cup\n>\n> Hot."
    box = "<div class='admonition tip'><p>Note</p><p>Hot.</p></div>"
    assert markdown_of(f"{TEXT}{box}{TEXT}").split("\n\n")[1] == "> [!TIP]\n> Note\n>\n> Hot."


@pytest.mark.parametrize(
    "box",
    [
        "<div class=admonition-title>Note</div>",
        "<div class='alert-link info'>Hot.</div>",
        "<p class='admonition note'>Hot.</p>",
        "<div class='callouts note'>Hot.</div>",
        "<div class='alerted tip'>Hot.</div>",
    ],
)
def test_other_boxes_are_none(box, markdown_of):
    assert "[!" not in markdown_of(f"{TEXT}{box}{TEXT}")


def test_a_box_inside_another_and_one_of_the_whole_page(markdown_of):
    inner = "<div class='admonition tip'><p>Hot.</p></div>"
    assert markdown_of(f"{TEXT}<div class='admonition note'>{inner}</div>").count("[!NOTE]") == 1
    assert "[!TIP]" not in markdown_of(f"{TEXT}<div class='admonition note'>{inner}</div>")
    assert "[!" in markdown_of(f"<div class='admonition tip'>{'x' * MOST_CHARACTERS}</div>")
    assert "[!" not in markdown_of(f"<div class='admonition tip'>{'x' * (MOST_CHARACTERS + 1)}</div>")


def test_a_callout_that_is_not_chosen_is_not_written():
    page = parse(f"{TEXT}<div class='alert alert-info'>Hot.</div>")
    marks = np.array([text != "Hot." for text in page.leaf_texts])
    assert "[!" not in document(page, marks).markdown


def test_links_for_editing_a_section_are_left_out(markdown_of):
    edit = "<span class=mw-editsection>[<a href='/w?action=edit'>edit</a>]</span>"
    assert "## History\n" in markdown_of(f"{TEXT}<h2>History{edit}</h2>{TEXT}")
    assert "edit" not in markdown_of(f"{TEXT}<div class=mw-heading><h2>History</h2>{edit}</div>{TEXT}")
