"""Hints at a block's role: phrases of by-lines, dates, captions, notes and teasers, and the blocks around."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..lexicon.phrases import BY, FURTHER_READING, MONTHS, POST_LABELS, SHARE, SUBSCRIBE, TAGS, alternatives
from ..lexicon.word_lists import entries
from ..lexicon.words import words
from ..page import arrays
from ..page.arrays import FloatArray, numbered, prefix_sums, span_sums
from ..page.name_flags import cache_words
from ..page.tree import tag_bits
from .columns import ColumnGroup, Columns, flag, log_count, numeric, share
from .rows import Rows, compiled_rows, node_link_words, node_words, spaced_words
from .structure import jaccard, title_similarity
from .text import searched

_MEANINGS = {
    "byline": "a by-line",
    "credit": "a picture credit",
    "more": "a link to further reading",
    "letter": "a call to subscribe, follow or share",
    "note": "a note or correction",
    "notice": "a notice of consent, payment or scripts",
    "reply": "a label of posts and comments",
    "tag": "a list of tags",
}
_SHARED = {
    "byline": alternatives(BY, end=r"\b"),
    "more": alternatives(FURTHER_READING),
    "letter": alternatives(SUBSCRIBE, SHARE),
    "reply": alternatives(POST_LABELS),
    "tag": alternatives(TAGS),
}
#: Starts of short blocks in the most common languages of the web.
_STARTS = {
    name: "|".join(filter(None, (_SHARED.get(name), alternatives(entries("starts").get(name, ())))))
    for name in _MEANINGS
}
_PATTERNS = {name: re.compile(rf"\W*(?:{pattern})", re.IGNORECASE) for name, pattern in _STARTS.items()}
#: Most blocks start with none of these.
_ANY_START = re.compile(rf"\W*(?:{'|'.join(_STARTS.values())})", re.IGNORECASE)
#: The same for lower-case ASCII, twice as fast. The only other letter that is one of ASCII if case is ignored is "ı".
_ASCII_START = re.compile(_ANY_START.pattern.replace("ı", "[ıi]"))
_AGENCIES = "reuters afp dpa getty shutterstock xinhua efe ansa interfax bloomberg ritzau ntb apa sda pap"
_AGENCY = re.compile(
    rf"\b(?:{_AGENCIES.replace(' ', '|')})\b|\(ap\)|/ap\b|associated press|тасс|新华社|新華社|中新|中央社|人民网|©",
    re.IGNORECASE,
)
#: A text that names an agency has one of these words or characters (the last ones are other forms of i, s and т); a
#: truncated text may end in one.
_AGENCY_WORDS = frozenset((*_AGENCIES.split(), "ap"))
_AGENCY_ENDS, _LONG_AGENCY = tuple(_AGENCY_WORDS), "associated press"
_AGENCY_CHARACTERS = re.compile("[©тТ新中人İıſ\u1c84\u1c85]")
#: Words of dates; abbreviations of months are added. The beginning of a word is not enough: "money", "marketing".
_ALL_DATE_WORDS = (*MONTHS, *" ".join(entries("dates")["DATE_WORDS"]).split())
_DATE_WORD = re.compile(
    rf"\d|^(?:{alternatives(_ALL_DATE_WORDS)})[.,:;]*$|"
    r"^(?:年|月|日|时间|發佈|发布)",
    re.IGNORECASE,
)
#: In ASCII, where looking up words is faster than the pattern.
_ASCII_DATE_WORDS = frozenset(filter(str.isascii, _ALL_DATE_WORDS))
_PERSON_LINK = re.compile(r"author|/by/|/people/|/person|profile|/user|/members?/|/u/|columnist|/staff|writer|autor")
#: Each address of a person contains one of these.
_PERSON_PARTS = tuple("author /by/ /people/ /person profile /user /member /u/ columnist /staff writer autor".split())
#: Characters of a block's start that are matched, and most words of a label.
_CHARACTERS = 100
_MOST_WORDS = 60.0
_PICTURES = ("img", "picture", "video", "svg", "iframe", "amp-img", "canvas")
_FAR = 12
_LEVELS = 6

COLUMNS = (
    *(flag(f"begins_{name}", f"1 if the block starts like {meaning}") for name, meaning in _MEANINGS.items()),
    flag("names_agency", "1 if a short block names a press agency or a copyright holder"),
    share("date_share", "share of the block's words that are parts of dates, among the first 60"),
    share("capitalised_share", "share of the block's words that start with an upper-case letter"),
    flag("person_link", "1 if it links to a person's page, by the address"),
    share("italic_share", "share of its words inside <em> or <i>"),
    share("strong_share", "share of its words inside <strong> or <b>"),
    share("small_share", "share of its words inside <small>"),
    share("like_meta_title", "Jaccard similarity to the title in og:title"),
    share("like_description", "Jaccard similarity to the page's description"),
    share("like_author", "share of the words of the page's author in it, reduced for longer texts"),
    flag("picture_before", "1 if a picture is between the previous block and this one"),
    flag("picture_after", "1 if a picture is between this block and the next"),
    numeric(
        "picture_level", "levels up to the nearest element with a picture, at most 6", "levels", high=float(_LEVELS)
    ),
    log_count("picture_box_words_log", "ln(1 + words in that element)"),
    log_count("rows_after_title_log", "ln(1 + blocks since the one most similar to the title), at most 12"),
    log_count("rows_before_title_log", "ln(1 + blocks until that one), at most 12"),
    log_count("rows_since_long_log", "ln(1 + blocks since the last long paragraph), at most 12"),
    log_count("rows_until_long_log", "ln(1 + blocks until the next long paragraph), at most 12"),
    log_count("long_before_log", "ln(1 + long paragraphs before)"),
    log_count("cards_log", "ln(1 + siblings of an ancestor with the same template), of the ancestor with most of them"),
    log_count("card_words_log", "ln(1 + mean words of these)"),
    share("card_link_density", "share of their words inside links"),
    share("card_pictures", "share of these that contain a picture"),
    flag("after_heading", "1 if the block is no heading but directly follows one"),
)


def hint_features(rows: Rows, _: Columns) -> Columns:
    """Return the hints, float64 (rows,) each; :data:`COLUMNS` describes them."""
    if arrays.compiled:
        return _phrases(rows) | _metadata_similarity(rows) | _compiled(rows)
    return (
        _phrases(rows)
        | _emphasis(rows)
        | _metadata_similarity(rows)
        | _pictures(rows)
        | _positions(rows)
        | _cards(rows)
    )


#: Columns in the order of the compiled loop: logarithms, then others.
_LOGS = (
    *("picture_box_words_log", "rows_after_title_log", "rows_before_title_log", "rows_since_long_log"),
    *("rows_until_long_log", "long_before_log", "cards_log", "card_words_log"),
)
_COMPILED = (
    *_LOGS,
    *("picture_before", "picture_after", "picture_level", "after_heading", "card_link_density", "card_pictures"),
    *("person_link", "italic_share", "strong_share", "small_share"),
)


def _compiled(rows: Rows) -> dict[str, FloatArray]:
    """Return the columns of emphasis, pictures, positions and cards in one pass."""
    assert arrays.compiled
    page, result = rows.page, np.empty((len(_COMPILED), len(rows)))
    sizes = np.asarray([len(page.names) + 1, len(page.strings) + 2], dtype=np.int64)
    marks = tag_bits(page, (), ("em", "i"), ("strong", "b"), ("small",), _PICTURES)
    marks |= page.attribute_matches("href", _leads_to_person, needs=_PERSON_PARTS)
    nodes = (page.text, page.tag, page.attribute("class"), sizes, marks)
    leaves = (page.leaves, rows.leaf_row, rows.leaf_words, rows.first_leaf)
    given = (*nodes, *leaves, rows.in_heading, _title_row(rows), _FAR)
    arrays.compiled.hints(*compiled_rows(rows), *given, result)
    logs = result[: len(_LOGS)]
    np.log1p(logs, out=logs)
    return dict(zip(_COMPILED, result, strict=True))


def _title_row(rows: Rows) -> int:
    """Return the row that is most similar to the title, -1 if none is."""
    similarity = title_similarity(rows)
    return int(np.argmax(similarity)) if len(rows) and similarity.max() > 0.2 else -1


def _phrases(rows: Rows) -> dict[str, FloatArray]:
    starts = [text[:_CHARACTERS] for text in rows.texts]
    # Texts have no line breaks.
    lowered = "\n".join(starts).lower().split("\n")
    matching = [row for row, text in enumerate(starts) if _may_start(text, lowered[row])]
    columns = {f"begins_{name}": searched(pattern.match, starts, matching) for name, pattern in _PATTERNS.items()}
    short = (rows.words <= _MOST_WORDS).nonzero()[0].tolist()
    length, of_dates = _date_words(rows)
    count = np.maximum(length, 1).astype(np.float64)
    return columns | {
        "names_agency": searched(_AGENCY.search, starts, _naming_agencies(rows, starts, lowered, short)),
        "date_share": of_dates / count,
        "capitalised_share": rows.character_counts.capitalised(int(_MOST_WORDS)) / count,
    }


def _date_words(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of words among the first ones of each text, and of those that are parts of dates."""
    split = [words_of_row[: int(_MOST_WORDS)] for words_of_row in spaced_words(rows)]
    length = np.asarray([*map(len, split)], dtype=np.int64)
    every = np.fromiter(map(_is_of_dates, chain.from_iterable(split)), dtype=np.int64, count=int(length.sum()))
    last = length.cumsum()
    return length, span_sums(every, last - length, last)


