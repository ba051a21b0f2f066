"""Front matter: what is written is read again as the same texts, by a YAML library."""

import pytest
import yaml
from blocksight.classify.metadata.front_matter import front_matter
from hypothesis import example, given
from hypothesis import strategies as st


def read(text):
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
    return yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))


@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=3))
@example("--- ", ["- a", "a: b", "a #b", "#b", "''", '"', "\ud800", "\ufeff", "\x85", "\u2028", "\x7f", "\U0001f30a"])
def test_it_is_read_again(text, several):
    known = {"title": text, "authors": several}
    assert read(front_matter(known)) == known


@pytest.mark.parametrize(
    "text",
    "yes No ON off null ~ true 12 1_000 0x1f 0o17 .5 +.inf .NaN 1e3 1:30 2024-05-20 2024-05-20T07:09:00+02:00 = << "
    "- ? : -- --- ... @a `a %a &a *a !a |a >a {a [a ,a".split(),
)
def test_what_looks_like_something_else_is_quoted(text):
    assert front_matter({"title": text}) == f"---\ntitle: '{text}'\n---\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Tides of the Severn", "Tides of the Severn"),
        ("Ebbe, Flut & Brücken [2]", "Ebbe, Flut & Brücken [2]"),
        ("https://gull.example/a?b=1#c", "https://gull.example/a?b=1#c"),
        ("潮汐", "潮汐"),
        ("Tides: a log", "'Tides: a log'"),
        ("'tis low water", "'''tis low water'"),
        ("two\nlines", '"two\\nlines"'),
        ("back\\slash", "back\\slash"),
        ('bell\a \\ quoted"', '"bell\\u0007 \\\\ quoted\\""'),
    ],
)
def test_texts_are_as_plain_as_they_can_be(text, written):
    assert front_matter({"title": text}) == f"---\ntitle: {written}\n---\n"
