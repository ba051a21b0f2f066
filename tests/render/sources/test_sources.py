"""What can be opened, and the word for what cannot."""

import pytest
from blocksight import PageFailed, Refused
from blocksight.render.sources.sources import checked_address, html_source, is_address, read_file, too_large_error


@pytest.mark.parametrize(
    "source", ["http://a/", "https://a.b/c?d", "HTTP://A/", "file:///etc/passwd", "chrome://crash"]
)
def test_addresses_have_a_scheme(source):
    assert is_address(source)


@pytest.mark.parametrize("source", ["a.html", "/tmp/a", "-", "", "://x", r"C:\a.html"])
def test_paths_have_none(source):
    assert not is_address(source)


@pytest.mark.parametrize("source", ["file:///etc/passwd", "ftp://a/b", "chrome://crash", "javascript://x"])
def test_only_http_is_opened(source):
    with pytest.raises(Refused, match="only http and https"):
        checked_address(source)


@pytest.mark.parametrize("source", ["http://", "http://a b/", "http://[::1", "http://a:99999/"])
def test_what_is_no_address(source):
    with pytest.raises(PageFailed, match="no address"):
        checked_address(source)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\x89PNG\r\n", "a PNG"),
        (b"PK\x03\x04....", "ZIP"),
        (bytes(range(256)) * 4, "binary"),
    ],
)
def test_what_is_no_page(data, why):
    with pytest.raises(PageFailed, match=why):
        html_source(data, name="x", max_bytes=10**6)


def test_utf16_is_no_binary_data():
    assert html_source("<p>é</p>".encode("utf-16"), name="x", max_bytes=10**6).html == "<p>é</p>"


def test_the_limit_on_bytes(tmp_path):
    with pytest.raises(Refused, match="above the limit"):
        html_source(b"x" * 11, name="x", max_bytes=10)
    (tmp_path / "big.html").write_bytes(b"x" * 11)
    with pytest.raises(Refused, match="above the limit"):
        read_file(tmp_path / "big.html", max_bytes=10)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(PageFailed, match="directory"):
        read_file(tmp_path, max_bytes=10)
    with pytest.raises(PageFailed, match="no such file"):
        read_file(tmp_path / "none.html", max_bytes=10)
    with pytest.raises(PageFailed, match=r"https://example\.org"):
        read_file("example.org", max_bytes=10)


@pytest.mark.parametrize(
    ("size", "words"),
    [(12_345_678, "12.3 MB"), (1_234_567_890_123, "1,234.6 GB"), (10**20, "more, above the limit")],
)
def test_sizes_in_words(size, words):
    assert words in too_large_error("x", size, 10_000_000).reason
