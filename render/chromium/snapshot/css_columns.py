"""Text in CSS columns: where its lines really stand.

``DOMSnapshot.captureSnapshot`` puts the lines of a paragraph that is broken over several columns (or pages) all below
the left edge of the first one. ``Range.getClientRects`` knows better, so the browser is asked again for the few texts
that this concerns.
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
from ...devtools.styles import STYLES

#: Texts of a document that are asked about, at most, and seconds for it.
_MOST_TEXTS, _SECONDS = 2000, 2.0
_TEXT = 3
_DISPLAY = STYLES.index("display")
#: What is no box of its own: text in it belongs to the box around.
_INLINE = frozenset({"inline", "contents", "ruby", "ruby-text", "ruby-base"})
_RECTS = """function(...texts) {
  return texts.map(text => {
    const range = text.ownerDocument.createRange();
    range.selectNodeContents(text);
    return Array.from(range.getClientRects(), box => [box.x, box.y, box.width, box.height]);
  });
}"""


async def mend_columns(channel: Channel, reply: dict[str, Any]) -> None:
    """Put the lines of a snapshot that stand in later columns where they are."""
    # In a thread, as all work on whole snapshots: other pages wait for this loop.
    found = await asyncio.to_thread(broken_texts, reply)
    for document, broken in zip(reply["documents"], found, strict=True):
        if broken:
            with suppress(CommandFailed, TimeoutError):
                place_lines(document, broken, await _client_rects(channel, document, broken))


def broken_texts(reply: dict[str, Any]) -> list[list[int]]:
    """Return the text nodes of boxes whose text goes up again: it goes on at the head of a column.

    Parameters
    ----------
    reply : dict
        A snapshot.

    Returns
    -------
    list of list of int
        For each document, their places in its layout, in order; of very many the first.
    """
    styles, strings = shared_styles(reply), reply["strings"]
    inline = np.asarray(
        [code < 0 or strings[code] in _INLINE for code in styles.rows[:, _DISPLAY].tolist()], dtype=bool
    )
    return [
        _broken(document, inline[place])[:_MOST_TEXTS]
        for document, place in zip(reply["documents"], styles.places, strict=True)
    ]


def _broken(document: dict[str, Any], inline: BoolColumn) -> list[int]:
    layout, boxes = document["layout"], document["textBoxes"]
    place = np.asarray(boxes["layoutIndex"], dtype=np.int64)
    bounds = np.fromiter(chain.from_iterable(boxes["bounds"]), dtype=np.float64, count=4 * len(place)).reshape(-1, 4)
    solid = bounds[:, 3] > 0
    around = _boxes_around(document, inline)[np.asarray(layout["nodeIndex"], dtype=np.int64)[place[solid]]]
    order = np.argsort(around, kind="stable")
    around, top, height = around[order], bounds[solid][order, 1], bounds[solid][order, 3]
    up = (around[1:] == around[:-1]) & (top[1:] < top[:-1] - np.minimum(height[1:], height[:-1]) / 2)
    broken: list[int] = np.unique(place[solid][order][np.isin(around, around[1:][up])]).tolist()
    return broken


def place_lines(document: dict[str, Any], broken: list[int], rects: list[list[list[float]]]) -> None:
    """Write the boxes of some texts into a snapshot; where the browser counts other lines than before, none are."""
    boxes = document["textBoxes"]
    lines: dict[int, list[int]] = {place: [] for place in broken}
    for line, place in enumerate(boxes["layoutIndex"]):
        if place in lines:
            lines[place].append(line)
    right, down = document.get("scrollOffsetX", 0.0), document.get("scrollOffsetY", 0.0)
    for own, found in zip(lines.values(), rects, strict=True):
        if len(own) == len(found):
            for line, (x, y, width, height) in zip(own, found, strict=True):
                boxes["bounds"][line] = [x + right, y + down, width, height]


async def _client_rects(channel: Channel, document: dict[str, Any], broken: list[int]) -> list[list[list[float]]]:
    nodes, layout = document["nodes"]["backendNodeId"], document["layout"]["nodeIndex"]
    wanted = [{"backendNodeId": nodes[layout[place]]} for place in broken]
    resolved = await asyncio.gather(*(channel.send("DOM.resolveNode", node, timeout=_SECONDS) for node in wanted))
    objects = [{"objectId": answer["object"]["objectId"]} for answer in resolved]
    call = {"functionDeclaration": _RECTS, "arguments": objects, "returnByValue": True, **objects[0]}
    answer = await channel.send("Runtime.callFunctionOn", call, timeout=_SECONDS)
    found: list[list[list[float]]] = answer["result"].get("value", [[] for _ in broken])
    return found


def _boxes_around(document: dict[str, Any], inline: BoolColumn) -> NDArray[np.int64]:
    """Return for each node the nearest ancestor that is a box and no inline one."""
    nodes = document["nodes"]
    parent = np.asarray(nodes["parentIndex"], dtype=np.int64)
    laid_out = np.asarray(document["layout"]["nodeIndex"], dtype=np.int64)
    # Texts carry the styles of their parent.
    text = np.asarray(nodes["nodeType"], dtype=np.int64) == _TEXT
    boxed = parent < 0
    boxed[laid_out] |= ~text[laid_out] & ~inline
    around = np.where(boxed, np.arange(len(parent)), parent)
    # Each step goes up twice as far as the one before.
    while not boxed[around].all():
        around = around[around]
    return around
