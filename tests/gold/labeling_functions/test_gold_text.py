"""What people say of a page's text, its posts, comments and typed blocks, each rule on both sides of its limit."""

import pytest
from blocksight.gold.labeling_functions.gold_text import (
    _body,
    _comments,
    _constructed,
    _maybe_other,
    _node_roles,
    _posts,
    _typed_leaves,
)
from blocksight.gold.pages import GoldNodes, Post, TypedLeaf

# -- blocks that people typed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<p data-role=promotion>x</p>", [0]),
        # Nine of ten characters, and eight of nine; the first text outside.
        ("<p><b data-role=promotion>abcdefghi</b>j</p>", [0]),
        ("<p><b data-role=promotion>abcdefgh</b>j</p>", []),
        ("<p>j<b data-role=promotion>abcdefghi</b></p>", []),
        ("<div data-role=promotion><p>x</p><p data-role=form>y</p><p>z</p></div>", [0, 2]),
        ("<p data-role=unknown>x</p>", []),
        ("<p>x</p>", []),
    ],
)
def test_constructed(context, said, html, rows):
    votes = _constructed(context(html))
    assert said(votes).get(("construction", "promotion"), []) == rows
    assert {vote.role for vote in votes} <= {"promotion", "form"}


@pytest.mark.parametrize(("first", "second", "rows"), [("abcdefgh", "ij", [0]), ("abcdefg", "hij", []), ("x", "", [0])])
def test_node_roles_share_of_row(context, said, first, second, rows):
    nodes = GoldNodes(texts=(first, second, "end"), labels=(1, 0, 0), roles=("body", "unknown", ""))
    votes = _node_roles(context(f"<p>{first}<b>{second}</b></p><p>end</p>", nodes=nodes))
    assert [vote.role for vote in votes] == ["body"]
    assert said(votes).get(("typed block", "body"), []) == rows


def typed(context, said, html, *leaves, share=None):
    """Return the votes of a page some of whose leaves are typed: path below the body, number, beginning, role."""
    roles = tuple(
        TypedLeaf(path=f"/html/body[1]/{path}", number=number, prefix=beginning, role=role)
        for path, number, beginning, role in leaves
    )
    votes = said(_typed_leaves(context(html, typed_leaves=roles, share=share)))
    assert {source for source, _ in votes} <= {"typed block"}
    return {role: rows for (_, role), rows in votes.items()}


def test_typed_leaves_matching(context, said):
    html = "<p>one</p><p>two <b>and</b> more</p>"
    assert typed(context, said, html, ("p[1]", 1, "one", "logo")) == {"other": [0]}
    assert typed(context, said, html, ("p[2]", 1, "two", "logo"), ("p[2]", 2, "more", "logo")) == {}
    leaves = (("p[2]", 1, "two", "logo"), ("p[2]", 2, "more", "logo"), ("p[2]/b[1]", 1, "and", "logo"))
    assert typed(context, said, html, *leaves) == {"other": [1]}
    # Its text has changed since; ten characters of it count.
    assert typed(context, said, html, ("p[1]", 1, "two", "logo")) == {}
    assert typed(context, said, "<p>abcdefghij</p>", ("p[1]", 1, "abcdefghijXY", "logo")) == {"other": [0]}
    assert typed(context, said, "<p>abcdefghij</p>", ("p[1]", 1, "abcdefghiX", "logo")) == {}


@pytest.mark.parametrize(
    ("html", "rows"),
    [("<p>abcdefgh<b>ij</b></p>", [0]), ("<p>abcdefg<b>hij</b></p>", None), ("<p>a</p>", [0])],
)
def test_typed_leaves_share_of_row(context, said, html, rows):
    assert typed(context, said, html, ("p[1]", 1, "a", "logo")) == ({"other": rows} if rows else {})


