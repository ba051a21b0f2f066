"""Hints at roles on a page worked out by hand."""

import random
import re

import blocksight as bs
import numpy as np
import pytest
from blocksight.features import hints
from blocksight.features.block_table import measure
from blocksight.features.hints import COLUMNS

PAGE = bs.parse(
    "<title>Eels come back</title><meta name=author content='Ada Leaf'><meta name=description content='In spring.'>"
    "<h1>Eels come back</h1><p>By <a href=/author/ada>Ada Leaf</a></p><p>3 May 2021</p><img src=a.png>"
    "<p><i>The river.</i> Photo</p><p>Read more: trout</p><ul><li><a href=1>One</a></li><li><a href=2>Two</a></li></ul>"
)


@pytest.fixture(scope="module")
def columns():
    return measure(PAGE, columns=[column.name for column in COLUMNS]).columns


def test_what_blocks_begin_with(columns):
    assert columns["begins_byline"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert columns["begins_more"].tolist() == [0, 0, 0, 0, 1, 0, 0]
    assert columns["date_share"][2] == 1
    assert columns["person_link"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert columns["italic_share"][3] == pytest.approx(2 / 3)


def test_what_the_head_says(columns):
    assert columns["like_author"][1] == 1
    assert columns["like_author"][0] == 0


def test_pictures_and_the_title_around(columns):
    assert columns["picture_before"].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert columns["picture_after"].tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert columns["picture_level"][0] == 1
    np.testing.assert_allclose(columns["rows_after_title_log"][:3], np.log([1, 2, 3]))


def test_elements_made_alike(columns):
    assert columns["cards_log"][5] == pytest.approx(np.log(2))
    assert columns["card_link_density"][5] == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Oslo (AP)", 1),
        ("Oslo/ap", 1),
        ("Map of Oslo", 0),
        ("The Associated Press", 1),
        ("disassociated pressings", 1),
        ("Agence REUTERS", 1),
        ("x" * 90 + " via afpnews", 0),
        ("x" * 92 + " via afpnews", 1),  # cut off behind 100 characters
        ("ТАСС, Москва", 1),
        ("© Ada", 1),
        ("Rİtzau", 1),
        ("naïve", 0),
    ],
)
def test_agencies_are_found_as_their_pattern_says(text, names):
    found = measure(bs.parse(f"<p>{text}"), columns=["names_agency"]).columns["names_agency"]
    assert found.tolist() == [names] == [hints._AGENCY.search(text[:100]) is not None]


def test_a_page_without_a_block():
    assert all(len(column) == 0 for column in measure(bs.parse(""), groups=("role",)).columns.values())


def of(html, name, **how):
    """One column of a page."""
    return measure(bs.parse(html, **how), columns=[name]).columns[name].tolist()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ada", "byline"),
        ("Photo: Ada", "credit"),
        ("See also: trout", "more"),
        ("Subscribe now", "letter"),
        ("Correction of May", "note"),
        ("We use cookies", "notice"),
        ("3 comments", "reply"),
        ("Filed under: fish", "tag"),
        ("Eels", None),
        ("Eels by Ada", None),
        ("- (Photo: Ada", "credit"),
    ],
)
def test_each_beginning_is_a_column(text, name):
    columns = [column.name for column in COLUMNS if column.name.startswith("begins_")]
    found = measure(bs.parse(f"<p>{text}</p>"), columns=columns).columns
    assert [column for column in columns if found[column][0]] == ([f"begins_{name}"] if name else [])


@pytest.mark.parametrize(("words", "names"), [(60, 1), (61, 0)])
def test_only_short_blocks_name_an_agency(words, names):
    assert of(f"<p>reuters{' x' * (words - 1)}</p>", "names_agency") == [names]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("2024", 1),
        ("3 May 2024 eels", 3 / 4),
        ("x " * 59 + "5 6 7 8", 1 / 60),
        ("updated eels", 1 / 2),
        ("eels undated", 0),
        ("Monday, Sept. Okt mon", 1),
        ("money marketing outdated mayor", 0),
        ("发布于 eels", 1 / 2),
    ],
)
def test_a_share_of_the_first_sixty_words_makes_dates(text, share):
    assert of(f"<p>{text}</p>", "date_share") == [pytest.approx(share)]


@pytest.mark.parametrize(
    ("text", "share"), [("One two Three four", 1 / 2), ("one", 0), ("One", 1), ("x " * 60 + "One", 0)]
)
def test_a_share_of_words_is_capitalised(text, share):
    assert of(f"<p>{text}</p>", "capitalised_share") == [share]


