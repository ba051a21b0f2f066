"""What authors of pages call their elements, each rule on both sides of its limit."""

import numpy as np
import pytest
from blocksight.gold.labeling_functions.markup import (
    _captions,
    _heads,
    _lines,
    _marked_regions,
    _region_named,
    _region_votes,
    _regions,
    _too_large,
)
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE, ROLES

NONE, VETO = -2, -1

# -- regions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("ads", "promotion"),
        ("top-menu", "navigation"),
        ("related-posts", "related"),
        ("site-footer", "footer"),
        ("comment-body", "comment"),
        # Two regions, or the readers' comments as a whole.
        ("ads menu", VETO),
        ("comments", VETO),
        ("story", NONE),
        ("", NONE),
        # 200 characters of a name; longer ones say nothing.
        ("x" * 196 + " ads", "promotion"),
        ("x" * 197 + " ads", NONE),
    ],
)
def test_region_named(name, role):
    assert _region_named(name) == (ROLE[role] if isinstance(role, str) else role)


def mark(html, number=0):
    """Return what the elements that hold an "x" are marked as."""
    page = parse(html)
    marks = _marked_regions(page)
    found = [int(marks[page.parent[leaf]]) for leaf in page.leaves]
    return [ROLES[value] if value >= 0 else value for value in found]


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<div class=menu>x</div>", "navigation"),
        ("<div id=menu>x</div>", "navigation"),
        ("<div id=menu class=nav>x</div>", "navigation"),
        ("<div id=menu class=story>x</div>", "navigation"),
        ("<div id=story class=menu>x</div>", "navigation"),
        ("<div id=ads class=menu>x</div>", VETO),
        ("<div id=ads class=comments>x</div>", VETO),
        ("<div>x</div>", NONE),
        # Menus by their tag whatever their class says, forms where it says nothing.
        ("<nav>x</nav>", "navigation"),
        ("<nav class=ads>x</nav>", "navigation"),
        ("<form>x</form>", "form"),
        ("<form class=ads>x</form>", "promotion"),
        ("<button>x</button>", "form"),
        ("<label class=menu>x</label>", "navigation"),
        ("<footer>x</footer>", "footer"),
        ("<footer class=ads>x</footer>", "promotion"),
        ("<article><footer>x</footer></article>", NONE),
        ("<main><footer>x</footer></main>", NONE),
        ("<div role=navigation class=ads>x</div>", "navigation"),
        ("<div role=contentinfo>x</div>", "footer"),
        ("<div role='search x'>x</div>", "form"),
        ("<div role=main>x</div>", NONE),
        ("<div role=doc-endnotes>x</div>", "note"),
        ("<div role=doc-footnote>x</div>", "note"),
        ("<a rel=tag>x</a>", "navigation"),
        ("<a rel='category nofollow'>x</a>", "navigation"),
        ("<a rel=tag class=ads>x</a>", "promotion"),
        ("<a rel=author>x</a>", NONE),
        # What holds the page is no region.
        ("<body class=menu>x</body>", NONE),
        ("<main class=menu>x</main>", NONE),
        ("<article class=menu>x</article>", NONE),
    ],
)
def test_marked_regions(html, role):
    assert mark(html) == [role]
    # Other elements make no difference, nor does the first of all names.
    assert mark(f"<p class=ads>y</p>{html}")[-1] == role


def test_regions_nearest_element(context):
    filler = "<p>" + "w " * 20 + "</p>"
    found = context(f"<div class=menu><p>a</p><div class=ads><p>b</p></div><p>c</p></div><p>d</p>{filler}")
    regions = _regions(found)[found.rows.node].tolist()
    assert regions == [ROLE["navigation"], ROLE["promotion"], ROLE["navigation"], NONE, NONE]


@pytest.mark.parametrize(
    ("inside", "outside", "name", "share", "large"),
    [
        # Six of ten words are 0.6 of the page, seven of eleven are more.
        (6, 4, "ads", (0, 0), False),
        (7, 4, "ads", (0, 0), True),
        # Three of the ten words that the gold holds are 0.3, four of twelve are more, but not for comments and notes.
        (3, 7, "ads", (1, 1), False),
        (4, 8, "ads", (1, 1), True),
        (4, 8, "ads", (0, 1), False),
        (4, 8, "comment-body", (1, 1), False),
        (4, 8, "footnotes", (1, 1), False),
        (4, 8, "comments", (1, 1), False),
        (7, 4, "comments", (1, 1), True),
        (1, 1, "ads", (1, 0), True),
    ],
)
def test_too_large(context, words, inside, outside, name, share, large):
    found = context(f"<div class={name}><p>{words(inside)}</p></div><p>{words(outside)}</p>", share=share)
    (region,) = np.flatnonzero(found.page.has_tag("div"))
    assert _too_large(found, _marked_regions(found.page))[region] == large
    assert (_regions(found)[region] == NONE) == large


