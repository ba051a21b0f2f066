"""Tables as grids, worked out by hand."""

import blocksight as bs
from blocksight.page.tables import headed_rows


def grid(html):
    (table,) = bs.html_tables(bs.parse(f"<body>{html}"))
    return table


def test_plain_cells():
    table = grid("<table><tr><th>Name<th>Age<tr><td>Ann <b>B</b><td>31</table>")
    assert (table.rows, table.columns) == (2, 2)
    assert [(cell.row, cell.column, cell.text, cell.header) for cell in table.cells] == [
        (0, 0, "Name", True),
        (0, 1, "Age", True),
        (1, 0, "Ann B", False),
        (1, 1, "31", False),
    ]
    assert all(cell.box is None for cell in table.cells)


def test_spans_push_what_follows():
    # a a b      a covers two columns, b two rows; below, c and d take what is left, e the last row.
    # c d b
    # e
    table = grid("<table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d<tr><td>e</table>")
    assert [(cell.text, cell.row, cell.column, cell.rowspan, cell.colspan) for cell in table.cells] == [
        ("a", 0, 0, 1, 2),
        ("b", 0, 2, 2, 1),
        ("c", 1, 0, 1, 1),
        ("d", 1, 1, 1, 1),
        ("e", 2, 0, 1, 1),
    ]
    assert (table.rows, table.columns) == (3, 3)


def test_a_cell_from_above_is_in_the_way():
    table = grid("<table><tr><td rowspan=3>a<td>b<tr><td>c<tr><td>d<td>e</table>")
    assert [(cell.text, cell.row, cell.column) for cell in table.cells][2:] == [("c", 1, 1), ("d", 2, 1), ("e", 2, 2)]


def test_senseless_spans():
    table = grid("<table><tr><td rowspan=0>a<td colspan=0>b<td colspan=99999999>c<td rowspan=x>d<tr><td>e</table>")
    found = {cell.text: (cell.column, cell.rowspan, cell.colspan) for cell in table.cells}
    # rowspan=0 reaches to the last row (HTML Standard), colspan=0 counts as 1, spans have a largest value.
    assert found == {"a": (0, 2, 1), "b": (1, 1, 1), "c": (2, 1, 1000), "d": (1002, 1, 1), "e": (1, 1, 1)}


def test_a_table_in_a_table_is_one_of_its_own():
    outer, inner = bs.html_tables(bs.parse("<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>"))
    assert [cell.text for cell in outer.cells] == ["a b c", "d"] or [cell.text for cell in outer.cells] == ["abc", "d"]
    assert [cell.text for cell in inner.cells] == ["b", "c"]


def test_a_table_of_nothing():
    table = grid("<table></table>")
    assert (table.rows, table.columns, table.cells) == (0, 0, ())


def names_of(html):
    return [[(name, cell.text) for name, cell in row] for row in headed_rows(bs.parse(html)).values()]


def test_rows_have_the_names_of_their_columns():
    assert names_of("<table><tr><th>Day<th>Tide<tr><td>Monday<td>9:40<tr><td>Tuesday<td>10:20</table>") == [
        [("Day", "Monday"), ("Tide", "9:40")],
        [("Day", "Tuesday"), ("Tide", "10:20")],
    ]
    # The head of a table has names whatever its cells; an empty header names nothing; a span names several columns.
    assert names_of("<table><thead><tr><td>Day<td>Tide<tbody><tr><td>Monday<td>9:40</table>")[0][1] == ("Tide", "9:40")
    assert names_of("<table><tr><th><th colspan=2>Tides<th>Moon<tr><td>Monday<td>9<td>21<td>full</table>") == [
        [("", "Monday"), ("Tides", "9"), ("Tides", "21"), ("Moon", "full")]
    ]


def test_cells_that_cover_rows_below_are_cells_of_these():
    days = "<tr><td rowspan=2>Monday<td>9:40<td>4<tr><td>21:55<td>3<tr><td>Tuesday"
    assert names_of(f"<table><tr><th>Day<th>Tide<th>Height{days}</table>") == [
        [("Day", "Monday"), ("Tide", "9:40"), ("Height", "4")],
        [("Day", "Monday"), ("Tide", "21:55"), ("Height", "3")],
        [("Day", "Tuesday")],
    ]
    # Names of two rows are no cells of the rows below.
    two = "<tr><th rowspan=9>Day<th>Tide<tr><th>high<th>low<tr><td>4<td>3"
    assert names_of(f"<table>{two}</table>") == [[("high", "4"), ("low", "3")]]


def test_cells_over_thousands_of_rows_are_few():
    many = "<td rowspan=9999>x" * 500 + "<tr><td>y" * 500
    rows = names_of(f"<table><tr><th>Day<th>Tide<tr>{many}</table>")
    assert (len(rows), len(rows[50]), len(rows[-1])) == (501, 501, 1)
    # Nor are long ones.
    assert len(names_of(f"<table><tr><th>Day<th>Tide<tr><td rowspan=2>{'x' * 201}<td>y<tr><td>z</table>")[1]) == 1


def test_a_cell_ends_with_its_row_group():
    rows = names_of(
        "<table><thead><tr><th>Kind<th>Size<tbody><tr><td rowspan=5>a<td>1<tr><td>2<tbody><tr><td>b<td>3</table>"
    )
    assert [[text for _, text in row] for row in rows] == [["a", "1"], ["a", "2"], ["b", "3"]]


def test_the_last_names_above_a_row_count():
    first, second = "<tr><th>Day<th>Tide<tr><td>Monday<td>9:40", "<tr><th>Day<th>Moon<tr><td>Monday<td>full"
    assert [row[1][0] for row in names_of(f"<table>{first}{second}</table>")] == ["Tide", "Moon"]


def test_a_header_of_a_row_and_a_caption_in_one_cell_name_no_columns():
    assert names_of("<table><tr><th>Day<td>Monday<tr><th>Tide<td>9:40</table>") == []
    assert names_of("<table><tr><th colspan=2>Tides<tr><td>Monday<td>9:40</table>") == []
