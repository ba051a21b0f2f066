"""Each format is opened by a program that is not ours, and says there what it should."""

import io
import json

import blocksight as bs
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from blocksight.features.alignment import RowLabels
from blocksight.features.block_table import measure
from blocksight.features.export.coco import PagePicture, write_coco
from blocksight.features.export.dataset_files import Dataset, PageKey, block_rows, data_dictionary
from blocksight.features.export.table_formats import FORMATS
from blocksight.lexicon.words import text_hash
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.mask import area
from scipy.io import arff
from sklearn.datasets import load_svmlight_file

GROUPS = ("text", "link", "neighbour", "visual")
HTML = '<title>T</title><p><a href=/>Home</a></p><p>It\'s 100 % "salt", they said; one, two.</p><p>©</p>'


def rows(page, split, labels=(0, 1, -1), text="text"):
    table = measure(bs.parse(HTML), groups=GROUPS)
    known = RowLabels(label=np.asarray(labels, dtype=np.int8), share=np.asarray([0.25, 1.0, np.nan]))
    return block_rows(table, PageKey(page=page, site="o'hara.org", split=split), known, text=text)


@pytest.fixture
def dataset():
    parts = [rows("made/a", "train"), rows("made/b", "dev")]
    return Dataset(
        name="made",
        parts=lambda: iter(parts),
        schema=parts[0].schema,
        dictionary=data_dictionary(GROUPS, "text"),
    )


def written(dataset, tmp_path, form):
    file, write = FORMATS[form]
    write(dataset, tmp_path / file)
    return tmp_path / file


def test_rows_by_hand(dataset):
    frame = rows("made/a", "train").to_pandas()
    assert frame["text"].tolist() == ["Home", 'It\'s 100 % "salt", they said; one, two.', "©"]
    assert frame["label"].isna().tolist() == [False, False, True]
    assert frame["link_density"].tolist() == [1, 0, 0]
    assert frame["x"].isna().all()
    assert frame["selector"].tolist() == ["p:nth-of-type(1)", "p:nth-of-type(2)", "p:nth-of-type(3)"]
    assert frame["xpath"].tolist() == ["/html/body/p[1]", "/html/body/p[2]", "/html/body/p[3]"]
    assert tuple(frame.columns) == tuple(dataset.dictionary["name"])


def test_text_or_its_digest_or_none():
    hashed = rows("a", "dev", text="hash")
    assert hashed["text_hash"].to_pylist()[0] == text_hash("Home") != text_hash("home")
    assert "text" not in hashed.column_names
    assert not {"text", "text_hash"} & set(rows("a", "dev", text="none").column_names)
    with pytest.raises(ValueError, match="text, hash or none"):
        rows("a", "dev", text="all")


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


def test_arff_by_scipy(dataset, tmp_path):
    data, meta = arff.loadarff(written(dataset, tmp_path, "arff"))
    assert [value.decode() for value in data["class"]] == ["boilerplate", "content", "?"] * 2
    assert data["comma_density"][1] == pytest.approx(2 / 8)
    assert np.isnan(data["x"]).all()
    assert meta["class"] == ("nominal", ("boilerplate", "content"))
    assert len(data) == 6
    # Names of pages and sites are no features; they are next to the file.
    assert not {"page", "site", "split", "label_share"} & set(meta.names())
    groups = (tmp_path / "blocks.arff.groups.tsv").read_text().splitlines()
    assert groups == ["made/a\to'hara.org\ttrain"] * 3 + ["made/b\to'hara.org\tdev"] * 3


def test_labels_are_whole_numbers_where_every_row_has_one(tmp_path):
    def field(*labels):
        part = rows("made/a", "train", labels=labels)
        one = Dataset(
            name="made", parts=lambda: iter([part]), schema=part.schema, dictionary=data_dictionary(GROUPS, "text")
        )
        path = written(one, tmp_path, "parquet")
        return pq.read_schema(path).field("label").nullable, str(pd.read_parquet(path)["label"].dtype)

    assert field(0, 1, 1) == (False, "int8")
    assert field(0, 1, -1)[0]


def test_labels_are_apart_from_the_features(dataset):
    groups = dict(zip(dataset.dictionary["name"], dataset.dictionary["group"], strict=True))
    assert groups["label"] == groups["label_share"] == "label"
    assert "label_share" not in dataset.features


