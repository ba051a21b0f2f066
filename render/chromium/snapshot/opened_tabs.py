"""Find the panels of tab groups that a click on their tab shows, by all rules of visibility."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import IntColumn
from ....page.page import Page
from ....page.tab_groups import OPENED, code_in_panels
from ...devtools.channel import Channel, ChannelClosed, CommandFailed
from ...visibility.pending_page import PendingPage

#: Most clicks on a page, each of which is followed by a snapshot, and the real seconds of one.
MOST_CLICKS, CLICK_SECONDS = 8, 1.0
#: Seconds of the page's clock between a click and the snapshot.
REACTION = 0.5
#: Share of the remaining time for all clicks.
SHARE = 0.5

#: A page and the browser's id of each of its elements, in document order.
Seen = tuple[Page, IntColumn]


async def open_tabs(
    channel: Channel,
    first: Seen,
    look: Callable[[], Awaitable[Seen]],
    wait: Callable[[float], Awaitable[None]],
    seconds: float,
) -> dict[str, str]:
    """Click the tabs of code of a captured page; return the entry of its environment that names the opened panels.

    ``look`` captures the page again, ``wait`` runs its clock. The page is not captured as before after it.
    """
    page, ids = first
    opened: set[int] = set()
    groups = code_in_panels(page)
    clicks = max(map(len, groups), default=0)
    if not groups or clicks > MOST_CLICKS:
        return {}
    id_of = dict(zip(element_rows(page).tolist(), ids.tolist(), strict=True))
    # The page is captured: a click that ends it now loses nothing.
    with suppress(ChannelClosed, CommandFailed, TimeoutError):
        async with asyncio.timeout(seconds * SHARE):
            # One tab of each group at a time.
            for number in range(clicks):
                pairs = [group[number] for group in groups if number < len(group)]
                for tab, _ in pairs:
                    await _click(channel, id_of[tab])
                await wait(REACTION)
                now, now_ids = await look()
                row_of = dict(zip(now_ids.tolist(), element_rows(now).tolist(), strict=True))
                opened |= {panel for _, panel in pairs if _shows_all(page, panel, now, row_of.get(id_of[panel], -1))}
    return {OPENED: " ".join(map(str, sorted(opened)))} if opened else {}


def element_ids(pending: PendingPage) -> IntColumn:
    """Return the browser's id of each element of a page, in document order; texts may be split later."""
    ids: IntColumn = pending.backend[element_rows(pending.plain)]
    return ids


def element_rows(page: Page) -> NDArray[np.int64]:
    """Return the rows of the elements."""
    return np.flatnonzero(page.text < 0)


def _shows_all(page: Page, panel: int, now: Page, row: int) -> bool:
    """Return whether all text of a panel is visible in a later capture of the page, and the same."""
    if row < 0:
        return False
    before, after = (slice(*one.leaf_range[at].tolist()) for one, at in ((page, panel), (now, row)))
    texts = ["".join("".join(one.leaf_texts[part]).split()) for one, part in ((page, before), (now, after))]
    return bool(texts[0]) and texts[0] == texts[1] and not now.hidden[after].any()


async def _click(channel: Channel, node: int) -> None:
    """Click the middle of an element with the mouse, so that pages cannot tell it from a person's click."""
    element = {"backendNodeId": node}
    await channel.send("DOM.scrollIntoViewIfNeeded", element, timeout=CLICK_SECONDS)
    quads = (await channel.send("DOM.getContentQuads", element, timeout=CLICK_SECONDS))["quads"]
    if not quads:
        return
    mouse: dict[str, Any] = {
        "x": sum(quads[0][::2]) / 4,
        "y": sum(quads[0][1::2]) / 4,
        "button": "left",
        "clickCount": 1,
    }
    for kind in ("mousePressed", "mouseReleased"):
        await channel.send_and_draw("Input.dispatchMouseEvent", mouse | {"type": kind}, timeout=CLICK_SECONDS)
