"""Authors and dates of posts by their places alone: a name next to a date, or in the card of a user.

Class names of forums are as many as forums. What they have in common is a short text that differs between posts, is no
sentence and recurs where somebody writes again; a date in each post; and, of cards of users, labels and counters.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise

from ...lexicon.phrases import POST_LABELS, alternatives
from ...page.arrays import HALF, HARDLY_ANY, MOSTLY, NEARLY_ALL, SOME
from ...page.clean_text import clean_leaves
from ..body import is_prose
from ..field_columns import FEWEST, HEADINGS, Aligned, Cells, leaf_text
from ..field_names import AUTHOR_NAMES, share_joined
from ..field_values import CLOCK, LONGEST, is_moment, is_when
from ..signed_lines import is_name, signed_lines
from ..text_columns import FieldColumn, column_at

#: Most texts from a name to its date, and most characters of one between them.
_NEAR, _RANK = 2, 16
#: Elements that make a name stand out from what is around it.
_STRONG = ("a", "b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "cite")
#: "Posts: 27", "Location: Leeds".
_LABELLED = re.compile(r"([^\W\d_][^:：]{0,24}[:：])\s*\S.{0,30}")
#: The end of a question, which is answered.
_ASKS = re.compile("[?？؟]")
#: Signs before a name, and an address behind it.
_AROUND = re.compile(r"^\s*[:：|·•»–—-]+\s*|\s*<\S+@\S+>.*$")
_REPLY = re.compile(r"^(?:\w{2,4}\s?:\s*)+")
_LETTER, _DIGITS = re.compile(r"[^\W\d_]"), re.compile(r"\d[\d.,]*(?:\s?[kKmM]\b)?")
#: The label of a button to answer or to quote a post.
_ANSWER = re.compile(rf"(?:{alternatives(POST_LABELS)})\W*", re.IGNORECASE)
#: The line above a signature, and most characters from there to the end of the post.
_LINE, _SIGNATURE = re.compile(r"[_=–—-]{5,}|-- ?"), 400


def are_like_posts(aligned: Aligned, named: dict[str, FieldColumn]) -> bool:
    """Return whether records may be posts: with sentences, and without a price, a rating or a title of their own."""
    if named.keys() & {"price", "rating"} or len(aligned.cells) < 2:
        return False
    # Names may be headings: what has no other title is known once the names are.
    if "title" in named and named["title"].rate(is_name) < MOSTLY and _differ([*named["title"].texts.values()]):
        return False
    saying = sum(any(_is_sentence(leaf_text(aligned.page, leaf)) for leaf in cells.leaves) for cells in aligned.cells)
    return saying >= HALF * len(aligned.cells)


def have_titles(aligned: Aligned, named: dict[str, FieldColumn]) -> bool:
    """Return whether records have titles of their own, not that of the thread, counters or labels."""
    texts = [*named["title"].texts.values()] if "title" in named else []
    names = {leaf for role in ("author", "date") if role in named for leaf in _leaves_of(named[role])}
    first = [
        next(
            (
                leaf
                for leaf, place in zip(cells.leaves, cells.places, strict=True)
                if aligned.tags[place] & HEADINGS and leaf not in names
            ),
            -1,
        )
        for cells in aligned.cells
    ]
    written = [leaf_text(aligned.page, leaf) for leaf in first if leaf >= 0]
    own = len({_REPLY.sub("", text).casefold() for text in written if _LETTER.search(text)}) > HALF * len(written)
    return _differ(texts) or (own and len(written) >= MOSTLY * len(first))


def _differ(texts: list[str]) -> bool:
    plain = [_REPLY.sub("", text) for text in texts]
    return len({_label(text) or text.casefold() for text in plain}) > HALF * len(texts)


def signed_columns(
    aligned: Aligned, body: int, named: dict[str, FieldColumn], *, posts: bool
) -> dict[str, FieldColumn]:
    """Return the columns of records with authors and dates by their places if no column is called that.

    ``posts`` is whether they are posts anyway; else what only may be posts needs clearer signs.
    """
    if "author" in named and "date" in named:
        return named | {"date": signed_lines(named["date"], labelled=True)["date"]}
    slots = _slots(aligned, body)
    if not (when := named.get("date") or _dates(aligned, slots)):
        return named
    lines, who = signed_lines(when, labelled=True), named.get("author")
    who = who or (lines.get("author") if posts else None) or _names(aligned, slots, when, posts=posts)
    if not (who := who or (signed_lines(when, labelled=False).get("author") if posts else None)):
        return named
    when = lines["date"]
    who = _without_labels(who, when)
    leaves = _leaves_of(who) | _leaves_of(when)
    signed = {name: one for name, one in named.items() if leaves.isdisjoint(_leaves_of(one))}
    signed |= {"author": who, "date": when}
    # Entries with a title each are no posts, whoever wrote them.
    return named if have_titles(aligned, signed) and not posts else signed


def _without_labels(who: FieldColumn, when: FieldColumn) -> FieldColumn:
    """Return the names without labels and counters of records without a date."""
    texts = {record: text for record, text in who.texts.items() if record in when.texts or not _label(text)}
    return replace(who, texts=texts, leaves={record: who.leaves[record] for record in texts})


def _leaves_of(column: FieldColumn) -> set[int]:
    return {leaf for some in column.leaves.values() for leaf in some}


def _answered(aligned: Aligned) -> bool:
    """Return whether most records have a button to answer."""
    texts = ([leaf_text(aligned.page, leaf).strip() for leaf in cells.leaves] for cells in aligned.cells)
    with_button = sum(any(map(_ANSWER.fullmatch, some)) for some in texts)
    return with_button > HALF * len(aligned.cells)


def _is_sentence(text: str) -> bool:
    """Return whether a text is said in a post, and is no date, label or name: these are as long in some scripts."""
    return is_prose(text) and (len(text) > LONGEST or not (is_when(text) or _label(text) or is_name(text)))


def _slots(aligned: Aligned, body: int) -> list[tuple[bool, FieldColumn]]:
    """Return the short texts besides the body by their place and their number there, each with whether it is a date.

    A name, a rank and a counter, or a name and a date, are often texts of one element.
    """
    inside, found = aligned.below(body) if body else set(), dict[tuple[int, bool, int], dict[int, list[int]]]()
    order: dict[tuple[int, bool, int], list[int]] = {}
    for record, cells in enumerate(aligned.cells):
        seen, begun = Counter[tuple[int, bool]](), False
        # Who writes most posts is there as often as a button or a label, but alone.
        pairs = [*zip(cells.leaves, cells.places, strict=True)]
        own = {place for leaf, place in pairs if leaf not in cells.boilerplate}
        left_out = {leaf for leaf, place in pairs if leaf in cells.boilerplate and place in own}
        left_out |= cells.signed | cells.quoted | _before_colons(aligned, cells)
        for number, (leaf, place) in enumerate(pairs):
            text = leaf_text(aligned.page, leaf)
            begun |= _is_sentence(text)
            # What the text starts with may be signed yet.
            if len(text) > LONGEST or leaf in left_out or (begun and place in inside):
                continue
            kind = (place, is_when(text) or (len(text) > 1 and "time" in aligned.tags[place]))
            found.setdefault((*kind, seen[kind]), {})[record] = [leaf]
            order.setdefault((*kind, seen[kind]), []).append(number)
            seen[kind] += 1
    columns = [(key[1], column_at(aligned, key[0], leaves, order[key])) for key, leaves in found.items()]
    return sorted(columns, key=lambda one: (one[1].order, one[1].place))


def _before_colons(aligned: Aligned, cells: Cells) -> set[int]:
    """Return the leaves of labels: a colon starts the next one."""
    pairs = pairwise(cells.leaves)
    return {leaf for leaf, after in pairs if leaf_text(aligned.page, after).startswith((":", "\uff1a"))}


def _dates(aligned: Aligned, slots: list[tuple[bool, FieldColumn]]) -> FieldColumn | None:
    """Return when the posts were written: the date that most of them have, not one since when somebody is a member."""
    dates = (column for dated, column in slots if dated and column.coverage >= HALF)
    fitting = [one for one in dates if share_joined(aligned, one) < HALF]
    return max(fitting, key=lambda column: (round(column.coverage, 1), -column.order), default=None)


def _names(
    aligned: Aligned, slots: list[tuple[bool, FieldColumn]], when: FieldColumn, *, posts: bool
) -> FieldColumn | None:
    """Return who wrote the posts: names next to the dates, else names that stand out above the text.

    Names that recur go first: "first", "second", "third" never do.
    """
    signs = _NameSigns(aligned=aligned, when=when, posts=posts)
    short = [
        replace(column, texts={record: _AROUND.sub("", text) or text for record, text in column.texts.items()})
        for dated, column in slots
        if not dated
    ]
    named = [column for column in short if column.rate(is_name) >= MOSTLY and signs.each(column)]
    named = [column for column in named if column.rate(_LABELLED.fullmatch) < HALF]
    fitting = [column for column in named if signs.is_author(column)]
    return max(fitting, key=signs.order, default=None)


@dataclass(frozen=True, kw_only=True)
class _NameSigns:
    """The signs of who wrote posts: how columns of short texts lie to the dates and to the text."""

    aligned: Aligned
    when: FieldColumn
    posts: bool  # whether the records are posts anyway

    def each(self, column: FieldColumn) -> bool:
        """Return whether nearly all posts with a date have a text, or each group of messages starts with one.

        Somebody who writes again is not named again there.
        """
        if len(set(column.texts.values())) < 2:
            return False
        first = min(column.texts.keys() | self.when.texts.keys()) in column.texts
        starts = all(self.aligned.cells[record].leaves[:1] == some for record, some in column.leaves.items())
        return self._signs(column) or (first and starts and column.coverage >= SOME)

    def is_author(self, column: FieldColumn) -> bool:
        """Return whether names are next to the dates, or stand out and recur."""
        before, after = self._next_to(column)
        strong, called = self._stands_out(column), AUTHOR_NAMES.search(column.called) is not None
        if not self.posts and column.distinct == 1 and not called and not self._are_written(column, before=before):
            return False
        recurs = self.posts or column.distinct < 1
        return before or after or (strong and recurs and self._signs(column))

    def order(self, column: FieldColumn) -> tuple[float, ...]:
        """Return the sort key of an author's column: the last one is the likeliest."""
        before, after = self._next_to(column)
        strong = self._stands_out(column)
        return strong and column.distinct < 1, 2 * before + after + strong, -column.order

    def _signs(self, column: FieldColumn) -> bool:
        return len(column.texts.keys() & self.when.texts.keys()) >= NEARLY_ALL * len(self.when.texts)

    def _are_written(self, column: FieldColumn, *, before: bool) -> bool:
        """Return whether the dates say to the minute when, or one can answer, or does; events and ships have a day."""
        if column.tags & HEADINGS:
            return False
        clocked = before and self.when.rate(CLOCK.fullmatch) >= HALF
        clocked |= before and _ASKS.search(self.aligned.page.title) is not None and self._stands_out(column)
        return clocked or self.when.rate(is_moment) >= HALF or _answered(self.aligned)

    def _next_to(self, column: FieldColumn) -> tuple[bool, bool]:
        """Return whether nearly all names are right before their dates, and right after them."""
        leaves = self.when.leaves
        steps = [self._steps(record, some[0]) for record, some in column.leaves.items() if record in leaves]
        least = NEARLY_ALL * max(len(steps), 1)
        return sum(step > 0 for step in steps) >= least, sum(step < 0 for step in steps) >= least

    def _steps(self, record: int, name: int) -> int:
        """Return the texts from a name to a date, 0 if they are apart: only a rank or a sign may be between them."""
        leaves = self.aligned.cells[record].leaves
        places = leaves.index(name), leaves.index(self.when.leaves[record][0])
        between = leaves[min(places) + 1 : max(places)]
        near = len(between) < _NEAR and all(len(leaf_text(self.aligned.page, leaf)) <= _RANK for leaf in between)
        return places[1] - places[0] if near else 0

    def _stands_out(self, column: FieldColumn) -> bool:
        """Return whether the names of dated posts are links, bold or headings, or are called names."""
        page, dated = self.aligned.page, self.when.leaves
        tags = [page.tag_of(int(page.parent[page.leaves[some[0]]])) for n, some in column.leaves.items() if n in dated]
        strong = sum(tag in _STRONG for tag in tags) >= NEARLY_ALL * len(tags)
        return strong or AUTHOR_NAMES.search(column.called) is not None


