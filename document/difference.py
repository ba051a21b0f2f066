"""The difference of two documents by blocks: what was added, removed, or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from ..lexicon.words import words
from .block_scores import BlockScore

#: Blocks among which one that changed is searched: half of the words of both are equal.
_REACH = 50


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
    bags, place = [Counter(words(block.text)) for block in new], 0
    for block in old:
        bag = Counter(words(block.text))
        near = range(place, min(place + _REACH, len(new)))
        pair = next((n for n in near if 4 * (bag & bags[n]).total() >= bag.total() + bags[n].total()), None)
        if pair is None:
            yield BlockChange(change="removed", old=block)
            continue
        yield from (BlockChange(change="added", new=one) for one in new[place:pair])
        yield BlockChange(change="changed", old=block, new=new[pair])
        place = pair + 1
    yield from (BlockChange(change="added", new=one) for one in new[place:])
