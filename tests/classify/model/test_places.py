"""Where a block stands on its site, and what is added to its decision for that."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import load_model, shipped_model
from blocksight.classify.model.places import Places, place_keys, row_places
from blocksight.features.role_names import ROLE, ROLES
from blocksight.gold.convention import page_rows
from blocksight.render.errors import ModelMismatch

PAGE = '<main class="b a"><div id="post-17"><p>One</p></div><div class="replies"><p>Two</p></div></main>'


def parsed(html=PAGE, url="http://a.test/1"):
    return bs.parse(html, url=url)


def key_of(page, text):
    """Return the keys of the places of the row of a text, its own first."""
    rows = page_rows(page)
    row, key = row_places(rows)
    return key[row == rows.texts.index(text)].tolist()


def test_a_block_stands_in_all_that_is_around_it():
    page = parsed()
    one, two = key_of(page, "One"), key_of(page, "Two")
    assert len(one) == len(two) == 5  # p, div, main, body, html
    assert one[2:] == two[2:]
    assert not set(one[:2]) & set(two[:2])


@pytest.mark.parametrize(
    "html",
    [
        PAGE.replace("post-17", "post-4"),
        PAGE.replace('class="b a"', 'class="a  b"'),
        PAGE.replace("<main", "<nav>Home</nav><main"),
    ],
)
def test_the_same_place_on_another_page(html):
    assert key_of(parsed(html), "One") == key_of(parsed(), "One")


@pytest.mark.parametrize(
    ("html", "url"),
    [
        (PAGE, "http://b.test/1"),
        (PAGE.replace("post-", "note-"), "http://a.test/1"),
        (PAGE.replace("div id", "section id").replace("</div><div class", "</section><div class"), "http://a.test/1"),
    ],
)
def test_another_place(html, url):
    assert key_of(parsed(html, url), "One")[0] != key_of(parsed(), "One")[0]


def test_shifts_add_up():
    page = parsed()
    rows = page_rows(page)
    own, around = key_of(page, "Two")[:2]
    order = np.argsort([own, around])
    roles = np.zeros((2, len(ROLES)))
    roles[:, ROLE["comment"]] = 1.0
    places = Places(key=np.array([own, around])[order], content=np.array([-1.0, -0.5])[order], roles=roles)
    content, told = places.shifts(rows)
    assert dict(zip(rows.texts, content.tolist(), strict=True)) == {"One": 0.0, "Two": -1.5}
    assert told[:, ROLE["comment"]].tolist() == [0.0, 2.0]


def test_no_place_is_known():
    places = Places(key=np.zeros(0, dtype=np.int64), content=np.zeros(0), roles=np.zeros((0, len(ROLES))))
    content, _ = places.shifts(page_rows(parsed()))
    assert not content.any()


def test_a_model_keeps_its_places(tmp_path):
    from dataclasses import replace

    page = parsed()
    key = np.unique(row_places(page_rows(page))[1])
    places = Places(key=key, content=np.full(len(key), 2.0), roles=np.zeros((len(key), len(ROLES))))
    model = replace(shipped_model(visual=False), places=places)
    model.save(tmp_path / "m.npz")
    again = load_model(tmp_path / "m.npz")
    table = model.measure(page)
    assert np.allclose(again.scores(table), shipped_model(visual=False).scores(table) + 10.0, atol=1e-4)
    replace(model, places=replace(places, key=key[::-1].copy())).save(tmp_path / "damaged.npz")
    with pytest.raises(ModelMismatch, match="places are damaged"):
        load_model(tmp_path / "damaged.npz")


def test_keys_are_the_same_every_time():
    assert place_keys(parsed())[0] == place_keys(bs.parse("<html></html>", url="http://a.test/"))[0]
