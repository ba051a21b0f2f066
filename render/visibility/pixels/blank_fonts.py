"""Find words of which a web font draws hardly anything, and texts in fonts whose letters have colors of their own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, compress, groupby
from typing import Any

import numpy as np

from ....page.hidden import Hidden
from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import script
from ..css_values import families_in, font_of
from ..pending_page import PendingPage

#: Words of a font that are drawn, at most.
MOST_WORDS = 2_000
#: Blank, or visible, are runs of words with at least STRETCH letters. If more than MOSTLY of all letters are blank
#: and no such run is visible, the whole text is blank.
MOSTLY, STRETCH = 0.5, 10

_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _FontQuery:
    """A font in a size and a language, the texts that are set in it, and their words."""

    font: str
    pixels: int
    language: str
    rows: list[int]
    words: list[str]


async def blank_texts(
    channel: Channel, pending: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]], timeout: float
) -> tuple[dict[int, tuple[bool, ...]], set[int]]:
    """Return the texts with blank words, by row: whether each word is blank; and the texts in fonts with colors.

    ``fonts`` has loaded fonts by frame id.
    """
    blank_of: dict[int, tuple[bool, ...]] = {}
    colored: set[int] = set()
    if not any(fonts.values()):
        return blank_of, colored
    queries = await asyncio.to_thread(_queries, pending, reply, fonts)
    with suppress(CommandFailed, TimeoutError):
        async with asyncio.timeout(timeout):
            for frame, of_frame in queries.items():
                results = await _measured(channel, frame, of_frame, timeout)
                for query, (words, is_colored) in zip(of_frame, results, strict=True):
                    colored.update(query.rows if is_colored else ())
                    blank = frozenset(query.words[index] for index in words)
                    for row in query.rows if blank else ():
                        flags = blank_words(pending.drawn_text(row), blank)
                        if any(flags):
                            blank_of[row] = flags
    return blank_of, colored


def _queries(
    pending: PendingPage, reply: dict[str, Any], fonts: Mapping[str, list[str]]
) -> dict[str, list[_FontQuery]]:
    page, geometry = pending.plain, pending.geometry
    visibility = pending.visibility
    visible = np.zeros(len(page), dtype=bool)
    visible[geometry.line_node[(visibility.reason == Hidden.VISIBLE) | visibility.uncertain]] = True
    documents = {frame.row: frame.document for frame in pending.frames}
    starts = np.asarray(sorted(documents), dtype=np.int64)
    languages, language = page.attribute("lang"), page.nearest(page.attribute("lang") >= 0)
    rows: dict[tuple[str, str, int, str], list[int]] = {}
    for row in page.leaves[visible[page.leaves]].tolist():
        style = pending.styles.of_node(row)
        font = font_of(style)
        around = starts[(starts <= row) & (page.end[starts] > row)]
        if not font or not len(around):
            continue
        frame = reply["strings"][reply["documents"][documents[int(around[-1])]]["frameId"]]
        if families_in(style["font-family"]) & set(fonts.get(frame, ())):
            named = page.strings[languages[language[row]]] if language[row] >= 0 else ""
            pixels = max(round(float(geometry.font_size[row])), 1)
            rows.setdefault((frame, font, pixels, named), []).append(row)
    queries: dict[str, list[_FontQuery]] = {}
    for (frame, font, pixels, named), of_font in rows.items():
        texts = (pending.drawn_text(row).split() for row in of_font)
        words = [word for word in dict.fromkeys(chain.from_iterable(texts)) if _LETTER.search(word)]
        # A regular sample if there are too many.
        words = words[:: len(words) // MOST_WORDS + 1]
        query = _FontQuery(font=font, pixels=pixels, language=named, rows=of_font, words=words)
        queries.setdefault(frame, []).append(query)
    return queries


def blank_words(text: str, blank: frozenset[str]) -> tuple[bool, ...]:
    """Return which words of a text are among the blank ones, in long runs."""
    words = text.split()
    sizes = [len(_LETTER.findall(word)) for word in words]
    is_blank: list[bool] = []
    for word, size in zip(words, sizes, strict=True):
        # A word without letters is treated as the word before it.
        is_blank.append(word in blank if size else is_blank[-1:] == [True])
    is_long = _in_long_runs(is_blank, sizes)
    has_visible_run = any(long and not flag for flag, long in zip(is_blank, is_long, strict=True))
    if sum(compress(sizes, is_blank)) > MOSTLY * sum(sizes) and not has_visible_run:
        return (True,) * len(words)
    return tuple(flag and long for flag, long in zip(is_blank, is_long, strict=True))


def _in_long_runs(flags: list[bool], sizes: list[int]) -> list[bool]:
    """Return whether each word is in a run of words with the same flag that has enough letters."""
    runs = [list(run) for _, run in groupby(range(len(flags)), flags.__getitem__)]
    return [sum(sizes[number] for number in run) >= STRETCH for run in runs for _ in run]


async def _measured(
    channel: Channel, frame: str, queries: list[_FontQuery], timeout: float
) -> list[tuple[list[int], bool]]:
    """Return the indices of the blank words of each query, and whether its letters have colors of their own."""
    world = await channel.world(frame, timeout=timeout)
    call = {
        "functionDeclaration": script("blank_glyphs"),
        "arguments": [{"value": [[query.font, query.pixels, query.language, query.words] for query in queries]}],
        "executionContextId": world,
        "returnByValue": True,
    }
    reply = await channel.send("Runtime.callFunctionOn", call, timeout=timeout)
    results: list[tuple[list[int], bool]] = reply["result"].get("value") or [([], False) for _ in queries]
    return results
