"""Deduplication of text that a page shows twice: captions, the short and the long form of a text, whole posts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...lexicon.endings import MORE
from ...page.page import Page
from ..metadata.clean_text import clean
from .paragraphs import Paragraph

#: Least characters of a repetition near by, and anywhere on the page.
SHORTEST, LONG = 25, 160
#: Paragraphs within which the same is a copy, and characters of a short form.
NEAR, SHORTEST_TEASER = 4, 60
#: Least paragraphs of a repeated run, near or not.
ROW = 3
#: Levels above a paragraph in which it may be called a quote.
_FAR = 5
_LONGEST_MORE = max(map(len, MORE))
#: Elements whose text repeats for a reason: data, programs, quotes.
_FREE = frozenset({"td", "th", "pre", "tr", "blockquote"})


def without_repeats(
    page: Page, paragraphs: list[Paragraph], tags: Mapping[int, str], signatures: Sequence[str] = ()
) -> list[Paragraph]:
    """Drop repeated paragraphs; ``tags`` has the output tag of each kept row.

    Dropped are paragraphs with the text of a long one anywhere before or of any one nearby, and a short form followed
    by the long one. Cells, code and quotes are kept, and repetitions by the author: neighbouring paragraphs of the same
    kind. ``signatures`` has for each paragraph who wrote its post, and when, "" outside of posts: what two people
    write is no repetition.
    """
    candidates = [tags.get(paragraph.row) not in _FREE and _is_text(paragraph) for paragraph in paragraphs]
    texts = [
        clean(paragraph.text) if compared else "" for paragraph, compared in zip(paragraphs, candidates, strict=True)
    ]
    signed = [(text, who) for text, who in zip(texts, signatures or [""] * len(texts), strict=True)]
    dropped = _copies(page, signed, paragraphs) | _teasers(signed)
    if not dropped:
        return paragraphs
    dropped -= {number for number in dropped if _is_quoted(page, paragraphs[number])}
    return [paragraph for number, paragraph in enumerate(paragraphs) if number not in dropped]


def _copies(page: Page, texts: list[Signed], paragraphs: list[Paragraph]) -> set[int]:
    """Return the paragraphs whose text occurred before under another parent."""
    with_text = [number for number, (text, _) in enumerate(texts) if text]
    if len({texts[number][0] for number in with_text}) == len(with_text):
        return set()
    # The last place of each text, and of each text by one author.
    last, signed = dict[str, int](), dict[Signed, int]()
    places: dict[str, set[Place]] = {}
    dropped: set[int] = set()
    for place, number in enumerate(with_text):
        text, who = texts[number]
        if len(text) < SHORTEST:
            continue
        before = max(signed.get((text, ""), -1), signed.get((text, who), -1)) if who else last.get(text, -1)
        here = _place(page, paragraphs[number])
        if before >= 0 and (len(text) >= LONG or place - before <= NEAR) and here not in places[text]:
            dropped.add(number)
        last[text] = signed[text, who] = place
        places.setdefault(text, set()).add(here)
    return dropped | _second_runs(page, texts, with_text, paragraphs)


def _second_runs(page: Page, texts: list[Signed], with_text: list[int], paragraphs: list[Paragraph]) -> set[int]:
    """Return the paragraphs of runs that occurred before in the same order and are long enough."""
    first: dict[tuple[Signed, ...], int] = {}
    dropped: set[int] = set()
    for place in range(len(with_text) - ROW + 1):
        row = tuple(texts[number] for number in with_text[place : place + ROW])
        before = first.setdefault(row, place)
        if place - before < ROW or max(len(text) for text, _ in row) < SHORTEST_TEASER:
            continue
        if _place(page, paragraphs[with_text[place]]) != _place(page, paragraphs[with_text[before]]):
            dropped |= set(with_text[place : place + ROW])
    return dropped


def _is_quoted(page: Page, paragraph: Paragraph) -> bool:
    """Return whether a paragraph is in an element whose class names a quote, as in forums."""
    row = int(page.leaves[paragraph.leaves[0]])
    for _ in range(_FAR):
        row = int(page.parent[row])
        if row < 0:
            return False
        if "quot" in page.attributes_of(row).get("class", "").lower():
            return True
    return False


#: The parent of a paragraph's element, with the tag and class of the element.
Place = tuple[int, str, str]
#: The text of a paragraph, with the signature of its post.
Signed = tuple[str, str]


def _place(page: Page, paragraph: Paragraph) -> Place:
    row = int(page.parent[page.leaves[paragraph.leaves[0]]])
    while page.parent[row] >= 0 and not page.block_level[row]:
        row = int(page.parent[row])
    return int(page.parent[row]), page.tag_of(row), page.attributes_of(row).get("class", "")


def _teasers(texts: list[Signed]) -> set[int]:
    """Return the paragraphs that are the start of one right behind or right before them."""
    dropped: set[int] = set()
    for number, (text, who) in enumerate(texts):
        if len(text) < SHORTEST_TEASER:
            continue
        above = [other for other, by in texts[max(number - 2, 0) : number] if by == who]
        if any(len(other) > len(text) and other.startswith(text) for other in above):
            dropped.add(number)
        if (begun := _begun(text)) == text:
            continue
        behind = [other for other, by in texts[number + 1 : number + 3] if by == who]
        if any(len(other) > len(begun) and other.startswith(begun) for other in behind):
            dropped.add(number)
    return dropped


def _begun(text: str) -> str:
    """Return a text without a "read more" at its end."""
    while True:
        last = text[-_LONGEST_MORE:].casefold()
        if not last.endswith(MORE):
            return text
        end = next(word for word in MORE if last.endswith(word))
        if len(text) - len(end) < SHORTEST_TEASER:
            return text
        text = text[: -len(end)].rstrip()


def _is_text(paragraph: Paragraph) -> bool:
    """Return whether a paragraph is plain text: pictures make it unique, and verse has refrains."""
    for path, text in paragraph.runs:
        if (path and path[-1].own >= 0) or ("\n" in text and text.count("\n") > 1):
            return False
    return True
