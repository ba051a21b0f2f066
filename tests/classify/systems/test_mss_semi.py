"""Semi-supervised MSS: importance and confidence by hand, and a source whose frame it learns."""

from random import Random

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import LabelledPage
from blocksight.classify.systems.mss.semi import MssSemi, confidence, nearness
from blocksight.classify.systems.mss.trained import Mss


def test_nearness_by_hand():
    # The article is tokens 2 to 4; d = 2. At a border (half a token away) 1, one further .5 / 1.5, beyond d nothing.
    assert nearness(8, (2, 5), 2.0) == pytest.approx([1 / 3, 1, 1, 1 / 3, 1, 1, 1 / 3, 0])


def test_confidence_by_hand():
    probability = np.asarray([0.9, 0.2, 0.7, 0.5, 0.8, 0.4, 0.9])
    # One token on each side of each border: 1 - .2, .7, .8, 1 - .4.
    expected = np.log([0.8, 0.7, 0.8, 0.6]).mean()
    assert confidence(probability, (2, 5), 1) == pytest.approx(expected)
    # Windows end at the ends of the page and of the article.
    assert confidence(np.asarray([0.5, 0.5]), (0, 1), 10) == pytest.approx(np.log(0.5))
    assert confidence(probability, (0, 0), 1) == -np.inf
    assert np.isfinite(confidence(np.asarray([0.0, 1.0]), (0, 1), 1))


@pytest.fixture(scope="module")
def source(prose):
    """Pages of one site: an article between a dateline and a note, and under some of them comments like articles."""

    def make(count, seed=0):
        random = Random(seed)
        pages = []
        for number in range(count):
            gold = [prose(random) for _ in range(4)]
            comments = "".join(f"<p>{prose(random)}</p>" for _ in range(2)) if number % 3 == 0 else ""
            article = "".join(f"<p>{text}</p>" for text in gold)
            html = (
                f"<div class=top>Town Gazette filed from our desk</div><div>{article}</div><div><b>Printed by the Town"
                f" Gazette</b><hr><i>Letters to the desk</i></div><div>{comments}</div>"
            )
            pages.append(LabelledPage(page=bs.parse(html), gold="\n".join(gold), site="gazette.example"))
        return pages

    return make


def true_accuracy(system, pages):
    right = total = 0
    for labelled in pages:
        truth = np.asarray([page_text in labelled.gold for page_text in labelled.page.leaf_texts])
        truth &= np.arange(len(truth)) < 5
        right += (system.mark(labelled.page) == truth).sum()
        total += len(truth)
    return right / total


def test_adapt_learns_the_ends_of_articles(made, source):
    supervised = MssSemi().learn(made(30))
    pages = source(30)
    adapted = supervised.adapt({"gazette": [one.page for one in pages]})
    unseen = source(9, seed=1)
    before, after = true_accuracy(supervised, unseen), true_accuracy(adapted, unseen)
    assert before < 0.85
    assert after > before + 0.1


def test_mark_without_adapt_is_mss(made):
    pages = made(30)
    semi, plain = MssSemi().learn(pages), Mss().learn(pages)
    for labelled in made(4, seed=2):
        assert np.array_equal(semi.mark(labelled.page), plain.mark(labelled.page))


def test_adapt_ignores_small_sources(made, source):
    semi = MssSemi().learn(made(30))
    few = [one.page for one in source(4)]
    assert semi.adapt({"few": few}) is semi
    assert semi.adapt({}) is semi
    enough = [one.page for one in source(12)]
    both, alone = semi.adapt({"few": few, "enough": enough}), semi.adapt({"enough": enough})
    assert np.array_equal(both.adapted.array("importance"), alone.adapted.array("importance"))


def test_pages_without_text_do_no_harm(made):
    semi = MssSemi().learn(made(30))
    assert semi.adapt({"empty": [bs.parse("<div></div>")] * 12}).mark(bs.parse("<p>a")).shape == (1,)
