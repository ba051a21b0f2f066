"""What speaks for a set."""

import blocksight as bs
import numpy as np
from blocksight.document.records.group_features import SET_COLUMNS, measure_groups
from blocksight.document.records.page_features import PAGE_COLUMNS, page_measures

from .conftest import TEXTS


def facts(page, number=0):
    return dict(zip(SET_COLUMNS, measure_groups(page).matrix[number].tolist(), strict=True))


def test_links_in_a_menu():
    found = facts(bs.parse("<nav class=menu><ul><li><a href=/a>Aaaa</a></li><li><a href=/b>Bbbb</a></li></ul></nav>"))
    assert (found["linked"], found["in_nav"], found["around_nav"], found["prose"]) == (1, 1, 1, 0)
    assert found["records"] == np.log1p(2)


def test_posts():
    posts = "".join(f"<div class=post><time>{n} May 2024</time><p>{text}</p></div>" for n, text in enumerate(TEXTS, 1))
    found = facts(bs.parse(f"<h1>T</h1><main>{posts}</main>"))
    assert (found["dates"], found["prices"], found["after_heading"], found["in_main"], found["own_article"]) == (
        1,
        0,
        1,
        1,
        1,
    )
    assert found["linked"] == 0


def test_a_page_has_all_measures(thread, shop):
    for page in (thread, shop, bs.parse("")):
        evidence = measure_groups(page)
        measured = page_measures(evidence, np.full(len(evidence.groups), 0.7))
        assert measured.shape == (len(PAGE_COLUMNS),)
        assert np.isfinite(measured).all()


def test_the_address_says_something(thread):
    evidence = measure_groups(thread)
    measured = dict(zip(PAGE_COLUMNS, page_measures(evidence, np.zeros(len(evidence.groups))).tolist(), strict=True))
    names = ("thread", "product", "root", "depth")
    assert [measured[f"address_{name}"] for name in names] == [1, 0, 0, 2]
