"""Which lines say who wrote."""

import pytest
from blocksight.gold.labeling_functions.bylines import is_author_line, is_byline_of, starts_with_by
from blocksight.page.clean_text import letters_of


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("By Ada Leaf", "Ada Leaf", True),
        ("Ada Leaf, Harbour Editor", "Ada Leaf", True),
        ("Posted by Ada Leaf on May 3, 2021", "Ada Leaf", True),
        ("© 2021 Ada Leaf", "Ada Leaf", False),
        ("More from Ada Leaf", "Ada Leaf", False),
        ("2018年04月11日 20:41 新浪财经", "新浪", False),
        ("网易首页 > 财经频道 > 正文", "网易", False),
        ("adaleaf.example.org", "adaleaf", False),
        ("Ada Leaf walked along the harbour wall and looked at the sea", "Ada Leaf", False),
    ],
)
def test_by_lines(text, name, found):
    assert is_byline_of(letters_of(name), text, letters_of(text)) == found


def test_a_site_needs_a_word_before_its_name():
    assert not is_byline_of("thegull", "The Gull", "thegull", name_suffices=False)
    assert is_byline_of("thegull", "By The Gull", "bythegull", name_suffices=False)


@pytest.mark.parametrize(
    ("text", "found"),
    [("Ada Leaf", True), ("by ada", True), ("Print", False), ("Read more", False), ("Likes Received:", False)],
)
def test_names(text, found):
    assert is_author_line(text) == found


def test_lines_that_begin_with_by():
    assert starts_with_by("By Ada Leaf on May 3")
    assert not starts_with_by("Standby Ada")