# -- what is around a post ------------------------------------------------------------------------------------------


def leave_out_cards(aligned: Aligned, named: dict[str, FieldColumn]) -> None:
    """Count the cards of users and signatures as boilerplate: what most posts have besides their text.

    A card is an element of most posts with the name, the date, labels or counters, and sentences in hardly any.
    """
    signs, labels = _leaves_of(named["author"]) | _leaves_of(named["date"]), _labels(aligned)
    for cells in aligned.cells:
        cells.signed |= _below_line(aligned, cells)
    cards = _cards(aligned, signs | labels)
    inside = {place for place, path in enumerate(aligned.paths) if not cards.isdisjoint(path)}
    left_out = [
        labels.intersection(cells.leaves)
        | {leaf for leaf, place in zip(cells.leaves, cells.places, strict=True) if place in inside}
        for cells in aligned.cells
    ]
    left = [bool({*cells.leaves} - out - signs) for cells, out in zip(aligned.cells, left_out, strict=True)]
    if sum(left) >= MOSTLY * len(left):
        for cells, out in zip(aligned.cells, left_out, strict=True):
            cells.boilerplate |= out


def _below_line(aligned: Aligned, cells: Cells) -> set[int]:
    """Return the leaves of a signature: the last line of signs in a post, and the few words below it."""
    texts = [leaf_text(aligned.page, leaf) for leaf in cells.leaves]
    last = max((number for number, text in enumerate(texts) if _LINE.fullmatch(text.strip())), default=0)
    short = last and sum(map(len, texts[last:])) <= _SIGNATURE
    return {*cells.leaves[last:]} if short else set()


