"""Runs: a row for every input, and the next run goes on."""

import os
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import blocksight as bs
import orjson
import pytest
from blocksight.batch.batch_options import BatchOptions
from blocksight.batch.output.output import Output
from blocksight.batch.pipeline import Pipeline
from blocksight.batch.row_schema import SCHEMA_VERSION
from blocksight.batch.sources.inputs import input_of
from blocksight.errors import FolderUnsafe, RunInProgress, SettingsMismatch
from blocksight.page.store import save
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import filed

pytestmark = pytest.mark.long


def test_a_folder_of_pages(pages, plain, tmp_path):
    out = tmp_path / "out"
    (pages / "8.html").write_text("")
    (pages / "9.html").write_bytes(b"%PDF-1.7")
    given = [pages, "https://example.org/", tmp_path / "missing.html"]
    rows = list(bs.run_batch(given, out, options=plain))
    assert len(rows) == 11
    by_name = {row["source"].rpartition("/")[2]: row for row in rows}
    tea = by_name["3.html"]
    assert tea["title"] == "Tea 3"
    assert "Pot number 3" in tea["text"]
    assert tea["markdown"].startswith("# Tea 3\n")
    assert orjson.loads(tea["metadata"])["title"] == "Tea 3"
    assert tea["error"] is None
    assert (tea["tries"], tea["schema"], tea["blocksight"], tea["system"]) == (
        1,
        SCHEMA_VERSION,
        bs.__version__,
        "blocksight-dom",
    )
    assert tea["model"].startswith("blocksight-dom.npz ")
    assert (tea["nodes"] or 0) > 3
    assert tea["cpu_seconds"] > 0
    assert by_name["8.html"]["error"] == "the page is empty"
    assert by_name["9.html"]["error"] == "this is a PDF, not a web page"
    assert by_name[""]["error"].startswith("an address needs the browser")
    assert by_name["missing.html"]["error"] == "no such file"
    assert by_name["8.html"]["error_kind"] == "empty"
    assert {row["error_kind"] for row in rows} == {None, "failed", "empty"}
    assert sorted(row["id"] for row in filed(out)) == sorted(row["id"] for row in rows)
    summary = orjson.loads((out / "summary.json").read_bytes())
    assert (summary["inputs"], summary["done"], summary["failed_by_kind"]) == (11, 7, {"failed": 3, "empty": 1})


def test_what_was_made_to_end_the_run_is_a_row(pages, plain, tmp_path):
    given = tmp_path / "given"
    given.mkdir()
    for name, status in (("long", "9" * 19), ("longer", "9" * 30), ("squared", "\u00b2"), ("sound", "200")):
        page = bs.parse("<p>Fresh water boils in the pot for a while.").replace(environment={"status": status})
        save(page, given / f"{name}.page")
    (given / "deep.jsonl").write_text("[" * 200_000)
    (given / "nul.txt").write_text(f"a\0b.html\n{pages / '3.html'}\n")
    (given / os.fsdecode(b"caf\xe9.html")).write_text("<p>Fresh water boils in the pot for a while.")
    sources = [given, given / "deep.jsonl", given / "nul.txt"]
    rows = list(bs.run_batch(sources, tmp_path / "out", options=plain))
    assert sorted(row["error_kind"] or "" for row in rows) == ["", "", "", "", "", "", "failed", "source"]
    assert sorted(row["status"] or 0 for row in rows) == [0] * 7 + [200]
    assert sorted(row["id"] for row in filed(tmp_path / "out")) == sorted(row["id"] for row in rows)
    assert any(row["source"].endswith("caf?.html") for row in rows)


def test_a_host_whose_rules_break_the_reader_is_not_asked(monkeypatch, plain):
    def broken(browser, host, agent):
        raise KeyError("rules")

    monkeypatch.setattr("blocksight.batch.robots.read_rules", broken)
    why = Pipeline(plain).rules("https://a.org").forbids("https://a.org/tea", "blocksight")
    assert why.startswith("robots.txt could not be read (KeyError")


def test_what_is_done_is_not_done_again(quick, plain, tmp_path):
    assert len(list(bs.run_batch(["a", "b"], tmp_path, options=plain))) == 2
    assert [row["source"] for row in bs.run_batch(["b", "c"], tmp_path, options=plain)] == ["c"]
    assert sorted(row["source"] for row in filed(tmp_path)) == ["a", "b", "c"]


