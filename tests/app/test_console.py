"""The progress bar: shown once work takes long and a person is watching, and never in the way of results."""

import io
import re
import sys
import time

import click
import pytest
from blocksight.app import console
from blocksight.app.console import Failed, ProgressBar, complain, report_errors
from blocksight.errors import BlocksightError


class Terminal(io.StringIO):
    """Standard error where a person is watching."""

    def isatty(self):
        return True


def watched(monkeypatch, patience):
    """Begin to watch. In a fixture it would be too early: pytest sets standard error anew for each test."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(console, "PATIENCE", patience)
    return terminal


def until(condition):
    end = time.monotonic() + 300
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_work_that_takes_long_shows_how_far_it_is(monkeypatch):
    terminal = watched(monkeypatch, 0.01)
    with ProgressBar("pages", 7) as bar:
        bar("measuring", 3, 7)
        assert until(lambda: "measuring" in terminal.getvalue())
        assert "3 of 7" in terminal.getvalue()
        bar("writing", 1, 0)
        assert until(lambda: "writing" in terminal.getvalue())


def test_short_work_shows_nothing(monkeypatch):
    terminal = watched(monkeypatch, 60.0)
    with ProgressBar("pages", 7) as bar:
        bar("measuring", 3, 7)
    assert terminal.getvalue() == ""


def test_without_a_terminal_a_line_comes_every_some_seconds(monkeypatch):
    monkeypatch.setattr(console, "LINE_SECONDS", 0.01)
    piped = io.StringIO()
    monkeypatch.setattr(sys, "stderr", piped)
    with ProgressBar("pages", 7) as bar:
        bar("measuring", 3, 7)
        assert until(lambda: re.search(r"measuring: 3 of 7, \d+ s\n", piped.getvalue()))
        bar("writing", 1200, 0)
        assert until(lambda: re.search(r"writing: 1,200, \d+ s\n", piped.getvalue()))
    time.sleep(0.05)
    after = piped.getvalue()
    time.sleep(0.1)
    assert piped.getvalue() == after


def test_a_hidden_bar_does_not_draw(monkeypatch):
    terminal = watched(monkeypatch, 0.01)
    with ProgressBar("pages", 7) as bar:
        assert until(lambda: "pages" in terminal.getvalue())
        with bar.hidden():
            before = terminal.getvalue()
            time.sleep(0.3)
            assert terminal.getvalue() == before
        bar("pages", 2, 7)
        assert until(lambda: "2 of 7" in terminal.getvalue())


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("HTTP 404 (any_status takes its page)", "HTTP 404 (--any-status takes its page)"),
        ("not done (timeout sets it)", "not done (--timeout sets it)"),
        ("HTTP 401 (credentials gives name and password)", "HTTP 401 (--user gives name and password)"),
        ("nothing matched wait_for 'p'", "nothing matched --wait-for 'p'"),
        # No names of options.
        ("no answer within its timeout; look there", "no answer within its timeout; look there"),
    ],
)
def test_remedies_are_named_as_options(capsys, why, said):
    complain("a.html", why)
    assert capsys.readouterr().err == f"a.html: {said}\n"


def test_errors_become_exit_codes(capsys):
    with pytest.raises(Failed) as failed, report_errors():
        raise BlocksightError("the page has gone")
    assert failed.value.exit_code == 1
    assert capsys.readouterr().err == "blocksight: the page has gone\n"
    with pytest.raises(click.UsageError, match="a number"), report_errors():
        raise ValueError("a number is needed")
