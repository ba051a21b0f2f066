"""The command evaluate."""

import pandas as pd
import pytest

TEXT = "The harbour office opens at eight and closes when the last boat has come in, which may be late. "


@pytest.fixture
def pairs(tmp_path):
    folder = tmp_path / "harbour"
    folder.mkdir()
    for n in range(1, 4):
        (folder / f"{n}.html").write_text(f"<ul><li><a href=/>Home</a></ul><p>{TEXT * n}</p><p>{TEXT}</p>")
        (folder / f"{n}.txt").write_text(TEXT * (n + 1))
    (folder / "4.html").write_text("<p>no gold</p>")
    return folder


def test_evaluate(run, pairs, tmp_path):
    out = tmp_path / "results"
    done = run("evaluate", pairs, "--systems", "bte,longest-div", "--measures", "word-sequence,cleaneval", "-o", out)
    assert done.exit_code == 0
    assert "harbour: Words in their order" in done.stdout
    assert [name for name in ("bte", "longest-div", "everything") if name in done.stdout] != []
    assert "4 (raw): the corpus has no gold for this page" in done.stderr
    table = pd.read_csv(out / "scores.csv", dtype={"page": str})
    assert len(table) == 4 * 3
    assert {"seq_f1", "cleaneval"} <= set(table.columns)
    assert "bag_f1" not in table.columns


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--systems", "bte,nobody"], "no system is called 'nobody'; there are blocksight, "),
        (["--systems", "bte,cetdd"], "did you mean 'cetd'"),
        (["--measures", "zzz"], "no measure is called 'zzz'; there are word-bag, "),
        (["--measures", "word-bga"], "did you mean 'word-bag'?"),
        (["--split", "deb"], "did you mean 'dev'?"),
        (["--limit", "0"], "--limit"),
        (["--split", "train"], "no page of the split train"),
    ],
)
def test_wrong_calls(run, pairs, tmp_path, arguments, complaint):
    done = run("evaluate", pairs, "-o", tmp_path / "x", *arguments)
    assert done.exit_code == 2
    assert complaint in done.stderr


def test_no_page_can_be_measured(run, tmp_path):
    folder = tmp_path / "bad"
    (folder / "pages").mkdir(parents=True)
    (folder / "gold.jsonl").write_text('{"id": "a", "gold_text": "x"}\n')
    done = run("evaluate", folder, "-o", tmp_path / "x")
    assert done.exit_code == 1
    assert "a (raw): there is no file a.html" in done.stderr
    assert "no page could be measured" in done.stderr


def test_a_folder_that_is_no_corpus(run, tmp_path):
    done = run("evaluate", tmp_path, "-o", tmp_path / "x")
    assert done.exit_code == 2
    assert "CleanEval" in done.stderr
