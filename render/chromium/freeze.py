"""A page brought to rest: its animations where a person finds them after a while, its documents laid out in full.

All of this is done from worlds of scripts of its own, one a document, where nothing that a page has redefined counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..devtools.channel import Channel, CommandFailed
from ..devtools.messages import shared_styles
from ..devtools.styles import STYLES
from ..visibility.clipping import Way
from ..visibility.layout import NOTHING, Unstyled

#: Documents in frames of a page, at most, that are brought to rest, and frames that are looked into for that.
_MOST_FRAMES, _MOST_LISTED = 20, 100
#: Addresses of frames that mostly have nothing in them.
_BLANK = ("", "about:blank")
_WORLD = "blocksight"

#: What ends within ten seconds has ended; what is paused, or takes longer, stands where it is by then; what never ends
#: stands where most of it is seen, and at its beginning where that is all the same.
_STILL = """(() => {
  const REST = 10000, SAMPLES = 12;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*,*::before,*::after{transition-duration:0s!important;transition-delay:0s!important}");
  const roots = [document];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const one of roots[i].querySelectorAll("*")) if (one.shadowRoot) roots.push(one.shadowRoot);
  }
  const numbers = value => (value.match(/[\\d.]+/g) || []).map(Number);
  // The nearest box that cuts it off sideways, and the nearest plain colour that it stands on.
  const around = element => {
    let [left, right, ground] = [0, innerWidth, null];
    for (let one = element; one; one = one.parentElement) {
      const css = getComputedStyle(one), color = numbers(css.backgroundColor);
      if (!ground && color[3] !== 0) ground = color;
      if (one === element || one === document.body || !/hidden|clip/.test(css.overflowX)) continue;
      const box = one.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return {left, right, ground: ground || [255, 255, 255]};
  };
  const seen = (element, pseudo, {left, right, ground}) => {
    const css = getComputedStyle(element, pseudo), range = document.createRange();
    range.selectNodeContents(element);
    const inner = range.getBoundingClientRect(), box = inner.width > 1 ? inner : element.getBoundingClientRect();
    if (css.visibility !== "visible" || !(box.width * box.height > 1)) return 0;
    const wide = Math.max(Math.min(box.right, right) - Math.max(box.left, left), 0) / Math.min(box.width, innerWidth);
    const color = numbers(css.webkitTextFillColor);
    const gap = Math.min(Math.max(...[0, 1, 2].map(i => Math.abs(color[i] - ground[i]))), 64);
    const cut = css.clipPath.startsWith("inset") ? numbers(css.clipPath).reduce((sum, one) => sum + one, 0) : 0;
    return css.opacity * wide * (box.bottom + scrollY > 0) * Math.min(box.height, 10) * (1 + gap) / 65 / (10 + cut);
  };
  // What has no text of its own and lies over text is best when least is seen of it.
  const covers = target => {
    if (target.textContent.trim()) return false;
    const box = target.getBoundingClientRect(), y = (box.top + box.bottom) / 2;
    return [0.1, 0.5, 0.9].some(share => {
      const all = document.elementsFromPoint(box.left + share * box.width, y), at = all.indexOf(target);
      return at >= 0 && all.slice(at + 1).some(
        one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    });
  };
  // What moves for ever, and how far to the left, up, right and down of where it is left.
  const moving = globalThis.blocksightMoving = [], ways = [];
  const best = (animation, times) => {
    // Each look has the page laid out: many animations stand where they begin.
    if (times.length === 1) { animation.currentTime = times[0]; return }
    const {target, pseudoElement} = animation.effect, frame = around(target), sign = covers(target) ? -1 : 1;
    let [most, found, kept] = [-2, times[0], null];
    const places = [];
    for (const time of times) {
      animation.currentTime = time;
      const now = sign * seen(target, pseudoElement, frame), box = target.getBoundingClientRect();
      places.push([box.left, box.top]);
      if (now > most + 0.01) [most, found, kept] = [now, time, places.at(-1)];
    }
    animation.currentTime = found;
    const way = [Math.min, Math.max].flatMap(end => [0, 1].map(i => end(...places.map(one => one[i])) - kept[i]));
    if (!pseudoElement && target.textContent.trim() && way.some(by => Math.abs(by) > 20) && moving.length < 50) {
      moving.push(target);
      ways.push(way);
    }
  };
  // Each sample has all that is animated laid out again: of many few are looked at.
  const total = document.getAnimations().length, MOST = Math.min(40, 4000 / (total + 1));
  let sampled = 0;
  // Asking has all styles worked out that have changed since: everything is asked before anything is changed.
  const asked = animation => { try {
    return [animation, animation.effect.getComputedTiming(), animation.playState];
  } catch { return null } };
  const rest = ([animation, timing, state]) => {
    const scrolled = animation.timeline !== document.timeline;
    const samples = [...Array(sampled < MOST ? SAMPLES : 1).keys()];
    if (scrolled && animation.timeline) {
      sampled++;
      animation.pause();
      best(animation, [1, ...samples.map(sample => sample / SAMPLES)].map(share => CSS.percent(100 * share)));
    } else if (state === "paused") {
      return;
    } else if (timing.endTime === Infinity && animation.playbackRate > 0) {
      sampled++;
      animation.pause();
      const first = Math.max(timing.delay, 0), turn = Number(timing.duration) || 0;
      const times = samples.map(sample => first + 2 * turn * sample / SAMPLES);
      best(animation, times.length > 1 ? [...times, first + 0.999 * turn] : times);
    } else {
      // What runs slowly does not get as far.
      const now = Math.max(Number(animation.currentTime) || 0, REST * Math.min(Math.abs(animation.playbackRate), 1));
      if (timing.endTime <= now || animation.playbackRate < 0) animation.finish();
      else { animation.pause(); animation.currentTime = now; }
    }
  };
  for (const root of roots) {
    const animations = root.getAnimations();
    // It has all styles worked out again, and most pages stand still anyway.
    if (animations.length) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const one of animations.map(asked)) try { if (one) rest(one) } catch { }
    for (const drawing of root.querySelectorAll("svg")) {
      drawing.pauseAnimations();
      drawing.setCurrentTime(REST / 1000 + 0.3);
    }
  }
  // The style of a first line is no element's: it is only known that there is one.
  const used = (selectors, root) => selectors.split(",").some(one => {
    if (!one.includes("first-line")) return false;
    const plain = one.replace(/::?first-line/, "").trim() || "*";
    // What these are about depends on where they stand.
    if (/::|:host|:scope|&/.test(plain)) return true;
    try { return !!root.querySelector(plain) } catch { return true }
  });
  const lines = (rules, left, root) => { for (const rule of rules) {
    if (left.count-- < 0) return false;
    const {selectorText, cssRules} = rule;
    // What is nested may be about other elements than its selector says.
    const named = selectorText?.includes("first-line");
    if (named && (rule.parentRule?.selectorText || used(selectorText, root))) return true;
    if (cssRules?.length && lines(cssRules, left, root)) return true;
  } return false };
  const styled = (sheet, root) => { try {
    const text = sheet.ownerNode?.localName === "style" && !sheet.ownerNode.textContent.includes("@import");
    if (text && !/first-line/i.test(sheet.ownerNode.textContent)) return false;
    const left = {count: 4000};
    return lines(sheet.cssRules, left, root) || (text && left.count < 0);
  } catch { return false } };
  const names = [...document.fonts].filter(font => font.status === "loaded").map(font => font.family);
  const opaque = css => css.backgroundImage !== "none" || css.backdropFilter !== "none"
    || !(numbers(css.backgroundColor)[3] < 0.9);
  return {ways, fonts: names.map(name => name.replace(/^["']|["']$/g, "").toLowerCase()),
    repainted: !!CSS.highlights?.size || !getSelection().isCollapsed,
    veiled: [...document.querySelectorAll(":modal,:popover-open")].some(
      one => opaque(getComputedStyle(one, "::backdrop"))),
    firstLines: roots.some(root => [...root.styleSheets, ...root.adoptedStyleSheets].some(
      sheet => styled(sheet, root)))};
})()"""

#: Lays out what a page leaves out while it is off the screen, contained as it would be on it.
_UNSKIP = """(() => {
  const roots = [document];
  for (let i = 0; i < roots.length && i < 2000; i++) {
    for (const one of roots[i].querySelectorAll("*")) {
      if (one.shadowRoot) roots.push(one.shadowRoot);
      if (getComputedStyle(one).contentVisibility !== "auto") continue;
      one.style.setProperty("content-visibility", "visible", "important");
      one.style.setProperty("contain", "layout style paint", "important");
    }
  }
})()"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnimationFreezer:
    """What was found out on the way.

    Attributes
    ----------
    nodes : int
        How many there are; 0 where the browser did not say.
    fonts : mapping
        The names of the fonts that each document has loaded, by the browser's name of its frame.
    unstyled : Unstyled
        What there is in any of the documents.
    failed : bool
        Whether a script of the page failed.
    missing : bool
        Whether one did not come.
    wheel : bool
        Whether a script minds the wheel: the page may move by itself.
    locked : bool
        Whether a script scrolls the window back.
    boxes : tuple of int
        The browser's numbers of the boxes that a script scrolls back.
    moving : mapping of int to tuple
        How far what never stands still goes to the left, up, right and down of where it is left, by the browser's
        number of its node.
    """

    nodes: int = 0
    fonts: Mapping[str, list[str]] = field(default_factory=dict)
    unstyled: Unstyled = NOTHING
    failed: bool = False
    missing: bool = False
    wheel: bool = False
    locked: bool = False
    boxes: tuple[int, ...] = ()
    moving: Mapping[int, Way] = field(default_factory=dict)


async def still(channel: Channel, timeout: float) -> AnimationFreezer:
    """Bring the animations of all documents of a page to rest."""
    found = {frame: one for frame, one in (await _everywhere(channel, _STILL, timeout)).items() if one}
    moving: dict[int, Way] = {}
    for frame, one in found.items():
        if one["ways"]:
            nodes = await _listed(channel, frame, "blocksightMoving", timeout)
            moving |= {node: (way[0], way[1], way[2], way[3]) for node, way in zip(nodes, one["ways"], strict=False)}
    return AnimationFreezer(
        moving=moving,
        fonts={frame: one["fonts"] for frame, one in found.items()},
        unstyled=Unstyled(
            first_lines=any(one["firstLines"] for one in found.values()),
            repainted=any(one["repainted"] for one in found.values()),
            veiled=any(one["veiled"] for one in found.values()),
            fonts=frozenset(name for one in found.values() for name in one["fonts"]),
        ),
    )


async def unskip(channel: Channel, timeout: float) -> None:
    """Have everything laid out that a page leaves out while it is off the screen."""
    await _everywhere(channel, _UNSKIP, timeout)


def skips(reply: dict[str, Any]) -> bool:
    """Return whether a snapshot is of a page that leaves out what is off the screen."""
    strings = reply["strings"]
    codes = set(shared_styles(reply).rows[:, STYLES.index("content-visibility")].tolist())
    return any(strings[code] == "auto" for code in codes if code >= 0)


async def _everywhere(channel: Channel, expression: str, timeout: float) -> dict[str, Any]:
    """Evaluate something in all documents of a page; give what comes out, by the browser's name of each frame."""
    tree = await channel.send("Page.getFrameTree", timeout=timeout)
    first, *others = _frames(tree["frameTree"])[:_MOST_LISTED]
    async with asyncio.timeout(timeout):
        # The page's own first: if it hangs, so would its frames.
        found = {first["id"]: await _in_frame(channel, first["id"], expression, timeout)}
        frames = (await _filled(channel, others, timeout))[:_MOST_FRAMES]
        inner = await asyncio.gather(*(_in_frame(channel, frame, expression, timeout) for frame in frames))
        return found | dict(zip(frames, inner, strict=True))


def _frames(tree: dict[str, Any]) -> list[dict[str, Any]]:
    found = [tree["frame"]]
    for child in tree.get("childFrames", []):
        found += _frames(child)
    return found


async def _filled(channel: Channel, frames: list[dict[str, Any]], timeout: float) -> list[str]:
    """Return the names of the frames that have something in them: a world of scripts is dear, and most have nothing."""
    perhaps = [frame["id"] for frame in frames if frame["url"] in _BLANK]
    empty = await asyncio.gather(*(_is_empty(channel, frame, timeout) for frame in perhaps))
    none = {frame for frame, nothing in zip(perhaps, empty, strict=True) if nothing}
    return [frame["id"] for frame in frames if frame["id"] not in none]


async def _is_empty(channel: Channel, frame: str, timeout: float) -> bool:
    """Return whether a frame's document is nothing but a head and a body without anything in them."""
    with suppress(CommandFailed):
        owner = await channel.send("DOM.getFrameOwner", {"frameId": frame}, timeout=timeout)
        wanted = {"backendNodeId": owner["backendNodeId"], "depth": 2, "pierce": True}
        told = await channel.send("DOM.describeNode", wanted, timeout=timeout)
        roots = told["node"].get("contentDocument", {}).get("children", [])
        parts = [part for root in roots for part in root.get("children", [])]
        return len(roots) == 1 and all(not part.get("childNodeCount") and not part["attributes"] for part in parts)
    return False


async def locked_boxes(channel: Channel, timeout: float) -> tuple[int, ...]:
    """Return the browser's numbers of the boxes that a script scrolls back, as far as they were found out."""
    with suppress(CommandFailed, KeyError):
        run = {"expression": 'globalThis[Symbol.for("blocksight.locked")]'}
        return tuple(await _numbers(channel, run, timeout))
    return ()


async def _listed(channel: Channel, frame: str, name: str, timeout: float) -> list[int]:
    """Return the browser's numbers of the nodes in a list that a document's world holds."""
    with suppress(CommandFailed, KeyError):
        wanted = {"frameId": frame, "worldName": _WORLD}
        world = await channel.send("Page.createIsolatedWorld", wanted, timeout=timeout)
        return await _numbers(channel, {"expression": name, "contextId": world["executionContextId"]}, timeout)
    return []


async def _numbers(channel: Channel, run: dict[str, Any], timeout: float) -> list[int]:
    answer = await channel.send("Runtime.evaluate", run, timeout=timeout)
    held = {"objectId": answer["result"]["objectId"], "ownProperties": True}
    members = (await channel.send("Runtime.getProperties", held, timeout=timeout))["result"]
    nodes = [one["value"]["objectId"] for one in members if one["name"].isdecimal()][:_MOST_LISTED]
    told = await asyncio.gather(
        *(channel.send("DOM.describeNode", {"objectId": one}, timeout=timeout) for one in nodes)
    )
    return [int(one["node"]["backendNodeId"]) for one in told]


async def _in_frame(channel: Channel, frame: str, expression: str, timeout: float) -> Any:
    with suppress(CommandFailed):
        wanted = {"frameId": frame, "worldName": _WORLD}
        world = await channel.send("Page.createIsolatedWorld", wanted, timeout=timeout)
        run = {"expression": expression, "contextId": world["executionContextId"], "timeout": 1000}
        answer = await channel.send("Runtime.evaluate", run | {"returnByValue": True}, timeout=timeout)
        return answer["result"].get("value")
    return None
