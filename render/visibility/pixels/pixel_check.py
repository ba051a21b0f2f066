"""Check uncertain lines by two screenshots of the window, with the text and without it."""

from __future__ import annotations

import asyncio
import base64
import io
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import BoolColumn, between
from ....page.hidden import Hidden
from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import script
from ...render_options import RenderOptions
from ..css_values import LEGIBLE_DIFFERENCE, visible_difference
from ..pending_page import PendingPage, PixelResult
from .window_capture import FRAME_SECONDS, HELD_SECONDS, shoot

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


#: Red, green, blue from 0 to 255: int16 (height, width, 3).
Picture = NDArray[np.int16]

#: An edge is a change of so many levels within so many pixels.
EDGE, _REACH = 10, 2
#: A line of text has this share of its area in edges, over this height in pixels and this share of its width.
AREA, HEIGHT, WIDTH = 0.015, 4, 0.3
#: A gap without edges is no space between words if it is so many times as wide as the line is high.
GAP = 2.5


def legible(before: Picture, after: Picture, box: Sequence[float], *, letters: bool = True) -> bool:
    """Return whether a difference of two pictures in a box is legible; with ``letters``, as high and broad as text."""
    found = edges(before, after, box)
    if found is None:
        return False
    if not letters:
        return bool(found.any())
    rows, columns = np.flatnonzero(found.any(axis=1)), np.flatnonzero(found.any(axis=0))
    if found.sum() < AREA * found.size or len(columns) < WIDTH * found.shape[1]:
        return False
    # The lower edge of a letter is below it.
    return bool(len(rows)) and int(rows[-1] - rows[0]) + 1 - _REACH >= HEIGHT


def edges(before: Picture, after: Picture, box: Sequence[float]) -> NDArray[np.bool_] | None:
    """Return the edges of the difference in a box, bool (height, width); None if the box is outside."""
    # Rounding at the edges of a part of the window may take a pixel of one of them.
    height, width = np.minimum(before.shape[:2], after.shape[:2]).tolist()
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), width), min(int(np.ceil(box[3])), height)
    if right <= left or bottom - top < HEIGHT:
        return None
    change = before[top:bottom, left:right] - after[top:bottom, left:right]
    visible = _is_visible(before[top:bottom, left:right], after[top:bottom, left:right], change)
    # A transparent layer changes all pixels alike; letters have edges.
    found = np.zeros((bottom - top, right - left), dtype=bool)
    # Color by color: NumPy is slow along an axis of three.
    for color in np.moveaxis(change, 2, 0):
        found[:, _REACH:] |= np.abs(color[:, _REACH:] - color[:, :-_REACH]) >= EDGE
        found[_REACH:, :] |= np.abs(color[_REACH:] - color[:-_REACH]) >= EDGE
    # Both ends of an edge count.
    near = visible.copy()
    near[:, _REACH:] |= visible[:, :-_REACH]
    near[_REACH:, :] |= visible[:-_REACH]
    return found & near


def _is_visible(before: Picture, after: Picture, change: Picture) -> NDArray[np.bool_]:
    """Return the pixels with a difference that the eye can see, bool (height, width)."""
    visible = np.asarray((np.abs(change) >= EDGE).any(axis=2))
    visible[visible] = visible_difference(before[visible], after[visible]) >= LEGIBLE_DIFFERENCE
    return visible


def is_partly_legible(before: Picture, after: Picture, box: Sequence[float]) -> bool:
    """Return whether some of a line is legible, and a long part of it is not."""
    found = edges(before, after, box)
    if found is None or not found.any():
        return False
    columns = np.flatnonzero(found.any(axis=0))
    gaps = np.diff(np.concatenate([[-1], columns, [found.shape[1]]])) - 1
    return bool(gaps.max() >= GAP * found.shape[0])