def regions(context, said, html, share):
    found = context(html, share=share)
    return said(_region_votes(found, _regions(found)))


def test_region_votes_footer_after_text(context, said, words):
    html = f"<div class=footer>a</div><p>{words(10)}</p><div class=footer>b</div><footer>c</footer>"
    assert regions(context, said, html, [0, 1, 0, 0]) == {("class", "footer"): [2], ("tag", "footer"): [3]}


def test_region_votes_anywhere(context, said, words):
    html = f"<div class=ads>a</div><nav>b</nav><p>{words(10)}</p><div class=ads>c</div>"
    assert regions(context, said, html, [0, 0, 1, 0]) == {("class", "promotion"): [0, 3], ("tag", "navigation"): [1]}


@pytest.mark.parametrize(("letters", "voted"), [(9, True), (8, False)])
def test_region_votes_share_of_row(context, said, words, letters, voted):
    html = f"<p>y<span class=ads>{'x' * letters}</span></p><p>{words(10)}</p>"
    assert regions(context, said, html, [0, 1]) == ({("class", "promotion"): [0]} if voted else {})


@pytest.mark.parametrize(
    ("row", "voted"),
    [
        ("one two", True),
        ("one", False),
        ("one <a href=/>two</a>", False),
        ("one two <a href=/>three</a>", True),
        ("two days ago", False),
        ("reply " + " ".join("abcdefghijklm"), False),
        ("reply " + " ".join("abcdefghijklmn"), True),
        # Of 15 words, whatever they say.
        (" ".join("abcdefghijklmno"), True),
    ],
)
def test_region_votes_comment(context, said, words, row, voted):
    html = f"<p>{words(40)}</p><div class=comment-body><p>{row}</p></div>"
    assert regions(context, said, html, [1, 0]) == ({("class", "comment"): [1]} if voted else {})


def test_region_votes_related(context, said, words):
    html = (
        f"<p>{words(40)}</p><div class=related><p><a href=/>a</a></p><p>b</p></div><p>c</p><div class=related>d</div>"
    )
    # "d" is three rows from the link.
    assert regions(context, said, f"{html}<p>e</p><p>f</p>", [1, 0, 0, 0, 0, 0, 0]) == {("class", "related"): [1, 2]}


# -- captions -----------------------------------------------------------------------------------------------------


def captions(context, said, html, share=0.0):
    """Return the source of a caption, which is the first row, on a page with other text."""
    found = context(html + "<p>" + "z " * 400 + "</p>", share=lambda _: share)
    votes = said(_captions(found, _regions(found)))
    return [who for (who, role), rows in votes.items() if 0 in rows and role == "caption"]


@pytest.mark.parametrize(
    ("html", "voted"),
    [
        ("<figure><img src=a><figcaption>x</figcaption></figure>", True),
        ("<figure><figcaption>x</figcaption><div><video></video></div></figure>", True),
        ("<figure><figcaption>x</figcaption></figure><img src=a>", False),
        ("<div><img src=a><figcaption>x</figcaption></div>", False),
        ("<figure><img src=a><p>x</p></figure>", False),
        # 80 words, at least one, less than 0.8 of them in links.
        ("<figure><img src=a><figcaption>{80}</figcaption></figure>", True),
        ("<figure><img src=a><figcaption>{81}</figcaption></figure>", False),
        ("<figure><img src=a><figcaption>&mdash;</figcaption></figure>", False),
        ("<figure><img src=a><figcaption>x <a href=/>{4}</a></figcaption></figure>", False),
        ("<figure><img src=a><figcaption>x <a href=/>{3}</a></figcaption></figure>", True),
        # Nine of ten characters of the row, and eight of ten.
        ("<figure><img src=a><span>y</span><figcaption style='display:inline'>x</figcaption></figure>", False),
    ],
)
def test_captions_by_tag(context, said, words, html, voted):
    for number in (80, 81, 3, 4):
        html = html.replace(f"{{{number}}}", words(number))
    assert captions(context, said, html) == (["tag"] if voted else [])


