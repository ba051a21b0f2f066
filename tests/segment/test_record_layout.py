"""Layout of repeated records, on pages with boxes given by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.record_layout import COLUMN, GRID, ROW, UNKNOWN, record_layout


def body(*children):
    return ("body", (0, 0, 800, 1000), list(children))


def line(text, x, y, width=180):
    return (text, (x, y, width, 20))


def card(tag, x, y, *more, width=180):
    """A picture with a paragraph below, 140 pixels high."""
    picture = ("img", (x, y, width, 100), [])
    text = ("p", (x, y + 120, width, 20), [line(f"card {x} {y}", x, y + 120, width)])
    return (tag, (x, y, width, 140), [picture, text, *more])


def layout_of(page):
    return record_layout(page, bs.vips(page, pdoc=10))


def tags_of(page, rows):
    return [page.tag_of(row) for row in rows.tolist()]


def texts_of(page, layout, record):
    """The texts of a record, those inside it left out."""
    return [text for leaf, text in enumerate(page.leaf_texts) if layout.leaf_record[leaf] == record]


def test_cards_below_one_another_are_a_column(boxed):
    page = boxed(body(*(card("div", 100, y) for y in (0, 160, 320))))
    layout = layout_of(page)
    assert tags_of(page, layout.node) == ["div"] * 3
    assert layout.box.tolist() == [[100, y, 180, 140] for y in (0, 160, 320)]
    assert (layout.group_direction.tolist(), layout.group_pitch.tolist()) == ([COLUMN], [[0, 160]])
    assert tags_of(page, layout.group_node) == ["body"]


def test_cards_side_by_side_are_a_row_and_in_rows_a_grid(boxed):
    row = layout_of(boxed(body(*(card("div", x, 0) for x in (0, 200, 400)))))
    assert (row.group_direction.tolist(), row.group_pitch.tolist()) == ([ROW], [[200, 0]])
    cards = [card("div", x, y) for y in (0, 160) for x in (0, 200, 400)]
    page = boxed(body(("main", (0, 0, 580, 300), cards, {"display": "grid"})))
    grid = layout_of(page)
    assert (grid.group_direction.tolist(), grid.group_pitch.tolist()) == ([GRID], [[200, 160]])
    assert (len(grid), tags_of(page, grid.group_node)) == (6, ["main"])


def test_entries_of_a_list_and_rows_of_a_table_are_records(boxed):
    entries = [("li", (0, y, 400, 20), [line(f"entry {y}", 0, y, 100 + y)]) for y in (0, 24, 48)]
    cells = [
        ("tr", (0, y, 400, 20), [("td", (x, y, 100, 20), [line(f"{x} {y}", x, y, 50)]) for x in (0, 100)])
        for y in (200, 220, 240)
    ]
    page = boxed(body(("ul", (0, 0, 400, 68), entries), ("table", (0, 200, 400, 60), cells)))
    layout = layout_of(page)
    assert tags_of(page, layout.node) == ["li"] * 3 + ["tr"] * 3
    assert tags_of(page, layout.group_node) == ["ul", "table"]
    assert [layout.groups[group].tolist() for group in (0, 1)] == [[0, 1, 2], [3, 4, 5]]


def test_the_head_of_a_table_is_no_record(boxed):
    def row(tag, y):
        return ("tr", (0, y, 200, 20), [(tag, (x, y, 100, 20), [line(f"{x} {y}", x, y, 50)]) for x in (0, 100)])

    page = boxed(body(("table", (0, 0, 200, 80), [row("th", 0), *(row("td", y) for y in (20, 40, 60))])))
    layout = layout_of(page)
    assert [texts_of(page, layout, record) for record in range(len(layout))] == [
        ["0 20", "100 20"], ["0 40", "100 40"], ["0 60", "100 60"],
    ]  # fmt: skip


def test_cards_in_a_row_hold_lists(boxed):
    def column(x):
        entries = [("li", (x, y, 180, 20), [line(f"{x} {y}", x, y, 80)]) for y in (160, 184, 208)]
        return card("div", x, 0, ("ul", (x, 160, 180, 68), entries))

    layout = layout_of(boxed(body(column(0), column(200))))
    assert layout.parent.tolist() == [-1, 0, 0, 0, -1, 4, 4, 4]
    # The entries of both lists are one group, which no record contains.
    assert layout.group_record.tolist() == [-1, -1]
    layout = layout_of(boxed(body(column(0), card("div", 200, 0), card("div", 400, 0))))
    assert (layout.parent.tolist(), layout.group_record.tolist()) == ([-1, 0, 0, 0, -1, -1], [-1, 0])


def test_a_record_of_several_siblings(boxed):
    rows = []
    for number in range(3):
        y = number * 60
        title = ("tr", (0, y, 400, 20), [("td", (0, y, 400, 20), [line(f"title {y}", 0, y)])])
        facts = ("tr", (0, y + 20, 400, 20), [("th", (0, y + 20, 400, 20), [line(f"facts {y}", 0, y + 20)])])
        rows += [title, facts]
    page = boxed(body(("table", (0, 0, 400, 180), rows)))
    layout = layout_of(page)
    assert [texts_of(page, layout, record) for record in range(len(layout))] == [
        [f"title {y}", f"facts {y}"] for y in (0, 60, 120)
    ]
    assert layout.group_pitch.tolist() == [[0, 60]]


@pytest.mark.parametrize(
    "made",
    [
        # Paragraphs, whatever element they stand in.
        [("p", (0, y, 400, 20), [line(f"p {y}", 0, y)]) for y in (0, 40, 80, 120)],
        [("div", (0, y, 400, 20), [line(f"p {y}", 0, y)]) for y in (0, 40, 80, 120)],
        # Headings and paragraphs in turn.
        [
            (tag, (0, y + at, 400, 20), [line(f"{tag} {y}", 0, y + at)])
            for y in (0, 80, 160)
            for tag, at in (("h2", 0), ("p", 30))
        ],
        # Boxes with other contents.
        [card("div", 0, 0), ("div", (0, 200, 180, 60), [("ul", (0, 200, 180, 60), [line("a", 0, 200)])])],
    ],
)  # fmt: skip
def test_what_is_no_record(boxed, made):
    assert not len(layout_of(boxed(body(*made))))


def test_blocks_know_their_record(boxed):
    page = boxed(body(*(card("div", 100, y) for y in (0, 160)), ("p", (0, 500, 400, 20), [line("after", 0, 500)])))
    blocks = bs.vips(page, pdoc=10)
    layout = record_layout(page, blocks)
    assert layout.leaf_record.tolist() == [0, 1, -1]
    assert layout.block_record[blocks.leaf_block].tolist() == [0, 1, -1]
    pictures = [row for row in range(len(blocks)) if page.tag_of(blocks.node[row]) == "img"]
    assert layout.block_record[pictures].tolist() == [0, 1]


def test_without_geometry_records_have_no_boxes_and_no_direction():
    page = bs.parse("<ul><li>a<li>b<li>c</ul>")
    layout = record_layout(page, bs.text_blocks(page))
    assert tags_of(page, layout.node) == ["li"] * 3
    assert np.isnan(layout.box).all()
    assert (layout.group_direction.tolist(), layout.group_pitch.tolist()) == ([UNKNOWN], [[0, 0]])


def test_an_empty_page_has_none(boxed):
    layout = layout_of(boxed(body()))
    assert (len(layout), len(layout.group_node), layout.parent.tolist()) == (0, 0, [])
    assert layout.box.shape == (0, 4)
    assert np.asarray(layout.leaf_record).tolist() == []
