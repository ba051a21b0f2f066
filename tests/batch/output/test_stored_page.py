"""What is kept of a page in WARC: its records belong together, whatever the page's server wrote."""

import gzip

import blocksight as bs
import pytest
from blocksight.batch.output.warc_output import keep_warc, pending_path
from blocksight.batch.row_schema import whole_row
from blocksight.files.bounded_reader import BoundedReader
from blocksight.render.archives.warc import read_records
from blocksight.render.archives.warc_writer import gzip_records, http_response, make_record

ADDRESS = "https://a.org/"
HEAD = "WARC-Record-ID: <forged\nContent-Length: 3>\r\nWARC-Date: now\r\nWARC-Target-URI: https://a.org/\r\n"


@pytest.mark.parametrize("body", ["<p>Tea", f"<p>{HEAD}", f"\r\n\r\nWARC/1.1\r\n{HEAD}\r\n"])
def test_conversions_refer_to_the_answer_and_to_nothing_in_it(tmp_path, body):
    answer = http_response(200, [("Content-Type", "text/html")], body.encode())
    identity, written = make_record("response", answer, "application/http; msgtype=response", address=ADDRESS)
    page = bs.parse("<p>Tea", url=ADDRESS).replace(warc=gzip_records([written]))
    row = whole_row({"id": "a" * 32, "source": ADDRESS, "url": ADDRESS, "text": "Tea"})
    keep_warc(tmp_path, page, row)
    kept = pending_path(tmp_path, row["id"]).read_bytes()
    heads = [fields for fields, _ in read_records(BoundedReader(kept, max_bytes=10**6), 0)]
    assert [fields["warc-type"] for fields in heads] == ["warcinfo", "response", "conversion", "conversion"]
    assert [fields.get("warc-refers-to") for fields in heads] == [None, None, identity, identity]
    assert b"\r\n\r\nTea\r\n\r\n" in gzip.decompress(kept)


def test_a_page_of_which_nothing_was_loaded(tmp_path):
    row = whole_row({"id": "b" * 32, "source": "a b.html", "text": None})
    keep_warc(tmp_path, bs.parse("<p>Tea"), row)
    heads = [
        fields
        for fields, _ in read_records(BoundedReader(pending_path(tmp_path, row["id"]).read_bytes(), max_bytes=10**6), 0)
    ]
    assert [fields["warc-type"] for fields in heads] == ["warcinfo", "conversion"]
    assert heads[1]["warc-target-uri"].startswith("file:///")


def test_no_field_goes_over_several_lines():
    _, written = make_record(
        "response", b"", "text/html\r\nX: y", address="https://a.org/\r\nX: y", more=[("A", "b\nX: y")]
    )
    assert not any(line.startswith(b"X:") for line in written.splitlines())
