"""A table of which a part was chosen comes out whole."""

ROWS = "".join(f"<tr><td>{n}<td>{n * n}</tr>" for n in range(1, 6))
HTML = f"<p>One two three.</p><table><tr><th>Number<th>Square</tr>{ROWS}</table><p>Four five.</p>"


def test_numbers_come_along(markdown_of):
    found = markdown_of(HTML, lambda text: text[0] in "ONSF")
    assert found.count("\n|") == 7
    assert "| 5 | 25 |" in found


def test_a_table_that_was_hardly_chosen_stays_as_it_was(markdown_of):
    assert "25" not in markdown_of(HTML, lambda text: text[0] in "ON")
    assert "25" not in markdown_of(HTML, lambda text: text[0] in "OF")
