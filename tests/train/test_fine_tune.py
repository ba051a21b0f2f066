"""A model that learns from a few labelled pages: content and roles, moved from what was known before."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.role_model import OneVsRestSvm, decide_roles
from blocksight.gold.leaf_labels import page_rows
from blocksight.page.role_names import ROLE, ROLES
from blocksight.train.examples import NoExamples
from blocksight.train.fine_tune import fine_tune, labelled_rows, row_roles
from blocksight.train.fit_roles import move_roles, role_sides

PAGE = """<title>{0}</title><nav><a href="/">Home</a> <a href="/b">Boats</a></nav><h1>{0}</h1>
<p>High water at the {0} comes forty minutes after high water at the bar, a little later after a wet spring.</p>
<p>Skippers who trust the printed table alone have been known to wait for it with their keels in the mud.</p>
<div class="remark">The figures of the {0} are those of the old gauge, which was read by hand.</div>
<p>Since then nobody has compared them with the new ones, and the harbour office has other things to do.</p>
<footer>Copyright of the harbour office</footer>"""


@pytest.fixture(scope="module")
def model():
    return shipped_model(visual=False)


def pages(*names):
    return [bs.parse(PAGE.format(name), url=f"http://a.test/{name}") for name in names]


def labels(page, role):
    """Say of the remark that it has a role and is no content, of the paragraphs that they are body."""
    content, roles = np.full(len(page.leaves), -1, dtype=np.int8), np.full(len(page.leaves), -1, dtype=np.int8)
    for place, text in enumerate(page.leaf_texts):
        if text.startswith("The figures"):
            content[place], roles[place] = 0, ROLE[role]
        elif text.endswith((".", "spring", "mud", "do")):
            content[place], roles[place] = 1, ROLE["body"]
    return content, roles


def predicted(model, page):
    """Return the role of the remark, and how likely it is content."""
    table = model.measure(page)
    prediction = model.predict(table)
    row = next(row for row, text in enumerate(table.rows.texts) if text.startswith("The figures"))
    role = ROLES[decide_roles(table.rows, prediction.roles, ROLES)[row]]
    return role, float(model.calibration.probability(prediction.scores)[row])


@pytest.mark.parametrize("role", ["promotion", "caption"])
def test_a_role_is_learned_and_predicted_on_another_page(model, role):
    known, unseen = pages("quay", "lock", "ferry"), pages("weir")[0]
    before = predicted(model, unseen)
    assert before[0] != role
    rows = [labelled_rows(model, page, *labels(page, role)) for page in known]
    after = predicted(fine_tune(model, rows), unseen)
    assert after[0] == role
    assert after[1] < before[1]


def test_what_is_learned_is_the_same_as_what_is_seen(model, monkeypatch):
    """The content's last look learns by the roles as the moved model tells them."""
    page = pages("quay")[0]
    rows = labelled_rows(model, page, *labels(page, "promotion"))
    moved = fine_tune(model, [rows])
    again = labelled_rows(moved, page, *labels(page, "promotion"))
    assert not np.allclose(rows.values, again.values)
    monkeypatch.setattr("blocksight.train.fine_tune.STRENGTH", 1e9)
    monkeypatch.setattr("blocksight.train.fine_tune.ROLE_STRENGTH", 1e9)
    near = fine_tune(moved, [again])
    assert np.allclose(near.second.weight, moved.second.weight, atol=1e-6)


def test_without_roles_the_roles_stay(model):
    page = pages("quay")[0]
    content, _ = labels(page, "promotion")
    moved = fine_tune(model, [labelled_rows(model, page, content)])
    assert moved.roles is model.roles
    assert not np.array_equal(moved.second.weight, model.second.weight)


def test_what_is_no_content_has_no_role_of_content(model):
    page = pages("quay")[0]
    content, roles = labels(page, "promotion")
    rows = labelled_rows(model, page, content, np.full_like(roles, -1))
    sides = rows.sides
    assert (sides[~rows.content][:, ROLE["body"]] == -1).all()
    assert (sides[rows.content][:, ROLE["navigation"]] == -1).all()
    assert not sides[rows.content][:, ROLE["body"]].any()


def test_nothing_labelled(model):
    page = pages("quay")[0]
    rows = labelled_rows(model, page, np.full(len(page.leaves), -1, dtype=np.int8))
    with pytest.raises(NoExamples, match="label some pages"):
        fine_tune(model, [rows])


def test_moving_costs():
    """One row, whose value is 1: of each plane the weight and the bias move alike."""
    zero, one = np.zeros(len(ROLES)), np.ones(len(ROLES))
    svms = OneVsRestSvm(
        mean=np.zeros(1), deviation=np.ones(1), weight=np.zeros((len(ROLES), 1)), bias=zero, slope=one, offset=zero
    )
    sides = role_sides(np.array([ROLE["date"]], dtype=np.int8), np.zeros((1, len(ROLES)), dtype=bool))
    moved = move_roles(svms, np.ones((1, 1)), sides, np.ones(1), 1.0)
    # (1 - w - b)² + (w² + b²)/2: 2(1 - 2w) = w, so w = .4 for the role that was said, -.4 for all others.
    assert moved.weight[ROLE["date"], 0] == pytest.approx(0.4, abs=1e-4)
    assert moved.bias[ROLE["title"]] == pytest.approx(-0.4, abs=1e-4)
    nothing = move_roles(svms, np.ones((1, 1)), np.zeros((1, len(ROLES)), dtype=np.int8), np.ones(1), 1.0)
    assert not nothing.weight.any()


def test_a_row_has_the_role_of_most_of_its_text():
    page = bs.parse("<p>By <b>Ada Leaf the second</b></p><p>nothing</p>")
    leaf_roles = np.asarray([ROLE["body"], ROLE["author"], -1], dtype=np.int8)
    assert row_roles(page_rows(page), leaf_roles).tolist() == [ROLE["author"], -1]
