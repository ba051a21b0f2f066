"""Fonts that a page brings along and that draw nothing, or next to nothing, for the words that are set in them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

import numpy as np

from ....page.hidden import Hidden
from ...devtools.channel import Channel, CommandFailed
from ..css_values import font_of
from ..pending_page import PendingPage

#: Characters of a font that are measured, at most.
MOST_CHARACTERS = 2_000
#: What is lost of a text, or read, is a stretch of words of at least STRETCH letters. Where nothing is drawn of more
#: than MOSTLY of all letters and no such stretch is left, nothing of it is read.
MOSTLY, STRETCH = 0.5, 10

_LETTER = re.compile(r"[^\W_]")

#: Gives for each font which of its characters show nothing, and which of its words do. A character shows nothing where
#: there is hardly any ink in its place; all of them do where not even three of many look different. Of a word less is
#: drawn than a dot of 15 % of the font's size, or less than 3.5 pixels where that is not above a third of the size.
_MEASURE = """function (asked) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d", {willReadFrequently: true});
  const [wide, high, size] = [48, 48, 24];
  const look = (font, letter) => {
    canvas.width = wide, canvas.height = high;
    pen.font = font.replace("100px", size + "px");
    pen.fillText(letter, 8, 34);
    const data = pen.getImageData(0, 0, wide, high).data;
    let [inked, print] = [0, 7];
    for (let i = 3; i < data.length; i += 4) if (data[i] > 60) { inked++; print = (print * 31 + i) | 0; }
    return [inked, print];
  };
  return asked.map(([font, pixels, letters, words]) => {
    const looks = letters.map(letter => look(font, letter));
    const blank = looks.flatMap(([inked], number) => inked < 5 ? [number] : []);
    const kinds = new Set(looks.filter(([inked]) => inked >= 5).map(([, print]) => print)).size;
    if (kinds < Math.min(3, letters.length / 4)) return [letters.map((letter, number) => number), []];
    pen.font = font;
    const least = Math.max(15, Math.min(350 / pixels, 36));
    return [blank, words.flatMap((word, number) => {
      const box = pen.measureText(word);
      const high = box.actualBoundingBoxAscent + box.actualBoundingBoxDescent;
      const wide = box.actualBoundingBoxLeft + box.actualBoundingBoxRight;
      return high < least || wide < 3 ? [number] : [];
    })];
  });
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _FontQuery:
    """What is asked of a font: its characters, its words, and the texts that are set in it."""

    font: str
    pixels: float
    rows: list[int]
    letters: list[str]
    words: list[str]


async def empty_texts(
    channel: Channel, draft: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]], timeout: float
) -> dict[int, tuple[bool, ...]]:
    """Find the texts of which some words, or all, are drawn as nothing because of their font.

    Parameters
    ----------
    channel : Channel
    draft : PendingPage
    reply : dict
        The snapshot of which the draft was made.
    fonts : mapping
        Names of the fonts that were loaded, by the browser's name of each frame.
    timeout : float

    Returns
    -------
    dict of int to tuple of bool
        Of each such text, by its row, whether each of its words is.
    """
    empty: dict[int, tuple[bool, ...]] = {}
    if not any(fonts.values()):
        return empty
    asked = await asyncio.to_thread(_asked, draft, reply, fonts)
    with suppress(CommandFailed, TimeoutError):
        async with asyncio.timeout(timeout):
            for identity, found in asked.items():
                answers = await _measured(channel, identity, found, timeout)
                for one, (letters, words) in zip(found, answers, strict=True):
                    blank = frozenset(one.letters[number] for number in letters)
                    unseen = frozenset(one.words[number] for number in words)
                    for row in one.rows if blank or unseen else ():
                        lost = blank_words(_text(draft, row), blank, unseen)
                        if any(lost):
                            empty[row] = lost
    return empty


