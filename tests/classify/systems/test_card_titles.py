"""The titles of cards are content, the one title of a page is not: by roles, then by the records of the page."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.systems.blocksight import _without_metadata, judge_scores
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLES
from blocksight.segment.blocks import text_blocks, visible_blocks

TEXT = "The kettle that was bought last week whistles far too loudly for a small kitchen, and is sold again."


def kept_titles(role, cards, linked=True, score=0.6, *, by_roles=True):
    title = "<a href=/{0}>Kettle number {0}</a>" if linked else "<b>Kettle number {0}</b>"
    html = "".join(f"<div class=card><p>{title.format(n)}</p><p>{TEXT}</p></div>" for n in range(cards))
    page = bs.parse(f"<title>Kettles</title><main>{html}</main>")
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    is_title = np.asarray([text.startswith("Kettle") for text in rows.texts])
    roles = np.zeros((len(rows), len(ROLES)))
    roles[is_title, ROLES.index(role)] = 0.9
    roles[~is_title, ROLES.index("body")] = 0.9
    scores = np.where(is_title, score, 1.5)
    if by_roles:
        return int(_without_metadata(np.ones(len(rows), dtype=bool), rows, scores, roles)[is_title].sum())
    judgement, _ = judge_scores(rows, scores, roles, Calibration(slope=3.0, offset=0.0))
    return int((rows.summed(rows.leaf_words * judgement.marks) > 0)[is_title].sum())


@pytest.mark.parametrize(
    ("role", "cards", "kept"), [("title", 4, 4), ("title", 3, 0), ("caption", 4, 4), ("date", 4, 0), ("author", 4, 0)]
)
def test_more_than_three_links_are_titles_of_cards(role, cards, kept):
    assert kept_titles(role, cards) == kept


def test_what_is_no_link_or_unlikely_is_a_title_of_the_page():
    assert kept_titles("title", 4, linked=False) == 0
    assert kept_titles("title", 4, score=-0.31) == 0


@pytest.mark.parametrize(("cards", "kept"), [(2, 0), (3, 3), (4, 4)])
def test_titles_of_three_records_belong_to_their_text(cards, kept):
    assert kept_titles("title", cards, by_roles=False) == kept
