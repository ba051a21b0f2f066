"""Decode messages of the browser: JSON, most of which are the styles of snapshots.

A snapshot repeats for each node its styles, as a row of numbers. Most nodes share their row with many others: rows are
compared as bytes, and each distinct row is decoded once.
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
from ...processes.garbage_collector import collector_paused

#: The start of the reply to ``DOMSnapshot.captureSnapshot``, after its number, and the start of its styles. No page can
#: write either: in a string the quotes would be escaped.
_SNAPSHOT, _HEAD = b'"result":{"documents":[', 64
_STYLES = b'"styles":[['
#: The key that the shared styles have in the reply.
_SHARED = "sharedStyles"
#: Names of CSS properties. The browser computes each distinct style once, so one more property costs little.
STYLES = tuple(
    """
    display visibility opacity position position-anchor position-area overflow-x overflow-y
    color background-color font-size font-weight font-style font-family font font-variant font-feature-settings
    font-variation-settings
    -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-security
    text-decoration-thickness text-shadow column-rule-width row-rule-width direction writing-mode text-combine-upright
    background content
    border-width border-color border-image-source border-image-outset border-radius corner-shape border-shape
    outline-style outline-width box-shadow
    filter backdrop-filter -webkit-box-reflect mix-blend-mode mask-image -webkit-mask-box-image-source clip clip-path
    transform transform-style rotate scale translate perspective backface-visibility will-change
    overlay contain content-visibility container-type overflow-clip-margin flex-direction
    scroll-snap-type scroll-snap-align z-index isolation color-scheme pointer-events cursor list-style-type
    """.split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedStyles:
    """The distinct styles of a snapshot and which node has which."""

    #: int32 (distinct, properties): Indices into the snapshot's strings; -1 for none.
    rows: IntColumn
    #: For each document, the row of each node that is laid out.
    index: tuple[IntColumn, ...]


def read(message: bytes) -> dict[str, Any]:
    """Decode a message."""
    if _SNAPSHOT not in message[:_HEAD]:
        return _loads(message)
    return _read_snapshot(message)


@collector_paused()
def _read_snapshot(message: bytes) -> dict[str, Any]:
    rest, texts = _cut_styles(message)
    decoded = _loads(rest)
    reply = decoded["result"]
    lists = iter(texts)
    # A document without layout has an empty list, which was not cut out.
    rows = [next(lists) if one["layout"]["styles"] is None else [] for one in reply["documents"]]
    numbers = {row: number for number, row in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
    distinct = orjson.loads(b"[[" + b"],[".join(numbers) + b"]]") if numbers else []
    reply[_SHARED] = _shared(distinct, [[numbers[row] for row in document] for document in rows])
    return decoded


def shared_styles(reply: dict[str, Any]) -> SharedStyles:
    """Return the styles of a snapshot, also of one that was not decoded by :func:`read`."""
    shared = reply.get(_SHARED)
    if isinstance(shared, SharedStyles):
        return shared
    rows = [list(map(tuple, document["layout"]["styles"])) for document in reply["documents"]]
    numbers = {row: number for number, row in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
    return _shared(list(numbers), [[numbers[row] for row in document] for document in rows])


def _cut_styles(message: bytes) -> tuple[bytes, list[list[bytes]]]:
    """Return a snapshot without its styles, and the bytes of the style rows of each document."""
    parts: list[bytes] = []
    texts: list[list[bytes]] = []
    end = 0
    while (match := message.find(_STYLES, end)) >= 0:
        start = match + len(_STYLES) - 2
        parts += [message[end:start], b"null"]
        end = message.index(b"]]", start) + 2
        texts.append(message[start + 2 : end - 2].split(b"],["))
    return b"".join([*parts, message[end:]]), texts


def _shared(distinct: Sequence[Sequence[int]], index: Iterable[list[int]]) -> SharedStyles:
    """Convert styles to columns; some anonymous boxes have an empty list."""
    width = max(map(len, distinct), default=0) or len(STYLES)
    full = [row if len(row) == width else [-1] * width for row in distinct]
    rows = np.asarray(full, dtype=np.int32).reshape(len(full), width)
    return SharedStyles(rows=rows, index=tuple(np.asarray(numbers, dtype=np.int32) for numbers in index))


def _loads(message: bytes) -> dict[str, Any]:
    try:
        decoded: dict[str, Any] = orjson.loads(message)
    except orjson.JSONDecodeError:
        # Scripts can put lone surrogates into strings, which only the standard library decodes.
        decoded = json.loads(message)
    return decoded
