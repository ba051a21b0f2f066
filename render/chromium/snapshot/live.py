"""Take the snapshot of a live page, and add what it omits: positions of frames and columns, images, shadow roots.

``DOMSnapshot.captureSnapshot`` puts the lines of a paragraph that is broken over several columns (or pages) all below
the left edge of the first one. ``Range.getClientRects`` reports their positions, so it is called for the few texts that
are affected.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import BoolColumn
from ....page.html import ADDED_PREFIX, SHADOW_ROOT, SHOWN_HEIGHT, SHOWN_SOURCE, SHOWN_WIDTH, SLOTTED, UNKNOWN_ROOT
from ...devtools.channel import Channel, CommandFailed
from ...devtools.messages import STYLES, shared_styles
from ...devtools.scripts import call, script
from ..freeze import lay_out_skipped, skips_content
from ..time_budget import TimeBudget
from .capture import SNAPSHOT, Placement

#: The pixels of a frame are enlarged at most so many times.
_LARGEST_PIXEL = 20.0
#: Frames whose position is requested, at most.
_MOST_FRAMES = 200
_ELEMENT = 1
#: Texts of a document that are corrected, at most, and seconds for it.
_MOST_TEXTS, _SECONDS = 2000, 2.0
_TEXT = 3
_DISPLAY = STYLES.index("display")
#: Elements without a box of their own: text in them belongs to the box around.
_INLINE = frozenset({"inline", "contents", "ruby", "ruby-text", "ruby-base"})
#: Images of a page whose size is requested, and the longest address.
_MOST_IMAGES, _LONGEST_ADDRESS = 2_000, 10_000


async def take_snapshot(
    channel: Channel, budget: TimeBudget, check: Callable[[dict[str, Any]], None], *, as_is: bool
) -> dict[str, Any]:
    """Return a snapshot that passes ``check``, which may raise; unless ``as_is``, skipped content is laid out first."""
    reply = await channel.send("DOMSnapshot.captureSnapshot", SNAPSHOT, timeout=budget.left)
    check(reply)
    if not as_is and skips_content(reply):
        with suppress(TimeoutError):
            await lay_out_skipped(channel, budget.left / 4)
        reply = await channel.send("DOMSnapshot.captureSnapshot", SNAPSHOT, timeout=budget.left)
    drop_spoofed_attributes(reply)
    return reply


async def complete_snapshot(channel: Channel, reply: dict[str, Any], budget: TimeBudget) -> dict[int, Placement]:
    """Add column lines, images and shadow roots to a snapshot, in place; return the placements of its frames."""

    async def attributes() -> None:
        await add_images(channel, reply)
        await _add_shadow_roots(channel, reply)

    placements, *_ = await asyncio.gather(
        _frame_placements(channel, reply, budget), fix_column_lines(channel, reply), attributes()
    )
    return placements


def drop_spoofed_attributes(reply: dict[str, Any]) -> None:
    """Remove attributes of the page that are named like those that this package adds, in place."""
    strings = reply["strings"]
    for document in reply["documents"]:
        attributes = document["nodes"]["attributes"]
        # The few distinct names instead of all strings: pages have thousands, "::before" of the browser among them.
        names = set(list(chain.from_iterable(attributes))[::2])
        spoofed = {code for code in names if strings[code].startswith(ADDED_PREFIX)}
        for node, flat in enumerate(attributes) if spoofed else ():
            if not spoofed.isdisjoint(flat[::2]):
                pairs = zip(flat[::2], flat[1::2], strict=True)
                attributes[node] = [code for pair in pairs if pair[0] not in spoofed for code in pair]


async def _frame_placements(channel: Channel, reply: dict[str, Any], budget: TimeBudget) -> dict[int, Placement]:
    """Return the placement of each document in a frame, by its index; a frame that is not rendered has none."""
    owners: dict[int, int] = {}
    for document in reply["documents"]:
        frames = document["nodes"].get("contentDocumentIndex", {"index": [], "value": []})
        backend = document["nodes"]["backendNodeId"]
        owners |= {inner: backend[node] for node, inner in zip(frames["index"], frames["value"], strict=True)}
    inner, nodes = list(owners)[:_MOST_FRAMES], list(owners.values())[:_MOST_FRAMES]
    quads = await asyncio.gather(*(_content_quad(channel, node, budget) for node in nodes))
    return {
        index: _placement(quad, reply["documents"][index], reply["documents"][0])
        for index, quad in zip(inner, quads, strict=True)
        if quad
    }


async def _content_quad(channel: Channel, owner: int, budget: TimeBudget) -> list[float]:
    with suppress(CommandFailed):
        box = await channel.send("DOM.getBoxModel", {"backendNodeId": owner}, timeout=budget.left)
        quad: list[float] = box["model"]["content"]
        return quad
    return []


def _placement(quad: list[float], document: dict[str, Any], root: dict[str, Any]) -> Placement:
    """Return the placement of a document from the corners of its frame's content in the window of the root document."""
    left, top, right, *_, below_x, below_y = quad
    width, height = document["layout"]["bounds"][0][2:] if document["layout"]["bounds"] else (0.0, 0.0)
    x = min(math.hypot(right - left, quad[3] - top) / width, _LARGEST_PIXEL) if width > 0 else 1.0
    y = min(math.hypot(below_x - left, below_y - top) / height, _LARGEST_PIXEL) if height > 0 else 1.0
    left, top = left + root.get("scrollOffsetX", 0.0), top + root.get("scrollOffsetY", 0.0)
    return left - document["scrollOffsetX"] * x, top - document["scrollOffsetY"] * y, x, y


