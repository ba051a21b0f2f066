"""The commands evaluate and compare."""

import json

import blocksight as bs
import pandas as pd
import pytest
from blocksight.app.cli import main
from click.testing import CliRunner

NEWS = "news/page.html"
TEXT = "The harbour office opens at eight and closes when the last boat has come in, which may be late. "


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture
def pairs(tmp_path):
    folder = tmp_path / "harbour"
    folder.mkdir()
    for n in range(1, 4):
        (folder / f"{n}.html").write_text(f"<ul><li><a href=/>Home</a></ul><p>{TEXT * n}</p><p>{TEXT}</p>")
        (folder / f"{n}.txt").write_text(TEXT * (n + 1))
    (folder / "4.html").write_text("<p>no gold</p>")
    return folder


def test_evaluate(pairs, tmp_path):
    out = tmp_path / "results"
    done = run("evaluate", pairs, "--systems", "bte,longest-div", "--measures", "word-sequence,scedd", "-o", out)
    assert done.exit_code == 0
    assert "harbour: Words in their order" in done.stdout
    assert [name for name in ("bte", "longest-div", "everything") if name in done.stdout] != []
    assert "4 (raw): the corpus has no gold for this page" in done.stderr
    table = pd.read_csv(out / "scores.csv", dtype={"page": str})
    assert len(table) == 4 * 3
    assert {"seq_f1", "scedd_wrong"} <= set(table.columns)
    assert "bag_f1" not in table.columns


def test_all_systems_by_one_name(fixtures):
    done = run("compare", "--no-browser", "--json", fixtures / NEWS, "--systems", "bte, all")
    names = [system["name"] for system in json.loads(done.stdout)["systems"]]
    assert names == ["bte", *(system.card.name for system in bs.SYSTEMS if system.card.name != "bte")]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--systems", "bte,nobody"], "no system is called 'nobody'"),
        (["--measures", "bleu"], "no measure is called 'bleu'"),
        (["--limit", "0"], "--limit"),
        (["--split", "train"], "no page of the split train"),
    ],
)
def test_wrong_calls(pairs, tmp_path, arguments, complaint):
    done = run("evaluate", pairs, "-o", tmp_path / "x", *arguments)
    assert done.exit_code == 2
    assert complaint in done.stderr


def test_no_page_can_be_measured(tmp_path):
    folder = tmp_path / "bad"
    (folder / "pages").mkdir(parents=True)
    (folder / "gold.jsonl").write_text('{"id": "a", "gold_text": "x"}\n')
    done = run("evaluate", folder, "-o", tmp_path / "x")
    assert done.exit_code == 1
    assert "a (raw): there is no file a.html" in done.stderr
    assert "no page could be measured" in done.stderr


def test_a_folder_that_is_no_corpus(tmp_path):
    done = run("evaluate", tmp_path, "-o", tmp_path / "x")
    assert done.exit_code == 2
    assert "CleanEval" in done.stderr


def test_compare_prints_who_keeps_what(fixtures):
    done = run("compare", "--no-browser", fixtures / NEWS, "--systems", "blocksight-dom,longest-div,everything")
    assert done.exit_code == 0
    assert "words, " in done.stdout
    lines = done.stdout.splitlines()
    head = lines.index("abc  paragraph")
    rows = {line[5:40]: line[:3] for line in lines[head + 1 :]}
    title = next(marks for text, marks in rows.items() if text.startswith("Council votes to reopen"))
    menu = next(marks for text, marks in rows.items() if text.startswith("Most read"))
    assert title[2] == menu[2] == "●"
    assert menu[0] == "·"
    assert done.stderr == ""


def test_several_pages_have_a_mean(fixtures):
    pages = (fixtures / NEWS, fixtures / "short/page.html")
    done = run("compare", "--no-browser", *pages, "--systems", "bte,everything")
    assert "mean of 2 pages: " in done.stdout
    found = [json.loads(line) for line in run("compare", "--no-browser", "--json", *pages).stdout.splitlines()]
    words = sum(page["words"] for page in found) / 2
    assert f"│ everything │ {words:>5.0f} │  100%" in done.stdout.split("mean of 2 pages")[1]


def test_compare_as_json(fixtures):
    done = run("compare", "--no-browser", "--json", fixtures / NEWS, fixtures / "short/page.html")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 2
    one = found[0]
    assert set(one) == {"source", "url", "title", "words", "disputed", "systems", "agreement", "overlap", "blocks"}
    everything = [system["name"] for system in one["systems"]].index("everything")
    assert one["systems"][everything]["share"] == 1.0
    assert one["agreement"][everything][everything] == 1.0
    assert all("everything" in block["kept_by"] for block in one["blocks"])
    assert 0 < one["disputed"] <= 1


def test_compare_names_what_failed(tmp_path):
    done = run("compare", "--no-browser", tmp_path / "nothing.html")
    assert done.exit_code == 1
    assert "nothing.html" in done.stderr
