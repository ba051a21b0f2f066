"""Words of which each letter is an inline block."""

import blocksight as bs
import pytest

pytestmark = pytest.mark.browser
STYLE = "<style>b { display: inline-block; font-weight: 400 } a { display: inline-block; padding: 0 9px }</style>"


def split(words):
    return " ".join(f"<b>{''.join(f'<b>{letter}</b>' for letter in word)}</b>" for word in words.split())


def text(browser, html):
    page = browser.open(f"<!doctype html>{STYLE}<title>x</title>{html}".encode())
    return bs.extract(page, system="everything").text


def test_block_level_letters(browser):
    assert "A linen sail" in text(browser, f"<h2>{split('A linen sail')}</h2>")


def test_block_level_entries_of_a_menu(browser):
    found = text(browser, "<div><a>Boats</a><a>Ropes</a><a>Lamps</a></div>")
    assert "BoatsRopes" not in found
