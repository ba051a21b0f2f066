"""Saved pages: bit for bit, or a clear word."""

import io
import json
import zipfile
from dataclasses import fields, replace

import numpy as np
import pytest
from blocksight import PageUnreadable, load, parse, save
from blocksight.page.geometry import Geometry, Paint
from blocksight.page.hidden import Hidden
from blocksight.page.page import Page
from blocksight.page.store import COLUMNS, VERSION, columns_of, dumps, loads
from conftest import equal_pages

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
    assert equal_pages(again, page)
    assert dumps(again) == (tmp_path / "a.page").read_bytes()


def test_loads_newer_version():
    newer = changed(
        dumps(parse(HTML)), "head.json", lambda head: json.dumps(json.loads(head) | {"version": VERSION + 1})
    )
    with pytest.raises(PageUnreadable, match="newer"):
        loads(newer)


def test_loads_flipped_bits():
    data = dumps(parse(HTML))
    for position in range(40, len(data), 97):
        broken = bytearray(data)
        broken[position] ^= 0xFF
        try:
            page = loads(bytes(broken), name="x")
        except PageUnreadable:
            continue
        # A flipped bit in a ZIP's slack (time stamps, attributes) changes nothing of the page.
        assert equal_pages(page, parse(HTML))


@pytest.mark.parametrize("cut", [0, 3, 50, 400])
def test_loads_truncated(cut):
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


def laid_out():
    """A page of one line of text, and its geometry, by hand."""
    page = parse(HTML, url="http://x/")
    nodes, texts = len(page), page.leaves
    return page.replace(
        geometry=Geometry(
            viewport=(800.0, 600.0),
            size=(800.0, 600.0),
            box=np.tile(np.float32([0, 0, 800, 20]), (nodes, 1)),
            paint_order=np.arange(nodes, dtype=np.int32),
            display=np.zeros(nodes, dtype=np.int32),
            position=np.zeros(nodes, dtype=np.uint8),
            opacity=np.ones(nodes, dtype=np.float32),
            invisible=np.zeros(nodes, dtype=bool),
            clips=np.zeros((nodes, 2), dtype=bool),
            font_size=np.full(nodes, 16, dtype=np.float32),
            font_weight=np.full(nodes, 400, dtype=np.int16),
            color=np.full(nodes, 0xFF, dtype=np.uint32),
            background=np.zeros(nodes, dtype=np.uint32),
            line_node=texts,
            line_box=np.tile(np.float32([0, 0, 100, 20]), (len(texts), 1)),
            line_start=np.zeros(len(texts), dtype=np.int32),
            line_length=np.full(len(texts), 3, dtype=np.int32),
            hidden=np.zeros(len(texts), dtype=np.uint8),
            paint=Paint(
                fill=np.full(nodes, 0xFF, dtype=np.uint32),
                image=np.zeros(nodes, dtype=bool),
                border=np.zeros((nodes, 4), dtype=np.float32),
                radius=np.zeros(nodes, dtype=np.float32),
                shadow=np.zeros(nodes, dtype=bool),
                holds=np.zeros(nodes, dtype=bool),
                scrolls=np.zeros((nodes, 2), dtype=bool),
            ),
        )
    )


def npy(column):
    out = io.BytesIO()
    np.save(out, column, allow_pickle=True)
    return out.getvalue()


def test_the_table_names_every_column():
    kept = {field.name for field in fields(Page)} | {f"geometry.{field.name}" for field in fields(Geometry)}
    kept |= {f"paint.{field.name}" for field in fields(Paint)}
    derived = {
        "url",
        "title",
        "language",
        "names",
        "strings",
        "geometry",
        "partial",
        "screenshot",
        "mhtml",
        "environment",
    } | {"rendered_hidden", "saved_from"}
    assert set(COLUMNS) == kept - derived - {"geometry.viewport", "geometry.size", "geometry.paint"}
    assert list(columns_of(laid_out())) == list(COLUMNS)
    assert equal_pages(loads(dumps(laid_out())), laid_out())


@pytest.mark.parametrize("name", COLUMNS)
def test_loads_other_types_and_shapes(name):
    column = columns_of(laid_out())[name]
    others = (
        column.astype(np.complex128),
        column.astype("U3"),
        column.astype(object),
        column.astype(np.int64 if column.dtype != np.int64 else np.int32),
        column.astype(column.dtype.newbyteorder(">")) if column.itemsize > 1 else column[:-1],
        column[:-1],
        np.concatenate([column, column]),
        column.reshape(1, *column.shape),
        column[:0],
    )
    for other in others:
        with pytest.raises(PageUnreadable, match=r"damaged \(.+\); render it again"):
            loads(changed(dumps(laid_out()), f"{name}.npy", lambda _, other=other: npy(other)))
    with pytest.raises(PageUnreadable, match=name):
        loads(changed(dumps(laid_out()), f"{name}.npy", lambda old: old[:-1]))


def forged(name, values):
    """The page with some numbers of a column set."""
    page = laid_out()
    column = columns_of(page)[name].copy()
    for place, value in values.items():
        column[place] = value
    return changed(dumps(page), f"{name}.npy", lambda _: npy(column))


NAN, INF = np.float32("nan"), np.float32("inf")


