"""Odd input for fuzzing: valid files of each kind, ways to damage them, and a grammar of odd HTML."""

from __future__ import annotations

import gzip
import io
import json
import random
import string
import tempfile
import warnings
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import blocksight as bs
import numpy as np
from blocksight.classify.model.model import shipped_model
from blocksight.classify.systems.learning.trainable import FOLDER
from blocksight.gold.corpora import read_corpus
from blocksight.page.geometry import Geometry
from blocksight.page.store import dumps
from blocksight.train.build_dataset import PageRowStore, Plan, build_dataset
from blocksight.train.train_system import trainable
from numpy.typing import NDArray

#: Replacements of valid values.
NUMBERS = ("0", "-1", "1", "2147483648", "-2147483649", "9" * 20, "1e308", "-0.0", "NaN", "Infinity", "-Infinity")
VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 2**31, 2**63, 10**30, 1e308, float("nan"), float("inf"), "", "\x00", "\ud800", "x" * 5000,
    [], {}, [[]], [None], {"": None}, "../../x", "http://[", "http://a\x00b/", [1, "a", None], {"a": {"b": []}},
)  # fmt: skip
PLACED = (0, -1, 1, 2, 5, 127, 255, 10**6, 2**31 - 1, 1e8, -1e8, 1e-30, 0.5, float("nan"), float("inf"), -1e30)
TAGS = (
    "a abbr article aside b base blockquote body br button caption center code col colgroup dd details dialog div "
    "dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h6 head header hr html i "
    "iframe img input isindex label legend li link listing main map math marquee menu meta mglyph mi nav nobr "
    "noembed noframes noscript object ol optgroup option p param picture plaintext pre q rp rt ruby s script "
    "search section select slot small source span strong style sub summary sup svg table tbody td template "
    "textarea tfoot th thead title tr track tt u ul var video wbr xmp foreignObject desc annotation-xml x-custom "
    "image"
).split()
ATTRIBUTES = (
    "href src style class id hidden lang dir title role aria-level aria-hidden content name property charset "
    "http-equiv colspan rowspan start value alt type datetime shadowrootmode itemprop xml:lang xlink:href data- "
    "lang width height"
).split()
ODD = (
    "", " ", "\x00", "\t", "\r\n", "\u00a0", "\u200b", "\u202e", "\ufeff", "\ufffe", "\ud800", "\U0010ffff",
    "\u3000", "\x1f",
    "&amp;", "&#0;", "&#xD800;", "&#99999999;", "&notin", "<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "</", "<", ">",
    "display:none", "visibility:hidden", "javascript:x", "http://[::1", "//", "#", "?", "data:,x", "1e9", "-5", "٣",
    "© Copyright 2024", "Share this", "cookie", "文字", "ไทย", "عربي", "a" * 300, "[](x)", "**_`|~\\", "1.", "- ", "> ",
)  # fmt: skip
CHARSETS = (
    "utf-8 utf-16 utf-7 hex rot13 idna punycode undefined unicode_escape big5 iso-2022-jp x-user-defined none".split()
)

#: Beginnings of files in other formats and encodings.
CODED = (
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x1f\x8b\x08", b"%PDF-1.7\n", b"PK\x03\x04",
    b"\x89PNG\r\n", b"GIF89a", b"\x00asm", b"<?xml version='1.0' encoding='", b"<svg>", b"<math>", b"<plaintext>",
    b"<script>", b"<!--", b"<table>", b"<template>", b"\x1b$B", b"+/v8-", b"<meta charset=",
)  # fmt: skip

# -- how things are damaged -----------------------------------------------------------------------------------------


