"""The command ``batch``."""

import json
import time
from datetime import datetime

import click
import pytest
from blocksight.batch.output.output import Shards

PAGE = "<title>Tea</title><p>Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes.</p>"


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "tea.html"
    path.write_text(PAGE)
    return path


def rows(out, form="parquet"):
    parts = Shards(out / "rows", form)
    return [row for number in parts.numbers() for row in parts.read(number)]


def test_a_folder_is_made_and_gone_on_with(run, page, tmp_path):
    out, words = tmp_path / "out", ["--no-browser", "--system", "bte", "--workers", 1]
    done = run("batch", page, tmp_path / "missing.html", "-o", out, *words, "--format", "jsonl")
    assert done.exit_code == 0
    assert "2 inputs, 2 rows: 1 done, 1 failed (failed 1; --retry KIND repeats" in done.stderr
    assert {row["title"] for row in rows(out, "jsonl")} == {"Tea", None}
    (tmp_path / "missing.html").write_text(PAGE)
    again = run("batch", "-o", out, *words, "--format", "jsonl", "--retry", "failed", "--summary", "json")
    assert "1 pages are done again" in again.stderr
    assert json.loads(again.stdout)["done"] == 2
    other = run("batch", "-o", out, "--no-browser")
    assert other.exit_code == 1
    assert 'created with other settings (format was "jsonl", system was "bte")' in other.stderr


def test_each_line_is_in_the_summary(run, page, tmp_path):
    out, given = tmp_path / "out", tmp_path / "list.txt"
    given.write_text(f"{page}\nab/{'ab' * 16}.page\n{page}\n")
    done = run("batch", given, "-o", out, "--no-browser", "--system", "bte")
    assert done.exit_code == 0
    assert "2 inputs, 2 rows: 1 done, 1 failed (failed 1;" in done.stderr


def test_of_a_list_by_others_no_file_is_read(run, page, tmp_path):
    out, given = tmp_path / "out", tmp_path / "list.txt"
    given.write_text(f"{page}\n/etc/passwd\n")
    done = run("batch", given, "-o", out, "--no-browser", "--system", "bte", "--addresses-only")
    assert "2 inputs, 2 rows: 0 done, 2 failed (refused 2;" in done.stderr
    assert {row["error"] for row in rows(out)} == {
        "this is no http or https address, and only these are accepted (addresses_only)"
    }


def test_a_list_of_any_name(run, page, tmp_path):
    out, words = tmp_path / "out", ["--no-browser", "--system", "bte", "--workers", 1]
    listed = tmp_path / "list"
    listed.write_text(f"# pages\n{page}\n")
    assert run("batch", f"@{listed}", "-o", out, *words).exit_code == 0
    assert [row["title"] for row in rows(out)] == ["Tea"]


def test_extract_reads_lists_as_well(run, page, tmp_path):
    listed = tmp_path / "list"
    listed.write_text(f"{page}\n\n{page}\n")
    done = run("extract", f"@{listed}", "--no-browser", "--system", "bte", "--format", "text")
    assert done.stdout.count("Fresh water") == 2
    assert "cannot be read" in run("extract", f"@{tmp_path / 'none'}", "--no-browser").stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--url", "https://a.org/"], "are for one page"),
        (["--since", "yesterday"], "should look like 2026-11-30"),
        (["--save-pages", "--no-browser"], "save_pages needs every page rendered"),
        (["--system", "nonsense"], "no system is called"),
    ],
)
def test_wrong_calls(run, tmp_path, words, why):
    done = run("batch", "-o", tmp_path / "out", *words)
    assert done.exit_code == 2
    assert why in done.stderr
    assert not (tmp_path / "out").exists()


def test_times_are_read(commands):
    command = commands["batch"]

    def since(value):
        return command.make_context("batch", ["-o", "x", "--since", value]).params["since"]

    assert since("2026-11-30") == datetime(2026, 11, 30).timestamp()
    assert since("7d") == pytest.approx(time.time() - 7 * 86400, abs=60)
    with pytest.raises(click.BadParameter):
        since("7 days")


def test_the_status_of_a_folder(run, tmp_path):
    page, out = tmp_path / "page.html", tmp_path / "out"
    page.write_text(PAGE)
    run("batch", page, tmp_path / "missing.html", "-o", out, "--no-browser", "--system", "bte")
    before = (out / "ledger.sqlite").read_bytes()
    done = run("batch", "-o", out, "--status")
    assert (done.exit_code, done.stdout.splitlines()) == (0, ["1 done, 1 failed, 0 waiting", "           1 failed"])
    assert json.loads(run("batch", "-o", out, "--status", "--summary", "json").stdout)["failed_by_kind"] == {
        "failed": 1
    }
    assert (out / "ledger.sqlite").read_bytes() == before
    none = run("batch", "-o", tmp_path / "none", "--status")
    assert none.exit_code == 1
    assert "there is no ledger of a batch that can be read" in none.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ["res.json", "res.jsonl", "res.CSV", "res.parquet"])
def test_the_output_is_no_file(run, page, tmp_path, name):
    done = run("batch", page, "-o", tmp_path / name, "--no-browser")
    assert done.exit_code == 2
    assert "-o is a folder; it gets the files of rows (--format) and the ledger" in done.stderr
    assert not (tmp_path / name).exists()


def test_a_bucket_is_no_folder(run):
    done = run("batch", "https://a.org/", "-o", "s3://bucket/corpus")
    assert done.exit_code == 2
    assert "copy its rows to the bucket" in done.stderr


def test_without_a_source_or_an_earlier_run_nothing_is_created(run, tmp_path):
    done = run("batch", "-o", str(tmp_path / "resl"))
    assert (done.exit_code, [*tmp_path.iterdir()]) == (2, [])
    assert "name a SOURCE" in done.stderr
