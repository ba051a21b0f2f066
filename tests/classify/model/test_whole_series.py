"""Blocks of a template in the records of a series: content in all of them, or as they are."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.readings import PageReadings
from blocksight.classify.model.selection import INVISIBLE_SCORE
from blocksight.classify.model.whole_series import likeliest_series, whole_series
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLE, ROLES
from blocksight.segment.blocks import text_blocks, visible_blocks

TEXT = "The kettle that was bought last week whistles far too loudly for a small kitchen, number"


def completed(chosen, role="body", likely=0.9, score=0.0, cards=4, tag="h3", **how):
    """Return which titles of cards are content after the texts of all and the titles of ``chosen`` were."""
    html = "".join(f"<div class=card><{tag}>Kettle {n}</{tag}><p>{TEXT} {n}.</p></div>" for n in range(cards))
    page = bs.parse(f"<main><h1>Kettles</h1><div class=cards>{html}</div></main>")
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    titles = np.flatnonzero([text.startswith("Kettle ") for text in rows.texts])
    assert len(titles) == cards
    roles = np.zeros((len(rows), len(ROLES)))
    roles[:, ROLE["body"]] = 1.0
    roles[titles] = 0.0
    roles[titles, ROLE[role]] = likely
    scores = np.full(len(rows), 1.0)
    scores[titles] = score
    content = np.asarray([text.startswith(TEXT) for text in rows.texts])
    content[titles[chosen]] = True
    result = whole_series(PageReadings(rows=rows, scores=scores, roles=roles), content, **how)
    assert result[0] == content[0]
    return np.flatnonzero(result[titles]).tolist()


@pytest.mark.parametrize(
    ("chosen", "cards", "whole"), [([0, 2], 4, [0, 1, 2, 3]), ([1], 4, [1]), ([0], 2, [0]), ([0, 1], 3, [0, 1, 2])]
)
def test_half_of_the_records_decide(chosen, cards, whole):
    assert completed(chosen, cards=cards) == whole


@pytest.mark.parametrize(("role", "likely", "added"), [("date", 0.51, False), ("date", 0.5, True), ("post", 0.9, True)])
def test_what_is_besides_the_content_is_not_added(role, likely, added):
    assert (completed([0, 1], role, likely, tag="div") == [0, 1, 2, 3]) is added


@pytest.mark.parametrize(
    ("tag", "role", "added"), [("h3", "title", True), ("div", "title", False), ("h3", "related", True)]
)
def test_a_heading_is_the_title_of_its_record_whatever_its_role(tag, role, added):
    assert (completed([0, 1], role, tag=tag) == [0, 1, 2, 3]) is added


@pytest.mark.parametrize(("tag", "added"), [("h3", True), ("div", False)])
def test_in_one_text_only_headings_are_added(tag, added):
    assert (completed([0, 1], tag=tag, headings=True) == [0, 1, 2, 3]) is added


def test_what_nobody_sees_is_not_added():
    assert completed([0, 1], score=INVISIBLE_SCORE) == [0, 1]


def index_of(cards, shops):
    """A page with a series of cards, which score -0.5 and have dates, and one of shops, which score -1."""
    entries = "".join(
        f"<li class=card><h3><a href=/{n}>Kettle {n}</a></h3><small>{n + 1} May</small></li>" for n in range(cards)
    )
    links = "".join(
        f"<li class=shop><h3><a href=/shops/{n}>Shop in town {n}</a></h3><p>open</p></li>" for n in range(shops)
    )
    page = bs.parse(f"<main><h1>Kettles</h1><ul>{entries}</ul><ol>{links}</ol></main>")
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    roles = np.zeros((len(rows), len(ROLES)))
    roles[[text.endswith("May") for text in rows.texts], ROLE["date"]] = 0.51
    scores = np.where([text.startswith(("Shop", "open")) for text in rows.texts], -1.0, -0.5)
    chosen = likeliest_series(PageReadings(rows=rows, scores=scores, roles=roles))
    return [text for text, taken in zip(rows.texts, chosen, strict=True) if taken]


def test_the_likeliest_series_is_that_with_the_highest_scores():
    assert index_of(4, 5) == [f"Kettle {n}" for n in range(4)]


def test_two_records_are_no_series():
    assert index_of(2, 5) == [text for n in range(5) for text in (f"Shop in town {n}", "open")]
    assert index_of(2, 2) == []