#: A method of the browser and its parameters.
Command = tuple[str, dict[str, Any]]
#: Scroll positions that are checked, at most, seconds for all, and their share of the remaining time.
MOST_POSITIONS, MOST_SECONDS, MOST_SHARE = 40, 12.0, 0.5
#: After so many positions, lines that are still uncertain count as hidden.
FAIR = 8
#: Higher windows, in device pixels, are not checked.
HIGHEST = 6000
#: Narrower words, in heights of their line, may be a dash or a full stop.
NARROW = 0.8
#: Seconds to wait for a screenshot; after that no other is taken.
PATIENCE = 8.0
#: The same for a part of the window; after that all are of the whole window.
PART_SECONDS = 2.0
#: The smallest screenshot.
_SMALLEST: dict[str, Any] = {"format": "jpeg", "quality": 1}
#: Rounds in which overlapping texts are hidden one after the other.
_ROUNDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _WindowLine:
    """A line in the window, its text node, its box, and the boxes of its shadows that are not next to it."""

    line: int
    row: int
    box: Box
    shadows: tuple[Box, ...] = ()


async def check_pixels(
    channel: Channel,
    page: PendingPage,
    reply: dict[str, Any],
    colored: Set[int],
    *,
    options: RenderOptions,
    seconds: float,
    stretch: float,
    held: bool,
    full: Command,
) -> PixelResult:
    """Check the lines of a frozen page that ``options.look`` names, in ``seconds``, if there are any.

    ``colored``: texts in fonts with colors. ``stretch``: how many times as long work takes on a busy machine.
    ``held``: the browser has drawn no frames lately. ``full``: the command that paints the window at its full scale.
    """
    visible, scale = page.visibility.reason == Hidden.VISIBLE, options.device_scale
    lines = page.visibility.uncertain | (visible & np.isin(page.geometry.line_node, list(colored)))
    if options.look == "always":
        lines |= visible
    if options.look == "never" or options.viewport[1] * scale > HIGHEST or not lines.any():
        return PixelResult()
    seconds = min(MOST_SECONDS * stretch, MOST_SHARE * seconds)
    return await PixelCheck(
        channel, page, reply, lines=lines, window=options.viewport, scale=scale, seconds=seconds, full=full
    ).run(held=held)