def test_a_link_to_a_person_by_the_end_of_its_address():
    assert of("<p>x <a href=/staff/a>y</a></p><p>z <a href=/b>w</a></p><p>v</p>", "person_link") == [1, 0, 0]
    # "/u/" and 77 or 78 more characters: only the last 80 are looked at.
    assert of(f"<p><a href='/u/{'x' * 77}'>y</a></p>", "person_link") == [1]
    assert of(f"<p><a href='/u/{'x' * 78}'>y</a></p>", "person_link") == [0]
    # Its address is the first of all strings.
    assert of("<a href=/u/x>y</a>", "person_link") == [1]


def test_shares_of_emphasis():
    html = "<p>a <i>b</i> <em>c</em> d <strong>e</strong></p><p><small>f <b>g</b></small></p><p>h</p>"
    assert of(html, "italic_share") == pytest.approx([2 / 5, 0, 0])
    assert of(html, "strong_share") == pytest.approx([1 / 5, 1 / 2, 0])
    assert of(html, "small_share") == [0, 1, 0]


HEAD = (
    "<meta property=og:title content='Eels come back'><meta name=twitter:title content='Other'>"
    "<meta name=author content='http://x/ada'><meta name=byl content='Ada Leaf'>"
    "<meta name=Description content='Eels of spring'><meta name=keywords content='trout'>"
)


def test_likeness_to_what_the_head_says():
    html = f"{HEAD}<p>Eels come home</p><p>Other eels</p><p>trout</p>"
    # 2 of 4 words, 1 of 4, none.
    assert of(html, "like_meta_title") == [1 / 2, 1 / 4, 0]
    # 1 of 5, 1 of 4.
    assert of(html, "like_description") == [1 / 5, 1 / 4, 0]
    for words, like in ((120, True), (121, False)):
        found = of(f"{HEAD}<p>eels{' x' * (words - 1)}</p>", "like_description")
        assert found == [1 / 4 if like else 0]


def test_only_meta_elements_speak_for_a_page():
    assert of("<div property=og:title content=Eels>Eels</div>", "like_meta_title") == [0]
    assert of("<meta property=og:title><p>Eels</p>", "like_meta_title") == [0]
    # What it says is the first of all strings.
    assert of("<meta content=Eels property=og:title><p>Eels</p>", "like_meta_title") == [1]


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("By Ada Leaf", 1),
        ("a b c d e f Ada Leaf", 1),
        ("a b c d e f g Ada Leaf", 8 / 9),
        ("a b c d e f g h i j k l m n Ada Leaf", 8 / 16),
        ("By Ada", 1 / 2),
        ("a b c d e f g h i j k l m n o Ada", 1 / 2 * 8 / 16),
        ("eels", 0),
    ],
)
def test_names_of_the_author_count_less_among_many_words(text, like):
    # Of two names: as long as the text has no more than eight words, all of it.
    assert of(f"{HEAD}<p>{text}</p>", "like_author") == [pytest.approx(like)]


def test_pictures_around():
    html = "<div><div><img><p>a b c</p></div><p>d e</p></div><p>f</p>"
    assert of(html, "picture_before") == [1, 0, 0]
    assert of(html, "picture_after") == [0, 0, 0]
    assert of(html, "picture_level") == [1, 1, 1]
    np.testing.assert_allclose(of(html, "picture_box_words_log"), np.log1p([3, 5, 6]))
    within = "<p>a <img> b</p><p>c</p><img>"
    assert of(within, "picture_level") == [0, 1]
    assert of(within, "picture_before") == [0, 1]
    assert of(within, "picture_after") == [1, 1]
    np.testing.assert_allclose(of(within, "picture_box_words_log"), np.log1p([2, 3]))


@pytest.mark.parametrize(("levels", "level", "words"), [(3, 4, 3), (4, 5, 3), (5, 6, 1), (6, 6, 1)])
def test_pictures_beyond_five_levels_are_far(levels, level, words):
    # From the paragraph through some divisions to the body, which holds the picture and two more words.
    html = f"<img><p>b c</p>{'<div>' * levels}<p>a</p>"
    assert of(html, "picture_level")[1] == level
    assert of(html, "picture_box_words_log")[1] == pytest.approx(np.log1p(words))


def test_text_below_the_sixth_element_up():
    # The fifth element around the paragraph holds another word, the fourth does not.
    html = f"<div><p>b</p>{'<div>' * 4}<p>a</p>"
    assert of(html, "picture_box_words_log")[1] == pytest.approx(np.log1p(2))


