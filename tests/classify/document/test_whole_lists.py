"""A list that belongs to the paragraphs around it comes out whole."""

import pytest

PROSE = "<p>One two three four five six seven eight nine ten.</p>"
LIST = "<ul><li><a href=/a>Alpha</a></li><li>Beta: <a href=/b>Gamma</a></li></ul>"


def is_prose(text):
    return text[0] in "OS"


@pytest.mark.parametrize("before", ["<h2>Sources</h2>", "<p>See also <b>Some</b>:</p>", PROSE])
def test_links_behind_what_was_chosen(markdown_of, before):
    found = markdown_of(f"<div>{PROSE}{before}\n{LIST}</div>", lambda text: text[0] not in "ABG")
    assert "- [Alpha](https://example.org/a)\n- Beta: [Gamma](https://example.org/b)" in found


def test_an_item_that_was_not_chosen(markdown_of):
    found = markdown_of(f"<div>{PROSE}{LIST}</div>", lambda text: text[0] in "OA")
    assert "- Beta: [Gamma]" in found


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
def test_other_lists_stay_as_they_were(markdown_of, html):
    found = markdown_of(html, is_prose)
    assert "Alpha" not in found
    assert "Gamma" not in found
