"""Tables as grids, worked out by hand."""

import blocksight as bs


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
