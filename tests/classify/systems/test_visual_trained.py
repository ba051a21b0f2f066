"""FIASCO and KrdWrd on pages laid out by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.fiasco import NAMES, Fiasco, Krdwrd, _example, geometry_of, logarithms, measured
from blocksight.classify.systems.learning.trainable import LabelledPage, load_learned
from blocksight.errors import GeometryMissing, ModelMismatch
from blocksight.features.block_table import column_names
from blocksight.page.geometry import Geometry, Position
from blocksight.segment.blocks import leaf_blocks
from blocksight.segment.targets import target_nodes


def laid_out(page, boxes):
    """Give a parsed page one line box a leaf."""
    count = len(page)
    lines = page.leaves.astype(np.int32)
    column = np.zeros(count, dtype=np.int32)
    geometry = Geometry(
        viewport=(1000.0, 800.0), size=(1000.0, 3000.0), box=np.full((count, 4), np.nan, dtype=np.float32),
        paint_order=column, display=column - 1, position=np.full(count, Position.STATIC, dtype=np.uint8),
        opacity=np.ones(count, dtype=np.float32), invisible=column > 0, clips=np.zeros((count, 2), dtype=bool),
        font_size=np.full(count, 16, dtype=np.float32), font_weight=np.full(count, 400, dtype=np.int16),
        color=np.full(count, 255, dtype=np.uint32), background=np.zeros(count, dtype=np.uint32), line_node=lines,
        line_box=np.asarray(boxes, dtype=np.float32), line_start=np.zeros(len(lines), dtype=np.int32),
        line_length=np.ones(len(lines), dtype=np.int32), hidden=np.zeros(len(lines), dtype=np.uint8),
    )  # fmt: skip
    return replace(page, geometry=geometry)


def look(page, random):
    """Paragraphs wide in the middle, all else narrow at the left, with some play."""
    boxes, top = [], 0.0
    for row in page.leaves:
        wide = page.tag_of(page.parent[row]) == "p"
        height = random.uniform(60, 120) if wide else random.uniform(14, 20)
        boxes.append(
            [300 + random.uniform(-9, 9) if wide else 10, top, random.uniform(500, 600) if wide else 120, height]
        )
        top += height + 10
    return boxes


@pytest.fixture(scope="module")
def rendered(made):
    def make(count, seed=0, **wrong):
        random = np.random.default_rng(seed)
        return [
            LabelledPage(page=laid_out(one.page, look(one.page, random)), gold=one.gold, site=one.site)
            for one in made(count, seed, **wrong)
        ]

    return make


@pytest.mark.parametrize("system", [Krdwrd(), Fiasco()], ids=["krdwrd", "fiasco"])
def test_it_learns_and_does_not_from_labels_that_say_nothing(system, rendered, accuracy, tmp_path):
    unseen = rendered(6, seed=1)
    fitted = system.learn(rendered(24))
    assert accuracy(fitted, unseen) > 0.9
    control = np.mean([accuracy(system.learn(rendered(24, wrong=odd)), unseen) for odd in (0, 1)])
    assert control < 0.75
    fitted.model.save(tmp_path / "m.npz")
    again = type(system)(model=load_learned(tmp_path / "m.npz"))
    assert all(np.array_equal(fitted.mark(one.page), again.mark(one.page)) for one in unseen)


@pytest.mark.parametrize("system", [Krdwrd(), Fiasco()], ids=["krdwrd", "fiasco"])
def test_pages_without_geometry_are_refused(system, made):
    (labelled,) = made(1)
    with pytest.raises(GeometryMissing, match=f"{system.card.name} needs geometry"):
        system.mark(labelled.page)


def test_krdwrd_features():
    page = laid_out(bs.parse("<p>a</p><p>b</p>"), [[10, 20, 30, 5], [0, 0, 0, 0]])
    matrix, seen = geometry_of(page)
    # One box: left, top, width, height, area, line heights over height, line areas over area.
    assert matrix[0].tolist() == [1, 10, 20, 30, 5, 150, 1, 1]
    assert seen.tolist() == [True, False]
    assert (
        matrix[0].tolist() == bs.block_features(page, leaf_blocks(page))[list(column_names("krdwrd"))].iloc[0].tolist()
    )


def test_fiasco_sees_the_columns_of_the_catalogue():
    html = "<body><h2>Harbour News 7</h2><p>Boats sail. Boats <a>return</a> late! <img></p></body>"
    page = laid_out(bs.parse(html), [[0, 0, 50, 20], [0, 30, 100, 10], [100, 30, 40, 10], [140, 30, 60, 10]])
    seen = measured(page, 0.1)
    table = bs.block_features(page, target_nodes(page))
    assert tuple(seen.columns) == column_names("fiasco")
    for name, column in seen.columns.items():
        assert column.tolist() == table[name].tolist(), name
    heading, paragraph = ({name: column[row] for name, column in seen.columns.items()} for row in (0, 1))
    assert (heading["fiasco_words"], heading["fiasco_is_heading"], heading["fiasco_is_paragraph"]) == (3, 1, 0)
    assert (heading["fiasco_width"], heading["fiasco_height"]) == (0.25, 1.0)
    # Boats sail boats return late: five words of four kinds in two sentences.
    assert (paragraph["fiasco_types"], paragraph["fiasco_sentence_length"]) == (4, 2.5)
    assert (paragraph["fiasco_links"], paragraph["fiasco_images"], paragraph["fiasco_depth"]) == (1, 1, 2)
    assert (paragraph["fiasco_solidity1"], paragraph["fiasco_width"]) == pytest.approx((1.0, 1.0))


def test_fiasco_takes_logarithms_of_what_has_no_bound():
    page = laid_out(bs.parse("<p>One two.</p>"), [[0, 0, 50, 20]])
    (row,) = logarithms(measured(page, 0.1))
    found = dict(zip(NAMES, row, strict=True))
    assert found["fiasco_words"] == pytest.approx(np.log(3))
    assert found["fiasco_solidity2"] == pytest.approx(np.log(5))
    assert (found["fiasco_is_paragraph"], found["fiasco_width"]) == (1, 1)


def test_fiasco_joins_the_lines_of_a_wrapped_paragraph():
    # A paragraph of 35 words, in the gold five lines of seven: each by itself is 2 * 7 / 42 of it.
    spoken = [f"w{number}" for number in range(35)]
    gold = "\n".join(" ".join(spoken[first : first + 7]) for first in range(0, 35, 7))
    page = laid_out(bs.parse(f"<div>w1 home</div><p>{' '.join(spoken)}</p>"), [[0, 0, 90, 20], [0, 30, 500, 90]])
    example = _example(LabelledPage(page=page, gold=gold), 0.1)
    assert example.labels.tolist() == [False, True]
    assert example.words.tolist() == [2, 35]


def test_a_model_of_other_columns_is_refused(rendered):
    model = Fiasco().learn(rendered(6)).model
    other = replace(model, settings=model.settings | {"columns": list(NAMES[1:])})
    with pytest.raises(ModelMismatch, match="the model of fiasco was trained on other columns"):
        Fiasco(model=other).mark(rendered(1)[0].page)
