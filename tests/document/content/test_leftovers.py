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
def test_counts_are_left_out_wherever_they_are(counts):
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
def test_texts_like_counts_stay(kept):
    page = parse(f"<p>First.</p>{kept}{BEFORE}")
    words = " ".join(page.leaf_texts).split()
    assert set(words) <= set(text_of(f"<p>First.</p>{kept}{BEFORE}").replace("- ", "").split())


def test_a_page_that_is_a_count():
    assert text_of("<p>12 views</p>") == "12 views"


LINKS = "<ul><li><a href=/a>Eels at night</a><li><a href=/b>Eels at noon</a></ul>"


@pytest.mark.parametrize(
    "heading",
    ["Related posts", "Weitere Beiträge aus der Kolumne:", "You may also like", "À lire aussi", "More from us"],
)
def test_links_to_other_pages_at_the_end(heading):
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
def test_lists_of_the_author_stay(heading, links):
    assert "Eels at night" in text_of(f"{BEFORE}<h2>{heading}</h2>{links}")


def test_initials_of_portraits():
    post = "<p>I have seen eels in the pond behind the house, far away from any river.</p>"
    assert text_of(f"<div class='user-avatar'><span>AL</span></div>{post}") == text_of(post)
    assert text_of(f"<span class=initials>A</span>{post}") == text_of(post)
    # A word in such an element, and a letter elsewhere.
    assert "Ada Leaf" in text_of(f"<div class=avatar>Ada Leaf</div>{post}")
    assert text_of(f"<p>A</p>{post}").startswith("A")
    # The large first letter of a text.
    assert text_of(f"<p><span class=initials>T</span>he eels are back.</p>{post}").startswith("The eels")


def test_headings_without_a_text_at_the_end():
    texts = BEFORE.replace("</p>", ".</p>") * 6
    assert text_of(f"{texts}<h3>Oven eel</h3><h3>Eel salad</h3>") == text_of(texts)
    # A list of titles.
    titles = "".join(f"<h3>Eel number {n}</h3>" for n in range(5))
    assert text_of(f"<p>All of our recipes:</p>{titles}").endswith("Eel number 4")


def test_tags_at_the_end():
    tags = "<p><a href=/tag/eels/>Eels</a> <a href=/tag/rivers/>Rivers</a></p>"
    assert text_of(BEFORE + tags) == text_of(BEFORE)
    assert text_of(f"{BEFORE}<p>See <a href=/tag/eels/>Eels</a></p>").endswith("See Eels")
    assert text_of(f"{BEFORE}<p><a href=/eels/>Eels</a></p>").endswith("Eels")


def sentence(html, unmarked="{2}"):
    page = parse(f"<p>{html}</p>")
    marks = np.asarray([text.strip() != unmarked for text in page.leaf_texts])
    return document(page, marks, title="", headline=False).text


def test_a_sentence_has_no_hole():
    assert sentence("You may post at <a href=/a>{2}</a> and wait.") == "You may post at {2} and wait."
    # At its end, a reference, no link, and one that is not seen.
    assert sentence("You may post at <a href=/a>{2}</a>") == "You may post at"
    assert "{2}" not in sentence("You may post<sup><a href=/a>{2}</a></sup> and wait.")
    assert "{2}" not in sentence("You may post <i>{2}</i> and wait.")
    assert "{2}" not in sentence("You may post <a href=/a style='display:none'>{2}</a> and wait.")