def _naming_agencies(rows: Rows, starts: list[str], lowered: list[str], short: list[int]) -> list[int]:
    """Return the rows that can name an agency: looking up words is faster than searching the texts."""
    word_sets, other_words = rows.word_sets, _AGENCY_WORDS.isdisjoint
    return [row for row in short if not other_words(word_sets[row]) or _may_name_agency(starts[row], lowered[row])]


def _may_start(text: str, lowered: str) -> object:
    return _ASCII_START.match(lowered) if text.isascii() else _ANY_START.match(text)


@cache_words
def _is_of_dates(word: str) -> int:
    if word.isascii() and word.isalpha():
        return word.lower() in _ASCII_DATE_WORDS
    return _DATE_WORD.search(word) is not None


def _may_name_agency(start: str, lowered: str) -> object:
    """Return whether a text can name an agency although none of its words is one."""
    if _LONG_AGENCY in lowered or (len(start) == _CHARACTERS and lowered.endswith(_AGENCY_ENDS)):
        return True
    return not start.isascii() and _AGENCY_CHARACTERS.search(start)


def _emphasis(rows: Rows) -> dict[str, FloatArray]:
    page, amount = rows.page, np.maximum(rows.words, 1e-9)

    def part(*tags: str) -> FloatArray:
        marked = page.has_tag(*tags)
        if not marked.any():
            return np.zeros(len(rows))
        return np.minimum(rows.summed(rows.leaf_words * page.below(marked)[page.leaves]) / amount, 1.0)

    person = page.attribute_matches("href", _leads_to_person, needs=_PERSON_PARTS)
    return {
        "person_link": (rows.summed(page.below(person)[page.leaves].astype(np.float64)) > 0).astype(np.float64),
        "italic_share": part("em", "i"),
        "strong_share": part("strong", "b"),
        "small_share": part("small"),
    }


