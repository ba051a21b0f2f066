"""Classification of record columns into fields (author, date, title, price, rating, rank) by text and class names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from ..lexicon.word_lists import alternatives, entries
from ..page.arrays import HALF, HARDLY_ANY, MOST, MOSTLY, SOME, BoolColumn, cached_by_owner
from ..page.page import Page
from .field_columns import FEWEST, HEADINGS, Aligned, leaf_text
from .field_values import LONGEST, PROSE, RANK, is_date, is_price, is_rating
from .signed_lines import NAME_WORDS, signed_lines
from .text_columns import STRUCK, FieldColumn, column_at, columns_of

#: Text fields, in the order in which columns are assigned to them.
TEXT_FIELDS = ("date", "price", "old_price", "rating", "rank", "author", "title")

JOINED = re.compile(rf"(?:\b|(?=[\u3040-\u9fff]))(?:{alternatives(entries('labels')['JOINED'])})", re.IGNORECASE)
AUTHOR_NAMES = re.compile("|".join(entries("markup")["AUTHOR_NAMES"]))
_NO_AUTHOR = re.compile("|".join(entries("markup")["NO_AUTHOR"]))
_PERSON_LINK = re.compile("|".join(entries("markup")["PERSON_LINK"]), re.IGNORECASE)
#: Each address of a profile contains one of these.
PROFILE_PARTS = tuple("/u user member /profile /author /people /channel u= u& uid /@ =viewprofile".split())
_DATED = re.compile(r"date|time|posted|(?:^|[-_ ])ago|when|created|published")
_JOINED_NAMES = re.compile(r"join|regist|edit|user-?(?:info|detail|extra)")
_TITLED = re.compile(r"title|headline|subject|(?:^|[-_ ])name|heading")
_NO_TITLE = re.compile(r"(?:user|rank|member|custom|sub)-?_?title|subhead|usertitle|avatar")
_OLD_PRICE = re.compile(r"old|was(?![a-z])|list-?price|strike|compare|before|regular|crossed|rrp|uvp|unit")
#: Elements that identify a field.
_TELLING = HEADINGS | {"time"}
_ADDRESS = re.compile(r"https?://|www\.")
#: An address with or without its path, as search results show it: "example.org › tea".
_SHOWN_ADDRESS = re.compile(r"(?:https?://|www\.)\S|(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}(?=$|/|\s*[›»>])", re.IGNORECASE)
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
#: The name of a person's account, and elements whose text is no title.
_HANDLE, _CODE = re.compile(r"@\w"), frozenset(("pre", "code", "samp", "kbd"))
#: The end of a sentence.
_SENTENCE = re.compile("[.…。]$")


def is_profile_url(address: str) -> bool:
    """Return whether a URL is that of a user profile."""
    return _PERSON_LINK.search(address) is not None


@cached_by_owner
def profile_links(page: Page) -> BoolColumn:
    """Return the elements with the URL of a user profile, bool (nodes,)."""
    return page.attribute_matches("href", is_profile_url, needs=PROFILE_PARTS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupColumns:
    """The columns of the records of a group, and those of the :data:`TEXT_FIELDS`; ``body`` is the place of the text.

    Text in quotes is as any other.
    """

    body: int
    columns: list[FieldColumn]
    named: dict[str, FieldColumn]


def columns_of_records(aligned: Aligned, body: int) -> GroupColumns:
    """Return the columns of aligned records, and those that are fields; ``body`` is the place of the text."""
    columns = columns_of(aligned, body)
    return GroupColumns(
        body=body, columns=columns, named=_named(aligned, [_unlabelled(aligned, one) for one in columns])
    )


def _unlabelled(aligned: Aligned, column: FieldColumn) -> FieldColumn:
    """Return a column whose texts are mostly a label that all records repeat and a value with the values alone."""
    if column.repeated <= HALF:
        return column
    leaves = dict[int, list[int]]()
    for record, some in column.leaves.items():
        labels = aligned.cells[record].boilerplate - aligned.cells[record].joined.keys()
        leaves[record] = [leaf for leaf in some if leaf not in labels] or some
    return column_at(aligned, column.place, leaves, [round(column.order)], within=bool(column.within))


def _named(aligned: Aligned, columns: list[FieldColumn]) -> dict[str, FieldColumn]:
    named, persons = dict[str, FieldColumn](), _person_places(aligned)
    for name in TEXT_FIELDS:
        scored = [
            (score, -number, column)
            for number, column in enumerate(columns)
            if (score := _SCORES[name](column, aligned, column.place in persons)) > 0
            and not any(_say_the_same(column, other) for other in named.values())
        ]
        if scored:
            named[name] = max(scored, key=lambda one: one[:2])[2]
    for name, column in named.items():
        named[name] = _filled(name, column, columns, aligned, persons, named)
    if "title" not in named and len(aligned.cells) > 1 and (entry := _entry(columns, named, aligned)):
        named["title"] = entry
    if "title" in named:
        named["title"] = _first_lines(aligned, named["title"])
    if "date" in named and "author" not in named:
        lines = signed_lines(named["date"], labelled=True)
        named |= lines if "author" in lines else {}
    return named


def _first_lines(aligned: Aligned, titles: FieldColumn) -> FieldColumn:
    """Return the titles without further lines at their place: a record has one title."""
    page, first = aligned.page, dict[int, list[int]]()
    for record, leaves in titles.leaves.items():
        owners = page.owner[page.leaves[leaves]]
        first[record] = [leaf for leaf, owner in zip(leaves, owners.tolist(), strict=True) if owner == owners[0]]
    if first == titles.leaves:
        return titles
    return column_at(aligned, titles.place, first, [round(titles.order)], within=bool(titles.within))


def _filled(
    name: str,
    column: FieldColumn,
    columns: list[FieldColumn],
    aligned: Aligned,
    persons: set[int],
    named: dict[str, FieldColumn],
) -> FieldColumn:
    """Add the values of records with the field at another place: a name without a link, a date without an hour."""
    missing = set(range(len(aligned.cells))) - column.texts.keys()
    leaves, texts = dict(column.leaves), dict(column.texts)
    taken = {one.place for one in named.values()}
    for other in columns if missing else ():
        if other.place in taken or missing.isdisjoint(other.texts):
            continue
        alone = replace(other, coverage=1.0, distinct=1.0)
        score = _SCORES[name](alone, aligned, other.place in persons)
        if score > (0 if other.tags & _TELLING == column.tags & _TELLING else 2):
            for record in missing & other.texts.keys():
                leaves[record], texts[record] = other.leaves[record], other.texts[record]
            missing -= other.texts.keys()
    return replace(column, leaves=leaves, texts=texts, coverage=len(texts) / len(aligned.cells))


#: Weight of a sign that is less than a tag or a link, which have 2, and more than a share.
_SIGN = 1.5
#: What a text has to be to identify records that have no title.
_IDENTIFIES: tuple[Callable[[FieldColumn], object], ...] = (
    lambda column: column.coverage >= MOST and column.distinct >= MOSTLY,
    lambda column: 2 < column.length <= 2 * LONGEST,
    lambda column: max(map(len, column.leaves.values())) == 1,
    lambda column: column.rate(_LETTER.search) >= MOST and column.rate(_ADDRESS.match) < HALF,
    lambda column: column.linked >= HALF or column.rate(_SENTENCE.search) < HALF,
    lambda column: column.rate(_HANDLE.match) < HALF,
)


def _entry(columns: list[FieldColumn], named: dict[str, FieldColumn], aligned: Aligned) -> FieldColumn | None:
    """Return the column that identifies records without a title.

    Of table rows it is the first, of others links, else the most distinct text but sentences; of signed records, it is
    a headline.
    """
    row = aligned.page.tag_of(aligned.cells[0].span[0]) == "tr"
    fitting = [column for column in columns if all(test(column) for test in _IDENTIFIES)]
    # In the first column of a table are names of what its rows describe: options, parameters.
    fitting = [one for one in fitting if (row and one.order == 0) or not (one.tags & _CODE or _is_count(one))]
    fitting = [column for column in fitting if not any(_say_the_same(column, other) for other in named.values())]
    if "author" in named:
        fitting = [one for one in fitting if min(one.linked, one.distinct) >= MOST and one.length >= PROSE]
    if row and fitting:
        return min(fitting, key=lambda column: column.order)
    return max(fitting, key=lambda one: (one.linked >= HALF, one.distinct * one.length), default=None)


def _is_count(column: FieldColumn) -> bool:
    """Return whether texts differ by their numbers only: "214 likes", "3 replies - Answer - Share"; headings do not."""
    first = column.order == 0 and column.linked >= 0.5
    if column.tags & HEADINGS or first or column.rate(_DIGIT.search) < 0.5:
        return False
    labels = Counter("".join(_LETTER.findall(text)).casefold() for text in column.texts.values())
    return len(column.texts) > 1 and labels.most_common(1)[0][1] * 2 > len(column.texts)


def _say_the_same(one: FieldColumn, other: FieldColumn) -> bool:
    """Return whether two columns are mostly equal: a name that is displayed twice."""
    return one is other or sum(other.texts.get(record) == text for record, text in one.texts.items()) * 2 > len(
        one.texts
    )


def _person_places(aligned: Aligned) -> set[int]:
    """Return the places of which some of the elements are links to people, and those below them."""
    profile = profile_links(aligned.page)
    links = Counter(place for cells in aligned.cells for row, place in cells.elements if profile[row])
    every = Counter(place for cells in aligned.cells for _, place in cells.elements if place in links)
    persons = [place for place, count in links.items() if count >= SOME * every[place]]
    return set[int]().union(*map(aligned.below, persons))


def _date(column: FieldColumn, aligned: Aligned, _: bool) -> float:
    if column.coverage < HALF or (column.repeated > HALF and "time" not in column.tags):
        return 0.0
    rate = column.rate(is_date, MOSTLY)
    if "time" in column.tags:
        rate = max(rate, column.rate(lambda text: len(text) <= LONGEST))
    if rate < MOSTLY:
        return 0.0
    labelled = share_joined(aligned, column)
    score = 1 + rate + column.coverage + 2 * ("time" in column.tags) + _SIGN * bool(_DATED.search(column.called))
    score -= 2 * (2 * labelled + column.within + bool(_JOINED_NAMES.search(column.called)))
    return max(score, 0.0 if labelled or column.within else HARDLY_ANY)


def share_joined(aligned: Aligned, column: FieldColumn) -> float:
    """Return the share of dates that say since when somebody is a member, or when a text was edited."""
    labelled = (JOINED.search(text_before(aligned, column, record) + text) for record, text in column.texts.items())
    return sum(found is not None for found in labelled) / len(column.texts)


def text_before(aligned: Aligned, column: FieldColumn, record: int) -> str:
    """Return the text right before a value, which may be its label."""
    leaves = aligned.cells[record].leaves
    place = leaves.index(column.leaves[record][0])
    return leaf_text(aligned.page, leaves[place - 1])[-LONGEST:] + " " if place else ""


def _rate(column: FieldColumn, test: Callable[[str], object]) -> float:
    """Return the share of the texts that are short values of a kind, 0 if most are none or few records have one."""
    return 0.0 if column.coverage < SOME else column.rate(lambda text: len(text) <= LONGEST and test(text), MOSTLY)


def _price(column: FieldColumn, _: Aligned, __: bool) -> float:
    rate = _rate(column, is_price)
    if not rate or column.tags & STRUCK:
        return 0.0
    return rate + column.coverage - (_OLD_PRICE.search(column.called) is not None)


def _old_price(column: FieldColumn, _: Aligned, __: bool) -> float:
    struck = bool(column.tags & STRUCK)
    rate = column.rate(lambda text: len(text) <= LONGEST and is_price(text), MOSTLY)
    return rate + column.coverage + struck if rate and (struck or _OLD_PRICE.search(column.called)) else 0.0


def _rating(column: FieldColumn, _: Aligned, __: bool) -> float:
    rate = _rate(column, is_rating)
    return rate + column.coverage if rate else 0.0


def _rank(column: FieldColumn, _: Aligned, __: bool) -> float:
    if column.coverage < MOSTLY:
        return 0.0
    numbers = [int(found[1]) for _, text in sorted(column.texts.items()) if (found := RANK.match(text))]
    if len(numbers) < max(2, MOST * len(column.texts)):
        return 0.0
    steps = [later - sooner for sooner, later in pairwise(numbers)]
    return float(sum(step == 1 for step in steps) >= MOST * len(steps))


def _title(column: FieldColumn, aligned: Aligned, person: bool) -> float:
    heading, titled = bool(column.tags & HEADINGS), _TITLED.search(column.called) is not None
    # In a single record, boilerplate cannot be identified.
    if _NO_TITLE.search(column.called) or "pre" in column.tags or (len(aligned.cells) == 1 and not heading):
        return 0.0
    if column.coverage < HALF or column.distinct < SOME or not 2 < column.length <= 200:
        return 0.0
    if column.within and not ((heading or titled) and _is_one_text(column)):
        return 0.0
    score = 2 * heading + _SIGN * titled + column.linked * min(2 * column.length / LONGEST, _SIGN)
    score -= 2 * person + _SIGN * bool(column.tags & {"time", "button", "label"})
    # Last, as texts are slow to test.
    return score if score >= 1 and _says_title(column, titled=titled) else 0.0


def _is_one_text(column: FieldColumn) -> bool:
    return column.coverage >= MOST and max(map(len, column.leaves.values())) == 1


def _says_title(column: FieldColumn, *, titled: bool) -> bool:
    """Return whether texts are neither names, nor counts, nor prices."""
    if (AUTHOR_NAMES.search(column.called) and not titled) or _is_count(column):
        return False
    return column.rate(_LETTER.search, MOSTLY) >= MOSTLY and column.rate(is_price) <= SOME


def _author(column: FieldColumn, _: Aligned, person: bool) -> float:
    if column.coverage < HALF or column.length < 2 or column.repeated > HALF:
        return 0.0
    rather = _NO_AUTHOR.search(column.called) is not None
    called = "cite" in column.tags or (
        AUTHOR_NAMES.search(column.called) is not None and not _NO_AUTHOR.search(column.called.partition(" ")[0])
    )
    if column.within and not ((called or person) and column.coverage >= MOST):
        return 0.0
    score = 2 * (called + person) + (called + column.linked) / 2 + column.coverage - rather
    score -= _SIGN * bool(column.tags & HEADINGS and not called) + 2 * _hardly_differ(column, person=person)
    # Last, as texts are slow to test: most columns are neither called authors nor links to profiles.
    if score < 2 or not _say_names(column):
        return 0.0
    score -= 2 * _SIGN * column.repeated + column.rate(lambda text: text.startswith("@"))
    return score if score >= 2 else 0.0


def _hardly_differ(column: FieldColumn, *, person: bool) -> bool:
    few = column.distinct < SOME and not person
    return len(column.texts) > FEWEST and (few or len(set(column.texts.values())) < 2)


def _say_names(column: FieldColumn) -> bool:
    """Return whether texts are like names, and mostly neither dates nor addresses."""
    others = max(column.rate(is_date), column.rate(_SHOWN_ADDRESS.match))
    return others <= HALF and column.rate(_may_name, MOSTLY) >= MOSTLY


def _may_name(text: str) -> bool:
    few = len(text) <= LONGEST and len(text.split()) <= 2 * NAME_WORDS
    return few and _LETTER.search(text) is not None and not is_price(text)


_SCORES: dict[str, Callable[[FieldColumn, Aligned, bool], float]] = {
    "date": _date, "price": _price, "old_price": _old_price, "rating": _rating, "rank": _rank, "title": _title,
    "author": _author,
}  # fmt: skip
