"""What all sources look at: the text, the titles, the menus, and the rows around the text."""

import numpy as np
import pytest
from blocksight.gold.labeling_functions.label_context import marked_rows, rows_within


def where(marks):
    return np.flatnonzero(marks).tolist()


def test_keys_are_letters_and_digits_in_lower_case(context):
    assert context("<p>Ada-Leaf_2: É!</p>").keys == ["adaleaf2é"]


def test_paragraphs_are_rows_of_ten_words_that_the_gold_holds(context, words):
    html = (
        f"<p>{words(9)}</p><p>{words(10, 'a')}</p><p>{words(10, 'b')}</p>"
        # Half of it is a link; six of ten words are none; the title.
        f"<p>{words(5)} <a href=/>{words(5)}</a></p><p>{words(6)} <a href=/>{words(4)}</a></p><p>{words(10, 'c')}</p>"
    )
    found = context(html, share=[1, 0.49, 0.5, 1, 1, 1], title=words(10, "c"))
    assert where(found.in_gold) == [0, 2, 3, 4, 5]
    assert where(found.paragraphs) == [2, 4]
    assert (found.start, found.stop) == (2, 5)


def test_paragraphs_without_gold(context, words):
    html = f"<p>{words(20)}</p><p>{words(21, 'a')}</p><p>{words(21, 'b')}</p>"
    found = context(html, share=[0, 0, np.nan], title=words(21, "b"))
    assert where(found.paragraphs) == [1]


def test_the_text_goes_from_its_first_to_its_last_paragraph(context, words):
    found = context(f"<p>a</p><p>{words(10)}</p><p>{words(10)}</p><p>{words(10)}</p><p>b</p>", share=[0, 1, 1, 1, 0])
    assert (found.start, found.stop) == (1, 4)


def test_without_paragraphs_the_text_starts_behind_the_last_row(context):
    found = context("<p>a</p><p>b</p>", share=[0, 0])
    assert (found.start, found.stop) == (2, 2)


def test_a_row_begins_with_500_characters(context):
    assert [len(text) for text in context(f"<p>{'x' * 501}</p><p>{'x' * 500}</p>").lines] == [500, 500]


def test_titles_have_three_letters_and_are_no_site(context):
    head = "<title>Fish | Pier</title><meta property=og:title content=Boats><meta property=og:site_name content=Pier>"
    assert context(head, title="Abc").titles == {"abc": "gold field", "boats": "meta", "fish": "meta"}
    assert "ab" not in context(head, title="Ab").titles
    assert "pier" not in context(head, title="Pier").titles
    assert context("<h1>Fish</h1>").titles == {}


def test_titles_first_source(context):
    data = '<script type=application/ld+json>{"@type": "NewsArticle", "headline": "Boats"}</script>'
    assert context(f"<meta property=og:title content=Boats>{data}").titles == {"boats": "json-ld"}
    assert context(data, title="boats!").titles == {"boats": "gold field"}


def test_sites_are_named_by_their_data_and_their_address(context):
    data = '<script type=application/ld+json>[{"@type": "WebSite", "name": "The Pier"}]</script>'
    meta = "<meta property=og:site_name content='The Gull'><meta name=author content='Ada Leaf'>"
    html = f"<head>{meta}{data}</head><p>x"
    assert context(html).site_names == {"thegull", "thepier"}
    assert context(html, url="https://www.gull.example/a").site_names == {"thegull", "thepier", "gullexample"}
    assert context("<p>x").site_names == set()


@pytest.mark.parametrize(
    ("html", "menu"),
    [
        ("<div class=menu>x</div>", True),
        ("<div role=navigation>x</div>", True),
        ("<div aria-label='Main menu'>x</div>", True),
        ("<div class='top breadcrumbs'><p>x</p></div>", True),
        ("<nav><p>x</p></nav>", True),
        ("<div class=main>x</div>", False),
        ("<div id=menu>x</div>", False),
        ("<div>x</div>", False),
        # Elements that hold the text are no menus.
        ("<body class=menu><p>x</p>", False),
        ("<article class=menu><p>x</p></article>", False),
        # 200 characters of a name are read.
        (f"<div class='{'x' * 195} menu'>x</div>", True),
        (f"<div class='{'x' * 196} menu'>x</div>", False),
    ],
)
def test_menus_are_recognized_by_tag_and_name(context, html, menu):
    assert context(html).in_menu.tolist() == [menu]


def text_at(context, words, paragraphs, number, title=None):
    """Return a page of rows of one word, some of them paragraphs, one the title."""
    rows = [words(10) if row in paragraphs else f"row{row}" for row in range(number)]
    if title is not None:
        rows[title] = "Title"
    share = [float(row in paragraphs) for row in range(number)]
    return context("".join(f"<p>{text}</p>" for text in rows), share=share, title="Title")


@pytest.mark.parametrize(
    ("start", "number", "title", "around"),
    [
        # Six rows before the text, three before the title, up to the second row of the text.
        (10, 20, None, (4, 12)),
        (10, 20, 8, (5, 12)),
        (10, 20, 9, (6, 12)),
        (10, 20, 11, (8, 12)),
        (10, 20, 12, (4, 12)),
        (10, 20, 1, (0, 12)),
        (10, 11, None, (4, 11)),
        (3, 20, None, (0, 5)),
    ],
)
def test_around_title(context, words, start, number, title, around):
    found = text_at(context, words, {start}, number, title)
    assert found.start == start
    assert found.around_title == around


def test_near_text(context, words):
    # The text is from 10 to 14: rows 4 to 11, and 15 to 17.
    assert where(text_at(context, words, {10, 14}, 20).near_text) == [*range(4, 12), *range(15, 18)]


@pytest.mark.parametrize(
    ("html", "least", "marked"),
    [
        # Four of eight characters, four of nine, four of 16.
        ("<p>abcd<b>efgh</b></p>", 0.5, True),
        ("<p>abcde<b>fghi</b></p>", 0.5, False),
        ("<p>abcdefghijkl<b>mnop</b></p>", 0.5, False),
        ("<p>abcdefghijkl<b>mnop</b></p>", 0.25, True),
        ("<p><b>x</b></p>", 0.9, True),
        ("<p>abcd</p>", 0.5, False),
    ],
)
def test_rows_within_share(context, html, least, marked):
    found = context(html)
    assert rows_within(found.rows, found.page.has_tag("b"), least).tolist() == [marked]
    if least == 0.5:
        assert rows_within(found.rows, found.page.has_tag("b")).tolist() == [marked]


def test_a_column_without_a_mark_has_one_value_a_row(context):
    assert marked_rows(context("<p>a</p><p>b</p>"), []).tolist() == [False, False]
