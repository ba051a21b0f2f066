"""The labelled rows of a data set."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from blocksight import ModelMismatch
from blocksight.features.block_table import column_names
from blocksight.train.examples import NoExamples, read_examples, row_weights


def test_reading_a_data_set(examples, small_dataset):
    assert examples.groups == ("text", "link", "structure", "neighbour")
    assert len(np.unique(examples.site)) == 7
    assert len(np.unique(examples.page)) == 24
    assert examples.label.sum() == 48
    assert examples.about["input"] == "raw HTML"
    some = read_examples(small_dataset / "blocks.parquet", groups=("link",))
    assert some.columns == column_names("link")


def test_what_is_no_data_set(small_dataset, tmp_path):
    with pytest.raises(NoExamples, match="needs rows of the split dev"):
        read_examples(small_dataset, split="dev")
    with pytest.raises(ValueError, match="no features of the group visual; choose from text"):
        read_examples(small_dataset, groups=("visual",))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(ModelMismatch, match="not a data set of blocksight"):
        read_examples(tmp_path / "a.parquet")
    for about in ("null", "[" * 50_000):
        pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({"blocksight": about}), tmp_path / "b.parquet")
        with pytest.raises(ModelMismatch, match="not a data set of blocksight"):
            read_examples(tmp_path / "b.parquet")
    with pytest.raises(
        ModelMismatch, match=r"blocks\.parquet: no such file; build data sets with `blocksight dataset`"
    ):
        read_examples(tmp_path)
    whole = (small_dataset / "blocks.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[:4] + bytes(2_000) + whole[2_004:])
    with pytest.raises(ModelMismatch, match="damaged"):
        read_examples(tmp_path / "b.parquet")


def test_a_data_set_of_other_features_is_refused(small_dataset, monkeypatch):
    monkeypatch.setattr("blocksight.features.block_table.FEATURES_VERSION", 0)
    with pytest.raises(ModelMismatch, match="build the data set again"):
        read_examples(small_dataset)


def test_weights_by_hand(rows):
    # A page with 100 words of content, one with 10 (which counts as one of 50).
    some = rows([1, 0, 1, 0], [100, 10, 10, 5], [0, 0, 1, 1], [0, 0, 1, 1])
    raw = np.array([0.4, 0.1, 0.2, 0.1])  # 100/100, cut to 0.4; 10/100; 10/50; 5/50
    assert some.weights() == pytest.approx(raw / raw.mean())
    # Without numbers of pages, all rows are of one.
    assert row_weights(some.words, some.label).tolist() == pytest.approx([0.4, 0.1 / 1.1, 0.1 / 1.1, 0.05 / 1.1])
