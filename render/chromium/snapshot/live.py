"""Take the snapshot of a live page, and add what it omits."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

from ....page.html import ADDED_PREFIX, SHADOW_ROOT, SLOTTED, UNKNOWN_ROOT
from ...devtools.channel import Channel, CommandFailed
from ..freeze import lay_out_skipped, skips_content
from ..time_budget import TimeBudget
from .capture import SNAPSHOT, Placement
from .column_lines import fix_column_lines
from .shown_images import add_images

#: The pixels of a frame are enlarged at most so many times.
_LARGEST_PIXEL = 20.0
#: Frames whose position is requested, at most.
_MOST_FRAMES = 200
_SHADOW_SECONDS = 2.0
_ELEMENT = 1


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
        index: _placement(quad, reply["documents"][index]) for index, quad in zip(inner, quads, strict=True) if quad
    }


async def _content_quad(channel: Channel, owner: int, budget: TimeBudget) -> list[float]:
    with suppress(CommandFailed):
        box = await channel.send("DOM.getBoxModel", {"backendNodeId": owner}, timeout=budget.left)
        quad: list[float] = box["model"]["content"]
        return quad
    return []


def _placement(quad: list[float], document: dict[str, Any]) -> Placement:
    """Return the placement of a document from the corners of its frame's content."""
    left, top, right, *_, below_x, below_y = quad
    width, height = document["layout"]["bounds"][0][2:] if document["layout"]["bounds"] else (0.0, 0.0)
    x = min(math.hypot(right - left, quad[3] - top) / width, _LARGEST_PIXEL) if width > 0 else 1.0
    y = min(math.hypot(below_x - left, below_y - top) / height, _LARGEST_PIXEL) if height > 0 else 1.0
    return left - document["scrollOffsetX"] * x, top - document["scrollOffsetY"] * y, x, y


async def _add_shadow_roots(channel: Channel, reply: dict[str, Any]) -> None:
    """Mark the children of shadow roots, and the positions of slotted elements in the DOM.

    A snapshot has the flat tree only: the content of a shadow root is a child of its host, and slotted content of its
    slot. CSS selectors and XPath use the DOM.
    """
    if not any(document["nodes"].get("shadowRootType", {}).get("index") for document in reply["documents"]):
        return
    try:
        await channel.send("DOM.enable", timeout=_SHADOW_SECONDS)
        answer = await channel.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True}, timeout=_SHADOW_SECONDS)
        set_positions(reply, answer["nodes"])
        await channel.send("DOM.disable", timeout=_SHADOW_SECONDS)
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
