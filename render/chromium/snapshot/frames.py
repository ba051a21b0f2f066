"""The documents of a snapshot as columns, one for each frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatColumn, IntColumn
from ...devtools.messages import SharedStyles


@dataclass(frozen=True, kw_only=True)
class FrameDocument:
    """The rows of one frame. Codes are indices into the reply's strings."""

    parent: IntColumn
    kind: NDArray[np.int8]
    name: IntColumn
    value: IntColumn
    backend: IntColumn
    attributes: list[list[int]]
    frames: dict[int, int]
    layout_node: IntColumn
    bounds: FloatColumn
    paint_order: IntColumn
    style: IntColumn
    drawn: IntColumn
    text_layout: IntColumn
    text_bounds: FloatColumn
    text_start: IntColumn
    text_length: IntColumn


def read_documents(reply: Mapping[str, Any], styles: SharedStyles) -> list[FrameDocument]:
    """Return the documents of a snapshot, the page's own first."""
    return [_document(raw, style) for raw, style in zip(reply["documents"], styles.index, strict=True)]


def _ints(values: list[int]) -> IntColumn:
    return np.asarray(values, dtype=np.int32)


def _document(raw: Mapping[str, Any], style: IntColumn) -> FrameDocument:
    nodes, layout, text = raw["nodes"], raw["layout"], raw["textBoxes"]
    frames = nodes.get("contentDocumentIndex", {})
    return FrameDocument(
        parent=_ints(nodes["parentIndex"]),
        kind=np.asarray(nodes["nodeType"], dtype=np.int8),
        name=_ints(nodes["nodeName"]),
        value=_ints(nodes["nodeValue"]),
        backend=_ints(nodes["backendNodeId"]),
        attributes=nodes["attributes"],
        frames=dict(zip(frames.get("index", []), frames.get("value", []), strict=True)),
        layout_node=_ints(layout["nodeIndex"]),
        bounds=_boxes(layout["bounds"]),
        paint_order=_ints(layout.get("paintOrders", [])),
        style=style,
        drawn=_ints(layout["text"]),
        text_layout=_ints(text["layoutIndex"]),
        text_bounds=_boxes(text["bounds"]),
        text_start=_ints(text["start"]),
        text_length=_ints(text["length"]),
    )


def _boxes(rows: list[list[float]]) -> FloatColumn:
    return np.fromiter(chain.from_iterable(rows), dtype=np.float32, count=4 * len(rows)).reshape(-1, 4)


def frame_runs(documents: list[FrameDocument]) -> list[tuple[int, int, int]]:
    """Return the runs ``(document, first, last)`` of rows in composed order: each frame comes below its owner."""
    runs: list[tuple[int, int, int]] = []
    stack = [(0, 0)]
    placed = {0}
    while stack:
        index, start = stack.pop()
        document = documents[index]
        owner = next((node for node in sorted(document.frames) if node >= start), None)
        if owner is None:
            runs.append((index, start, len(document.parent)))
            continue
        runs.append((index, start, owner + 1))
        stack.append((index, owner + 1))
        inner = document.frames[owner]
        if 0 <= inner < len(documents) and inner not in placed:
            placed.add(inner)
            stack.append((inner, 0))
    return runs
