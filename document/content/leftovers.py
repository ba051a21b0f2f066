"""Paragraphs that no reader takes for content, though they are within it: counts, and what ends a page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...lexicon.phrases import FURTHER_READING, SHARE, SUBSCRIBE, TAGS, alternatives
from .keep_elements import HEADINGS
from .paragraphs import Paragraph

_COMMENTS = "comments?|kommentare?|commentaires?|comentarios?|comentários?|commenti|reacties|leave a reply|评论"
#: Headings of parts behind the content, at its end.
_ENDING = re.compile(
    rf"(?:(?:\d+\s+)?(?:{_COMMENTS})|{alternatives(FURTHER_READING, SHARE, SUBSCRIBE, TAGS)}"
    r"|latest (?:posts|videos|news)|about the author|über den autor|more from|about us)\b",
    re.IGNORECASE,
)
#: Headings of boxes behind the content, with their text; their most characters, and their most share of the content.
_BOX = re.compile(
    r"(?:about the (?:author|writer)s?|über (?:den autor|die autorin)|à propos de l['’]auteur"
    r"|sobre (?:el autor|la autora|o autor)"
    r"|latest (?:videos|posts|articles|news) from\b|more (?:from|by)\b)",
    re.IGNORECASE,
)
BOX_CHARACTERS, BOX_SHARE = 1_200, 0.25
#: Headings of links to other pages of a site. "See also" and "References" are headings of an article's own lists.
_OTHER_PAGES = re.compile(
    r"(?:related|similar|recommended|recent|latest|popular|trending|previous|other|more|further)\s+"
    r"(?:posts?|articles?|stories|videos?|news|entries|content|recipes|from|on|in|by)\b"
    r"|you (?:may|might) (?:also )?(?:like|enjoy|be interested)|most (?:read|popular|viewed)|read (?:more|next)\b"
    r"|(?:weitere|ähnliche|neueste|aktuelle|mehr|verwandte|beliebte)\s+(?:beiträge|artikel|themen|meldungen|nachrichten|aus|von|zum)\b"
    r"|auch interessant|das könnte (?:sie|dich|euch) (?:auch )?interessieren|meistgelesen|lesen sie auch"
    r"|(?:articles?|billets?) (?:similaires|liés|récents)|à lire aussi|(?:artículos|entradas|noticias) relacionad[ao]s"
    r"|te puede interesar|(?:artigos|posts|notícias) relacionad[ao]s|leia também|lees ook|gerelateerde"
    r"|articoli correlati"
    r"|相关(?:文章|阅读)|推荐阅读|関連記事",
    re.IGNORECASE,
)
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
#: What pages count of a text, in a paragraph of its own or with its number.
_COUNTED = (
    r"(?:repl(?:y|ies)|views?|likes?|votes?|voices?|followers?|shares?|comments?|upvotes?|downvotes?|reads?|claps?"
    r"|antworten|aufrufe|kommentare?|gefällt mir|réponses?|vues?|j['’]aime|respuestas|visitas|vistas|me gusta)"
)
_LABEL = re.compile(rf"{_COUNTED}\s*:?", re.IGNORECASE)
_LABELLED = re.compile(rf"(?:{_NUMBER}\s+{_COUNTED}|{_COUNTED}\s*[:(]?\s*{_NUMBER}\)?)", re.IGNORECASE)
#: Labels of the last activity in a thread, which count no number.
_ACTIVITY = re.compile(r"freshness|last (?:post|reply|activity)|letzter beitrag", re.IGNORECASE)
_AGE = re.compile(r"(?:\d+|an?|ein(?:em|er)?|vor \d+)\s+\w+(?:\s+ago)?", re.IGNORECASE)


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
