"""Take the snapshot of a live page, and add what it omits."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

from ....page.html import ADDED_PREFIX
from ...devtools.channel import Channel, CommandFailed
from ..freeze import lay_out_skipped, skips_content
from ..time_budget import TimeBudget
from .capture import SNAPSHOT, Placement
from .column_lines import fix_column_lines
from .shadow_roots import add_shadow_roots
from .shown_images import add_images

#: The pixels of a frame are enlarged at most so many times.
_LARGEST_PIXEL = 20.0
#: Frames whose position is requested, at most.
_MOST_FRAMES = 200


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
        await add_shadow_roots(channel, reply)

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
