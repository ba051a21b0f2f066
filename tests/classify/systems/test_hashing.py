"""Hashes of words and counts by them."""

import numpy as np
from blocksight.classify.systems.learning.hashing import count_hashes, ngram_hashes, token_hash, token_hashes


def test_ngrams_are_told_apart_by_their_tokens_and_order():
    tokens = token_hashes("a b c a b c b a".split())
    three = ngram_hashes(tokens, 3)
    assert three[0] == three[3]
    assert len({*three[:6].tolist()}) == 5
    assert not set(three.tolist()) & set(ngram_hashes(tokens, 1).tolist())
    # The last ones reach past the end; they are n-grams of their own.
    assert len({*three[5:].tolist()}) == 3


def test_a_token_has_the_same_hash_everywhere():
    assert token_hash("word") == 3287381265
    assert token_hash("\ud800") > 0


def test_counts():
    counts = count_hashes(np.asarray([5, 9, 5, 5], dtype=np.uint32), np.asarray([True, False, True, False]))
    inside, outside = counts.look_up(np.asarray([9, 5, 1], dtype=np.uint32))
    assert inside.tolist() == [0, 2, 0]
    assert outside.tolist() == [1, 1, 0]
    assert counts.at_least(2).key.tolist() == [5]


def test_no_counts():
    none = count_hashes(np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=bool))
    assert [column.tolist() for column in none.look_up(np.asarray([7], dtype=np.uint32))] == [[0], [0]]
