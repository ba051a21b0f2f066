"""Texts of which only a part is seen."""

import pytest
from blocksight.page.hidden import Hidden

BOX = (0, 0, 200, 40)
HIDES = {"overflow-x": "hidden", "overflow-y": "hidden"}


@pytest.fixture
def parts(reply):
    """The parts of the only text of a page, in a box that hides its overflow: (text, reason)."""

    def made(text, *lines, drawn=None, style=None):
        rows = [
            (-1, "#document", None, (0, 0, 800, 600), {}, ()),
            (0, "HTML", None, (0, 0, 800, 600), {}, ()),
            (1, "P", None, BOX, HIDES | (style or {}), ()),
            (2, None, text, (0, 0, 200, 20 * len(lines)), style or {}, lines),
            (1, None, "after", (0, 50, 60, 17), {}, ((0, 5, (0, 50, 60, 17)),)),
        ]
        built = reply().document(rows)
        if drawn is not None:
            built.documents[0]["layout"]["text"][3] = built.code(drawn)
        page = built.page()
        assert page.leaf_texts[-1] == "after"
        assert page.hidden[-1] == Hidden.VISIBLE
        assert (page.parent[page.leaves[:-1]] == 1).all()
        return list(zip(page.leaf_texts, map(Hidden, page.hidden.tolist()), strict=True))[:-1]

    return made


def test_what_is_whole_stays_whole(parts):
    assert parts("one two", (0, 7, (0, 0, 60, 17))) == [("one two", Hidden.VISIBLE)]
    assert parts("one two", (0, 7, (0, 90, 60, 17))) == [("one two", Hidden.CLIP)]


def test_lines_below_the_edge(parts):
    lines = (0, 3, (0, 0, 60, 17)), (4, 3, (0, 20, 60, 17)), (8, 5, (0, 40, 60, 17))
    assert parts("one two three", *lines) == [("one two", Hidden.VISIBLE), (" three", Hidden.CLIP)]


def test_white_space_is_not_counted(parts):
    lines = (0, 3, (0, 0, 60, 17)), (4, 5, (0, 40, 60, 17))
    found = parts("\n   one\n\n   three  ", *lines, drawn="one three")
    assert found == [("\n   one", Hidden.VISIBLE), ("\n\n   three  ", Hidden.CLIP)]


def test_what_was_left_out_of_the_layout(parts):
    assert parts("one two three", (0, 7, (0, 0, 60, 17)), drawn="one two three") == [
        ("one two", Hidden.VISIBLE),
        (" three", Hidden.CLIP),
    ]


@pytest.mark.parametrize(
    ("style", "line", "found"),
    [
        ({}, (0, 0, 400, 17), [("nnnnnnnnnn", Hidden.VISIBLE), ("nnnnnnnnnn", Hidden.CLIP)]),
        ({}, (-200, 0, 400, 17), [("nnnnnnnnnn", Hidden.CLIP), ("nnnnnnnnnn", Hidden.VISIBLE)]),
        ({}, (0, 0, 210, 17), [("n" * 20, Hidden.VISIBLE)]),
        ({"direction": "rtl"}, (-100, 0, 400, 17),
         [("n" * 5, Hidden.CLIP), ("n" * 10, Hidden.VISIBLE), ("n" * 5, Hidden.CLIP)]),
    ],
)  # fmt: skip
def test_lines_cut_off_sideways(parts, style, line, found):
    assert parts("n" * 20, (0, 20, line), style=style) == found


def test_places_are_counted_as_the_browser_counts(parts):
    # Of these each is two units of UTF-16.
    lines = (0, 4, (0, 0, 60, 17)), (5, 4, (0, 40, 60, 17))
    assert parts("😀😁 🤖🤗", *lines) == [("😀😁", Hidden.VISIBLE), (" 🤖🤗", Hidden.CLIP)]


def test_lines_go_with_their_part(reply):
    lines = (0, 3, (0, 0, 60, 17)), (4, 3, (0, 20, 60, 17)), (8, 5, (0, 40, 60, 17))
    rows = [
        (-1, "HTML", None, (0, 0, 800, 600), {}, ()),
        (0, "P", None, BOX, HIDES, ()),
        (1, None, "one two three", (0, 0, 60, 60), {}, lines),
    ]
    page = reply().document(rows).page()
    assert page.geometry.line_node.tolist() == [2, 2, 3]
    assert len(page.geometry.box) == len(page.geometry.paint.fill) == len(page) == 4
