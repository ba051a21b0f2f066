"""Trained MSS by hand: tokens, the most recent unclosed tag, naive Bayes, and stretches."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.hashing import ngram_hashes, token_hash
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.classify.systems.mss.bayes import LEAST_WORDS, article, bayes_of, count_tokens, is_article
from blocksight.classify.systems.mss.simple import best_stretches
from blocksight.classify.systems.mss.tokens import UNKNOWN, tokens_of
from blocksight.classify.systems.mss.trained import Mss, MssCleaneval, MssHr, Www, WwwPlus
from hypothesis import given
from hypothesis import strategies as st


def hashed(words):
    return [token_hash(word) for word in words.split(" ")]


def test_tokens_are_tags_stems_numbers_and_symbols():
    tokens = tokens_of(bs.parse("<body><p>Running, 1984 times<br>fine</p></body>"))
    assert tokens.id.tolist() == hashed("<html <body <p run , 1 time <br fine </p </body </html")
    assert tokens.is_tag.tolist() == [True] * 3 + [False] * 4 + [True, False] + [True] * 3


def test_the_most_recent_unclosed_tag():
    tokens = tokens_of(bs.parse("<body><p>a<b>c</b><br>d</p>e</body>"))
    assert tokens.id.tolist() == hashed("<html <body <p a <b c </b <br d </p e </body </html")
    # A break stays open until its paragraph closes; then the body is the one again.
    unclosed = "<html <body <p <p <b <b <p <br <br <body <body <html"
    assert tokens.unclosed.tolist() == [0, *hashed(unclosed)]


def test_with_tags_replaces_uncommon_tags():
    tokens = tokens_of(bs.parse("<body><newselement>a</newselement></body>"))
    common = np.asarray(hashed("<html </html <body </body"), dtype=np.uint32)
    known = tokens.with_tags(common)
    assert known.id.tolist() == [*hashed("<html <body"), UNKNOWN, token_hash("a"), UNKNOWN, *hashed("</body </html")]
    # The text and its end tag are inside of the uncommon element, which is the most recent unclosed tag.
    assert known.unclosed.tolist() == [0, *hashed("<html <body"), UNKNOWN, UNKNOWN, *hashed("<body <html")]


def test_a_decimal_number_is_three_tokens():
    tokens = tokens_of(bs.parse("<body>3.5</body>"))
    assert tokens.id.tolist() == hashed("<html <body 1 . 1 </body </html")


def test_probabilities_share_evidence_of_uncommon_tags():
    """Texts in <x-a> are inside, in <x-b> outside; a text in <x-c> has the odds of both together."""
    page = bs.parse("<body><x-a>a a</x-a><x-b>b</x-b></body>")
    tokens = tokens_of(page)
    inside = tokens.id == token_hash("a")
    common = np.asarray(hashed("<html </html <body </body"), dtype=np.uint32)
    bayes = count_tokens([tokens], [inside], order=1, tags=common, least=1)
    # Unclosed tags: none, html, body, unknown. Unknown is around "a a", "b" and two end tags: 2 inside, 3 outside.
    other = tokens_of(bs.parse("<body><x-c>c</x-c></body>"))
    inside_odds = (2 + 0.1) / (2 + 0.4)
    outside_odds = (3 + 0.1) / (9 + 0.4)
    odds = inside_odds / outside_odds
    assert bayes.probabilities(other)[3] == pytest.approx(odds / (1 + odds))


def test_a_leaf_is_marked_by_most_of_its_tokens():
    tokens = tokens_of(bs.parse("<body><p>one two three</p>"))
    assert tokens.marks(3, 5).tolist() == [True]
    assert tokens.marks(3, 4).tolist() == [False]
    assert tokens.marks(0, 0).tolist() == [False]


def test_probabilities_by_hand():
    """Unigrams of <html><body><p>a a</p>b: the words a are inside, all else outside."""
    page = bs.parse("<body><p>a a</p>b</body>")
    tokens = tokens_of(page)
    inside = tokens.id == token_hash("a")
    common = np.unique(tokens.id[tokens.is_tag])
    bayes = count_tokens([tokens], [inside], order=1, tags=common, least=1)
    # Nine tokens, two inside; eight different ones, four different unclosed tags (none, html, body, p).
    probability = bayes.probabilities(tokens)

    def odds(value_in, value_out, unclosed_in, unclosed_out):
        word = (value_in + 0.1) / (2 + 0.8) / ((value_out + 0.1) / (7 + 0.8))
        tag = (unclosed_in + 0.1) / (2 + 0.4) / ((unclosed_out + 0.1) / (7 + 0.4))
        return word * tag

    # "a" under p, with which </p> is outside; "b" under body, as <p> does.
    for at, expected in ((3, odds(2, 0, 2, 1)), (6, odds(0, 1, 0, 3))):
        assert probability[at] == pytest.approx(expected / (1 + expected))


def test_probabilities_unknown_is_neutral():
    seen = tokens_of(bs.parse("<body><p>a a</p>b</body>"))
    bayes = count_tokens([seen], [seen.id == token_hash("a")], order=3, tags=np.unique(seen.id[seen.is_tag]))
    other = tokens_of(bs.parse("<section>zebra</section>"))
    assert bayes.probabilities(other)[-4] == 0.5


def test_pruned_drops_least_evidence():
    """Of the words a is inside three times, b twice, c once in three; the tokens in and out are as many."""
    html = "<body><p>a a a b b c d d d</p>c c</body>"
    tokens = tokens_of(bs.parse(html))
    inside = np.isin(tokens.id, hashed("a b")) | (np.arange(len(tokens)) == 8)
    parts = {"order": 1, "tags": np.zeros(0, dtype=np.uint32), "least": 1}
    model = count_tokens([tokens], [inside], **parts).pruned()
    # c is inside once of three times, as is any token of six inside and eleven outside: it speaks for neither side.
    kept = ngram_hashes(np.asarray([*hashed("a d"), UNKNOWN], dtype=np.uint32), 1)
    assert model.ngram.key.tolist() == sorted(kept.tolist())
    assert model.distinct == count_tokens([tokens], [inside], **parts).distinct
    judged_by_neighbours = count_tokens([tokens], [inside], neighbours=True, **parts)
    assert judged_by_neighbours.pruned() is judged_by_neighbours


def test_probabilities_unknown_by_neighbours():
    seen = tokens_of(bs.parse("<body><p>a a a a a a a a</p>b</body>"))
    parts = {"order": 1, "tags": np.unique(seen.id[seen.is_tag]), "least": 1}
    inside = seen.id == token_hash("a")
    page = tokens_of(bs.parse("<body><p>a new a</p></body>"))
    alone = count_tokens([seen], [inside], **parts).probabilities(page)
    helped = count_tokens([seen], [inside], neighbours=True, **parts).probabilities(page)
    assert helped[4] > alone[4]
    assert np.array_equal(np.delete(helped, 4), np.delete(alone, 4))


def test_article_is_one_range():
    # The stray mark at the top is two words, eleven unmarked ones stand between.
    page = bs.parse("<p>stray mark</p><p>one two three four five six seven eight nine ten eleven</p><p>a b c</p>")
    tokens = tokens_of(page)
    inside = article(tokens, np.asarray([True, False, True]))
    assert tokens.marks(*np.flatnonzero(inside)[[0, -1]] + [0, 1]).tolist() == [False, False, True]


def test_is_article_short_or_full_of_tags():
    long = tokens_of(bs.parse(f"<p>{'word ' * LEAST_WORDS}</p>"))
    every = np.ones(len(long), dtype=bool)
    assert is_article(long, every)
    assert not is_article(tokens_of(bs.parse("<p>few words</p>")), np.ones(8, dtype=bool))
    ridden = tokens_of(bs.parse("<p>word</p>" * LEAST_WORDS))
    assert not is_article(ridden, np.ones(len(ridden), dtype=bool))


@given(st.lists(st.integers(-3, 3), max_size=14), st.integers(1, 4))
def test_k_best_stretches_by_brute_force(scores, count):
    """Each is the best stretch of what the maximal stretches before it in rank leave over."""
    column = np.asarray(scores, dtype=np.float64)
    found = best_stretches(column, count)
    taken = np.zeros(len(column), dtype=bool)
    for start, stop in found:
        pairs = [(i, j) for i in range(len(column)) for j in range(i + 1, len(column) + 1) if not taken[i:j].any()]
        most = max((column[i:j].sum() for i, j in pairs), default=0.0)
        assert column[start:stop].sum() == max(most, 0.0)
        taken[start:stop] = True


@pytest.fixture(scope="module")
def fitted(made):
    return Mss().learn(made(30)).model


def test_hr_cuts_the_stretch(fitted, made):
    article = made(1, seed=5)[0].gold.split("\n")
    page = bs.parse(f"<div class=main><p>{article[0]}</p><hr><p>{article[1]}</p></div>")
    assert Mss(model=fitted).mark(page).tolist() == [True, True]
    assert MssHr(model=fitted).mark(page).tolist() == [True, False]


def test_www_takes_two_stretches(fitted, made):
    gold = made(1, seed=5)[0].gold.split("\n")
    teasers = "".join(f"<div><a href=/t>{text}</a></div>" for text in ("Subscribe newsletter login here.",) * 12)
    page = bs.parse(f"<div class=main><p>{gold[0]}</p></div>{teasers}<div><p>{gold[1]}</p></div>")
    one, two = Mss(model=fitted).mark(page), Www(model=fitted).mark(page)
    assert one.sum() == 1
    assert two.tolist() == [True] + [False] * 12 + [True]


def test_www_plus_drops_comments_unless_they_are_the_page(fitted, made):
    gold = made(1, seed=5)[0].gold.split("\n")
    comments = f"<div class=comments><p>{gold[0]}</p></div>"
    page = bs.parse(f"<div class=main>{''.join(f'<p>{text}</p>' for text in gold)}</div>{comments}")
    assert Www(model=fitted).mark(page).tolist() == [True] * (len(gold) + 1)
    assert WwwPlus(model=fitted).mark(page).tolist() == [True] * len(gold) + [False]
    assert WwwPlus(model=fitted).mark(bs.parse(comments)).tolist() == [True]


def test_the_cleaneval_setting_keeps_more(made):
    pages = made(30)
    fitted = MssCleaneval().learn(pages)
    assert (fitted.order, fitted.neighbours, fitted.bias) == (1, True, 0.14)
    unbiased = MssCleaneval(model=fitted.model, bias=0.0)
    for labelled in made(6, seed=3):
        assert fitted.mark(labelled.page).sum() >= unbiased.mark(labelled.page).sum()


def test_stretches_of_equal_one_pass(made):
    """Section 6.2.5: a token is judged by itself and the next two, and figure 1 needs no more than the sum so far."""
    system = Mss().learn(made(12))
    tokens = tokens_of(made(1, seed=7)[0].page)
    bayes = system.bayes()
    total, start, best, found = 0.0, 0, 0.0, (0, 0)
    for at in range(len(tokens)):
        ahead = slice(at, at + 3)
        near = replace(tokens, id=tokens.id[ahead], unclosed=tokens.unclosed[ahead], leaf=tokens.leaf[ahead],
                       row=tokens.row[ahead], event=tokens.event[ahead])  # fmt: skip
        total += bayes.probabilities(near)[0] - 0.5
        if total > best:
            best, found = total, (start, at + 1)
        if total < 0:
            total, start = 0.0, at + 1
    assert found[1] > found[0]
    assert system.stretches_of(tokens) == [found]


def test_bayes_of_damaged_total(tmp_path):
    tokens = tokens_of(bs.parse("<body><p>a a</p>b</body>"))
    bayes = count_tokens([tokens], [tokens.id == token_hash("a")], order=1, tags=tokens.id[:1], least=1)
    arrays = bayes.arrays()
    arrays["total"] = np.asarray([0, 0, 7], dtype=np.int64)
    with pytest.raises(bs.ModelMismatch, match="total"):
        bayes_of(Learned(system="mss", arrays=arrays, settings={"order": 1, "neighbours": True}))
