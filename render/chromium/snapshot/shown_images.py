"""Add the addresses and sizes of the images that are shown to a snapshot, as attributes with reserved names."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ....page.html import SHOWN_HEIGHT, SHOWN_SOURCE, SHOWN_WIDTH
from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import call

_SECONDS = 2.0
#: Images of a page whose size is requested, and the longest address.
_MOST, _LONGEST = 2_000, 10_000


async def add_images(channel: Channel, reply: dict[str, Any]) -> None:
    """Add address and size of the images that are shown; in frames and shadow trees the address only."""
    if not any(document["nodes"].get("currentSourceURL", {}).get("index") for document in reply["documents"]):
        return
    sizes: Any = []
    with suppress(CommandFailed, TimeoutError):
        query = {"expression": call("image_sizes", _MOST, _LONGEST), "returnByValue": True, "timeout": 1000}
        sizes = (await channel.send("Runtime.evaluate", query, timeout=_SECONDS))["result"].get("value")
    set_images(reply, _sizes(sizes))


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


def _sizes(value: Any) -> dict[str, tuple[int, int]]:
    """Return the valid entries of a page's answer, which may be anything."""
    sizes = {}
    for entry in value if isinstance(value, list) else []:
        match entry:
            case [str(source), int(width), int(height)] if source and width > 0 and height > 0:
                sizes[source] = (width, height)
    return sizes
