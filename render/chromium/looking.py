"""Where the layout leaves in doubt whether a text is seen: two pictures of the window, with the text and without it.

The text is taken out of the picture by a highlight that paints it transparent (CSS Custom Highlight API 1), from a
world of scripts of its own: nothing in the document changes, and the page's scripts are told of nothing.
"""

from __future__ import annotations

import asyncio
import base64
import io
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..page import Hidden
from .channel import Channel, CommandFailed
from .draft import Draft

#: Positions of the page that are looked at, at most, seconds for it, and their share of the time that is left.
MOST_LOOKS, MOST_SECONDS, MOST_SHARE = 16, 4.0, 0.5
#: Texts that are looked at, at most: of those that look alike, and of all.
MOST_ALIKE, MOST_TEXTS = 12, 300
#: So many lines that look alike and agree stand for the others.
ENOUGH = 4
#: Windows higher than this, in device pixels, are not pictured.
HIGHEST = 6000
#: Rounds in which texts that lie over each other are taken out one after the other.
_ROUNDS = 4
#: A letter's edge is a change of at least so many levels within two pixels; a line of text has so much of its area
#: in edges, over such a height in pixels and such a share of its width.
EDGE, AREA, HEIGHT, WIDTH = 10, 0.015, 4, 0.2

_RULE = """::highlight(blocksight-unseen) { color: transparent !important; -webkit-text-fill-color: transparent !important;
  -webkit-text-stroke-color: transparent !important; text-shadow: none !important; text-decoration: none !important }"""

#: Sets up the world: the texts by number, and what can be done with them.
_EYE = """function (rule, ...texts) {
  const ranges = texts.map(text => { const range = document.createRange(); range.selectNodeContents(text); return range });
  const above = node => node.assignedSlot || node.parentElement || (node.getRootNode().host ?? null);
  const roots = new Set(texts.map(text => text.getRootNode()));
  for (const root of roots) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
  const style = getComputedStyle, clear = {fill: "transparent", stroke: "transparent", textShadow: "none"};
  let moving = [];
  const still = (element, values) => {
    const animation = element.animate([values, values], {duration: 1e9, fill: "both"});
    animation.pause();
    moving.push(animation);
  };
  // What no highlight takes away: shadows, drawings, and backgrounds that are cut to the letters.
  const strip = text => {
    const parent = above(text);
    if (!parent) return;
    if (style(parent).textShadow !== "none" || parent.ownerSVGElement) still(parent, clear);
    for (let one = parent, depth = 0; one && depth < 8; one = above(one), depth++)
      if (/text/.test(style(one).backgroundClip)) still(one, {backgroundImage: "none", backgroundColor: "transparent"});
  };
  const scrolls = value => value === "auto" || value === "scroll" || value === "overlay";
  const fit = (scroller, box, low, high, where, axis) => {
    const [first, last] = axis ? [box.top, box.bottom] : [box.left, box.right];
    const by = first + (last - first) * where - (low + (high - low) * where);
    if (Math.abs(by) >= 1) scroller[axis ? "scrollTop" : "scrollLeft"] += by;
  };
  // Scrolls as a person could: nothing that has its overflow hidden moves.
  const bring = (target, measure, where, free) => {
    const root = document.documentElement, plain = style(root).overflow === "visible";
    for (let one = target; one; one = above(one)) {
      if (one === root || (plain && one === document.body)) continue;
      const css = style(one), box = one.getBoundingClientRect();
      if (scrolls(css.overflowY)) fit(one, measure(), box.top, box.bottom, where, 1);
      if (scrolls(css.overflowX)) fit(one, measure(), box.left, box.right, where, 0);
    }
    const window_ = document.scrollingElement || root;
    if (free[1]) fit(window_, measure(), 0, innerHeight, where, 1);
    if (free[0]) fit(window_, measure(), 0, innerWidth, where, 0);
  };
  const port = text => {
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let one = above(text); one && one !== document.body; one = above(one)) {
      if (style(one).overflow === "visible" || one === document.documentElement) continue;
      const box = one.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return [left, top, right, bottom];
  };
  globalThis.blocksightEye = {
    bring: (number, where, free) => bring(above(texts[number]), () => ranges[number].getBoundingClientRect(), where, free),
    bringOwner: (owner, where, free) => bring(above(owner), () => owner.getBoundingClientRect(), where, free),
    scrollTo: share => { const all = document.scrollingElement; all.scrollTop = share * all.scrollHeight },
    look: () => ranges.map((range, number) => {
      const whole = range.getBoundingClientRect();
      if (whole.bottom <= 0 || whole.top >= innerHeight || whole.right <= 0 || whole.left >= innerWidth) return [];
      return [port(texts[number]), ...Array.from(range.getClientRects(), box => [box.left, box.top, box.right, box.bottom])];
    }),
    hide: numbers => {
      const highlight = new Highlight(...numbers.map(number => ranges[number]));
      highlight.priority = 1e6;
      CSS.highlights.set("blocksight-unseen", highlight);
      for (const number of numbers) strip(texts[number]);
    },
    show: () => {
      CSS.highlights.delete("blocksight-unseen");
      for (const animation of moving) animation.cancel();
      moving = [];
    },
  };
  return texts.length;
}"""

