"""Correct the positions of lines in CSS columns.

``DOMSnapshot.captureSnapshot`` puts the lines of a paragraph that is broken over several columns (or pages) all below
the left edge of the first one. ``Range.getClientRects`` reports their positions, so it is called for the few texts that
are affected.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import BoolColumn
from ...devtools.channel import Channel, CommandFailed
from ...devtools.messages import shared_styles
from ...devtools.scripts import script
from ...devtools.styles import STYLES

#: Texts of a document that are corrected, at most, and seconds for it.
_MOST_TEXTS, _SECONDS = 2000, 2.0
_TEXT = 3
_DISPLAY = STYLES.index("display")
#: Elements without a box of their own: text in them belongs to the box around.
_INLINE = frozenset({"inline", "contents", "ruby", "ruby-text", "ruby-base"})


async def fix_column_lines(channel: Channel, reply: dict[str, Any]) -> None:
    """Correct the boxes of lines in later columns, in place."""
    # In a thread, as all work on whole snapshots: other pages wait for this loop.
    texts = await asyncio.to_thread(broken_texts, reply)
    for document, broken in zip(reply["documents"], texts, strict=True):
        if broken:
            with suppress(CommandFailed, TimeoutError):
                set_line_boxes(document, broken, await _client_rects(channel, document, broken))


def broken_texts(reply: dict[str, Any]) -> list[list[int]]:
    """Return for each document the layout indices of texts in boxes where a later line is above an earlier one."""
    styles, strings = shared_styles(reply), reply["strings"]
    displays = styles.rows[:, _DISPLAY].tolist()
    inline = np.asarray([code < 0 or strings[code] in _INLINE for code in displays], dtype=bool)
    return [
        _broken(document, inline[index])[:_MOST_TEXTS]
        for document, index in zip(reply["documents"], styles.index, strict=True)
    ]


def _broken(document: dict[str, Any], inline: BoolColumn) -> list[int]:
    layout, boxes = document["layout"], document["textBoxes"]
    text = np.asarray(boxes["layoutIndex"], dtype=np.int64)
    bounds = np.fromiter(chain.from_iterable(boxes["bounds"]), dtype=np.float64, count=4 * len(text)).reshape(-1, 4)
    solid = bounds[:, 3] > 0
    around = _containing_boxes(document, inline)[np.asarray(layout["nodeIndex"], dtype=np.int64)[text[solid]]]
    order = np.argsort(around, kind="stable")
    around, top, height = around[order], bounds[solid][order, 1], bounds[solid][order, 3]
    up = (around[1:] == around[:-1]) & (top[1:] < top[:-1] - np.minimum(height[1:], height[:-1]) / 2)
    broken: list[int] = np.unique(text[solid][order][np.isin(around, around[1:][up])]).tolist()
    return broken


def set_line_boxes(document: dict[str, Any], texts: list[int], rects: list[list[list[float]]]) -> None:
    """Set the line boxes of texts in a snapshot, unless the number of lines differs."""
    boxes = document["textBoxes"]
    lines: dict[int, list[int]] = {text: [] for text in texts}
    for line, text in enumerate(boxes["layoutIndex"]):
        if text in lines:
            lines[text].append(line)
    right, down = document.get("scrollOffsetX", 0.0), document.get("scrollOffsetY", 0.0)
    for own, new in zip(lines.values(), rects, strict=True):
        if len(own) == len(new):
            for line, (x, y, width, height) in zip(own, new, strict=True):
                boxes["bounds"][line] = [x + right, y + down, width, height]


async def _client_rects(channel: Channel, document: dict[str, Any], texts: list[int]) -> list[list[list[float]]]:
    nodes, layout = document["nodes"]["backendNodeId"], document["layout"]["nodeIndex"]
    queries = [{"backendNodeId": nodes[layout[text]]} for text in texts]
    resolved = await asyncio.gather(*(channel.send("DOM.resolveNode", query, timeout=_SECONDS) for query in queries))
    objects = [{"objectId": answer["object"]["objectId"]} for answer in resolved]
    call = {"functionDeclaration": script("client_rects"), "arguments": objects, "returnByValue": True, **objects[0]}
    answer = await channel.send("Runtime.callFunctionOn", call, timeout=_SECONDS)
    rects: list[list[list[float]]] = answer["result"].get("value", [[] for _ in texts])
    return rects


def _containing_boxes(document: dict[str, Any], inline: BoolColumn) -> NDArray[np.int64]:
    """Return the nearest ancestor of each node that has a box and is not inline."""
    nodes = document["nodes"]
    parent = np.asarray(nodes["parentIndex"], dtype=np.int64)
    laid_out = np.asarray(document["layout"]["nodeIndex"], dtype=np.int64)
    # Texts have the styles of their parent.
    text = np.asarray(nodes["nodeType"], dtype=np.int64) == _TEXT
    boxed = parent < 0
    boxed[laid_out] |= ~text[laid_out] & ~inline
    around = np.where(boxed, np.arange(len(parent)), parent)
    # Each step goes up twice as far as the one before.
    while not boxed[around].all():
        around = around[around]
    return around
