"""Freeze a live page: stop its clock and scripts, bring its animations to rest, and lay its documents out in full.

Scripts run in isolated worlds, one for each document, where nothing counts that the page has redefined.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ..devtools.channel import Channel, CommandFailed
from ..devtools.messages import STYLES, shared_styles
from ..devtools.scripts import script
from ..visibility.clipping import Motion
from ..visibility.line_paint import NO_FACTS, PaintFacts

#: Frames of a page that are frozen, at most, and boxes that are looked up.
_MOST_FRAMES, _MOST_LISTED = 40, 100
#: Seconds that each step may take, and after which a page is busy.
_STEP, _ANSWER = 2.0, 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeResult:
    """Result of freezing a page."""

    #: Number of nodes; 0 if the browser did not report it.
    nodes: int = 0
    #: Names of the fonts that each document has loaded, by the id of its frame.
    fonts: Mapping[str, list[str]] = field(default_factory=dict)
    #: Of any of the documents.
    facts: PaintFacts = NO_FACTS
    #: The messages of the scripts that failed, at most ten, and whether one could not be loaded.
    errors: tuple[str, ...] = ()
    missing: bool = False
    #: Whether a script handles the wheel: the page may move its content itself.
    wheel: bool = False
    #: Whether a script scrolls the window back.
    locked: bool = False
    #: Backend ids of the boxes that a script scrolls back.
    locked_boxes: tuple[int, ...] = ()
    #: How far a node with an endless animation moves from where it was stopped, by its backend id.
    moving: Mapping[int, Motion] = field(default_factory=dict)


async def freeze(channel: Channel, cap: float, *, at_once: bool) -> FreezeResult:
    """Stop a page's clock and scripts, and bring its animations to rest.

    The scripts of a page that does not answer are terminated, with ``at_once`` those of any page; what they have built
    so far remains. No step takes more than a fifth of ``cap`` seconds.
    """
    step = min(_STEP, cap / 5)
    if at_once:
        await _terminate(channel, step)
    try:
        await channel.send("Emulation.setVirtualTimePolicy", {"policy": "pause"}, timeout=min(_ANSWER, step))
    except TimeoutError:
        await _terminate(channel, step)
    result, nodes = await asyncio.gather(_freeze_documents(channel, step), _node_count(channel, step))
    return replace(result, nodes=nodes)


async def _freeze_documents(channel: Channel, step: float) -> FreezeResult:
    result = FreezeResult()
    with suppress(TimeoutError, CommandFailed):
        flags, result = await asyncio.gather(
            channel.evaluate(script("script_flags"), timeout=step), _freeze_animations(channel, step)
        )
        if flags:
            known = {name: flags[name] for name in ("missing", "wheel", "locked")}
            result = replace(result, errors=tuple(flags["errors"]), **known)
            if flags["boxes"]:
                boxes = await _listed_nodes(channel, channel.frame, "blocksight.locked", step)
                result = replace(result, locked_boxes=tuple(boxes))
    return result


async def _node_count(channel: Channel, step: float) -> int:
    with suppress(TimeoutError, CommandFailed):
        return int((await channel.send("Memory.getDOMCounters", timeout=step))["nodes"])
    return 0


async def _terminate(channel: Channel, timeout: float) -> None:
    """Terminate the running script, and let no other start."""
    disable = channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=timeout)
    await asyncio.gather(disable, channel.send("Runtime.terminateExecution", timeout=timeout), return_exceptions=True)


async def _freeze_animations(channel: Channel, timeout: float) -> FreezeResult:
    values = await _evaluate_everywhere(channel, script("freeze_animations"), timeout)
    results = {frame: value for frame, value in values.items() if value}
    moving: dict[int, Motion] = {}
    for frame, value in results.items():
        if value["ways"]:
            nodes = await _listed_nodes(channel, frame, "blocksightMoving", timeout)
            moving |= {node: (way[0], way[1], way[2], way[3]) for node, way in zip(nodes, value["ways"], strict=False)}
    return FreezeResult(
        moving=moving,
        fonts={frame: value["fonts"] for frame, value in results.items()},
        facts=PaintFacts(
            first_lines=any(value["firstLines"] for value in results.values()),
            repainted=any(value["repainted"] for value in results.values()),
            backdrop=any(value["veiled"] for value in results.values()),
            web_fonts=frozenset(name for value in results.values() for name in value["fonts"]),
            hiding_details=sum(value["hidingDetails"] for value in results.values()),
        ),
    )


async def lay_out_skipped(channel: Channel, timeout: float) -> None:
    """Lay out what ``content-visibility`` skips while it is off the screen."""
    await _evaluate_everywhere(channel, script("lay_out_skipped"), timeout)


def skips_content(reply: dict[str, Any]) -> bool:
    """Return whether a snapshot is of a page that skips content off the screen."""
    strings = reply["strings"]
    codes = set(shared_styles(reply).rows[:, STYLES.index("content-visibility")].tolist())
    return any(strings[code] == "auto" for code in codes if code >= 0)


async def _evaluate_everywhere(channel: Channel, expression: str, timeout: float) -> dict[str, Any]:
    """Evaluate an expression in all documents of a page; return the values by the ids of the frames."""
    tree = await channel.send("Page.getFrameTree", timeout=timeout)
    frames = [frame["id"] for frame in _frames(tree["frameTree"])[:_MOST_FRAMES]]
    calls = (channel.evaluate(expression, frame=frame, timeout=timeout) for frame in frames)
    values = await asyncio.gather(*calls, return_exceptions=True)
    return {frame: value for frame, value in zip(frames, values, strict=True) if not isinstance(value, BaseException)}


def _frames(tree: dict[str, Any]) -> list[dict[str, Any]]:
    frames = [tree["frame"]]
    for child in tree.get("childFrames", []):
        frames += _frames(child)
    return frames


async def _listed_nodes(channel: Channel, frame: str, name: str, timeout: float) -> list[int]:
    """Return the backend ids of the nodes in a list of the isolated world of a frame."""
    with suppress(CommandFailed, KeyError):
        query = {"expression": name, "contextId": await channel.world(frame, timeout=timeout)}
        reply = await channel.send("Runtime.evaluate", query, timeout=timeout)
        target = {"objectId": reply["result"]["objectId"], "ownProperties": True}
        members = (await channel.send("Runtime.getProperties", target, timeout=timeout))["result"]
        objects = [member["value"]["objectId"] for member in members if member["name"].isdecimal()][:_MOST_LISTED]
        described = await asyncio.gather(
            *(channel.send("DOM.describeNode", {"objectId": identity}, timeout=timeout) for identity in objects)
        )
        return [int(description["node"]["backendNodeId"]) for description in described]
    return []
