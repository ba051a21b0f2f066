"""The command dataset."""

import json
import shutil

import pandas as pd
import pytest
from blocksight.features.block_table import column_names


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "made"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for name in "abcd":
        (folder / "pages" / f"{name}.html").write_text(f"<p>Menu</p><p>The {name} mine is deep and old.</p>")
        split = "train" if name < "c" else "dev"
        lines.append({"id": name, "gold_text": f"The {name} mine is deep and old.", "split": split})
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_a_corpus_without_a_browser(run, corpus, tmp_path):
    out = tmp_path / "out"
    done = run(
        "dataset", corpus, "-o", out, "--no-browser", "--groups", "text,structural", "--split", "train", "--workers", 1
    )
    assert done.exit_code == 0, done.output
    assert "4 blocks (2 content, 2 boilerplate, 0 unlabelled)" in done.stderr
    frame = pd.read_parquet(out / "blocks.parquet")
    assert tuple(frame.columns[16:]) == column_names("text", "structure", "keyword", "region")
    assert set(frame["page"]) == {"made/a", "made/b"}


def test_a_failed_page_is_named(run, corpus, tmp_path):
    (corpus / "pages" / "a.html").write_text("")
    done = run("dataset", corpus, "-o", tmp_path / "out", "--no-browser", "--groups", "text", "--workers", 1)
    assert done.exit_code == 1
    assert "made/a: " in done.stderr
    assert len(pd.read_parquet(tmp_path / "out" / "blocks.parquet")) == 6


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--groups", "smell"), "no group of features is called 'smell'; there are text, link"),
        (("--groups", ","), "no group of features is given"),
        (("--split", "test"), "no pages with gold of the split test"),
        (("--method", "vips"), "vips needs geometry"),
        (("--format", "parket"), "did you mean 'parquet'?"),
    ],
)
def test_wrong_calls(run, corpus, tmp_path, arguments, why):
    done = run("dataset", corpus, "-o", tmp_path / "out", "--no-browser", *arguments)
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_folder_that_is_no_corpus(run, tmp_path):
    done = run("dataset", tmp_path, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "gold.jsonl" in done.stderr


def test_a_limit_takes_the_same_pages_each_time(run, corpus, tmp_path):
    for name in ("one", "two"):
        run("dataset", corpus, "-o", tmp_path / name, "--no-browser", "--groups", "text", "--limit", 2, "--workers", 1)
    one, two = (pd.read_parquet(tmp_path / name / "blocks.parquet") for name in ("one", "two"))
    assert one["page"].nunique() == 2
    assert one["page"].tolist() == two["page"].tolist()


def test_several_corpora_are_one_data_set(run, corpus, tmp_path):
    other = tmp_path / "other"
    corpus.rename(tmp_path / "first")
    shutil.copytree(tmp_path / "first", other)
    done = run(
        "dataset", tmp_path / "first", other, "-o", tmp_path / "out", "--no-browser", "--groups", "text", "--workers", 1
    )
    assert done.exit_code == 0
    frame = pd.read_parquet(tmp_path / "out" / "blocks.parquet")
    assert frame["page"].nunique() == 8
    assert set(frame["page"].str.partition("/")[0]) == {"first", "other"}
    done = run("dataset", other, other, "-o", tmp_path / "again", "--no-browser")
    assert done.exit_code == 2
    assert "two corpora have the same name" in done.stderr


def test_gold_of_ones_own_is_split_by_site_and_trains_a_model(run, tmp_path):
    """As the README says: dataset, then train dataset, on a gold.jsonl without splits."""
    corpus = tmp_path / "mine"
    (corpus / "pages").mkdir(parents=True)
    lines = []
    for number in range(12):
        site = f"site{number % 6}.example"
        text = f"The tide table number {number} says when the water is high, and when the boats may leave."
        html = f"<title>Tides</title><nav><a href=/>Home</a> <a href=/b>Boats</a></nav><main><p>{text}</p></main>"
        (corpus / "pages" / f"p{number}.html").write_text(f"{html}<footer>Copyright {site}</footer>")
        lines.append(json.dumps({"id": f"p{number}", "gold_text": text, "domain": site}))
    (corpus / "gold.jsonl").write_text("\n".join(lines))
    done = run("dataset", corpus, "-o", tmp_path / "blocks", "--no-browser", "--groups", "text,link")
    assert done.exit_code == 0, done.stderr
    assert "no splits are given: 5 sites are train, 1 are dev" in done.stderr
    frame = pd.read_parquet(tmp_path / "blocks" / "blocks.parquet")
    assert frame.groupby("site")["split"].nunique().max() == 1
    assert frame["label"].dtype == "int8"
    model = tmp_path / "mine.npz"
    made = run("train", "dataset", tmp_path / "blocks", "-o", model, "--test", "dev")
    assert made.exit_code == 0, made.stderr
    assert "on the split dev" in made.stderr
    page = corpus / "pages" / "p1.html"
    assert "The tide table number 1" in run("extract", page, "--no-browser", "--model", model).stdout
