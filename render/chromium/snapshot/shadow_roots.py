"""Add the positions of elements in the DOM to a snapshot, which has the flat tree only.

In the flat tree the content of a shadow root is a child of its host, and slotted content a child of its slot. CSS
selectors and XPath use the DOM. The difference is stored in attributes with reserved names, on pages with shadow roots.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ....page.html import SHADOW_ROOT, SLOTTED, UNKNOWN_ROOT
from ...devtools.channel import Channel, CommandFailed

_SECONDS = 2.0
_ELEMENT = 1


async def add_shadow_roots(channel: Channel, reply: dict[str, Any]) -> None:
    """Mark the children of shadow roots, and the positions of slotted elements."""
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
