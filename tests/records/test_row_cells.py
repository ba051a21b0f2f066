"""Cells of table rows by the headers of their columns."""

import blocksight as bs
from blocksight.document.records.record_formats import csv_rows, json_lines, table_rows
from blocksight.document.records.record_sets import page_records

PLANS = (
    ("Photo of each shelf", "—", "yes", "yes"),
    ("Scales over Bluetooth", "—", "1 device", "20 devices"),
    ("Days of history", "90", "365", "3,650"),
    ("Calls a day", "100", "10,000", "as agreed"),
)


def table(rows, head=("", "Shed", "Barn", "Harbour"), tag="td"):
    cells = "".join(f"<tr>{''.join(f'<{tag}>{cell}' for cell in row)}" for row in rows)
    headers = "<tr>" + "".join(f"<th>{name}" for name in head) if head else ""
    return f"<title>Plans</title><main><h1>What is in which plan</h1><table>{headers}{cells}</table></main>"


def rows_of(html):
    sets = page_records(bs.parse(html, url="https://tally.example/plans")).sets
    return next(one for one in sets if len(one) >= len(PLANS))


def test_every_cell_is_kept_by_the_name_of_its_column():
    fields = [record.fields for record in rows_of(table(PLANS)).records]
    assert fields[-1] == {"title": "Calls a day", "Shed": "100", "Barn": "10,000", "Harbour": "as agreed"}
    assert [one["Shed"] for one in fields] == ["—", "—", "90", "100"]


def test_options_in_the_first_column_are_titles():
    options = [(f"<code>{name}</code>", kind, "what it does") for name, kind in (("retries", "int"), ("pause", "str"))]
    html = table(options, head=("Name", "Type", "Meaning"))
    sets = page_records(bs.parse(html, url="https://relay.example/retries")).sets
    assert [record.fields["title"] for one in sets for record in one.records] == ["retries", "pause"]


def test_they_are_written_in_all_formats():
    found = rows_of(table(PLANS))
    assert '"Barn":"10,000"' in json_lines([found])
    assert csv_rows(table_rows([found])).splitlines()[0].endswith(",Shed,Barn,Harbour")


def test_a_column_that_spans_several_names_all_of_them():
    html = table([(*row[:2], "Also", *row[2:]) for row in PLANS], head=()).replace(
        "<table>", "<table><tr><th><th colspan=2>Small<th>Barn<th>Harbour"
    )
    assert rows_of(html).records[-1].fields["Small"] == "100 Also"


def test_a_header_that_is_the_name_of_a_field_names_none():
    fields = rows_of(table(PLANS, head=("", "kind", "url", "Harbour"))).records[-1].fields
    assert fields == {"title": "Calls a day", "text": "100\n10,000", "Harbour": "as agreed"}


def test_without_headers_all_cells_are_text():
    fields = rows_of(table(PLANS, head=())).records[-1].fields
    assert fields == {"title": "Calls a day", "text": "100\n10,000\nas agreed"}


def test_buttons_of_rows_are_left_out():
    rows = [(*row[:3], "<a href=/edit>Edit</a>") for row in PLANS]
    assert rows_of(table(rows)).columns == ("title", "Shed", "Barn")


def test_a_column_of_sentences_is_the_text():
    rows = [(*row[:2], f"{row[0]} is what people ask for when they call us, mostly in the evening.") for row in PLANS]
    record = rows_of(table(rows, head=("", "Shed", "Why"))).records[-1]
    assert record.fields["text"] == "Calls a day is what people ask for when they call us, mostly in the evening."
    assert record.fields["Shed"] == "100"
    assert "Why" not in record.fields


def test_a_cell_that_covers_several_rows_is_in_the_record_of_each():
    rows = "".join(
        f"<tr><td>{name}<td rowspan=2>{plan}<td>{days}<tr><td>{other}<td>{more}"
        for name, plan, days, other, more in (
            ("Photo of each shelf", "Barn", "90 days", "Scales over Bluetooth", "365 days"),
            ("Days of history", "Harbour", "30 days", "Calls a day", "60 days"),
        )
    )
    html = f"<title>Plans</title><main><h1>Features</h1><table><tr><th><th>Plan<th>Kept for{rows}</table></main>"
    fields = [record.fields for record in rows_of(html).records]
    assert [(one["title"], one["Plan"], one["Kept for"]) for one in fields] == [
        ("Photo of each shelf", "Barn", "90 days"),
        ("Scales over Bluetooth", "Barn", "365 days"),
        ("Days of history", "Harbour", "30 days"),
        ("Calls a day", "Harbour", "60 days"),
    ]
