"""Where elements stand in the document, which the flat tree of a snapshot no longer tells.

A person sees the flat tree: what a shadow root holds stands right in its host, and what is slotted stands in its slot.
CSS selectors and XPath go by the document. The difference is written into attributes of names that are ours, on
pages with shadow roots only.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ....page.html import SHADOW_ROOT, SLOTTED, UNKNOWN_ROOT
from ...devtools.channel import Channel, CommandFailed

_SECONDS = 2.0
_ELEMENT = 1


async def note_shadows(channel: Channel, reply: dict[str, Any]) -> None:
    """Write into a snapshot which elements stand right in a shadow root, and the places of slotted ones."""
    if not any(document["nodes"].get("shadowRootType", {}).get("index") for document in reply["documents"]):
        return
    try:
        await channel.send("DOM.enable", timeout=_SECONDS)
        answer = await channel.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True}, timeout=_SECONDS)
        set_places(reply, answer["nodes"])
        await channel.send("DOM.disable", timeout=_SECONDS)
    except (CommandFailed, TimeoutError):
        set_unknown(reply)


def set_places(reply: dict[str, Any], nodes: list[dict[str, Any]]) -> None:
    """Write the places into a snapshot.

    Parameters
    ----------
    reply : dict
        The result of ``DOMSnapshot.captureSnapshot``; its attribute lists are changed in place, strings are added.
    nodes : list of dict
        Those of ``DOM.getFlattenedDocument``, siblings in order; hosts hold their ``shadowRoots``.
    """
    given = _given(nodes)
    strings: list[str] = reply["strings"]
    for document in reply["documents"]:
        backend, attributes = document["nodes"]["backendNodeId"], document["nodes"]["attributes"]
        for node, (name, value) in ((node, given[name]) for node, name in enumerate(backend) if name in given):
            attributes[node] += [len(strings), len(strings) + 1]
            strings += [name, value]


def set_unknown(reply: dict[str, Any]) -> None:
    """Write into a snapshot that nobody knows where what stands in shadow roots stands."""
    strings: list[str] = reply["strings"]
    name = len(strings)
    strings += [SHADOW_ROOT, UNKNOWN_ROOT]
    for document in reply["documents"]:
        kinds, attributes = document["nodes"]["nodeType"], document["nodes"]["attributes"]
        for node in document["nodes"].get("shadowRootType", {}).get("index", []):
            if kinds[node] == _ELEMENT:
                attributes[node] += [name, name + 1]


def _given(nodes: list[dict[str, Any]]) -> dict[int, tuple[str, str]]:
    """Return an attribute for each element that stands in a shadow root or right in a host, by its lasting number."""
    shadows = {node["nodeId"]: [root for root in node.get("shadowRoots", []) if _authored(root)] for node in nodes}
    roots = {root["nodeId"]: root["shadowRootType"] for found in shadows.values() for root in found}
    hosts = {node for node, found in shadows.items() if found}
    elements = [node for node in nodes if node["nodeType"] == _ELEMENT]
    counted = Counter((node.get("parentId"), node["nodeName"]) for node in elements)
    before: Counter[Any] = Counter()
    given: dict[int, tuple[str, str]] = {}
    for node in elements:
        above, kin = node.get("parentId"), (node.get("parentId"), node["nodeName"])
        before[kin] += 1
        before[above] += 1
        if above in roots:
            given[node["backendNodeId"]] = SHADOW_ROOT, roots[above]
        elif above in hosts:
            given[node["backendNodeId"]] = SLOTTED, f"{before[kin]} {counted[kin]} {before[above]}"
    return given


def _authored(root: dict[str, Any]) -> bool:
    """Return whether a shadow root is the page's own, not one that the browser builds a control of."""
    kind: str = root.get("shadowRootType", "user-agent")
    return kind != "user-agent"
