"""A page in one file: a ZIP of plain NumPy columns and one JSON head. No pickles, no browser needed to read it."""

from __future__ import annotations

import io
import itertools
import json
import os
import zipfile
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import PageUnreadable
from .files import write_bytes
from .page import Geometry, Page, Paint

FORMAT = "blocksight-page"
#: 2 keeps how nodes are painted; pages of 1 are read without it.
VERSION = 2

_HEAD = "head.json"
_SCREENSHOT, _MHTML = "screenshot.png", "page.mhtml"
#: Written on every member, so that the same page gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
_LARGEST = 2_000_000_000


def save(page: Page, path: str | os.PathLike[str]) -> None:
    """Write a page to a file, whole or not at all; :func:`load` gives it back bit for bit."""
    write_bytes(path, dumps(page))


def load(path: str | os.PathLike[str]) -> Page:
    """Read a page that :func:`save` has written.

    Raises
    ------
    PageUnreadable
        When the file is no saved page, is damaged, or was written by a newer program.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PageUnreadable(f"{os.fspath(path)}: cannot be read: {error.strerror or error}") from error
    return loads(data, name=os.fspath(path))


def is_saved(data: bytes) -> bool:
    """Return whether bytes begin like a saved page."""
    return data.startswith(b"PK\x03\x04") and _HEAD.encode() in data[:64]


def has_screenshot(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a saved page that has a picture with it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _SCREENSHOT in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def dumps(page: Page) -> bytes:
    """Return the bytes of a saved page."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _add(archive, _HEAD, json.dumps(_head(page), ensure_ascii=False).encode())
        for name in ("names", "strings"):
            text, offsets = _joined(getattr(page, name))
            _add(archive, f"{name}.txt", text)
            _add_column(archive, f"{name}.npy", offsets)
        for name, column in _columns(page).items():
            _add_column(archive, f"{name}.npy", column)
        for name, attached in ((_SCREENSHOT, page.screenshot), (_MHTML, page.mhtml)):
            if attached is not None:
                _add(archive, name, attached)
    return out.getvalue()


def loads(data: bytes, *, name: str = "saved page") -> Page:
    """Read the bytes of a saved page; see :func:`load`."""
    if not is_saved(data):
        raise PageUnreadable(f"{name}: this is no page saved by blocksight")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read(archive, name)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, OSError, NotImplementedError) as error:
        raise PageUnreadable(f"{name}: the saved page is damaged ({error}); render it again") from error
    except zlib.error as error:
        raise PageUnreadable(f"{name}: the saved page is damaged ({error}); render it again") from error


def _head(page: Page) -> dict[str, Any]:
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "url": page.url,
        "title": page.title,
        "language": page.language,
        "partial": page.partial,
        "environment": dict(page.environment),
    }
    if page.geometry is not None:
        head |= {"viewport": page.geometry.viewport, "size": page.geometry.size}
    return head


def _columns(page: Page) -> dict[str, NDArray[Any]]:
    columns = {field.name: getattr(page, field.name) for field in fields(page)}
    if page.geometry is not None:
        columns |= {f"geometry.{field.name}": getattr(page.geometry, field.name) for field in fields(page.geometry)}
        if (paint := page.geometry.paint) is not None:
            columns |= {f"paint.{field.name}": getattr(paint, field.name) for field in fields(paint)}
    return {name: column for name, column in columns.items() if isinstance(column, np.ndarray)}


def _joined(strings: tuple[str, ...]) -> tuple[bytes, NDArray[np.int64]]:
    encoded = [string.encode() for string in strings]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return b"".join(encoded), offsets


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)


def _add_column(archive: zipfile.ZipFile, name: str, column: NDArray[Any]) -> None:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(column), allow_pickle=False)
    _add(archive, name, out.getvalue())


def _read(archive: zipfile.ZipFile, name: str) -> Page:
    if sum(member.file_size for member in archive.infolist()) > _LARGEST:
        raise ValueError("it would unpack to over 2 GB")
    head = json.loads(archive.read(_HEAD))
    if head.get("format") != FORMAT:
        raise PageUnreadable(f"{name}: this is no page saved by blocksight")
    if head["version"] > VERSION:
        raise PageUnreadable(f"{name}: written by a newer blocksight (format {head['version']}); update blocksight")
    members = set(archive.namelist())
    columns = {
        member.removesuffix(".npy"): _column(archive, member)
        for member in members
        if member.endswith(".npy") and member not in {"names.npy", "strings.npy"}
    }
    inner, painted = _taken(columns, "geometry."), _taken(columns, "paint.")
    paint = Paint(**painted) if painted else None
    sizes: dict[str, Any] = {name: _pair(head[name]) for name in ("viewport", "size") if name in head}
    geometry = Geometry(**sizes, **inner, paint=paint) if sizes else None
    page = Page(
        url=head["url"],
        title=head["title"],
        language=head["language"],
        partial=head["partial"],
        environment=head.get("environment", {}),
        names=_strings(archive, "names"),
        strings=_strings(archive, "strings"),
        geometry=geometry,
        screenshot=archive.read(_SCREENSHOT) if _SCREENSHOT in members else None,
        mhtml=archive.read(_MHTML) if _MHTML in members else None,
        **columns,
    )
    _check(page)
    return page


def _taken(columns: dict[str, NDArray[Any]], prefix: str) -> dict[str, Any]:
    """Take the columns with a prefix out of all."""
    return {name.removeprefix(prefix): columns.pop(name) for name in list(columns) if name.startswith(prefix)}


def _pair(values: list[float]) -> tuple[float, float]:
    width, height = values
    return float(width), float(height)


def _column(archive: zipfile.ZipFile, member: str) -> NDArray[Any]:
    column: NDArray[Any] = np.lib.format.read_array(io.BytesIO(archive.read(member)), allow_pickle=False)
    return column


def _strings(archive: zipfile.ZipFile, name: str) -> tuple[str, ...]:
    text, offsets = archive.read(f"{name}.txt"), _column(archive, f"{name}.npy").tolist()
    return tuple(text[first:last].decode() for first, last in itertools.pairwise(offsets))


def _check(page: Page) -> None:
    """Refuse columns that point outside each other: damage that ZIP's checksums cannot see, or a forged file."""
    count = len(page)
    rows = np.arange(count)
    sound = (
        len(page.tag) == len(page.text) == count
        and bool(np.all((page.parent >= -1) & (page.parent < np.maximum(rows, 1))))
        and _within(page.tag, 0, len(page.names))
        and _within(page.text, -1, len(page.strings))
        and _within(page.attribute_node, 0, count)
        and _within(page.attribute_name, 0, len(page.names))
        and _within(page.attribute_value, 0, len(page.strings))
        and len(page.attribute_node) == len(page.attribute_name) == len(page.attribute_value)
    )
    if sound and page.geometry is not None:
        geometry = page.geometry
        sound = (
            geometry.box.shape == (count, 4)
            and len(geometry.display) == len(geometry.font_size) == len(geometry.paint_order) == count
            and _within(geometry.line_node, 0, count)
            and geometry.line_box.shape == (len(geometry.line_node), 4)
            and len(geometry.hidden) == len(page.leaves)
            and all(len(column) == count for column in (vars(geometry.paint).values() if geometry.paint else ()))
        )
    if not sound:
        raise ValueError("its columns do not fit together")


def _within(column: NDArray[Any], low: int, high: int) -> bool:
    return not len(column) or bool(column.min() >= low and column.max() < high)
