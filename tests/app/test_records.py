"""The command records."""

import csv
import io
import json

import pytest

POST = "<div class=post><b class=author>{0}</b> <time>{1} May 2024</time><p>{2}</p><a href=#r>Reply</a></div>"
TEXT = "This is what somebody thinks of the matter, number {}, written at some length so that it is a text."


@pytest.fixture
def thread(tmp_path):
    posts = "".join(
        POST.format(name, number, TEXT.format(number)) for number, name in enumerate(("Ann", "Bob", "Cy"), 1)
    )
    path = tmp_path / "thread.html"
    path.write_text(f"<nav><ul><li><a href=/>Home</a></li><li><a href=/x>News</a></li></ul></nav><main>{posts}</main>")
    return path


def test_one_line_a_record(run, thread):
    done = run("records", "--no-browser", thread, "--kind", "main")
    assert done.exit_code == 0
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["number"], line["author"], line["text"]) for line in found] == [
        (1, "Ann", TEXT.format(1)), (2, "Bob", TEXT.format(2)), (3, "Cy", TEXT.format(3)),
    ]  # fmt: skip


def test_kinds(run, thread):
    done = run("records", "--no-browser", thread, "--kind", "navigation")
    assert [json.loads(line)["title"] for line in done.stdout.splitlines()] == ["Home", "News"]
    assert len(run("records", "--no-browser", thread, "--kind", "all").stdout.splitlines()) == 5


def test_csv_has_one_head_for_several_pages(run, thread):
    done = run("records", "--no-browser", thread, thread, "--format", "csv", "--kind", "main")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["author"] for row in rows] == ["Ann", "Bob", "Cy"] * 2


def test_csv_has_the_columns_of_all_pages(run, tmp_path):
    pages = []
    for header, unit in (("Colour", "shade"), ("Weight", "kg")):
        rows = "".join(
            f"<tr><td><a href=/{n}>Kettle of the maker {n}</a><td>{n} {unit}<td>${n}.50</tr>" for n in range(1, 7)
        )
        pages.append(tmp_path / f"{header}.html")
        pages[-1].write_text(
            f"<title>Kettles</title><main><table><tr><th>Name<th>{header}<th>Price</tr>{rows}</table></main>"
        )
    done = run("records", "--no-browser", *pages, "--format", "csv", "--kind", "main")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["Colour"], row["Weight"]) for row in rows[5:7]] == [("6 shade", ""), ("", "1 kg")]


def test_parquet_has_typed_columns(run, thread, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    shop, table = tmp_path / "shop.html", tmp_path / "records.parquet"
    items = "".join(
        f"<li class=product><h3><a href=/tea/{n}>Tea {n}</a></h3><span class=price>{n} 299,50 €</span>"
        "<button>Add to cart</button></li>"
        for n in range(1, 6)
    )
    shop.write_text(f"<title>Teas</title><main><h1>Teas</h1><ul class=products>{items}</ul></main>")
    assert run("records", "--no-browser", shop, thread, "--kind", "main", "-o", table).exit_code == 0
    read = parquet.read_table(table)
    assert [str(read.schema.field(name).type) for name in ("number", "amount", "price")] == [
        "int32",
        "double",
        "string",
    ]
    assert [row["amount"] for row in read.to_pylist()] == [1299.5, 2299.5, 3299.5, 4299.5, 5299.5, None, None, None]
    assert {row["currency"] for row in read.to_pylist()} == {"EUR", None}
    assert read["iso_date"].to_pylist()[5:] == ["2024-05-01", "2024-05-02", "2024-05-03"]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_page_without_records_is_named(run, tmp_path, form):
    page = tmp_path / "page.html"
    page.write_text("<p>One sentence, and no list at all.</p>")
    done = run("records", "--no-browser", page, "--format", form)
    assert done.exit_code == 0
    assert "page.html: no records found" in done.stderr


def test_a_table_of_another_suffix_is_refused(run, thread):
    done = run("records", "--no-browser", thread, "-o", "x.csv")
    assert done.exit_code == 2
    assert "should end in .parquet" in done.stderr
