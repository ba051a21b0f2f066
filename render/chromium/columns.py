"""Text in CSS columns: where its lines really stand.

``DOMSnapshot.captureSnapshot`` puts the lines of a paragraph that is broken over several columns (or pages) all below
the left edge of the first one. ``Range.getClientRects`` knows better, so the browser is asked again for the few texts
that this concerns.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import numpy as np

from ..sight.styles import STYLES
from .channel import Channel, CommandFailed

#: Texts of a document that are asked about, at most, and seconds for it.
_MOST_TEXTS, _SECONDS = 2000, 2.0
_TEXT = 3
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
    for document in reply["documents"]:
        # In a thread, as all work on whole snapshots: other pages wait for this loop.
        broken = (await asyncio.to_thread(broken_texts, document, reply["strings"]))[:_MOST_TEXTS]
        if broken:
            with suppress(CommandFailed, TimeoutError):
                place_lines(document, broken, await _client_rects(channel, document, broken))


def broken_texts(document: dict[str, Any], strings: list[str]) -> list[int]:
    """Return the text nodes of boxes whose text goes up again: it goes on at the head of a column.

    Parameters
    ----------
    document : dict
        One of a snapshot's documents.
    strings : list of str
        The snapshot's.

    Returns
    -------
    list of int
        Their places in the document's layout, in order.
    """
    layout, boxes = document["layout"], document["textBoxes"]
    owner = _boxes_around(document, strings)
    place = np.asarray(boxes["layoutIndex"], dtype=np.int64)
    bounds = np.asarray(boxes["bounds"], dtype=np.float64).reshape(-1, 4)
    solid = bounds[:, 3] > 0
    around = np.asarray([owner[layout["nodeIndex"][one]] for one in place[solid].tolist()], dtype=np.int64)
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


def _boxes_around(document: dict[str, Any], strings: list[str]) -> list[int]:
    """Return for each node the nearest ancestor that is a box and no inline one."""
    parents = document["nodes"]["parentIndex"]
    kinds = document["nodes"]["nodeType"]
    boxed = [False] * len(parents)
    display = STYLES.index("display")
    for node, styles in zip(document["layout"]["nodeIndex"], document["layout"]["styles"], strict=True):
        # Texts carry the styles of their parent.
        boxed[node] = kinds[node] != _TEXT and bool(styles) and strings[styles[display]] not in _INLINE
    around: list[int] = []
    for node, above in enumerate(parents):
        around.append(node if boxed[node] or above < 0 else around[above])
    return around
