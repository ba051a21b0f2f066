"""What a page shows twice is written once: captions, the short and the long form of a text, whole posts."""

from __future__ import annotations

from collections.abc import Mapping

from .passages import Passage

#: Shorter paragraphs may well be said twice; longer ones nowhere on a page.
SHORTEST, LONG = 25, 160
#: Paragraphs within which the same is a copy, and characters of a short form.
NEAR, SHORTEST_TEASER = 4, 60
#: So many paragraphs in a row that have stood before are a copy, near or not.
ROW = 3
#: Words in which a short form ends.
_MORE = ("…", "...", "read more", "show more", "see more", "more", "less", "show less", "»", "[", "]", "(", ")", "→")
#: What repeats for a reason: data and programs.
_FREE = frozenset({"td", "th", "pre", "tr"})


def without_repeats(found: list[Passage], tags: Mapping[int, str]) -> list[Passage]:
    """Leave out paragraphs that have been written before.

    Parameters
    ----------
    found : list of Passage
    tags : mapping of int to str
        Output tag of each kept row.

    Returns
    -------
    list of Passage
        Without those that say what a long one anywhere, or one nearby, has said; of a short form and the long one
        behind it only the long one. Cells and code stay.
    """
    said = [" ".join(one.text.split()) if tags.get(one.row) not in _FREE else "" for one in found]
    dropped = _copies(said, found) | _teasers(said, found)
    return [one for number, one in enumerate(found) if number not in dropped] if dropped else found


def _copies(said: list[str], found: list[Passage]) -> set[int]:
    """Return the paragraphs that have stood before."""
    last: dict[str, int] = {}
    dropped: set[int] = set()
    spoken = [number for number, text in enumerate(said) if text and _is_text(found[number])]
    for place, number in enumerate(spoken):
        text = said[number]
        before = last.get(text, -1)
        if len(text) >= SHORTEST and before >= 0 and (len(text) >= LONG or place - before <= NEAR):
            dropped.add(number)
        last[text] = place
    return dropped | _second_runs(said, spoken)


def _second_runs(said: list[str], spoken: list[int]) -> set[int]:
    """Return the paragraphs of rows that have stood before in the same order, if they are more than words."""
    first: dict[tuple[str, ...], int] = {}
    dropped: set[int] = set()
    for place in range(len(spoken) - ROW + 1):
        row = tuple(said[number] for number in spoken[place : place + ROW])
        before = first.setdefault(row, place)
        if place - before >= ROW and max(map(len, row)) >= SHORTEST_TEASER:
            dropped |= set(spoken[place : place + ROW])
    return dropped


def _teasers(said: list[str], found: list[Passage]) -> set[int]:
    """Return the paragraphs that the one behind them says in full."""
    dropped: set[int] = set()
    for number, text in enumerate(said):
        if len(text) < SHORTEST_TEASER or not _is_text(found[number]):
            continue
        begun = _begun(text)
        behind = said[number + 1 : number + 3]
        if begun != text and any(len(other) > len(begun) and other.startswith(begun) for other in behind):
            dropped.add(number)
    return dropped


def _begun(text: str) -> str:
    """Return a text without what says that it goes on elsewhere."""
    while True:
        end = next((word for word in _MORE if text.casefold().endswith(word)), "")
        if not end or len(text) - len(end) < SHORTEST_TEASER:
            return text
        text = text[: -len(end)].rstrip()


def _is_text(passage: Passage) -> bool:
    """Return whether a paragraph is plain text: what stands beside a picture is no copy, and verse has its refrains."""
    return not any((path and path[-1].own >= 0) or text.count("\n") > 1 for path, text in passage.runs)
