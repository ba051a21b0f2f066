"""The command that trains, and the use of its models."""

import json

import pytest
from blocksight.app.cli import main
from click.testing import CliRunner

SENTENCE = "On the {n}th day the rain stopped, and the whole valley went out to look at what was left of the bridge. "
FAST = ("--search-blocks", 100, "--blocks", 200, "--folds", 2, "--no-ablation", "--kernel", "linear", "--c", "0.1")


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "made" / "pages").mkdir(parents=True)
    lines = []
    for n in range(8):
        text = SENTENCE.format(n=n) * 2
        (folder / "made" / "pages" / f"{n}.html").write_text(
            f"<ul><li><a href=/>Home</a><li><a href=/a>About</a></ul><p>{text}</p><p>{text}</p>"
        )
        lines.append(
            {"id": str(n), "gold_text": text + text, "domain": f"{n % 4}.org", "split": "train" if n < 7 else "dev"}
        )
    (folder / "made" / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = run(
        "dataset", folder / "made", "-o", folder / "out", "--no-browser", "--groups", "text,link", "--workers", 1
    )
    assert done.exit_code == 0, done.stderr
    return folder / "out"


def test_train_and_extract(dataset, tmp_path):
    model = tmp_path / "new" / "m.npz"
    done = run("train", dataset, "-o", model, *FAST)
    assert done.exit_code == 0, done.stderr
    assert "linear, C = 0.1: F1 1.0000 on unseen sites" in done.stderr
    assert {path.suffix for path in model.parent.iterdir()} == {".npz", ".md", ".html", ".json"}
    assert json.loads(model.with_suffix(".json").read_text())["about"]["groups"] == ["text", "link"]
    page = dataset.parent / "made" / "pages" / "3.html"
    found = run("extract", "--no-browser", "--model", model, page, "--format", "text")
    assert found.exit_code == 0
    assert found.stdout.count("rain stopped") == 4
    assert "Home" not in found.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-o", "m.pkl"), "must end in .npz"),
        (("-o", "m.npz", "--c", "none"), "numbers parted by commas"),
        (("-o", "m.npz", "--c", "0"), "above 0"),
        (("-o", "m.npz", "--groups", "smell"), "no such group"),
        (("-o", "m.npz", "--groups", "visual"), "no features of the group visual"),
    ],
)
def test_wrong_calls(dataset, tmp_path, arguments, why, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("train", dataset, *arguments)
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_split_held_out(dataset, tmp_path):
    done = run("train", dataset, "-o", tmp_path / "m.npz", "--test", "dev", *FAST)
    assert done.exit_code == 0
    assert "F1 1.0000 on the split dev" in done.stderr
    assert json.loads((tmp_path / "m.json").read_text())["held out"]["f1"] == 1
    assert "held out" in (tmp_path / "m.html").read_text()
    assert "held out from everything: F1 1.0000" in (tmp_path / "m.md").read_text()
    done = run("train", dataset, "-o", tmp_path / "m.npz", "--split", "all", "--test", "dev")
    assert done.exit_code == 2
    assert "learns from that split" in done.stderr


def test_nothing_to_learn_from(dataset, tmp_path):
    done = run("train", dataset, "-o", tmp_path / "m.npz", "--split", "test")
    assert done.exit_code == 1
    assert "no rows of the split test" in done.stderr


def test_a_model_that_is_none(tmp_path):
    (tmp_path / "m.npz").write_bytes(b"nothing")
    (tmp_path / "p.html").write_text("<p>text")
    done = run("extract", "--no-browser", "--model", tmp_path / "m.npz", tmp_path / "p.html")
    assert done.exit_code == 1
    assert "no model of blocksight" in done.stderr
    done = run("extract", "--no-browser", "--model", tmp_path / "m.npz", "--system", "bte", tmp_path / "p.html")
    assert done.exit_code == 2
    assert "--model is for blocksight" in done.stderr
