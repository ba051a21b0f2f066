"""Regions that were left out: merged by role, with words, box and reason; and the report for a terminal."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.reasons import LeafReasons
from blocksight.classify.roles import LeafRoles
from blocksight.document.explain import LeftOut, Region, left_out, report_lines
from blocksight.page.role_names import ROLES

PAGE = bs.parse("<p>Home</p><p>News of today</p><p>The tide comes in.</p><p>Read also this</p><p>© Post</p>")


def roles(*names):
    role = np.asarray([ROLES.index(name) for name in names], dtype=np.int8)
    return LeafRoles(role=role, probability=np.ones(len(names)))


def marks(*numbers, page=PAGE):
    return np.isin(np.arange(len(page.leaves)), numbers)


def test_neighbours_with_the_same_role_are_one_region():
    found = left_out(PAGE, marks(2), roles("navigation", "navigation", "body", "related", "footer"))
    assert [(region.role, region.words, region.text) for region in found.regions] == [
        ("navigation", 4, "Home News of today"),
        ("related", 3, "Read also this"),
        ("footer", 1, "© Post"),
    ]
    assert (found.kept_words, found.seen_words) == (4, 12)
    assert found.coverage == pytest.approx(4 / 12, abs=1e-4)


def test_content_between_two_regions_keeps_them_apart():
    found = left_out(PAGE, marks(2), roles("related", "related", "body", "related", "related"))
    assert [region.words for region in found.regions] == [4, 4]


def test_a_few_words_of_another_role_belong_to_the_region_around_them():
    page = bs.parse("<p>One teaser of some words</p><p>3 May</p><p>Another teaser of words</p>")
    found = left_out(page, marks(page=page), roles("related", "date", "related"))
    assert [(region.role, region.words) for region in found.regions] == [("related", 11)]
    longer = bs.parse("<p>One teaser of some words</p><p>By a b c d e</p><p>Another teaser of words</p>")
    assert len(left_out(longer, marks(page=longer), roles("related", "date", "related")).regions) == 3


def test_a_system_without_roles_has_regions_of_no_role():
    found = left_out(PAGE, marks(2))
    assert [(region.role, region.words, region.reason) for region in found.regions] == [(None, 4, ""), (None, 4, "")]


def test_hidden_text_does_not_count_as_left_out():
    page = bs.parse("<p>The tide</p><p hidden>secret words</p>")
    assert left_out(page, marks(0, page=page)) == LeftOut(regions=(), seen_words=2, kept_words=2)


def test_a_page_without_text():
    found = left_out(bs.parse("<img src=a.png>"), np.zeros(0, dtype=bool))
    assert (found.regions, found.coverage) == ((), 1.0)


def test_reasons():
    words = ("in a menu", "mostly links")
    reasons = LeafReasons(words=words, number=np.asarray([0, 1, -1, 1, -1], dtype=np.int32))
    given = roles("navigation", "promotion", "body", "title", "footer")
    scores = np.asarray([0.1, 0.2, 0.9, 0.7, 0.25])
    found = left_out(PAGE, marks(2), given, scores, reasons)
    assert [region.reason for region in found.regions] == [
        "in a menu",
        "mostly links",
        "metadata, not text",
        "probability of content 0.25",
    ]
    likely = left_out(PAGE, marks(2), roles("body", "body", "body", "body", "body"), np.full(5, 0.9))
    assert {region.reason for region in likely.regions} == {"likely content, but apart from the text"}
    none = left_out(PAGE, marks(), roles("body", "body", "body", "body", "body"), np.full(5, 0.9))
    assert {region.reason for region in none.regions} == {"likely content, but no main text"}


def region(**changes):
    values = {
        "role": "navigation",
        "words": 12,
        "box": (0.0, 10.4, 1280.0, 60.0),
        "text": "Home News",
        "reason": "inside <nav>",
    }
    return Region(**(values | changes))


def test_the_report_fits_its_width():
    long = region(text=60 * "w", reason="a reason that goes on and on, longer than the line of any terminal would be")
    found = LeftOut(regions=(region(), long), seen_words=1200, kept_words=900)
    lines = report_lines(found, 100)
    assert lines[0] == "900 of 1,200 visible words are in the text (75 %); 2 regions were left out:"
    assert lines[1].split() == ["role", "words", "x,y", "width×height", "first", "words", "reason"]
    assert "0,10 1280×60" in lines[2]
    assert max(map(len, lines)) <= 100
    assert lines[3].endswith("…")


def test_the_report_of_raw_html_has_no_boxes():
    lines = report_lines(LeftOut(regions=(region(box=None),), seen_words=20, kept_words=8))
    assert "x,y" not in lines[1]
    assert "1 region was left out" in lines[0]
    assert report_lines(LeftOut(seen_words=8, kept_words=8)) == [
        "8 of 8 visible words are in the text (100 %), nothing was left out"
    ]


def test_a_document_has_its_regions_in_json():
    document = bs.extract(bs.parse("<title>T</title><nav><a href=/>Home</a></nav><article><p>" + "Some words. " * 30))
    found = document.to_dict()
    assert found["dropped"] == [part.to_dict() for part in document.dropped]
    assert found["coverage"] == document.coverage > 0.9
    assert document.dropped[0].text == "Home"
    assert document.dropped[0].reason