def test_libsvm_by_scikit_learn(dataset, tmp_path):
    path = written(dataset, tmp_path, "libsvm")
    matrix, labels = load_svmlight_file(str(path), n_features=len(dataset.features))
    assert labels.tolist() == [-1, 1, -1, 1]
    names = [line.split("\t")[1] for line in path.with_suffix(".columns.tsv").read_text().splitlines()]
    assert tuple(names) == dataset.features
    assert matrix[1, names.index("comma_density")] == pytest.approx(2 / 8)
    groups = "made/a\to'hara.org\ttrain\n" * 2 + "made/b\to'hara.org\tdev\n" * 2
    assert path.with_suffix(".groups.tsv").read_text() == groups


def test_hugging_face_folder_as_documented(dataset, tmp_path):
    # The layout of https://huggingface.co/docs/hub/datasets-manual-configuration.
    folder = written(dataset, tmp_path, "huggingface")
    head = (folder / "README.md").read_text().split("---\n")[1]
    card = yaml.safe_load(head)
    files = card["configs"][0]["data_files"]
    assert [entry["split"] for entry in files] == ["train", "validation"]
    for entry in files:
        (found,) = folder.glob(entry["path"])
        assert pq.read_table(found).num_rows == 3
    assert card["size_categories"] == ["n<1K"]
    assert "| `link_density` | link |" in (folder / "README.md").read_text()


def test_coco_by_pycocotools(dataset, tmp_path):
    boxes = {"x_px": [10.0, -5.0, None], "y_px": [20.0, 90.0, None]}
    sizes = {"width_px": [30.0, 50.0, None], "height_px": [10.0, 40.0, None]}
    part = rows("made/a", "train")
    for name, values in (boxes | sizes).items():
        part = part.set_column(part.schema.get_field_index(name), name, pa.array(values, type=pa.float32()))
    out = io.BytesIO()
    Image.new("RGB", (100, 100)).save(out, "PNG")
    one = Dataset(
        name="made", parts=lambda: iter([part]), schema=part.schema, dictionary=data_dictionary(GROUPS, "text")
    )
    pictures = [PagePicture(page="made/a", png=out.getvalue()), PagePicture(page="made/none", png=b"")]
    left_out = write_coco(one, pictures, tmp_path)
    assert left_out == {"not shown": 1}
    reasons = [json.loads(line) for line in (tmp_path / "left_out.jsonl").read_text().splitlines()]
    assert reasons == [{"page": "made/a", "block": 2, "reason": "not shown"}]
    coco = COCO(str(tmp_path / "annotations.json"))
    assert [image["file_name"] for image in coco.loadImgs(coco.getImgIds())] == ["made_a.png"]
    found = coco.loadAnns(coco.getAnnIds())
    # The second box is cut off at the picture's left and lower edge.
    assert [annotation["bbox"] for annotation in found] == [[10, 20, 30, 10], [0, 90, 45, 10]]
    assert [coco.cats[annotation["category_id"]]["name"] for annotation in found] == ["boilerplate", "content"]
    assert area(coco.annToRLE(found[1])) == 450
    assert [annotation["block"] for annotation in found] == [0, 1]
    assert [(annotation["tag"], annotation["xpath"]) for annotation in found] == [
        ("p", "/html/body/p[1]"),
        ("p", "/html/body/p[2]"),
    ]
    assert found[1]["selector"] == "p:nth-of-type(2)"
    assert (tmp_path / "images" / "made_a.png").is_file()
    assert [category["name"] for category in coco.loadCats(coco.getCatIds())] == ["content", "boilerplate"]
    assert coco.dataset["info"]["left_out"] == left_out


def test_coco_names_every_block_that_is_left_out(tmp_path):
    part = rows("made/a", "train")  # its last row has no label
    for name, values in {
        "x_px": [500.0, 1.0, 1.0],
        "y_px": [1.0] * 3,
        "width_px": [9.0] * 3,
        "height_px": [9.0] * 3,
    }.items():
        part = part.set_column(part.schema.get_field_index(name), name, pa.array(values, type=pa.float32()))
    other = rows("made/b", "train")
    one = Dataset(
        name="made", parts=lambda: iter([part, other]), schema=part.schema, dictionary=data_dictionary(GROUPS, "text")
    )
    out = io.BytesIO()
    Image.new("RGB", (100, 100)).save(out, "PNG")
    counts = write_coco(one, [PagePicture(page="made/a", png=out.getvalue())], tmp_path)
    assert counts == {"outside of the picture": 1, "no label": 1, "no picture of the page": 3}
    written_boxes = json.loads((tmp_path / "annotations.json").read_text())["annotations"]
    assert len(written_boxes) + counts.total() == len(part) + len(other)
