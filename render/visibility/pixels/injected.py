"""A world of scripts in each document of a page that stands still: brings texts into view and takes them out of sight.

A text is taken out by a highlight that paints it transparent (CSS Custom Highlight API 1), and what no highlight takes
away by animations that stand still. Nothing in the document changes, and the page's scripts are told of nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...devtools.channel import Channel, CommandFailed
from ..pending_page import PendingPage

_CLEAR = "transparent !important"
_RULE = f"""::highlight(blocksight-unseen) {{ color: {_CLEAR}; -webkit-text-fill-color: {_CLEAR};
  -webkit-text-stroke-color: {_CLEAR}; text-shadow: none !important; text-decoration: none !important }}"""

_FRAME = "function () { return new Promise(done => requestAnimationFrame(done)) }"

#: Sets up the world: the texts by number, and what can be done with them.
_EYE = """function (rule, ...texts) {
  const style = getComputedStyle, root = document.documentElement;
  const above = node => node.assignedSlot || node.parentElement || (node.getRootNode().host ?? null);
  const ranges = texts.map(text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range;
  });
  // Who paints a text that a drawing only lends, and a style that takes it out wherever it is painted: what <use>
  // paints are copies, which no highlight and no animation reaches.
  const lent = texts.map(text => {
    const own = text.parentElement;
    if (!own?.closest("svg defs, symbol, pattern, mask, clipPath, marker")) return null;
    const names = [];
    for (let one = own; one?.ownerSVGElement; one = one.parentElement) if (one.id) names.push(one.id);
    const asks = value => names.some(name => [`#${name}`, `url("#${name}")`, `url(#${name})`].includes(value));
    return [...text.getRootNode().querySelectorAll("*")].filter(one => one.localName === "use"
      ? asks(one.href?.baseVal) : !one.contains(own) && ["clipPath", "maskImage", "mask", "fill", "markerStart"].some(
        name => asks(style(one)[name])));
  });
  const placed = number => lent[number]?.length ? lent[number][0] : ranges[number];
  const without = number => {
    const own = texts[number].parentElement, sheet = new CSSStyleSheet();
    const attributes = [...own.attributes].map(({name, value}) => `[${CSS.escape(name)}="${CSS.escape(value)}"]`);
    sheet.replaceSync(CSS.escape(own.localName) + attributes.join("") + "{visibility: hidden !important}");
    const tree = texts[number].getRootNode();
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
    lending.push([tree, sheet]);
  };
  let lending = [];
  // A shadow that is thrown far stands for its text: how far, all in all.
  const thrown = text => {
    let [right, down] = [0, 0];
    for (let one = above(text), depth = 0; one && depth < 8; one = above(one), depth++) {
      const css = style(one), shadows = [...css.filter.matchAll(/drop-shadow\\(.*?\\) (-?[\\d.]+)px (-?[\\d.]+)px/g)];
      if (!depth) shadows.push(...css.textShadow.matchAll(/\\) (-?[\\d.]+)px (-?[\\d.]+)px/g));
      for (const [, x, y] of shadows) if (Math.hypot(x, y) > 20) [right, down] = [right + +x, down + +y];
    }
    return [right, down];
  };
  for (const tree of new Set(texts.map(text => text.getRootNode()))) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
  }
  let moving = [];
  const still = (element, values) => {
    const animation = element.animate([values, values], {duration: 1e9, fill: "both"});
    animation.pause();
    moving.push(animation);
  };
  // What no highlight takes away: shadows, drawings, and backgrounds that are cut to the letters.
  const strip = text => {
    const parent = above(text), clear = {fill: "transparent", stroke: "transparent", textShadow: "none"};
    if (parent && (style(parent).textShadow !== "none" || parent.ownerSVGElement)) still(parent, clear);
    for (let one = parent, depth = 0; one && depth < 8; one = above(one), depth++)
      if (/text/.test(style(one).backgroundClip))
        still(one, {backgroundImage: "none", backgroundColor: "transparent"});
  };
  const scrolls = value => value === "auto" || value === "scroll" || value === "overlay";
  let moved = false;
  const move = (scroller, name, to) => {
    const before = scroller[name];
    // Smoothly it would never arrive: the page's clock stands.
    scroller.scrollTo({[name === "scrollTop" ? "top" : "left"]: to, behavior: "instant"});
    moved ||= scroller[name] !== before;
  };
  const fit = (scroller, box, low, high, where, axis) => {
    const [first, last] = axis ? [box.top, box.bottom] : [box.left, box.right];
    const by = first + (last - first) * where - (low + (high - low) * where);
    const name = axis ? "scrollTop" : "scrollLeft";
    if (Math.abs(by) >= 1) move(scroller, name, scroller[name] + by);
  };
  // Scrolls as a person could: nothing that has its overflow hidden moves.
  const bring = (target, measure, where, free) => {
    const plain = style(root).overflow === "visible", view = document.scrollingElement || root;
    moved = false;
    for (let one = target; one; one = above(one)) {
      if (one === root || (plain && one === document.body)) continue;
      const css = style(one), box = one.getBoundingClientRect();
      if (scrolls(css.overflowY)) fit(one, measure(), box.top, box.bottom, where, 1);
      if (scrolls(css.overflowX)) fit(one, measure(), box.left, box.right, where, 0);
    }
    if (free[1]) fit(view, measure(), 0, innerHeight, where, 1);
    if (free[0]) fit(view, measure(), 0, innerWidth, where, 0);
    return moved;
  };
  const port = text => {
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let one = above(text); one && one !== document.body && one !== root; one = above(one)) {
      if (style(one).overflow === "visible") continue;
      const box = one.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return [left, top, right, bottom];
  };
  const edges = box => [box.left, box.top, box.right, box.bottom];
  globalThis.blocksightEye = {
    bring: (number, where, free) =>
      bring(lent[number]?.[0] ?? above(texts[number]), () => placed(number).getBoundingClientRect(), where, free),
    bringOwner: (owner, where, free) => bring(above(owner), () => owner.getBoundingClientRect(), where, free),
    scrollTo: share => {
      const view = document.scrollingElement || root;
      moved = false;
      move(view, "scrollTop", share * view.scrollHeight);
      return moved;
    },
    look: () => ranges.map((range, number) => {
      const at = placed(number), out = ([left, top, right, bottom]) =>
        bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth;
      if (!out(edges(at.getBoundingClientRect())))
        return [port(lent[number]?.[0] ?? texts[number]), ...Array.from(at.getClientRects(), edges)];
      const [right, down] = thrown(texts[number]);
      if (!right && !down) return [];
      const boxes = Array.from(range.getClientRects(), edges).map(
        box => [box[0] + right, box[1] + down, box[2] + right, box[3] + down]);
      return boxes.every(out) ? [] : [port(texts[number]), ...boxes];
    }),
    words: number => {
      const text = texts[number], range = document.createRange(), found = [];
      let before = 0;
      for (const match of text.data.matchAll(/\\S{1,16}/gu)) {
        range.setStart(text, match.index);
        range.setEnd(text, match.index + match[0].length);
        found.push([before, ...Array.from(range.getClientRects(), edges)]);
        before += [...match[0]].length;
        if (found.length >= 2000) break;
      }
      return found;
    },
    hide: numbers => {
      const highlight = new Highlight(...numbers.map(number => ranges[number]));
      highlight.priority = 2147483647;
      CSS.highlights.set("blocksight-unseen", highlight);
      for (const number of numbers) if (lent[number]) without(number); else strip(texts[number]);
    },
    show: () => {
      CSS.highlights.delete("blocksight-unseen");
      for (const animation of moving) animation.cancel();
      for (const [tree, sheet] of lending)
        tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter(one => one !== sheet);
      [moving, lending] = [[], []];
    },
  };
  return [innerWidth, innerHeight];
}"""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A text in the window: its row, the boxes of its lines in CSS pixels of the window, and which are in full view."""

    row: int
    boxes: tuple[Box, ...]
    whole: tuple[bool, ...]


