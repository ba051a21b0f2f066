"""What was written of a document, cut into its paragraphs."""

import blocksight as bs
import pytest
from blocksight.inspector.source_map import source_map


def test_signs_belong_to_the_paragraph_that_they_begin():
    parts = source_map("- one\n- two\n\n1. three\n", [("one", [4]), ("two", [5]), ("three", [6, 7])])
    assert parts == [("- one\n", (4,)), ("- two\n\n", (5,)), ("1. three\n", (6, 7))]


def test_an_address_is_between_the_letters_of_a_paragraph():
    written = "Boil [fresh](https://a.org/fresh-water) water.\n\nThen pour.\n"
    parts = source_map(written, [("Boil fresh water.", [1, 2, 3]), ("Then pour.", [4])])
    assert [leaves for _, leaves in parts] == [(1, 2, 3), (4,)]
    assert parts[1][0] == "Then pour.\n"


def test_what_was_added_belongs_to_nothing():
    assert source_map("# Tea\n\nBoil it.\n", [("Boil it.", [0])]) == [("# Tea\n\n", ()), ("Boil it.\n", (0,))]


def test_cells_of_one_line_are_parted():
    parts = source_map("| a | b |\n| --- | --- |\n| c | d |\n", [("a", [0]), ("b", [1]), ("c", [2]), ("d", [3])])
    assert [leaves for _, leaves in parts] == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize(("written", "parts"), [("", []), ("* * *\n", [("* * *\n", ())])])
def test_nothing_to_be_found(written, parts):
    assert source_map(written, []) == parts


@pytest.mark.parametrize("name", ["magazine", "news"])
def test_fixtures_are_put_together_again(fixtures, name):
    page = bs.parse((fixtures / name / "page.html").read_text(encoding="utf-8"))
    document = bs.extract(page)
    paragraphs = [(paragraph.text, paragraph.leaves) for paragraph in document.content.paragraphs]
    for written in (document.markdown, document.text):
        parts = source_map(written, paragraphs)
        assert "".join(text for text, _ in parts) == written
        found = [leaves for _, leaves in parts if leaves]
        assert len(found) >= len(paragraphs) - 1
        assert found == sorted(found)
