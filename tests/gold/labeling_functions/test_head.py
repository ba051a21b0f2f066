"""Title, standfirst, author and date, each rule on both sides of its limit."""

import pytest
from blocksight.gold.labeling_functions.bylines import is_author_line, is_byline_of
from blocksight.gold.labeling_functions.head import (
    _authors,
    _dates,
    _standfirsts,
    _titles,
)
from blocksight.gold.pages import Post
from blocksight.page.clean_text import letters_of

PARAGRAPH = "<p>{}</p>".format(" ".join(f"w{number}" for number in range(12)))
TITLE = "The wall stands"


def titled(context, html):
    """Return a page of rows of which only the paragraphs are held by the gold."""
    return context(html, title=TITLE, share=lambda text: text.startswith("w0 "))


# -- titles -------------------------------------------------------------------------------------------------------

VOTE, VETO = ("gold field", "title"), ("gold field", "")


@pytest.mark.parametrize(
    ("html", "votes"),
    [
        ("<h1>{0}</h1>{1}", {VOTE: [0]}),
        # The largest heading; of two equal ones the nearest to the text.
        ("<h1>{0}</h1><h2>{0}</h2>{1}", {VOTE: [0], VETO: [1]}),
        ("<h2>{0}</h2><h2>{0}</h2>{1}", {VOTE: [1], VETO: [0]}),
        ("<h3>{0}</h3><h2>{0}</h2><p>{0}</p>{1}", {VOTE: [1], VETO: [0, 2]}),
        # Behind the first paragraph, or in a menu, none.
        ("{1}<h1>{0}</h1>", {VETO: [1]}),
        ("{1}<h1>{0}</h1>{1}", {VETO: [1]}),
        ("<nav><h1>{0}</h1></nav>{1}", {VETO: [0]}),
        ("<nav><h1>{0}</h1></nav><h2>{0}</h2>{1}", {VOTE: [1], VETO: [0]}),
        # Without a heading, the only row that says it.
        ("<p>{0}</p>{1}", {VOTE: [0]}),
        ("<p>{0}</p><p>x</p>{1}<p>{0}</p>", {VOTE: [0], VETO: [3]}),
        ("<p>{0}</p><p>{0}</p>{1}", {VETO: [0, 1]}),
        ("<p><a href=/>{0}</a></p>{1}", {VETO: [0]}),
        ("<p>x</p>{1}", {}),
    ],
)
def test_titles_largest_heading(context, said, html, votes):
    assert said(_titles(titled(context, html.format(TITLE, PARAGRAPH)))) == votes


@pytest.mark.parametrize(
    ("row", "is_title"),
    [
        ("one two three", True),
        ("one two", False),
        # Half of its words are a link, fewer are.
        ("one two <a href=/>three four</a>", False),
        ("one two three <a href=/>four five</a>", True),
    ],
)
def test_titles_without_heading(context, said, row, is_title):
    text = row.replace("<a href=/>", "").replace("</a>", "")
    found = context(f"<p>{row}</p>{PARAGRAPH}", title=text, share=[0, 1])
    assert said(_titles(found)) == {VOTE if is_title else VETO: [0]}


# -- standfirsts --------------------------------------------------------------------------------------------------


def described(context, letters, html, **gold):
    deck = "d" * letters
    html = f"<meta name=description content={deck}>{html.format(deck, PARAGRAPH)}"
    return context(html, share=lambda text: text.startswith("w0 "), **gold)


