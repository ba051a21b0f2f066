"""Kimatu by hand."""

import numpy as np
import pytest
from blocksight import parse
from blocksight.classify.systems.kimatu import Kimatu
from blocksight.classify.systems.linear_page import lines_of_text
from blocksight.lexicon.words import words

P = "It rained, and then it rained again, said the man from the ferry."  # 13 words, 2 commas, 1 stop
Q = "Nobody answered, for nobody had asked him, and the boats lay still."  # 12 words, 2 commas, 1 stop
MENU = "<ul><li><a>Home</a><li><a>News</a><li><a>Sport</a></ul>"


def test_blocks_of_like_elements_that_are_near():
    page = parse(f"<div><p>a</p><p>b</p><p class=x>c</p><p>d</p></div><p>e</p>{'<h2>-</h2>' * 4}<p>f</p>")
    lines = lines_of_text(page)
    kinds = [("p", "")] * 2 + [("p", "x")] + [("p", "")] * 2 + [("h2", "")] * 4 + [("p", "")]
    blocks = Kimatu()._blocks(page, lines, kinds).tolist()
    # c has another class, e another parent; between e and f stand four lines, more than three.
    assert blocks == [0, 0, 2, 0, 4, 5, 5, 5, 5, 9]


def test_score_by_hand():
    page = parse(f"<p>{P}</p><p>{Q}</p>{MENU}")
    lines = lines_of_text(page)
    said = [words(text) for text in lines.texts]
    score, share = Kimatu()._scores(page, lines, said, np.array([0, 0, 2, 2, 2]))
    # The paragraphs' block has most words, the longest lines and most punctuation, and no links: (1 + 1 + 1) / 3.
    assert score[0] == pytest.approx(1.0)
    # The menu's: 3 of 25 words, lines of 1 against 12.5, no punctuation, all of it links.
    assert score[2] == pytest.approx((3 / 25 + 1 / 12.5 + 0) / 3 - 1)
    assert share.tolist() == [0, 0, 1, 1, 1]


def test_content_without_menu(marked):
    assert marked(Kimatu(), f"{MENU}<p>{P}</p><p>{Q}</p>{MENU}") == [P, Q]


def test_labels_that_repeat_go(marked):
    posts = "".join(f"<p>{text}</p><p>Posted by {who}</p>" for text, who in ((P, "Ann"), (Q, "Ben"), (P + Q, "Cy")))
    assert marked(Kimatu(), posts) == [P, Q, P + Q]
    # Two are not enough.
    assert "Posted by Ann" in marked(Kimatu(repeats=4), posts)


def test_quotations_go(marked):
    quote = P.replace(", said", " said").removesuffix(" from the ferry.")
    assert marked(Kimatu(), f"<p>{P}</p><p>{quote}</p><p>{Q}</p>") == [P, Q]
    # What is said first is no quotation of what follows.
    assert marked(Kimatu(), f"<p>{quote}</p><p>{P}</p><p>{Q}</p>") == [quote, P, Q]


def test_kin_of_a_candidate_comes_in(marked):
    # "Then" is a block of its own by its parent, of low score, but of the candidates' kind and near.
    html = f"<div><p>{P}</p><p>{Q}</p></div><section><p>Then</p></section><section><h6>Then</h6></section>"
    assert marked(Kimatu(), html) == [P, Q, "Then"]


def test_a_heading_right_before_content(marked):
    assert marked(Kimatu(), f"<h2>Weather</h2><p>{P}</p><p>{Q}</p><h2>Links</h2>{MENU}") == ["Weather", P, Q]
