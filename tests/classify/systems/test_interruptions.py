"""Lines that interrupt an article: teasers, calls to subscribe, forms."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.systems.blocksight import judge_scores
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLE, ROLES

PARAGRAPH = " ".join(["The kettle whistles before the water is hot enough for tea."] * 3)
LINE = "Subscribe to our letter about tea"


def kept(html, roles, *scores):
    page = bs.parse(html)
    rows = rows_of(page, bs.text_blocks(page))
    likely = np.zeros((len(rows), len(ROLES)))
    likely[:, ROLE["body"]] = 0.1
    for row, known in roles.items():
        for name, probability in known.items():
            likely[row, ROLE[name]] = probability
    scores = np.asarray(scores or [1.0] * len(rows))
    judgement, _ = judge_scores(rows, scores, likely, Calibration(slope=3.0, offset=0.0))
    return [text for text, kept in zip(page.leaf_texts, judgement.marks, strict=True) if kept]


@pytest.mark.parametrize(
    ("roles", "stays"),
    [
        ({"promotion": 0.81}, False),
        ({"promotion": 0.79}, True),
        ({"promotion": 0.41, "form": 0.41}, False),
        ({"body": 0.9}, True),
    ],
)
def test_a_line_in_an_article(roles, stays):
    texts = kept(f"<p>{PARAGRAPH}</p><p>{LINE}</p><p>{PARAGRAPH}</p>", {1: roles})
    assert (LINE in texts) == stays
    assert texts.count(PARAGRAPH) == 2


def test_a_longer_text_stays():
    for words, stays in ((15, False), (16, True)):
        text = " ".join(["word"] * words)
        assert (text in kept(f"<p>{PARAGRAPH}</p><p>{text}</p><p>{PARAGRAPH}</p>", {1: {"related": 0.9}})) == stays


def test_cards_of_an_index_stay():
    # A paragraph of 33 words and 12 of cards: less than three quarters are long.
    cards = "".join(f"<div><h3>Story {n}</h3>about tea</div>" for n in range(3))
    texts = kept(f"<p>{PARAGRAPH}</p>{cards}", {row: {"related": 0.9} for row in range(1, 7)})
    assert texts == [PARAGRAPH, *(text for n in range(3) for text in (f"Story {n}", "about tea"))]
