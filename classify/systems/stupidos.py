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
from ..system import Card
from .learning.hashing import Hashes, counts_of, token_hashes
from .learning.ngrams import NgramModels, fit_ngrams
from .learning.trainable import LabelledPage, Learned, shipped

#: Pages that a language must have to get models of its own.
LEAST_PAGES = 30
#: Most n-grams of a language that are kept when its models have been fitted: those seen most often.
MOST_KEPT = 100_000
#: A footer, or a menu in a line: it goes before anything is learned or judged.
_FOOTER = re.compile(r"(?:\|.*?){3}", re.DOTALL)
#: Most words that are read to find a page's language.
_LOOKED_AT = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stupidos:
    """A text segment is clean if a trigram model of clean text makes it likelier than one of dirty text.

    Of the page's structure only the breaks between segments are used; as in the source ``<br>`` is one. The models are
    bound to a language: there is a pair for each language with enough pages to learn from, and a page is judged by
    those that know most of its words.

    Ours: segments are paragraphs (:func:`~blocksight.segment.blocks.text_blocks`), numbers are all the same word, the
    smoothing is Jelinek and Mercer's (:mod:`~blocksight.classify.systems.learning.ngrams`), n-grams are kept as
    hashes. Of the regular expressions that clean the text beforehand the source names one, against footers that hold
    ``|`` many times: three times here, and others are left to the models.

    Parameters
    ----------
    model : Learned, optional
        Instead of the one that comes with the program.
    least_known : float
        Share of a page's words that the language chosen must know.
    """

    model: Learned | None = None
    least_known: float = 0.6
    model_name: ClassVar[str] = "stupidos"
    card: ClassVar[Card] = Card(
        name="stupidos",
        title="trigram models of clean and of dirty text, a pair for each language",
        paper="Evert: StupidOS, a high-precision approach to boilerplate removal (WAC3)",
        year=2007,
        visual=False,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Count the n-grams of the segments of labelled pages, by language.

        Pages whose language is not known are of no use; where no language has enough pages, ValueError.
        """
        texts: dict[str, list[list[tuple[Hashes, bool]]]] = defaultdict(list)
        for labelled in pages:
            leaves = labelled.marks
            segments, _ = segments_of(labelled.page)
            texts[labelled.language].append([(tokens, bool(leaves[at].any())) for tokens, at in segments])
        texts.pop("", None)
        languages = sorted(code for code, found in texts.items() if len(found) >= LEAST_PAGES)
        if not languages:
            raise ValueError(f"stupidos needs {LEAST_PAGES} pages of one language at least (lang in gold.jsonl)")
        arrays = {name: array for code in languages for name, array in _arrays(code, fit_ngrams(texts[code])).items()}
        return replace(self, model=Learned(system=self.model_name, arrays=arrays, settings={"languages": languages}))

    def language_of(self, page: Page) -> str:
        """Return the code of the language whose models know most of a page's words.

        Raises
        ------
        LanguageUnknown
            When there is none that knows enough of them.
        """
        models = _models(self.model or shipped(self.model_name))
        segments, _ = segments_of(page)
        tokens = np.concatenate([np.zeros(0, dtype=np.uint32), *(found for found, _ in segments)])[:_LOOKED_AT]
        shares = {code: float(pair.known(tokens).mean()) if len(tokens) else 1.0 for code, pair in models.items()}
        best = max(shares, key=lambda code: shares[code])
        if shares[best] < self.least_known:
            known = ", ".join(models)
            raise LanguageUnknown(page.url, f"stupidos was trained on {known}; none of them fits this page's words")
        return best

    def mark(self, page: Page) -> Marks:
        """Mark the segments that are likelier clean than dirty."""
        pair = _models(self.model or shipped(self.model_name))[self.language_of(page)]
        marks = np.zeros(len(page.leaves), dtype=bool)
        segments, hidden = segments_of(page)
        for tokens, leaves in segments:
            marks[leaves] = pair.log_ratio(tokens) > 0
        return marks & ~hidden


def segments_of(page: Page) -> tuple[list[tuple[Hashes, NDArray[np.int64]]], Marks]:
    """Return the words of each paragraph but footers as hashes, with its text leaves; and which leaves are hidden."""
    hidden = invisible_leaves(page)
    rows = rows_of(page, text_blocks(page, breaks=1))
    order = np.argsort(rows.leaf_row, kind="stable")
    bounds = np.searchsorted(rows.leaf_row[order], np.arange(len(rows) + 1))
    found = []
    for row, text in enumerate(rows.texts):
        leaves = order[bounds[row] : bounds[row + 1]]
        tokens = words_and_symbols(text)
        if tokens and not hidden[leaves].all() and not _FOOTER.search(text):
            found.append((token_hashes(["1" if token.isnumeric() else token for token in tokens]), leaves))
    return found, hidden


def _arrays(code: str, models: NgramModels) -> dict[str, NDArray[np.generic]]:
    return {
        **models.counts.most_seen(MOST_KEPT).packed(f"{code}_key", f"{code}_clean", f"{code}_dirty"),
        f"{code}_total": np.append(models.total, models.vocabulary),
        f"{code}_weight": models.weight,
    }


@lru_cache(maxsize=8)
def _models(learned: Learned) -> dict[str, NgramModels]:
    found = {}
    languages = learned.setting("languages")
    if not isinstance(languages, list) or not languages:
        raise learned.damaged("languages")
    for code in languages:
        total, weight = (
            learned.array(f"{code}_total", (3,), kind="i"),
            learned.array(f"{code}_weight", (2, 4), kind="f"),
        )
        if (total < 0).any() or (weight <= 0).any():
            raise learned.damaged(f"{code}_total or {code}_weight")
        counts = counts_of(learned, f"{code}_key", f"{code}_clean", f"{code}_dirty")
        found[code] = NgramModels(counts=counts, total=total[:2], vocabulary=int(total[2]), weight=weight)
    return found
