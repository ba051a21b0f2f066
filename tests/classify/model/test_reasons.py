"""Reasons why a block is not content: sums over columns that mean the same, where the block's values agree."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.model.model import Model
from blocksight.classify.model.reasons import reasons_against
from blocksight.classify.model.svm import LinearSvm

PAGE = bs.parse("<p>one two three four</p><p><a href=/>five six</a></p><nav>seven eight nine</nav>")


def reasons(**weights):
    """Reasons of the blocks of PAGE by a model with these weights, means of .5 (shares) or 1.2 (logarithms)."""
    columns = tuple(weights)
    mean = np.array([1.2 if name.endswith("_log") else 0.5 for name in columns])
    svm = LinearSvm(
        columns=columns, mean=mean, deviation=np.ones(len(columns)), weight=np.array([*weights.values()]), bias=0.0
    )
    model = Model(first=svm, calibration=Calibration(slope=1.0, offset=0.0))
    table = model.measure(PAGE)
    found = reasons_against(model, model.predict(table), table.rows)
    return [found.of(leaf) for leaf in range(len(PAGE.leaves))]


def test_reasons_against_sums():
    # Each of the two columns of links weighs less than that of the element.
    assert reasons(link_density=-1.0, links_a_word=-1.0, in_nav=-1.5) == ["", "mostly links", "in a menu"]
    # links_a_word is .5 for the link, its mean: it adds nothing.
    assert reasons(links_a_word=-1.0)[1] == ""


def test_reasons_against_side_of_mean():
    # The first block has few links, which speaks against it with this weight, but it is not "mostly links".
    assert reasons(link_density=1.0) == ["", "", ""]
    assert reasons(link_density=-1.0) == ["", "mostly links", ""]
    # ln(1 + 2) and ln(1 + 3): the second block alone is shorter than the mean.
    assert reasons(words_log=1.0) == ["", "short, or no sentence", ""]


def test_reasons_against_general():
    # First blocks are 1, .5 above the mean, as is in_nav of the third.
    assert reasons(first_blocks=-1.9, in_nav=-0.5) == 2 * ["at the start of the page"] + ["in a menu"]
    assert reasons(first_blocks=-2.1, in_nav=-0.5) == 3 * ["at the start of the page"]


@pytest.mark.parametrize("html", ["<p>" + "Some words of a text. " * 20, ""])
def test_reasons_of_shipped_models(html):
    page = bs.parse(f"<nav><a href=/>Home</a> <a href=/b>News</a></nav>{html}<footer>© 2026 The Post</footer>")
    reasons = {region.reason for region in bs.extract(page).dropped}
    assert reasons
    assert reasons <= {"in a menu", "in a footer", "mostly links", "metadata, not text", "short, or no sentence"}