def _leads_to_person(address: str) -> bool:
    return _PERSON_LINK.search(address[-80:]) is not None


def _metadata_similarity(rows: Rows) -> dict[str, FloatArray]:
    declared, word_sets = _meta_words(rows), rows.word_sets
    author = declared["author"]
    author_scores = [
        0.0 if author.isdisjoint(words_of_row) else _author_score(words_of_row, author) for words_of_row in word_sets
    ]
    return {
        "like_meta_title": jaccard(word_sets, declared["title"]),
        "like_description": jaccard(word_sets, declared["description"]),
        "like_author": np.asarray(author_scores, dtype=np.float64),
    }


def _author_score(words_of_row: frozenset[str], author: frozenset[str]) -> float:
    return len(words_of_row & author) / max(len(author), 1) * min(1.0, 4 * len(author) / max(len(words_of_row), 1))


_META = {
    "og:title": "title",
    "twitter:title": "title",
    "description": "description",
    "og:description": "description",
    "author": "author",
    "article:author": "author",
    "byl": "author",
    "dc.creator": "author",
}


def _meta_words(rows: Rows) -> dict[str, frozenset[str]]:
    """Return the words of title, description and author in ``meta`` elements; the first of each counts."""
    page = rows.page
    content, name, property_ = (page.attribute(attribute) for attribute in ("content", "name", "property"))
    words_of_field: dict[str, frozenset[str]] = {}
    for row in (page.has_tag("meta") & (content >= 0)).nonzero()[0].tolist():
        for code in (name[row], property_[row]):
            field = _META.get(page.strings[code].lower(), "") if code >= 0 else ""
            value = page.strings[content[row]]
            if field and field not in words_of_field and not value.startswith("http"):
                words_of_field[field] = frozenset(words(value))
    return {field: words_of_field.get(field, frozenset()) for field in ("title", "description", "author")}