@pytest.mark.parametrize(
    ("tag", "plain", "linked", "role", "voted"),
    [
        # Bodies have ten words, and less than half of them in links.
        ("p", 10, 0, "body", True),
        ("p", 9, 0, "body", False),
        ("p", 6, 5, "body", True),
        ("p", 5, 5, "body", False),
        ("h3", 10, 0, "body", False),
        ("p", 10, 0, "comments", True),
        ("p", 9, 0, "comments", False),
        # Teasers have six words, half of them in links.
        ("p", 0, 6, "link list", True),
        ("p", 3, 3, "link list", True),
        ("p", 0, 5, "link list", False),
        ("p", 4, 3, "link list", False),
        ("p", 6, 0, "link list", False),
        # The others may be short.
        ("p", 1, 0, "byline", True),
        ("p", 0, 1, "navigation", True),
        ("p", 1, 0, "footer", True),
        ("p", 1, 0, "advertisement", False),
    ],
)
def test_typed_leaves_look_of_role(context, said, words, tag, plain, linked, role, voted):
    text, link = words(plain), words(linked, "a")
    html = f"<{tag}>{text}<a href=/>{link}</a></{tag}>"
    leaves = ((f"{tag}[1]", 1, text, role), (f"{tag}[1]/a[1]", 1, link, role))
    ours = {"comments": "comment", "link list": "related", "byline": "author"}.get(role, role)
    assert typed(context, said, html, *leaves) == ({ours: [0]} if voted else {})


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<h1>t</h1><h1>t</h1><p>{}</p>", [0]),
        ("<h2>t</h2><p>{}</p>", [0]),
        ("<h3>t</h3><p>{}</p>", None),
        ("<h3>t</h3><h1>t</h1><p>{}</p>", None),
        ("<p>{}</p><h1>t</h1>", None),
    ],
)
def test_typed_leaves_title_is_first_heading(context, said, words, html, rows):
    leaves = [(f"h{level}[{number}]", 1, "t", "title") for level in (1, 2, 3) for number in (1, 2)]
    paragraph = words(10)
    html = html.format(paragraph)
    share = [float(part == "p") for part in html.replace("</", "").split("<")[1:] for part in [part[0]]]
    assert typed(context, said, html, *leaves, share=share) == ({"title": rows} if rows else {})


# -- posts and comments -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "rows"), [(2, [0]), (3, None)])
def test_posts_share_of_row(context, said, words, more, rows):
    # Eight of ten words, or of eleven.
    votes = said(_posts(context(f"<p>{words(8)} {words(more, 'x')}</p>", posts=(Post(text=words(8)),))))
    assert votes.get(("post", "post")) == rows


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Ada Leaf", "author"),
        # Twelve letters, thirteen; what is the date does not count.
        ("Ada Leaf abcdefghijkl", "author"),
        ("Ada Leaf abcdefghijklm", None),
        ("Ada Leaf abcdefghijkl 3 May", "author"),
        ("Ada Leaf abcdefghijklm 3 May", None),
        ("3 May", "date"),
        ("3 May abcdefghijkl", "date"),
        ("3 May abcdefghijklm", None),
        ("Hello there", None),
    ],
)
def test_posts_author_and_date_lines(context, said, words, line, role):
    posts = (Post(text=words(12), author="Ada Leaf", date="3 May"),)
    votes = said(_posts(context(f"<div>{line}</div><p>{words(12)}</p>", posts=posts)))
    assert votes == {("post", "post"): [1]} | ({("post", role): [0]} if role else {})


@pytest.mark.parametrize(
    ("row", "share", "voted"),
    [
        ("one two three four", 0, True),
        ("one two three", 0, False),
        # What the gold text holds is none.
        ("one two three four", 0.5, False),
        ("one two three four", 0.49, True),
        # By-lines and dates of 16 words; 17 are a sentence.
        ("by Ada " + " ".join("abcdefghijklmn"), 0, False),
        ("by Ada " + " ".join("abcdefghijklmno"), 0, True),
        ("3 May 2021 " + " ".join("abcdefghijklm"), 0, False),
        ("3 May 2021 " + " ".join("abcdefghijklmn"), 0, True),
    ],
)
def test_comments_shape(context, said, row, share, voted):
    found = _comments(context(f"<p>{row}</p>", share=[share], comments=row))
    assert said(found) == ({("comment text", "comment"): [0]} if voted else {})


