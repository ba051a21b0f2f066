"""Front matter: what is written is read again as the same texts, by a YAML library."""

import pytest
import yaml
from blocksight.page.metadata.metadata import front_matter
from hypothesis import example, given
from hypothesis import strategies as st


def read(text):
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
    return yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))


READABLE = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")


@given(st.text(READABLE, max_size=30), st.lists(st.text(READABLE, max_size=12), max_size=3))
@example("--- ", ["- a", "a: b", "a #b", "#b", "''", '"', "\\", "\U0001f30a", "\u200c"])
def test_front_matter_round_trip(text, several):
    known = {"title": text, "authors": several}
    assert read(front_matter(known)) == known


@given(st.text(max_size=30))
@example("\ud800 \ufeff \x85 \u2028 \x7f \ufffe")
def test_front_matter_forbidden_characters(text):
    found = read(front_matter({"title": text}))["title"]
    assert len(found) == len(text)
    assert all(new in (old, " ") for new, old in zip(found, text, strict=True))


@pytest.mark.parametrize("text", "yes No null ~ true 12 1_000 0x1f .5 .NaN 1:30 2024-05-20 = << - ? @a *a".split())
def test_front_matter_ambiguous_values(text):
    assert read(front_matter({"title": text, "authors": [text]})) == {"title": text, "authors": [text]}
