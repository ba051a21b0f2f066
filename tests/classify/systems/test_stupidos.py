"""StupidOS and its language models, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.hashing import HashedCounts, count_hashes, ngram_hashes, token_hashes
from blocksight.classify.systems.learning.ngrams import NgramModels, fit_ngrams
from blocksight.classify.systems.learning.trainable import LabelledPage
from blocksight.classify.systems.stupidos import LEAST_PAGES, Stupidos, segments_of
from blocksight.errors import LanguageUnknown


def hashes(text):
    return token_hashes(text.split())


def counted(clean, dirty):
    """Models of two segments each, without forgetting."""
    keys, sides = [], []
    for text, side in ((clean, True), (dirty, False)):
        padded = hashes(f"<s> <s> {text} </s>")
        for order in (1, 2, 3):
            keys.append(ngram_hashes(padded, order)[: len(padded) - order + 1])
            sides.append(np.full(len(keys[-1]), side))
    words = np.asarray([len(clean.split()) + 1, len(dirty.split()) + 1])
    counts: HashedCounts = count_hashes(np.concatenate(keys), np.concatenate(sides))
    return NgramModels(counts=counts, total=words, vocabulary=4, weight=np.full((2, 4), 0.25))


def test_probabilities_by_hand():
    models = counted("a b a c", "c c")
    clean, dirty = models.orders(hashes("a b"))
    # Clean: "a" begins the only segment; then a, b follows one of two a's after <s> a always.
    assert clean[0].tolist() == [1.0, 0.5, 0.4, 0.2]
    assert clean[1].tolist() == [1.0, 0.5, 0.2, 0.2]
    # After "a b" stood "a", never the end; after "b" alone neither; the end is one of five words.
    assert clean[2].tolist() == [0.0, 0.0, 0.2, 0.2]
    # Dirty: no a and no b, and after contexts never seen the order below is used.
    assert dirty[0].tolist() == [0.0, 0.0, 0.0, 0.2]
    assert dirty[2] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.2])
    expected = [(1 + 0.5 + 0.4 + 0.2) / 4, (1 + 0.5 + 0.2 + 0.2) / 4, 0.1]
    other = [0.05, 0.05, 0.3]
    assert models.log_ratio(hashes("a b")) == pytest.approx(np.log(expected).sum() - np.log(other).sum())


def test_each_order_is_a_distribution():
    models = counted("a b a c", "c c")
    words = [*hashes("a b c"), *hashes("</s>")]
    after = [models.orders(np.asarray([*hashes("a b"), word], dtype=np.uint32))[0][2] for word in words[:3]]
    assert np.sum(after, axis=0)[:3] + models.orders(hashes("a b"))[0][2][:3] == pytest.approx([1, 1, 1])


def test_fitting_forgets_rare_ngrams_and_weighs_orders():
    texts = [[(hashes("the boat is late again"), True), (hashes("log in"), False)] for _ in range(10)]
    models = fit_ngrams([*texts, [(hashes("once"), True)]])
    assert models.known(hashes("boat once")).tolist() == [1.0, 0.0]
    assert models.weight.sum(axis=1) == pytest.approx([1, 1])
    # The same segments again and again: the trigram is always right.
    assert models.weight[:, 0].min() > 0.5
    assert models.log_ratio(hashes("the boat is late again")) > 5
    assert models.log_ratio(hashes("log in")) < -3


@pytest.fixture(scope="module")
def bilingual(made):
    """Pages in two languages: the second one's words are those of the first turned round."""
    pages = made(LEAST_PAGES)
    turned = []
    for one in made(LEAST_PAGES, seed=4):
        gold = "\n".join(" ".join(word[::-1] for word in line.split()) for line in one.gold.split("\n"))
        paragraphs = "".join(f"<p>{line}</p>" for line in gold.split("\n"))
        html = f"<ul><li>cookies eikooc</li></ul>{paragraphs}"
        turned.append(LabelledPage(page=bs.parse(html), gold=gold, site=one.site, language="xx"))
    return pages, turned


def test_a_break_ends_a_segment():
    segments, hidden = segments_of(bs.parse("<div>late <b>again</b><br>log in<p>once</p></div>"))
    assert [leaves.tolist() for _, leaves in segments] == [[0, 1], [2], [3]]
    assert segments[1][0].tolist() == hashes("log in").tolist()
    assert not hidden.any()


def test_a_pair_of_models_for_each_language(bilingual):
    pages, turned = bilingual
    fitted = Stupidos().learn([*pages, *turned])
    assert fitted.model.settings == {"languages": ["en", "xx"]}
    assert fitted.language_of(pages[0].page) == "en"
    assert fitted.language_of(turned[0].page) == "xx"
    assert Stupidos().learn([*pages, *turned[:5]]).model.settings == {"languages": ["en"]}


def test_a_page_in_another_language_is_refused_by_name(bilingual):
    pages, turned = bilingual
    fitted = Stupidos().learn(pages)
    with pytest.raises(LanguageUnknown, match="trained on en; none of them knows"):
        fitted.mark(turned[0].page)
    assert Stupidos(model=fitted.model, least_known=0.0).language_of(turned[0].page) == "en"


def test_too_few_pages_or_no_language(made):
    with pytest.raises(ValueError, match="30 pages of one language"):
        Stupidos().learn(made(5))


def test_footers_with_many_bars_are_left_out():
    page = bs.parse("<p>About | Press | Help | Jobs</p><p>One | two | three</p><p hidden>Four</p>")
    (tokens, leaves), *more = segments_of(page)[0]
    assert leaves.tolist() == [1]
    assert tokens.tolist() == hashes("one | two | three").tolist()
    assert not more