class PixelCheck:
    """Scrolls a frozen page, and checks lines in its window."""

    def __init__(
        self,
        channel: Channel,
        page: PendingPage,
        reply: dict[str, Any],
        *,
        lines: BoolColumn,
        window: tuple[int, int],
        scale: float,
        seconds: float,
        full: Command,
    ) -> None:
        self._channel, self._page = channel, page
        self._script = InjectedScript(channel, page, reply)
        self._votes = LineVotes(page, lines)
        self._window = window
        self._scale = scale
        self._full = full
        self._start = time.monotonic()
        self._deadline = self._start + seconds
        self._pictures = 0
        self._takes_parts = True
        self._is_held = False
        #: The part of the page that the window is reduced to.
        self._shown: dict[str, float] = {}

    @property
    def _has_current_pictures(self) -> bool:
        """Whether each picture comes with a frame of its own: others may be of the frame before."""
        return self._takes_parts and self._channel.frames is not None

    @property
    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    async def run(self, *, held: bool) -> PixelResult:
        """Check lines until all are decided or the time is over; many unchecked uncertain ones are hidden."""
        votes = self._votes
        chosen, positions, reachable, is_complete = votes.chosen(), 0, set[int](), False
        with suppress(TimeoutError, CommandFailed):
            reachable = await self._script.open(chosen, self._left)
            self._is_held = held
            votes.open = {row: lines for row, lines in chosen.items() if row in reachable}
            while votes.open and positions < MOST_POSITIONS and self._left > 0:
                positions += await self._check_text(votes.next_text())
            is_complete = True
        votes.extend()
        # Not if the browser stopped replying although there was time.
        if (is_complete or not self._left) and positions >= FAIR:
            votes.hide_rest(chosen.keys() - reachable)
        return replace(votes.result(), pictures=self._pictures, seconds=time.monotonic() - self._start)

    async def _check_text(self, row: int) -> int:
        """Scroll a text into view and check all open lines in view; return the number of positions."""
        positions, is_confirmed = 0, False
        visible = self._votes.visible
        for share in self._shares(row):
            moved = await self._script.bring(row, share, self._left)
            if positions and not moved:
                continue  # nothing that the last pictures have not shown
            lines = list(self._in_view(await self._script.in_view(self._left), row))
            # A text is hidden if it is at all positions, one of which is confirmed.
            await self._check(lines, already_confirmed=row if is_confirmed else -1, moved=moved)
            is_confirmed = is_confirmed or any(line.row == row for line in lines)
            positions += 1
            # The words that a cover leaves at one position may not be all.
            words = self._votes.words
            if all(visible.get(line, False) and line not in words for line in self._votes.open[row]):
                break
        for line in self._votes.open.pop(row):
            visible.setdefault(line, False)
        self._votes.drop_decided()
        return positions

    def _shares(self, row: int) -> tuple[float, ...]:
        """Return the positions in the window to check a text at: a sticky cover may cover it at some of them only."""
        page = self._page
        if page.is_fixed(row):
            return (0.0, 1.0, 0.5)
        covers = page.visibility.covered_by[self._votes.open[row]].tolist()
        return (0.5, 0.1, 0.9) if any(cover >= 0 and self._moves_over(cover) for cover in covers) else (0.5,)

    def _moves_over(self, cover: int) -> bool:
        """Return whether a cover hides other lines at other positions: it stays, and has an end in the window."""
        top, height = self._page.geometry.box[cover, [1, 3]].tolist()
        return self._page.is_fixed_or_sticky(cover) and (top > 0 or top + height < self._window[1])

    def _is_outside(self, box: Box, cover: int) -> bool:
        """Return whether a box of the window is outside of what stays in the window and may cover it."""
        left, top, width, height = self._page.geometry.box[cover].tolist()
        stays = cover >= 0 and self._page.is_fixed(cover) and self._page.frame_of(cover) == 0
        return stays and (box[2] <= left or box[0] >= left + width or box[3] <= top or box[1] >= top + height)

    def _in_view(self, texts: list[TextInView], target: int) -> Iterator[_WindowLine]:
        """Yield the open lines in the window; the boxes of a text are in the order of its lines."""
        node, size = self._page.geometry.line_node, self._page.geometry.line_box[:, 2:]
        covered_by = self._page.visibility.covered_by
        for text in texts:
            first, last = between(node, text.row, text.row + 1)
            for line in self._votes.open.get(text.row, ()):
                index = (line - first) * len(text.boxes) // max(last - first, 1)
                # A first letter with a style of its own has a box here, and no line.
                width_and_height = size[line].tolist()
                equal = [(abs(i - index), i) for i, box in enumerate(text.boxes) if _has_size(box, width_and_height)]
                index = min(equal, default=(0, index))[1]
                box = text.boxes[index]
                # What a cover hides here may be seen elsewhere.
                is_clear = len(self._shares(text.row)) == 1 or self._is_outside(box, int(covered_by[line]))
                if text.row == target or (text.whole[index] and is_clear):
                    shadows = tuple((box[0] + x, box[1] + y, box[2] + x, box[3] + y) for x, y in text.shadows)
                    yield _WindowLine(line=line, row=text.row, box=box, shadows=shadows)

    async def _check(self, lines: list[_WindowLine], *, already_confirmed: int, moved: bool) -> None:
        """Check lines, overlapping ones one after the other; lines that seem hidden twice, but for one text."""
        rounds = [members for members in _rounds(lines) if self._crop(members)]
        crop = self._crop([line for members in rounds for line in members])
        if crop is None:
            return
        if self._takes_parts:
            await self._show_only(crop)
        if not self._has_current_pictures and (moved or self._pictures == 0):
            await self._draw()
        # The page is frozen: the screenshot with all texts is the same in each round.
        before = await self._picture(crop)
        for members in rounds:
            hidden = [line for line in await self._compare(members, before, crop) if line.row != already_confirmed]
            if hidden and not self._has_current_pictures:
                await self._compare(hidden, await self._picture(crop), crop)

    async def _draw(self) -> None:
        """Draw a frame: the first screenshot after scrolling may still show the old position.

        Without frames there are no screenshots. If there is none before the first one, the clock may bring it; if that
        does not, nothing does.
        """
        is_drawn = not self._is_held and await self._script.draws(min(self._left, FRAME_SECONDS))
        if not is_drawn and self._pictures == 0:
            self._is_held = False
            await shoot(self._channel, _SMALLEST, min(self._left, HELD_SECONDS), held=True)

    async def _compare(
        self, lines: list[_WindowLine], with_texts: asyncio.Future[Picture], crop: Box
    ) -> list[_WindowLine]:
        """Compare a part of the window with a screenshot without some texts; return the lines that seem hidden."""
        votes = self._votes
        await self._script.hide({line.row for line in lines}, self._left)
        without = await self._picture(crop)
        await self._script.show(self._left)
        before, after = await asyncio.gather(with_texts, without)
        for line in lines:
            letters = any(character.isalnum() for character in self._page.line_text(line.line))
            box = self._in_picture(line.box, crop)
            thrown = any(legible(before, after, self._in_picture(shadow, crop)) for shadow in line.shadows)
            by_word = letters and not self._page.drawings[line.row] and is_partly_legible(before, after, box)
            if by_word and not thrown:
                is_visible = await self._check_words(line, before, after, crop)
            else:
                is_visible = thrown or legible(before, after, box, letters=letters)
                if is_visible:
                    votes.words.pop(line.line, None)
            votes.visible[line.line] = votes.visible.get(line.line, False) or is_visible
        return [line for line in lines if not votes.visible[line.line]]

    async def _check_words(self, line: _WindowLine, before: Picture, after: Picture, crop: Box) -> bool:
        """Check a line word by word; return whether any word is visible."""
        # Before the line has words: if the time is over, it has no result either.
        found = await self._script.words(line.row, self._left)
        words = self._votes.words.setdefault(line.line, {})
        top, bottom = line.box[1], line.box[3]
        is_visible = True
        for start, boxes in found:
            for box in boxes:
                if top <= (box[1] + box[3]) / 2 <= bottom and box[2] > box[0]:
                    # No screenshot shows a dash or a full stop: it is treated as the word before it.
                    narrow = box[2] - box[0] < NARROW * (bottom - top)
                    is_visible = legible(before, after, self._in_picture(box, crop)) or (is_visible and narrow)
                    words[start] = words.get(start, False) or is_visible
        if all(words.values()):
            self._votes.words.pop(line.line)
        return any(words.values())

    def _in_picture(self, box: Box, crop: Box) -> list[float]:
        """Return a box of the window in pixels of a cropped screenshot."""
        return [(edge - start) * self._scale for edge, start in zip(box, (*crop[:2], *crop[:2]), strict=True)]

    def _crop(self, lines: list[_WindowLine]) -> Box | None:
        """Return the part of the window, in whole CSS pixels, that contains some lines; None if it is empty."""
        boxes = [box for line in lines for box in (line.box, *line.shadows)]
        edges = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
        low = np.floor(edges[:, :2].min(axis=0, initial=np.inf))
        high = np.ceil(edges[:, 2:].max(axis=0, initial=-np.inf))
        low, high = np.maximum(low, 0.0), np.minimum(high, self._window)
        return (*low.tolist(), *high.tolist()) if (high > low).all() else None

    async def _picture(self, crop: Box) -> asyncio.Future[Picture]:
        """Take a picture of a part of the window: encoding it costs by the pixel, and so does decoding, in a thread."""
        data = await self._part() if self._takes_parts else None
        whole = data is None
        if data is None:
            data = await self._shoot({"format": "png"})
        left, top, right, bottom = (round(edge * self._scale) for edge in crop)
        read = partial(_read, data, (left, top, right, bottom) if whole else None)
        return asyncio.ensure_future(asyncio.to_thread(read))

    async def _part(self) -> str | None:
        """Take a screenshot of the part that is shown; None from the first time on that the browser does not reply.

        While the clock is paused, it may never do so, but it takes pictures of the whole window then.
        """
        with suppress(TimeoutError):
            return await self._shoot({"format": "png", "clip": self._shown}, most=PART_SECONDS)
        self._takes_parts, self._shown = False, {}
        await self._channel.send(*self._full, timeout=self._left)
        return None

    async def _show_only(self, crop: Box) -> None:
        """Reduce the window to a part of it, at its full scale, which the page cannot observe.

        Otherwise the browser would do so for each screenshot, and undo it, which takes two frames more.
        """
        metrics = await self._channel.send("Page.getLayoutMetrics", timeout=self._left)
        view = metrics["cssVisualViewport"]
        left, top, right, bottom = crop
        clip = {"x": view["pageX"] + left, "y": view["pageY"] + top, "width": right - left, "height": bottom - top}
        clip["scale"] = 1
        if clip == self._shown:
            return
        method, parameters = self._full
        size = {name: math.ceil(clip[name] * self._scale) for name in ("width", "height")}
        await asyncio.gather(
            self._channel.send(method, parameters | {"viewport": clip, "dontSetVisibleSize": True}, timeout=self._left),
            self._channel.send("Emulation.setVisibleSize", size, timeout=self._left),
        )
        self._shown = clip

    async def _shoot(self, parameters: dict[str, Any], *, most: float = PATIENCE) -> str:
        """Take a screenshot; a browser that has not finished one for long never will."""
        self._pictures += 1
        seconds, is_shown = min(self._left, most), "clip" in parameters
        return await shoot(self._channel, parameters | {"optimizeForSpeed": True}, seconds, is_shown=is_shown)


