"""Which column is which field, on hand-made records."""

import string

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.field_columns import align
from blocksight.records.field_names import columns_of_records, is_profile_url
from blocksight.records.field_values import (
    DATE,
    PRICE,
    RATING,
    count_when,
    is_date,
    is_just_price,
    is_price,
    is_rating,
    is_when,
    written_value,
)
from blocksight.records.posts.quotes import collect_quotes
from blocksight.records.signed_lines import signed_lines
from blocksight.records.text_columns import columns_of
from blocksight.segment.record_groups import RecordGroup, visible_or_covered
from hypothesis import given, settings
from hypothesis import strategies as st


def padded(text, size):
    return text + " " + "x" * (size - len(text) - 1)


@pytest.mark.parametrize(
    ("address", "person"), [("/user/ada", True), ("/user/login", False), ("/x?u=5", True), ("/news/ada", False)]
)
def test_links_to_people(address, person):
    assert is_profile_url(address) is person


# -- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("price", "now $5.50, was $9", "$5.50"), ("price", " for nothing ", "for nothing"),
        ("rating", "rated 4.5 of 5 by 9", "4.5 of 5"), ("rating", "2.8 из 5", "2.8 из 5"),
        ("rank", "#12.", "12"), ("rank", "twelve", "twelve"), ("price", "255 руб.", "255 руб."),
        ("author", "written by: Ada", "Ada"), ("author", "by", "by"), ("title", "| by Ada |", "by Ada"),
        ("date", padded("Posted 3 May 2024", 60), padded("Posted 3 May 2024", 60)),
        ("date", padded("Posted 3 May 2024", 61), "3 May 2024"), ("date", "x" * 61, "x" * 61),
        ("text", padded("Posted 3 May 2024", 61), padded("Posted 3 May 2024", 61)),
        ("date", "Posted: Tue Nov 11, 2003 6:11 pm", "Tue Nov 11, 2003 6:11 pm"),
        ("date", "Posted: soon", "Posted: soon"), ("date", "Posted on 2020-08-05 08:43:42", "2020-08-05 08:43:42"),
    ],
)  # fmt: skip
def test_the_value_in_what_a_column_says(name, text, value):
    assert written_value(name, text) == value


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("24d", True), ("1h", True), ("ahora", True), ("lipca 16, 2014, 11:21:17 PM", True), ("mar '20", True),
        ("3 ore fa", True), ("5 минут назад", True), ("12k", False), ("h", False),
    ],
)  # fmt: skip
def test_is_when_short(text, when):
    assert (is_when(text), count_when(["h", text])) == (when, when)


@pytest.mark.parametrize(
    ("text", "just"), [("$5", True), ("$5 - $9 ", True), ("$5 off", False), ("five", False), ("--", False)]
)
def test_a_price_and_nothing_else(text, just):
    assert is_just_price(text) is just


# -- columns of pages --------------------------------------------------------------------------------------------------


def aligned_of(*records):
    page = bs.parse("".join(f"<li>{record}</li>" for record in records))
    rows = np.flatnonzero(page.has_tag("li")).tolist()
    group = RecordGroup(
        node=rows[0] - 1, spans=tuple((row, int(page.end[row])) for row in rows), tag="li", names=frozenset()
    )
    return align(page, group, visible_or_covered(page))


def test_texts_at_one_place_are_a_column():
    aligned = aligned_of(
        "<b class=n>Ada</b><p>one</p><p>two</p>", "<b class=n>Ada</b><p><a href=/x>three</a></p>", "<i class=m>x</i>"
    )
    name, other, text = columns_of(aligned, 0)
    # In records 0 and 1, both first and both the same.
    assert (name.called, name.texts, name.coverage, name.distinct, name.order) == (
        "n",
        {0: "Ada", 1: "Ada"},
        2 / 3,
        0.5,
        0,
    )
    assert (name.linked, name.within, name.repeated, name.length) == (0, 0, 0, 3)
    assert (other.texts, other.coverage, other.order, other.tags) == ({2: "x"}, 1 / 3, 0, {"", "i"})
    # One of three leaves is a link, one of two records has several.
    assert (text.texts, text.linked, text.repeated, text.order) == ({0: "one two", 1: "three"}, 1 / 3, 0.5, 1)
    assert text.length == (7 + 5) / 2
    assert text.rate(lambda said: "t" in said) == 1
    assert text.rate(lambda said: "n" in said) == 0.5
    assert text.rate(lambda said: "n" in said, 0.5) == 0.5
    assert text.rate(lambda said: "n" in said, 0.51) == 0


