"""The hidden text of a page: what a person does not see, why, how much, and whether it addresses a language model."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..lexicon.instructions import reads_as_instruction, without_instruction
from ..page.hidden import Hidden
from ..page.page import Page
from ..page.visibility import awaiting_leaves, invisible_leaves
from ..segment.element_locators import ElementLocators, join_steps

#: Most characters of a passage that are reported; most passages whose element is named.
_LONGEST, _MOST_LOCATED = 2_000, 200
_ATTRIBUTE, _ATTRIBUTES = "attribute", ("alt", "title", "aria-label", "aria-description", "placeholder")


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenPassage:
    """Adjacent text that is hidden for one reason."""

    reason: str  # name of a Hidden in lower case: display, color, cover ...; "attribute" for text of alt, title ...
    text: str  # at most 2,000 characters
    words: int
    is_instruction: bool  # it reads as an instruction to a language model
    selector: str  # of the element with its start; "" for those after the 200th passage


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenReport:
    """The hidden text of a page.

    Attributes
    ----------
    passages : tuple of HiddenPassage
        Those that read as instructions first, then in document order.
    words : int
        Number of hidden words.
    visible_words : int
        Number of words that a person sees.
    awaiting_words : int
        Number of these that scripts, which did not run, would show: text that fades in.
    """

    passages: tuple[HiddenPassage, ...]
    words: int
    visible_words: int
    awaiting_words: int = 0

    @property
    def instructions(self) -> tuple[HiddenPassage, ...]:
        """The passages that read as instructions to a language model."""
        return tuple(passage for passage in self.passages if passage.is_instruction)

    @property
    def words_by_reason(self) -> dict[str, int]:
        """Number of hidden words for each reason, the most frequent first."""
        counts: Counter[str] = Counter()
        for passage in self.passages:
            counts[passage.reason] += passage.words
        return dict(counts.most_common())

    def summary(self) -> str:
        """Return one line: how many words are hidden, why, and how many passages read as instructions."""
        awaiting = f"; {self.awaiting_words} words wait for a script" if self.awaiting_words else ""
        if not self.words:
            return f"no hidden text{awaiting}"
        reasons = ", ".join(f"{reason} {count}" for reason, count in self.words_by_reason.items())
        count = len(self.instructions)
        warning = f"; {count} {'passage reads' if count == 1 else 'passages read'} as instructions" if count else ""
        return f"{self.words} hidden words of {self.words + self.visible_words} ({reasons}){warning}{awaiting}"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "words": self.words,
            "visible_words": self.visible_words,
            "awaiting_words": self.awaiting_words,
            "words_by_reason": self.words_by_reason,
            "instructions": len(self.instructions),
            "passages": [asdict(passage) for passage in self.passages],
        }


def hidden_report(page: Page) -> HiddenReport:
    """Return the hidden text of a page, rendered or not; without geometry only markup says what is hidden.

    Text that an overlay covers which can be closed counts as visible. Adjacent text leaves in one block-level element,
    or hidden by one element, with one reason are one passage. Of attributes those are listed that address a language
    model: they are left out of all that is written.
    """
    hidden = invisible_leaves(page)
    words = np.asarray([len(text.split()) for text in page.leaf_texts], dtype=np.int64)
    leaves = np.flatnonzero(hidden)
    passages: list[HiddenPassage] = []
    if len(leaves):
        reasons = page.hidden[leaves]
        owner = page.owner[page.leaves[leaves]]
        starts = (np.diff(leaves) != 1) | (np.diff(reasons.astype(np.int16)) != 0) | (np.diff(owner) != 0)
        locators = ElementLocators(page)
        for number, run in enumerate(np.split(leaves, np.flatnonzero(starts) + 1)):
            text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in run.tolist()).split())
            row = locators.element(int(page.leaves[run[0]])) if number < _MOST_LOCATED else -1
            passages.append(
                HiddenPassage(
                    reason=Hidden(int(page.hidden[run[0]])).name.lower(),
                    text=text[:_LONGEST],
                    words=int(words[run].sum()),
                    is_instruction=reads_as_instruction(text),
                    selector=join_steps(locators.of(row).selector) if row >= 0 else "",
                )
            )
    passages += _attributes(page)
    ordered = sorted(passages, key=lambda passage: not passage.is_instruction)
    return HiddenReport(
        passages=tuple(ordered),
        words=int(words[hidden].sum()) + sum(passage.words for passage in passages if passage.reason == _ATTRIBUTE),
        visible_words=int(words[~hidden].sum()),
        awaiting_words=int(words[awaiting_leaves(page)].sum()),
    )


def _attributes(page: Page) -> list[HiddenPassage]:
    """Return the texts of attributes that address a language model."""
    locators = ElementLocators(page)
    found: list[HiddenPassage] = []
    for name in _ATTRIBUTES:
        addressing = page.attribute_matches(name, lambda value: not without_instruction(value or "-"))
        for row in np.flatnonzero(addressing).tolist():
            text = " ".join(page.attributes_of(row)[name].split())
            selector = join_steps(locators.of(row).selector)
            words = len(text.split())
            found.append(
                HiddenPassage(
                    reason=_ATTRIBUTE, text=text[:_LONGEST], words=words, is_instruction=True, selector=selector
                )
            )
    return found
