"""Agreement of systems on a page without gold: what each keeps, and how far any two agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classify.system import System
from ..classify.systems import SYSTEMS, as_system
from ..lexicon.words import count_words
from ..page.page import Page
from ..page.visibility import invisible_leaves
from ..segment.blocks import Blocks, text_blocks
from .outputs import try_marks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """The marks of several systems on one page. Only visible text is counted."""

    page: Page
    names: tuple[str, ...]
    marks: NDArray[np.bool_]  # bool (systems, leaves)
    words: NDArray[np.float64]  # float64 (leaves,): Words of each leaf; 0 for invisible leaves
    blocks: Blocks  # The page's paragraphs
    errors: dict[str, str]  # Error message by name of the systems that failed; they have no marks

    @property
    def kept_words(self) -> NDArray[np.int64]:
        """int64 (systems,): words that each keeps."""
        return (self.marks @ self.words).astype(np.int64)

    @property
    def agreement(self) -> NDArray[np.float64]:
        """float64 (systems, systems): share of the page's words on which two agree; 1 for a page without words."""
        total = self.words.sum()
        agreed = (self.marks[:, None, :] == self.marks[None, :, :]) @ self.words
        return agreed / total if total else np.ones_like(agreed)

    @property
    def disputed(self) -> float:
        """Share of the page's words that some systems keep and others do not."""
        total = self.words.sum()
        disputed = self.marks.any(axis=0) & ~self.marks.all(axis=0)
        return float(self.words[disputed].sum() / total) if total else 0.0

    def block_shares(self) -> NDArray[np.float64]:
        """Return the share of words kept of each paragraph, float64 (systems, blocks); NaN without words."""
        inside = self.blocks.leaf_block >= 0
        block, count = self.blocks.leaf_block[inside], len(self.blocks)
        total = np.bincount(block, weights=self.words[inside], minlength=count)
        kept_words = [np.bincount(block, weights=(self.words * marks)[inside], minlength=count) for marks in self.marks]
        return np.where(total > 0, np.stack(kept_words) / np.where(total > 0, total, 1.0), np.nan)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values: systems, pairwise figures, and the paragraphs with the systems that keep each."""
        total, shares, texts = max(float(self.words.sum()), 1.0), self.block_shares(), self.block_texts()
        return {
            "url": self.page.url,
            "title": self.page.title,
            "words": int(self.words.sum()),
            "disputed": self.disputed,
            "systems": [
                {
                    "name": name,
                    "words": int(kept),
                    "share": float(kept / total),
                    "error": self.errors.get(name),
                }
                for name, kept in zip(self.names, self.kept_words, strict=True)
            ],
            "agreement": self.agreement.tolist(),
            "blocks": [
                {
                    "text": texts[row],
                    "box": None if np.isnan(self.blocks.box[row, 0]) else self.blocks.box[row].round(2).tolist(),
                    "kept_by": [name for name, share in zip(self.names, shares[:, row], strict=True) if share >= 0.5],
                }
                for row in np.flatnonzero(~np.isnan(shares[0])).tolist()
            ],
        }

    def block_texts(self) -> list[str]:
        """Return the text of each paragraph, white space normalised."""
        parts: list[list[str]] = [[] for _ in range(len(self.blocks))]
        for leaf, block in enumerate(self.blocks.leaf_block.tolist()):
            if block >= 0 and self.words[leaf] > 0:
                parts[block].append(self.page.leaf_texts[leaf])
        return [" ".join(" ".join(part).split()) for part in parts]


def compare_systems(
    page: Page, systems: Sequence[System | str | Callable[[str], str | None]] | None = None
) -> Agreement:
    """Run systems on one page and compare their marks.

    Parameters
    ----------
    page : Page
        Systems that are not visual get it without geometry.
    systems : sequence of System, str or callable, optional
        At least one, each as :func:`~blocksight.document.extract.extract` takes it: a system, any object with ``card``
        and ``mark``, the name of one, or a function from HTML to text. By default all, but on a page without geometry
        only those that are not visual.

    Raises
    ------
    ValueError
        If there is no system, a name is unknown, or two systems have the same name.
    TypeError
        If an item is no system, or ``systems`` is a name instead of a list.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> page = parse("<p>Five words of running text</p><a href=x>Home</a>")
    >>> result = compare_systems(page, ["bte", "everything"])
    >>> result.kept_words.tolist(), float(result.agreement[0, 1].round(2))
    ([5, 6], 0.83)
    """
    if isinstance(systems, str):
        raise TypeError(f"compare_systems takes a list of systems: [{systems!r}, ...]")
    if systems is None:
        chosen = [system for system in SYSTEMS if page.geometry is not None or not system.card.visual]
    else:
        chosen = [as_system(system) for system in systems]
    names = tuple(system.card.name for system in chosen)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"at least one system is needed, and their names must be unique, not {names}")
    results = [try_marks(system, page) for system in chosen]
    visible = ~invisible_leaves(page)
    words = np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64) * visible
    return Agreement(
        page=page,
        names=names,
        marks=np.stack([marks for marks, _ in results]) & visible,
        words=words,
        blocks=text_blocks(page),
        errors={name: error for name, (_, error) in zip(names, results, strict=True) if error},
    )
