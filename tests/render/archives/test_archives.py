"""Archives: written here, read and played back, with everything else out of reach."""

import gzip
import io
import zipfile
import zlib
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.render.archives.archives import archive_kind, read_archive

PAGE = (
    b"<!doctype html><title>Kept</title><link rel=stylesheet href=/a.css><p id=p>archived</p>"
    b"<iframe src=/inner></iframe><script src=/a.js></script><img src=http://elsewhere.example/x.png>"
)
ANSWERS = [
    ("http://kept.example/old", "301 Moved", "text/html", b"", "http://kept.example/"),
    ("http://kept.example/", "200 OK", "text/html; charset=utf-8", PAGE, ""),
    ("http://kept.example/a.css", "200 OK", "text/css", b"p { margin-left: 123px }", ""),
    ("http://kept.example/a.js", "200 OK", "text/javascript", b"fetch('/data').then(r => r.json()).then(d => "
     b"document.body.insertAdjacentHTML('beforeend', `<p>${d.said}</p>`))", ""),
    ("http://kept.example/data", "200 OK", "application/json", b'{"said": "fetched"}', ""),
    ("http://kept.example/inner", "200 OK", "text/html", b"<p>in the frame", ""),
    ("http://kept.example/second?a=1", "200 OK", "text/html; charset=iso-8859-1", b"<p>zweites, sch\xf6n", ""),
]  # fmt: skip


def record(kind, address, content):
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\nContent-Length: {len(content)}\r\n"
    mime = "application/http; msgtype=response" if kind == "response" else "application/warc-fields"
    return f"{head}Content-Type: {mime}\r\n\r\n".encode() + content + b"\r\n\r\n"


def warc(*, compressed=True):
    records = [record("warcinfo", "urn:x", b"software: test\r\n")]
    for address, status, kind, body, location in ANSWERS:
        chunked = address.endswith("a.css")
        sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if chunked else body
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n"
        head += f"Location: {location}\r\n" * bool(location) + "Transfer-Encoding: chunked\r\n" * chunked
        records.append(record("response", address, f"{head}\r\n".encode() + sent))
    return b"".join(gzip.compress(one, mtime=0) if compressed else one for one in records)


def wacz(first="datapackage.json", data=None, **how):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(first, "{}", **how)
        if data is not False:
            archive.writestr("archive/data.warc.gz", data or warc(), **how)
            archive.writestr("archive/later.warc", record("response", "http://later.example/", LATER), **how)
    return out.getvalue()


LATER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>later"

MHTML = b"""From: <Saved by a browser>
Snapshot-Content-Location: http://kept.example/
Subject: Kept
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="--x"

----x
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: http://kept.example/

<!doctype html><title>Kept</title><link rel=3Dstylesheet href=3D"cid:css-2@mhtml.blink"><p id=3Dp>archived gr=C3=BC=
n</p><iframe src=3D"cid:frame-3@mhtml.blink"></iframe>
----x
Content-Type: text/css
Content-ID: <css-2@mhtml.blink>

p { margin-left: 123px }
----x
Content-Type: text/html
Content-ID: <frame-3@mhtml.blink>

<p>in the frame
----x--
"""

ARCHIVES = {"warc.gz": warc(), "warc": warc(compressed=False), "mhtml": MHTML}


@pytest.mark.parametrize(("data", "kind"), [
    (warc(), "warc"), (warc(compressed=False), "warc"),
    (MHTML, "mhtml"), (MHTML.replace(b"\n", b"\r\n"), "mhtml"), (gzip.compress(b"<p>text", mtime=0), ""),
    (b"\x1f\x8b\x08", ""),
    (wacz(), "wacz"), (wacz("pages/pages.jsonl"), "wacz"), (wacz("[Content_Types].xml"), ""),
    (b"<p>text", ""), (b'{"logs": {}}', ""), (b"", ""), (b"MIME-Version: 1.0\n\ntext, not multipart/related", ""),
])  # fmt: skip
def test_kinds(data, kind):
    assert archive_kind(data[:4096]) == kind


@pytest.mark.parametrize("how", [{}, {"compress_type": zipfile.ZIP_DEFLATED}], ids=["stored", "packed"])
def test_every_archive_in_a_wacz(how):
    archive = read_archive(wacz(**how), name="a.wacz", max_bytes=10_000)
    first = ("http://kept.example/", "http://kept.example/inner", "http://kept.example/second?a=1")
    assert archive.pages == (*first, "http://later.example/")
    assert archive.page("http://later.example/")[1].body == b"<p>later"


@pytest.mark.parametrize(
    ("data", "why"),
    [(wacz(data=False), "there is no WARC in it"), (wacz()[:-40], "damaged"), (wacz(data=b"no warc"), "damaged")],
    ids=["empty", "cut off", "none"],
)
def test_a_damaged_wacz(data, why):
    with pytest.raises(bs.PageFailed, match=why):
        read_archive(data, name="a.wacz", max_bytes=10_000)


def test_a_wacz_that_unpacks_to_far_more_is_refused():
    packed = wacz(data=b"\0" * 400_000, compress_type=zipfile.ZIP_DEFLATED)
    with pytest.raises(bs.Refused, match="the WACZ archive is too large"):
        read_archive(packed, name="a.wacz", max_bytes=10_000)