Picture = NDArray[np.int16]
Box = tuple[float, float, float, float]


@dataclass(slots=True, kw_only=True)
class _World:
    """The texts of one document that are looked at: rows, and the number of the script context."""

    frame: int
    context: int
    rows: list[int]


@dataclass(slots=True, kw_only=True)
class _Shown:
    """A line in the window: which, whose, and where in the picture."""

    line: int
    row: int
    box: Box


class Looking:
    """Looks at the doubtful texts of a page that stands still.

    Parameters
    ----------
    channel : Channel
        To the page.
    draft : Draft
    reply : mapping
        The snapshot of which the draft was made.
    window : tuple of int
        Width and height of the page's window.
    scale : float
        Device pixels a CSS pixel.
    seconds : float
        For all of it.
    """

    def __init__(
        self,
        channel: Channel,
        draft: Draft,
        reply: dict[str, Any],
        window: tuple[int, int],
        scale: float,
        seconds: float,
    ) -> None:
        self._channel, self._draft, self._reply = channel, draft, reply
        self._window, self._scale = window, scale
        self._deadline = time.monotonic() + seconds
        self._worlds: list[_World] = []
        self._seen: dict[int, bool] = {}
        self._pending: dict[int, list[int]] = {}

    @property
    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    async def look(self) -> dict[int, bool]:
        """Return for each doubtful line that could be looked at whether it is seen."""
        if self._window[1] * self._scale > HIGHEST:
            return {}
        self._pending = self._chosen()
        import traceback
        try:
            await self._open_worlds()
            looks = 0
            while self._pending and looks < MOST_LOOKS and self._left > 0:
                looks += await self._look_for(self._next())
        except Exception: traceback.print_exc()
        self._settle_alike()
        return self._seen

    # -- which texts ----------------------------------------------------------------------------------------------

    def _chosen(self) -> dict[int, list[int]]:
        """Return the doubtful lines of each text that is looked at; of many that look alike only some."""
        sight, node = self._draft.sight, self._draft.geometry.line_node
        lines = np.flatnonzero(sight.doubtful)
        taken: dict[int, int] = {}
        chosen: dict[int, list[int]] = {}
        for line in lines.tolist():
            row, group = int(node[line]), int(sight.alike[line])
            if row not in chosen:
                taken[group] = taken.get(group, 0) + 1
                if (group >= 0 and taken[group] > MOST_ALIKE) or len(chosen) >= MOST_TEXTS:
                    continue
            chosen.setdefault(row, []).append(line)
        return chosen

    def _next(self) -> int:
        """Return the text to look for next: one of which nothing alike has been seen yet, if there is any."""
        sight = self._draft.sight
        known = {int(sight.alike[line]) for line in self._seen}
        fresh = (row for row, lines in self._pending.items() if int(sight.alike[lines[0]]) not in known)
        return next(fresh, next(iter(self._pending)))

    def _settle_alike(self) -> None:
        """Let lines that have been looked at stand for those that look alike, where they agree."""
        sight = self._draft.sight
        votes: dict[int, list[bool]] = {}
        for line, seen in self._seen.items():
            votes.setdefault(int(sight.alike[line]), []).append(seen)
        agreed = {group: found[0] for group, found in votes.items() if group >= 0 and len(set(found)) == 1}
        for line in np.flatnonzero(sight.doubtful & np.isin(sight.alike, list(agreed))).tolist():
            self._seen.setdefault(line, agreed[int(sight.alike[line])])

    # -- the worlds of scripts -------------------------------------------------------------------------------------

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._channel.send(method, params, timeout=self._left)

    async def _open_worlds(self) -> None:
        frames, start = self._draft.frames, [frame.row for frame in self._draft.frames]
        by_frame: dict[int, list[int]] = {}
        ends = self._draft.plain.end
        for row in self._pending:
            inner = [number for number, first in enumerate(start) if first <= row < ends[first]]
            if inner:
                by_frame.setdefault(inner[-1], []).append(row)
        for number in sorted(by_frame):
            for frame in self._way_out(number):
                by_frame.setdefault(frame, [])
        for number, rows in by_frame.items():
            with suppress(CommandFailed):
                self._worlds.append(await self._open_world(number, frames[number].document, rows))
        held = {row for world in self._worlds for row in world.rows}
        self._pending = {row: lines for row, lines in self._pending.items() if row in held}

    def _way_out(self, number: int) -> list[int]:
        """Return the documents around a document, the nearest first."""
        frames, ends, found = self._draft.frames, self._draft.plain.end, []
        while frames[number].owner >= 0:
            owner = frames[number].owner
            number = max(n for n, frame in enumerate(frames) if frame.row <= owner < ends[frame.row])
            found.append(number)
        return found

    async def _open_world(self, number: int, document: int, rows: list[int]) -> _World:
        identity = self._reply["strings"][self._reply["documents"][document]["frameId"]]
        made = await self._call("Page.createIsolatedWorld", {"frameId": identity})
        context = int(made["executionContextId"])
        objects = await asyncio.gather(*(self._object(row, context) for row in rows), return_exceptions=True)
        found = [(row, one) for row, one in zip(rows, objects, strict=True) if isinstance(one, str)]
        arguments = [{"value": _RULE}, *({"objectId": one} for _, one in found)]
        call = {"functionDeclaration": _EYE, "arguments": arguments, "executionContextId": context}
        await self._call("Runtime.callFunctionOn", call)
        return _World(frame=number, context=context, rows=[row for row, _ in found])

    async def _object(self, row: int, context: int) -> str:
        node = {"backendNodeId": int(self._draft.backend[row]), "executionContextId": context}
        answer = await self._call("DOM.resolveNode", node)
        found: str = answer["object"]["objectId"]
        return found

    async def _run(self, world: _World, function: str, *given: Any, node: int | None = None) -> Any:
        """Call one of the world's functions; ``node`` is given first."""
        arguments = [] if node is None else [{"objectId": await self._object(node, world.context)}]
        arguments += [{"value": value} for value in given]
        call = {
            "functionDeclaration": f"function (...given) {{ return blocksightEye.{function}(...given) }}",
            "arguments": arguments,
            "executionContextId": world.context,
            "returnByValue": True,
        }
        answer = await self._call("Runtime.callFunctionOn", call)
        return answer["result"].get("value")

    # -- looking ---------------------------------------------------------------------------------------------------

    async def _look_for(self, row: int) -> int:
        """Bring a text into view and judge all that are in view with it; return how often was looked."""
        world = next(one for one in self._worlds if row in one.rows)
        looks = 0
        for where in self._wheres(row):
            await self._bring(world, row, where)
            looks += 1
            await self._judge(await self._in_view(row))
            if all(self._seen.get(line, False) for line in self._pending.get(row, [])):
                break
        for line in self._pending.pop(row, []):
            self._seen.setdefault(line, False)
        self._drop_settled()
        return looks

    def _wheres(self, row: int) -> tuple[float, ...]:
        """Return where in the window to look for a text: what is stuck may cover it in one place and not in another."""
        sight = self._draft.sight
        lines = self._pending[row]
        fixed = self._draft.is_fixed(row)
        if fixed:
            return (0.0, 1.0, 0.5)
        return (0.5, 0.1, 0.9) if (sight.guess[lines] == Hidden.COVER).any() else (0.5,)

    async def _bring(self, world: _World, row: int, where: float) -> None:
        frames = self._draft.frames
        if self._draft.is_fixed(row):
            root = next((one for one in self._worlds if one.frame == world.frame), world)
            await self._run(root, "scrollTo", where)
        else:
            await self._run(world, "bring", world.rows.index(row), where, list(frames[world.frame].scrolls))
        inner = world.frame
        for outer in self._way_out(world.frame):
            around = next(one for one in self._worlds if one.frame == outer)
            await self._run(around, "bringOwner", 0.5, list(frames[outer].scrolls), node=frames[inner].owner)
            inner = outer

    async def _in_view(self, target: int) -> list[_Shown]:
        """Return the lines that are in the window now."""
        shown: list[_Shown] = []
        for world in self._worlds:
            if not world.rows:
                continue
            left, top, across, down = await self._place(world.frame)
            for row, boxes in zip(world.rows, await self._run(world, "look"), strict=True):
                lines = self._pending.get(row, [])
                if not boxes or not lines:
                    continue
                port, *rects = boxes
                shown += [
                    _Shown(line=line, row=row, box=(left + box[0] * across, top + box[1] * down,
                                                    left + box[2] * across, top + box[3] * down))
                    for line, box in self._matched(row, lines, rects)
                    if row == target or _inside(box, port)
                ]  # fmt: skip
        return shown

    def _matched(self, row: int, lines: Sequence[int], rects: list[list[float]]) -> Iterable[tuple[int, list[float]]]:
        """Match a text's doubtful lines with its boxes; where their numbers differ, by what lies nearest in order."""
        first, last = np.searchsorted(self._draft.geometry.line_node, [row, row + 1])
        count = int(last - first)
        for line in lines:
            place = line - int(first)
            if rects:
                yield line, rects[place if len(rects) == count else min(place * len(rects) // count, len(rects) - 1)]

    async def _place(self, number: int) -> tuple[float, float, float, float]:
        """Return where a document stands in the window now, and how large its pixels are."""
        frame = self._draft.frames[number]
        if frame.owner < 0:
            return 0.0, 0.0, 1.0, 1.0
        owner = {"backendNodeId": int(self._draft.backend[frame.owner])}
        box = (await self._call("DOM.getBoxModel", owner))["model"]
        quad = box["content"]
        document = self._reply["documents"][frame.document]["layout"]["bounds"][0]
        across = abs(quad[2] - quad[0]) / document[2] if document[2] else 1.0
        down = abs(quad[7] - quad[1]) / document[3] if document[3] else 1.0
        return quad[0], quad[1], across, down

    async def _judge(self, shown: list[_Shown]) -> None:
        """Take two pictures, with the texts and without, and compare them line by line."""
        if not shown:
            return
        before = await self._picture()
        for round_ in _rounds(shown):
            rows = {one.row for one in round_}
            for world in self._worlds:
                await self._run(world, "hide", [n for n, row in enumerate(world.rows) if row in rows])
            after = await self._picture()
            for one in round_:
                found = legible(before, after, [edge * self._scale for edge in one.box])
                self._seen[one.line] = self._seen.get(one.line, False) or found
            for world in self._worlds:
                await self._run(world, "show")

    async def _picture(self) -> Picture:
        from PIL import Image

        wanted = {"format": "png", "optimizeForSpeed": True}
        shot = await self._call("Page.captureScreenshot", wanted)

        def read() -> Picture:
            with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as image:
                return np.asarray(image.convert("RGB"), dtype=np.int16)

        return await asyncio.to_thread(read)

    def _drop_settled(self) -> None:
        """Look no more for what has been judged, nor for what enough lines like it agree on."""
        sight = self._draft.sight
        votes: dict[int, list[bool]] = {}
        for line, seen in self._seen.items():
            votes.setdefault(int(sight.alike[line]), []).append(seen)
        settled = {group for group, found in votes.items() if len(found) >= ENOUGH and len(set(found)) == 1} - {-1}
        self._pending = {
            row: left
            for row, lines in self._pending.items()
            if (left := [n for n in lines if n not in self._seen and int(sight.alike[n]) not in settled])
        }


def _inside(box: list[float], port: list[float]) -> bool:
    """Whether a line is wholly seen through a port, but for a pixel."""
    return box[0] >= port[0] - 1 and box[1] >= port[1] - 1 and box[2] <= port[2] + 1 and box[3] <= port[3] + 1


def _rounds(shown: list[_Shown]) -> list[list[_Shown]]:
    """Part lines so that those of one round do not lie over each other; what finds no round is not judged."""
    rounds: list[list[_Shown]] = []
    for one in shown:
        for members in rounds:
            if not any(other.row != one.row and _overlap(one.box, other.box) for other in members):
                members.append(one)
                break
        else:
            if len(rounds) < _ROUNDS:
                rounds.append([one])
    return rounds


def _overlap(one: Box, other: Box) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 2 and high > 0.3 * min(one[3] - one[1], other[3] - other[1])


def legible(before: Picture, after: Picture, box: Sequence[float]) -> bool:
    """Return whether something that can be read is in a box of the one picture and not of the other.

    Parameters
    ----------
    before, after : int16 (height, width, 3)
    box : sequence of float
        left, top, right, bottom.
    """
    high, wide = before.shape[:2]
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = min(int(np.ceil(box[2])), wide), min(int(np.ceil(box[3])), high)
    if right - left < 1 or bottom - top < HEIGHT:
        return False
    change = (before[top:bottom, left:right] - after[top:bottom, left:right]).astype(np.int32)
    edges = np.zeros(change.shape[:2], dtype=bool)
    # A veil changes everything alike; letters have edges.
    edges[:, :-2] |= np.abs(change[:, 2:] - change[:, :-2]).max(axis=2) >= EDGE
    edges[:-2] |= np.abs(change[2:] - change[:-2]).max(axis=2) >= EDGE
    rows, columns = np.flatnonzero(edges.any(axis=1)), np.flatnonzero(edges.any(axis=0))
    if not len(rows):
        return False
    enough = edges.sum() >= AREA * edges.size and len(columns) >= WIDTH * edges.shape[1]
    return bool(enough and rows[-1] - rows[0] + 1 >= HEIGHT)
