"""Repeated lines, counts and what ends a page are no content, though they were chosen."""

import numpy as np
import pytest
from blocksight.classify.marked_lines import counting_lines, ending_lines, lines_of, repeated_lines, without_lines
from blocksight.page.parse import parse

BEFORE = f"<p>{'Some words about tea and water. ' * 8}</p>"


def left(html, *find):
    """The lines of a page that remain, all of it being marked."""
    page = parse(html)
    marks = np.ones(len(page.leaves), dtype=bool)
    for one in find:
        lines = lines_of(page, marks)
        marks = without_lines(marks, lines, one(lines))
    return lines_of(page, marks).texts


def test_lines_of_leaves():
    page = parse("<p>The <b>tide</b> turned.</p><p>Early.</p>")
    assert lines_of(page, np.ones(len(page.leaves), dtype=bool)).texts == ["The tide turned.", "Early."]
    assert lines_of(page, np.asarray([False, True, False, True])).texts == ["tide", "Early."]
    assert len(lines_of(page, np.zeros(4, dtype=bool))) == 0


def test_without_lines_leaves_something():
    page = parse("<p>a</p><p>b</p>")
    marks = np.ones(2, dtype=bool)
    lines = lines_of(page, marks)
    assert without_lines(marks, lines, {0}).tolist() == [False, True]
    assert without_lines(marks, lines, {0, 1}).tolist() == [True, True]


# -- repetitions ------------------------------------------------------------------------------------------------------


def kept(html):
    return left(html, repeated_lines)


def twice(text, between=0):
    """Return markup in which a text is in two elements, with others between them."""
    others = "".join(f"<p>{number}</p>" for number in range(between))
    return f"<div><p>{text}</p></div>{others}<div><p>{text}</p></div>"


@pytest.mark.parametrize(
    ("length", "between", "times"),
    [
        (24, 0, 2),
        (25, 0, 1),
        # The fourth line behind it is near, the fifth is not, unless the text is long.
        (25, 3, 1),
        (25, 4, 2),
        (159, 4, 2),
        (160, 4, 1),
    ],
)
def test_repeated_lines_length_and_distance(length, between, times):
    assert kept(twice("x" * length, between)).count("x" * length) == times


def test_repeated_lines_compares_with_last():
    text = "x" * 25
    html = "".join(f"<div><p>{text}</p></div><p>{number}a</p><p>{number}b</p><p>{number}c</p>" for number in range(3))
    assert kept(html).count(text) == 1


@pytest.mark.parametrize(
    ("html", "times"),
    [
        ("<div><p>{0}</p><p>{0}</p></div>", 2),
        ("<div><p>{0}</p><p class=other>{0}</p></div>", 1),
        ("<div><p>{0}</p><section>{0}</section></div>", 1),
        ("<div><p>{0}</p></div><div><p>{0}</p></div>", 1),
        # Cells, code and quotes, by the element or by its class.
        ("<div><p>{0}</p></div><table><tr><td>{0}</table>", 2),
        ("<div><p>{0}</p></div><pre>{0}</pre>", 2),
        ("<div><p>{0}</p></div><blockquote><p>{0}</p></blockquote>", 2),
        ("<div><p>{0}</p></div><div class='big Quotation'><p>{0}</p></div>", 2),
        ("<div><p>{0}</p></div><ul><li>{0}</ul>", 1),
    ],
)
def test_repeated_lines_elements(html, times):
    assert len(kept(html.format("x" * 25))) == times


def post(*texts):
    return "<div>" + "".join(f"<p>{text}</p>" for text in texts) + "</div>"


FILLERS = "".join(f"<p>{number}</p>" for number in range(5))


def test_repeated_lines_run():
    first = "x" * 60
    run = [first, "b", "c"]
    assert kept(post(*run) + FILLERS + post(*run) + "<p>end</p>") == [*run, *"01234", "end"]
    assert kept(post(*run) * 2) == run
    assert kept(post("b", "c", first) * 2) == ["b", "c", first]
    assert kept(post(*run, *run)) == run * 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # None of the three has 60 characters; two in a row only; another order.
        (("x" * 59, "b", "c"), ("x" * 59, "b", "c")),
        (("x" * 60, "b", "c"), ("x" * 60, "b", "d")),
        (("x" * 60, "b", "c"), ("x" * 60, "c", "b")),
    ],
)
def test_repeated_lines_other_runs(one, other):
    assert kept(post(*one) + FILLERS + post(*other)) == [*one, *"01234", *other]