def damaged(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """Damage bytes in one to eight ways; ``other`` is spliced in."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 8))):
        place, length = dice.randrange(len(changed) + 1), dice.choice((1, 2, 4, 16, 200))
        match dice.randrange(8):
            case 0 if changed:
                changed[place % len(changed)] ^= 1 << dice.randrange(8)
            case 1:
                changed[place : place + length] = dice.randbytes(length)
            case 2:
                del changed[place:]
            case 3:
                del changed[place : place + length]
            case 4:
                changed[place:place] = changed[place : place + length] * dice.choice((1, 2, 50))
            case 5:
                start = dice.randrange(len(other) + 1)
                changed[place : place + length] = other[start : start + length * 4]
            case 6:
                changed[place : place + 4] = dice.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1)).to_bytes(4, "little")
            case _:
                changed[place:place] = dice.choice((*NUMBERS, *ODD)).encode("utf-8", "replace")
    return bytes(changed)


def odd_json(value: object, dice: random.Random) -> object:
    """Put odd values in some places of a JSON value."""
    if dice.random() < 0.05:
        return dice.choice(VALUES)
    if isinstance(value, dict):
        kept = {name: odd_json(one, dice) for name, one in value.items() if dice.random() > 0.03}
        return kept | ({dice.choice([*kept, "x"]): dice.choice(VALUES)} if dice.random() < 0.1 else {})
    if isinstance(value, list):
        return [odd_json(one, dice) for one in value for _ in range(dice.choice((1, 1, 1, 1, 1, 1, 0, 2)))]
    return value


def damaged_json(text: bytes, dice: random.Random) -> bytes:
    if dice.random() < 0.1:
        return damaged(text, text, dice)
    if dice.random() < 0.02:
        return b"[" * dice.choice((100, 1_500, 100_000))
    return json.dumps(odd_json(json.loads(text), dice)).encode("utf-8", "replace")


def damaged_array(data: bytes, dice: random.Random) -> bytes:
    """Put odd numbers in an array, or numbers that stand elsewhere in it, or give it another type or shape."""
    array = np.load(io.BytesIO(data))
    flat = array.reshape(-1)
    for _ in range(dice.choice((1, 1, 3, 30)) if len(flat) else 0):
        value = dice.choice(flat) if dice.random() < 0.7 else dice.choice(PLACED)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flat[dice.randrange(len(flat))] = np.asarray(value).astype(array.dtype)
    if dice.random() < 0.7:
        return _written(array)
    match dice.randrange(6):
        case 0:
            array = array.astype(dice.choice(("<i4", "<i8", ">i4", "<f8", "<u2", "?", "<U3", "<c16", "<M8[s]", "V4")))
        case 1:
            array = array[: dice.randrange(len(array) + 1)] if array.ndim else array.reshape(1)
        case 2:
            array = np.concatenate([array, array]) if array.ndim else array
        case 3:
            array = array.T.copy(order="F")
        case 4 if len(flat):
            array = flat[np.argsort([dice.random() for _ in flat])].reshape(array.shape)
        case _:
            return damaged(_written(array), data, dice)
    return _written(array)


def _written(array: NDArray[Any]) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def damaged_zip(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """Damage the members of a ZIP archive, or its bytes."""
    if dice.random() < 0.25:
        return damaged(data, other, dice)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = old.namelist()
        chosen = set(dice.choices(names, k=dice.choice((1, 1, 2, 3))))
        method = dice.choice((*[zipfile.ZIP_DEFLATED] * 100, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
        with zipfile.ZipFile(out, "w") as archive:
            for name in names:
                content = old.read(name)
                if name in chosen:
                    if dice.random() < 0.05:
                        continue
                    content = _damaged_member(name, content, dice)
                archive.writestr(name, content, zipfile.ZIP_STORED if name == "head.json" else method)
                if dice.random() < 0.0005:
                    archive.writestr(name, content)
    return out.getvalue()


def _damaged_member(name: str, content: bytes, dice: random.Random) -> bytes:
    if name == "head.npy":
        head = np.load(io.BytesIO(content)).tobytes()
        return _written(np.frombuffer(damaged_json(head, dice), dtype=np.uint8))
    if name.endswith(".npy"):
        return damaged_array(content, dice)
    if name.endswith(".json"):
        return damaged_json(content, dice)
    if dice.random() < 0.2:
        return damaged(content, content, dice)
    place = dice.randrange(len(content))
    odd = dice.choice((*ODD, *TAGS)).encode("utf-8", "replace")[: len(content) - place]
    return content[:place] + odd + content[place + len(odd) :]


# -- pages of a grammar ---------------------------------------------------------------------------------------------


def odd_html(
    dice: random.Random, *, pieces: tuple[int, ...] = (1, 3, 10, 40), depths: tuple[int, ...] = (0, 2, 4)
) -> str:
    """Write a page that no editor would: tags of all kinds, closed or not, with odd attributes and odd text."""
    head = dice.choice(("", "<!doctype html>", "<html><head>", f'<meta charset="{dice.choice(CHARSETS)}">', "\ufeff"))
    title = f"<title>{_text(dice)}</title>" if dice.random() < 0.5 else ""
    return head + title + "".join(_piece(dice, dice.choice(depths)) for _ in range(dice.choice(pieces)))


def _piece(dice: random.Random, depth: int) -> str:
    kind = dice.random()
    if depth == 0 or kind < 0.3:
        return _text(dice)
    tag = dice.choice(TAGS)
    inner = "".join(_piece(dice, depth - 1) for _ in range(dice.choice((0, 1, 1, 2, 4))))
    written = "".join(_attribute(dice) for _ in range(dice.choice((0, 0, 1, 3))))
    closing = "" if dice.random() < 0.15 else f"</{dice.choice(TAGS) if dice.random() < 0.05 else tag}>"
    return f"<{tag}{written}>{inner}{closing}" * dice.choice((1, 1, 1, 1, 1, 1, 1, 2, 30))


def _attribute(dice: random.Random) -> str:
    quote = dice.choice(('"', '"', "'", ""))
    return f" {dice.choice(ATTRIBUTES)}={quote}{dice.choice((*ODD, *NUMBERS, 'a b', 'x'))}{quote}"


def _text(dice: random.Random) -> str:
    words = (
        dice.choice(ODD)
        if dice.random() < 0.2
        else "".join(dice.choices(string.ascii_lowercase, k=dice.randrange(1, 9)))
        for _ in range(dice.choice((1, 3, 12, 40)))
    )
    return " ".join(words)


# -- valid files to begin with --------------------------------------------------------------------------------------

WORDS = "<p>The council has voted to open the footbridge again, after two years in which it was closed. " * 3
VALID_HTML = (
    f"<!doctype html><html lang=en><title>Bridge | The Gull</title><nav><a href=/a>Home</a> <a href=b>News</a></nav>"
    f"<main><h1>Bridge</h1>{WORDS}<table><tr><th>a<th>b<tr><td colspan=2>c</table><ul><li>one<li>two</ul>"
    f"<pre><code class=language-py>x = 1</code></pre><blockquote>{WORDS}</blockquote></main>"
    "<footer hidden>© 2024</footer>"
)


@cache
def laid_out() -> bs.Page:
    """Return a page with geometry, made up: every element as wide as the window, one line below the other."""
    page = bs.parse(VALID_HTML, url="http://a.example/page")
    nodes, leaves = len(page), page.leaves
    tops = np.arange(nodes, dtype=np.float32) * 20
    box = np.stack([np.full(nodes, 10), tops, np.full(nodes, 700), (page.end - np.arange(nodes)) * 20], axis=1)
    line = np.stack(
        [np.full(len(leaves), 10), tops[leaves], np.full(len(leaves), 300), np.full(len(leaves), 18)], axis=1
    )
    names = (*page.names, "block", "inline")
    display = np.where(page.block_level, len(names) - 2, len(names) - 1).astype(np.int32)
    geometry = Geometry(
        viewport=(1280.0, 800.0),
        size=(1280.0, nodes * 20.0),
        box=box.astype(np.float32),
        paint_order=np.arange(nodes, dtype=np.int32),
        display=display,
        position=np.where(page.has_tag("nav"), 3, 0).astype(np.uint8),
        opacity=np.ones(nodes, dtype=np.float32),
        invisible=np.zeros(nodes, dtype=bool),
        clips=np.zeros((nodes, 2), dtype=bool),
        font_size=np.full(nodes, 16, dtype=np.float32),
        font_weight=np.full(nodes, 400, dtype=np.int16),
        color=np.full(nodes, 0x202020FF, dtype=np.uint32),
        background=np.where(page.has_tag("nav", "body"), 0xFFEEDDFF, 0).astype(np.uint32),
        line_node=leaves,
        line_box=line.astype(np.float32),
        line_start=np.zeros(len(leaves), dtype=np.int32),
        line_length=np.asarray([len(text) for text in page.leaf_texts], dtype=np.int32),
        hidden=page.hidden,
    )
    return replace(page, names=names, geometry=geometry)


@cache
def saved_pages() -> tuple[bytes, ...]:
    return dumps(laid_out()), dumps(bs.parse(VALID_HTML)), dumps(bs.parse("<p>short"))


@cache
def model_files() -> tuple[bytes, ...]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for visual in (False, True):
            shipped_model(visual=visual).save(Path(folder) / "a.npz")
            found.append((Path(folder) / "a.npz").read_bytes())
    return tuple(found)


@cache
def learned_files() -> dict[str, bytes]:
    """Return the smaller models of trained systems, by the system's name."""
    files = {name: FOLDER / f"{system.model_name}.npz" for name, system in trainable().items()}
    return {name: file.read_bytes() for name, file in files.items() if file.stat().st_size < 500_000}


@cache
def data_sets() -> tuple[bytes, ...]:
    """Return the Parquet file of a data set."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "corpus"
        (folder / "pages").mkdir(parents=True)
        lines = [{"id": str(number), "gold_text": WORDS, "split": "train"} for number in range(3)]
        (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        for line in lines:
            (folder / "pages" / f"{line['id']}.html").write_text(VALID_HTML, encoding="utf-8")
        plan = Plan(static=True, groups=("text", "link"))
        build_dataset(PageRowStore(pages=read_corpus(folder), folder=folder, rendered=folder, plan=plan), ("parquet",))
        return ((folder / "blocks.parquet").read_bytes(),)


def _answer(address: str, body: bytes, headers: str = "") -> bytes:
    content = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{headers}\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {address}\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content + b"\r\n\r\n"


@cache
def warcs() -> tuple[bytes, ...]:
    """Return WARC archives, with bodies packed in several ways."""
    page = VALID_HTML.encode()
    plain = _answer("http://a.example/", page) + _answer("http://a.example/x", b"x")
    chunked = _answer(
        "http://a.example/", b"%x\r\n%s\r\n0\r\n\r\n" % (len(page), page), "Transfer-Encoding: chunked\r\n"
    )
    packed = _answer("http://a.example/", gzip.compress(page), "Content-Encoding: gzip\r\n")
    return plain, chunked, packed, gzip.compress(plain), gzip.compress(chunked) + gzip.compress(packed)


@cache
def mhtmls() -> tuple[bytes, ...]:
    head = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; start="<a@b>"; boundary="=x"\r\n\r\n'
    part = (
        "--=x\r\nContent-Type: text/html; charset=utf-8\r\nContent-ID: <a@b>\r\nContent-Location: http://a.example/\r\n"
    )
    quoted = f"{part}Content-Transfer-Encoding: quoted-printable\r\n\r\n{VALID_HTML.replace('=', '=3D')}\r\n"
    coded = f"{part}Content-Transfer-Encoding: base64\r\n\r\nPHA+c29tZSB3b3Jkcw==\r\n"
    inner = f'--=x\r\nContent-Type: multipart/alternative; boundary="y"\r\n\r\n--y\r\n{part[6:]}\r\n<p>a\r\n--y--\r\n'
    return tuple(f"{head}{parts}--=x--\r\n".encode() for parts in (quoted, coded, quoted + coded, inner))


@cache
def golds() -> tuple[bytes, ...]:
    entries = (
        {"id": "1", "gold_text": WORDS, "split": "train", "url": "http://a.example/", "domain": "a.example"},
        {
            "id": "1",
            "must_have": ["footbridge"],
            "must_not": ["Home"],
            "encoding": "utf-8",
            "lang": "en",
            "kind": "news",
        },
        {"id": "1", "leaf_text": ["Home", "News"], "leaf_label": [1, 3]},
        {"id": "1", "labels": [{"text": "Home", "label": "boilerplate"}, {"text": "Bridge", "label": "content"}]},
        {"id": "2", "path": "pages/1.html", "url_path": "/sites/a/1.html", "gold_texts": [WORDS, "x"]},
    )
    return tuple(json.dumps(entry).encode() for entry in entries)
