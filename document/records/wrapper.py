"""Wrappers: the template of a site's records, saved as JSON, and applied to other pages of the site.

A wrapper has the template of the records and the place of each column in them, from the alignment of one page or of
several. Columns can be renamed. Pages without such records, or without most of the columns, are rejected.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import PageChanged, WrapperUnreadable
from ...files.atomic import write_bytes
from ...page.page import Page
from ...page.urls import site_of
from ...records.candidates import RecordCandidates, find_records
from ...records.decided_records import record_type
from ...records.field_columns import Aligned, FieldPath
from ...records.field_values import FIELDS
from ...records.fields import RESERVED, FieldReader
from ...records.posts.quotes import collect_quotes
from ...records.text_columns import FieldColumn, columns_of
from ...segment.element_locators import ElementLocators
from ...segment.record_groups import RecordGroup, Span
from ...segment.shape import class_names
from .built_records import records_in
from .record import RecordSet
from .record_sets import decided_records_of

FORMAT, VERSION = "blocksight-wrapper", 2
#: Least share of the records with a column for it to be learned; on another page, least ratio to that share, and least
#: share of the columns that must exist.
_LEAST, _LASTING, _ENOUGH = 0.3, 0.4, 0.6
#: Fields that are computed from others.
_COMPUTED = ("iso_date", "amount", "currency")
#: Columns without a field are named by their number.
UNNAMED = "column"

#: Tag, class names, and the type of text that distinguishes the element from its siblings (below 0).
Step = tuple[str, tuple[str, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """The template of the records of a site."""

    site: str
    tag: str  # of a record's first element
    names: tuple[str, ...]  # its class names, digits as "#"
    rows: int  # number of elements of a record
    kind: str
    record_type: str
    body: tuple[Step, ...]  # place of the text, from the record down
    columns: dict[str, tuple[Step, ...]]
    shares: dict[str, float]  # of the records that had each column

    @property
    def template(self) -> str:
        """The tag and the class names of a record."""
        return ".".join((self.tag, *self.names))

    def fits(self, tag: str, names: frozenset[str]) -> bool:
        """Return whether records with a tag and class names have this template: mostly the same names are enough."""
        own = frozenset(self.names)
        return tag == self.tag and len(own & names) * 2 >= len(own | names)

    def to_dict(self) -> dict[str, Any]:
        """Return the wrapper as plain values."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file."""
        write_bytes(path, json.dumps(self.to_dict(), ensure_ascii=False, indent=1).encode() + b"\n")


def load_wrapper(path: str | os.PathLike[str]) -> Wrapper:
    """Read a wrapper; WrapperUnreadable if the file is invalid."""
    try:
        data = json.loads(Path(path).read_bytes())
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"format {FORMAT}, version {VERSION} was expected")
        return Wrapper(
            names=tuple(map(str, data["names"])),
            rows=int(data["rows"]),
            body=_steps(data["body"]),
            columns={str(name): _steps(path) for name, path in data["columns"].items()},
            shares={str(name): float(data["shares"][name]) for name in data["columns"]},
            **{name: str(data[name]) for name in ("site", "tag", "kind", "record_type")},
        )
    except OSError as error:
        raise WrapperUnreadable(f"{os.fsdecode(path)}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WrapperUnreadable(
            f"{os.fsdecode(path)}: this is no wrapper; learn one with `blocksight records --learn`"
        ) from error


def _steps(path: Any) -> tuple[Step, ...]:
    return tuple((str(tag), tuple(map(str, names)), int(number)) for tag, names, number in path)


def learn_wrapper(page: Page) -> Wrapper:
    """Return the wrapper of the main records of a page; PageChanged if it has none."""
    classified = decided_records_of(page)
    chosen = classified.main
    if chosen < 0:
        raise PageChanged(page.url, "it has no records that are its matter; learn from another page of the site")
    group = classified.candidates.groups[chosen]
    reading = classified.reading(group)
    aligned = reading.aligned
    inside = aligned.below(reading.body) if reading.body else set[int]()
    named = dict(reading.columns)
    taken = {column.place for column in named.values()}
    rest = [
        column
        for column in columns_of(aligned, reading.body)
        if column.place not in taken | inside
        and column.coverage >= _LEAST
        and column.distinct > 1 / max(len(column.texts), 2)
    ]
    named |= {f"{UNNAMED}{place}": column for place, column in enumerate(rest, 1)}
    first, end = group.spans[0]
    parents = np.count_nonzero(page.parent[first:end] == page.parent[first])
    return Wrapper(
        site=site_of(page),
        tag=group.tag,
        names=tuple(sorted(group.names)),
        rows=int(parents) if end > page.end[first] else 1,
        kind="main",
        record_type=record_type(classified, chosen, reading),
        body=_path(aligned, reading.body),
        columns={name: _path(aligned, column.place) for name, column in named.items()},
        shares={name: round(column.coverage, 3) for name, column in named.items()},
    )


def _path(aligned: Aligned, place: int) -> tuple[Step, ...]:
    steps = [aligned.places[one] for one in aligned.paths[place][:-1]]
    return tuple((step.tag, tuple(sorted(step.names)), min(step.number, 0)) for step in reversed(steps))


