"""Series of records as a whole: content in all records, and the series that an index without any text consists of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn
from ...page.role_names import ROLE
from .readings import LEAST_WEIGHT, PageReadings, Series
from .selection import INVISIBLE_SCORE

#: Least number of records with a block of a template, and share of these records whose block is content.
_FEWEST, _HALF = 3, 0.5
#: Roles of what records have besides their content, and the probability of all of them from which a block is left out.
_BESIDES = (
    "title", "author", "date", "caption", "navigation", "promotion", "form", "notice", "related", "footer", "comment",
)  # fmt: skip
_SIGNATURE, _LIKELY = ("author", "date"), 0.5


def whole_series(reading: PageReadings, content: BoolColumn, *, headings: bool = False) -> BoolColumn:
    """Include the blocks of a template in all records of a series if they are content in half of them.

    Dates, authors and buttons are not added, whatever the other records have; ``content`` is bool (rows,). Headings
    are: by itself the title of a card looks like that of the page or of a related page. With ``headings`` only these
    are added.
    """
    if reading.roles is None:
        return content
    besides = ~reading.rows.in_heading & (headings | _has_role(reading, _BESIDES))
    addable = ~content & ~besides & (reading.scores > INVISIBLE_SCORE)
    added = np.zeros_like(content)
    for one in reading.series:
        rows = one.rows.nonzero()[0]
        if not addable[rows].any() or not content[rows].any():
            continue
        _, template = np.unique(reading.template[rows], return_inverse=True)
        # Each template in each record once: a page may have as many templates as rows.
        place = template * (len(one.group.outer) + 1) + _record(reading, one, rows)
        every, held = (_templates_of(place[some], one, template) for some in (slice(None), content[rows]))
        added[rows[((every >= _FEWEST) & (held >= _HALF * every))[template]]] = True
    result: BoolColumn = content | (added & addable)
    return result


def _templates_of(place: NDArray[np.intp], series: Series, template: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the number of records that have each template, of the place of each row: its template and its record."""
    return np.bincount(np.unique(place) // (len(series.group.outer) + 1), minlength=int(template.max()) + 1)


def likeliest_series(reading: PageReadings) -> BoolColumn:
    """Return the series of three records or more with the highest mean score, without dates, bool (rows,)."""
    weight = np.maximum(reading.rows.words, LEAST_WEIGHT)
    best, chosen = -np.inf, np.zeros(len(reading.rows), dtype=bool)
    for one in reading.series:
        rows = (one.rows & (reading.scores > INVISIBLE_SCORE)).nonzero()[0]
        if len(np.unique(_record(reading, one, rows))) < _FEWEST:
            continue
        mean = float(np.average(reading.scores[rows], weights=weight[rows]))
        if mean > best:
            best, chosen = mean, np.zeros_like(chosen)
            chosen[rows] = True
    if reading.roles is None:
        return chosen
    return chosen & ~_has_role(reading, _SIGNATURE)


def _has_role(reading: PageReadings, names: Sequence[str]) -> BoolColumn:
    assert reading.roles is not None
    likely: BoolColumn = reading.roles[:, [ROLE[name] for name in names]].sum(axis=1) > _LIKELY
    return likely


def _record(reading: PageReadings, series: Series, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the number of the record that each row is in."""
    starts = np.asarray(series.group.outer)[:, 0]
    return np.searchsorted(starts, reading.rows.node[rows], side="right")