@pytest.mark.parametrize(("more", "voted"), [(2, True), (3, False)])
def test_comments_share_of_row(context, said, words, more, voted):
    found = _comments(context(f"<p>{words(8)} {words(more, 'x')}</p>", share=[0], comments=words(8)))
    assert said(found) == ({("comment text", "comment"): [0]} if voted else {})


# -- the text -----------------------------------------------------------------------------------------------------


def bodies(context, said, html, share, **gold):
    return said(_body(context(html, share=share, texts=("x",), **gold))).get(("gold text", "body"), [])


def test_body_between_paragraphs(context, said, words):
    five, ten = [f"<p>{words(number)}</p>" for number in (5, 10)]
    # Before the first and behind the last paragraph, what the gold holds is not certain; nor is what it does not hold.
    assert bodies(context, said, five + ten + five + ten + five, [1] * 5) == [1, 2, 3]
    assert bodies(context, said, ten + five + ten, [1, 0.79, 0.8]) == [0, 2]
    assert bodies(context, said, ten + five + ten, [1, 0.8, 1]) == [0, 1, 2]


@pytest.mark.parametrize(("plain", "linked", "voted"), [(3, 3, False), (4, 3, True)])
def test_body_link_density(context, said, words, plain, linked, voted):
    row = f"<p>{words(plain)} <a href=/>{words(linked)}</a></p>"
    ten = f"<p>{words(10)}</p>"
    assert bodies(context, said, ten + row + ten, [1, 1, 1]) == ([0, 1, 2] if voted else [0, 2])


@pytest.mark.parametrize(("number", "voted"), [(19, False), (20, True)])
def test_body_long_paragraph(context, said, words, number, voted):
    assert bodies(context, said, f"<figure><p>{words(number)}</p></figure>", [1]) == ([0] if voted else [])


@pytest.mark.parametrize(("share", "voted"), [(0.8, True), (0.79, False)])
def test_body_of_generated_page(context, said, share, voted):
    assert bodies(context, said, "<p><a href=/>x</a></p>", [share], generated=True) == ([0] if voted else [])


def test_body_without_gold_text(context, words):
    html = f"<p>{words(20)}</p>"
    leaf = TypedLeaf(path="/html", number=1, prefix="", role="")
    assert _body(context(html, share=[1])) == []
    assert _body(context(html, share=[1], texts=("x",), typed_leaves=(leaf,))) == []
    assert len(_body(context(html, share=[1], texts=("x",)))) == 1


@pytest.mark.parametrize(
    ("html", "weak"),
    [
        ("<p>one two three</p>", False),
        ("<p>one two</p>", True),
        # Next to a picture, of 5 words around which are at most 2 · 5 + 5.
        ("<div><img src=a><p>a b c d e</p><p>{ten}</p></div>", True),
        ("<div><img src=a><p>a b c d e</p><p>{ten} f</p></div>", False),
        ("<div><p>a b c d e</p><p>{ten}</p></div><img src=a>", False),
        # Lines that say by whom, of 16 words and of 17.
        ("<p>By {ten} a b c d e</p>", True),
        ("<p>By {ten} a b c d e f</p>", False),
        ("<p>To {ten} a b c d e</p>", False),
        ("<figure><p>a b c</p></figure>", True),
        ("<p><time>a b c</time></p>", False),
        ("<time><p>a b c</p></time>", True),
    ],
)
def test_maybe_other(context, words, html, weak):
    assert bool(_maybe_other(context(html.format(ten=words(10))))[0]) is weak
