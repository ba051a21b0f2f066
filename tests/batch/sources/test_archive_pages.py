"""Archives of many pages: every page record, and each with the assets archived with it."""

import gzip
import io
import zipfile
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.batch.run import Run
from blocksight.batch.sources.archive_pages import page_at, pages_in, raw_at
from blocksight.batch.sources.lists import inputs_of
from blocksight.errors import PageFailed
from blocksight.render.sources.sources import RawPage
from generators.warc_records import gzip_records, http_response, make_record

LARGEST = 10_000_000
ANSWERS = (
    ("https://a.org/", "text/html", "<title>One</title><p>First page about tea and how it is made at home."),
    ("https://a.org/style.css", "text/css", "p { color: red }"),
    ("https://a.org/two", "text/html; charset=iso-8859-1", "<title>Two</title><p>Second page, für alle, about coffee."),
    ("https://a.org/", "text/html", "<title>Three</title><p>The first page as it was a day later, about water."),
)


def warc(answers=ANSWERS, *, gzipped=True):
    records = [make_record("warcinfo", b"software: test\r\n", "application/warc-fields")]
    for address, kind, body in answers:
        content = http_response(200, [("Content-Type", kind)], body.encode("latin-1"))
        records.append(make_record("response", content, "application/http; msgtype=response", address=address))
    return gzip_records(records) if gzipped else b"".join(records)


def wacz(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/a.warc.gz", data, zipfile.ZIP_STORED)
        archive.writestr("archive/b.warc", warc(ANSWERS[:1], gzipped=False), zipfile.ZIP_STORED)
    return out.getvalue()


@pytest.fixture(params=["a.warc", "a.warc.gz", "stream.warc.gz", "a.wacz"])
def archive(request, tmp_path):
    data = {
        "a.warc": lambda: warc(gzipped=False),
        "a.warc.gz": warc,
        "stream.warc.gz": lambda: gzip.compress(warc(gzipped=False)),
        "a.wacz": lambda: wacz(warc()),
    }[request.param]()
    path = tmp_path / request.param
    path.write_bytes(data)
    return path


def test_every_page_record_is_an_input(archive):
    found = list(inputs_of([archive]))
    whole = archive.name == "stream.warc.gz"
    wanted = ["https://a.org/", "https://a.org/two"]
    wanted += [] if whole else ["https://a.org/"]
    wanted += ["https://a.org/"] if archive.name == "a.wacz" else []
    assert [one.url for one in found] == wanted
    assert len({one.id for one in found}) == len(found)
    assert all(one.source == str(archive) for one in found)
    assert all((one.offset < 0) == whole for one in found)


def test_each_is_read_with_the_resources_of_its_archive(archive):
    one, two, *later = inputs_of([archive])
    page = page_at(str(archive), two.url, two.offset, largest=LARGEST)
    assert "für alle" in page.html
    assert page.address == "https://a.org/two"
    style = page.archive.resources["GET", "https://a.org/style.css"]
    assert (style.kind.partition(";")[0], style.body) == ("text/css", b"p { color: red }")
    assert page.archive.resources.get(("GET", "https://a.org/none")) is None
    assert "First page" in page_at(str(archive), one.url, one.offset, largest=LARGEST).html
    if later:
        assert "a day later" in page_at(str(archive), later[0].url, later[0].offset, largest=LARGEST).html


def test_without_a_browser(archive, plain, tmp_path):
    rows = list(bs.run_batch([archive], tmp_path / "out", options=plain))
    assert {row["error"] for row in rows} == {None}
    titles = {row["title"] for row in rows}
    assert {"One", "Two"} <= titles
    assert {row["url"] for row in rows} == {"https://a.org/", "https://a.org/two"}
    assert "für alle" in next(row["text"] for row in rows if row["title"] == "Two")


def test_what_comes_before_the_damage_is_done(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc()[:-40])
    found = list(inputs_of([path]))
    assert [one.url for one in found] == ["https://a.org/", "https://a.org/two", ""]
    assert found[-1].error.startswith("the archive is damaged (it ends in the middle of a record)")
    page = page_at(str(path), found[1].url, found[1].offset, largest=LARGEST)
    assert "Second page" in page.html
    assert page.archive.resources["GET", "https://a.org/style.css"].body == b"p { color: red }"


def test_an_archive_that_was_damaged_since_has_pages_that_failed(plain, tmp_path):
    path, data = tmp_path / "a.warc.gz", warc()
    path.write_bytes(data)
    with Run(tmp_path / "out", plain) as run:
        assert len(run._output.ledger.add(inputs_of([path]))) == 3
        _, second, _ = inputs_of([path])
        path.write_bytes(data[: second.offset] + b"\x1f\x8bno gzip" * 50)
        # The first page is before the damage.
        assert sorted(row["error_kind"] or "" for row in run.rows()) == ["", "failed", "failed"]


def test_what_is_too_large_is_said_by_the_options(plain, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc())
    options = replace(plain, render=bs.RenderOptions(max_bytes=30))
    assert list(bs.run_batch([path], tmp_path / "out", options=options)) == []


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04 no zip", b"WARC/1.1\r\n", b'{"log": {"entries": 7}}', b"\x1f\x8b\x08"]
)
def test_what_is_no_archive_is_one_input_with_a_reason(tmp_path, data):
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    (one,) = inputs_of([path])
    assert one.error


def test_an_archive_that_was_written_anew(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(warc(gzipped=False))
    place = [place for _, place in pages_in(str(path))][-1]
    path.write_bytes(warc(ANSWERS[:1], gzipped=False) + b" " * 5000)
    with pytest.raises(PageFailed, match="was the archive overwritten"):
        raw_at(str(path), "https://a.org/", place, largest=LARGEST)


def test_answers_that_are_too_large_are_left_out(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc((("https://a.org/", "text/html", "x" * 5_000_000), *ANSWERS[2:3])))
    assert [address for address, _ in pages_in(str(path), largest=1_000_000)] == ["https://a.org/two"]


def test_one_page_of_a_wacz_is_opened_by_its_address(tmp_path):
    path = tmp_path / "a.wacz"
    path.write_bytes(wacz(warc()))
    raw = RawPage(data=path.read_bytes(), name=str(path), url="https://a.org/two", encoding=None, limit=10_000_000)
    assert "Second page, für alle" in "".join(raw.page().leaf_texts)