@pytest.mark.parametrize("name", ["warc.gz", "warc"])
def test_what_is_in_it(name):
    archive = read_archive(ARCHIVES[name], name=name, max_bytes=10_000)
    assert archive.pages == ("http://kept.example/", "http://kept.example/inner", "http://kept.example/second?a=1")
    assert archive.resources["GET", "http://kept.example/data"].body == b'{"said": "fetched"}'
    moved = archive.resources["GET", "http://kept.example/old"]
    assert (moved.status, moved.location) == (301, "http://kept.example/")
    assert archive.page()[0] == "http://kept.example/"
    second = archive.page("http://kept.example/second?a=1#x")[1]
    assert second.body.decode(second.encoding) == "<p>zweites, schön"
    with pytest.raises(bs.PageFailed, match=r"no page of this archive; there is http://kept\.example/,"):
        archive.page("http://kept.example/third")
    small = read_archive(ARCHIVES[name], name=name, max_bytes=100)
    assert ("GET", "http://kept.example/") not in small.resources


@pytest.mark.parametrize("damaged", [
    warc()[:400], b"WARC/1.0\r\nnonsense",
])  # fmt: skip
def test_damaged_archives(damaged):
    with pytest.raises(bs.PageFailed, match=r"damaged|no page in this archive"):
        read_archive(damaged, name="x", max_bytes=1000).page()


@pytest.mark.browser
@pytest.mark.parametrize("name", ARCHIVES)
def test_played_back(browser, tmp_path, name):
    file = tmp_path / f"page.{name}"
    file.write_bytes(ARCHIVES[name])
    page = browser.open(file)
    texts = [text.strip() for text in page.leaf_texts]
    expected = ["archived grün", "in the frame"] if name == "mhtml" else ["archived", "in the frame", "fetched"]
    assert texts == expected
    assert page.url == "http://kept.example/"
    assert page.title == "Kept"
    assert page.geometry.line_box[0, 0] == 8 + 123


@pytest.mark.browser
def test_another_page_of_it(browser, tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(warc())
    page = browser.open(tmp_path / "a.warc.gz", url="http://kept.example/second?a=1")
    assert page.leaf_texts == ("zweites, schön",)
    with pytest.raises(bs.PageFailed, match="no page of this archive"):
        browser.open(warc(), url="http://kept.example/third")


@pytest.mark.browser
def test_what_the_browser_archives_it_plays_back(browser, address):
    options = bs.RenderOptions(allow_private=True, mhtml=True)
    page = browser.open(f"{address}/news/page.html", options=options)
    again = browser.open(page.mhtml, options=replace(options, mhtml=False))
    assert again.leaf_texts == page.leaf_texts
    assert abs(again.geometry.size[1] - page.geometry.size[1]) < 20


def mhtml_of(levels):
    """Parts in parts."""
    text = "Content-Type: text/html\nContent-Location: http://a.example/\n\n<p>words"
    for level in range(levels):
        head = f'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b{level}"\n\n'
        text = f"{head}--b{level}\n{text}\n--b{level}--\n"
    return text.encode()


def test_parts_in_parts():
    assert read_archive(mhtml_of(5), name="x", max_bytes=1000).page()[1].body == b"<p>words"
    with pytest.raises(bs.PageFailed, match=r"x: the MHTML archive is damaged \(its parts are nested"):
        read_archive(mhtml_of(1_500), name="x", max_bytes=1000)


@pytest.mark.parametrize("length", ["99999999999999999999", "-1", "1e3", "", "0x10", "\u0661", "12 "])
def test_lengths_that_are_none(length):
    odd = f"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n".encode()
    with pytest.raises(bs.PageFailed, match=r"Content-Length is no number|ends in the middle"):
        read_archive(odd, name="x", max_bytes=1000)


@pytest.mark.parametrize("cut", [30, 150, 230, 300, 700])
def test_a_warc_that_is_cut_off(cut):
    with pytest.raises(bs.PageFailed, match=r"damaged|no page in this archive"):
        read_archive(warc(compressed=False)[:cut], name="x", max_bytes=1000).page()


@pytest.mark.parametrize(("body", "header", "text"), [
    (gzip.compress(b"<p>a", mtime=0), "Content-Encoding: gzip", b"<p>a"),
    (gzip.compress(b"<p>a", mtime=0) + gzip.compress(b"b", mtime=0), "Content-Encoding: x-gzip", b"<p>ab"),
    (gzip.compress(b"<p>a", mtime=0)[:-3], "Content-Encoding: gzip", b"<p>a"),
    (zlib.compress(b"<p>a"), "Content-Encoding: deflate", b"<p>a"),
    (zlib.compress(b"<p>a", wbits=-15), "Content-Encoding: deflate", b"<p>a"),
    (b"<p>a", "Content-Encoding: gzip", b"<p>a"),
    (b"2\r\n<p\r\n2;x=y\r\n>a\r\n0\r\n\r\n", "Transfer-Encoding: chunked", b"<p>a"),
    (b"2\n<p\n2\n>a", "Transfer-Encoding: Chunked", b"<p>a"),
    (b"9999\r\n<p>a", "Transfer-Encoding: chunked", b"<p>a"),
    (b"<p>a", "Transfer-Encoding: chunked", b"<p>a"),
    (b"4\r\n<p>a\r\n0\r\n\r\n", "X: y\r\n folded\r\nTransfer-Encoding:\r\n chunked", b"<p>a"),
])  # fmt: skip
def test_bodies_as_servers_pack_them(body, header, text):
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n\r\n".encode() + body
    archive = read_archive(record("response", "http://a.example/", answer), name="x", max_bytes=1000)
    assert archive.page()[1].body == text


def test_answers_that_cannot_be_used_are_left_out():
    answers = (
        ("http://a.example/1", b"no answer"), ("http://[", b"HTTP/1.1 200 OK\r\n\r\n"),
        ("ftp://a.example/", b"HTTP/1.1 200 OK\r\n\r\n"), ("http://a.example/2", b"HTTP/1.1 2000 OK\r\n\r\n"),
        ("http://a.example/3", b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nx"),
    )  # fmt: skip
    data = b"".join(record("response", address, answer) for address, answer in answers)
    assert read_archive(data, name="x", max_bytes=1000).resources == {}
