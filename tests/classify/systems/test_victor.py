"""Victor by hand: features, and labels from marks."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.classify.systems.victor import (
    COLUMNS,
    LEFT_OUT,
    USED,
    Field,
    Label,
    Victor,
    bucket,
    features,
    gold_labels,
    measured,
    train_field,
)
from blocksight.errors import ModelMismatch
from blocksight.features.block_table import column_names
from blocksight.features.columns import Column, flag, share
from blocksight.segment.blocks import leaf_blocks

PAGE = "<body><div>a <b>b</b></div><p>Hello<b>world</b>!<br><br>More.</p><ul><li>one</li><li>one</li></ul></body>"


def texts(page):
    return list(page.leaf_texts)


def seen(html):
    """The columns that Victor sees, by text and by the paper's names."""
    page = bs.parse(html)
    columns = measured(page).columns
    return {
        text: {name.removeprefix("victor_"): column[row] for name, column in columns.items()}
        for row, text in enumerate(texts(page))
    }


def test_it_sees_the_columns_of_the_catalogue():
    page = bs.parse(PAGE)
    table = bs.block_features(page, leaf_blocks(page))
    assert tuple(measured(page).columns) == column_names("victor")
    assert table["text"].tolist() == [text.strip() for text in texts(page)]
    for name, column in measured(page).columns.items():
        assert column.tolist() == table[name].tolist(), name
    for row, strings in enumerate(features(page, COLUMNS)):
        written = {string.removeprefix("0:").split("=")[0] for string in strings if string[0] not in "-123"}
        assert {f"victor_{name}" for name in written} == {
            name for name, column in measured(page).columns.items() if column[row] != 0
        }


def test_blocks_are_split_at_every_tag():
    page = bs.parse("<p>Hello<b>world</b>!</p>")
    assert texts(page) == ["Hello", "world", "!"]
    assert len(measured(page)) == 3


def test_tags_between_blocks():
    found = seen(PAGE)
    assert found["world"]["container_p"] == found["world"]["container_class_bold"] == 1
    assert found["Hello"]["container_class_bold"] == 0
    # </b></div><p> stand between "b" and "Hello": one inline tag, two of blocks, one of them of a paragraph.
    hello = found["Hello"]
    assert (hello["split_class_inline"], hello["split_class_block"], hello["split_p"]) == (1, 2, 1)
    assert found["!"]["split_class_inline"] == 1
    assert found["More."]["split_br"] == 2
    assert found["one"]["container_class_list"] == 1


def test_groups_by_the_nearest_div():
    # The example of the lecture slides: (a, d, g), (b, c) and (e, f) belong together; the words are 1 to 7 of 28.
    amounts = {letter: " ".join([letter] * n) for n, letter in enumerate("abcdefg", 1)}
    html = "<div> {a} <div> {b} <i>{c}</i> </div> {d} <div> {e} <i>{f}</i> </div> {g} </div>".format(**amounts)
    ratios = measured(bs.parse(html)).columns["victor_div_group_word_ratio"]
    assert ratios.tolist() == pytest.approx([12 / 28, 5 / 28, 5 / 28, 12 / 28, 11 / 28, 11 / 28, 12 / 28])


@pytest.mark.parametrize(
    ("column", "values", "buckets"),
    [
        (share("s", "share"), [0, 0.01, 0.1, 3 / 10, 0.31, 1], [0, 1, 1, 3, 4, 10]),
        (Column(name="c", meaning="count", unit="count"), [0, 1, 2, 3, 4, 7.5, 8, 1000], [0, 1, 2, 2, 3, 3, 4, 10]),
        (flag("f", "flag"), [0, 1], [0, 1]),
        (Column(name="n", meaning="number", unit="number of an expression", high=6), [0, 3, 6], [0, 3, 6]),
    ],
)
def test_buckets(column, values, buckets):
    assert bucket(np.asarray(values, dtype=float), column) == buckets


def test_neighbours_and_the_document():
    rows = features(bs.parse("<p>1</p><p>b</p><p>c</p><p>d</p><p>e</p>"), COLUMNS)
    assert "0:token_num_abs=1" in rows[0]
    assert "-3:token_num_abs=1" in rows[3]
    assert not any(name.startswith("-") for name in rows[0])
    assert not any("token_num_abs=1" in name for name in rows[4])
    assert all("document_block_count=3" in row for row in rows)


def test_columns_left_out():
    assert {column.name for column in COLUMNS} - {column.name for column in USED} == LEFT_OUT


def test_a_model_judges_by_the_columns_that_it_names(made):
    model = Victor().learn(made(5)).model
    other = Learned(system="victor", arrays=model.arrays, settings=model.settings | {"columns": ["no_such_column"]})
    with pytest.raises(ModelMismatch, match="was trained on other columns; train one: blocksight train system victor"):
        Victor(model=other).mark(bs.parse("<p>a"))
    # Without any column the field still labels each block.
    less = Learned(system="victor", arrays=model.arrays, settings=model.settings | {"columns": []})
    assert len(Victor(model=less).labels(bs.parse("<p>a<p>b"))) == 2


def test_labels_from_marks():
    page = bs.parse("<h1>T</h1><p>a <b>b</b> c</p><ul><li>d</ul><p>menu</p><p>e</p>")
    marks = np.asarray([True, True, True, True, True, False, True])
    assert gold_labels(page, marks) == ["h", "p", "continuation", "continuation", "l", "other", "p"]


def test_the_likeliest_labels():
    field = Field(
        names={"long": 0, "link": 1},
        state=np.asarray([[2.0, 0.0], [0.0, 3.0]]),
        moves=np.asarray([[1.0, -1.5], [0.0, 0.5]]),
    )
    # Alone "link" says 1. Between two of "long": 0, 0, 0 has 2 + 1 + 0 + 1 + 2 = 6; 0, 1, 0 has 2 - 1.5 + 3 + 2 = 5.5.
    assert field.tag([["link"]]) == [1]
    assert field.tag([["long"], ["link"], ["long"]]) == [0, 0, 0]
    # Two of "link" tell: 2 - 1.5 + 3 + .5 + 3 + 0 + 2 = 9 against 2 + 1 + 1 + 1 + 2 = 7.
    assert field.tag([["long"], ["link"], ["link", "never seen"], ["long"]]) == [0, 1, 1, 0]
    assert field.tag([]) == []


def test_a_field_says_what_crfsuite_says(made):
    pages = [labelled.page for labelled in made(5)]
    rows = [features(page, USED) for page in pages]
    gold = [[str(label) for label in gold_labels(one.page, one.marks)] for one in made(5)]
    field = train_field(zip(rows, gold, strict=True), [str(label) for label in Label], l1=0.1, l2=0.1, steps=50)
    assert [[list(Label)[number] for number in field.tag(one)] for one in rows] == gold


@pytest.mark.parametrize("broken", ["names", "state", "moves"])
def test_a_damaged_field_is_refused(made, broken):
    model = Victor().learn(made(5)).model
    for arrays in ({name: array for name, array in model.arrays.items() if name != broken},
                   model.arrays | {broken: model.arrays[broken][: len(model.arrays[broken]) // 2]}):  # fmt: skip
        damaged = Learned(system="victor", arrays=arrays, settings=model.settings)
        with pytest.raises(ModelMismatch, match=f"{broken}|names does not fit"):
            Victor(model=damaged).mark(bs.parse("<p>a"))


def test_hidden_text_is_no_block():
    page = bs.parse("<p>seen text of some length</p><p hidden>not</p><p>seen</p>")
    assert len(features(page, COLUMNS)) == 2