def _cards(aligned: Aligned, signs: set[int]) -> set[int]:
    """Return the places of most posts that have a sign of a card in most of them, and sentences in hardly any."""
    texts, paths = clean_leaves(aligned.page), aligned.paths
    held, saying, signing = Counter[int](), Counter[int](), Counter[int]()
    for cells in aligned.cells:
        leaves = [*zip(cells.leaves, cells.places, strict=True)]
        known = {place for leaf, place in leaves if leaf in signs}
        said = {place for leaf, place in leaves if leaf not in signs and _is_sentence(texts[leaf])}
        for counter, places in ((held, {*cells.places}), (saying, said), (signing, known)):
            counter.update({one for place in places for one in paths[place] if one})
    often = (place for place, count in held.items() if count >= MOSTLY * len(aligned.cells))
    return {one for one in often if signing[one] >= MOSTLY * held[one] and saying[one] <= HARDLY_ANY * held[one]}


def _labels(aligned: Aligned) -> frozenset[int]:
    """Return the leaves with a label or counter that most records have ("Posts: 27"), or with the title of the page."""
    keys: dict[int, tuple[int, str]] = {}
    counts, texts = Counter[tuple[int, str]](), clean_leaves(aligned.page)
    titles, title = set[int](), aligned.page.title.casefold()
    for cells in aligned.cells:
        of_record = set()
        for leaf, place in zip(cells.leaves, cells.places, strict=True):
            text = texts[leaf]
            if len(text) <= LONGEST and (key := _label(text)):
                keys[leaf] = (place, key)
                of_record.add((place, key))
            elif (subject := _subject(text)) and subject in title:
                titles.add(leaf)
        counts.update(of_record)
    fewest = max(min(FEWEST, len(aligned.cells)), MOSTLY * len(aligned.cells), 2)
    return frozenset(leaf for leaf, key in keys.items() if counts[key] >= fewest) | titles