def _asked(draft: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]]) -> dict[str, list[_FontQuery]]:
    """Return what to ask of the fonts of each document."""
    page, geometry = draft.plain, draft.geometry
    shown = np.zeros(len(page), dtype=bool)
    shown[geometry.line_node[(draft.sight.reason == Hidden.VISIBLE) | draft.sight.doubtful]] = True
    documents = {frame.row: frame.document for frame in draft.frames}
    starts = np.asarray(sorted(documents), dtype=np.int64)
    rows: dict[tuple[str, str, float], list[int]] = {}
    for row in page.leaves[shown[page.leaves]].tolist():
        style = draft.styles.rows[draft.styles.row[row]]
        # The short form is empty where a font is set in forms that it has no word for.
        font, names = font_of(style.get("font", "") or f"{style.get('font-weight', '400')} 16px {_any(fonts)}")
        around = starts[(starts <= row) & (page.end[starts] > row)]
        if not font or not len(around):
            continue
        identity = reply["strings"][reply["documents"][documents[int(around[-1])]]["frameId"]]
        if names & set(fonts.get(identity, ())):
            rows.setdefault((identity, font, round(float(geometry.font_size[row]))), []).append(row)
    asked: dict[str, list[_FontQuery]] = {}
    for (identity, font, pixels), found in rows.items():
        asked.setdefault(identity, []).append(_question(draft, font, pixels, found))
    return asked


def _any(fonts: Mapping[str, list[str]]) -> str:
    return ", ".join(f'"{name}"' for names in fonts.values() for name in names) or "serif"


def _question(draft: PendingPage, font: str, pixels: float, rows: list[int]) -> _FontQuery:
    texts = [_text(draft, row) for row in rows]
    letters = sorted(set().union(*texts))
    letters = [letter for letter in letters if _LETTER.match(letter)]
    # Of very many some, from all over them.
    letters = letters[:: len(letters) // MOST_CHARACTERS + 1]
    words = [word for word in dict.fromkeys(chain.from_iterable(map(str.split, texts))) if _LETTER.search(word)]
    words = words[:: len(words) // MOST_CHARACTERS + 1]
    return _FontQuery(font=font, pixels=max(pixels, 1.0), rows=rows, letters=letters, words=words)


def _text(draft: PendingPage, row: int) -> str:
    """Return a text as it is drawn: in capitals, for example."""
    return draft.strings[draft.drawn[row]] or draft.plain.text_of(row)


def blank_words(text: str, blank: frozenset[str], unseen: frozenset[str]) -> tuple[bool, ...]:
    """Return whether each word of a text is drawn as nothing, if enough of them are.

    Parameters
    ----------
    text : str
    blank : frozenset of str
        Letters of which nothing is drawn; a word is lost with more than half of its letters.
    unseen : frozenset of str
        Words of which next to nothing is drawn.
    """
    lost: list[bool] = []
    size: list[int] = []
    gone = 0
    for word in text.split():
        letters = _LETTER.findall(word)
        missing = len(letters) if word in unseen else sum(letter in blank for letter in letters)
        # What has no letters goes with the word before it.
        lost.append(2 * missing > len(letters) if letters else bool(lost) and lost[-1])
        size.append(len(letters))
        gone += missing
    runs = [(is_lost, list(run)) for is_lost, run in groupby(range(len(lost)), lost.__getitem__)]
    long = [sum(size[number] for number in run) >= STRETCH for _, run in runs]
    read = any(is_long and not is_lost for (is_lost, _), is_long in zip(runs, long, strict=True))
    if gone > MOSTLY * sum(size) and not read:
        return (True,) * len(lost)
    return tuple(is_lost and is_long for (is_lost, run), is_long in zip(runs, long, strict=True) for _ in run)


async def _measured(
    channel: Channel, identity: str, asked: list[_FontQuery], timeout: float
) -> list[tuple[list[int], list[int]]]:
    world = await channel.send("Page.createIsolatedWorld", {"frameId": identity}, timeout=timeout)
    call = {
        "functionDeclaration": _MEASURE,
        "arguments": [{"value": [[one.font, one.pixels, one.letters, one.words] for one in asked]}],
        "executionContextId": world["executionContextId"],
        "returnByValue": True,
    }
    answer = await channel.send("Runtime.callFunctionOn", call, timeout=timeout)
    found: list[tuple[list[int], list[int]]] = answer["result"].get("value") or [([], []) for _ in asked]
    return found
