"""Sources and rows in a bucket: a local server for S3, and a store of fsspec."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.batch.output.bucket_shards import OWNER, BucketShards
from blocksight.batch.output.shards import FORMATS
from blocksight.batch.sources.inputs import input_of
from blocksight.batch.sources.lists import check_lists, inputs_of
from blocksight.errors import RunStopped, SettingsMismatch
from blocksight.files import buckets
from blocksight.files.buckets import bucket_files, is_bucket_file, read_bucket_file, write_bucket_file
from blocksight.render.archives.warc_writer import http_response, make_record

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
        )[1]
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


def rows_in(place, form="parquet"):
    parts = BucketShards.__new__(BucketShards)
    super(BucketShards, parts).__init__(place, form)
    return [row for number in parts.numbers() for row in parts.read(number)]


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
    assert [row["error_kind"] for row in rows if row["error_kind"] != "duplicate"] == [None] * 6
    titles = sorted(row["title"] for row in rows if row["title"])
    assert titles == ["One", "Tea 0", "Tea 1", "Tea 2", "Tea 3", "Two"]
    assert [row["source"] for row in rows if row["error_kind"] == "duplicate"] == ["s3://tea/pages/1.html"]
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


@pytest.mark.parametrize("form", FORMATS)
def test_rows_in_a_bucket(bucket, plain, pages, quick, tmp_path, form):
    options, place = replace(plain, rows=f"{bucket}/corpus", format=form), f"{bucket}/corpus"
    listed = list(bs.run_batch([pages], tmp_path / "out", options=options))
    assert len(listed) == 7
    assert {row["id"] for row in rows_in(place, form)} == {row["id"] for row in listed}
    assert not (tmp_path / "out" / "rows").exists()
    assert list(bs.run_batch([pages], tmp_path / "out", options=options)) == []
    again = list(bs.run_batch([], tmp_path / "out", options=replace(options, since=time.time() + 1)))
    assert len(again) == len(rows_in(place, form)) == 7
    assert sorted(url.rpartition("/")[2] for url in bucket_files(place))[0] == OWNER


def test_another_run_is_refused_and_a_lost_folder_is_taken_over(bucket, plain, pages, quick, tmp_path):
    options = replace(plain, rows=f"{bucket}/corpus")
    list(bs.run_batch([pages], tmp_path / "out", options=options))
    with pytest.raises(RunStopped, match=r"has the rows of the run in .*out on .* choose another place") as refusal:
        list(bs.run_batch([pages], tmp_path / "other", options=options))
    assert "delete s3://tea/corpus/_run.json" in str(refusal.value)
    buckets.delete_bucket_file(f"{bucket}/corpus/{OWNER}")
    assert list(bs.run_batch([pages], tmp_path / "other", options=options)) == []
    with pytest.raises(SettingsMismatch, match="rows"):
        list(bs.run_batch([pages], tmp_path / "other", options=plain))


def test_a_bucket_that_vanishes_loses_nothing(server, bucket, plain, pages, quick, tmp_path):
    options = replace(plain, rows=f"{bucket}/corpus")
    rows = bs.run_batch([pages], tmp_path / "out", options=options)
    listed = [next(rows)["id"] for _ in range(4)]
    call(f"{server}/moto-api/reset", "POST", b"")
    with pytest.raises(
        RunStopped, match=r"_run.json is gone: the bucket was emptied.*; the rows so far are in the ledger"
    ):
        list(rows)
    call(f"{server}/tea", "PUT")
    rest = [row["id"] for row in bs.run_batch([pages], tmp_path / "out", options=replace(options, retry=("missing",)))]
    there = [row["id"] for row in rows_in(f"{bucket}/corpus")]
    assert len(there) == len(set(there)) == 7
    assert set(listed[:3]) <= set(rest), "rows whose file vanished are done again"


def test_a_place_that_another_run_takes_meanwhile_gets_no_more_rows(bucket, plain, pages, quick, tmp_path):
    """As two runs that start at once, both of which find the place empty."""
    options = replace(plain, rows=f"{bucket}/corpus")
    rows = bs.run_batch([pages], tmp_path / "out", options=options)
    listed = [next(rows)["id"]]
    buckets.delete_bucket_file(f"{bucket}/corpus/{OWNER}")
    other = list(bs.run_batch([pages / "0.html"], tmp_path / "other", options=options))
    with pytest.raises(RunStopped, match=r"has the rows of the run in .*other on"):
        listed.extend(row["id"] for row in rows)
    assert [row["id"] for row in rows_in(f"{bucket}/corpus")] == [row["id"] for row in other]
    rest = bs.run_batch([pages], tmp_path / "out", options=replace(options, rows=f"{bucket}/corpus"))
    with pytest.raises(RunStopped, match="choose another place"):
        list(rest)


def test_an_interrupted_claim_is_claimed_again(bucket, plain, pages, quick, tmp_path):
    write_bucket_file(f"{bucket}/corpus/{OWNER}", b"")
    assert len(list(bs.run_batch([pages], tmp_path / "out", options=replace(plain, rows=f"{bucket}/corpus")))) == 7
    assert json.loads(read_bucket_file(f"{bucket}/corpus/{OWNER}", 1000))["folder"] == str(tmp_path / "out")


def test_open_local_displaced_copies_are_still_read():
    for number in range(6):
        write_bucket_file(f"memory://copies/{number}", b"%d" % number)
    first, *others = (buckets.open_local(f"memory://copies/{number}") for number in range(6))
    assert [file.read() for file in (first, *others)] == [b"0", b"1", b"2", b"3", b"4", b"5"]
    for file in (first, *others):
        file.close()
    with buckets.open_local("memory://copies/0") as file:
        assert file.read() == b"0"


def test_credentials_in_the_place_of_rows_are_refused_before_anything_is_written(plain):
    with pytest.raises(ValueError, match="put the credentials into the environment") as error:
        replace(plain, rows="s3://key:secret@tea/corpus")
    assert "secret" not in str(error.value)


def test_the_container_of_an_address_of_azure():
    files, path = buckets.opened_bucket("abfss://crawl@tea.dfs.core.windows.net/pages/a.html")
    assert (files.type_name, path) == ("abfs", "crawl/pages/a.html")
    with pytest.raises(ValueError, match="put the credentials into the environment"):
        buckets.opened_bucket("abfss://crawl:secret@tea.dfs.core.windows.net/pages/a.html")


def test_wrong_credentials_are_named(server, bucket, plain, pages, quick, tmp_path):
    call(f"{server}/moto-api/reset-auth", "POST", b"0")
    try:
        with pytest.raises(RunStopped, match="access is denied: check the credentials") as error:
            list(bs.run_batch([pages], tmp_path / "out", options=replace(plain, rows=f"{bucket}/corpus")))
        assert "AWS_PROFILE" in str(error.value)
    finally:
        call(f"{server}/moto-api/reset-auth", "POST", b"99999")


def test_a_server_that_is_not_there(bucket, plain, monkeypatch, tmp_path):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    buckets._file_system.cache_clear()
    with pytest.raises(ValueError, match="its server cannot be reached"):
        check_lists([f"{bucket}/list.txt"])


RUN = """
import sys
from blocksight.batch.batch_options import BatchOptions, RateLimits
import blocksight as bs