@pytest.mark.parametrize(
    ("letters", "html", "votes"),
    [
        (40, "<h3>{0}</h3>{1}", {("meta", "standfirst"): [0]}),
        (39, "<h3>{0}</h3>{1}", {}),
        (40, "<h3>{0}</h3><p>x</p>{1}", {("meta", "standfirst"): [0]}),
        (40, f"<h2>{'e' * 50}</h2><h3>{{0}}</h3>{{1}}", {("meta", "standfirst"): [1]}),
        (40, "<h3>{0}and more</h3>{1}", {}),
        # Built as the paragraphs behind it, in doubt; behind the first paragraph, and at the end, nothing.
        (40, "<p>{0}</p>{1}", {("meta", ""): [0]}),
        (40, "{1}<h3>{0}</h3>{1}", {}),
        (40, "<h1>x</h1><h3>{0}</h3>", {}),
        (40, "<h1>x</h1><h3>{0}</h3><h6>y</h6>", {("meta", ""): [1]}),
    ],
)
def test_standfirsts_description(context, said, letters, html, votes):
    assert said(_standfirsts(described(context, letters, html))) == votes


def test_standfirsts_forum(context, said):
    html = "<h3>{0}</h3>{1}"
    assert said(_standfirsts(described(context, 40, html, kind="article"))) != {}
    assert _standfirsts(described(context, 40, html, kind="forum")) == []
    assert _standfirsts(described(context, 40, html, posts=(Post(text="x"),))) == []


# -- authors and dates --------------------------------------------------------------------------------------------


def lines(context, *texts, **gold):
    return context("".join(f"<div>{text}</div>" for text in texts) + PARAGRAPH, share=[0] * len(texts) + [1], **gold)


@pytest.mark.parametrize(
    ("author", "line", "found"),
    [
        ("Ada Leaf", "Ada Leaf", True),
        ("Ada Leaf", "Bo Pine", False),
        ("Bo", "Bo", True),
        ("X", "X", False),
        # 16 words, 17 words.
        ("Ada Leaf", "By Ada Leaf a b c d e f g h i j k l m", True),
        ("Ada Leaf", "By Ada Leaf a b c d e f g h i j k l m n", False),
    ],
)
def test_authors_line(context, said, author, line, found):
    assert said(_authors(lines(context, line, author=author))) == ({("gold field", "author"): [0]} if found else {})


@pytest.mark.parametrize(("line", "found"), [("The Gull", False), ("By The Gull", True)])
def test_authors_site_name(context, said, line, found):
    html = f"<meta property=og:site_name content='The Gull'><div>{line}</div>{PARAGRAPH}"
    votes = said(_authors(context(html, author="The Gull", share=[0, 1])))
    assert votes == ({("gold field", "author"): [0]} if found else {})


def test_authors_first_source(context, said):
    html = f"<meta name=author content='Ada Leaf; Bo Pine'><div>Bo Pine</div><div>Ada Leaf</div>{PARAGRAPH}"
    votes = said(_authors(context(html, author="Ada Leaf", share=[0, 0, 1])))
    assert votes == {("meta", "author"): [0], ("gold field", "author"): [1]}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("May 3, 2021", True),
        # A day more or less may be the zone's.
        ("May 4, 2021", True),
        ("May 2, 2021", True),
        ("May 5, 2021", False),
        ("May 1, 2021", False),
        ("2021-05-03 23:59", True),
        ("© May 3, 2021", False),
        ("May 3", False),
        ("yesterday", False),
    ],
)
def test_dates_line(context, said, line, found):
    votes = said(_dates(lines(context, line, date="2021-05-03T10:00:00Z")))
    assert votes == ({("gold field", "date"): [0]} if found else {})


def test_dates_declared(context, said):
    html = "<meta name=pubdate content=2021-05-03><meta name=expires content=2022-06-04>{}" + PARAGRAPH
    assert said(_dates(context(html.format("<div>May 3, 2021</div>"), share=[0, 1]))) == {("meta", "date"): [0]}
    assert said(_dates(context(html.format("<div>June 4, 2022</div>"), share=[0, 1]))) == {}


# -- by-lines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letters", "found"), [(24, True), (25, False)])
def test_is_byline_of_other_letters(letters, found):
    text = f"By Ada Leaf, {'x' * letters}"
    assert is_byline_of("adaleaf", text, letters_of(text)) is found


@pytest.mark.parametrize("text", ["the harbour wall", "Ada", "Ada Leaf walks home"])
def test_is_author_line_no_name(text):
    assert not is_author_line(text)
