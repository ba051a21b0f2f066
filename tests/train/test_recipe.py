"""Golds that contradict each other about roles."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.features.block_table import column_names
from blocksight.gold.anonymised import Markup
from blocksight.gold.pages import GoldNodes, GoldPage, GoldPiece, GoldRoles
from blocksight.gold.rendered import saved_path
from blocksight.page.role_names import ROLE
from blocksight.page.store import save
from blocksight.train.fit_roles import fit_roles, role_sides, role_weights
from blocksight.train.recipe import (
    BETWEEN,
    NO_MARKUP_WEIGHT,
    REBUILT_WEIGHT,
    SINGLE_FILE_WEIGHT,
    UNSTYLED_WEIGHT,
    Recipe,
    reliable_labels,
)

TEXT = "The day brought rain, and with it news from the upper valley that nobody wanted to hear."


def test_reliable_labels():
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


def test_role_sides_and_weights():
    excluded = np.zeros((3, 16), dtype=bool)
    excluded[1, ROLE["body"]] = True
    sides = role_sides(np.asarray([ROLE["title"], -1, -1], dtype=np.int8), excluded)
    assert sides[0].tolist() == [1 if n == ROLE["title"] else -1 for n in range(16)]
    assert sides[1].tolist() == [-1 if n == ROLE["body"] else 0 for n in range(16)]
    assert not sides[2].any()
    weight = role_weights(np.asarray([ROLE["title"], -1, -1], dtype=np.int8), sides, np.zeros(3, dtype=np.int64))
    assert (weight > 0).tolist() == [True, True, False]


def test_fit_roles_rare_role():
    random = np.random.default_rng(0)
    role = np.asarray([ROLE["title"], ROLE["body"]] * 100 + [ROLE["note"]] * 3, dtype=np.int8)
    matrix = (random.normal(size=(203, 2)) * 0.1 + (role == ROLE["title"])[:, None]).astype(np.float32)
    sides = role_sides(role, np.zeros((203, 16), dtype=bool))
    svms = fit_roles(matrix, role, sides, np.ones(203), seed=0)
    predicted = svms.probability(matrix).argmax(axis=1)
    assert (predicted[:200] == role[:200]).all()
    assert ROLE["note"] not in predicted


def gold_of(folder, name, html, **more):
    (folder / f"{name}.html").write_text(html)
    return GoldPage(corpus="c", id=name, path=folder / f"{name}.html", texts=(TEXT,), split="train", **more)


def kinds(recipe, *pages):
    found = {page.id: [] for page in pages}
    for gold, markup in recipe.tasks(list(pages)):
        found[gold.id].append(markup)
    return found


def test_tasks_copies_with_less_markup(tmp_path):
    styled = gold_of(tmp_path, "styled", f"<style>{'p{color:#333}' * 2000}</style><p>{TEXT}</p>")
    served = gold_of(tmp_path, "served", f"<p>{TEXT}</p>", url_path="/sites/a/served.html")
    plain = [gold_of(tmp_path, f"plain{n}", f"<p>{TEXT}</p>") for n in range(40)]
    visual = kinds(Recipe(groups=("text", "visual"), rendered=tmp_path), styled, served, *plain)
    for name in ("styled", "served"):
        first, bare, between = visual[name]
        assert (first, bare) == (Markup.ORIGINAL, Markup.NONE)
        assert between in BETWEEN
    # Of pages that bring no style the visual model learns from about a third.
    copies = [visual[page.id] for page in plain]
    assert all(some in ([], [Markup.ORIGINAL], [Markup.ORIGINAL, Markup.PLAIN]) for some in copies)
    assert 6 <= sum(map(bool, copies)) <= 20
    # Without rendered pages nothing says what a page without markup is.
    dom = kinds(Recipe(groups=("text",), rendered=None), styled, *plain)
    assert all(Markup.NONE not in some for some in dom.values())
    # About a quarter of the pages has a copy without markup, and half of them one with hashed names.
    assert all(some[0] is Markup.ORIGINAL for some in dom.values())
    assert 4 <= sum(Markup.PLAIN in dom[page.id] for page in plain) <= 16
    assert 12 <= sum(Markup.HASHED in dom[page.id] for page in plain) <= 28
    assert not any(Markup.HASHED in some for some in visual.values())


def test_rows_without_style(tmp_path):
    gold = gold_of(tmp_path, "plain", f"<p>{TEXT}</p><p>Imprint</p>")
    recipe = Recipe(groups=("text", "visual"), rendered=tmp_path / "pages")
    rows = recipe.rows((gold, Markup.ORIGINAL))
    visual = [name in column_names("visual") for name in recipe.columns]
    assert not rows.styled
    assert np.isnan(rows.matrix[:, visual]).all()
    assert np.isfinite(rows.matrix[:, np.logical_not(visual)]).all()
    assert recipe.rows((gold, Markup.NONE)) is None
    by_markup = Recipe(groups=("text",), rendered=None).rows((gold, Markup.ORIGINAL))
    np.testing.assert_allclose(rows.weight, UNSTYLED_WEIGHT * by_markup.weight)


@pytest.mark.parametrize("rendered", [None, "pages"])
def test_tasks_rebuilt_page(tmp_path, rendered):
    gold = gold_of(
        tmp_path, "rebuilt", f"<div>{TEXT}</div>", url_path="/boxes/rebuilt.html", roles=GoldRoles(rebuilt=True)
    )
    recipe = Recipe(groups=("text",), rendered=rendered and tmp_path / rendered)
    assert recipe.tasks([gold]) == ([(gold, Markup.REBUILT)] if rendered else [])
    # Not rendered, nothing explains it.
    assert recipe.rows((gold, Markup.REBUILT)) is None


@pytest.mark.browser
def test_rows_of_a_rebuilt_page(tmp_path, browser):
    html = (
        '<body style="margin:0;color:#333;font:16px serif"><div style="float:left;width:200px"><a href=/a>One</a></div>'
        f'<div style="margin-left:220px"><div style="font-size:30px">Head</div><div>{TEXT}</div></div>'
    )
    gold = gold_of(tmp_path, "rebuilt", html, url_path="/boxes/rebuilt.html", roles=GoldRoles(rebuilt=True))
    path = saved_path(tmp_path / "pages", gold)
    path.parent.mkdir(parents=True)
    save(browser.open(html.encode()), path)
    recipe = Recipe(groups=("text", "visual"), rendered=tmp_path / "pages")
    rows, original = recipe.rows((gold, Markup.REBUILT)), recipe.rows((gold, Markup.ORIGINAL))
    assert rows.styled
    assert rows.labels.tolist() == [False, False, True]
    np.testing.assert_array_equal(rows.matrix, original.matrix)
    np.testing.assert_allclose(rows.weight, REBUILT_WEIGHT * original.weight)
    single_file = recipe.rows((replace(gold, url_path=None), Markup.ORIGINAL))
    np.testing.assert_allclose(single_file.weight, SINGLE_FILE_WEIGHT * original.weight)


@pytest.mark.browser
def test_rows_without_markup(tmp_path, browser):
    html = (
        "<style>body{color:#333;font:16px serif}nav{float:left;width:200px}main{margin-left:220px}</style>"
        f"<nav><ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul></nav><main><h1>Head</h1><p>{TEXT}</p></main>"
    )
    gold = gold_of(tmp_path, "styled", html, url_path="/sites/a/styled.html")
    path = saved_path(tmp_path / "pages", gold)
    path.parent.mkdir(parents=True)
    save(browser.open(html.encode()), path)
    recipe = Recipe(groups=("text", "keyword", "visual"), rendered=tmp_path / "pages")
    page, bare = (recipe.rows((gold, markup)) for markup in (Markup.ORIGINAL, Markup.NONE))
    assert page.styled
    assert bare.styled
    assert bare.labels.tolist() == page.labels.tolist()
    np.testing.assert_allclose(bare.weight, NO_MARKUP_WEIGHT * page.weight)
    visual = [name in column_names("text", "visual") for name in recipe.columns]
    np.testing.assert_allclose(bare.matrix[:, visual], page.matrix[:, visual], atol=1e-3)
    assert not np.array_equal(bare.matrix, page.matrix)


def partial_gold(folder, html, *pieces, **more):
    (folder / "partial.html").write_text(html)
    nodes = GoldNodes(pieces=tuple(GoldPiece(**piece) for piece in pieces))
    return GoldPage(corpus="c", id="partial", path=folder / "partial.html", nodes=nodes, split="train", **more)


def test_rows_partial_gold(tmp_path):
    gold = partial_gold(
        tmp_path,
        f"<p>{TEXT}</p><p>What this paragraph is, no piece says.</p><p>Rye: too hard for me.</p>",
        {"text": TEXT, "role": "content", "kind": "instruction", "leaves": (0, 1)},
        {"text": "Rye: too hard for me.", "role": "comment", "leaves": (2, 3)},
    )
    rows = Recipe(groups=("text",), rendered=None).rows((gold, Markup.ORIGINAL))
    assert rows.labels.tolist() == [True, False, False]
    assert (rows.weight > 0).tolist() == [True, False, True]
    assert rows.role.tolist() == [ROLE["body"], -1, ROLE["comment"]]
    assert not rows.sides[1].any()


def test_rows_role_without_content(tmp_path):
    html = f"<p>{TEXT}</p><p>17 May 2021</p>"
    recipe = Recipe(groups=("text",), rendered=None)
    date = {"text": "17 May 2021", "role": "date", "leaves": (1, 2)}
    rows = recipe.rows((partial_gold(tmp_path, html, date), Markup.ORIGINAL))
    assert rows.role.tolist() == [-1, ROLE["date"]]
    assert not rows.weight.any()
    # Pieces that are nowhere on the page teach nothing.
    assert recipe.rows((partial_gold(tmp_path, html, date | {"text": "1 June 1999"}), Markup.ORIGINAL)) is None
