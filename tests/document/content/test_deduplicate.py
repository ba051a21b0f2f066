"""The rules by which a paragraph counts as written before, each on both sides of its limit."""

import pytest
from blocksight.document.content.deduplicate import _begun, _is_text, _teasers, without_repeats
from blocksight.document.content.paragraphs import Paragraph
from blocksight.document.content.parts.inline import Step
from blocksight.page.parse import parse


def kept(html, tags=None, signatures=()):
    """Return the texts of a page, each of which is a paragraph, that are kept."""
    page = parse(html)
    found = [
        Paragraph(row=number if tags else -1, leaves=[number], runs=[((), text)])
        for number, text in enumerate(page.leaf_texts)
    ]
    return [passage.text for passage in without_repeats(page, found, dict(enumerate(tags or ())), signatures)]


def twice(text, between=0):
    """Return markup in which a text is in two elements, with others between them."""
    others = "".join(f"<p>{number}</p>" for number in range(between))
    return f"<div><p>{text}</p></div>{others}<div><p>{text}</p></div>"


@pytest.mark.parametrize(
    ("length", "between", "times"),
    [
        (24, 0, 2),
        (25, 0, 1),
        # The fourth paragraph behind it is near, the fifth is not, unless the text is long.
        (25, 3, 1),
        (25, 4, 2),
        (159, 4, 2),
        (160, 4, 1),
    ],
)
def test_without_repeats_length_and_distance(length, between, times):
    assert kept(twice("x" * length, between)).count("x" * length) == times


@pytest.mark.parametrize(
    ("signatures", "times"),
    [
        (("Ann", "Bob", "Cy"), 3),
        (("Ann", "Bob", "Ann"), 2),
        (("Ann", "Bob", ""), 2),
        (("", "Bob", "Ann"), 1),
        (("", "", ""), 1),
    ],
)
def test_without_repeats_signatures(signatures, times):
    text = "x" * 160
    assert len(kept(f"<div><p>{text}</p></div>" * 3, signatures=signatures)) == times


def test_without_repeats_compares_with_last():
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
        # Inline elements make no difference.
        ("<div><p><b>{0}</b></p><p><i>{0}</i></p></div>", 2),
        ("<div><p><b><i>{0}</i></b></p></div><div><p><b><i>{0}</i></b></p></div>", 1),
    ],
)
def test_without_repeats_keeps_siblings(html, times):
    assert len(kept(html.format("x" * 25))) == times


@pytest.mark.parametrize("tag", ["td", "th", "tr", "pre", "blockquote"])
def test_without_repeats_keeps_cells_code_quotes(tag):
    text = "x" * 25
    assert kept(twice(text), ["p", tag]) == [text] * 2
    assert kept(twice(text), [tag, "p"]) == [text] * 2
    assert kept(twice(text), ["p", "li"]) == [text]


@pytest.mark.parametrize(("levels", "times"), [(3, 2), (4, 1)])
def test_without_repeats_keeps_quote_by_class(levels, times):
    # Above the text stand p, the levels, and the quote: 3 levels make it the fifth.
    text = "x" * 25
    quote = f"<div class='big Quotation'>{'<div>' * levels}<p>{text}</p>{'</div>' * levels}</div>"
    assert len(kept(f"<div><p>{text}</p></div>{quote}")) == times


def test_without_repeats_page_is_quote():
    assert len(kept(f"<html class=quotes><body>{twice('x' * 25)}")) == 2


def post(*texts):
    return "<div>" + "".join(f"<p>{text}</p>" for text in texts) + "</div>"


FILLERS = "".join(f"<p>{number}</p>" for number in range(5))


def test_without_repeats_repeated_run():
    first = "x" * 60
    assert kept(post(first, "b", "c") + FILLERS + post(first, "b", "c") + "<p>end</p>") == [
        first, "b", "c", *"01234", "end",
    ]  # fmt: skip
    # Right behind each other, too.
    assert kept(post(first, "b", "c") * 2) == [first, "b", "c"]
    assert kept(post("b", "c", first) * 2) == ["b", "c", first]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # None of the three has 60 characters; two in a row only; another order.
        (("x" * 59, "b", "c"), ("x" * 59, "b", "c")),
        (("x" * 60, "b", "c"), ("x" * 60, "b", "d")),
        (("x" * 60, "b", "c"), ("x" * 60, "c", "b")),
    ],
)
def test_without_repeats_keeps_other_runs(one, other):
    assert kept(post(*one) + FILLERS + post(*other)) == [*one, *"01234", *other]


def test_without_repeats_keeps_run_in_same_element():
    first = "x" * 60
    assert kept(post(first, "b", "c", first, "b", "c")) == [first, "b", "c"] * 2


def test_without_repeats_overlapping_run():
    # The row x b x begins again at the third paragraph, which both rows have; only the long texts are copies.
    first = "x" * 60
    assert kept("".join(post(text) for text in ("a", first, "b", first, "b", first))) == ["a", first, "b", "b"]


LONG = "x" * 60


@pytest.mark.parametrize(
    ("said", "dropped"),
    [
        # What one of the two before says with more.
        ([LONG + "y", LONG], {1}),
        ([LONG + "y", "", LONG], {2}),
        ([LONG + "y", "", "", LONG], set()),
        ([LONG[1:] + "y", LONG[1:]], set()),
        ([LONG, LONG], set()),
        ([LONG, LONG + "y"], set()),
        (["z" + LONG, LONG], set()),
        # What one of the two behind says in full, where it ends in words for that.
        ([LONG + " …", LONG + "y"], {0}),
        ([LONG + " …", "", LONG + "y"], {0}),
        ([LONG + " …", "", "", LONG + "y"], set()),
        ([LONG + " …", LONG], {1}),
        ([LONG + " …", "z" + LONG], set()),
        ([LONG[1:] + "…", LONG + "y"], set()),
        # After short ones, and each in its place.
        (["a", LONG + " …", LONG + "y", "b"], {1}),
        ([LONG + " …", "a", LONG + "y", LONG], {0, 3}),
        ([], set()),
    ],
)
def test_teasers(said, dropped):
    assert _teasers([(text, "") for text in said]) == dropped


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        (LONG, LONG),
        (f"{LONG} …", LONG),
        (f"{LONG} READ more", LONG),
        (f"{LONG} ... [show more] »", LONG),
        (f"{LONG} (Show More)", LONG),
        (f"{LONG} more text", f"{LONG} more text"),
        # 60 characters remain, or all.
        (f"{LONG}…", LONG),
        (f"{LONG[1:]}…", f"{LONG[1:]}…"),
        ("", ""),
    ],
)
def test_begun(text, begun):
    assert _begun(text) == begun


PLAIN, OWN, FIRST = Step("b"), Step("img", own=7), Step("img", own=0)


@pytest.mark.parametrize(
    ("runs", "plain"),
    [
        ([((), "a")], True),
        ([((PLAIN,), "a")], True),
        ([((OWN,), "a")], False),
        ([((FIRST,), "a")], False),
        ([((PLAIN, OWN), "a")], False),
        ([((OWN, PLAIN), "a")], True),
        ([((PLAIN,), "a"), ((OWN,), "")], False),
        # One line break is none of verse, two are.
        ([((), "a\nb")], True),
        ([((), "a\nb\nc")], False),
        ([((PLAIN,), "a\nb\nc")], False),
        ([((), "a"), ((), "a\nb\nc")], False),
        ([], True),
    ],
)
def test_is_text(runs, plain):
    assert _is_text(Paragraph(row=-1, runs=runs)) is plain