def _subject(text: str) -> str:
    """Return what may be the title of the thread in a text: "Subject: Re: Old roses" says "old roses"."""
    parts = re.split(r"[:：]\s", text)
    return parts[-1].strip().casefold() if len(parts[-1]) > _RANK else ""


def _label(text: str) -> str:
    """Return what a text with a label or a counter has in common with others of its kind, "" if it has neither."""
    if (":" in text or "\uff1a" in text) and (labelled := _LABELLED.fullmatch(text)):
        return labelled[1]
    counted = _DIGITS.sub("#", text)
    return counted if counted != text and not is_when(text) else ""


def with_inherited_names(aligned: Aligned, named: dict[str, FieldColumn], fields: list[dict[str, str]]) -> None:
    """Name the author of messages that only the first of several in a row names.

    Only a message without the element of the name has left it out; a day between messages is none, and ends a row.
    """
    who, author = named["author"], ""
    parts = {place for place in aligned.paths[who.place] if place}
    for record, cells in enumerate(aligned.cells):
        if record in who.texts:
            author = fields[record].get("author", "")
        elif is_separator(aligned, cells) or not parts.isdisjoint(cells.counts):
            author = ""
        elif author:
            fields[record]["author"] = author


def is_separator(aligned: Aligned, cells: Cells) -> bool:
    """Return whether a record is nothing but a date."""
    texts = [leaf_text(aligned.page, leaf) for leaf in cells.leaves]
    return bool(texts) and len(texts) <= _NEAR and all(is_when(text) and len(text) <= LONGEST for text in texts)


def are_posts(aligned: Aligned, named: dict[str, FieldColumn]) -> list[bool]:
    """Return which records are posts: no days between them, nothing above the first name or date.

    What is below the last of them is none unless it says something.
    """
    signed = sorted((*named["author"].texts, *named["date"].texts)) or [0]
    return [
        record >= signed[0]
        and not is_separator(aligned, cells)
        and (record <= signed[-1] or any(is_prose(leaf_text(aligned.page, leaf)) for leaf in cells.leaves))
        for record, cells in enumerate(aligned.cells)
    ]
