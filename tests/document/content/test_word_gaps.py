"""Words that only their place or their links keep apart."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.content.paragraphs import word_gaps


def test_word_gaps_links():
    page = bs.parse("<p><a href=/1>tea</a><a href=/2>kettle</a>s <b>t</b>in</p>")
    assert word_gaps(page).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("texts", [("C", "++"), ("(", "tea"), ("浦东", "新区")])
def test_links_that_meet_in_signs_or_in_scripts_without_spaces_are_one_word(texts):
    page = bs.parse("<p><a href=/1>{}</a><a href=/2>{}</a></p>".format(*texts))
    assert not word_gaps(page).any()


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
        ("<code style='padding:4px 8px'>run()</code>, (<code style='padding:4px 8px'>stop</code>)", [False] * 4),
        ("<i>re<b style='padding:0 9px'>mark</b></i>able", [False] * 3),
        ("<kbd style='padding:4px 8px'>Ctrl</kbd>-<kbd style='padding:4px 8px'>C</kbd>", [False] * 3),
        ("<div>tea</div><div style='margin-left:90px'>kettle</div>", [False, False]),
        ("<span dir=rtl><span class=tag>שלום</span><span class=tag>עולם</span></span>", [False, True]),
    ],
    ids=["tags", "bold", "initial", "code", "part of a word", "keys", "lines", "right to left"],
)
def test_word_gaps_rendered(browser, html, apart):
    page = browser.open(f"<!doctype html>{STYLE}</style><p>{html}".encode())
    assert np.array_equal(word_gaps(page), apart)


def test_word_gaps_of_some_leaves():
    page = bs.parse("<p><a href=/1>C</a><a href=/2>++</a> <a href=/3>tea</a><a href=/4>kettle</a></p>")
    some = np.asarray([False, False, False, True])
    assert (word_gaps(page, some) & some).tolist() == [False, False, False, True]
    assert word_gaps(page).tolist() == [False, False, False, True]
