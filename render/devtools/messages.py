"""Messages of the browser, read: JSON, of which the styles of a snapshot are by far the most.

A snapshot says of each node again what its styles are, as a row of numbers. Most nodes share their row with many
others: rows are told apart as they are written, and each is read once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import orjson

from ...page.arrays import IntColumn
from .styles import STYLES

#: How the answer to ``DOMSnapshot.captureSnapshot`` begins, after its number, and where its styles do. No page can
#: write either: in a string its quotes would be escaped.
_SNAPSHOT, _HEAD = b'"result":{"documents":[', 64
_STYLES = b'"styles":[['
#: Under which name the styles are put into the answer.
_SHARED = "sharedStyles"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedStyles:
    """The styles of a snapshot.

    Attributes
    ----------
    rows : int32 (distinct, properties)
        Each distinct style, as indices into the snapshot's strings; -1 for what has none.
    places : tuple of int32 (laid out,)
        For each document, the row of each node that is laid out.
    """

    rows: IntColumn
    places: tuple[IntColumn, ...]


def read(message: bytes) -> dict[str, Any]:
    """Read a message."""
    if _SNAPSHOT not in message[:_HEAD]:
        return _loads(message)
    rest, written = _cut(message)
    told = _loads(rest)
    reply = told["result"]
    lists = iter(written)
    # What is laid out nowhere has an empty list, which has not been cut out.
    rows = [next(lists) if one["layout"]["styles"] is None else [] for one in reply["documents"]]
    numbers = {row: number for number, row in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
    distinct = orjson.loads(b"[[" + b"],[".join(numbers) + b"]]") if numbers else []
    reply[_SHARED] = _shared(distinct, [[numbers[row] for row in each] for each in rows])
    return told


def shared_styles(reply: dict[str, Any]) -> SharedStyles:
    """Return the styles of a snapshot, also of one that was not read by :func:`read`."""
    found = reply.get(_SHARED)
    if isinstance(found, SharedStyles):
        return found
    rows = [list(map(tuple, one["layout"]["styles"])) for one in reply["documents"]]
    numbers = {row: number for number, row in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
    return _shared(list(numbers), [[numbers[row] for row in each] for each in rows])


def _cut(message: bytes) -> tuple[bytes, list[list[bytes]]]:
    """Take the styles out of a snapshot; return what is left, and the rows of each document as they are written."""
    parts: list[bytes] = []
    written: list[list[bytes]] = []
    end = 0
    while (found := message.find(_STYLES, end)) >= 0:
        begin = found + len(_STYLES) - 2
        parts += [message[end:begin], b"null"]
        end = message.index(b"]]", begin) + 2
        written.append(message[begin + 2 : end - 2].split(b"],["))
    return b"".join([*parts, message[end:]]), written


def _shared(distinct: Sequence[Sequence[int]], places: Iterable[list[int]]) -> SharedStyles:
    """Put styles into columns; some anonymous boxes have none, an empty list."""
    wide = max(map(len, distinct), default=0) or len(STYLES)
    full = [row if len(row) == wide else [-1] * wide for row in distinct]
    rows = np.asarray(full, dtype=np.int32).reshape(len(full), wide)
    return SharedStyles(rows=rows, places=tuple(np.asarray(place, dtype=np.int32) for place in places))


def _loads(message: bytes) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = orjson.loads(message)
    except orjson.JSONDecodeError:
        # Lone surrogates: scripts can put them into strings, and only the standard library reads them.
        loaded = json.loads(message)
    return loaded