@dataclass(slots=True, kw_only=True)
class _World:
    """One document: its number among the draft's, that of its script context, its window's size, the texts in it."""

    frame: int
    context: int
    size: tuple[float, float]
    rows: list[int]


class InjectedScript:
    """Moves a page and takes texts of it out of sight.

    Parameters
    ----------
    channel : Channel
        To a page that stands still.
    draft : PendingPage
    reply : dict
        The snapshot of which the draft was made.
    """

    def __init__(self, channel: Channel, draft: PendingPage, reply: dict[str, Any]) -> None:
        self._channel, self._draft, self._reply = channel, draft, reply
        self._worlds: dict[int, _World] = {}

    async def open(self, rows: Iterable[int], timeout: float) -> set[int]:
        """Set up the worlds for some texts; give the texts that were found again."""
        by_frame: dict[int, list[int]] = {}
        for row in rows:
            if (number := self._draft.frame_of(row)) >= 0:
                by_frame.setdefault(number, []).append(row)
        for number in list(by_frame):
            for outer in self._way_out(number):
                by_frame.setdefault(outer, [])
        for number, found in by_frame.items():
            with suppress(CommandFailed):
                self._worlds[number] = await self._open(number, found, timeout)
        return {row for world in self._worlds.values() for row in world.rows}

    async def bring(self, row: int, where: float, timeout: float) -> bool:
        """Scroll, as a person could, until a text stands there in the window: 0 at its head, 1 at its foot.

        Returns
        -------
        bool
            Whether anything moved.
        """
        frames, number = self._draft.frames, self._draft.frame_of(row)
        world = self._worlds[number]
        if self._draft.is_fixed(row):
            moved = bool(await self._run(world, "scrollTo", [where], timeout))
        else:
            free = list(frames[number].scrolls)
            moved = bool(await self._run(world, "bring", [world.rows.index(row), where, free], timeout))
        for outer in self._way_out(number):
            owner = await self._object(frames[number].owner, self._worlds[outer].context, timeout)
            free = list(frames[outer].scrolls)
            moved |= bool(await self._run(self._worlds[outer], "bringOwner", [0.5, free], timeout, first=owner))
            number = outer
        return moved

    async def draws(self, timeout: float) -> bool:
        """Return whether the browser draws a frame in time; asked where the page's scripts cannot answer."""
        outer = (world for world in self._worlds.values() if self._draft.frames[world.frame].owner < 0)
        if (world := next(outer, None)) is None:
            return True
        call = {"functionDeclaration": _FRAME, "executionContextId": world.context, "awaitPromise": True}
        with suppress(TimeoutError):
            await self._called(call, timeout)
            return True
        return False

    async def look(self, timeout: float) -> list[Shown]:
        """Return the texts that are in the window now."""
        shown = []
        for world in self._worlds.values():
            if not world.rows:
                continue
            left, top, across, down = await self._place(world, timeout)
            for row, boxes in zip(world.rows, await self._run(world, "look", [], timeout), strict=True):
                port, *lines = boxes or [None]
                placed = [
                    (left + x0 * across, top + y0 * down, left + x1 * across, top + y1 * down)
                    for x0, y0, x1, y1 in lines
                ]
                if placed:
                    whole = tuple(_inside(line, port) for line in lines)
                    shown.append(Shown(row=row, boxes=tuple(placed), whole=whole))
        return shown

    async def words(self, row: int, timeout: float) -> list[tuple[int, tuple[Box, ...]]]:
        """Return of each word of a text how many characters, white space aside, come before it, and where it stands."""
        world = self._worlds[self._draft.frame_of(row)]
        left, top, across, down = await self._place(world, timeout)
        return [
            (int(before), tuple((left + x0 * across, top + y0 * down, left + x1 * across, top + y1 * down)
                                for x0, y0, x1, y1 in boxes))
            for before, *boxes in await self._run(world, "words", [world.rows.index(row)], timeout)
        ]  # fmt: skip

    async def hide(self, rows: set[int], timeout: float) -> None:
        """Take texts out of sight."""
        for world in self._worlds.values():
            numbers = [number for number, row in enumerate(world.rows) if row in rows]
            if numbers:
                await self._run(world, "hide", [numbers], timeout)

    async def show(self, timeout: float) -> None:
        """Let all be seen again."""
        for world in self._worlds.values():
            await self._run(world, "show", [], timeout)

    def _way_out(self, number: int) -> list[int]:
        """Return the documents around a document, the nearest first."""
        found = []
        while (owner := self._draft.frames[number].owner) >= 0:
            number = self._draft.frame_of(owner)
            found.append(number)
        return found

    async def _open(self, number: int, rows: list[int], timeout: float) -> _World:
        document = self._draft.frames[number].document
        identity = self._reply["strings"][self._reply["documents"][document]["frameId"]]
        made = await self._channel.send("Page.createIsolatedWorld", {"frameId": identity}, timeout=timeout)
        context = int(made["executionContextId"])
        objects = await asyncio.gather(*(self._object(row, context, timeout) for row in rows), return_exceptions=True)
        found = [(row, one) for row, one in zip(rows, objects, strict=True) if isinstance(one, str)]
        arguments = [{"value": _RULE}, *({"objectId": one} for _, one in found)]
        call = {"functionDeclaration": _EYE, "arguments": arguments, "executionContextId": context}
        size = (await self._called(call | {"returnByValue": True}, timeout)).get("value") or (0.0, 0.0)
        return _World(frame=number, context=context, size=(size[0], size[1]), rows=[row for row, _ in found])

    async def _object(self, row: int, context: int, timeout: float) -> str:
        node = {"backendNodeId": int(self._draft.backend[row]), "executionContextId": context}
        answer = await self._channel.send("DOM.resolveNode", node, timeout=timeout)
        found: str = answer["object"]["objectId"]
        return found

    async def _run(
        self, world: _World, function: str, given: list[Any], timeout: float, *, first: str | None = None
    ) -> Any:
        """Call one of the world's functions; ``first`` is an object that is given before the rest."""
        arguments = [{"objectId": first}] if first is not None else []
        call = {
            "functionDeclaration": f"function (...given) {{ return blocksightEye.{function}(...given) }}",
            "arguments": [*arguments, *({"value": value} for value in given)],
            "executionContextId": world.context,
            "returnByValue": True,
        }
        return (await self._called(call, timeout)).get("value")

    async def _called(self, call: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Call a function; documents that are no HTML may lack what it needs."""
        answer = await self._channel.send("Runtime.callFunctionOn", call, timeout=timeout)
        if "exceptionDetails" in answer:
            raise CommandFailed(str(answer["exceptionDetails"].get("exception", {}).get("description", ""))[:200])
        result: dict[str, Any] = answer["result"]
        return result

    async def _place(self, world: _World, timeout: float) -> Box:
        """Return where a document stands in the window now, and how large its pixels are."""
        frame = self._draft.frames[world.frame]
        if frame.owner < 0:
            return 0.0, 0.0, 1.0, 1.0
        owner = {"backendNodeId": int(self._draft.backend[frame.owner])}
        quad = (await self._channel.send("DOM.getBoxModel", owner, timeout=timeout))["model"]["content"]
        wide, high = world.size
        across = abs(quad[2] - quad[0]) / wide if wide else 1.0
        down = abs(quad[7] - quad[1]) / high if high else 1.0
        return quad[0], quad[1], across, down


def _inside(box: list[float], port: list[float]) -> bool:
    """Whether a line is seen through a port, but for a pixel."""
    return box[0] >= port[0] - 1 and box[1] >= port[1] - 1 and box[2] <= port[2] + 1 and box[3] <= port[3] + 1
