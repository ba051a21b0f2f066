"""The visible author and date of a page: elements with such classes, and short lines near the headline."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..arrays import BoolColumn
from ..clean_text import clean, letters_of, text_below
from ..name_flags import cache_names, cache_words, name_flags
from ..page import Page
from ..visibility import invisible_leaves
from .authors import signed_in
from .dates import DATE_LABELS

_AUTHOR = re.compile(
    r"(?:^|[\s_-])(?:p-author|byline(?:[_-]?name)?|author(?:s|[_-]?(?:name|link|s))?|post-?author|entry-?author"
    r"|written-?by|writer|autor|auteur)(?=[\s_-]|$)",
    re.IGNORECASE,
)
#: Class names of the author of a forum post.
_POSTER = re.compile(
    r"(?:^|[\s_-])(?:username(?:-colou?red)?|user-?name|poster(?:-?name)?|nick-?name|author-?nick)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:^|[\s_-])(?:dt-published|published?|pub-?date|date(?:line|time)?|post-?date|entry-?date|posted(?:-?on)?"
    r"|time-?stamp|time|fecha|datum)(?=[\s_-]|$)",
    re.IGNORECASE,
)
#: Id of the element with the date of a post in Discuz.
_POSTED = re.compile(r"^authorposton\d", re.IGNORECASE)
_MODIFIED = re.compile(r"modified|updated|dt-updated|last-?mod", re.IGNORECASE)
#: Class names of elements with text of other authors or links to other pages.
_ELSEWHERE = re.compile(
    r"(?:^|[\s_-])(?:comments?(?:-?list|-?body)?|replies|related|recommend\w*|sidebar|widget|footer|recent|latest"
    r"|popular|teaser|prev|next)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u4e00-\u9fff]")
_CLASSES = (_AUTHOR, _POSTER, _DATE, _MODIFIED, _ELSEWHERE)
_ANY = re.compile("|".join(pattern.pattern for pattern in _CLASSES), re.IGNORECASE)
#: Most elements of each kind, and lines before and after the headline; most characters of one.
LINES, LINE_CHARACTERS = 12, 120
#: Ends of a sentence, and most words of a line of a date that ends like one.
SENTENCE_ENDS, LABEL_WORDS = (".", "!", "?", "。"), 8


def read_visible_byline(
    page: Page, own: BoolColumn, title: str
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]:
    """Return (purpose, text) of elements for authors and dates, the lines near the headline, and names of signers.

    ``own``, bool (nodes,), marks the nodes of the page itself; ``title`` identifies the headline.
    """
    classes = name_flags(page, ("class",), _meanings).astype(np.int64)
    elsewhere = _elsewhere(page, classes)
    lines, signed = _lines(page, own, elsewhere, title)
    return _marked(page, own & ~elsewhere, classes), lines, signed


def _marked(page: Page, own: BoolColumn, classes: NDArray[np.int64]) -> tuple[tuple[str, str], ...]:
    """Return authors and dates by class and tag.

    ``classes``, int64 (nodes,), has one bit for each of :data:`_CLASSES`.
    """
    author, poster, date, modified = (classes & 1 << bit > 0 for bit in range(len(_CLASSES) - 1))
    date = date | page.attribute_matches("id", lambda name: _POSTED.search(name) is not None)
    # WordPress calls the date of a post that was not changed "entry-date updated".
    entry = page.attribute_matches("class", lambda names: "entry-date" in names.split())
    modified = modified & ~(entry & ((entry & own).sum() == 1))
    time = page.has_tag("time") & own
    found: list[tuple[str, str]] = []
    for name, rows in (
        ("author", _inner(page, author & own)),
        ("author", _inner(page, poster & own)),
        ("modified", (page.below(modified) & time) | (modified & own)),
        ("published", time & ~page.below(modified)),
        ("published", date & own & ~modified & (page.count_within(time) == 0)),
    ):
        found += [
            (name, text) for row in np.flatnonzero(rows)[:LINES].tolist() if (text := _element_text(page, row, name))
        ]
    return tuple(found)


def _element_text(page: Page, row: int, name: str) -> str:
    attributes = page.attributes_of(row)
    written = attributes.get("datetime") or attributes.get("title" if page.tag_of(row) == "abbr" else "", "")
    if name != "author" and written:
        before, line = _line_of(page, row)
        # A sentence that goes on names other days: "open on 1 April and close on 31 October."
        return "" if is_sentence(line) else clean(" ".join([*DATE_LABELS.findall(before)[-1:], written]))
    text = text_below(page, row)
    return text if len(text) <= LINE_CHARACTERS else ""


def is_sentence(line: str) -> bool:
    """Return whether a line ends like a sentence, and is too long for a label of a date."""
    return line.endswith(SENTENCE_ENDS) and len(line.split()) > LABEL_WORDS


def _line_of(page: Page, row: int) -> tuple[str, str]:
    """Return the text of a line before an element, from the date before it, and the whole line."""
    leaf = int(page.leaf_range[row, 0])
    owner, times = page.owner[page.leaves], page.below(page.has_tag("time"))[page.leaves]
    if leaf == len(owner):
        return "", ""
    bounds = [0, *(np.flatnonzero(np.diff(owner)) + 1).tolist(), len(owner)]
    first, last = bounds[(place := bisect_right(bounds, leaf)) - 1], bounds[place]
    dates = np.flatnonzero(times[first:leaf])
    before = page.leaf_texts[first + int(dates[-1]) + 1 if len(dates) else first : leaf]
    return "".join(before), clean("".join(page.leaf_texts[first:last]))


def _inner(page: Page, marked: BoolColumn) -> BoolColumn:
    inner: BoolColumn = marked & (page.count_below(marked) == 0)
    return inner


@cache_words
def _meaning(word: str) -> int:
    """Return one bit for each of :data:`_CLASSES` that matches a word of a class or name."""
    if _ANY.search(word) is None:
        return 0
    return sum(1 << bit for bit, pattern in enumerate(_CLASSES) if pattern.search(word))


_meanings = cache_names(_meaning)


def _elsewhere(page: Page, classes: NDArray[np.int64]) -> BoolColumn:
    names = classes | name_flags(page, ("id",), _meanings).astype(np.int64)
    by_class = names & 1 << _CLASSES.index(_ELSEWHERE) > 0
    # A class of the whole page ("no-sidebar footer-dark") or of what holds the headline does not apply to a part.
    whole = page.has_tag("html", "body", "main", "article") | (page.count_below(page.has_tag("h1")) > 0)
    foot = page.has_tag("footer") & ~page.below(page.has_tag("article", "section"))
    return page.below((by_class & ~whole) | (foot | page.has_tag("aside", "nav")) & (page.leaf_range[:, 0] > 0))


def _lines(page: Page, own: BoolColumn, elsewhere: BoolColumn, title: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the short lines near the headline, those after it first, and the names of signers."""
    starts, lines = _text_lines(page, own)
    key = letters_of(title)
    headings = page.below(page.has_tag("h1", "h2", "h3"))
    places = [n for n, line in enumerate(lines) if key and _may_begin(line, key) and letters_of("".join(line)) == key]
    at = next((n for n in places if headings[starts[n]]), places[-1] if places else -1)
    near = [*range(at + 1, len(lines))][: LINES if at >= 0 else None]
    near += reversed(range(max(at - LINES, 0), max(at, 0)))
    around = [lines[n] for n in near if not elsewhere[starts[n]]]
    texts = (clean("".join(line)) for line in around)
    short = islice((text for text in texts if 2 < len(text) <= LINE_CHARACTERS), 2 * LINES)
    behind = [clean("".join(line)) for line in lines[max(at, 0) :] if _UNSPACED.search("".join(line[:3]))]
    return tuple(short), signed_in(behind)


def _may_begin(line: list[str], key: str) -> bool:
    """Return whether a line can start with some letters, by its first ASCII letter."""
    first = line[0].lstrip()[:1]
    return not (first.isascii() and first.isalnum()) or first.lower() == key[0]


def _text_lines(page: Page, own: BoolColumn) -> tuple[list[int], list[list[str]]]:
    """Return the visible text by block-level element: start row and pieces of each line."""
    owner = page.owner[page.leaves].tolist()
    usable = (~invisible_leaves(page) & own[page.leaves]).tolist()
    starts: list[int] = []
    texts: list[list[str]] = []
    last = -2
    for leaf, row in enumerate(page.leaves.tolist()):
        if not usable[leaf]:
            continue
        if owner[leaf] != last:
            starts.append(row)
            texts.append([])
            last = owner[leaf]
        text, before = page.leaf_texts[leaf], texts[-1][-1][-1:] if texts[-1] else ""
        # Boxes in a line may have no white space between them: "By", "Ada Leaf", "April 4".
        apart = (text[:1].isupper() or text[:1].isdigit()) and (
            before.islower() or before.isdigit() or before > "\u3000"
        )
        texts[-1].append(f" {text}" if apart else text)
    return starts, texts
