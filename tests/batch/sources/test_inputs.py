"""An input is the same whenever it is the same page."""

import os

import pytest
from blocksight.batch.sources.inputs import (
    canonical,
    input_of,
    is_web_address,
    read_input,
    refused_input,
    unreadable_input,
)
from blocksight.errors import PageFailed
from blocksight.render.sources.sources import checked_address, is_address
from hypothesis import given
from hypothesis import strategies as st


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


def test_pages_of_an_archive_are_distinguished_by_address_and_place():
    found = {input_of("a.warc", url="http://a/", offset=place).id for place in (0, 1, 1)}
    assert len(found) == 2
    assert input_of("a.warc", url="http://b/").id not in found


@pytest.mark.parametrize("source", ["https://[broken", "http://", "https://example.org:port/"])
def test_what_is_no_address_has_an_identity_too(source):
    assert canonical(source) == f"address:{source}"
    assert len(input_of(source).id) == 32
    assert input_of(source).host in ("", source)


@pytest.mark.parametrize(
    "one",
    [input_of("Ä.warc", url="http://a/ü", offset=7), unreadable_input("a", "no", place="3"), refused_input("/etc/x")],
)
def test_it_is_written_and_read_back(one):
    assert read_input(one.id, one.to_json()) == one


def test_what_an_earlier_version_wrote_is_read():
    assert read_input("a" * 32, '["a", "", -1, "no"]').error_kind == "source"


@pytest.mark.parametrize("name", ["{a}/{id}.page", "corpus/pages/{a}/{id}.page", "https://example.org/{a}/{id}.page"])
def test_no_name_takes_the_identity_of_another_input(name):
    other = input_of("https://example.org/a").id
    assert input_of(name.format(a=other[:2], id=other)).id != other


def test_a_kept_page_of_two_folders_is_two_inputs(tmp_path):
    paths = [tmp_path / folder / "ab" / f"{'ab' * 16}.page" for folder in ("one", "two")]
    assert input_of(paths[0]).id != input_of(paths[1]).id


def test_a_line_and_a_file_of_its_name_are_two_inputs():
    assert unreadable_input("a.csv", "no", place="3").id != input_of("a.csv:3").id
    assert unreadable_input("a.csv", "no").id != input_of("a.csv").id
    assert unreadable_input("-", "no", place="3", text="x").id != unreadable_input("-", "no", place="3", text="y").id


def test_a_path_is_no_address_of_another_scheme():
    assert os.path.realpath("//a/b") != "//a/b" or input_of("//a/b").id != input_of("file://a/b").id


#: Names that were chosen to be read as something else.
HOSTILE = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["file:", "address:", "error", "duplicate", "[", '"', "\n", "-1", "a", "a" * 32, "/", "ab/",
                         ".page", "http://", "https://a.org", ":80", "#", "?", "@", "%41", "%", " ",
                         "\\", "..", "\ud800", "é"]),
        max_size=6,
    ).map("".join),
)  # fmt: skip


@given(st.lists(st.tuples(HOSTILE, HOSTILE, st.integers(-1, 3)), max_size=6))
def test_identities_are_equal_for_equal_pages_only(given_):
    by_id = {}
    for source, url, offset in given_:
        page = (canonical(source), url, offset)
        assert by_id.setdefault(input_of(source, url=url, offset=offset).id, page) == page
        for text in (source, url):
            by_id.setdefault(unreadable_input(source, text, place=str(offset)).id, ("error", page[0], offset, text))
    assert len(set(by_id.values())) == len(by_id)


@given(HOSTILE, HOSTILE)
def test_only_pages_share_a_canonical_form(one, other):
    def opened(source):
        """Return what is opened: the address that is requested, or the file."""
        try:
            return checked_address(source) if is_address(source) else os.path.realpath(source)
        except (PageFailed, ValueError):
            return source.strip() if is_address(source) else source

    if canonical(one) == canonical(other) and is_address(one) and is_web_address(one):
        assert canonical(opened(one)) == canonical(opened(other))
    elif canonical(one) == canonical(other):
        assert opened(one) == opened(other)


@pytest.mark.parametrize("source", ["http://a.org", " HTTPS://a.org/ ", "https://[broken"])
def test_web_addresses(source):
    assert is_web_address(source)


@pytest.mark.parametrize(
    "source",
    ["/etc/passwd", "file:///etc/passwd", "FILE:///etc/passwd", "view-source:http://a.org/", "data:text/html,<p>a",
     "blob:http://a.org/1", "javascript:1", "about:blank", "ftp://a.org/", "http:/a.org", "http:a", "//a.org/", "@list",
     "-", "", "chrome://version", "\u212bttp://a.org/", "ht\ntp://a.org/", "http\0://a.org/", "file:///a#http://b.org/"],
)  # fmt: skip
def test_what_is_no_web_address(source):
    assert not is_web_address(source)


def test_the_host_of_an_input():
    assert input_of("HTTPS://A.org/b").host == "https://a.org"
    assert input_of("http://a.org:81/b").host == "http://a.org:81"
    assert input_of("a.html").host == ""
