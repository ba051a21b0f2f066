"""Authors, dates and short lines that a person sees around a headline."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.page.metadata.visible_byline import read_visible_byline


def shown(html, title="", own=None):
    """What elements are for, and the lines around the headline."""
    page = bs.parse(html)
    mine = np.ones(len(page), dtype=bool) if own is None else page.below(page.has_tag(own))
    return read_visible_byline(page, mine, title)


def marked(html, title="", own=None):
    return list(shown(html, title, own)[0])


def lines(html, title=""):
    return list(shown(html, title)[1])


# -- elements made for it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("element", "found"),
    [
        ("<p class=author>Ada</p>", [("author", "Ada")]),
        ("<p class='x byline-name'>Ada</p>", [("author", "Ada")]),
        ("<p class=username>Ada</p>", [("author", "Ada")]),
        ("<p class=authority>Ada</p>", []),
        ("<p class=pub-date>3 May</p>", [("published", "3 May")]),
        ("<p id=authorposton12>3 May</p>", [("published", "3 May")]),
        ("<p id=authorposton>3 May</p>", []),
        ("<p class=last-modified>3 May</p>", [("modified", "3 May")]),
        ("<p class='date modified'>3 May</p>", [("modified", "3 May")]),
        ("<time>3 May</time>", [("published", "3 May")]),
        ("<p class=modified><time>3 May</time></p>", [("modified", "3 May")] * 2),
        ("<time class=modified>3 May</time>", [("modified", "3 May")]),
        ("<p class=date>on <time>3 May</time></p>", [("published", "3 May")]),
        ("<p>3 May</p>", []),
    ],
)
def test_marked_classes(element, found):
    assert marked(element) == found


def test_marked_order():
    html = "<time>3 May</time><p class=modified>4 May</p><p class=nickname>ada1</p><p class=author>Ada</p>"
    assert marked(html) == [
        ("author", "Ada"),
        ("author", "ada1"),
        ("modified", "4 May"),
        ("published", "3 May"),
    ]


def test_marked_nested():
    assert marked("<div class=author>By <b class=author-name>Ada</b></div>") == [("author", "Ada")]
    # An author in a poster is both.
    assert marked("<div class=username>By <b class=author>Ada</b></div>") == [("author", "Ada"), ("author", "By Ada")]


@pytest.mark.parametrize(
    ("element", "found"),
    [
        ("<time datetime=2024-05-03>3 May</time>", "2024-05-03"),
        ("<time datetime=''>3 May</time>", "3 May"),
        ("<abbr class=date title='2024-05-03 '>3 May</abbr>", "2024-05-03"),
        ("<p class=date title=2024-05-03>3 May</p>", "3 May"),
    ],
)
def test_marked_date_attributes(element, found):
    assert marked(element) == [("published", found)]


def test_marked_author_attributes():
    assert marked("<abbr class=author title=Ada>A. L.</abbr>") == [("author", "A. L.")]


@pytest.mark.parametrize(("size", "found"), [(120, 1), (121, 0)])
def test_marked_length(size, found):
    assert len(marked(f"<p class=author>{'x' * size}</p>")) == found


def test_marked_limit():
    html = "".join(f"<p class=author>{n} x</p><time>{n} May</time>" for n in range(1, 15))
    found = marked(html)
    assert [said for name, said in found if name == "author"] == [f"{n} x" for n in range(1, 13)]
    assert [said for name, said in found if name == "published"] == [f"{n} May" for n in range(1, 13)]


def test_marked_own_nodes():
    html = "<div><p class=author>Ada</p><p class=modified>4 May</p><time>3 May</time><p class=date>2 May</p></div>"
    assert len(marked(html)) == 4
    assert marked(html, own="section") == []
    assert len(marked(f"<section>{html}</section>{html}", own="section")) == 4


@pytest.mark.parametrize(
    ("around", "counts"),
    [
        ("div class=x", True),
        ("div class=comments", False),
        ("div id=sidebar", False),
        ("footer", False),
        ("aside", False),
        ("nav", False),
        # A class of the whole page says nothing of a part.
        ("main class=no-sidebar", True),
        ("article class=related", True),
    ],
)
def test_marked_in_other_parts(around, counts):
    tag = around.split()[0]
    html = f"<p>text</p><{around}><p class=author>Ada</p></{tag}>"
    assert marked(html) == ([("author", "Ada")] if counts else [])


def test_marked_footer_before_text():
    assert marked("<nav><p class=author>Ada</p></nav><p>text</p>") == [("author", "Ada")]
    assert marked("<p>text</p><nav><p class=author>Ada</p></nav>") == []
    assert marked("<div class=comments><p class=author>Ada</p></div><p>text</p>") == []


# -- lines -----------------------------------------------------------------------------------------------------------


def test_lines_order():
    html = "<p>one</p><p>two</p><h1>Eels</h1><p>by <b>Ada</b></p><p>3 May</p>"
    assert lines(html, "Eels") == ["by Ada", "3 May", "two", "one"]
    assert lines(html, "Trout") == ["one", "two", "Eels", "by Ada", "3 May"]
    assert lines(html) == ["one", "two", "Eels", "by Ada", "3 May"]


def test_lines_limits():
    before, behind = ("".join(f"<p>{name} {n}</p>" for n in range(10, 30)) for name in ("before", "behind"))
    found = lines(f"{before}<h1>Eels</h1>{behind}", "Eels")
    assert found == [*(f"behind {n}" for n in range(10, 22)), *(f"before {n}" for n in range(29, 17, -1))]
    assert len(lines(before + behind)) == 24
    assert lines(f"<p>one</p><h1>Eels</h1>{behind}", "Eels")[-1] == "one"


@pytest.mark.parametrize(("text", "short"), [("ab", False), ("abc", True), ("x" * 120, True), ("x" * 121, False)])
def test_lines_length(text, short):
    assert lines(f"<h1>Eels</h1><p>{text}</p>", "Eels") == ([text] if short else [])


def test_lines_headline_candidates():
    html = "<p>Eels</p><p>one</p><h2>Eels</h2><p>two</p><p>Eels</p><p>three</p>"
    assert lines(html, "EELS!")[:2] == ["two", "Eels"]
    assert lines("<p>Eels</p><p>one</p><p>Eels</p><p>two</p>", "Eels") == ["two", "one", "Eels"]


def test_lines_headline_letters():
    for written in ("«Trout»", '"Trout"', " trout"):
        assert lines(f"<p>one</p><h1>{written}</h1><p>two</p>", "Trout") == ["two", "one"]
    assert lines("<p>one</p><h1>Eels again</h1><p>two</p>", "Eels") == ["one", "Eels again", "two"]
    assert lines("<p>one</p><h1> Eels</h1><p>two</p>", "eels") == ["two", "one"]


def test_lines_hidden():
    assert lines("<h1>Eels</h1><p hidden>one</p><p>two</p>", "Eels") == ["two"]
