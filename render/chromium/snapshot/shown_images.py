"""Which pictures were shown: their addresses and sizes, as attributes of names that are ours."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ....page.html import SHOWN_HEIGHT, SHOWN_SOURCE, SHOWN_WIDTH
from ...devtools.channel import Channel, CommandFailed

_SECONDS = 2.0
#: Pictures of a page whose size is asked for, and the longest address.
_MOST, _LONGEST = 2_000, 10_000
_SIZES = f"""Array.from(document.images).slice(0, {_MOST}).map(image =>
  [image.currentSrc.slice(0, {_LONGEST}), image.naturalWidth, image.naturalHeight])"""


async def note_images(channel: Channel, reply: dict[str, Any]) -> None:
    """Write address and size of the pictures that are shown into the attributes of a snapshot.

    Frames and shadow trees tell the addresses of their pictures only.
    """
    if not any(document["nodes"].get("currentSourceURL", {}).get("index") for document in reply["documents"]):
        return
    sizes: Any = []
    with suppress(CommandFailed, TimeoutError):
        asked = {"expression": _SIZES, "returnByValue": True, "timeout": 1000}
        answer = await channel.send("Runtime.evaluate", asked, timeout=_SECONDS)
        sizes = answer["result"].get("value")
    set_images(reply, _sizes(sizes))


def set_images(reply: dict[str, Any], sizes: dict[str, tuple[int, int]]) -> None:
    """Write them into a snapshot.

    Parameters
    ----------
    reply : dict
        The result of ``DOMSnapshot.captureSnapshot``; its attribute lists are changed in place, strings are added.
    sizes : dict of str to (int, int)
        Width and height of pictures, in pixels of their own, by address.
    """
    strings: list[str] = reply["strings"]
    codes: dict[str, int] = {}

    def coded(string: str) -> int:
        if string not in codes:
            codes[string] = len(strings)
            strings.append(string)
        return codes[string]

    for document in reply["documents"]:
        shown = document["nodes"].get("currentSourceURL", {"index": [], "value": []})
        for node, source in zip(shown["index"], shown["value"], strict=True):
            if source < 0 or not strings[source]:
                continue
            given = document["nodes"]["attributes"][node]
            given += [coded(SHOWN_SOURCE), source]
            wide, high = sizes.get(strings[source], (0, 0))
            if wide and high:
                given += [coded(SHOWN_WIDTH), coded(str(wide)), coded(SHOWN_HEIGHT), coded(str(high))]


def _sizes(answered: Any) -> dict[str, tuple[int, int]]:
    """Read what a page has answered, which may be anything."""
    found = {}
    for one in answered if isinstance(answered, list) else []:
        match one:
            case [str(source), int(wide), int(high)] if source and wide > 0 and high > 0:
                found[source] = (wide, high)
    return found
