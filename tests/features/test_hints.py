"""Hints at roles on a page worked out by hand."""

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
