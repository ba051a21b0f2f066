"""A list that belongs to the paragraphs around it is content with them."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.complete import missing_items

PROSE = "<p>One two three four five six seven eight nine ten.</p>"
LIST = "<ul><li><a href=/a>Alpha</a></li><li>Beta: <a href=/b>Gamma</a></li></ul>"


def missing(html, chosen):
    """Return the texts that come to those that were chosen."""
    page = bs.parse(html)
    marks = np.array([chosen(text.strip()) for text in page.leaf_texts])
    return [page.leaf_texts[leaf].strip() for leaf in np.flatnonzero(missing_items(page, marks) & ~marks)]


def is_prose(text):
    return text[0] in "OS"


@pytest.mark.parametrize("before", ["<h2>Sources</h2>", "<p>See also <b>Some</b>:</p>", PROSE])
def test_links_behind_what_was_chosen(before):
    found = missing(f"<div>{PROSE}{before}\n{LIST}</div>", lambda text: text[0] not in "ABG")
    assert found == ["Alpha", "Beta:", "Gamma"]


def test_an_item_that_was_not_chosen():
    assert missing(f"<div>{PROSE}{LIST}</div>", lambda text: text[0] in "OA") == ["Beta:", "Gamma"]


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
def test_other_lists_stay_as_they_were(html):
    assert missing(html, is_prose) == []
