"""Tables."""

import pytest

TABLE = "<table><tr><th>A<th>B|<tr><td>1<td><tr><td colspan=2>2<tr><td>3<br>4<td><p>5<p>6</table>"


def test_a_data_table_keeps_its_columns(written):
    found = written(TABLE)
    assert '<tr><td>1</td><td></td></tr><tr><td colspan="2">2</td></tr>' in found.html
    assert found.text == "A\tB|\n1\n2\n3 4\t5 6"
    assert found.markdown == "| A | B\\| |\n| --- | --- |\n| 1 |  |\n| 2 |  |\n| 3 4 | 5 6 |\n"
    assert {block.kind for block in found.blocks} == {"table cell"}


def test_a_table_keeps_columns_of_unmarked_cells_and_drops_unmarked_rows(html_of):
    # Less than half of it is chosen; of more, the whole table comes along.
    rows = "<tr><td>a<td>x<td>b<tr><td>x<td>x<td>x<tr><td>x<td>x<td>x<tr><td>c<td>x<td>d"
    assert html_of(f"<table>{rows}</table>", lambda t: t != "x") == (
        "<table><tbody><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td><td></td><td>d</td></tr></tbody></table>"
    )


def test_spans_and_captions(markdown_of):
    rows = "<caption>Cap</caption><tr><td rowspan=2>r<td>1<tr><td>2<tr><td>a<td>b"
    assert markdown_of(f"<table>{rows}</table>") == ("Cap\n\n|  |  |\n| --- | --- |\n| r | 1 |\n|  | 2 |\n| a | b |\n")


def test_absurd_spans_are_bounded(markdown_of):
    cells = "<tr><th colspan=1000>a<th>b<tr><td>c<td colspan=99999999999>d"
    assert len(markdown_of(f"<table>{cells}</table>")) < 200


def test_layout_tables_become_paragraphs(html_of):
    assert html_of("<table><tr><td>left<td><h2>b</h2><p>c</table>") == "<p>left</p>\n<h2>b</h2>\n<p>c</p>"
    assert html_of("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>").count("<p>") == 4


def test_of_nested_tables_the_inner_one_is_kept(html_of):
    inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    found = html_of(f"<table><tr><td>x<td>{inner}<tr><td>y<td>z</table>")
    assert found.startswith("<p>x</p>\n<table><tbody><tr><td>a</td>")
    assert found.endswith("</table>\n<p>y</p>\n<p>z</p>")


def test_table_foot_below_the_rows(written):
    html = "<table><thead><tr><th>A<th>B</thead><tfoot><tr><td>sum<td>3</tfoot><tbody><tr><td>one<td>3</tbody></table>"
    assert written(html).markdown == "| A | B |\n| --- | --- |\n| one | 3 |\n| sum | 3 |\n"


def test_table_heads_that_are_headings(written):
    rows = "<tr><td>May<td>4<tr><td>July<td><ul><li>5</ul>"
    assert "| May | 4 |" in written(f"<table><tr><td><h4>Month</h4><td><h4>Eels</h4>{rows}</table>").markdown
    # Rows of unequal width are layout.
    assert "|" not in written(f"<table><tr><td><h4>Month</h4>{rows}</table>").markdown


HEAD, ROWS = "<table><thead><tr><th>Day<th>cm</table>", "<table><tr><td>Monday<td>212<tr><td>Friday<td>187</table>"


def test_a_head_in_a_table_of_its_own_belongs_to_the_rows_below(written):
    found = written(f"<div>{HEAD}</div><div>{ROWS}</div>")
    assert found.markdown == "| Day | cm |\n| --- | --- |\n| Monday | 212 |\n| Friday | 187 |\n"
    assert found.text == "Day\tcm\nMonday\t212\nFriday\t187"
    assert found.html.startswith("<table><thead><tr><th>Day</th><th>cm</th></tr></thead><tbody><tr><td>Monday</td>")
    # A head and one row are a table, too.
    row = "<table><tr><td>Monday<td>212</table>"
    assert written(HEAD + row).markdown == "| Day | cm |\n| --- | --- |\n| Monday | 212 |\n"


@pytest.mark.parametrize(
    "html",
    [
        f"{HEAD}<p>In August</p>{ROWS}",
        HEAD.replace("<th>cm", "") + ROWS,
        HEAD.replace("<th>cm", "<th>cm<th>kg") + ROWS,
        HEAD.replace("thead", "tbody").replace("th>", "td>") + ROWS,
        HEAD + ROWS.replace("<tr><td>Monday<td>212", "<tr><th>Tag<th>Zoll"),
        f"{HEAD}<table><tr><td>a<td>b<tr><td>c<td>{ROWS}</table>",
    ],
)
def test_what_is_no_head_of_the_table_below(written, html):
    assert "| Day |" not in written(html).markdown
