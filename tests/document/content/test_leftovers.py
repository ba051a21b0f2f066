"""Counts, initials of portraits and lists of links to other pages are no content, though they were chosen."""

import numpy as np
import pytest
from blocksight.document.document import document
from blocksight.page.parse import parse

BEFORE = f"<p>{'Some words about tea and water. ' * 8}</p>"


def text_of(html):
    page = parse(html)
    return document(page, np.ones(len(page.leaves), dtype=bool)).text


@pytest.mark.parametrize(
    "counts",
    [
        "<div>Replies</div><div>0</div><div>Voices</div><div>1</div>",
        "<div>Freshness</div><div>2 years ago</div>",
        "<div>12 views</div><div>Likes: 1.2k</div>",
        "<div>Antworten:</div><div>3</div>",
    ],
)
def test_without_counts(counts):
    assert text_of(f"<p>First.</p>{counts}{BEFORE}") == text_of(f"<p>First.</p>{BEFORE}")


@pytest.mark.parametrize(
    "kept",
    [
        "<p>Voices</p><p>They are heard at night.</p>",
        "<p>It has 12 views of the sea</p>",
        "<p>1984</p>",
        "<table><tr><th>Replies<th>Views</tr><tr><td>3<td>12</tr></table>",
        "<ul><li>12 votes<li>3 votes</ul>",
        "<h2>12 views</h2><p>Of the sea.</p>",
    ],
)
def test_without_counts_keeps_text(kept):
    page = parse(f"<p>First.</p>{kept}{BEFORE}")
    words = " ".join(page.leaf_texts).split()
    assert set(words) <= set(text_of(f"<p>First.</p>{kept}{BEFORE}").replace("- ", "").split())


def test_without_counts_only_a_count():
    assert text_of("<p>12 views</p>") == "12 views"


LINKS = "<ul><li><a href=/a>Eels at night</a><li><a href=/b>Eels at noon</a></ul>"


@pytest.mark.parametrize(
    "heading",
    ["Related posts", "Weitere Beiträge aus der Kolumne:", "You may also like", "À lire aussi", "More from us"],
)
def test_without_end_of_related_links(heading):
    assert text_of(f"{BEFORE}<h2>{heading}</h2>{LINKS}") == text_of(BEFORE)


@pytest.mark.parametrize(
    ("heading", "links"),
    [
        ("References", LINKS),
        ("See also", LINKS),
        ("External links", LINKS),
        # A sentence among them, one link alone, and a text behind.
        ("Related posts", f"{LINKS}<p>These are the best that we have.</p>"),
        ("Related work", "<p><a href=/a>Eels at night</a> is the first book about them.</p>"),
        ("Related posts", f"{LINKS}<h2>Notes</h2><p>Written at sea.</p>"),
    ],
)
def test_without_end_keeps_lists_of_author(heading, links):
    assert "Eels at night" in text_of(f"{BEFORE}<h2>{heading}</h2>{links}")


@pytest.mark.parametrize(
    "end",
    [
        "<p>6 / 3</p>",
        "<hr><p>1.2k | 7</p>",
        "<h3>About the author</h3><p>Ada Leaf writes about tea.</p>",
        "<h2>Latest videos from The Gull</h2><ul><li>Eels</ul><p>12</p>",
        "<h2>3 Comments</h2>",
        "<h2>Kommentare</h2>",
        "<h2>Share this</h2>",
    ],
)
def test_without_end_of_boxes_counts_and_headings(end):
    assert text_of(BEFORE + end) == text_of(BEFORE)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("<p>In 1984</p>", "In 1984"),
        ("<table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>", "2"),
        ("<ul><li>12</ul>", "- 12"),
        # A long part, and one with headings of its own.
        (f"<h2>About the author</h2><p>{'She lived by the sea. ' * 20}</p>", "sea."),
        ("<h2>About the author</h2><p>She.</p><h3>Works</h3><p>Tea.</p>", "Tea."),
        ("<h2>Eels</h2>", "Eels"),
    ],
)
def test_without_end_keeps_content(end, kept):
    assert text_of(BEFORE + end).endswith(kept)


def test_initials_of_portraits():
    post = "<p>I have seen eels in the pond behind the house, far away from any river.</p>"
    assert text_of(f"<div class='user-avatar'><span>AL</span></div>{post}") == text_of(post)
    assert text_of(f"<span class=initials>A</span>{post}") == text_of(post)
    # A word in such an element, and a letter elsewhere.
    assert "Ada Leaf" in text_of(f"<div class=avatar>Ada Leaf</div>{post}")
    assert text_of(f"<p>A</p>{post}").startswith("A")
    # The large first letter of a text.
    assert text_of(f"<p><span class=initials>T</span>he eels are back.</p>{post}").startswith("The eels")


def test_without_end_of_bare_headings():
    texts = BEFORE.replace("</p>", ".</p>") * 6
    assert text_of(f"{texts}<h3>Oven eel</h3><h3>Eel salad</h3>") == text_of(texts)
    # A list of titles.
    titles = "".join(f"<h3>Eel number {n}</h3>" for n in range(5))
    assert text_of(f"<p>All of our recipes:</p>{titles}").endswith("Eel number 4")


def test_without_end_of_tags():
    tags = "<p><a href=/tag/eels/>Eels</a> <a href=/tag/rivers/>Rivers</a></p>"
    assert text_of(BEFORE + tags) == text_of(BEFORE)
    assert text_of(f"{BEFORE}<p>See <a href=/tag/eels/>Eels</a></p>").endswith("See Eels")
    assert text_of(f"{BEFORE}<p><a href=/eels/>Eels</a></p>").endswith("Eels")


def sentence(html, unmarked="{2}"):
    page = parse(f"<p>{html}</p>")
    marks = np.asarray([text.strip() != unmarked for text in page.leaf_texts])
    return document(page, marks, title="", headline=False).text


def test_missing_links():
    assert sentence("You may post at <a href=/a>{2}</a> and wait.") == "You may post at {2} and wait."
    # At its end, a reference, no link, and one that is not seen.
    assert sentence("You may post at <a href=/a>{2}</a>") == "You may post at"
    assert "{2}" not in sentence("You may post<sup><a href=/a>{2}</a></sup> and wait.")
    assert "{2}" not in sentence("You may post <i>{2}</i> and wait.")
    assert "{2}" not in sentence("You may post <a href=/a style='display:none'>{2}</a> and wait.")