@pytest.mark.parametrize(("name", "values", "why"), [
    ("parent", {0: 0}, "no root"), ("parent", {3: 3}, "precedes its parent"), ("parent", {3: -1}, "second root"),
    ("parent", {3: -2}, "outside"), ("parent", {3: 99}, "outside"),
    ("parent", {5: 1}, "not contiguous"), ("parent", {4: 3}, "has children"), ("tag", {0: 99}, "outside"),
    ("tag", {0: -1}, "outside"), ("text", {0: 0}, "text of its own"), ("text", {4: 99}, "outside"),
    ("attribute_node", {0: 9}, "outside"), ("attribute_node", {0: 5, 1: 4}, "order"),
    ("attribute_name", {0: 99}, "outside"), ("attribute_value", {0: -1}, "outside"),
    ("geometry.box", {(0, 0): INF}, "outside"), ("geometry.box", {(0, 0): NAN}, "partly NaN"),
    ("geometry.box", {(0, 2): -1}, "negative"), ("geometry.paint_order", {0: -2}, "outside"),
    ("geometry.display", {0: 99}, "outside"), ("geometry.position", {0: 9}, "outside"),
    ("geometry.opacity", {0: 2}, "outside"), ("geometry.opacity", {0: NAN}, "outside"),
    ("geometry.font_size", {0: -1}, "outside"), ("geometry.font_size", {0: INF}, "outside"),
    ("geometry.font_weight", {0: 1001}, "outside"), ("geometry.line_node", {0: 99}, "outside"),
    ("geometry.line_node", {0: 8, 1: 7}, "order"), ("geometry.line_box", {(0, 0): NAN}, "outside"),
    ("geometry.line_box", {(0, 3): -1}, "negative"), ("geometry.line_start", {0: -1}, "outside"),
    ("geometry.line_length", {0: -1}, "outside"), ("geometry.hidden", {0: max(Hidden) + 1}, "outside"),
])  # fmt: skip
def test_loads_numbers_out_of_range(name, values, why):
    with pytest.raises(PageUnreadable, match=why):
        loads(forged(name, values))


@pytest.mark.parametrize("head", [
    "null", "[]", "7", '"head"', "{}", "[" * 100_000, '{"a":' * 100_000, "9" * 5_000,
])  # fmt: skip
def test_loads_malformed_head(head):
    with pytest.raises(PageUnreadable):
        loads(changed(dumps(laid_out()), "head.json", lambda _: head))


@pytest.mark.parametrize("value", [
    {"version": "1"}, {"version": None}, {"url": 3}, {"title": None}, {"title": "\ud800"}, {"language": []},
    {"partial": 1}, {"environment": []}, {"environment": {"a": 1}}, {"environment": {"a": "\ud800"}},
    {"viewport": None}, {"viewport": [1]},
    {"viewport": [0, 600]}, {"viewport": [float("nan"), 600]}, {"size": [-1, 1]}, {"size": [float("inf"), 1]},
    {"size": ["x", "y"]}, {"viewport": [10**400, 1]},
])  # fmt: skip
def test_loads_invalid_head_values(value):
    with pytest.raises(PageUnreadable, match="damaged"):
        loads(changed(dumps(laid_out()), "head.json", lambda head: json.dumps(json.loads(head) | value)))


@pytest.mark.parametrize("places", [
    [], [0], [0, 10**9], [1, 2], [0, -1], [5, 0], [0, 2, 1], [0, 2**62], [-1, 0],
])  # fmt: skip
def test_loads_invalid_offsets(places):
    with pytest.raises(PageUnreadable, match="strings"):
        loads(changed(dumps(laid_out()), "strings.npy", lambda _: npy(np.asarray(places, dtype=np.int64))))


def test_loads_huge_shape():
    huge = npy(np.zeros(6, dtype=np.int32)).replace(b"(6,)", b"(900000000000,)").replace(b" " * 12 + b"\n", b" \n")
    with pytest.raises(PageUnreadable, match="parent"):
        loads(changed(dumps(laid_out()), "parent.npy", lambda _: huge))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_loads_other_compression(compression):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(dumps(laid_out()))) as old, zipfile.ZipFile(out, "w") as archive:
        for name in old.namelist():
            archive.writestr(name, old.read(name), zipfile.ZIP_STORED if name == "head.json" else compression)
    with pytest.raises(PageUnreadable, match="packed in an unknown way"):
        loads(out.getvalue())


def test_flags_of_encryption_are_refused():
    data = bytearray(dumps(laid_out()))
    listed = data.index(b"PK\x01\x02")
    data[listed + 8] |= 1
    with pytest.raises(PageUnreadable, match="encrypted"):
        loads(bytes(data))


def test_loads_duplicate_members():
    out = io.BytesIO(dumps(laid_out()))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(out, "a") as archive:
        archive.writestr("head.json", "{}")
    with pytest.raises(PageUnreadable, match="twice"):
        loads(out.getvalue())


def test_a_text_node_without_text_is_read():
    page = laid_out()
    text = page.text.copy()
    text[page.leaves[0]] = -1
    emptied = replace(page, text=text, geometry=replace(page.geometry, hidden=page.geometry.hidden[1:]))
    assert equal_pages(loads(dumps(emptied)), emptied)
    assert emptied.text_of(int(page.leaves[0])) == ""


def test_pages_of_the_first_format_are_read_without_their_paint():
    page = laid_out()
    plain = page.replace(geometry=replace(page.geometry, paint=None))
    assert equal_pages(loads(dumps(plain)), plain)
    first = changed(dumps(plain), "head.json", lambda head: head.replace(b'"version": 2', b'"version": 1'))
    assert equal_pages(loads(first), plain)


def test_paint_that_lacks_a_column_is_damaged():
    whole = dumps(laid_out())
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.infolist():
            if member.filename != "paint.radius.npy":
                new.writestr(member.filename, old.read(member))
    with pytest.raises(PageUnreadable, match=r"paint\.radius\.npy is missing"):
        loads(out.getvalue())
