"""Cells that span columns or rows, in Markdown."""

import blocksight as bs
import pytest

TABLE = """<p>Some words that are the content.</p><table><tr><th>A</th><th colspan=2>B</th></tr>
<tr><td rowspan=2>x</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"""


def table(spans, html=TABLE):
    doc = bs.extract(bs.parse(html), system="everything", headline=False, spans=spans)
    return doc.markdown.partition("\n\n")[2].strip()


def test_spans_blank():
    assert table("blank") == "| A | B |  |\n| --- | --- | --- |\n| x | 1 | 2 |\n|  | 3 | 4 |"


def test_spans_repeat():
    assert table("repeat") == "| A | B | B |\n| --- | --- | --- |\n| x | 1 | 2 |\n| x | 3 | 4 |"


def test_spans_html():
    assert table("html").startswith('<table><tbody><tr><th>A</th><th colspan="2">B</th></tr>')
    assert "\n\n" not in table("html")
    plain = "<p>Some words.</p><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert table("html", plain) == "| A | B |\n| --- | --- |\n| 1 | 2 |"


def test_spans_unknown_value():
    with pytest.raises(ValueError, match="repeat, blank or html"):
        bs.extract(bs.parse(TABLE), spans="none")


def test_spans_over_more_rows_and_columns():
    html = (
        "<p>Some words.</p><table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan=2 rowspan=2>x</td><td>1</td>"
    )
    html += "</tr><tr><td>2</td></tr></table>"
    assert table("repeat", html).split("\n")[2:] == ["| x | x | 1 |", "| x | x | 2 |"]
    assert table("blank", html).split("\n")[2:] == ["| x |  | 1 |", "|  |  | 2 |"]
