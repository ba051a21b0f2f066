"""BTE: the contiguous range of a page with the most words and the fewest tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...features.stretches import Ties, best_stretch
from ...page.arrays import Marks
from ...page.page import Page
from ..system import Card, card_of
from .linear_page import leaf_words, stream_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Bte:
    """Body Text Extraction (Finn, Kushmerick and Smyth 2001) in Baroni's compact, linear form (Corpora-list, 2005).

    Tokens are words and tags. The content is the range i..j that maximises the tags before i, plus the words in
    i..j, plus the tags after j; that is the range with the largest difference of words and tags. It starts and ends
    with a run of words, after the head.

    Ours: tags are those of the parsed page (:mod:`.linear_page`); text hidden by inline style is removed.
    """

    #: Which of several ranges with the same difference is selected. The sources do not specify it and warn that it
    #: affects the ends; shortest is our choice.
    ties: Ties = Ties.SHORTEST
    card: ClassVar[Card] = card_of("bte")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of the best range."""
        stream = stream_of(page)
        return stream.marks(*best_stretch(stream.scores(leaf_words(page), -1.0), self.ties))
