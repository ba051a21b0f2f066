"""The words that tell quickly that a page has no name of a kind are in all names of that kind."""

import pytest
from blocksight.document.content.parts import all_parts, code, formulas
from blocksight.page import surroundings
from hypothesis import given
from hypothesis import strategies as st

KINDS = [
    (surroundings._CAPTION, surroundings._CAPTION_WORDS),
    (all_parts._EDIT_CLASS, all_parts._EDIT_WORDS),
    (code._NOT_CODE, code._NOT_CODE_WORDS),
    (code._NUMBERS_CLASS, code._NUMBERS_WORDS),
    (code._LINE_CLASS, code._LINE_WORDS),
    (formulas._IMAGE_CLASS, formulas._IMAGE_WORDS),
    (formulas._IMAGE_SOURCE, formulas._IMAGE_WORDS),
]


@pytest.mark.parametrize(("pattern", "words"), KINDS)
@given(data=st.data())
def test_each_name_has_one_of_the_words(pattern, words, data):
    name = data.draw(st.from_regex(pattern)).lower()
    assert not name.isascii() or any(word in name for word in words)
