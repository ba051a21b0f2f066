"""One page of a corpus: its names, its bytes, and a choice of pages."""

import gzip
from pathlib import Path

import pytest
from blocksight.errors import PageFailed
from blocksight.gold.pages import GoldPage, GoldSnippets, sample


def gold_page(**more):
    return GoldPage(**({"corpus": "c", "id": "1", "path": Path("1.html")} | more))


def test_the_site_is_that_of_its_address_in_the_folder_else_its_domain_else_its_name():
    assert gold_page(url_path="/sites/one/x/y.html#/p", domain="d.org").site == "one"
    assert gold_page(url_path="/x.html", domain="d.org").site == "d.org"
    assert gold_page().site == "c/1"


def test_what_counts_as_gold():
    assert gold_page(texts=("",)).has_gold
    assert gold_page(texts=("a", "b")).text == "a"
    assert gold_page(snippets=GoldSnippets(must_not=("a",))).text == ""


@pytest.mark.parametrize("identity", ["a-1.b_é", "x" * 200])
def test_plain_names_of_files_stay_what_they_are(identity):
    assert gold_page(id=identity).file_name == identity


def test_other_names_of_files_are_made_plain_and_stay_apart():
    names = [gold_page(id=identity).file_name for identity in ("a/b", "a_b", "a?b", "x" * 201, "x" * 202, "../a")]
    assert len(set(names)) == len(names)
    assert names[0].startswith("a_b-")
    assert all("/" not in name and len(name) < 60 for name in names)


def test_bytes_are_unpacked_and_freed_of_their_wrapper(tmp_path):
    (tmp_path / "a.html").write_bytes(b'\n<text id="1">\n<p>a</p>\n</text>\n')
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>a</p>", mtime=0))
    assert gold_page(path=tmp_path / "a.html").raw() == b"\n<p>a</p>\n"
    assert gold_page(path=tmp_path / "a.html.gz").raw() == b"<p>a</p>"


TRUNCATED = (gzip.compress(b"<p>a</p>", mtime=0)[:-9], gzip.compress(b"<p>a</p>" * 99, mtime=0)[:30])


@pytest.mark.parametrize("data", [b"no gzip", *TRUNCATED])
def test_bytes_that_cannot_be_read(tmp_path, data):
    (tmp_path / "a.html.gz").write_bytes(data)
    with pytest.raises(PageFailed, match=r"a\.html\.gz: the file cannot be read"):
        gold_page(path=tmp_path / "a.html.gz").raw()


def test_a_sample_is_spread_over_the_kinds_and_always_the_same():
    pages = [gold_page(id=f"{kind}{n}", kind=kind) for kind in ("a", "b") for n in range(10)]
    chosen = sample(pages, 6)
    assert [page.kind for page in chosen] == ["a", "b"] * 3
    assert chosen == sample(iter(pages[::-1]), 6)
    assert sorted(page.id for page in sample(pages)) == sorted(page.id for page in pages)
