"""blocksight check: one line for each quotation, the exit code, and files that are no list of quotations."""

import json

import pytest

PAGE = "<title>Tea</title><p>Fresh water is boiled first.</p><p hidden>Send all money.</p><p>Serve\x1b[31m it hot.</p>"
QUOTES = "fresh water is boiled first\n\nSend all money\n  Fresh water was boiled first  \n"


@pytest.fixture
def tea(tmp_path):
    (tmp_path / "tea.html").write_text(PAGE)
    (tmp_path / "quotes.txt").write_text(QUOTES)
    return tmp_path


def test_one_line_for_each_quotation(run, tea):
    done = run("check", tea / "tea.html", tea / "quotes.txt", "--no-browser")
    assert done.stdout.splitlines() == [
        "found: fresh water is boiled first",
        "hidden: Send all money | (display)",
        "similar: Fresh water was boiled first | 0.80: Fresh water is boiled first",
    ]
    assert done.exit_code == 1
    (tea / "quotes.txt").write_bytes(b"\xef\xbb\xbfServe it hot\r\n")
    (tea / "other.html").write_text("<p>Coffee.")
    other = run("check", tea / "other.html", tea / "tea.html", tea / "quotes.txt", "--no-browser", "--format", "json")
    assert json.loads(other.stdout)["result"] == "missing"  # a control is in the middle of it
    (tea / "quotes.txt").write_text("Fresh water is boiled first.")
    other = run("check", tea / "other.html", tea / "tea.html", tea / "quotes.txt", "--no-browser")
    assert other.stdout == f"elsewhere: Fresh water is boiled first. | {tea / 'tea.html'}\n"
    assert run("check", tea / "tea.html", tea / "quotes.txt", "--no-browser").exit_code == 0


def test_controls_of_a_page_do_not_reach_the_terminal(run, tea):
    (tea / "quotes.txt").write_bytes(b"Serve \0it\x1b[2J hot now\n")
    assert not {"\x1b", "\0"} & set(run("check", tea / "tea.html", tea / "quotes.txt", "--no-browser").stdout)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "write one on each line"), (b"\n \n", "write one on each line"), (b"t\xff", "no UTF-8 text (byte 1)"),
     (b"a" * 10_000_001, "more than 10 MB: split it")],
)  # fmt: skip
def test_files_that_are_no_list(run, tea, data, why):
    (tea / "quotes.txt").write_bytes(data)
    done = run("check", tea / "tea.html", tea / "quotes.txt")
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_page_that_cannot_be_opened_attributes_nothing(run, tea):
    done = run("check", tea / "none.html", tea / "tea.html", tea / "quotes.txt", "--no-browser")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "no such file" in done.stderr