def joined(wrappers: Sequence[Wrapper]) -> Wrapper:
    """Return the wrapper of a site from those of several of its pages; PageChanged if two have other records.

    The page with most columns names them, others add what it lacks.
    """
    first = max(wrappers, key=lambda wrapper: len(wrapper.columns))
    columns, shares = dict(first.columns), defaultdict[tuple[Step, ...], float](float)
    for wrapper in wrappers:
        if wrapper.rows != first.rows or not first.fits(wrapper.tag, frozenset(wrapper.names)):
            raise PageChanged(
                wrapper.site, f"records of two pages differ ({first.template}, {wrapper.template}); learn one of each"
            )
        for name, path in wrapper.columns.items():
            shares[path] += wrapper.shares[name] / len(wrappers)
            if path not in columns.values():
                free = name in FIELDS and name not in columns
                columns[name if free else f"{UNNAMED}{len(columns) + 1}"] = path
    columns = {name: path for name, path in columns.items() if shares[path] >= _LEAST}
    return replace(
        first, columns=columns, shares={name: round(min(shares[path], 1.0), 3) for name, path in columns.items()}
    )


def _columns_by(wrapper: Wrapper, aligned: Aligned) -> tuple[int, dict[str, FieldColumn]]:
    """Return the place of the text, and the columns of a wrapper that are in other records."""
    body = max(_found(aligned, wrapper.body), default=0) if wrapper.body else 0
    collect_quotes(aligned, body)
    there, matched = columns_of(aligned, body), dict[str, FieldColumn]()
    for name, path in wrapper.columns.items():
        places = _found(aligned, path)
        fitting = [column for column in there if column.place in places and column not in matched.values()]
        if fitting:
            matched[name] = max(fitting, key=lambda column: column.coverage)
    return body, matched


def _found(aligned: Aligned, path: tuple[Step, ...]) -> list[int]:
    """Return the places at the end of a path: the same tags, and mostly the same class names."""
    here = [0]
    for step in path:
        here = [one for one, place in enumerate(aligned.places) if place.above in here and _fits(place, step)]
    return here


def _fits(place: FieldPath, step: Step) -> bool:
    tag, names, number = step
    shared, every = len(place.names & set(names)), len(place.names | set(names))
    return place.tag == tag and min(place.number, 0) == number and shared * 2 >= every


def apply_wrapper(page: Page, wrapper: Wrapper) -> RecordSet:
    """Read the records of another page of the site; PageChanged if they or most of the columns are missing."""
    found = find_records(page)
    group = _group(found, wrapper)
    if group is None:
        site = wrapper.site or "the page"
        raise PageChanged(
            page.url, f"no records like those of {site} ({wrapper.template}) are on it; learn a wrapper from it"
        )
    reader = FieldReader(found)
    reading = reader.read(group, partial(_columns_by, wrapper))
    lost = [
        name
        for name, share in wrapper.shares.items()
        if name not in reading.columns or reading.columns[name].coverage < _LASTING * share
    ]
    if len(lost) > (1 - _ENOUGH) * len(wrapper.columns):
        raise PageChanged(
            page.url, f"its records lack {', '.join(sorted(lost))}: the site has changed; learn a new wrapper from it"
        )
    places = ElementLocators(page)
    records = records_in(reading, lambda row: places.of(row).selector)
    return RecordSet(
        kind=wrapper.kind,
        record_type=wrapper.record_type,
        probability=1.0,
        direction="",
        selector=places.of(group.node).selector,
        columns=tuple(dict.fromkeys(name for record in records for name in record.fields)),
        records=records,
    )


def _group(found: RecordCandidates, wrapper: Wrapper) -> RecordGroup | None:
    """Return the records of a wrapper; one is enough if it has a class name."""
    page, names = found.page, frozenset(wrapper.names)
    if fitting := [group for group in found.groups if wrapper.fits(group.tag, group.names)]:
        return max(fitting, key=lambda group: len(group.spans))
    if not names or wrapper.rows > 1:
        return None
    classes, spans = page.attribute("class"), list[Span]()
    for row in np.flatnonzero(page.has_tag(wrapper.tag) & (classes >= 0)).tolist():
        if names <= class_names(page.strings[int(classes[row])]):
            spans.append((row, int(page.end[row])))
    return (
        RecordGroup(node=max(int(page.parent[spans[0][0]]), 0), spans=tuple(spans), tag=wrapper.tag, names=names)
        if spans
        else None
    )


def renamed(wrapper: Wrapper, names: dict[str, str]) -> Wrapper:
    """Return a wrapper with renamed columns; ValueError if it lacks such a column, or the output has the new name."""
    if unknown := sorted(set(names) - set(wrapper.columns)):
        raise ValueError(f"no column is called {unknown[0]}; there are {', '.join(wrapper.columns)}")
    others = RESERVED.difference(FIELDS).union(_COMPUTED, wrapper.columns.keys() - names.keys())
    if taken := sorted(others.intersection(names.values())):
        raise ValueError(f"{taken[0]} is another column of the output; choose another name")
    return replace(
        wrapper,
        columns={names.get(name, name): path for name, path in wrapper.columns.items()},
        shares={names.get(name, name): share for name, share in wrapper.shares.items()},
    )
