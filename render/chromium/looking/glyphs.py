"""Fonts that a page brings along and that draw nothing, or next to nothing, for the words that are set in them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ...arrays import BoolColumn
from ...page import Hidden
from ..channel import Channel, CommandFailed
from .draft import Draft

#: Words that are measured, at most.
MOST_WORDS = 20_000
#: More than this share of a text's letters must stand in words of which nothing is drawn.
MOSTLY = 0.5

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W_]")

#: Gives for each font the numbers of its words of which less is drawn than a dot of 15 % of the font's size, or all of
#: them where the font draws in no colour.
_MEASURE = """function (asked) {
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const paints = (font, words) => {
    pen.canvas.width = 1000, pen.canvas.height = 40;
    pen.font = font.replace("100px", "20px");
    pen.fillText([...new Set(words.slice(0, 200).join(""))].join("").slice(0, 80), 2, 28);
    const data = pen.getImageData(0, 0, 1000, 40).data;
    let inked = 0;
    for (let i = 3; i < data.length; i += 4) inked += data[i] > 40;
    return inked > 3;
  };
  return asked.map(([font, words]) => {
    if (!paints(font, words)) return words.map((word, number) => number);
    pen.font = font;
    return words.flatMap((word, number) => {
      const box = pen.measureText(word);
      const high = box.actualBoundingBoxAscent + box.actualBoundingBoxDescent;
      const wide = box.actualBoundingBoxLeft + box.actualBoundingBoxRight;
      return high < 15 || wide < 3 ? [number] : [];
    });
  });
}"""


async def empty_texts(
    channel: Channel, draft: Draft, reply: dict[str, Any], fonts: Mapping[str, list[str]], timeout: float
) -> BoolColumn:
    """Find the texts of which nothing is drawn because of their font.

    Parameters
    ----------
    channel : Channel
    draft : Draft
    reply : dict
        The snapshot of which the draft was made.
    fonts : mapping
        Names of the fonts that were loaded, by the browser's name of each frame.
    timeout : float

    Returns
    -------
    bool (nodes,)
    """
    empty = np.zeros(len(draft.plain), dtype=bool)
    if not any(fonts.values()):
        return empty
    asked = await asyncio.to_thread(_asked, draft, reply, fonts)
    with suppress(CommandFailed, TimeoutError):
        async with asyncio.timeout(timeout):
            for identity, by_font in asked.items():
                words = {font: _words(draft, rows) for font, rows in by_font.items()}
                found = await _measured(channel, identity, words, timeout)
                for (font, rows), numbers in zip(by_font.items(), found, strict=True):
                    blank = frozenset(words[font][number] for number in numbers)
                    for row in rows if blank else ():
                        empty[row] = _is_empty(draft.plain.text_of(row), blank)
    return empty


def _asked(draft: Draft, reply: dict[str, Any], fonts: Mapping[str, list[str]]) -> dict[str, dict[str, list[int]]]:
    """Return the texts that are set in fonts of their page, by document and by font."""
    page, geometry = draft.plain, draft.geometry
    shown = np.zeros(len(page), dtype=bool)
    shown[geometry.line_node[draft.sight.reason == Hidden.VISIBLE]] = True
    shown[geometry.line_node[draft.sight.doubtful]] = True
    asked: dict[str, dict[str, list[int]]] = {}
    left = MOST_WORDS
    documents = {frame.row: frame.document for frame in draft.frames}
    starts = np.asarray(sorted(documents), dtype=np.int64)
    for row in page.leaves[shown[page.leaves]].tolist():
        family = draft.styles.rows[draft.styles.row[row]].get("font-family", "")
        around = starts[(starts <= row) & (page.end[starts] > row)]
        if not family or not len(around) or left < 0:
            continue
        identity = reply["strings"][reply["documents"][documents[int(around[-1])]]["frameId"]]
        if _names(family) & set(fonts.get(identity, ())):
            font = f"{int(geometry.font_weight[row])} 100px {family}"
            asked.setdefault(identity, {}).setdefault(font, []).append(row)
            left -= len(page.text_of(row)) // 4
    return asked


def _names(family: str) -> set[str]:
    return {name.strip().strip("\"'") for name in family.split(",")}


def _words(draft: Draft, rows: list[int]) -> list[str]:
    """Return the words with letters or digits in some texts, each once."""
    words = dict.fromkeys(word for row in rows for word in _WORD.findall(draft.plain.text_of(row)))
    return [word for word in words if _LETTERS.search(word)]


def _is_empty(text: str, blank: frozenset[str]) -> bool:
    words = [word for word in _WORD.findall(text) if _LETTERS.search(word)]
    lost = sum(len(word) for word in words if word in blank)
    return lost > MOSTLY * sum(map(len, words))


async def _measured(channel: Channel, identity: str, words: dict[str, list[str]], timeout: float) -> list[list[int]]:
    world = await channel.send("Page.createIsolatedWorld", {"frameId": identity}, timeout=timeout)
    call = {
        "functionDeclaration": _MEASURE,
        "arguments": [{"value": [[font, found] for font, found in words.items()]}],
        "executionContextId": world["executionContextId"],
        "returnByValue": True,
    }
    answer = await channel.send("Runtime.callFunctionOn", call, timeout=timeout)
    numbers: list[list[int]] = answer["result"].get("value") or [[] for _ in words]
    return numbers
