"""An input is the same whenever it is the same page."""

import pytest
from blocksight.batch.sources.inputs import canonical, input_of, read_input


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org", "HTTPS://Example.ORG:443/"),
        ("http://example.org:80/a b", "http://example.org/a%20b"),
    ],
)
def test_the_same_address_is_the_same_input(one, other):
    assert input_of(one).id == input_of(other).id


@pytest.mark.parametrize(
    "other",
    ["http://example.org/a", "https://example.org/A", "https://example.org/a?b", "https://example.org/a#b",
     "https://example.org:8443/a", "https://me@example.org/a"],
)  # fmt: skip
def test_other_addresses_are_other_inputs(other):
    assert input_of(other).id != input_of("https://example.org/a").id


def test_a_file_is_the_same_by_every_path(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_text("<p>a")
    monkeypatch.chdir(tmp_path)
    assert input_of("a.html").id == input_of(tmp_path / "a.html").id == input_of("./a.html").id
    assert input_of("a.html").source == "a.html"


def test_pages_of_an_archive_are_told_apart_by_address_and_place():
    found = {input_of("a.warc", url="http://a/", offset=place).id for place in (0, 1, 1)}
    assert len(found) == 2
    assert input_of("a.warc", url="http://b/").id not in found


@pytest.mark.parametrize("source", ["https://[broken", "http://", "https://example.org:port/"])
def test_what_is_no_address_has_an_identity_too(source):
    assert canonical(source) == source
    assert len(input_of(source).id) == 32
    assert input_of(source).host in ("", source)


def test_it_is_written_and_read_back():
    one = input_of("Ä.warc", url="http://a/ü", offset=7, error="no")
    assert read_input(one.id, one.to_json()) == one


def test_a_kept_page_keeps_its_identity():
    one = "ab" * 16
    assert input_of(f"corpus/pages/ab/{one}.page").id == one
    assert input_of(f"ab/{one}.page").id == one
    assert input_of(f"pages/cd/{one}.page").id != one
    assert input_of(f"{one}.page").id != one


def test_the_host_of_an_input():
    assert input_of("HTTPS://A.org/b").host == "https://a.org"
    assert input_of("http://a.org:81/b").host == "http://a.org:81"
    assert input_of("a.html").host == ""
