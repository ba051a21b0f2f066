"""Layout columns of a page whose style sheet states all distances (``fixtures/golden/sections.html``)."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import measure
from blocksight.gold.anonymised import strip_markup

#: Text of the blocks that have a label, and the family of the label above.
LABELLED = {
    "My uncle kept that lamp.": "comment",
    "She lives by the sea.": "author",
    "By letter only": "share",
    "lamps, storms": "tags",
    "The bell of the harbour": "related",
    "One letter a month": "letter",
    "Buy rope": "advert",
    "Your name": "access",
}


@pytest.fixture(scope="module")
def page(fixtures):
    return bs.load(fixtures / "golden" / "sections.page")


@pytest.fixture(scope="module")
def value(page):
    """Return the value of a column at the first block that starts with a text."""
    table = measure(page, groups=("layout",))

    def at(text, column):
        row = next(row for row, own in enumerate(table.rows.texts) if own.startswith(text))
        return table.columns[column][row]

    return at


def test_labels_by_appearance_end_at_the_next_heading(page):
    table = measure(page, groups=("layout",))
    for row, text in enumerate(table.rows.texts):
        families = {name for name in set(LABELLED.values()) if table.columns[f"under_{name}"][row]}
        assert families == ({LABELLED[text]} if text in LABELLED else set())


def test_headings(value):
    # ln(32 / 16) and ln(20 / 16), both bold.
    assert value("The keeper", "prominence") == pytest.approx(np.log(2) + 0.12)
    assert value("The third", "prominence") == pytest.approx(np.log(1.25) + 0.12)
    assert value("On the first", "prominence") == 0
    assert [value(text, "looks_heading") for text in ("The keeper", "Tags", "Buy rope")] == [1, 1, 0]
    # Of ten headings one is more prominent than the other nine.
    assert [value(text, "heading_rank") for text in ("The keeper", "Tags", "Buy rope")] == pytest.approx([0, 0.1, 1])
    assert value("On the first", "heading_above") == pytest.approx(np.log(2) + 0.12)
    assert value("Nobody", "heading_above") == pytest.approx(np.log(1.25) + 0.12)
    # The title is not above the sidebar: it does not start in its column.
    assert value("Share", "heading_above") == 0


def test_main_column(value):
    # It starts at 40 px; the page is 1000 px wide.
    assert value("Nobody", "main_x") == 0
    assert value("lamps", "main_x") == pytest.approx(0.6)
    assert value("Buy rope", "main_x") == pytest.approx(0.008)
    assert value("Nobody", "main_width") == 1
    assert value("lamps", "main_width") == pytest.approx(240 / 560)
    # The title ends before its first paragraph; comments start after its last one.
    assert value("The keeper", "main_above") > 0 > value("Nobody", "main_above")
    assert value("Comments", "main_below") > 0 > value("On the first", "main_below")
    assert value("Nobody", "main_below") == value("On the first", "main_above") == 0
    assert [value(text, "main_style") for text in ("Nobody", "The third", "lamps")] == [1, 0, 0]


def test_the_title_is_found(value):
    assert value("The keeper", "title_lines") == 0
    assert value("The keeper", "title_column") == value("Nobody", "title_column") == 1
    assert value("lamps", "title_column") == 0
    assert value("On the first", "title_lines") > 0


def test_frames(value):
    assert [value(text, "framed") for text in ("Buy rope", "lamps", "Nobody")] == [1, 0, 0]
    # 560 px and 8 px on both sides.
    assert value("Buy rope", "frame_width") == pytest.approx(0.576)
    assert value("Buy rope", "frame_main") == 0
    assert value("Nobody", "frame_main") == value("Nobody", "frame_words") == 1


def test_white_space(value):
    # Between paragraphs of the main column there is only the rest of the line height: that is the unit.
    assert value("On the second", "space_before") == pytest.approx(1)
    assert value("Share", "space_before") == -5


def test_a_copy_without_markup_has_the_same_values(page):
    first, second = (measure(one, groups=("layout",)) for one in (page, strip_markup(page)))
    assert first.rows.texts == second.rows.texts
    for name, column in first.columns.items():
        np.testing.assert_allclose(second.columns[name], column, err_msg=name)


def test_without_geometry_nothing_is_known():
    plain = measure(bs.parse("<p>One"), groups=("layout",))
    assert all(np.isnan(column).all() for column in plain.columns.values())