async def _add_shadow_roots(channel: Channel, reply: dict[str, Any]) -> None:
    """Mark the children of shadow roots, and the positions of slotted elements in the DOM.

    A snapshot has the flat tree only: the content of a shadow root is a child of its host, and slotted content of its
    slot. CSS selectors and XPath use the DOM.
    """
    if not any(document["nodes"].get("shadowRootType", {}).get("index") for document in reply["documents"]):
        return
    try:
        await channel.send("DOM.enable", timeout=_SECONDS)
        answer = await channel.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True}, timeout=_SECONDS)
        set_positions(reply, answer["nodes"])
        await channel.send("DOM.disable", timeout=_SECONDS)
    except (CommandFailed, TimeoutError):
        set_unknown(reply)


def set_positions(reply: dict[str, Any], nodes: list[dict[str, Any]]) -> None:
    """Add positions to a snapshot in place, by the ``nodes`` of ``DOM.getFlattenedDocument`` (siblings in order)."""
    attribute_of = _position_attributes(nodes)
    strings: list[str] = reply["strings"]
    for document in reply["documents"]:
        attributes = document["nodes"]["attributes"]
        for node, identity in enumerate(document["nodes"]["backendNodeId"]):
            if identity in attribute_of:
                attributes[node] += [len(strings), len(strings) + 1]
                strings += attribute_of[identity]


def set_unknown(reply: dict[str, Any]) -> None:
    """Mark the positions of everything in shadow roots as unknown, in place."""
    strings: list[str] = reply["strings"]
    name = len(strings)
    strings += [SHADOW_ROOT, UNKNOWN_ROOT]
    for document in reply["documents"]:
        kinds, attributes = document["nodes"]["nodeType"], document["nodes"]["attributes"]
        for node in document["nodes"].get("shadowRootType", {}).get("index", []):
            if kinds[node] == _ELEMENT:
                attributes[node] += [name, name + 1]


def _position_attributes(nodes: list[dict[str, Any]]) -> dict[int, tuple[str, str]]:
    """Return the attribute of each child of a shadow root or of a host, by backend id."""
    shadows = {node["nodeId"]: [root for root in node.get("shadowRoots", []) if _is_authored(root)] for node in nodes}
    types = {root["nodeId"]: root["shadowRootType"] for roots in shadows.values() for root in roots}
    hosts = {node for node, roots in shadows.items() if roots}
    elements = [node for node in nodes if node["nodeType"] == _ELEMENT]
    counts = Counter((node.get("parentId"), node["nodeName"]) for node in elements)
    before: Counter[Any] = Counter()
    attributes: dict[int, tuple[str, str]] = {}
    for node in elements:
        parent, same_tag = node.get("parentId"), (node.get("parentId"), node["nodeName"])
        before[same_tag] += 1
        before[parent] += 1
        if parent in types:
            attributes[node["backendNodeId"]] = SHADOW_ROOT, types[parent]
        elif parent in hosts:
            attributes[node["backendNodeId"]] = SLOTTED, f"{before[same_tag]} {counts[same_tag]} {before[parent]}"
    return attributes


def _is_authored(root: dict[str, Any]) -> bool:
    """Return whether a shadow root is the page's own, not the browser's for a form control."""
    kind: str = root.get("shadowRootType", "user-agent")
    return kind != "user-agent"


async def fix_column_lines(channel: Channel, reply: dict[str, Any]) -> None:
    """Correct the boxes of lines in later columns, in place."""
    # In a thread, as all work on whole snapshots: other pages wait for this loop.
    texts = await asyncio.to_thread(broken_texts, reply)
    for document, broken in zip(reply["documents"], texts, strict=True):
        if broken:
            with suppress(CommandFailed, TimeoutError):
                set_line_boxes(document, broken, await _client_rects(channel, document, reply["strings"], broken))


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


async def _client_rects(
    channel: Channel, document: dict[str, Any], strings: list[str], texts: list[int]
) -> list[list[list[float]]]:
    nodes, layout = document["nodes"]["backendNodeId"], document["layout"]["nodeIndex"]
    world = await channel.world(strings[document["frameId"]], timeout=_SECONDS)
    queries = [{"backendNodeId": nodes[layout[text]], "executionContextId": world} for text in texts]
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


async def add_images(channel: Channel, reply: dict[str, Any]) -> None:
    """Add address and size of the images that are shown; in frames and shadow trees the address only."""
    if not any(document["nodes"].get("currentSourceURL", {}).get("index") for document in reply["documents"]):
        return
    sizes: Any = None
    with suppress(CommandFailed, TimeoutError):
        sizes = await channel.evaluate(call("image_sizes", _MOST_IMAGES, _LONGEST_ADDRESS), timeout=_SECONDS)
    set_images(reply, {source: (width, height) for source, width, height in sizes or []})


def set_images(reply: dict[str, Any], sizes: dict[str, tuple[int, int]]) -> None:
    """Add addresses and sizes to the attribute lists of a snapshot, in place."""
    strings: list[str] = reply["strings"]
    codes: dict[str, int] = {}

    def code_of(string: str) -> int:
        if string not in codes:
            codes[string] = len(strings)
            strings.append(string)
        return codes[string]

    for document in reply["documents"]:
        shown = document["nodes"].get("currentSourceURL", {"index": [], "value": []})
        for node, source in zip(shown["index"], shown["value"], strict=True):
            if source < 0 or not strings[source]:
                continue
            attributes = document["nodes"]["attributes"][node]
            attributes += [code_of(SHOWN_SOURCE), source]
            width, height = sizes.get(strings[source], (0, 0))
            if width and height:
                attributes += [code_of(SHOWN_WIDTH), code_of(str(width)), code_of(SHOWN_HEIGHT), code_of(str(height))]
