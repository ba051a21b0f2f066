"""What was written of a document, cut into its paragraphs."""

import blocksight as bs
import pytest
from blocksight.inspector.source_map import source_map


def test_source_map_markup_belongs_to_its_paragraph():
    parts = source_map("- one\n- two\n\n1. three\n", [("one", [4]), ("two", [5]), ("three", [6, 7])])
    assert parts == [("- one\n", (4,)), ("- two\n\n", (5,)), ("1. three\n", (6, 7))]


def test_source_map_address_inside_a_paragraph():
    written = "Boil [fresh](https://a.org/fresh-water) water.\n\nThen pour.\n"
    parts = source_map(written, [("Boil fresh water.", [1, 2, 3]), ("Then pour.", [4])])
    assert [leaves for _, leaves in parts] == [(1, 2, 3), (4,)]
    assert parts[1][0] == "Then pour.\n"


def test_source_map_added_text_has_no_leaves():
    assert source_map("# Tea\n\nBoil it.\n", [("Boil it.", [0])]) == [("# Tea\n\n", ()), ("Boil it.\n", (0,))]


def test_source_map_cells_of_one_line():
    parts = source_map("| a | b |\n| --- | --- |\n| c | d |\n", [("a", [0]), ("b", [1]), ("c", [2]), ("d", [3])])
    assert [leaves for _, leaves in parts] == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize(("written", "parts"), [("", []), ("* * *\n", [("* * *\n", ())])])
def test_source_map_without_paragraphs(written, parts):
    assert source_map(written, []) == parts


@pytest.mark.parametrize("name", ["magazine", "news"])
def test_source_map_of_fixtures_is_the_whole_output(fixtures, name):
    page = bs.parse((fixtures / name / "page.html").read_text(encoding="utf-8"))
    document = bs.extract(page)
    paragraphs = [(paragraph.text, paragraph.leaves) for paragraph in document.content.paragraphs]
    for written in (document.markdown, document.text):
        parts = source_map(written, paragraphs)
        assert "".join(text for text, _ in parts) == written
        found = [leaves for _, leaves in parts if leaves]
        assert len(found) >= len(paragraphs) - 1
        assert found == sorted(found)
