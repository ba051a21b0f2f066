"""Each format is opened by a program that is not ours, and says there what it should."""

import json

import blocksight as bs
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from blocksight.features.alignment import RowLabels
from blocksight.features.block_table import measure
from blocksight.features.dataset_files import FORMATS, Dataset, block_rows, data_dictionary

GROUPS = ("text", "link", "neighbour", "visual")
HTML = '<title>T</title><p><a href=/>Home</a></p><p>It\'s 100 % "salt", they said; one, two.</p><p>©</p>'


def rows(page, split, labels=(0, 1, -1)):
    table = measure(bs.parse(HTML), groups=GROUPS)
    known = RowLabels(label=np.asarray(labels, dtype=np.int8), share=np.asarray([0.25, 1.0, np.nan]))
    return block_rows(table, known, page=page, site="o'hara.org", split=split)


@pytest.fixture
def dataset():
    parts = [rows("made/a", "train"), rows("made/b", "dev")]
    return Dataset(
        name="made",
        parts=lambda: iter(parts),
        schema=parts[0].schema,
        dictionary=data_dictionary(GROUPS),
    )


def written(dataset, tmp_path, form):
    FORMATS[form](dataset, tmp_path / f"blocks.{form}")
    return tmp_path / f"blocks.{form}"


def test_rows_by_hand(dataset):
    frame = rows("made/a", "train").to_pandas()
    assert frame["text"].tolist() == ["Home", 'It\'s 100 % "salt", they said; one, two.', "©"]
    assert frame["label"].isna().tolist() == [False, False, True]
    assert frame["link_density"].tolist() == [1, 0, 0]
    assert frame["x"].isna().all()
    assert frame["selector"].tolist() == ["p:nth-of-type(1)", "p:nth-of-type(2)", "p:nth-of-type(3)"]
    assert frame["xpath"].tolist() == ["/html/body/p[1]", "/html/body/p[2]", "/html/body/p[3]"]
    assert tuple(frame.columns) == tuple(dataset.dictionary["name"])


def test_labels_must_be_one_a_row():
    with pytest.raises(ValueError, match="2 labels for 3 rows"):
        rows("a", "dev", labels=(0, 1))


def test_parquet_by_pandas(dataset, tmp_path):
    path = written(dataset, tmp_path, "parquet")
    frame = pd.read_parquet(path)
    assert frame["page"].tolist() == ["made/a"] * 3 + ["made/b"] * 3
    assert frame["label"].isna().sum() == 2
    about = json.loads(pq.read_schema(path).metadata[b"blocksight"])
    assert [row["name"] for row in about["dictionary"]] == list(frame.columns)


def test_csv_by_pandas(dataset, tmp_path):
    frame = pd.read_csv(written(dataset, tmp_path, "csv"))
    assert frame["text"][1] == 'It\'s 100 % "salt", they said; one, two.'
    assert frame["comma_density"][1] == pytest.approx(2 / 8)
    assert frame["label"].tolist()[:2] == [0, 1]


def test_json_lines_by_json(dataset, tmp_path):
    lines = written(dataset, tmp_path, "jsonl").read_text().splitlines()
    assert len(lines) == 6
    row = json.loads(lines[1])
    assert (row["label"], row["text"][:4], row["x"]) == (1, "It's", None)


def test_labels_are_apart_from_the_features(dataset):
    groups = dict(zip(dataset.dictionary["name"], dataset.dictionary["group"], strict=True))
    assert groups["label"] == groups["label_share"] == "label"
    assert "label_share" not in dataset.features
