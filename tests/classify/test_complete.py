"""Structures of which a part was chosen: tables, lists, sentences, headings."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.complete import (
    missing_cells,
    missing_headings,
    missing_items,
    missing_links,
    picture_captions,
)
from blocksight.page.visibility import invisible_leaves

PROSE = "<p>One two three four five six seven eight nine ten.</p>"
LIST = "<ul><li><a href=/a>Alpha</a></li><li>Beta: <a href=/b>Gamma</a></li></ul>"


def added(find, html, chosen):
    """The texts that come to those that were chosen."""
    page = bs.parse(html)
    marks = np.array([chosen(text.strip()) for text in page.leaf_texts])
    return [page.leaf_texts[leaf].strip() for leaf in np.flatnonzero(find(page, marks) & ~marks)]


# -- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["<h2>Sources</h2>", "<p>See also <b>Some</b>:</p>", PROSE])
def test_missing_items_after_chosen_text(before):
    found = added(missing_items, f"<div>{PROSE}{before}\n{LIST}</div>", lambda text: text[0] not in "ABG")
    assert found == ["Alpha", "Beta:", "Gamma"]


def test_missing_items_of_list_chosen_in_part():
    assert added(missing_items, f"<div>{PROSE}{LIST}</div>", lambda text: text[0] in "OA") == ["Beta:", "Gamma"]


CHECKS = "".join(f"<label><input type=checkbox> {name}</label>" for name in ("Alpha", "Beta", "Gamma"))


@pytest.mark.parametrize("checks", [f"<div class=parts>{CHECKS}</div>", f"<div class=a><div>{CHECKS}</div></div>"])
def test_missing_items_to_check_off(checks):
    html = f"<div>{PROSE}<h3>Some parts</h3>{checks}<p>Other text.</p></div>"
    assert added(missing_items, html, lambda text: text[0] in "OS") == ["Alpha", "Beta", "Gamma"]


def test_missing_items_of_check_boxes_of_a_form():
    html = f"<div>{PROSE}<h3>Some parts</h3><form>{CHECKS}<button>Send</button></form></div>"
    assert added(missing_items, html, lambda text: text[0] in "OS") == []
    assert added(missing_items, html.replace("form", "div"), lambda text: text[0] in "OS") == []


@pytest.mark.parametrize(
    "html",
    [
        f"<div>{PROSE}<h2>Related</h2>{LIST}</div>",  # the heading was not chosen
        f"<div>{PROSE}{LIST.replace('<ul>', '<ul class=pager>')}</div>",
        f"<div>{PROSE}</div><div><p>Some</p>{LIST}</div>",  # elsewhere
        f"<div><div>{PROSE}</div>{LIST}</div>",
        f"<div>{PROSE}<ul><li><a href=#a>Alpha</a><li><a href=#b>Gamma</a></ul></div>",  # a table of contents
        f"<div>{PROSE}<ul hidden><li>Alpha<li>Gamma</ul></div>",
    ],
)
def test_missing_items_of_other_lists(html):
    assert added(missing_items, html, lambda text: text[0] in "OS") == []


# -- tables -----------------------------------------------------------------------------------------------------------

ROWS = "".join(f"<tr><td>{n}<td>{n * n}</tr>" for n in range(1, 6))
TABLE = f"<table><tr><th>Number<th>Square</tr>{ROWS}</table>"


@pytest.mark.parametrize(
    ("html", "chosen", "whole"),
    [
        # At least half of it, six of twelve cells.
        (TABLE, "N1234", True),
        (TABLE, "NS", False),
    ],
)
def test_missing_cells_share(html, chosen, whole):
    found = added(missing_cells, html, lambda text: text[0] in chosen)
    assert bool(found) is whole


def test_missing_cells_of_a_single_row_or_hidden():
    assert added(missing_cells, "<table><tr><td>One<td>Two</table>", lambda text: text == "One") == []
    html = "<table><tr><td>One<td>Two<tr><td hidden>Three<td>One</table>"
    assert added(missing_cells, html, lambda text: text == "One") == ["Two"]


# -- sentences, headings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("You may post at <a href=/a>{2}</a> and wait.", ["{2}"]),
        ("You may post at <a href=/a>{2}</a>", []),
        ("You may post<sup><a href=/a>{2}</a></sup> and wait.", []),
        ("You may post <i>{2}</i> and wait.", []),
        ("You may post <a href=/a style='display:none'>{2}</a> and wait.", []),
    ],
)
def test_missing_links_inside_sentence(sentence, found):
    assert added(missing_links, f"<p>{sentence}</p>", lambda text: text != "{2}") == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"{PROSE}<h2>Tea</h2>{PROSE}", ["Tea"]),
        (f"{PROSE}<h2>Tea</h2><h3>Pots</h3>{PROSE}", ["Tea", "Pots"]),
        # The headline, one below the text, above what is left out, in a side column, unseen, and the name of a file.
        (f"<h1>Tea</h1>{PROSE}", []),
        (f"{PROSE}<h2>Tea</h2>", []),
        (f"{PROSE}<h2>Tea</h2><p>Menu</p>{PROSE}", []),
        (f"{PROSE}<aside><h2>Tea</h2></aside>{PROSE}", []),
        (f"{PROSE}<h2 hidden>Tea</h2>{PROSE}", []),
    ],
)
def test_missing_headings_places(html, found):
    def find(page, marks):
        return missing_headings(page, marks, ~invisible_leaves(page))

    assert added(find, html, lambda text: text.startswith("One")) == found


# -- captions ---------------------------------------------------------------------------------------------------------

FIGURE = "<figure><img src=a.png><figcaption>A view</figcaption></figure>"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<div>{PROSE}{FIGURE}{PROSE}</div>", ["A view"]),
        (f"<div>{PROSE}<div class=wp-caption><img src=a.png><p>A view</p></div>{PROSE}</div>", ["A view"]),
        (f"<div>{PROSE}{FIGURE.replace('<img src=a.png>', '')}{PROSE}</div>", []),
        (f"<div>{PROSE}</div><aside>{FIGURE}<p>Aside</p></aside>", []),
        (f"<div>{PROSE}</div><div>{FIGURE}<p>A long text that nobody chose, around the picture.</p></div>", []),
        (f"<div>{PROSE}{FIGURE.replace('<figcaption', '<figcaption hidden')}{PROSE}</div>", []),
    ],
    ids=["figure", "class", "no picture", "aside", "other text", "hidden"],
)
def test_picture_captions_places(html, found):
    assert added(picture_captions, html, lambda text: text.startswith("One")) == found
