"""Paragraphs that no reader takes for content, though they are within it: counts, and what ends a page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...lexicon.endings import ACTIVITY, AGE, BOXES, COMMENTS, COUNTED, ENDINGS, OTHER_PAGES
from ...lexicon.phrases import FURTHER_READING, SHARE, SUBSCRIBE, TAGS, alternatives
from .keep_elements import HEADINGS
from .paragraphs import Paragraph


def _any(*words: Mapping[str, tuple[str, ...]]) -> str:
    return alternatives(*(some for by_language in words for some in by_language.values()))


#: Headings of parts behind the content, at its end.
_ENDING = re.compile(
    rf"(?:(?:\d+\s+)?(?:{_any(COMMENTS)})|{alternatives(FURTHER_READING, SHARE, SUBSCRIBE, TAGS)}|{_any(ENDINGS)})\b",
    re.IGNORECASE,
)
#: Headings of boxes behind the content, with their text; their most characters, and their most share of the content.
_BOX = re.compile(rf"(?:{_any(BOXES)})", re.IGNORECASE)
BOX_CHARACTERS, BOX_SHARE = 1_200, 0.25
_OTHER_PAGES = re.compile(_any(OTHER_PAGES), re.IGNORECASE)
#: Addresses of lists of texts with one tag.
_TAG_ADDRESS = re.compile(r"/(?:tags?|categor(?:y|ies)|kategorien?|schlagwort|etiquetas?|topics?)/", re.IGNORECASE)
#: Most share of headings in a content whose last heading has nothing below it; a list of titles has more.
HEADING_SHARE = 0.3
#: Fewest links of a list that is left out with its heading.
LINKS = 2
#: Least characters of a content whose last paragraph may be a count.
COUNTED_CHARACTERS = 200
#: Numbers of comments, likes and views: "6 / 3".
_NUMBER = r"\d[\d.,]*\s*k?"
_COUNT = re.compile(rf"{_NUMBER}(?:\s*[/|·•]\s*{_NUMBER})*")
#: A count in a paragraph of its own, a label in another one, or with its number.
_LABEL = re.compile(rf"(?:{_any(COUNTED)})\s*:?", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?:{_NUMBER}\s+(?:{_any(COUNTED)})|(?:{_any(COUNTED)})\s*[:(]?\s*{_NUMBER}\)?)", re.IGNORECASE
)
#: Labels of the last activity in a thread, which count no number.
_ACTIVITY, _AGE = re.compile(_any(ACTIVITY), re.IGNORECASE), re.compile(AGE, re.IGNORECASE)


def without_counts(passages: list[Paragraph], tags: Mapping[int, str]) -> list[Paragraph]:
    """Return the paragraphs without counts of replies, views and the like, which stand outside of lists and tables."""
    plain = [tags.get(passage.row, "") in ("", "p", "dt", "dd") for passage in passages]
    texts = [passage.text.strip() for passage in passages]
    drop = [is_plain and bool(_LABELLED.fullmatch(text)) for is_plain, text in zip(plain, texts, strict=True)]
    for n in range(len(passages) - 1):
        if plain[n] and plain[n + 1] and _is_pair(texts[n], texts[n + 1]):
            drop[n] = drop[n + 1] = True
    if all(drop):
        return passages
    return [passage for passage, dropped in zip(passages, drop, strict=True) if not dropped]


def _is_pair(label: str, value: str) -> bool:
    """Return whether two neighbours are a label and its count."""
    counted = bool(_LABEL.fullmatch(label)) and bool(_COUNT.fullmatch(value))
    return counted or (bool(_ACTIVITY.fullmatch(label)) and bool(_AGE.fullmatch(value)))


def without_end(passages: list[Paragraph], tags: Mapping[int, str]) -> list[Paragraph]:
    """Return the paragraphs without what ends a page.

    That is rules, counts, headings of parts behind, boxes about the author, and lists of links to other pages under a
    heading that says so. Of a part behind the content, more than a few sentences are kept with their heading.
    """
    size = sum(len(passage.text) for passage in passages)
    passages = _without_last_part(passages, tags, size)
    counts = size >= COUNTED_CHARACTERS
    headings = sum(tags.get(passage.row) in HEADINGS for passage in passages)
    bare = counts and headings <= HEADING_SHARE * len(passages)
    end = len(passages)
    while end > 1 and (_is_tags(passages[end - 1], tags) or (bare and tags.get(passages[end - 1].row) in HEADINGS)):
        end -= 1
    while end and _is_ending(passages[end - 1], tags.get(passages[end - 1].row, ""), counts=counts):
        end -= 1
    return passages[:end]


def _without_last_part(passages: list[Paragraph], tags: Mapping[int, str], size: int) -> list[Paragraph]:
    """Return the paragraphs before the last heading if that is of a box or a list of links to other pages."""
    last = max((n for n, passage in enumerate(passages) if tags.get(passage.row) in HEADINGS), default=0)
    if not last:
        return passages
    text, behind = passages[last].text.strip(), [passage for passage in passages[last + 1 :] if passage.text.strip()]
    small = sum(len(passage.text) for passage in behind) <= min(BOX_CHARACTERS, BOX_SHARE * size)
    linked = len(behind) >= LINKS and all(map(_is_link, behind)) and _OTHER_PAGES.search(text)
    return passages[:last] if linked or (small and _BOX.match(text)) else passages


def _is_link(passage: Paragraph) -> bool:
    """Return whether all text of a paragraph is in links."""
    return all(any(step.tag == "a" for step in path) for path, text in passage.runs if text.strip())


def _is_tags(passage: Paragraph, tags: Mapping[int, str]) -> bool:
    """Return whether a paragraph outside of lists only has links to the tags or categories of a site."""
    addresses = [value for path, _ in passage.runs for step in path for name, value in step.given if name == "href"]
    plain = tags.get(passage.row, "") in ("", "p")
    return plain and bool(addresses) and _is_link(passage) and all(map(_TAG_ADDRESS.search, addresses))


def _is_ending(passage: Paragraph, tag: str, *, counts: bool) -> bool:
    """Return whether a paragraph is a rule, the heading of a part behind the content, or with ``counts`` a count."""
    text = passage.text.strip()
    if passage.rule or (tag in HEADINGS and _ENDING.match(text)):
        return True
    return counts and tag in ("", "p") and bool(_COUNT.fullmatch(text))
