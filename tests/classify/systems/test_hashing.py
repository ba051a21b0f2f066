"""Hashes of words and counts by them."""

import numpy as np
import pytest
from blocksight.classify.systems.learning.hashing import (
    HashedCounts,
    count_hashes,
    counts_of,
    ngram_hashes,
    token_hash,
    token_hashes,
)
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.errors import ModelMismatch


def test_ngram_hashes_depend_on_tokens_and_order():
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


def test_count_hashes():
    counts = count_hashes(np.asarray([5, 9, 5, 5], dtype=np.uint32), np.asarray([True, False, True, False]))
    inside, outside = counts.look_up(np.asarray([9, 5, 1], dtype=np.uint32))
    assert inside.tolist() == [0, 2, 0]
    assert outside.tolist() == [1, 1, 0]
    assert counts.at_least(2).key.tolist() == [5]


def test_count_hashes_empty():
    none = count_hashes(np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=bool))
    assert [column.tolist() for column in none.look_up(np.asarray([7], dtype=np.uint32))] == [[0], [0]]


def seen(*counts):
    """Keys that were seen in and outside of content so often."""
    key, inside, outside = zip(*counts, strict=True)
    return HashedCounts(key=np.asarray(key, dtype=np.uint32), inside=np.asarray(inside), outside=np.asarray(outside))


def read(arrays):
    return counts_of(Learned(system="mine", arrays=arrays), "key", "inside", "outside")


def test_packed_round_trip():
    given = seen((0, 1, 0), (300, 70_000, 2), (70_000, 0, 5), (4_294_967_295, 3, 2**40))
    packed = given.packed("key", "inside", "outside")
    assert packed["key"].shape == (4, 4)
    assert packed["key"][:, 1].tolist() == [300 % 256, 300 // 256, 0, 0]
    found = read(packed)
    assert found.key.dtype == np.uint32
    assert found.key.tolist() == given.key.tolist()
    assert found.inside.tolist() == given.inside.tolist()
    assert found.outside.tolist() == [0, 2, 5, 2**32 - 1]
    assert found.look_up(np.asarray([70_000], dtype=np.uint32))[1].tolist() == [5]


def test_counts_of_damaged():
    packed = seen((5, 1, 0), (9, 0, 1)).packed("key", "inside", "outside")
    twice = packed["key"].copy()
    twice[:, 1] = 0
    far = np.full_like(packed["key"], 255)
    for wrong in (
        {"key": twice},
        {"key": far},
        {"key": packed["key"][:, :1]},
        {"key": np.asarray([5, 9], dtype=np.uint32)},
        {"inside": packed["inside"].astype(np.uint32)},
    ):
        with pytest.raises(ModelMismatch, match="damaged"):
            read(packed | wrong)


def test_most_seen():
    given = seen((1, 2, 1), (2, 0, 5), (3, 3, 0), (4, 9, 9))
    assert given.most_seen(4).key.tolist() == [1, 2, 3, 4]
    # Which of two that were seen equally often stays is undefined.
    assert given.most_seen(3).key.tolist() == [2, 4]
    assert given.most_seen(2).key.tolist() == [2, 4]
    assert given.most_seen(1).key.tolist() == [4]