def test_columns_in_the_text_and_in_quotes_and_signatures():
    record = "<div class=t>said <q>quoted</q></div><q>beside</q><div class=signature>here</div>"
    aligned = aligned_of(record, record)
    body = next(number for number, place in enumerate(aligned.places) if "t" in place.names)
    collect_quotes(aligned, body)
    found = columns_of(aligned, body)
    assert [(column.texts[0], column.within) for column in found] == [("said", 1), ("beside", 0)]
    # Where the text has no place, nothing is in it, quoted or not.
    assert [(column.texts[0], column.within) for column in columns_of(aligned, 0)] == [
        ("said", 0), ("quoted", 0), ("beside", 0),
    ]  # fmt: skip


def test_links_are_joined_with_plain_text_if_no_record_has_both():
    linked, plain = "<b class=n><a href=/a>Ada</a></b>", "<b class=n>Bea</b>"
    assert [one.texts for one in columns_of(aligned_of(linked, plain), 0)] == [{0: "Ada", 1: "Bea"}]
    both = "<b class=n>by <a href=/a>Ada</a></b>"
    assert [one.texts for one in columns_of(aligned_of(both, plain), 0)] == [{0: "by", 1: "Bea"}, {0: "Ada"}]


@pytest.mark.parametrize(("bare", "joined"), [(1, True), (2, False)])
def test_an_element_of_which_nine_in_ten_records_have_one_text(bare, joined):
    names = [f"<h4 class=n><{tag} class={tag}>{n} x</{tag}></h4>" for n, tag in enumerate("abiuabiuab")]
    found = columns_of(aligned_of(*names[bare:], *["<p class=z>y</p>"] * bare), 0)
    names = [column for column in found if column.called != "z"]
    assert (len(names) == 1) == joined
    if joined:
        assert names[0].coverage == 0.9


def test_elements_with_two_texts_are_not_joined():
    names = ["<h4 class=n><a class=a>1 x</a><b class=b>x</b></h4>", "<h4 class=n><b class=b>2 x</b></h4>"]
    assert [column.texts for column in columns_of(aligned_of(*names), 0)] == [{0: "1 x"}, {0: "x", 1: "2 x"}]


@pytest.mark.parametrize(
    ("other", "count", "joined"),
    [("<h3>{n} y</h3>", 1, True), ("", 1, True), ("", 2, False), ("<h2>{n} x</h2><h3>{n} y</h3>", 1, False)],
)
def test_headings_of_large_and_small_cards_are_joined_if_a_record_has_one(other, count, joined):
    large = [f"<h2>{n} x</h2><p>text</p>" for n in range(4)]
    small = [f"<div><h3>{n} x</h3><p>text</p></div>" for n in range(4, 10 - count)]
    rest = [f"<section>{other.format(n=n)}<p>text</p></section>" for n in range(count)]
    found = [column for column in columns_of(aligned_of(*large, *small, *rest), 0) if column.length == 3]
    assert (len(found) == 1) is joined


def test_a_value_at_another_place_fills_its_column():
    plain = [f"<p>{n} x</p><time>{n} May 2024</time>" for n in range(1, 4)]
    found = columns_of_records(aligned_of(*plain, "<p>4 x</p><span class=date>4 May 2024</span>"), 0).named["date"]
    assert found.texts == {0: "1 May 2024", 1: "2 May 2024", 2: "3 May 2024", 3: "4 May 2024"}
    assert found.coverage == 1
    assert set(found.leaves) == {0, 1, 2, 3}
    # What is no date fills nothing.
    found = columns_of_records(aligned_of(*plain, "<p>4 x</p><span class=date>soon</span>"), 0).named["date"]
    assert (set(found.texts), found.coverage) == ({0, 1, 2}, 0.75)


