"""Golds that contradict each other about roles."""

import numpy as np
from blocksight.page.role_names import ROLE
from blocksight.train.fit_roles import fit_roles, role_sides, role_weights
from blocksight.train.recipe import reliable_labels


def test_what_a_gold_says_counts_where_it_agrees_with_the_default():
    rows = [
        ("body", 1, True, True),
        ("title", 1, False, False),
        ("title", 0, False, True),
        ("standfirst", 1, True, True),
        ("standfirst", 0, False, False),
        ("caption", 1, False, False),
        ("caption", 0, False, True),
        (None, 1, True, True),
        (None, -1, False, False),
    ]
    role = np.asarray([-1 if name is None else ROLE[name] for name, *_ in rows], dtype=np.int8)
    content, counted = reliable_labels(np.asarray([row[1] for row in rows], dtype=np.int8), role)
    assert content.tolist() == [row[2] for row in rows]
    assert counted.tolist() == [row[3] for row in rows]


def test_what_is_known_of_each_role():
    excluded = np.zeros((3, 16), dtype=bool)
    excluded[1, ROLE["body"]] = True
    sides = role_sides(np.asarray([ROLE["title"], -1, -1], dtype=np.int8), excluded)
    assert sides[0].tolist() == [1 if n == ROLE["title"] else -1 for n in range(16)]
    assert sides[1].tolist() == [-1 if n == ROLE["body"] else 0 for n in range(16)]
    assert not sides[2].any()
    weight = role_weights(np.asarray([ROLE["title"], -1, -1], dtype=np.int8), sides, np.zeros(3, dtype=np.int64))
    assert (weight > 0).tolist() == [True, True, False]


def test_roles_are_learned_and_rare_ones_never_told():
    random = np.random.default_rng(0)
    role = np.asarray([ROLE["title"], ROLE["body"]] * 100 + [ROLE["note"]] * 3, dtype=np.int8)
    matrix = (random.normal(size=(203, 2)) * 0.1 + (role == ROLE["title"])[:, None]).astype(np.float32)
    sides = role_sides(role, np.zeros((203, 16), dtype=bool))
    svms = fit_roles(matrix, role, sides, np.ones(203), seed=0)
    told = svms.probability(matrix).argmax(axis=1)
    assert (told[:200] == role[:200]).all()
    assert ROLE["note"] not in told
