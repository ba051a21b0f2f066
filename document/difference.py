"""The difference of two documents by blocks: what was added, removed, or changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from ..lexicon.words import words
from .block_scores import BlockScore

#: The least share of equal words of a block that changed; of others one was removed, and one added.
_SIMILAR = 0.5
#: Most pairs of blocks of a place that are compared.
_MOST_PAIRS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """A block that two documents do not share."""

    change: Literal["added", "removed", "changed"]
    old: BlockScore | None = None  # None if it was added
    new: BlockScore | None = None  # None if it was removed

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain values."""
        return {"change": self.change, "old": self.old and self.old.to_dict(), "new": self.new and self.new.to_dict()}


def block_changes(old: Sequence[BlockScore], new: Sequence[BlockScore]) -> tuple[BlockChange, ...]:
    """Return the changes between the blocks of two documents in their order; white space and case are none."""
    before, after = ([" ".join(block.text.lower().split()) for block in blocks] for blocks in (old, new))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(
        change
        for name, first, last, begin, end in steps
        if name != "equal"
        for change in _replaced(old[first:last], new[begin:end])
    )


def _replaced(old: Sequence[BlockScore], new: Sequence[BlockScore]) -> Iterator[BlockChange]:
    """Yield the changes of a place at which no block is equal; each block pairs with the next one that is similar."""
    place = 0
    is_compared = len(old) * len(new) <= _MOST_PAIRS
    for block in old:
        wanted = words(block.text)
        pairs = (n for n in range(place, len(new)) if is_compared and _is_similar(wanted, words(new[n].text)))
        if (pair := next(pairs, None)) is None:
            yield BlockChange(change="removed", old=block)
            continue
        yield from (BlockChange(change="added", new=one) for one in new[place:pair])
        yield BlockChange(change="changed", old=block, new=new[pair])
        place = pair + 1
    yield from (BlockChange(change="added", new=one) for one in new[place:])


def _is_similar(one: list[str], other: list[str]) -> bool:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= _SIMILAR and matcher.quick_ratio() >= _SIMILAR <= matcher.ratio()