def test_a_page_named_again_is_the_same(pages, plain, tmp_path):
    (pages / "link.html").symlink_to("3.html")
    os.link(pages / "3.html", pages / "other.html")
    given = tmp_path / "list.txt"
    given.write_text(f"{pages}\n{pages / '3.html'}\n{pages / 'z' / '..' / '3.html'}\n{pages / '3.html#tea'}\n")
    rows = list(bs.run_batch([given], tmp_path / "out", options=replace(plain, system="bte")))
    kinds = Counter((row["source"].rpartition("/")[2], row["error_kind"]) for row in rows)
    assert len(rows) == len({row["id"] for row in rows}) == 7 + 2
    # The same file by another name is read as well: its place is another one.
    assert kinds["other.html", None] == 1
    assert kinds["3.html", None] + kinds["link.html", None] == 1
    assert kinds["3.html#tea", "failed"] == 1
    assert sorted(row["id"] for row in filed(tmp_path / "out")) == sorted(row["id"] for row in rows)
    assert list(bs.run_batch([given], tmp_path / "out", options=replace(plain, system="bte"))) == []


ODD = st.one_of(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(["https://a.org", "HTTPS://A.org:443/", "https://a.org/#", "https://a.org/%41", "https://a.org/A",
                     "a.html", "./a.html", "b/../a.html", "//a.html", "file:a.html", "@a", "-", "a.html#x", "#", ""]),
    st.from_regex(r"(ab|https://a\.org|\.)/(ab)/(ab){16}\.page", fullmatch=True),
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(ODD, max_size=12), twice=st.booleans())
def test_every_page_of_a_list_has_one_row(quick, plain, lines, twice):
    with TemporaryDirectory() as folder:
        given, out = Path(folder) / "list", Path(folder) / "out"
        given.write_bytes("\n".join(lines).encode())
        named = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
        expected = {input_of(source).id: source for source in reversed(named)}
        rows = list(bs.run_batch([f"@{given}"], out, options=plain))
        if twice:
            assert list(bs.run_batch([f"@{given}"], out, options=plain)) == []
        stored = filed(out)
        assert len(rows) == len(stored) == len({row["id"] for row in stored}) == len(expected)
        assert {row["id"]: row["source"] for row in stored} == expected
        assert orjson.loads((out / "summary.json").read_bytes())["rows"] == len(expected)


def test_of_a_list_by_others_no_file_is_read(pages, plain, tmp_path):
    given = tmp_path / "list.txt"
    given.write_text(f"{pages}\n{pages / '3.html'}\nfile://{pages / '3.html'}\n@{given}\n")
    options = replace(plain, addresses_only=True)
    rows = list(bs.run_batch([given], tmp_path / "out", options=options))
    assert [(row["error_kind"], row["text"]) for row in rows] == [("refused", None)] * 4
    with pytest.raises(SettingsMismatch, match="addresses_only"):
        list(bs.run_batch([given], tmp_path / "out", options=plain))


def test_what_failed_is_done_again_on_request(quick, plain, tmp_path):
    list(bs.run_batch(["a", "bad"], tmp_path, options=plain))
    assert list(bs.run_batch(["a", "bad"], tmp_path, options=plain)) == []
    (row,) = bs.run_batch(["a", "bad"], tmp_path, options=replace(plain, retry=("failed",)))
    assert (row["source"], row["tries"]) == ("bad", 2)
    assert len(filed(tmp_path)) == 2


def test_what_is_old_is_done_again_on_request(quick, plain, tmp_path):
    list(bs.run_batch(["a", "b"], tmp_path, options=plain))
    assert list(bs.run_batch(["a"], tmp_path, options=replace(plain, since=1.0))) == []
    rows = list(bs.run_batch(["a"], tmp_path, options=replace(plain, since=2e10)))
    assert sorted(row["source"] for row in rows) == ["a", "b"]
    assert len(filed(tmp_path)) == 2


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"hidden": "keep"}, "hidden"),
        ({"format": "jsonl"}, "format"),
        ({"system": "bte"}, "system"),
        ({"render": bs.RenderOptions(javascript=False)}, "javascript was true"),
    ],
)
def test_other_settings_are_refused_by_name(quick, plain, tmp_path, change, name):
    list(bs.run_batch(["a"], tmp_path, options=plain))
    with pytest.raises(SettingsMismatch, match=name):
        list(bs.run_batch(["a"], tmp_path, options=replace(plain, **change)))