LONG = "x" * 60


@pytest.mark.parametrize(
    ("said", "dropped"),
    [
        # What one of the two before has with more.
        ([LONG + "y", LONG], {1}),
        ([LONG + "y", "a", LONG], {2}),
        ([LONG + "y", "a", "b", LONG], set()),
        ([LONG[1:] + "y", LONG[1:]], set()),
        ([LONG, LONG + "y"], set()),
        (["z" + LONG, LONG], set()),
        # What one of the two behind has in full, where it ends in words for that.
        ([LONG + " …", LONG + "y"], {0}),
        ([LONG + " READ more", LONG + "y"], {0}),
        ([LONG + " ... [show more] »", LONG + "y"], {0}),
        ([LONG + " more text", LONG + "y"], set()),
        ([LONG + " …", "a", LONG + "y"], {0}),
        ([LONG + " …", "a", "b", LONG + "y"], set()),
        ([LONG + " …", LONG], {1}),
        ([LONG[1:] + "…", LONG + "y"], set()),
        ([LONG + " …", "a", LONG + "y", LONG], {0, 3}),
    ],
)
def test_repeated_lines_teasers(said, dropped):
    assert kept("".join(f"<p>{text}</p>" for text in said)) == [
        text for number, text in enumerate(said) if number not in dropped
    ]


# -- counts, and what ends a page -------------------------------------------------------------------------------------


def text_of(html):
    return left(html, counting_lines, ending_lines)


@pytest.mark.parametrize(
    "counts",
    [
        "<div>Replies</div><div>0</div><div>Voices</div><div>1</div>",
        "<div>Freshness</div><div>2 years ago</div>",
        "<div>12 views</div><div>Likes: 1.2k</div>",
        "<div>Antworten:</div><div>3</div>",
    ],
)
def test_counting_lines(counts):
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
def test_counting_lines_keeps_text(kept):
    html = f"<p>First.</p>{kept}{BEFORE}"
    assert text_of(html) == left(html)


def test_without_lines_only_a_count():
    assert text_of("<p>12 views</p>") == ["12 views"]


LINKS = "<ul><li><a href=/a>Eels at night</a><li><a href=/b>Eels at noon</a></ul>"


@pytest.mark.parametrize(
    "heading",
    ["Related posts", "Weitere Beiträge aus der Kolumne:", "You may also like", "À lire aussi", "More from us"],
)
def test_ending_lines_of_related_links(heading):
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
def test_ending_lines_keeps_lists_of_author(heading, links):
    assert "Eels at night" in " ".join(text_of(f"{BEFORE}<h2>{heading}</h2>{links}"))


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
def test_ending_lines_of_boxes_counts_and_headings(end):
    assert text_of(BEFORE + end) == text_of(BEFORE)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("<p>In 1984</p>", "In 1984"),
        ("<table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>", "2"),
        ("<ul><li>12</ul>", "12"),
        # A long part, and one with headings of its own.
        (f"<h2>About the author</h2><p>{'She lived by the sea. ' * 20}</p>", "sea."),
        ("<h2>About the author</h2><p>She.</p><h3>Works</h3><p>Tea.</p>", "Tea."),
        ("<h2>Eels</h2>", "Eels"),
    ],
)
def test_ending_lines_keeps_content(end, kept):
    assert text_of(BEFORE + end)[-1].endswith(kept)


def test_ending_lines_of_bare_headings():
    texts = BEFORE.replace("</p>", ".</p>") * 6
    assert text_of(f"{texts}<h3>Oven eel</h3><h3>Eel salad</h3>") == text_of(texts)
    # A list of titles.
    titles = "".join(f"<h3>Eel number {n}</h3>" for n in range(5))
    assert text_of(f"<p>All of our recipes:</p>{titles}")[-1] == "Eel number 4"


def test_ending_lines_of_tags():
    tags = "<p><a href=/tag/eels/>Eels</a> <a href=/tag/rivers/>Rivers</a></p>"
    assert text_of(BEFORE + tags) == text_of(BEFORE)
    assert text_of(f"{BEFORE}<p>See <a href=/tag/eels/>Eels</a></p>")[-1] == "See Eels"
    assert text_of(f"{BEFORE}<p><a href=/eels/>Eels</a></p>")[-1] == "Eels"
