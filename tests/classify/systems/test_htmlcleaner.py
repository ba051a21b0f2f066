"""HTMLCleaner by hand."""

from blocksight.classify.systems.htmlcleaner import HtmlCleaner

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
    assert marked(HtmlCleaner(), html) == [GOOD, f"{GOOD} {GOOD}"]
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
    # A language that is not declared is detected from the words.
    assert marked(HtmlCleaner(), html.replace("lang=LANGUAGE", "")) == [text]


def test_letters_without_case(marked):
    text = "船在岸边，是旧的，也不大。"
    assert marked(HtmlCleaner(), f"<p>{text}</p><p>首页</p><p>新闻</p>") == [text]


def test_every_stretch_with_more_function_words_than_links(marked):
    # 13 characters against a link of 40 part the two; both are kept. The last has 40 in a link itself, and is not.
    link = f"<p><a>{'x' * 40}</a></p>"
    html = f"<p>{GOOD}</p>{link}<p>{GOOD}</p>{link}<p>The <a>{'x' * 40}</a>.</p><p>a</p><p>b</p><p>c</p>"
    assert marked(HtmlCleaner(), html) == [GOOD, GOOD]


def test_what_is_in_forms_is_removed(marked):
    form = f"<form><p>{GOOD}</p><select><option>one</select></form>"
    assert marked(HtmlCleaner(), f"<p>{GOOD} {GOOD}</p>{form}<p>a</p><p>b</p>") == [f"{GOOD} {GOOD}"]
    # It holds most of the page: it is the page.
    assert marked(HtmlCleaner(), f"<p>{GOOD}</p><form><p>{GOOD} {GOOD}</p><p>a</p><p>b</p></form>") == [
        GOOD, f"{GOOD} {GOOD}",
    ]  # fmt: skip


def test_time_is_linear(marked):
    page = f"<p>{GOOD}</p><p><a>{'x' * 40}</a></p><p>a</p><p>b</p>" * 5_000
    assert len(marked(HtmlCleaner(), page)) == 5_000
