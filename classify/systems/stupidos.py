"""StupidOS: a high-precision approach to boilerplate removal (Evert, WAC3 2007), by language models alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...errors import LanguageUnknown
from ...features.rows import rows_of
from ...lexicon.words import words_and_symbols
from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks
from ..system import Card, card_of
from .learning.hashing import Hashes, counts_of, token_hashes
from .learning.ngrams import NgramModels, fit_ngrams
from .learning.trainable import LabelledPage, Learned, TrainedSystem

#: Least number of pages of a language with its own models.
LEAST_PAGES = 30
#: Most n-grams of a language that are kept: the most frequent ones.
MOST_KEPT = 100_000
#: A footer, or a menu in one line: it is removed in training and in use.
_FOOTER = re.compile(r"(?:\|.*?){3}", re.DOTALL)
#: Most words that are used to detect a page's language.
_LANGUAGE_WORDS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stupidos(TrainedSystem):
    """A text segment is clean if it is more likely under a trigram model of clean text than under one of dirty text.

    Of the page's structure only the breaks between segments are used; as in the source ``<br>`` is one. There is a pair
    of models for each language with enough training pages, and a page is classified by the pair that knows most of its
    words.

    Ours: segments are paragraphs (:func:`~blocksight.segment.blocks.text_blocks`), numbers are all the same word, the
    smoothing is Jelinek and Mercer's (:mod:`~blocksight.classify.systems.learning.ngrams`), n-grams are stored as
    hashes. Of the regular expressions for preprocessing the source mentions one, against footers with many ``|``: three
    here; the others are not implemented.
    """

    least_known: float = 0.6  # least share of a page's words that the models of its language must know
    model_name: ClassVar[str] = "stupidos"
    card: ClassVar[Card] = card_of("stupidos")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Count the n-grams of the segments of labelled pages, by language; ValueError if none has enough pages.

        Pages without a known language are ignored.
        """
        texts: dict[str, list[list[tuple[Hashes, bool]]]] = defaultdict(list)
        for labelled in pages:
            leaves = labelled.marks
            segments, _ = segments_of(labelled.page)
            texts[labelled.language].append([(tokens, bool(leaves[at].any())) for tokens, at in segments])
        texts.pop("", None)
        languages = sorted(code for code, segments in texts.items() if len(segments) >= LEAST_PAGES)
        if not languages:
            raise ValueError(f"stupidos needs at least {LEAST_PAGES} pages of one language (lang in gold.jsonl)")
        arrays = {name: array for code in languages for name, array in _arrays(code, fit_ngrams(texts[code])).items()}
        return replace(self, model=Learned(system=self.model_name, arrays=arrays, settings={"languages": languages}))

    def language_of(self, page: Page) -> str:
        """Return the language whose models know most of a page's words; LanguageUnknown if all know too few."""
        models = _models(self.learned)
        segments, _ = segments_of(page)
        tokens = np.concatenate([np.zeros(0, dtype=np.uint32), *(words for words, _ in segments)])[:_LANGUAGE_WORDS]
        shares = {code: float(pair.known(tokens).mean()) if len(tokens) else 1.0 for code, pair in models.items()}
        best = max(shares, key=lambda code: shares[code])
        if shares[best] < self.least_known:
            known = ", ".join(models)
            raise LanguageUnknown(page.url, f"stupidos was trained on {known}; none of them knows this page's words")
        return best

    def mark(self, page: Page) -> Marks:
        """Mark the segments that are more likely clean than dirty."""
        pair = _models(self.learned)[self.language_of(page)]
        marks = np.zeros(len(page.leaves), dtype=bool)
        segments, hidden = segments_of(page)
        for tokens, leaves in segments:
            marks[leaves] = pair.log_ratio(tokens) > 0
        return marks & ~hidden


def segments_of(page: Page) -> tuple[list[tuple[Hashes, NDArray[np.int64]]], Marks]:
    """Return each paragraph except footers as hashes of words, with its text leaves; and which leaves are hidden."""
    hidden = invisible_leaves(page)
    rows = rows_of(page, text_blocks(page, breaks=1))
    order = np.argsort(rows.leaf_row, kind="stable")
    bounds = np.searchsorted(rows.leaf_row[order], np.arange(len(rows) + 1))
    segments = []
    for row, text in enumerate(rows.texts):
        leaves = order[bounds[row] : bounds[row + 1]]
        tokens = words_and_symbols(text)
        if tokens and not hidden[leaves].all() and not _FOOTER.search(text):
            segments.append((token_hashes(["1" if token.isnumeric() else token for token in tokens]), leaves))
    return segments, hidden


def _arrays(code: str, models: NgramModels) -> dict[str, NDArray[np.generic]]:
    return {
        **models.counts.most_seen(MOST_KEPT).packed(f"{code}_key", f"{code}_clean", f"{code}_dirty"),
        f"{code}_total": np.append(models.total, models.vocabulary),
        f"{code}_weight": models.weight,
    }


@lru_cache(maxsize=8)
def _models(learned: Learned) -> dict[str, NgramModels]:
    models = {}
    languages = learned.setting("languages")
    if not isinstance(languages, list) or not languages:
        raise learned.damaged("languages")
    for code in languages:
        total = learned.array(f"{code}_total", (3,), kind="i")
        weight = learned.array(f"{code}_weight", (2, 4), kind="f")
        if (total < 0).any() or (weight <= 0).any():
            raise learned.damaged(f"{code}_total or {code}_weight")
        counts = counts_of(learned, f"{code}_key", f"{code}_clean", f"{code}_dirty")
        models[code] = NgramModels(counts=counts, total=total[:2], vocabulary=int(total[2]), weight=weight)
    return models