def test_a_page_without_pictures():
    assert of("<p>a</p>", "picture_level") == [6]
    assert of("<p>a</p>", "picture_before") == of("<p>a</p>", "picture_after") == [0]
    np.testing.assert_allclose(of("<p>a</p>", "picture_box_words_log"), np.log1p([1]))


def test_blocks_from_the_title():
    html = "<title>Eels come back</title>" + "<p>x</p>" * 14 + "<h1>Eels come back</h1>" + "<p>x</p>" * 14
    steps = [*[0] * 15, *range(1, 13), 12, 12]
    np.testing.assert_allclose(of(html, "rows_after_title_log"), np.log1p(steps))
    np.testing.assert_allclose(of(html, "rows_before_title_log"), np.log1p(steps[::-1]))


@pytest.mark.parametrize(("title", "found"), [("a b c d", True), ("a b c d e", False)])
def test_a_title_that_no_block_is_like(title, found):
    # A heading with one of four words is a fourth like it; one of five, a fifth, is too little.
    html = f"<title>{title}</title><h1>a</h1><p>x</p>"
    assert of(html, "rows_after_title_log") == ([0, np.log(2)] if found else [0, 0])
    assert of(html, "rows_before_title_log") == [0, 0]


def test_blocks_from_long_paragraphs():
    long = f"<p>{'x ' * 21}</p>"
    html = f"<p>a</p>{long}<p>b</p><p>c</p>{long}" + "<p>d</p>" * 13
    np.testing.assert_allclose(of(html, "rows_since_long_log"), np.log1p([12, 0, 1, 2, 0, *range(1, 13), 12]))
    np.testing.assert_allclose(of(html, "rows_until_long_log"), np.log1p([1, 0, 2, 1, 0, *[12] * 13]))
    np.testing.assert_allclose(of(html, "long_before_log"), np.log1p([0, 0, 1, 1, 1, *[2] * 13]))
    np.testing.assert_allclose(of("<p>a</p>", "rows_since_long_log"), np.log1p([12]))


def test_a_block_behind_a_heading():
    assert of("<p>a</p><h2>b</h2><h3>c</h3><p>d</p><p>e</p>", "after_heading") == [0, 0, 0, 1, 0]
    assert of("<h2>b</h2>", "after_heading") == [0]


def test_elements_made_alike_are_counted():
    html = (
        "<div><section class=c><p>a b</p></section><section class=c><p><a href=1>c d e f</a></p><img></section>"
        "<section class=c></section><section class=d><p>g</p></section></div>"
    )
    # Two of one class with text: 2 and 4 words, 4 of 6 in links, one of two with a picture. The last is one of its
    # own, as is all around it: of these the whole page counts, 7 words and a picture.
    np.testing.assert_allclose(of(html, "cards_log"), np.log1p([1, 1, 0]))
    np.testing.assert_allclose(of(html, "card_words_log"), np.log1p([3, 3, 7]))
    np.testing.assert_allclose(of(html, "card_link_density"), [4 / 6, 4 / 6, 4 / 7])
    assert of(html, "card_pictures") == [1 / 2, 1 / 2, 1]
    # A picture before them is in none of them.
    assert of("<img><p>a</p><p>b</p>", "card_pictures") == [0, 0]


def test_elements_of_another_tag_class_or_parent_are_not_made_alike():
    html = "<p>a</p><p>b</p><p class=x>c</p><h2>d</h2><div><p>e</p></div>"
    np.testing.assert_allclose(of(html, "cards_log"), np.log1p([1, 1, 0, 0, 0]))


def test_starts_of_ascii_are_found_as_those_of_any_text():
    dice, pattern = random.Random(3), hints._ANY_START
    pieces = [piece for piece in re.split(r"[\W\d]+", pattern.pattern) if piece.isascii()]
    assert "ı" in pattern.pattern
    assert "devami" not in pieces
    others = ("devami", "Devami", "DEVAMI", "we", "this", "site", "uses", "3 likes", "#4", "(c)", "by", "don't miss")
    starts = [*pieces, *others]
    found = 0
    for number in range(20_000):
        text = " ".join(dice.choices(starts, k=dice.randint(1, 4)))
        text = dice.choice(["", "", " ", "-- ", "(", "1"]) + (text, text.upper(), text.title())[number % 3]
        matches = pattern.match(text) is not None
        assert bool(hints._may_start(text, text.lower())) == matches, text
        found += matches
    assert 2_000 < found < 18_000