def test_more_time_and_more_workers_are_no_other_settings(quick, plain, tmp_path):
    list(bs.run_batch(["a"], tmp_path, options=plain))
    more = replace(plain, workers=3, shard_rows=9, render=bs.RenderOptions(timeout=60))
    assert len(list(bs.run_batch(["b"], tmp_path, options=more))) == 1
    assert plain.digest != more.digest


def test_secrets_are_written_nowhere(quick, plain, tmp_path):
    secret = bs.RenderOptions(
        credentials=("me", "s3cret"), headers=(("X-Key", "s3cret"),), proxy="http://me:s3cret@p:1"
    )
    list(bs.run_batch(["a"], tmp_path, options=replace(plain, render=secret)))
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"s3cret" not in path.read_bytes(), path


def test_a_second_run_at_the_same_time_is_refused(quick, plain, tmp_path):
    first = bs.run_batch(["a", "b"], tmp_path, options=plain)
    next(first)
    with pytest.raises(RunInProgress, match="another run writes into it"):
        next(bs.run_batch(["c"], tmp_path, options=plain))
    first.close()
    assert [row["source"] for row in bs.run_batch(["c"], tmp_path, options=plain)] == ["c"]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_the_lock_is_for_its_owner_only(quick, plain, tmp_path):
    list(bs.run_batch(["a"], tmp_path / "out", options=plain))
    assert stat.S_IMODE((tmp_path / "out" / "lock.sqlite").stat().st_mode) & 0o077 == 0


def test_who_stops_early_keeps_what_was_done(quick, plain, tmp_path):
    rows = bs.run_batch([f"page{number}" for number in range(50)], tmp_path, options=plain)
    early = [next(rows)["id"] for _ in range(5)]
    rows.close()
    done = [row["id"] for row in filed(tmp_path)]
    assert set(early) <= set(done)
    assert len(done) == len(set(done)) < 50
    rest = [row["id"] for row in bs.run_batch([f"page{number}" for number in range(50)], tmp_path, options=plain)]
    assert len(rest) == 50 - len(done)
    assert not set(rest) & set(done)


def test_an_interruption_keeps_what_is_under_way(quick, plain, tmp_path):
    def interrupted():
        yield from (f"page{number}" for number in range(200))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(bs.run_batch(interrupted(), tmp_path, options=replace(plain, shard_rows=1000)))
    ledger = Output(tmp_path, format="parquet", shard_rows=9).ledger
    done, waiting, _ = ledger.counts()
    assert done == len(filed(tmp_path))
    assert done + waiting in (100, 200)
    ledger.close()


def test_memory_does_not_grow_with_the_number_of_inputs(quick, plain, tmp_path):
    import tracemalloc

    def peak(count, out):
        tracemalloc.start()
        for _ in bs.run_batch((f"{out}-{number}" for number in range(count)), tmp_path / out, options=plain_):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    plain_ = replace(plain, shard_rows=100)
    peak(200, "warm")
    assert peak(1500, "many") < 1.5 * peak(600, "few") + 500_000


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"format": "csv"}, {"hidden": "mark"}, {"shard_rows": 0}])
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match=r"(must be|knows)"):
        BatchOptions(**wrong)


def test_keeping_needs_the_browser():
    with pytest.raises(ValueError, match="save_pages needs every page rendered"):
        BatchOptions(browser=False, save_pages=True)


def test_a_process_that_is_ended_takes_one_page_with_it(pages, plain, tmp_path):
    rows = {
        row["source"].rpartition("/")[2]: row
        for row in bs.run_batch([pages], tmp_path / "out", options=replace(plain, system=_Deadly()))
    }
    assert rows["3.html"]["error_kind"] == "died"
    assert [row["error_kind"] for name, row in sorted(rows.items())].count(None) == 6


class _Deadly:
    """Ends its process at one page."""

    card = bs.Card(name="deadly", title="t", paper="p", year=2026, visual=False, trained=False)

    def mark(self, page):
        import os

        import numpy as np

        if "Pot number 3" in " ".join(page.leaf_texts):
            os._exit(3)
        return np.ones(len(page.leaves), dtype=bool)


@pytest.mark.parametrize("name", ["lock.sqlite", "settings.json", "ledger.sqlite"])
def test_a_folder_with_a_link_is_refused(plain, tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FolderUnsafe, match="is a link"):
        list(bs.run_batch([], tmp_path / "out", options=plain))
    assert not (tmp_path / "elsewhere").exists()
