"""Options of a wrong type say what to pass."""

import re
import subprocess
import sys
from dataclasses import fields

import blocksight as bs
import pytest


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"viewport": "big"}, r"viewport must be \(width, height\) in pixels such as \(1280, 800\), not 'big'"),
        ({"viewport": (1280,)}, "viewport must be"),
        ({"viewport": ("1280", "800")}, "viewport must be"),
        ({"timeout": "3"}, "timeout must be a number such as 30.0, not '3'"),
        ({"timeout": None}, "timeout must be a number"),
        ({"timeout": True}, "timeout must be a number"),
        ({"scroll": 2.5}, "scroll must be a whole number such as 5"),
        ({"javascript": "no"}, "javascript must be True or False, not 'no'"),
        ({"wait_for": 3}, "wait_for must be a text"),
        ({"block": "image"}, "block must be a tuple"),
    ],
)
def test_types_of_options(values, says):
    with pytest.raises(TypeError, match=says):
        bs.RenderOptions(**values)


@pytest.mark.parametrize(
    "values",
    [{"timezone": "Mars/Base"}, {"timezone": "Europe"}, {"timezone": ""}, {"locale": "english"}, {"locale": ""}],
)
def test_render_options_unknown_place(values):
    name, value = next(iter(values.items()))
    with pytest.raises(ValueError, match=f"{name} must be a .* not '{value}'"):
        bs.RenderOptions(**values)
    assert bs.RenderOptions(timezone="Asia/Kolkata", locale="zh-Hant-TW").locale == "zh-Hant-TW"


def test_headers_may_be_a_dict_and_each_field_is_explained():
    assert bs.RenderOptions(headers={"A": "b"}) == bs.RenderOptions(headers=(("A", "b"),))
    explained = re.findall(r"^    (\w+(?:, \w+)*) : ", bs.RenderOptions.__doc__, re.MULTILINE)
    assert {name for line in explained for name in line.split(", ")} == {one.name for one in fields(bs.RenderOptions)}


def test_whole_numbers_are_numbers_of_seconds():
    assert bs.RenderOptions(timeout=3).timeout == 3


@pytest.mark.browser
def test_partial_pages_are_logged(browser, caplog):
    options = bs.RenderOptions(timeout=3.0, wait_for="p.never")
    with caplog.at_level("INFO", logger="blocksight"):
        page = browser.open(b"<p>Tea", url="https://gull.example/", options=options)
    assert f"{page.url}: partial: {page.partial_reason}" in caplog.messages
    assert page.partial_reason


@pytest.mark.browser
def test_a_browser_that_was_not_closed_ends_quietly():
    script = "import blocksight as bs\nbrowser = bs.Browser()\nprint(browser.open(b'<p>Tea').leaf_texts)"
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "('Tea',)\n")
    # As root, one line says that there is no sandbox.
    assert [line for line in done.stderr.splitlines() if "sandbox" not in line] == []