options = BatchOptions(
    browser=False, system="bte", workers=1, shard_rows=3, rows=sys.argv[3], limits=RateLimits(robots=False, delay=0.0)
)
for row in bs.run_batch([sys.argv[1]], sys.argv[2], options=options):
    print(row["id"], flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_while_it_writes(bucket, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02d}.html").write_text(PAGE.format(number))
    place, out = f"{bucket}/corpus", tmp_path / "out"
    command = [sys.executable, "-c", RUN, str(folder), str(out), place]
    for rows in (4, 7, 9, 12, 2):
        running = subprocess.Popen(command, stdout=subprocess.PIPE)
        for _ in range(rows):
            running.stdout.readline()
        running.send_signal(signal.SIGKILL)
        running.communicate()
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    there = [row["id"] for row in rows_in(place)]
    assert sorted(there) == sorted(input_of(path).id for path in folder.iterdir())


def test_another_store_of_fsspec(plain, pages, quick, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe_file("/corpus/a.html", PAGE.format(1).encode())
    assert [one.source for one in inputs_of(["memory://corpus/"])] == ["memory://corpus/a.html"]
    assert read_bucket_file("memory://corpus/a.html", 9) == b"<title>Te"
    assert is_bucket_file("memory://corpus/a.html")
    assert not is_bucket_file("memory://corpus/b.html")
    list(bs.run_batch([pages], tmp_path / "out", options=replace(plain, rows="memory://rows")))
    assert len(rows_in("memory://rows")) == 7
