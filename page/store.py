"""Saved pages: a ZIP file of NumPy columns and a JSON head, without pickle; reading needs no browser."""

from __future__ import annotations

import io
import itertools
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ..errors import PageUnreadable
from ..files.atomic import write_bytes
from ..files.bounded_reader import DAMAGED_ZIP, SizeLimitExceeded, read_npy, read_zip
from .arrays import ColumnSchema
from .geometry import MAX_COORDINATE, Geometry, Paint
from .html import TEXT
from .page import Page
from .tree import Tree

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


# A new column is declared in its class only, with its ColumnSchema: saving and checking follow from it.


def _schemas(kind: type, prefix: str = "") -> dict[str, ColumnSchema]:
    hints = get_type_hints(kind, include_extras=True)
    return {prefix + name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


_TREE, _GEOMETRY, _PAINT = _schemas(Tree), _schemas(Geometry, "geometry."), _schemas(Paint, "paint.")
#: Schema of each column by its name in a file.
COLUMNS: dict[str, ColumnSchema] = _TREE | _GEOMETRY | _PAINT
TREE, GEOMETRY, PAINT = tuple(_TREE), tuple(_GEOMETRY), tuple(_PAINT)


def columns_of(page: Page) -> dict[str, NDArray[Any]]:
    """Return the columns of a page by name, those of its geometry as ``geometry.NAME``, of its paint ``paint.NAME``."""
    columns = {name: getattr(page, name) for name in TREE}
    for prefix, names, part in (
        ("geometry.", GEOMETRY, page.geometry),
        ("paint.", PAINT, page.geometry and page.geometry.paint),
    ):
        if part is not None:
            columns |= {name: getattr(part, name.removeprefix(prefix)) for name in names}
    return columns


def check_columns(columns: Mapping[str, NDArray[Any]], sizes: Mapping[str, int]) -> None:
    """Check type, shape and range of columns of :data:`COLUMNS`; raise ValueError with the first that is wrong.

    ``sizes`` has the numbers of "nodes", "attributes", "lines", "leaves", "names" and "strings" that the columns need.
    """
    for name, values in columns.items():
        problem = _problem(COLUMNS[name], values, sizes)
        if problem:
            raise ValueError(f"{name}: {problem}")


def _problem(column: ColumnSchema, values: NDArray[Any], sizes: Mapping[str, int]) -> str:
    """Return why values do not match a schema, "" if they do."""
    if values.dtype != np.dtype(column.dtype):
        return f"type {values.dtype} instead of {np.dtype(column.dtype)}"
    shape = (sizes[column.rows], *[column.width] * (column.width > 0))
    if values.shape != shape:
        return f"shape {values.shape} instead of {shape}"
    high = sizes[column.high] - 1 if isinstance(column.high, str) else column.high
    if values.dtype.kind == "b" or not values.size:
        return ""
    if values.dtype.kind == "f" and column.gaps:
        if (np.isnan(values).any(axis=1) != np.isnan(values).all(axis=1)).any():
            return "a box is only partly NaN"
        values = values[~np.isnan(values)]
    if not (values >= column.low).all() or not (values <= high).all():
        return f"values outside of {column.low:g} to {high:g}"
    return ""


def check_tree(page: Page) -> None:
    """Check that nodes are in document order and attributes in the order of nodes; raise ValueError if not."""
    rows = np.arange(len(page))
    if not len(page) or page.parent[0] >= 0:
        raise ValueError("parent: there is no root")
    if (page.parent[1:] < 0).any() or (page.parent >= rows).any():
        raise ValueError("parent: a node precedes its parent, or is a second root")
    # Siblings determine where subtrees end: after their own row and within the parent's, unless one is not contiguous.
    if (page.end <= rows).any() or (page.end[1:] > page.end[page.parent[1:]]).any():
        raise ValueError("parent: a subtree is not contiguous")
    texts = page.has_tag(TEXT)
    if (~texts & (page.text >= 0)).any() or texts[page.parent[1:]].any():
        raise ValueError("text: an element has text of its own, or a text node has children")
    if (np.diff(page.attribute_node) < 0).any():
        raise ValueError("attribute_node: out of order")


def check_geometry(geometry: Geometry) -> None:
    """Check that the sizes and boxes of a layout are valid and its lines in order; raise ValueError if not."""
    sizes = np.asarray([geometry.viewport, geometry.size])
    if not (sizes >= 0).all() or not (sizes <= MAX_COORDINATE).all() or min(geometry.viewport) == 0:
        raise ValueError("viewport, size: out of range")
    if (geometry.box[:, 2:] < 0).any() or (geometry.line_box[:, 2:] < 0).any():
        raise ValueError("box: negative width or height")
    if (np.diff(geometry.line_node) < 0).any():
        raise ValueError("line_node: out of order")