def test_a_column_is_one_field():
    # By its name it may be an author and a title; the author is chosen first.
    records = [f"<b class='author title'>{name} Leaf</b><p>{name} said</p>" for name in ("Ada", "Bea", "Cid")]
    found = columns_of_records(aligned_of(*records), 0).named
    assert found["author"].texts[0] == "Ada Leaf"
    assert "title" not in found


def test_a_single_record_has_no_entry():
    assert "title" not in columns_of_records(aligned_of("<p>abc</p>"), 0).named
    assert columns_of_records(aligned_of("<p>abc</p>", "<p>def</p>"), 0).named["title"].texts == {0: "abc", 1: "def"}


def test_of_columns_that_fit_as_well_the_first_is_taken():
    records = [f"<i class=a>{n} May 2024</i><i class=b>{n} June 2024</i>" for n in (1, 2)]
    assert columns_of_records(aligned_of(*records), 0).named["date"].texts == {0: "1 May 2024", 1: "2 May 2024"}


@pytest.mark.parametrize(
    "text",
    [
        "an hour ago", "A Day ago", "one week old", "last year. old", "a mo ago", "an hours ago", "cages ago", "ago",
        "yesterday", "Heute", "todays", "vor einer Stunde", "il y a une heure", "hace mucho tiempo", "il y a",
        "сегодня", "昨天", "3 hours ago", "٣ hours ago", "last 3 hours ago", "May", "", "x" * 100 + " yesterday",
        "x" * 100 + " 3 May 2024", "x" * 80 + " 3 May 2024",
    ],
)  # fmt: skip
def test_dates_in_words_and_in_numbers_are_those_of_one_pattern(text):
    assert is_date(text) is (DATE.search(text) is not None)


@pytest.mark.parametrize("text", ["★★", "⭐", "4 of 5", "٤ of 5", "four stars", "€ 4", "4 €", "٤ €", "€", ""])
def test_prices_and_ratings_are_those_of_their_patterns(text):
    assert is_price(text) is (PRICE.search(text) is not None)
    assert is_rating(text) is (RATING.search(text) is not None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3 May 2024", [is_date]), ("two days", []), ("2 days ago", [is_date]), ("for 5 EUR", [is_price]),
        ("4 of 5 stars", [is_rating]), ("words", []),
    ],
)  # fmt: skip
def test_what_a_text_holds(text, found):
    assert [test for test in (is_date, is_price, is_rating) if test(text)] == found


_SIGNS = st.text(f"{string.ascii_letters}{string.digits} -/.:,'$\x1c\n", max_size=30)


@settings(max_examples=500, derandomize=True)
@given(st.one_of(st.from_regex(DATE), st.from_regex(PRICE), _SIGNS, st.sampled_from(("3 MAY 2024", "RS.5", "5 Kč"))))
def test_dates_and_prices_in_ascii_are_those_of_the_pattern(text):
    assert is_date(text) == (DATE.search(text) is not None)
    assert is_price(text) == (PRICE.search(text) is not None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("asked 3 May by Ada", "Ada"),
        ("by Ada Lund on 3 May 2024", "Ada Lund"),
        ("Von Ida, 3. Mai", "Ida"),
        ("3 May · by Ada · 4 replies", "Ada"),
        ("asked 3 May by a friend of mine", ""),
        ("asked 3 May", ""),
        ("3 May by 2024", ""),
        ("nearby 3 May", ""),
        ("Ada · 3 May 2024", "Ada"),
        ("3 May • Ada Lund", "Ada Lund"),
        ("5 min read · 3 May", ""),
        ("What is new in the town · 3 May", ""),
        ("Opinion · 3 May", ""),
    ],
)
def test_a_name_in_a_line_with_a_date(text, name):
    aligned = aligned_of(f"<p>{text}</p>")
    lines = signed_lines(columns_of(aligned, 0)[0], labelled=True)
    assert (lines["author"].texts[0] if "author" in lines else "") == name
