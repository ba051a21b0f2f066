"""What is read of records whose columns are known: text, pictures, links, boxes."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.records.built_records import records_in
from blocksight.page.geometry import Geometry
from blocksight.records.candidates import find_records
from blocksight.records.fields import FieldReader, Reading
from blocksight.records.posts.quotes import collect_quotes
from blocksight.records.text_columns import columns_of
from blocksight.segment.record_groups import RecordGroup


class Fixed:
    """Takes the text of records from the class "t" and fields from the classes that are named so."""

    def __init__(self, *fields, text=False):
        self.fields, self.text = fields, text

    def __call__(self, aligned):
        body = next(n for n, place in enumerate(aligned.places) if "t" in place.names) if self.text else 0
        collect_quotes(aligned, body)
        found = columns_of(aligned, body)
        return body, {name: next(one for one in found if one.called.split()[:1] == [name]) for name in self.fields}


def reading_of(html, *fields, text=False, tag="li", shift=None):
    """The reader of a page, and its elements with a tag as they are read."""
    page = bs.parse(html, url="http://x/y/")
    if shift is not None:
        page = laid_out(page, shift)
    rows = np.flatnonzero(page.has_tag(tag)).tolist()
    spans = tuple((row, int(page.end[row])) for row in rows)
    group = RecordGroup(node=int(page.parent[rows[0]]), spans=spans, tag=tag, names=frozenset())
    reader = FieldReader(find_records(page))
    return reader, fixed_reading(reader, group, Fixed(*fields, text=text))


def fixed_reading(reader, group, naming):
    aligned = reader.candidates.aligned(group)
    body, columns = naming(aligned)
    return Reading(reader=reader, aligned=aligned, body=body, columns=columns)


def fields_of(records, *fields, text=False):
    """The fields of records, without text."""
    _, reading = reading_of("".join(f"<li>{record}</li>" for record in records), *fields, text=text)
    return [{name: value for name, value in one.items() if name != "text"} for one in reading.fields]


def texts_of(records, *fields, text=False):
    """The texts of records."""
    _, reading = reading_of("".join(f"<li>{record}</li>" for record in records), *fields, text=text)
    return [one.get("text", "") for one in reading.fields]


# -- text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("one<br>two", "one\ntwo"),
        ("one<br><br>two", "one\ntwo"),
        ("one<b>two</b>three", "onetwothree"),
        ("one <b>two</b>\n three", "one two three"),
        ("<b>one</b> <b>two</b>", "one two"),
        ("<b>one</b><i></i><b>two</b>", "onetwo"),
        ("<p>  one\n two </p>", "one two"),
    ],
)
def test_text_has_the_lines_and_spaces_of_the_page(markup, text):
    assert texts_of([f"<div class=t>{markup}</div>"], text=True) == [text]


def test_a_space_that_is_the_first_string_of_a_page_is_one():
    assert texts_of([" <b>one</b> <b>two</b>"]) == ["one two"]


def test_numbers_links_and_what_is_called_otherwise_are_no_text():
    prose = "x" * 28
    record = (
        f"<p>said</p><p>12 / 3</p><p>1st</p><a href=/a>{prose[1:]}</a><a href=/b>{prose}</a>"
        "<p class=meta>other</p><p class=message>meant</p>"
    )
    assert texts_of([record]) == [f"said\n1st\n{prose}\nmeant"]
    assert texts_of(["<p>Van 3 left</p><p>13:12</p><p>48</p>"]) == ["Van 3 left\n13:12"]
    # In a card that is one link, links are no buttons.
    assert texts_of(["<a href=/a><p>said</p><p>more</p></a>"]) == ["said\nmore"]
    assert texts_of(["<a href=/a><p>said</p></a><p>more</p>"]) == ["more"]


def test_fields_and_signatures_are_no_text():
    record = "<b class=author>Ada</b><p>said</p><div class=signature>was here</div>"
    assert texts_of([record] * 2, "author") == ["said"] * 2
    assert fields_of([record] * 2, "author") == [{"author": "Ada"}] * 2


@pytest.mark.parametrize(("size", "read"), [(99, False), (100, True)])
def test_a_record_that_is_built_otherwise_is_read_if_it_says_enough(size, read):
    plain = "<b class=author>Ada</b><p class=t>said</p>"
    other = "<b class=author>Bea</b><section>" + "y" * size + "</section>"
    assert texts_of([plain, other], "author", text=True) == ["said", "y" * size * read]
    # Without a field it is no record like the others, and links say nothing.
    assert texts_of([plain, f"<section>{'y' * size}</section>"], "author", text=True) == ["said", ""]
    linked = f"<b class=author>Bea</b><section><p>yy</p><a href=/a>{'y' * size}</a></section>"
    assert texts_of([plain, linked], "author", text=True) == ["said", ""]


def test_a_share_of_records_has_a_field():
    _, reading = reading_of("<li><b class=author>Ada</b>x</li><li>y</li><li>z</li><li>w</li>", "author")
    assert (reading.share("author"), reading.share("text"), reading.share("price")) == (0.25, 1, 0)
    page = reading.aligned.page
    assert [page.leaf_texts[leaf] for leaf in reading.leaves_of("author")] == ["Ada"]
    assert reading.leaves_of("price") == []


def test_other_prices_are_no_text_where_the_text_has_no_place():
    record = "<i class=price>5 EUR</i><p>said</p><p>7 EUR</p><p>7 EUR less</p>"
    assert texts_of([record], "price") == ["said\n7 EUR less"]
    # Where nothing is the price, prices are text.
    assert texts_of([record]) == ["5 EUR\nsaid\n7 EUR\n7 EUR less"]
    boxed = "<i class=price>5 EUR</i><div class=t><p>said</p><p>7 EUR</p></div>"
    assert texts_of([boxed], "price", text=True) == ["said\n7 EUR"]


# -- pictures --------------------------------------------------------------------------------------------------------


def images(*markup):
    return [one.get("image", "")[len("http://x/") :] for one in fields_of(markup)]


def test_a_picture_of_half_of_the_records():
    assert images("<img src=/a>w", "<img src=/b>x", "y", "z") == ["a", "b", "", ""]
    assert images("<img src=/a>v", "<img src=/b>w", "x", "y", "z") == [""] * 5


def test_pictures_that_are_mostly_the_same_say_nothing():
    def found(names):
        return images(*(f"<img src=/{name}>x" for name in names))

    assert found("aabb") == list("aabb")
    assert found("aab") == list("aab")
    assert found("aaab") == list("aaab")  # 2 of 4
    assert found("aaaab") == [""] * 5  # 2 of 5


def test_pictures_of_people_are_none_of_the_record():
    assert images(*(f"<div class=avatar><img src=/{name}></div>x" for name in "ab")) == ["", ""]
    both = [f"<div class=avatar><img src=/{name}></div><div class=photo><img src=/{name * 2}></div>" for name in "ab"]
    assert images(*both) == ["aa", "bb"]


def test_of_several_pictures_the_one_that_most_records_have():
    some = "<div class=one><img src=/{0}></div>"
    more = "<div class=two><img src=/{0}{0}></div>"
    assert images((some + more).format("a"), (some + more).format("b"), more.format("c")) == ["aa", "bb", "cc"]
    # Of as many, the first.
    assert images(*((some + more).format(name) for name in "ab")) == ["a", "b"]


def test_pictures_that_are_loaded_later():
    assert images("<img src=data:x data-src=/a>x", "<img src=/b data-src=data:y>y") == ["a", "b"]
    assert images("<img src=data:x>x", "<img src=''>y") == ["", ""]


# -- links -----------------------------------------------------------------------------------------------------------


def links(*markup, fields=()):
    return [one.get("link", "")[len("http://x/") :] for one in fields_of(markup, *fields)]


def test_the_link_of_the_title_goes_first():
    record = "<a href=/z{0}>other {0}</a><b class=title><a href=/{0}>title {0}</a></b>"
    plain = "<a href=/z{0}>other {0}</a><b class=title>title {0}</b>"
    assert links(*(record.format(name) for name in "ab")) == ["za", "zb"]
    assert links(*(record.format(name) for name in "ab"), fields=["title"]) == ["a", "b"]
    assert links(*(plain.format(name) for name in "ab"), fields=["title"]) == ["za", "zb"]
    # Half of the titles are enough; with fewer, all records have the link of one place.
    some = [record.format("a"), *(plain.format(name) for name in "bcd")]
    assert links(record.format("a"), plain.format("b"), fields=["title"]) == ["a", ""]
    assert links(*some, fields=["title"]) == ["za", "zb", "zc", "zd"]


def test_a_card_that_is_one_link_leads_there():
    def found(*markup):
        _, reading = reading_of("<div>" + "".join(markup) + "</div>", tag="section")
        return [one.get("link", "")[len("http://x/") :] for one in reading.fields]

    def card(name):
        return f"<a href=/{name}><section>{name}<img></section></a>"

    plain = "<section>x<img></section>"
    assert found(card("a"), card("b"), plain, plain) == ["a", "b", "", ""]
    assert found(card("a"), plain, plain) == ["", "", ""]


def test_the_first_link_that_most_records_have_and_that_differs():
    def found(names, rest=0):
        return links(*(f"<a href=/{name}>x</a> {name}" for name in names), *["y"] * rest)

    assert found("abc", rest=2) == ["a", "b", "c", "", ""]  # 60 % of five
    assert found("ab", rest=2) == [""] * 4
    assert found("abcdd") == list("abcdd")  # four of five differ
    assert found("abccc") == [""] * 5
    both = "<a href=/same>x</a><b class=own><a href=/{0}>y</a></b>"
    assert links(*(both.format(name) for name in "abc")) == ["a", "b", "c"]


# -- records ---------------------------------------------------------------------------------------------------------


def laid_out(page, boxes):
    """A page with the boxes of some rows, counted from the first record; all others have none."""
    size = len(page)
    first = int(np.flatnonzero(page.has_tag("li", "section"))[0])
    box = np.full((size, 4), np.nan, dtype=np.float32)
    for row, corners in boxes.items():
        box[first + row] = corners
    none = np.zeros(size)
    geometry = Geometry(
        viewport=(800.0, 600.0), size=(800.0, 600.0), box=box, paint_order=none.astype(np.int32),
        display=none.astype(np.int32), position=none.astype(np.uint8), opacity=np.ones(size, dtype=np.float32),
        invisible=none.astype(bool), clips=np.zeros((size, 2), dtype=bool), font_size=none.astype(np.float32),
        font_weight=none.astype(np.int16), color=none.astype(np.uint32), background=none.astype(np.uint32),
        line_node=np.zeros(0, dtype=np.int32), line_box=np.zeros((0, 4), dtype=np.float32),
        line_start=np.zeros(0, dtype=np.int32), line_length=np.zeros(0, dtype=np.int32),
        hidden=np.zeros(len(page.leaves), dtype=np.uint8),
    )  # fmt: skip
    return page.replace(geometry=geometry)


def test_records_have_the_place_of_their_element():
    reader, reading = reading_of("<li>a</li><li>b</li>", shift={0: (10, 20, 30.126, 40)})
    found = records_in(reading, lambda row: (str(row),), reader.page.geometry)
    first = reading.aligned.cells[0].span[0]
    assert [record.box for record in found] == [(10, 20, 30.13, 40), None]
    assert [record.selector for record in found] == [(str(first),), (str(first + 2),)]


def test_records_of_several_elements_have_the_place_of_all_of_them():
    page = bs.parse("<section></section><dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d</dt></dl>", url="http://x/y/")
    # The section is row 0, dl 1, dt 2, its text 3, dd 4, dd 6, dt 8.
    page = laid_out(page, {2: (50, 10, 20, 10), 3: (0, 0, 900, 900), 4: (40, 30, 20, 15), 8: (0, 0, 5, 5)})
    first = int(np.flatnonzero(page.has_tag("dt"))[0])
    group = RecordGroup(node=first - 1, spans=((first, first + 6), (first + 6, first + 8)), tag="dt", names=frozenset())
    reader = FieldReader(find_records(page))
    found = records_in(fixed_reading(reader, group, Fixed()), lambda row: (), page.geometry)
    # From 40 to 70 and from 10 to 45; what is in the elements is not looked at.
    assert [record.box for record in found] == [(40, 10, 30, 35), (0, 0, 5, 5)]


def test_records_hold_those_inside_of_them():
    _, reading = reading_of("<li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li>")
    found = records_in(reading, lambda row: ())
    assert [(depth, record.text) for one in found for depth, record in one.every()] == [
        (0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e"),
    ]  # fmt: skip


def test_quotes_of_a_record_are_those_in_its_text():
    reader, reading = reading_of(
        "<li><div class=t>a<blockquote>b <i>c</i></blockquote>d</div><blockquote>e</blockquote></li>", text=True
    )
    (found,) = records_in(reading, lambda row: ())
    assert found.quotes == ("b c",)
    assert found.text == "a\nb c\nd"
    assert [reader.page.leaf_texts[leaf] for leaf in found.leaves] == ["a", "b ", "c", "d"]
