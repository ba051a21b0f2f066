"""What a person's labels say of places of a site: where a block stands, by the tags, classes and ids around it.

The columns of a model are the same for all sites, and so cannot say "in this site's <div class="replies">". A place is
known by its path from the root, on its site only. A block stands in its own place and in that of each element around
it, so that what is new in a place that is known is known, too.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...render.arrays import FloatArray
from ...render.page import Page

_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """What is added to the decisions of a block for each known place that it stands in.

    Attributes
    ----------
    key : int64 (places,)
        Ascending (:func:`row_places`).
    content : float64 (places,)
    roles : float64 (places, roles)
    """

    key: NDArray[np.int64]
    content: FloatArray
    roles: FloatArray

    def shifts(self, rows: Rows) -> tuple[FloatArray, FloatArray]:
        """Return float64 (rows,) for the decision on content, and float64 (rows, roles) for those on roles."""
        row, key = row_places(rows)
        number = np.searchsorted(self.key, key)
        known = np.append(self.key, -1)[number] == key
        content, roles = np.zeros(len(rows)), np.zeros((len(rows), self.roles.shape[1]))
        np.add.at(content, row[known], self.content[number[known]])
        np.add.at(roles, row[known], self.roles[number[known]])
        return content, roles


def row_places(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places that rows stand in: the number of a row and the key of a place, one pair after the other."""
    keys, parent = place_keys(rows.page), rows.page.parent.tolist()
    found = []
    for row, own in enumerate(rows.node.tolist()):
        node = own
        while node >= 0:
            found.append((row, keys[node]))
            node = parent[node]
    both = np.asarray(found, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def place_keys(page: Page) -> list[int]:
    """Return the key of each node's place: of its site, and the tags, classes and ids from the root on.

    Numbers in classes and ids are left out: those of posts and of pages are others each time.
    """
    start = zlib.crc32((urlsplit(page.url).hostname or "").encode("utf-8", "replace"))
    classes, ids = page.attribute("class").tolist(), page.attribute("id").tolist()
    keys: list[int] = []
    for above, tag, name, identity in zip(page.parent.tolist(), page.tag.tolist(), classes, ids, strict=True):
        step = [page.names[tag], *sorted(_plain(page, name).split()), "#" + _plain(page, identity)]
        keys.append(zlib.crc32(" ".join(step).encode("utf-8", "replace"), keys[above] if above >= 0 else start))
    return keys


def _plain(page: Page, string: int) -> str:
    return _NUMBERS.sub("", page.strings[string]) if string >= 0 else ""
