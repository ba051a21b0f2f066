"""HTMLCleaner by hand."""

import numpy as np
from blocksight.classify.systems.htmlcleaner import HtmlCleaner, best_between
from hypothesis import given
from hypothesis import strategies as st

#: 5 function words of 13 characters.
GOOD = "The boat was on the bank of Ytres."
MENU = "<ul><li><a>Home</a><li><a>News</a><li><a>About us</a></ul>"


def test_the_stretch_from_good_to_good(marked):
    # Between the good sentences the short line comes along; before and behind them nothing does.
    html = f"{MENU}<p>{GOOD}</p><p>Ytres</p><p>{GOOD}</p><p>Ytres</p>{MENU}"
    assert marked(HtmlCleaner(), html) == [GOOD, "Ytres", GOOD]


def test_good_sentences(marked):
    short, small, open_end = "The x.", GOOD.replace("The", "the"), GOOD.rstrip(".")
    for bad in (short, small, open_end):
        assert marked(HtmlCleaner(), f"<p>{bad}</p><p>{GOOD}</p><p>{bad}</p><p>so</p><p>so</p><p>so</p>") == [GOOD]


def test_links_part_stretches(marked):
    # 13 characters in function words against a link of 40 between, then against one of 12.
    html = f"<p>{GOOD}</p><p><a>{'x' * 40}</a></p><p>{GOOD} {GOOD}</p><p>a</p><p>b</p>"
    assert marked(HtmlCleaner(), html) == [f"{GOOD} {GOOD}"]
    assert len(marked(HtmlCleaner(), html.replace("x" * 40, "x" * 12))) == 3


def test_a_closing_quote_belongs_to_its_sentence(marked):
    said = GOOD.replace(".", ".”")
    assert marked(HtmlCleaner(), f"<p>{said}</p><p>a</p><p>b</p>") == [said]


def test_declared_language(marked):
    text = "Der Kahn lag an dem Ufer und war alt."
    html = f"<html lang=LANGUAGE><p>{text}</p><p>a</p><p>b</p>"
    assert marked(HtmlCleaner(), html.replace("LANGUAGE", "de-AT")) == [text]
    # It has no function word in Russian, so nothing is gained.
    assert marked(HtmlCleaner(), html.replace("LANGUAGE", "ru")) == []
    # What is not declared is told by the words.
    assert marked(HtmlCleaner(), html.replace("lang=LANGUAGE", "")) == [text]


def test_letters_without_case(marked):
    text = "船在岸边，是旧的，也不大。"
    assert marked(HtmlCleaner(), f"<p>{text}</p><p>首页</p><p>新闻</p>") == [text]


@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=1, max_size=12))
def test_best_between_by_all_pairs(members):
    gain = np.array([float(value) for value, _ in members])
    good = np.array([flag for _, flag in members])
    pairs = [(i, j) for i in range(len(gain)) for j in range(i + 1, len(gain) + 1) if good[i] and good[j - 1]]
    first, last = best_between(gain, good)
    most = max((gain[i:j].sum() for i, j in pairs), default=0.0)
    assert gain[first:last].sum() == max(most, 0.0)
    assert (first, last) == (0, 0) or (first, last) in pairs
