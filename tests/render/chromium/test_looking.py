"""What is asked of pictures and fonts, without a browser."""

import asyncio
from typing import Any

import pytest
from blocksight.render.chromium.looking.glyphs import lost_words
from blocksight.render.chromium.looking.pictures import PATIENCE, Looking


class Drowsy:
    """A channel that never answers about pictures."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        self.waited.append(timeout)
        raise TimeoutError


def test_a_picture_that_does_not_come_is_waited_for_a_while_only():
    channel = Drowsy()
    looking = Looking(channel, None, {}, window=(800, 600), scale=1, seconds=60)  # type: ignore[arg-type]
    with pytest.raises(TimeoutError):
        asyncio.run(looking._shoot({"format": "png"}))
    assert channel.waited == [PATIENCE]


LOW = frozenset("abcdefghijklmnopqrstuvwxyz")


def test_of_a_text_the_words_without_ink_are_lost_where_they_are_a_phrase():
    text = "THE HERON STANDS AT THE WEIR send the ledger to OTHERS AT ONCE"
    assert lost_words(text, LOW, frozenset()) == (False,) * 6 + (True,) * 4 + (False,) * 3


def test_one_short_word_without_ink_is_left_where_it_is():
    assert not any(lost_words("THE HERON STANDS AT the WEIR", LOW, frozenset()))


def test_a_text_that_is_mostly_lost_is_lost():
    assert lost_words("A quiet heron AT the weir", LOW, frozenset()) == (True,) * 6
    assert lost_words("one two", frozenset(), frozenset({"one", "two"})) == (True, True)


def test_a_phrase_that_is_drawn_is_read_however_much_is_lost():
    text = "THE HERON STANDS send the ledger to the rustic cobbler"
    assert lost_words(text, LOW, frozenset()) == (False,) * 3 + (True,) * 7


def test_signs_go_with_the_word_before_them():
    assert lost_words("THE OLD HERON STANDS send letters - at once", LOW, frozenset()) == (False,) * 4 + (True,) * 5
