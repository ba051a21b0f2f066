"""Files that unpack to gigabytes are refused on the way: measured in a process of its own."""

import gzip
import io
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from blocksight import parse
from blocksight.page.store import dumps

#: Bytes that a refusal may take, all in all.
MOST = 200_000_000
GIGABYTE = 1_000_000_000
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured by /proc")
OPEN = """
import sys
from pathlib import Path
from blocksight.render.archives.archives import archive_kind
from blocksight.errors import PageFailed, PageUnreadable
from blocksight.render.sources.sources import archive_source, read_file
from blocksight.page.store import loads
for name in sys.argv[1:]:
    data = read_file(name, max_bytes=10_000_000)
    try:
        archive_source(data, name=name, max_bytes=10_000_000) if archive_kind(data) else loads(data)
    except (PageFailed, PageUnreadable) as error:
        print(Path(name).name, type(error).__name__, error)
# The most that this program held: what `resource` tells counts what held its parent, too.
print(next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line).split()[1])
"""


def blanks(size, *, window, head=b""):
    """A head and so many blanks, packed; without the end that is never reached."""
    packer = zlib.compressobj(9, wbits=window)
    begun = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    # The data between two full flushes may be repeated.
    piece = packer.compress(b" " * 1_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    return begun + piece * (size // 1_000_000)


def record(content, *, length=None):
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
    return f"{head}Content-Length: {len(content) if length is None else length}\r\n\r\n".encode() + content


ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def warc_of_one_large_record():
    return blanks(4 * GIGABYTE, window=31, head=record(ANSWER + b"\r\n", length=4 * GIGABYTE))


def warc_of_many_records():
    return gzip.compress(record(ANSWER + b"\r\n" + b" " * 9_000_000) + b"\r\n\r\n") * 200


def warc_of_packed_bodies():
    body = blanks(GIGABYTE, window=31)
    return gzip.compress(record(ANSWER + b"Content-Encoding: gzip\r\n\r\n" + body))


def warc_of_one_long_head():
    return blanks(GIGABYTE, window=31, head=b"WARC/1.0\r\nWARC-Type: ")


def warc_of_many_header_lines():
    return gzip.compress(b"WARC/1.0\r\n" + b"a:b\n" * 5_000_000, 1)


def page_of_one_large_column(*, declared=2**32 - 2):
    """A saved page whose column of parents unpacks to 3 GB, whatever is declared."""
    name, out = b"parent.npy", io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(dumps(parse("<p>some words")))) as old, zipfile.ZipFile(out, "w") as archive:
        for member in old.namelist():
            archive.writestr(member, blanks(3 * GIGABYTE, window=-15) if member == name.decode() else old.read(member))
    data = bytearray(out.getvalue())
    for entry, method, size in ((data.index(name) - 30, 8, 22), (data.rindex(name) - 46, 10, 24)):
        data[entry + method] = zipfile.ZIP_DEFLATED
        data[entry + size : entry + size + 4] = declared.to_bytes(4, "little")
    return bytes(data)


BOMBS = {
    "one.warc.gz": (warc_of_one_large_record, "Refused", "unpacks to more than"),
    "many.warc.gz": (warc_of_many_records, "Refused", "unpacks to more than"),
    "bodies.warc.gz": (warc_of_packed_bodies, "PageFailed", "no page in this archive"),
    "head.warc.gz": (warc_of_one_long_head, "Refused", "unpacks to more than"),
    "lines.warc.gz": (warc_of_many_header_lines, "PageFailed", "damaged"),
    "column.page": (page_of_one_large_column, "PageUnreadable", "unpacks to more than"),
    "lying.page": (lambda: page_of_one_large_column(declared=152), "PageUnreadable", "damaged"),
}


def test_bombs_are_refused_in_little_memory(tmp_path):
    for name, (make, _, _) in BOMBS.items():
        (tmp_path / name).write_bytes(make())
        assert (tmp_path / name).stat().st_size < 40_000_000
    files = [str(tmp_path / name) for name in BOMBS]
    done = subprocess.run([sys.executable, "-c", OPEN, *files], capture_output=True, text=True, check=True, timeout=120)
    *said, used = done.stdout.splitlines()
    for line, (name, (_, kind, why)) in zip(said, BOMBS.items(), strict=True):
        assert line.startswith(f"{name} {kind} ")
        assert why in line
    assert int(used) * 1024 < MOST
