"""Folders, lists and archives become inputs, each page one."""

import json
import os

import pytest
from blocksight.batch.sources.inputs import input_of, read_input
from blocksight.batch.sources.lists import MAX_LINE, inputs_of, lines_of


def sources(*given, **more):
    return [one.source for one in inputs_of(given, **more)]


def wrongs(*given, **more):
    return [one.error for one in inputs_of(given, **more)]


def test_addresses_and_files_stay_as_they_are():
    assert sources("https://a.org/x.txt", "missing.html") == ["https://a.org/x.txt", "missing.html"]
    assert list(inputs_of(["a.html"])) == [input_of("a.html")]


def test_of_a_folder_every_page_in_order(pages):
    (pages / "z").mkdir()
    (pages / "z" / "a.HTM").write_text("<p>a")
    (pages / "style.css").write_text("p {}")
    (pages / ".hidden.html").write_text("<p>a")
    assert sources(str(pages)) == [*(str(pages / f"{number}.html") for number in range(7)), str(pages / "z" / "a.HTM")]


def test_a_plain_list(tmp_path):
    path = tmp_path / "urls.txt"
    path.write_text("\ufeff# addresses\nhttps://a.org/\n\n  https://b.org/  \n")
    assert sources(path) == ["https://a.org/", "https://b.org/"]
    assert lines_of(str(path)) == ["https://a.org/", "https://b.org/"]


def test_any_file_is_a_list_where_it_is_called_one(tmp_path):
    path = tmp_path / "urls"
    path.write_text("https://a.org/\n")
    assert sources(f"@{path}") == ["https://a.org/"]
    assert sources(path) == [str(path)]


def test_a_list_in_a_list_is_a_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{path}\n")
    assert sources(path) == [str(path)]


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("url,title\nhttps://a.org/,A\nhttps://b.org/,B\n", None, ["https://a.org/", "https://b.org/"]),
        ("title,Link\nA,https://a.org/\n", None, ["https://a.org/"]),
        ("one,two\nx,https://a.org/\n", "two", ["https://a.org/"]),
        ("https://a.org/,A\nhttps://b.org/,B\n", None, ["https://a.org/", "https://b.org/"]),
        ('url\n"https://a.org/,x"\n', None, ["https://a.org/,x"]),
    ],
)
def test_a_table(tmp_path, text, column, found):
    path = tmp_path / "urls.csv"
    path.write_text(text)
    assert sources(path, column=column) == found


def test_a_column_that_is_not_there(tmp_path):
    path = tmp_path / "urls.csv"
    path.write_text("url\nhttps://a.org/\n")
    with pytest.raises(ValueError, match="no column 'link'; there are url"):
        sources(path, column="link")


def test_a_line_that_cannot_be_read_is_an_input_with_a_reason(tmp_path):
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text("title,url\nA\nB,https://b.org/\nC,\n")
    assert wrongs(table) == ["the line has nothing in its column", "", "the line has nothing in its column"]
    lines.write_text('{"url": "https://a.org/"}\n{\n"https://b.org/"\n{"title": 1}\n7\n')
    assert [wrong[:20] for wrong in wrongs(lines)] == [
        "",
        "the line is no JSON:",
        "",
        "the line has no sour",
        "the line has no sour",
    ]
    assert sources(lines)[1] == f"{lines}:2"


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("deep.jsonl", b"[" * 200_000, "the line is no JSON: "),
        ("long.csv", b'url\nhttps://a.org/\n"' + b"a" * 200_000, "the line is no CSV: field larger"),
        ("first.csv", b"a" * 200_000, "the line is no CSV: field larger"),
    ],
)
def test_a_line_that_was_made_to_break_readers(tmp_path, name, data, why):
    path = tmp_path / name
    path.write_bytes(data + b'"\n"https://b.org/"\n')
    *_, broken, last = inputs_of([path])
    assert broken.error.startswith(why)
    assert (last.source, last.error) == ("https://b.org/", "")


def test_a_list_that_is_no_utf_8_names_files_by_their_bytes(tmp_path):
    try:
        open(os.fsencode(tmp_path) + b"/caf\xe9.html", "wb").close()
    except OSError:
        pytest.skip("names of files are Unicode here")
    path = tmp_path / "a.txt"
    path.write_bytes(os.fsencode(tmp_path) + b"/caf\xe9.html\n")
    (one,) = inputs_of([path])
    assert os.path.isfile(one.source)
    assert read_input(one.id, one.to_json()) == one
    one.to_json().encode()


@pytest.mark.parametrize("source", ["a\0b.html", "\ud800.html", "https://\ud800.org/", "a" * 10_000])
def test_names_that_nothing_can_have(source):
    (one,) = inputs_of([source])
    assert read_input(one.id, one.to_json()) == one
    one.to_json().encode()


def test_a_list_that_cannot_be_read(tmp_path):
    assert wrongs(f"@{tmp_path / 'missing'}") == ["the list cannot be read: No such file or directory"]


def test_nothing_is_read_before_its_turn():
    def endless():
        while True:
            yield "https://a.org/"

    assert next(inputs_of(endless())).source == "https://a.org/"


def test_standard_input_is_a_list_where_it_is_called_one(monkeypatch, tmp_path):
    path = tmp_path / "given"
    path.write_text("https://a.org/\n")
    with path.open() as given:
        monkeypatch.setattr("sys.stdin", given)
        assert sources("@-") == ["https://a.org/"]


def test_a_long_line_is_an_input_with_a_reason(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("b" * (3 * MAX_LINE) + "\nhttps://a.org/\n")
    long, whole = inputs_of([path])
    assert (long.source, long.error) == (f"{path}:1", "the line has more than 1,000,000 characters")
    assert whole.source == "https://a.org/"


def test_a_folder_that_cannot_be_read_is_an_input_with_a_reason(pages, monkeypatch):
    (pages / "z").mkdir()
    scandir = os.scandir

    def closed(path):
        if str(path).endswith("z"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    *found, last = inputs_of([pages])
    assert len(found) == 7
    assert (last.source, last.error) == (str(pages / "z"), "the folder cannot be read: Permission denied")


STRANGE = [
    "/etc/passwd",
    "file:///etc/passwd",
    "view-source:https://a.org/",
    "data:text/html,a",
    "blob:https://a.org/1",
]


@pytest.mark.parametrize("suffix", ["txt", "csv", "jsonl"])
def test_of_a_list_by_others_only_addresses_are_taken(tmp_path, pages, suffix, monkeypatch):
    (tmp_path / "a.warc").write_bytes(b"WARC/1.0\r\n")
    given = [*STRANGE, str(pages), str(tmp_path / "a.warc"), "@list", "-", "https://a.org/x"]
    path = tmp_path / f"list.{suffix}"
    path.write_text("".join(f"{json.dumps(name) if suffix == 'jsonl' else name}\n" for name in given))
    if suffix == "csv":
        path.write_text("".join(f'"{name}"\n' for name in given))
    monkeypatch.setattr(os.path, "realpath", None)  # no file is touched
    found = list(inputs_of([path], addresses_only=True))
    assert [entry.source for entry in found] == given
    assert {entry.error_kind for entry in found[:-1]} == {"refused"}
    assert all("(addresses_only)" in entry.error for entry in found[:-1])
    assert found[-1].error == ""


def test_what_is_named_is_an_address_or_a_list_as_well(pages, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("https://a.org/\n")
    found = inputs_of([pages, pages / "1.html", path], addresses_only=True)
    assert [entry.error != "" for entry in found] == [True, True, False]
