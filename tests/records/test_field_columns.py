"""The places of records side by side, on pages of a few elements."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.field_columns import align
from blocksight.records.posts.quotes import collect_quotes
from blocksight.segment.record_groups import RecordGroup, visible_or_covered


def aligned_of(html, tag="li"):
    """The elements with a tag, side by side."""
    page = bs.parse(html)
    rows = np.flatnonzero(page.has_tag(tag)).tolist()
    spans = tuple((row, int(page.end[row])) for row in rows)
    group = RecordGroup(node=int(page.parent[rows[0]]), spans=spans, tag=tag, names=frozenset())
    return align(page, group, visible_or_covered(page))


def texts(aligned, leaves):
    return [aligned.page.leaf_texts[leaf] for leaf in sorted(leaves)]


def places(aligned):
    return [(place.above, place.tag, " ".join(sorted(place.names)), place.number) for place in aligned.places]


ROOT = (-1, "", "", 0)


def test_a_place_is_the_path_of_tags_and_names():
    aligned = aligned_of("<li><div class=a><span class=b>x</span>y</div>z</li><li><div class=a>w</div></li>")
    assert places(aligned) == [ROOT, (0, "div", "a", 0), (1, "span", "b", 0)]
    assert [cells.places for cells in aligned.cells] == [[2, 1, 0], [1]]
    assert [dict(cells.counts) for cells in aligned.cells] == [{1: 1, 2: 1}, {1: 1}]
    assert (aligned.paths[2], aligned.below(1), aligned.below(0)) == ([2, 1, 0], {1, 2}, {0, 1, 2})


def test_names_on_the_way_down_are_the_nearest_first():
    aligned = aligned_of("<li class=r><div class='d c'><span class=b><em class=a>x</em></span></div></li>")
    assert aligned.names == ["", "c d", "b c d", "a b c d"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("a", "a", True), ("a b", "a", True), ("a b", "a c", False), ("a b c", "a", False), ("a b c", "b c d", True)],
)
def test_names_of_which_half_are_the_same_are_one_place(one, other, same):
    aligned = aligned_of(f"<li><div class='{one}'>x</div></li><li><div class='{other}'>y</div></li>")
    assert len(aligned.places) == (2 if same else 3)


def test_siblings_are_distinguished_by_number_or_by_text():
    aligned = aligned_of("<li><div>x</div><div>y</div><div>z</div><p>a</p><p>b</p></li>")
    assert places(aligned) == [ROOT, (0, "div", "", 0), (0, "div", "", 1), (0, "div", "", 2), (0, "p", "", 0)]
    said = ["$5", "4 of 5", "3 May 2024", "17", "seventeen"]
    aligned = aligned_of("<li>" + "".join(f"<div>{text}</div>" for text in said) + "</li>")
    assert [place.number for place in aligned.places[1:]] == [-1, -2, -3, -4, 0]
    # Nothing in it, or an element first: its text is another's.
    aligned = aligned_of("<li><div></div>3 May 2024<section><i class=a>3 May 2024</i></section></li>")
    assert [(place.tag, place.number) for place in aligned.places[1:]] == [("div", 0), ("section", 0), ("i", -3)]


@pytest.mark.parametrize(("size", "number"), [(60, -3), (61, 0)])
def test_only_short_texts_are_of_a_sort(size, number):
    aligned = aligned_of(f"<li><div>{'3 May 2024 '.ljust(size, 'x')}</div></li>")
    assert aligned.places[1].number == number


def test_no_more_than_six_siblings_are_counted():
    aligned = aligned_of("<li>" + "".join(f"<div>{letter}</div>" for letter in "abcdefghi") + "</li>")
    assert [place.number for place in aligned.places[1:]] == [0, 1, 2, 3, 4, 5, 6]


def test_records_of_several_elements_have_places_right_below_them():
    page = bs.parse("<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>")
    first = np.flatnonzero(page.has_tag("dt")).tolist()
    last = np.flatnonzero(page.has_tag("dd")).tolist()
    spans = tuple((low, int(page.end[high])) for low, high in zip(first, last, strict=True))
    group = RecordGroup(node=first[0] - 1, spans=spans, tag="dt", names=frozenset())
    aligned = align(page, group, visible_or_covered(page))
    assert places(aligned) == [ROOT, (0, "dt", "", 0), (0, "dd", "", 0)]


def test_records_in_a_record_are_not_its_own():
    aligned = aligned_of("<li>a<ul><li>b</li><li>c</li></ul>d</li><li>e</li>")
    assert [texts(aligned, cells.leaves) for cells in aligned.cells] == [["a", "d"], ["b"], ["c"], ["e"]]


@pytest.mark.parametrize(
    "element",
    [
        *(f"<{tag}></{tag}>" for tag in ("a", "time", "data")),
        "<img>",
        *(f"<s class=z {name}=v></s>" for name in ("itemprop", "aria-label", "title")),
    ],
)
def test_elements_that_say_something_by_their_attributes(element):
    (cells,) = aligned_of(f"<li>x{element}</li>").cells
    assert cells.elements == [(cells.span[0] + 2, 1)]


def test_elements_that_only_change_how_text_looks_have_the_place_around_them():
    (cells,) = aligned_of("<li>x<s class=z lang=v></s><abbr>y</abbr><b>z</b></li>").cells
    assert cells.elements == [(cells.span[0] + 3, 0)]
    assert cells.places == [0, 0, 0]


@pytest.mark.parametrize(
    ("record", "alone"),
    [
        ("<b>Tea</b><br>x", True),
        ("<img src=a><strong>Tea</strong> <small>x</small>", True),
        ("<b>Tea</b> is hot", False),
        ("A <b>Tea</b><br>x", False),
        ("<b>Tea:</b><br>x", False),
        ("<b>1995</b><br>x", False),
        ("<b>Hot <i>tea</i></b><br>x", False),
        ("<i>Tea</i><br>x", False),
        ("<h3><b>Tea</b><i class=i>Hot</i></h3><p>x</p>", False),
    ],
)
def test_a_bold_line_at_the_start_has_a_place_of_its_own(record, alone):
    aligned = aligned_of(f"<li>{record}</li>")
    assert any(place.tag in ("b", "strong") for place in aligned.places) is alone


@pytest.mark.parametrize("name", ["itemprop", "aria-label", "title"])
def test_the_first_string_of_a_page_is_one_as_well(name):
    # The record's own attribute is the first of all strings.
    (cells,) = aligned_of(f"<section {name}=v>x</section>", "section").cells
    assert cells.elements == [(cells.span[0], 0)]


def test_a_signature_ends_where_its_element_does():
    (cells,) = (aligned := aligned_of("<li><p>text</p><div class=signature>me <b>too</b></div>tail</li>")).cells
    assert texts(aligned, cells.signed) == ["me ", "too"]


def test_elements_that_contain_quotes():
    html = "<li><div class=t>before<blockquote>quoted <b>twice</b></blockquote>after</div></li>"
    aligned = aligned_of(html)
    collect_quotes(aligned, 1)
    assert texts(aligned, aligned.cells[0].quoted) == ["quoted ", "twice"]
    # An element that holds the text of the records is no quote.
    aligned = aligned_of(html)
    collect_quotes(aligned, 2)
    assert aligned.cells[0].quoted == set()
    assert aligned.cells[0].quotes == []


def boilerplate(*records):
    """What is the same in these records."""
    aligned = aligned_of("".join(f"<li>{record}</li>" for record in records))
    return [texts(aligned, cells.boilerplate) for cells in aligned.cells]


def test_what_most_records_say_is_furniture():
    assert boilerplate(*(f"<i class=a>{n} own</i><p>Reply</p>" for n in "abc")) == [["Reply"]] * 3
    assert boilerplate(*(f"<i class=a>{n} own</i><p>Reply</p>" for n in "ab")) == [[]] * 2
    # 60 % of five are three; two are too few.
    some = [f"<i class=a>{n} own</i><p>{'Reply' if n in 'abc' else n}</p>" for n in "abcde"]
    assert boilerplate(*some) == [["Reply"]] * 3 + [[]] * 2
    some = [f"<i class=a>{n} own</i><p>{'Reply' if n in 'ab' else n}</p>" for n in "abcde"]
    assert boilerplate(*some) == [[]] * 5
    # Of ten, six.
    for most, count in (("abcdef", 6), ("abcde", 0)):
        some = [f"<i class=a>{n} own</i><p>{'Reply' if n in most else n}</p>" for n in "abcdefghij"]
        assert boilerplate(*some) == [["Reply"]] * count + [[]] * (10 - count)


def test_words_that_occur_elsewhere_are_no_furniture():
    records = [f"<i class={'abc'[n]}>{n} own</i><p class={'xyz'[n]}>Reply</p>" for n in range(3)]
    assert boilerplate(*records) == [[]] * 3


@pytest.mark.parametrize(("size", "same"), [(60, True), (61, False)])
def test_furniture_is_short(size, same):
    assert boilerplate(*(f"<i class=a>{n} own</i><p>{'x' * size}</p>" for n in "abc")) == [["x" * size] * same] * 3


@pytest.mark.parametrize(("size", "same"), [(27, True), (28, False)])
def test_a_word_in_a_line_that_differs_is_no_furniture(size, same):
    records = [f"<p>{n * size}<b class=a>Reply</b></p>" for n in "abc"]
    assert boilerplate(*records) == [["Reply"] * same] * 3


def test_what_says_nothing_else_says_that():
    assert boilerplate(*["<p>Reply</p>"] * 3) == [[]] * 3