def _pictures(rows: Rows) -> dict[str, FloatArray]:
    page, chain = rows.page, rows.chain.T
    before = prefix_sums(page.has_tag(*_PICTURES))
    first = page.leaves[rows.first_leaf] if len(rows) else np.zeros(0, dtype=np.int32)
    gaps = (np.diff(before[first], prepend=0, append=before[-1]) > 0).astype(np.float64)
    holds = before[page.end[chain]] > before[chain]
    level = np.where(holds.any(axis=0), holds.argmax(axis=0), _LEVELS)
    node = chain[np.minimum(level, _LEVELS - 1), np.arange(len(rows))]
    return {
        "picture_before": gaps[:-1],
        "picture_after": gaps[1:],
        "picture_level": level.astype(np.float64),
        "picture_box_words_log": np.log1p(node_words(rows)[node]),
    }


def _positions(rows: Rows) -> dict[str, FloatArray]:
    row = np.arange(len(rows))
    best = _title_row(rows)
    far = partial(_signed_log, row)
    after, before = (far(best), -far(best)) if best >= 0 else (np.zeros(len(rows)), np.zeros(len(rows)))
    long = rows.long > 0
    last = np.maximum.accumulate(np.where(long, row, -_FAR - 1)) if len(rows) else row
    following = np.minimum.accumulate(np.where(long, row, len(rows) + _FAR)[::-1])[::-1] if len(rows) else row
    heading = rows.in_heading
    return {
        "rows_after_title_log": np.maximum(after, 0.0),
        "rows_before_title_log": np.maximum(before, 0.0),
        "rows_since_long_log": np.log1p(np.minimum(row - last, _FAR)),
        "rows_until_long_log": np.log1p(np.minimum(following - row, _FAR)),
        "long_before_log": np.log1p(np.cumsum(long) - long),
        "after_heading": (np.append(False, heading[:-1])[: len(rows)] & ~heading).astype(np.float64),
    }


def _signed_log(place: NDArray[np.int64], best: int) -> FloatArray:
    steps = np.clip(place - best, -_FAR, _FAR)
    return np.sign(steps) * np.log1p(np.abs(steps))


def _cards(rows: Rows) -> dict[str, FloatArray]:
    page = rows.page
    names, tags = np.int64(len(page.strings) + 2), np.int64(len(page.names) + 1)
    template = ((page.parent.astype(np.int64) + 1) * tags + page.tag) * names + page.attribute("class") + 1
    full = ((page.text < 0) & (node_words(rows) > 0)).nonzero()[0]
    pictures = prefix_sums(page.has_tag(*_PICTURES))
    _, group = numbered(template)
    every, groups = group[full], int(group.max(initial=-1)) + 1

    def sums(values: FloatArray | None) -> FloatArray:
        return np.bincount(every, weights=values, minlength=groups).astype(np.float64)

    count, size, links = sums(None), sums(node_words(rows)[full]), sums(node_link_words(rows)[full])
    holds = sums((pictures[page.end[full]] > pictures[full]).astype(np.float64))
    chosen = _largest_group(group[rows.chain], count)
    least = np.maximum(count[chosen], 1.0)
    return {
        "cards_log": np.log1p(np.maximum(count[chosen] - 1, 0)),
        "card_words_log": np.log1p(size[chosen] / least),
        "card_link_density": np.minimum(links[chosen] / np.maximum(size[chosen], 1e-9), 1.0),
        "card_pictures": holds[chosen] / least,
    }


def _largest_group(groups: NDArray[np.integer], count: FloatArray) -> NDArray[np.integer]:
    """Return the group with most elements among those of a block's ancestors; of equal ones the outermost."""
    counts = count[groups]
    level = groups.shape[1] - 1 - np.argmax(counts[:, ::-1], axis=1) if len(groups) else np.zeros(0, dtype=np.int64)
    return np.take_along_axis(groups, level[:, None], axis=1)[:, 0]


GROUP = ColumnGroup(name="role", columns=COLUMNS, measure=hint_features)
