"""Choose the lines to check by screenshots, and extend their results to similar lines.

Lines of one style group look the same. Lines of one kind have the same fallback, reason and styles, and the same
style of their cover: screenshots are expensive, so many lines of a kind that agree decide the rest of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Set
from typing import TypeVar

import numpy as np

from ..pending_page import PendingPage, PixelResult

K = TypeVar("K")
#: Texts that are checked, at most: of one style group, and of all.
MOST_ALIKE, MOST_TEXTS = 12, 600
#: So many lines of a style group, or of a kind, that agree decide the others.
ENOUGH, MANY = 4, 6
#: Fallback, reason, style of a line, and style of its cover.
Kind = tuple[int, int, int, int]


class LineVotes:
    """The results of checked lines."""

    def __init__(self, page: PendingPage) -> None:
        self._page = page
        self.visible: dict[int, bool] = {}
        #: For lines that are visible in part, the result for each word, by the number of characters before it.
        self.words: dict[int, dict[int, bool]] = {}
        #: The lines that are still to be checked, by text.
        self.open: dict[int, list[int]] = {}

    def chosen(self) -> dict[int, list[int]]:
        """Return the uncertain lines of each text that is checked; of large style groups only some.

        Kinds take turns, so that a frequent one does not use up the screenshots of the others.
        """
        visibility, node = self._page.visibility, self._page.geometry.line_node
        taken: Counter[int] = Counter()
        chosen: dict[int, list[int]] = {}
        turn: Counter[Kind] = Counter()
        order = []
        for line in np.flatnonzero(visibility.uncertain).tolist():
            kind = self._kind(line)
            order.append((turn[kind] // ENOUGH, line))
            turn[kind] += 1
        for _, line in sorted(order):
            row, group = int(node[line]), int(visibility.style_group[line])
            if row not in chosen:
                taken[group] += 1
                if (group >= 0 and taken[group] > MOST_ALIKE) or len(chosen) >= MOST_TEXTS:
                    continue
            chosen.setdefault(row, []).append(line)
        return chosen

    def next_text(self) -> int:
        """Return the text to check next: one of a style group without results, if there is any."""
        group = self._page.visibility.style_group
        known = {int(group[line]) for line in self.visible}
        fresh = (row for row, lines in self.open.items() if int(group[lines[0]]) not in known)
        return next(fresh, next(iter(self.open)))

    def drop_decided(self) -> None:
        """Remove lines with results from the open ones, and lines whose group or kind is decided."""
        group, groups, kinds = self._page.visibility.style_group, self._decided_groups(ENOUGH), self._decided_kinds()
        remaining = {
            row: [
                line
                for line in lines
                if line not in self.visible and int(group[line]) not in groups and self._kind(line) not in kinds
            ]
            for row, lines in self.open.items()
        }
        self.open = {row: lines for row, lines in remaining.items() if lines}

    def extend(self) -> None:
        """Extend the results to unchecked lines of the same style group and of the same kind."""
        visibility, groups = self._page.visibility, self._decided_groups(1)
        for line in np.flatnonzero(visibility.uncertain & np.isin(visibility.style_group, list(groups))).tolist():
            self.visible.setdefault(line, groups[int(visibility.style_group[line])])
        kinds = self._decided_kinds()
        for line in np.flatnonzero(visibility.uncertain).tolist():
            if (kind := self._kind(line)) in kinds:
                self.visible.setdefault(line, kinds[kind])

    def hide_rest(self, unreachable: Set[int]) -> None:
        """Count unchecked lines as hidden, so that a page gains nothing by uncertain lines without end."""
        node = self._page.geometry.line_node
        for line in np.flatnonzero(self._page.visibility.uncertain).tolist():
            if int(node[line]) not in unreachable:
                self.visible.setdefault(line, False)

    def result(self) -> PixelResult:
        """Return all results."""
        words = {line: words for line, words in self.words.items() if self.visible[line]}
        return PixelResult(lines=self.visible, words=words)

    def _kind(self, line: int) -> Kind:
        page, visibility = self._page, self._page.visibility
        styles, cover = page.styles.row, int(visibility.covered_by[line])
        # An image is a kind of its own; ~cover - 1 is below -1.
        cover_style = -1 if cover < 0 else ~cover - 1 if page.images[cover] else int(styles[cover])
        style = int(styles[page.geometry.line_node[line]])
        return int(visibility.fallback[line]), int(visibility.reason[line]), style, cover_style

    def _decided_groups(self, least: int) -> dict[int, bool]:
        """Return the result of style groups with so many equal results."""
        group = self._page.visibility.style_group
        return self._decided(lambda line: int(group[line]), [line for line in self.visible if group[line] != -1], least)

    def _decided_kinds(self) -> dict[Kind, bool]:
        """Return the result of kinds with many equal results; drawings say nothing about others."""
        page, node = self._page, self._page.geometry.line_node
        return self._decided(self._kind, [line for line in self.visible if not page.drawings[node[line]]], MANY)

    def _decided(self, key_of: Callable[[int], K], lines: Iterable[int], least: int) -> dict[K, bool]:
        """Return the result of each key whose lines agree; a line that is visible in part agrees with none."""
        votes: dict[K, list[bool]] = {}
        for line in lines:
            votes.setdefault(key_of(line), []).extend([True, False] if line in self.words else [self.visible[line]])
        return {key: cast[0] for key, cast in votes.items() if len(cast) >= least and len(set(cast)) == 1}