def _read(data: str, crop: tuple[int, int, int, int] | None) -> Picture:
    """Decode a screenshot, or a part of it."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return np.asarray((image.crop(crop) if crop else image).convert("RGB"), dtype=np.int16)


def _has_size(box: Box, size: list[float]) -> bool:
    """Return whether a box has about a width and height."""
    return abs(box[2] - box[0] - size[0]) < 1 and abs(box[3] - box[1] - size[1]) < 1


def _rounds(lines: list[_WindowLine]) -> list[list[_WindowLine]]:
    """Partition lines into rounds of texts that do not overlap; texts that fit into no round are dropped."""
    rounds: list[list[_WindowLine]] = []
    for _, of_text in groupby(lines, lambda line: line.row):
        text = list(of_text)
        free = (members for members in rounds if not any(_overlap(*pair) for pair in product(text, members)))
        members = next(free, None)
        if members is not None:
            members += text
        elif len(rounds) < _ROUNDS:
            rounds.append(text)
    return rounds


def _overlap(line: _WindowLine, other: _WindowLine) -> bool:
    """Return whether lines, or their shadows, overlap."""
    return any(_boxes_overlap(*pair) for pair in product((line.box, *line.shadows), (other.box, *other.shadows)))


def _boxes_overlap(box: Box, other: Box) -> bool:
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return width > 2 and height > 0.3 * min(box[3] - box[1], other[3] - other[1])


#: Texts that are checked, at most.
MOST_TEXTS = 600
#: Lines of a kind take turns in groups of TURN; ENOUGH of them that agree decide the others.
TURN, ENOUGH = 4, 6
#: Fallback, reason, style of a line, and styles of its ground and its cover.
Kind = tuple[int, ...]


class LineVotes:
    """The results of checked lines, which are extended to others of their kind.

    Lines of one kind have the same fallback, reason and styles, and the same styles of their ground and their cover:
    screenshots are expensive, so some lines of a kind that agree decide the rest of it.
    """

    def __init__(self, page: PendingPage, checked: BoolColumn) -> None:
        self._page = page
        self._checked = np.flatnonzero(checked).tolist()
        self.visible: dict[int, bool] = {}
        #: For lines that are visible in part, the result for each word, by the number of characters before it.
        self.words: dict[int, dict[int, bool]] = {}
        #: The lines that are still to be checked, by text.
        self.open: dict[int, list[int]] = {}

    def chosen(self) -> dict[int, list[int]]:
        """Return the lines of each text that is checked.

        Kinds take turns, so that a frequent one does not use up the screenshots of the others.
        """
        node = self._page.geometry.line_node
        chosen: dict[int, list[int]] = {}
        turn: Counter[Kind] = Counter()
        order = []
        for line in self._checked:
            kind = self._kind(line)
            order.append((turn[kind] // TURN, line))
            turn[kind] += 1
        for _, line in sorted(order):
            row = int(node[line])
            if row in chosen or len(chosen) < MOST_TEXTS:
                chosen.setdefault(row, []).append(line)
        return chosen

    def next_text(self) -> int:
        """Return the text to check next: one of a kind without results, if there is any."""
        known = {self._kind(line) for line in self.visible}
        fresh = (row for row, lines in self.open.items() if self._kind(lines[0]) not in known)
        return next(fresh, next(iter(self.open)))

    def drop_decided(self) -> None:
        """Remove lines with results from the open ones, and lines whose kind is decided."""
        kinds = self._decided()
        remaining = {
            row: [line for line in lines if line not in self.visible and self._kind(line) not in kinds]
            for row, lines in self.open.items()
        }
        self.open = {row: lines for row, lines in remaining.items() if lines}

    def extend(self) -> None:
        """Extend the results to unchecked lines of the same kind."""
        kinds = self._decided()
        for line in self._checked:
            if (kind := self._kind(line)) in kinds:
                self.visible.setdefault(line, kinds[kind])

    def hide_rest(self, unreachable: Set[int]) -> None:
        """Count unchecked lines as hidden, so that a page gains nothing by uncertain lines without end."""
        node = self._page.geometry.line_node
        for line in np.flatnonzero(self._page.visibility.uncertain).tolist():
            if int(node[line]) not in unreachable:
                self.visible.setdefault(line, False)

    def result(self) -> PixelResult:
        """Return all results."""
        words = {line: words for line, words in self.words.items() if self.visible[line]}
        return PixelResult(lines=self.visible, words=words)

    def _kind(self, line: int) -> Kind:
        page, visibility = self._page, self._page.visibility
        style, ground, cover = (
            self._style(int(column[line]))
            for column in (page.geometry.line_node, visibility.ground, visibility.covered_by)
        )
        return int(visibility.fallback[line]), int(visibility.reason[line]), style, ground, cover

    def _style(self, node: int) -> int:
        """Return the number of a node's style; an image has one of its own, and ~node - 1 is below -1."""
        return -1 if node < 0 else ~node - 1 if self._page.images[node] else int(self._page.styles.row[node])

    def _decided(self) -> dict[Kind, bool]:
        """Return the result of each kind of which enough lines agree; drawings say nothing about others.

        A line that is visible in part agrees with none.
        """
        page, node = self._page, self._page.geometry.line_node
        votes: dict[Kind, list[bool]] = {}
        for line in self.visible:
            if not page.drawings[node[line]]:
                cast = [True, False] if line in self.words else [self.visible[line]]
                votes.setdefault(self._kind(line), []).extend(cast)
        return {kind: cast[0] for kind, cast in votes.items() if len(cast) >= ENOUGH and len(set(cast)) == 1}
