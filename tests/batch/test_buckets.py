"""Sources and rows in a bucket: a local server for S3, and a store of fsspec."""

import gzip
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import blocksight as bs
import pytest
from blocksight.batch.sources.lists import check_lists, inputs_of
from blocksight.files import buckets
from blocksight.files.buckets import is_bucket_file, read_bucket_file
from generators.warc_records import http_response, make_record

pytestmark = pytest.mark.long

pytest.importorskip("moto.server", reason="needs moto[server]")

PAGE = (
    "<title>Tea {0}</title><h1>Tea {0}</h1><p>Pot number {0} is filled with fresh water, which boils for a while.</p>"
)
CRAWL = (("https://a.org/", "One"), ("https://a.org/two", "Two"))


def stream():
    """A WARC that is a single gzip stream."""
    records = [
        make_record(
            "response",
            http_response(200, [("Content-Type", "text/html")], f"<title>{title}</title><p>Page {title}.".encode()),
            "application/http; msgtype=response",
            address=address,
        )
        for address, title in CRAWL
    ]
    return gzip.compress(b"".join(records))


@pytest.fixture(scope="module")
def server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "INITIAL_NO_AUTH_ACTION_COUNT": "99999",
    }
    running = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(3000):
        with suppress(OSError), urllib.request.urlopen(f"{address}/moto-api/", timeout=5):
            break
        time.sleep(0.1)
    yield address
    running.kill()
    running.wait()


def call(address, method, data=None):
    request = urllib.request.Request(address, method=method, data=data, headers={"Content-Type": "text/plain"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


@pytest.fixture
def bucket(server, monkeypatch):
    """An empty bucket."""
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "right"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_ENDPOINT_URL", server),
        ("AWS_REGION", "us-east-1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ):
        monkeypatch.setenv(name, value)
    buckets._file_system.cache_clear()
    call(f"{server}/moto-api/reset", "POST", b"")
    call(f"{server}/tea", "PUT")
    yield "s3://tea"
    buckets._file_system.cache_clear()


def write_bucket_file(url, data):
    files, path = buckets.opened_bucket(url)
    with files.open_output_stream(path, compression=None) as stream:
        stream.write(data)


def fill(bucket):
    """Pages, lists and archives; return the number of pages."""
    for number in range(3):
        write_bucket_file(f"{bucket}/pages/{number}.html", PAGE.format(number).encode())
    write_bucket_file(f"{bucket}/pages/deep/3.html.gz", gzip.compress(PAGE.format(3).encode()))
    write_bucket_file(f"{bucket}/pages/style.css", b"p {}")
    write_bucket_file(f"{bucket}/crawl.warc.gz", stream())


def test_sources_in_a_bucket(bucket, plain, tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    fill(bucket)
    write_bucket_file(f"{bucket}/list.txt.gz", gzip.compress("\ufeff# pages\ns3://tea/pages/1.html\n".encode()))
    sources = [f"{bucket}/pages/", f"{bucket}/crawl.warc.gz", f"{bucket}/list.txt.gz"]
    check_lists(sources)
    rows = list(bs.run_batch(sources, tmp_path / "out", options=plain))
    assert [row["error_kind"] for row in rows] == [None] * 6
    titles = sorted(row["title"] for row in rows if row["title"])
    assert titles == ["One", "Tea 0", "Tea 1", "Tea 2", "Tea 3", "Two"]
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"url": ["https://a.org/", "https://b.org/"]}), sink)
    write_bucket_file(f"{bucket}/list.parquet", sink.getvalue().to_pybytes())
    assert [one.source for one in inputs_of([f"{bucket}/list.parquet"])] == ["https://a.org/", "https://b.org/"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
def test_a_list_with_a_byte_order_mark(bucket, encoding):
    write_bucket_file(f"{bucket}/list.csv", "url,n\nhttps://a.org/ä,1\n".encode(encoding))
    assert [one.source for one in inputs_of([f"{bucket}/list.csv"])] == ["https://a.org/ä"]


def test_what_is_not_there_is_an_error_or_a_row(bucket):
    with pytest.raises(ValueError, match=r"s3://tea/none\.txt: there is no such list"):
        check_lists([f"{bucket}/none.txt"])
    (one,) = inputs_of(["s3://none/pages/"])
    assert "s3://none/pages/: there is no such bucket" in one.error
    (other,) = inputs_of([f"{bucket}/none.warc.gz"])
    assert "no such file" in other.error
    with pytest.raises(ValueError, match="put the credentials into the environment"):
        list(inputs_of(["s3://key:secret@tea/pages/"]))
    assert [one.error_kind for one in inputs_of([f"{bucket}/a.html"], addresses_only=True)] == ["refused"]


def test_open_local_displaced_copies_are_still_read():
    for number in range(6):
        write_bucket_file(f"memory://copies/{number}", b"%d" % number)
    first, *others = (buckets.open_local(f"memory://copies/{number}") for number in range(6))
    assert [file.read() for file in (first, *others)] == [b"0", b"1", b"2", b"3", b"4", b"5"]
    for file in (first, *others):
        file.close()
    with buckets.open_local("memory://copies/0") as file:
        assert file.read() == b"0"


def test_the_container_of_an_address_of_azure():
    files, path = buckets.opened_bucket("abfss://crawl@tea.dfs.core.windows.net/pages/a.html")
    assert (files.type_name, path) == ("abfs", "crawl/pages/a.html")
    with pytest.raises(ValueError, match="put the credentials into the environment"):
        buckets.opened_bucket("abfss://crawl:secret@tea.dfs.core.windows.net/pages/a.html")


def test_wrong_credentials_are_named(server, bucket):
    call(f"{server}/moto-api/reset-auth", "POST", b"0")
    try:
        with pytest.raises(ValueError, match="access is denied: check the credentials") as error:
            check_lists([f"{bucket}/list.txt"])
        assert "AWS_PROFILE" in str(error.value)
    finally:
        call(f"{server}/moto-api/reset-auth", "POST", b"99999")


def test_a_server_that_is_not_there(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    buckets._file_system.cache_clear()
    with pytest.raises(ValueError, match="its server cannot be reached"):
        check_lists([f"{bucket}/list.txt"])


def test_another_store_of_fsspec():
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe_file("/corpus/a.html", PAGE.format(1).encode())
    assert [one.source for one in inputs_of(["memory://corpus/"])] == ["memory://corpus/a.html"]
    assert read_bucket_file("memory://corpus/a.html", 9) == b"<title>Te"
    assert is_bucket_file("memory://corpus/a.html")
    assert not is_bucket_file("memory://corpus/b.html")
