"""Words that only their place or their links keep apart."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.content.word_gaps import word_gaps


def test_two_links_are_two_words():
    page = bs.parse("<p><a href=/1>tea</a><a href=/2>kettle</a>s <b>t</b>in</p>")
    assert word_gaps(page).tolist() == [False, True, False, False, False]


def test_links_without_white_space_are_written_apart():
    text = "The kettle that was bought last week whistles far too loudly for a small kitchen."
    page = bs.parse(f"<article><h1>Kettles</h1><p>{text} <a href=/1>tea</a><a href=/2>kettle</a>s</p></article>")
    assert bs.extract(page).text == f"{text} tea kettles"


STYLE = "<style>.tag{background:#eee;padding:4px 8px;margin-right:6px}.drop{float:left;font-size:48px;margin-right:6px}"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "apart"),
    [
        ("<span class=tag>tea</span><span class=tag>kettle</span>", [False, True]),
        ("<b>ket</b>tle", [False, False]),
        ("<span class=drop>T</span>he kettle", [False, False]),
        ("<div>tea</div><div style='margin-left:90px'>kettle</div>", [False, False]),
        ("<span dir=rtl><span class=tag>שלום</span><span class=tag>עולם</span></span>", [False, True]),
    ],
    ids=["tags", "bold", "initial", "lines", "right to left"],
)
def test_a_gap_is_seen(browser, html, apart):
    page = browser.open(f"<!doctype html>{STYLE}</style><p>{html}".encode())
    assert np.array_equal(word_gaps(page), apart)
