"""Choose the lines to check by screenshots, and extend their results to similar lines.

Lines of one kind have the same fallback, reason and styles, and the same styles of their ground and their cover:
screenshots are expensive, so some lines of a kind that agree decide the rest of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import numpy as np

from ....page.arrays import BoolColumn
from ..pending_page import PendingPage, PixelResult

#: Texts that are checked, at most.
MOST_TEXTS = 600
#: Lines of a kind take turns in groups of TURN; ENOUGH of them that agree decide the others.
TURN, ENOUGH = 4, 6
#: Fallback, reason, style of a line, and styles of its ground and its cover.
Kind = tuple[int, ...]


class LineVotes:
    """The results of checked lines."""

    def __init__(self, page: PendingPage, checked: BoolColumn) -> None:
        self._page = page
        self._checked = np.flatnonzero(checked).tolist()
        self.visible: dict[int, bool] = {}
        #: For lines that are visible in part, the result for each word, by the number of characters before it.
        self.words: dict[int, dict[int, bool]] = {}
        #: The lines that are still to be checked, by text.
        self.open: dict[int, list[int]] = {}

    def chosen(self) -> dict[int, list[int]]:
        """Return the lines of each text that is checked.

        Kinds take turns, so that a frequent one does not use up the screenshots of the others.
        """
        node = self._page.geometry.line_node
        chosen: dict[int, list[int]] = {}
        turn: Counter[Kind] = Counter()
        order = []
        for line in self._checked:
            kind = self._kind(line)
            order.append((turn[kind] // TURN, line))
            turn[kind] += 1
        for _, line in sorted(order):
            row = int(node[line])
            if row in chosen or len(chosen) < MOST_TEXTS:
                chosen.setdefault(row, []).append(line)
        return chosen

    def next_text(self) -> int:
        """Return the text to check next: one of a kind without results, if there is any."""
        known = {self._kind(line) for line in self.visible}
        fresh = (row for row, lines in self.open.items() if self._kind(lines[0]) not in known)
        return next(fresh, next(iter(self.open)))

    def drop_decided(self) -> None:
        """Remove lines with results from the open ones, and lines whose kind is decided."""
        kinds = self._decided()
        remaining = {
            row: [line for line in lines if line not in self.visible and self._kind(line) not in kinds]
            for row, lines in self.open.items()
        }
        self.open = {row: lines for row, lines in remaining.items() if lines}

    def extend(self) -> None:
        """Extend the results to unchecked lines of the same kind."""
        kinds = self._decided()
        for line in self._checked:
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
        style, ground, cover = (
            self._style(int(column[line]))
            for column in (page.geometry.line_node, visibility.ground, visibility.covered_by)
        )
        return int(visibility.fallback[line]), int(visibility.reason[line]), style, ground, cover

    def _style(self, node: int) -> int:
        """Return the number of a node's style; an image has one of its own, and ~node - 1 is below -1."""
        return -1 if node < 0 else ~node - 1 if self._page.images[node] else int(self._page.styles.row[node])

    def _decided(self) -> dict[Kind, bool]:
        """Return the result of each kind of which enough lines agree; drawings say nothing about others.

        A line that is visible in part agrees with none.
        """
        page, node = self._page, self._page.geometry.line_node
        votes: dict[Kind, list[bool]] = {}
        for line in self.visible:
            if not page.drawings[node[line]]:
                cast = [True, False] if line in self.words else [self.visible[line]]
                votes.setdefault(self._kind(line), []).extend(cast)
        return {kind: cast[0] for kind, cast in votes.items() if len(cast) >= ENOUGH and len(set(cast)) == 1}
