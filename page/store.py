"""Saved pages: a ZIP file of NumPy columns and a JSON head, without pickle; reading needs no browser."""

from __future__ import annotations

import io
import itertools
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import PageUnreadable
from ..files.atomic import write_bytes
from ..files.bounded_reader import DAMAGED_ZIP, SizeLimitExceeded, read_npy, read_zip
from .geometry import Geometry, Paint
from .page import Page
from .schema import GEOMETRY, PAINT, TREE, check_columns, check_geometry, check_tree, columns_of

FORMAT = "blocksight-page"
#: Version 2 added :class:`Paint`; pages of version 1 are read without it.
VERSION = 2

_HEAD = "head.json"
_SCREENSHOT, _MHTML = "screenshot.png", "page.mhtml"
#: Date of every member, so that equal pages give equal bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
#: Maximum decompressed size: the larger of a number of bytes and a multiple of the file size; typical is ten times.
_MIN_LIMIT, _MAX_RATIO = 50_000_000, 50
#: The column whose length is the number of rows of a kind.
_ROWS = {"nodes": "parent", "attributes": "attribute_node", "lines": "geometry.line_node"}


def save(page: Page, path: str | os.PathLike[str]) -> None:
    """Save a page to a file atomically; :func:`load` returns it bit for bit."""
    write_bytes(path, dumps(page))


def load(path: str | os.PathLike[str]) -> Page:
    """Load a page that :func:`save` wrote.

    Raises
    ------
    PageUnreadable
        If the file is no saved page, is damaged, or was written by a newer program.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PageUnreadable(f"{os.fspath(path)}: cannot be read: {error.strerror or error}") from error
    return loads(data, name=os.fspath(path))


def is_saved(data: bytes) -> bool:
    """Return whether data starts like a saved page."""
    return data.startswith(b"PK\x03\x04") and _HEAD.encode() in data[:64]


def has_screenshot(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a saved page with a screenshot."""
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
            text, offsets = _join_strings(getattr(page, name))
            _add(archive, f"{name}.txt", text)
            _add_column(archive, f"{name}.npy", offsets)
        for name, column in columns_of(page).items():
            _add_column(archive, f"{name}.npy", column)
        for name, attached in ((_SCREENSHOT, page.screenshot), (_MHTML, page.mhtml)):
            if attached is not None:
                _add(archive, name, attached)
    return out.getvalue()


def loads(data: bytes, *, name: str = "saved page") -> Page:
    """Load a page from the bytes of a file; see :func:`load`."""
    if not is_saved(data):
        raise PageUnreadable(f"{name}: this is no page saved by blocksight")
    try:
        return _page(read_zip(data, max_bytes=max(_MIN_LIMIT, _MAX_RATIO * len(data))), name)
    except SizeLimitExceeded as error:
        raise PageUnreadable(f"{name}: {error}, far more than a page of its size") from error
    except RecursionError as error:
        raise PageUnreadable(f"{name}: the saved page is damaged (nested too deeply); render it again") from error
    except (*DAMAGED_ZIP, TypeError, OverflowError) as error:
        raise PageUnreadable(f"{name}: the saved page is damaged ({_message(error)}); render it again") from error


def _message(error: Exception) -> str:
    return f"{error.args[0]} is missing" if isinstance(error, KeyError) and error.args else str(error)


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
    if page.saved_from:
        head["saved_from"] = page.saved_from
    if page.geometry is not None:
        head |= {"viewport": page.geometry.viewport, "size": page.geometry.size}
    return head


def _join_strings(strings: tuple[str, ...]) -> tuple[bytes, NDArray[np.int64]]:
    encoded = [string.encode() for string in strings]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return b"".join(encoded), offsets


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)


def _add_column(archive: zipfile.ZipFile, name: str, column: NDArray[Any]) -> None:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(column), allow_pickle=False)
    _add(archive, name, out.getvalue())


def _page(members: Mapping[str, bytes], name: str) -> Page:
    head = _checked_head(json.loads(members[_HEAD]), name)
    names, strings = _strings(members, "names"), _strings(members, "strings")
    # Pages of the first version, and pages built without a browser, may have no paint.
    painted = PAINT if any(f"{column}.npy" in members for column in PAINT) else ()
    expected = (*TREE, *GEOMETRY, *painted) if "viewport" in head else TREE
    columns = {column: _array(members, column) for column in expected}
    sizes = {rows: len(columns[first]) for rows, first in _ROWS.items() if first in columns}
    sizes |= {"names": len(names), "strings": len(strings)}
    tree: dict[str, Any] = {column: columns[column] for column in TREE}
    check_columns(tree, sizes)
    page = Page(
        url=head["url"],
        title=head["title"],
        language=head["language"],
        saved_from=str(head.get("saved_from", "")),
        partial=head["partial"],
        environment=head["environment"],
        names=names,
        strings=strings,
        screenshot=members.get(_SCREENSHOT),
        mhtml=members.get(_MHTML),
        **tree,
    )
    check_tree(page)
    if "viewport" not in head:
        return page
    layout = {column: values for column, values in columns.items() if column not in TREE}
    check_columns(layout, sizes | {"leaves": len(page.leaves)})
    inner: dict[str, Any] = {column.removeprefix("geometry."): columns[column] for column in GEOMETRY}
    paint = Paint(**{column.removeprefix("paint."): columns[column] for column in painted}) if painted else None
    geometry = Geometry(viewport=_pair(head["viewport"]), size=_pair(head["size"]), **inner, paint=paint)
    check_geometry(geometry)
    return page.replace(geometry=geometry)


def _checked_head(head: Any, name: str) -> dict[str, Any]:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise PageUnreadable(f"{name}: this is no page saved by blocksight")
    if not isinstance(head.get("version"), int):
        raise ValueError("its version is no number")
    if head["version"] > VERSION:
        raise PageUnreadable(f"{name}: written by a newer blocksight (format {head['version']}); update blocksight")
    complete: dict[str, Any] = {"environment": {}} | head
    for key in ("url", "title", "language"):
        if not isinstance(complete[key], str):
            raise TypeError(f"{key} is no text")
        complete[key].encode()  # lone surrogates cannot be encoded
    json.dumps(complete["environment"], ensure_ascii=False).encode()
    if not isinstance(complete["partial"], bool) or not isinstance(complete["environment"], dict):
        raise TypeError("partial or environment has a wrong type")
    if not all(isinstance(value, str) for value in complete["environment"].values()):
        raise TypeError("environment has values that are no text")
    return head


def _pair(values: list[float]) -> tuple[float, float]:
    width, height = values
    return float(width), float(height)


def _array(members: Mapping[str, bytes], name: str) -> NDArray[Any]:
    try:
        return read_npy(members[f"{name}.npy"])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _strings(members: Mapping[str, bytes], name: str) -> tuple[str, ...]:
    text, offsets = members[f"{name}.txt"], _array(members, name)
    if offsets.dtype != np.int64 or offsets.ndim != 1 or not len(offsets):
        raise ValueError(f"{name}: no list of offsets")
    if offsets[0] != 0 or offsets[-1] != len(text) or (np.diff(offsets) < 0).any():
        raise ValueError(f"{name}: its offsets do not fit its text")
    return tuple(text[first:last].decode() for first, last in itertools.pairwise(offsets.tolist()))
