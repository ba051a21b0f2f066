"""Corpora: several readers of each page, MinHash signatures, and pages of an archive by their byte ranges."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import blocksight as bs
import duckdb
import numpy as np
import pandas
import pytest
from blocksight.app.commands.batch import batch
from blocksight.batch.batch_options import BatchOptions
from blocksight.batch.extract_row import word_agreement
from blocksight.batch.minhash import minhash
from blocksight.batch.sources.lists import inputs_of
from generators.warc_records import http_response, make_record

DOCS = Path(bs.__file__).parent / "docs"
SENTENCES = (
    "Fresh water is boiled for the tea and the pot is warmed before the leaves are put into it by hand.",
    "After three minutes the leaves have drawn, and the tea is poured into cups through a sieve of steel.",
    "Green tea is drawn in water that has cooled down for a while, since great heat makes it taste bitter.",
)
PARAGRAPHS = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TEA = f"<title>Tea</title><nav><a href=/a>Home</a></nav><article><h1>Tea</h1>{PARAGRAPHS}</article>"


def section_of(title):
    section = (DOCS / "batch.md").read_text(encoding="utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    assert 10 < len(section.split()) <= 200
    return section


# -- several readers -----------------------------------------------------------------------------------------------


def test_agreement_is_the_mean_f1_of_all_pairs():
    assert word_agreement(["a b", "a b", "B a"]) == 1.0
    assert word_agreement(["a b b", "b b c", "x"]) == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert word_agreement(["a b", ""]) == 0.0
    assert word_agreement(["", " "]) == 1.0
    assert word_agreement(["a b"]) is word_agreement(["a", None]) is None


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_each_reader_has_a_column(tmp_path, plain, form):
    (tmp_path / "a.html").write_text(TEA)
    (tmp_path / "b.html").write_text("")
    options = replace(plain, systems=("blocksight", "trafilatura", "blocksight-dom", "everything"), format=form)
    rows = list(bs.run_batch([tmp_path / "a.html", tmp_path / "b.html"], tmp_path / "out", options=options))
    tea = next(row for row in rows if row["title"])
    assert "Home" in tea["text_everything"]
    assert "Home" not in tea["text"]
    assert "leaves" in tea["text_trafilatura"]
    assert "text_blocksight" not in tea  # it is in text
    texts = [tea["text"], *(tea[f"text_{name}"] for name in ("trafilatura", "blocksight_dom", "everything"))]
    assert tea["agreement"] == pytest.approx(word_agreement(texts), abs=1e-4)
    empty = next(row for row in rows if not row["title"])
    assert (empty["text_everything"], empty["agreement"]) == (None, None)
    read = (
        pandas.read_parquet
        if form == "parquet"
        else lambda folder: pandas.read_json(next(folder.iterdir()), lines=True)
    )
    assert set(read(tmp_path / "out" / "rows").columns) == set(tea)


def test_a_reader_that_fails_has_no_text(tmp_path, plain):
    (tmp_path / "a.html").write_text(TEA)
    (row,) = bs.run_batch([tmp_path / "a.html"], tmp_path / "out", options=replace(plain, systems=(Broken(),)))
    assert (row["error"], row["text_broken"], row["agreement"]) == (None, None, None)


class Broken:
    card = bs.Card(name="broken")

    def mark(self, page):
        raise bs.PageFailed(page.url, "it is broken")


def test_unknown_readers_are_refused():
    with pytest.raises(ValueError, match="trafilaturra"):
        BatchOptions(systems=("trafilaturra",))
    found = batch.make_context("batch", ["a", "-o", "b", "--systems", "blocksight,trafilatura,resiliparse"]).params
    assert [system.card.name for system in found["systems"]] == ["blocksight", "trafilatura", "resiliparse"]


def test_the_transcript_about_readers(tmp_path, monkeypatch, run_lines):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "tea.html").write_text(TEA)
    run_lines(section_of("Several readers"))


# -- MinHash ---------------------------------------------------------------------------------------------------------


def test_the_signature_is_that_of_datasketch():
    """The values are those of MinHash(128, seed=1, scheme="legacy") of datasketch 2.0.0, updated with the shingles."""
    found = minhash("Boil fresh water, and warm the pot.")
    assert len(found) == 128
    assert found[:4] == EXPECTED[:4]
    assert found[-2:] == EXPECTED[-2:]


EXPECTED = [2424647239, 1305993738, 1796424411, 130758569, 1433524059, 457704703]


def test_signatures_estimate_the_share_of_equal_runs_of_words():
    one = [f"w{n}" for n in range(2000)]
    first, second = minhash(" ".join(one)), minhash(" ".join(one[:1500] + [f"v{n}" for n in range(500)]))
    shared, both = 1496, 2 * 1996 - 1496
    assert np.mean(np.equal(first, second)) == pytest.approx(shared / both, abs=0.12)
    assert minhash("Fresh water.") == minhash("fresh WATER") != minhash("fresh tea")
    assert minhash(" ... ") is None
    assert minhash("a b c d e f") != minhash("f e d c b a")


def test_signatures_are_32_bit_numbers_in_the_rows(tmp_path, plain):
    (tmp_path / "a.html").write_text(TEA)
    (row,) = bs.run_batch([tmp_path / "a.html"], tmp_path / "out", options=replace(plain, format="parquet"))
    assert row["minhash"] == minhash(row["text"])
    (stored,) = pandas.read_parquet(tmp_path / "out" / "rows").minhash
    assert (stored.dtype, stored.tolist()) == (np.uint32, row["minhash"])


def test_the_query_of_the_guide_finds_near_duplicates(tmp_path, plain, monkeypatch):
    words = [f"w{n}" for n in range(300)]
    pages = {"a": words, "b": [*words[:290], "new"], "c": [f"v{n}" for n in range(300)]}
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title><p>{' '.join(text)}")
    monkeypatch.chdir(tmp_path)
    sources = [tmp_path / f"{name}.html" for name in pages]
    list(bs.run_batch(sources, "corpus", options=replace(plain, format="parquet", system="everything")))
    (query,) = re.findall(r"^```sql\n(.*?)^```", section_of("Near-duplicates"), re.MULTILINE | re.DOTALL)
    names = duckdb.sql("SELECT id, title FROM 'corpus/rows/*.parquet'").fetchall()
    found = [tuple(dict(names)[one] for one in pair) for pair in duckdb.sql(query).fetchall()]
    assert [sorted(pair) for pair in found] == [["a", "b"]]


# -- byte ranges -----------------------------------------------------------------------------------------------------


@pytest.fixture
def crawl(tmp_path):
    """An archive of three records, and the index of them: url, filename, offset, length."""
    (tmp_path / "crawl-data").mkdir()
    answers = [("https://a.org/", "text/html", TEA), ("https://a.org/x.pdf", "application/pdf", "%PDF-"),
               ("https://b.org/", "text/html", TEA.replace("Tea", "Pot"))]  # fmt: skip
    data, index = b"", []
    for address, kind, body in answers:
        content = http_response(200, [("Content-Type", kind)], body.encode())
        record = gzip.compress(make_record("response", content, "application/http; msgtype=response", address=address))
        index.append({"url": address, "filename": "crawl-data/a.warc.gz", "offset": len(data), "length": len(record)})
        data += record
    (tmp_path / "crawl-data" / "a.warc.gz").write_bytes(data)
    return index


def written(folder, index):
    pandas.DataFrame(index).to_parquet(folder / "index.parquet")
    return folder / "index.parquet"


@pytest.mark.parametrize(
    "names", [{}, {"filename": "warc_filename", "offset": "warc_record_offset", "length": "warc_record_length"}]
)
def test_records_of_an_index_are_read_by_their_place(tmp_path, plain, crawl, names):
    path = written(tmp_path, [{names.get(name, name): value for name, value in row.items()} for row in crawl])
    rows = {row["url"]: row for row in bs.run_batch([path], tmp_path / "out", options=plain)}
    assert [rows[f"https://{host}.org/"]["title"] for host in "ab"] == ["Tea", "Pot"]
    assert rows["https://a.org/x.pdf"]["error"] == "the record is application/pdf, not a web page"
    assert rows["https://a.org/"]["source"] == str(tmp_path / "crawl-data" / "a.warc.gz")
    # The same page, named by its archive, is the same input.
    assert {entry.id for entry in inputs_of([tmp_path / "crawl-data" / "a.warc.gz"])} < {
        row["id"] for row in rows.values()
    }


def test_only_the_range_is_read(tmp_path, plain, crawl, monkeypatch):
    path = tmp_path / "crawl-data" / "a.warc.gz"
    data = path.read_bytes()
    last = crawl[2]["offset"]
    path.write_bytes(b"x" * last + data[last:])  # the rest is damaged
    rows = {row["url"]: row for row in bs.run_batch([written(tmp_path, crawl)], tmp_path / "out", options=plain)}
    assert (rows["https://b.org/"]["title"], rows["https://a.org/"]["error_kind"]) == ("Pot", "failed")


def test_archives_in_a_bucket(tmp_path, plain, crawl):
    import fsspec

    with fsspec.open("memory://crawl/crawl-data/a.warc.gz", "wb") as file:
        file.write((tmp_path / "crawl-data" / "a.warc.gz").read_bytes())
    path = written(tmp_path, crawl[:1])
    options = replace(plain, archives="memory://crawl/")
    (row,) = bs.run_batch([path], tmp_path / "out", options=options)
    assert (row["title"], row["source"]) == ("Tea", "memory://crawl/crawl-data/a.warc.gz")


def test_rows_of_an_index_without_a_place(tmp_path, plain, crawl):
    path = written(tmp_path, [crawl[0] | change for change in ({"offset": None}, {"length": -5}, {"filename": ""})])
    rows = list(bs.run_batch([path], tmp_path / "out", options=plain))
    assert {row["error"] for row in rows} == {"the row has no place of a record: filename, offset and length"}
    assert len(rows) == 3


@pytest.mark.browser
def test_a_record_is_rendered_without_anything_else(tmp_path, crawl):
    options = BatchOptions(format="jsonl", render=bs.RenderOptions(timeout=120.0))
    (row,) = bs.run_batch([written(tmp_path, crawl[:1])], tmp_path / "out", options=options)
    assert (row["title"], row["rendered"], row["url"]) == ("Tea", True, "https://a.org/")


def test_the_transcript_about_ranges(tmp_path, crawl, monkeypatch, run_lines):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, [crawl[0], crawl[2]])
    run_lines(section_of("Ranges of archives"))


@pytest.fixture
def run_lines():
    """Run the commands of a transcript, and compare the value behind each line of Python."""
    import shlex

    from blocksight.app.cli import main
    from click.testing import CliRunner

    def run(section):
        (transcript,) = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        for command in re.findall(r"^\$ blocksight (.*)$", transcript, re.MULTILINE):
            done = CliRunner().invoke(main, shlex.split(command))
            assert done.exit_code == 0, done.stderr
        examples = re.findall(r"^>>> (.*)\n((?:(?!\$|>>>).*\n)*)", transcript, re.MULTILINE)
        assert examples
        for code, printed in examples:
            assert str(eval(code, {"pandas": pandas})) == printed.strip()

    return run
