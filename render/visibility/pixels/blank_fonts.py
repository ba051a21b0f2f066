"""Find words of which a web font draws nothing, or next to nothing."""

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
from ...devtools.scripts import script
from ..css_values import families_in, font_of
from ..pending_page import PendingPage

#: Characters, and words, of a font that are measured, at most.
MOST_CHARACTERS = 2_000
#: Blank, or visible, are runs of words with at least STRETCH letters. If more than MOSTLY of all letters are blank
#: and no such run is visible, the whole text is blank.
MOSTLY, STRETCH = 0.5, 10

_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _FontQuery:
    """A font in a size, its characters and words, and the texts that are set in it."""

    font: str
    pixels: float
    rows: list[int]
    letters: list[str]
    words: list[str]


async def blank_texts(
    channel: Channel, pending: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]], timeout: float
) -> dict[int, tuple[bool, ...]]:
    """Return the texts with blank words, by row: whether each word is blank; ``fonts`` has loaded fonts by frame id."""
    blank_of: dict[int, tuple[bool, ...]] = {}
    if not any(fonts.values()):
        return blank_of
    queries = await asyncio.to_thread(_queries, pending, reply, fonts)
    with suppress(CommandFailed, TimeoutError):
        async with asyncio.timeout(timeout):
            for frame, of_frame in queries.items():
                results = await _measured(channel, frame, of_frame, timeout)
                for query, (letters, words) in zip(of_frame, results, strict=True):
                    blank = frozenset(query.letters[index] for index in letters)
                    invisible = frozenset(query.words[index] for index in words)
                    for row in query.rows if blank or invisible else ():
                        flags = blank_words(pending.drawn_text(row), blank, invisible)
                        if any(flags):
                            blank_of[row] = flags
    return blank_of


def _queries(
    pending: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]]
) -> dict[str, list[_FontQuery]]:
    page, geometry = pending.plain, pending.geometry
    visibility = pending.visibility
    visible = np.zeros(len(page), dtype=bool)
    visible[geometry.line_node[(visibility.reason == Hidden.VISIBLE) | visibility.uncertain]] = True
    documents = {frame.row: frame.document for frame in pending.frames}
    starts = np.asarray(sorted(documents), dtype=np.int64)
    rows: dict[tuple[str, str, float], list[int]] = {}
    for row in page.leaves[visible[page.leaves]].tolist():
        style = pending.styles.of_node(row)
        font = font_of(style)
        around = starts[(starts <= row) & (page.end[starts] > row)]
        if not font or not len(around):
            continue
        frame = reply["strings"][reply["documents"][documents[int(around[-1])]]["frameId"]]
        if families_in(style["font-family"]) & set(fonts.get(frame, ())):
            rows.setdefault((frame, font, round(float(geometry.font_size[row]))), []).append(row)
    queries: dict[str, list[_FontQuery]] = {}
    for (frame, font, pixels), of_font in rows.items():
        queries.setdefault(frame, []).append(_query(pending, font, pixels, of_font))
    return queries


def _query(pending: PendingPage, font: str, pixels: float, rows: list[int]) -> _FontQuery:
    texts = [pending.drawn_text(row) for row in rows]
    letters = [character for character in sorted(set().union(*texts)) if _LETTER.match(character)]
    # A regular sample if there are too many.
    letters = letters[:: len(letters) // MOST_CHARACTERS + 1]
    words = [word for word in dict.fromkeys(chain.from_iterable(map(str.split, texts))) if _LETTER.search(word)]
    words = words[:: len(words) // MOST_CHARACTERS + 1]
    return _FontQuery(font=font, pixels=max(pixels, 1.0), rows=rows, letters=letters, words=words)


def blank_words(text: str, blank: frozenset[str], invisible: frozenset[str]) -> tuple[bool, ...]:
    """Return which words of a text are blank, in long runs: ``invisible``, or most of their letters in ``blank``."""
    words = [_LETTER.findall(word) for word in text.split()]
    missing = [
        len(letters) if word in invisible else sum(map(blank.__contains__, letters))
        for word, letters in zip(text.split(), words, strict=True)
    ]
    is_blank: list[bool] = []
    for letters, lost in zip(words, missing, strict=True):
        # A word without letters is treated as the word before it.
        is_blank.append(2 * lost > len(letters) if letters else is_blank[-1:] == [True])
    is_long = _in_long_runs(is_blank, list(map(len, words)))
    has_visible_run = any(long and not flag for flag, long in zip(is_blank, is_long, strict=True))
    if sum(missing) > MOSTLY * sum(map(len, words)) and not has_visible_run:
        return (True,) * len(words)
    return tuple(flag and long for flag, long in zip(is_blank, is_long, strict=True))


def _in_long_runs(flags: list[bool], sizes: list[int]) -> list[bool]:
    """Return whether each word is in a run of words with the same flag that has enough letters."""
    runs = [list(run) for _, run in groupby(range(len(flags)), flags.__getitem__)]
    return [sum(sizes[number] for number in run) >= STRETCH for run in runs for _ in run]


async def _measured(
    channel: Channel, frame: str, queries: list[_FontQuery], timeout: float
) -> list[tuple[list[int], list[int]]]:
    """Return the indices of the blank letters and words of each query."""
    world = await channel.world(frame, timeout=timeout)
    call = {
        "functionDeclaration": script("blank_glyphs"),
        "arguments": [{"value": [[query.font, query.pixels, query.letters, query.words] for query in queries]}],
        "executionContextId": world,
        "returnByValue": True,
    }
    reply = await channel.send("Runtime.callFunctionOn", call, timeout=timeout)
    results: list[tuple[list[int], list[int]]] = reply["result"].get("value") or [([], []) for _ in queries]
    return results