@pytest.mark.parametrize(("share", "voted"), [(0.0, []), (0.5, ["tag"])])
def test_captions_in_region(context, said, share, voted):
    html = "<div class=ads><figure><img src=a><figcaption>x</figcaption></figure></div>"
    assert captions(context, said, html, share) == voted


@pytest.mark.parametrize(
    ("html", "voted"),
    [
        ("<div><p class=caption>x y</p><img src=a></div>", True),
        ("<div><p id=caption>x y</p><img src=a></div>", True),
        ("<div><p class=story>x y</p><img src=a></div>", False),
        ("<div><p class=caption>x</p><img src=a></div>", False),
        ("<div><h3 class=caption>x y</h3><img src=a></div>", False),
        # A picture two levels above, and three.
        ("<div><div><p class=caption>x y</p></div><img src=a></div>", True),
        ("<div><div><div><p class=caption>x y</p></div></div><img src=a></div>", False),
        ("<div><p class=caption>x y</p></div><div></div>", False),
        ("<div><p class=caption>x y <img src=a></p></div>", False),
        # It has 80 words, what is around it 160.
        ("<div><p class=caption>{80}</p><img src=a></div>", True),
        ("<div><p class=caption>{81}</p><img src=a></div>", False),
        ("<div><div class=caption><p>{80}</p><p>x</p></div><img src=a></div>", False),
        ("<div><div class=caption><p>{80}</p></div><p>{80}</p><img src=a></div>", True),
        ("<div><div class=caption><p>{80}</p></div><p>{81}</p><img src=a></div>", False),
        # Ratings have captions, too; a table that is called so is none.
        ("<div class=rating><div><p class=caption>x y</p><img src=a></div></div>", False),
        ("<div><table class=caption><tr><td>x y</table><img src=a></div>", False),
        ("<div><p class=caption>x <a href=/>{4}</a></p><img src=a></div>", False),
        # 200 characters of a name.
        (f"<div><p class='{'x' * 192} caption'>x y</p><img src=a></div>", True),
        (f"<div><p class='{'x' * 192}  caption'>x y</p><img src=a></div>", False),
    ],
)
def test_captions_by_class(context, said, words, html, voted):
    for number in (80, 81, 4):
        html = html.replace(f"{{{number}}}", words(number))
    assert captions(context, said, html) == (["class"] if voted else [])


# -- by-lines and dates -------------------------------------------------------------------------------------------

TEXT = "<p>" + " ".join(f"w{number}" for number in range(40)) + "</p>"


def lines(context, said, *rows, behind=TEXT, **gold):
    found = context("".join(rows) + behind, share=lambda text: text.startswith("w0 "), **gold)
    return said(_lines(found, _regions(found)))


@pytest.mark.parametrize(
    ("html", "vote"),
    [
        ("<div><time>May 3, 2021</time></div>", ("tag", "date")),
        ("<div><time>May</time></div>", None),
        ("<div itemprop=datePublished>May 3</div>", ("microdata", "date")),
        ("<div itemprop=dateModified>May 3</div>", ("microdata", "date")),
        ("<div class=dt-published>May 3</div>", ("hentry", "date")),
        ("<div class=dt-updated>May 3</div>", ("hentry", "date")),
        ("<div class=date>May 3</div>", ("class", "date")),
        ("<div id=date>May 3</div>", None),
        ("<div>May 3</div>", None),
        # With a name, it is a by-line.
        ("<div class=date>by Ada, May 3</div>", ("class", "author")),
        # 14 words, and 15.
        ("<div class=date>3 a b c d e f g h i j k l m</div>", ("class", "date")),
        ("<div class=date>3 a b c d e f g h i j k l m n</div>", None),
        ("<div class=ads><div class=date>May 3</div></div>", None),
    ],
)
def test_lines_date(context, said, html, vote):
    found = lines(context, said, html)
    found = {key: rows for key, rows in found.items() if key[0] == "class" or vote is None or vote[0] != "class"}
    if vote and vote[0] == "hentry":
        found.pop(("class", "date"), None)
    assert found == ({vote: [0]} if vote else {})


