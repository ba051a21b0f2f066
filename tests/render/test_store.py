"""Saved pages: bit for bit, or a clear word."""

import io
import json
import zipfile

import pytest
from blocksight import PageUnreadable, load, parse, save
from blocksight.render.store import VERSION, dumps, loads

HTML = '<html lang="en"><title>T</title><p class="c">One 一 \U0001f600</p><p>two</p>'


def changed(data, member, new):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as archive:
        for name in old.namelist():
            archive.writestr(name, new(old.read(name)) if name == member else old.read(name))
    return out.getvalue()


def test_round_trip_is_bit_identical(tmp_path):
    page = parse(HTML, url="http://x/")
    save(page, tmp_path / "a.page")
    again = load(tmp_path / "a.page")
    assert again.equals(page)
    assert dumps(again) == (tmp_path / "a.page").read_bytes()


def test_a_newer_file_says_so():
    newer = changed(
        dumps(parse(HTML)), "head.json", lambda head: json.dumps(json.loads(head) | {"version": VERSION + 1})
    )
    with pytest.raises(PageUnreadable, match="newer"):
        loads(newer)


def test_damage_anywhere_is_named():
    data = dumps(parse(HTML))
    for position in range(40, len(data), 97):
        broken = bytearray(data)
        broken[position] ^= 0xFF
        try:
            page = loads(bytes(broken), name="x")
        except PageUnreadable:
            continue
        # A flipped bit in a ZIP's slack (time stamps, attributes) changes nothing of the page.
        assert page.equals(parse(HTML))


@pytest.mark.parametrize("cut", [0, 3, 50, 400])
def test_a_cut_file_is_unreadable(cut):
    with pytest.raises(PageUnreadable):
        loads(dumps(parse(HTML))[:cut])


def test_columns_that_point_outside_are_refused():
    page = parse(HTML)
    forged = changed(dumps(page), "strings.npy", lambda column: column[:-8])
    with pytest.raises(PageUnreadable, match="damaged"):
        loads(forged)


def test_no_such_file_and_no_page(tmp_path):
    with pytest.raises(PageUnreadable, match="No such file"):
        load(tmp_path / "none")
    (tmp_path / "other").write_text("<p>")
    with pytest.raises(PageUnreadable, match="no page saved"):
        load(tmp_path / "other")
