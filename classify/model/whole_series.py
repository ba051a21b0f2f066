"""Series of records as a whole: what is content in half of the records is content in all of them."""

from __future__ import annotations

import numpy as np

from ...page.arrays import BoolColumn
from ...page.role_names import ROLE
from .readings import PageReadings
from .selection import INVISIBLE_SCORE

#: Least number of records with a block of a template, and share of these records whose block is content.
_FEWEST, _HALF = 3, 0.5
#: Roles of what records have besides their content, and the probability of all of them from which a block is left out.
_BESIDES = (
    "title", "author", "date", "caption", "navigation", "promotion", "form", "notice", "related", "footer", "comment",
)  # fmt: skip
_LIKELY = 0.5


def whole_series(reading: PageReadings, content: BoolColumn) -> BoolColumn:
    """Include the blocks of a template in all records of a series if they are content in half of them.

    Dates, authors and buttons are not added, whatever the other records have; ``content`` is bool (rows,).
    """
    if reading.roles is None:
        return content
    besides = reading.roles[:, [ROLE[name] for name in _BESIDES]].sum(axis=1) > _LIKELY
    addable = ~content & ~besides & (reading.scores > INVISIBLE_SCORE)
    added = np.zeros_like(content)
    for one in reading.series:
        rows = np.flatnonzero(one.rows)
        if not addable[rows].any() or not content[rows].any():
            continue
        starts = np.asarray(one.group.outer)[:, 0]
        record = np.searchsorted(starts, reading.rows.node[rows], side="right")
        template = reading.template[rows]
        for number in np.unique(template[addable[rows]]).tolist():
            alike = template == number
            every, held = (len(np.unique(record[some])) for some in (alike, alike & content[rows]))
            if every >= _FEWEST and held >= _HALF * every:
                added[rows[alike]] = True
    result: BoolColumn = content | (added & addable)
    return result
