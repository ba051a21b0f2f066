"""Control the texts of a frozen page from isolated worlds: scroll them into view, measure, hide and show them.

The script is ``render/scripts/text_visibility.js``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import script
from ..pending_page import PendingPage

_FRAME = "function () { return new Promise(done => requestAnimationFrame(done)) }"

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextInView:
    """A text in the window: the boxes of its lines in CSS pixels of the window, and which are not clipped."""

    row: int
    boxes: tuple[Box, ...]
    whole: tuple[bool, ...]
    #: How far its shadows are to the right of it and below it, for those that are not next to it.
    shadows: tuple[tuple[float, float], ...]


@dataclass(slots=True, kw_only=True)
class _World:
    """A document: its index among the page's frames, its execution context, the size of its window, and its texts."""

    frame: int
    context: int
    size: tuple[float, float]
    rows: list[int]


class InjectedScript:
    """Scrolls a frozen page and hides texts of it."""

    def __init__(self, channel: Channel, pending: PendingPage, reply: dict[str, Any]) -> None:
        self._channel, self._pending, self._reply = channel, pending, reply
        self._worlds: dict[int, _World] = {}

    async def open(self, rows: Iterable[int], timeout: float) -> set[int]:
        """Inject the script for some texts; return the texts that still exist."""
        by_frame: dict[int, list[int]] = {}
        for row in rows:
            if (number := self._pending.frame_of(row)) >= 0:
                by_frame.setdefault(number, []).append(row)
        for number in list(by_frame):
            for outer in self._outer_frames(number):
                by_frame.setdefault(outer, [])
        for number, texts in by_frame.items():
            with suppress(CommandFailed):
                self._worlds[number] = await self._open(number, texts, timeout)
        return {row for world in self._worlds.values() for row in world.rows}

    async def bring(self, row: int, share: float, timeout: float) -> bool:
        """Scroll a text, as a user could, to a position in the window from 0 (top) to 1 (bottom)."""
        frames, number = self._pending.frames, self._pending.frame_of(row)
        world = self._worlds[number]
        if self._pending.is_fixed(row):
            moved = bool(await self._run(world, "scrollTo", [share], timeout))
        else:
            scrolls = list(frames[number].scrolls)
            moved = bool(await self._run(world, "bring", [world.rows.index(row), share, scrolls], timeout))
        for outer in self._outer_frames(number):
            owner = (await self._object(frames[number].owner, self._worlds[outer].context, timeout))["objectId"]
            scrolls = list(frames[outer].scrolls)
            moved |= bool(await self._run(self._worlds[outer], "bringOwner", [0.5, scrolls], timeout, first=owner))
            number = outer
        return moved

    async def draws(self, timeout: float) -> bool:
        """Return whether the browser draws a frame in time; the page's scripts cannot falsify it."""
        outer = (world for world in self._worlds.values() if self._pending.frames[world.frame].owner < 0)
        if (world := next(outer, None)) is None:
            return True
        call = {"functionDeclaration": _FRAME, "executionContextId": world.context, "awaitPromise": True}
        with suppress(TimeoutError):
            await self._channel.send_and_draw("Runtime.callFunctionOn", call, timeout=timeout)
            return True
        return False

    async def in_view(self, timeout: float) -> list[TextInView]:
        """Return the texts that are in the window."""
        found = []
        for world in self._worlds.values():
            if not world.rows:
                continue
            place = await self._place(world, timeout)
            for row, boxes in zip(world.rows, await self._run(world, "boxes", [], timeout), strict=True):
                if len(boxes) > 2:
                    clip, offsets, *lines = boxes
                    placed = tuple(_placed(line, place) for line in lines)
                    whole = tuple(_fits(line, clip) for line in lines)
                    shadows = tuple((right * place[2], down * place[3]) for right, down in offsets)
                    found.append(TextInView(row=row, boxes=placed, whole=whole, shadows=shadows))
        return found

    async def words(self, row: int, timeout: float) -> list[tuple[int, tuple[Box, ...]]]:
        """Return for each word of a text the number of characters before it, white space aside, and its boxes."""
        world = self._worlds[self._pending.frame_of(row)]
        place = await self._place(world, timeout)
        words = await self._run(world, "words", [world.rows.index(row)], timeout)
        return [(int(before), tuple(_placed(box, place) for box in boxes)) for before, *boxes in words]

    async def hide(self, rows: set[int], timeout: float) -> None:
        """Hide texts."""
        for world in self._worlds.values():
            indices = [index for index, row in enumerate(world.rows) if row in rows]
            if indices:
                await self._run(world, "hide", [indices], timeout)

    async def show(self, timeout: float) -> None:
        """Show all texts again."""
        for world in self._worlds.values():
            await self._run(world, "show", [], timeout)

    def _outer_frames(self, number: int) -> list[int]:
        """Return the documents around a document, the nearest first."""
        outer = []
        while (owner := self._pending.frames[number].owner) >= 0:
            number = self._pending.frame_of(owner)
            outer.append(number)
        return outer

    async def _open(self, number: int, rows: list[int], timeout: float) -> _World:
        document = self._pending.frames[number].document
        frame = self._reply["strings"][self._reply["documents"][document]["frameId"]]
        context = await self._channel.world(frame, timeout=timeout)
        results = await asyncio.gather(*(self._object(row, context, timeout) for row in rows), return_exceptions=True)
        # The browser resolves texts of pseudo-elements to these.
        objects = {
            row: result["objectId"]
            for row, result in zip(rows, results, strict=True)
            if isinstance(result, dict) and result.get("className") == "Text"
        }
        call = {
            "functionDeclaration": script("text_visibility"),
            "arguments": [{"objectId": identity} for identity in objects.values()],
            "executionContextId": context,
            "returnByValue": True,
        }
        size = (await self._call(call, timeout)).get("value") or (0.0, 0.0)
        return _World(frame=number, context=context, size=(size[0], size[1]), rows=list(objects))

    async def _object(self, row: int, context: int, timeout: float) -> dict[str, Any]:
        node = {"backendNodeId": int(self._pending.backend[row]), "executionContextId": context}
        found: dict[str, Any] = (await self._channel.send("DOM.resolveNode", node, timeout=timeout))["object"]
        return found

    async def _run(
        self, world: _World, function: str, arguments: list[Any], timeout: float, *, first: str | None = None
    ) -> Any:
        """Call a function of the script; ``first`` is the id of an object before the other arguments."""
        objects = [{"objectId": first}] if first is not None else []
        call = {
            "functionDeclaration": f"function (...args) {{ return blocksightTexts.{function}(...args) }}",
            "arguments": [*objects, *({"value": value} for value in arguments)],
            "executionContextId": world.context,
            "returnByValue": True,
        }
        return (await self._call(call, timeout)).get("value")

    async def _call(self, call: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Call a function; documents that are no HTML may lack what it needs."""
        reply = await self._channel.send("Runtime.callFunctionOn", call, timeout=timeout)
        if "exceptionDetails" in reply:
            raise CommandFailed(str(reply["exceptionDetails"].get("exception", {}).get("description", ""))[:200])
        result: dict[str, Any] = reply["result"]
        return result

    async def _place(self, world: _World, timeout: float) -> Box:
        """Return the position of a document in the window, and the size of its pixels: (left, top, x, y)."""
        frame = self._pending.frames[world.frame]
        if frame.owner < 0:
            return 0.0, 0.0, 1.0, 1.0
        owner = {"backendNodeId": int(self._pending.backend[frame.owner])}
        quad = (await self._channel.send("DOM.getBoxModel", owner, timeout=timeout))["model"]["content"]
        width, height = world.size
        x = abs(quad[2] - quad[0]) / width if width else 1.0
        y = abs(quad[7] - quad[1]) / height if height else 1.0
        return quad[0], quad[1], x, y


def _placed(box: list[float], place: Box) -> Box:
    """Return a box of a document in CSS pixels of the window."""
    left, top, x, y = place
    return left + box[0] * x, top + box[1] * y, left + box[2] * x, top + box[3] * y


def _fits(box: list[float], clip: list[float]) -> bool:
    """Return whether a line is inside of a clip rectangle, within a pixel."""
    return box[0] >= clip[0] - 1 and box[1] >= clip[1] - 1 and box[2] <= clip[2] + 1 and box[3] <= clip[3] + 1