@pytest.mark.parametrize(
    ("html", "vote"),
    [
        ("<div itemprop=author>Ada Leaf</div>", "microdata"),
        ("<div class=p-author>Ada Leaf</div>", "hentry"),
        ("<div><a rel=author>Ada Leaf</a></div>", "tag"),
        ("<div class=byline>Ada Leaf</div>", "class"),
        ("<div class=byline>walks home</div>", None),
        ("<div>Ada Leaf</div>", None),
        ("<div id=byline>Ada Leaf</div>", None),
        # A figure's name is its photographer's.
        ("<figure><div class=byline>Ada Leaf</div></figure>", None),
        ("<div class=byline><div>by Ada</div><p>{}</p></div>".format("w " * 12), "class"),
        ("<div class=byline><div>by Ada</div><p>{}</p></div>".format("w " * 13), None),
        ("<div class=byline>by a b c d e f g h i j k l m</div>", "class"),
        ("<div class=byline>by a b c d e f g h i j k l m n</div>", None),
        # A time in the row is its date, where there are digits.
        ("<div class=byline><time>by Ada 3</time></div>", None),
        ("<div class=byline><time>by Ada</time></div>", "class"),
        ("<div class=byline>by Ada 3</div>", "class"),
    ],
)
def test_lines_author(context, said, html, vote):
    found = {who: rows for (who, role), rows in lines(context, said, html).items() if role == "author"}
    if vote == "hentry":
        assert found.pop("class") == [0]
    if "<time>by Ada 3" in html:
        # The date's source says that a line with name and date is a by-line.
        assert found.pop("tag") == [0]
    assert found == ({vote: [0]} if vote else {})


def test_lines_near_text(context, said):
    line = "<div class=date>May 3</div>"
    # Seven rows before the text is too far.
    assert lines(context, said, line, *["<p>x</p>"] * 6) == {}
    assert lines(context, said, line, *["<p>x</p>"] * 5) == {("class", "date"): [0]}
    assert lines(context, said, line, title="May 3") == {}
    ten = "<div class=date>w0 3 a b c d e f g h</div>"
    assert lines(context, said, ten) == {}


# -- headlines ----------------------------------------------------------------------------------------------------


def heads(context, said, html, **gold):
    found = context(html, share=lambda text: text.startswith("w0 "), **gold)
    return said(_heads(found, _regions(found)))


TITLE = "<h2 class=headline>Fish</h2>"


@pytest.mark.parametrize(
    ("html", "votes"),
    [
        (TITLE + TEXT, {("class", "title"): [0]}),
        ("<h2 itemprop=headline>Fish</h2>" + TEXT, {("microdata", "title"): [0]}),
        ("<div class=headline>Fish</div>" + TEXT, {}),
        ("<h2>Fish</h2>" + TEXT, {}),
        # Nothing where the page has two of them; nothing behind the first row of the text, or in a region.
        (TITLE + TITLE + TEXT, {}),
        (TEXT + TITLE, {}),
        (TITLE + TEXT + TITLE, {}),
        (f"<div class=ads>{TITLE}</div>{TEXT}", {}),
        ("<h2 class=headline>w0 a b c d e f g h i</h2>" + TEXT, {}),
        # On a page without text, before its last row.
        ("<p>x</p>" + TITLE, {("class", "title"): [1]}),
    ],
)
def test_heads_title(context, said, html, votes):
    assert heads(context, said, html) == votes


DECK = "<div class=standfirst>a b c d e</div>"


@pytest.mark.parametrize(
    ("html", "votes"),
    [
        (DECK + TEXT, {("class", "standfirst"): [0]}),
        ("<div itemprop=alternativeHeadline>a b c d e</div>" + TEXT, {("microdata", "standfirst"): [0]}),
        ("<div>a b c d e</div>" + TEXT, {}),
        # Five words, less than half of them in links.
        ("<div class=standfirst>a b c d</div>" + TEXT, {}),
        ("<div class=standfirst>a b c <a href=/>d e f</a></div>" + TEXT, {}),
        ("<div class=standfirst>a b c d <a href=/>e f g</a></div>" + TEXT, {("class", "standfirst"): [0]}),
        # Up to three; from six rows before the text to its first.
        (DECK * 3 + TEXT, {("class", "standfirst"): [0, 1, 2]}),
        (DECK * 4 + TEXT, {}),
        (DECK + "<p>x</p>" * 5 + TEXT, {("class", "standfirst"): [0]}),
        (DECK + "<p>x</p>" * 6 + TEXT, {}),
        (TEXT + DECK + TEXT, {}),
        (f"<div class=ads>{DECK}</div>{TEXT}", {}),
    ],
)
def test_heads_standfirst(context, said, html, votes):
    assert heads(context, said, html) == votes


def test_heads_standfirst_with_title(context, said):
    assert heads(context, said, DECK + TEXT, title="a b c d e") == {}
