"""Texts that are visible in part."""

import numpy as np
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.visibility.split_text import leaf_reasons, split, units

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


def test_white_space_alone_is_no_visible_text(parts):
    # Of ten spaces and ten letters with 400 pixels the first 200 are visible: more than the spaces, which are narrower,
    # but of 30 spaces and ten letters, spaces only.
    assert [
        reason for _, reason in parts(" " * 10 + "n" * 10, (0, 20, (0, 0, 400, 17)), style={"white-space": "pre"})
    ] == [
        Hidden.VISIBLE,
        Hidden.CLIP,
    ]
    assert parts(" " * 30 + "n" * 10, (0, 40, (0, 0, 400, 17))) == [(" " * 30 + "n" * 10, Hidden.CLIP)]
    # A tab on a line of its own.
    assert parts("\tword", (0, 1, (0, 0, 10, 17)), (1, 4, (900, 0, 60, 17))) == [("\tword", Hidden.CLIP)]


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


SEEN, CUT_OFF, SHOWN = int(Hidden.VISIBLE), int(Hidden.CLIP), (0.0, 1.0)


def pieces(page, *lines, drawn=None, backward=False, words=None):
    """The leaves of a page with (reason, left, right) of each line: (text, reason)."""
    reason = np.asarray([line[0] for line in lines], dtype=np.uint8)
    left, right = (np.asarray([line[side] for line in lines], dtype=np.float64) for side in (1, 2))
    texts = [page.page.text_of(row) if page.page.text[row] >= 0 else "" for row in range(len(page.page))]
    cut, _, hidden = split(
        page.page, page.geometry, reason, (left, right),
        drawn=texts if drawn is None else drawn, backward=np.full(len(page.page), backward), words=words,
    )  # fmt: skip
    assert cut.parent[0] == -1
    return list(zip(cut.leaf_texts, hidden.tolist(), strict=True))


def test_one_visible_line_decides_else_the_greatest_reason(layout):
    line = (0, 0, 50, 17)
    page = layout((1, "P", BOX), (2, "one line shown", line, line, line), (2, "P", BOX), (3, "none shown", line, line))
    reasons = [Hidden.CLIP, Hidden.VISIBLE, Hidden.SIZE, Hidden.OPACITY, Hidden.OFF_SCREEN]
    found = leaf_reasons(page.page, page.geometry, np.asarray(reasons, dtype=np.uint8))
    assert found.tolist() == [Hidden.VISIBLE, Hidden.OFF_SCREEN]


def test_a_text_without_lines_is_not_displayed(reply):
    rows = [
        (-1, "HTML", None, (0, 0, 800, 600), {}, ()),
        (0, None, "nowhere", None, {}, ()),
        (0, None, "here", (0, 0, 50, 17), {}, ((0, 4, (0, 0, 50, 17)),)),
    ]
    page = reply().document(rows).page()
    assert leaf_reasons(page, page.geometry, np.asarray([SEEN], dtype=np.uint8)).tolist() == [Hidden.DISPLAY, SEEN]


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        # Of ten letters of one width each takes a tenth.
        (0.0, 1.0, [("nnnnnnnnnn", SEEN)]),
        (0.0, 0.9, [("nnnnnnnnnn", SEEN)]),
        (0.0, 0.8, [("nnnnnnnn", SEEN), ("nn", CUT_OFF)]),
        (0.0, 0.75, [("nnnnnnn", SEEN), ("nnn", CUT_OFF)]),
        (0.1, 1.0, [("nnnnnnnnnn", SEEN)]),
        (0.2, 1.0, [("nn", CUT_OFF), ("nnnnnnnn", SEEN)]),
        (0.25, 1.0, [("nnn", CUT_OFF), ("nnnnnnn", SEEN)]),
        (0.3, 0.6, [("nnn", CUT_OFF), ("nnn", SEEN), ("nnnn", CUT_OFF)]),
    ],
)
def test_a_line_is_cut_where_letters_end(layout, left, right, found):
    page = layout((1, "P", BOX), (2, "n" * 10))
    assert pieces(page, (SEEN, left, right)) == found
    assert pieces(page, (SEEN, 1 - right, 1 - left), backward=True) == found


@pytest.mark.parametrize(
    ("text", "right", "first"),
    [
        # Widths in ems: m 0.85, i 0.28, n 0.54, N 0.67, an ideograph 1, an accent of its own 0.
        ("mmmmiiiiii", 3.4 / 5.08, "mmmm"),
        ("NNNNnnnnnn", 2.68 / 5.92, "NNNN"),
        ("漢漢漢漢nnnnnn", 4 / 7.24, "漢漢漢漢"),
        ("ｗｗｗｗnnnnnn", 4 / 7.24, "ｗｗｗｗ"),
        ("nénénnnnnn".replace("é", "e\u0301"), 2.16 / 5.4, "ne\u0301ne\u0301"),
    ],
)
def test_characters_have_widths(layout, text, right, first):
    page = layout((1, "P", BOX), (2, text))
    assert pieces(page, (SEEN, 0.0, right)) == [(first, SEEN), (text[len(first) :], CUT_OFF)]
    assert pieces(page, (SEEN, 0.0, right - 0.01))[0][0] != first


def test_a_page_of_which_nothing_is_cut_is_the_same(layout):
    page = layout((1, "P", BOX), (2, "n" * 10))
    for left, right in (SHOWN, (0.0, 0.9)):
        cut, geometry, _ = split(
            page.page, page.geometry, np.zeros(1, np.uint8), (np.full(1, left), np.full(1, right)),
            drawn=["", "", "n" * 10], backward=np.zeros(3, dtype=bool),
        )  # fmt: skip
        assert cut is page.page
        assert geometry is page.geometry


def test_words_of_a_line_are_visible_or_hidden(layout):
    page = layout((1, "P", BOX), (2, "one two three"))
    # Before "two" 3 characters that are no white space have gone by, before "three" 6.
    words = {0: {0: SEEN, 3: int(Hidden.COVER), 6: SEEN}}
    assert pieces(page, (SEEN, *SHOWN), words=words) == [("one", SEEN), (" two", Hidden.COVER), (" three", SEEN)]
    emoji = layout((1, "P", BOX), (2, "😀😁 🤖🤗 end"))
    words = {0: {0: int(Hidden.COVER), 2: SEEN, 4: int(Hidden.COVER)}}
    assert pieces(emoji, (SEEN, *SHOWN), words=words) == [
        ("😀😁", Hidden.COVER),
        (" 🤖🤗", SEEN),
        (" end", Hidden.COVER),
    ]
    # Of a line that is not seen no word is.
    assert pieces(page, (CUT_OFF, *SHOWN), words={0: {0: SEEN}}) == [("one two three", CUT_OFF)]


@pytest.mark.parametrize(
    ("text", "start", "length", "part"),
    [("abcdef", 2, 3, "cde"), ("äbcdef", 2, 3, "cde"), ("äbcdef", 0, 2, "äb"), ("😀bc😁e", 2, 4, "bc😁")],
)
def test_parts_are_counted_in_units(text, start, length, part):
    assert units(text, start, length) == part
