"""The whole way, from an address to content, on pages whose main text is known."""

import blocksight as bs
import pytest
import trafilatura
from blocksight.compare.measures.measures import word_bag
from blocksight.document.content.plain_text import plain_text
from conftest import equal_pages

JAVASCRIPT = ("client-rendered", "open-shadow", "framed")


def gold(fixtures, name):
    return (fixtures / name / "gold.txt").read_text(encoding="utf-8")


@pytest.mark.browser
# In forty words a line more or less counts: the gold has the title, which is none of the text.
@pytest.mark.parametrize(
    ("name", "least"),
    [*((name, 0.95) for name in JAVASCRIPT), ("news", 0.95), ("magazine", 0.95), ("liquid", 0.95), ("short", 0.85)],
)
def test_rendered_pages(browser, address, fixtures, name, least):
    page = browser.open(f"{address}/{name}/page.html")
    found = bs.extract(page)
    assert word_bag(found.text, gold(fixtures, name)).f1 >= least, found.text
    assert all(block.box is not None and block.score is not None for block in found.blocks)


@pytest.mark.parametrize("name", JAVASCRIPT)
def test_readers_of_raw_html_see_nothing_there(fixtures, name):
    raw = (fixtures / name / "page.html").read_text(encoding="utf-8")
    assert word_bag(trafilatura.extract(raw, include_comments=False) or "", gold(fixtures, name)).f1 < 0.1


@pytest.mark.parametrize("name", ["news", "short"])
def test_raw_html_without_a_browser(fixtures, name):
    page = bs.parse((fixtures / name / "page.html").read_bytes(), url="https://example.org/x")
    assert word_bag(bs.extract(page).text, gold(fixtures, name)).f1 >= 0.9


def test_no_answer_is_an_answer(fixtures):
    page = bs.parse((fixtures / "index" / "page.html").read_bytes())
    found = bs.extract(page)
    assert (found.text, found.markdown, found.html, found.blocks) == ("", "", "", ())


@pytest.mark.browser
def test_no_answer_is_an_answer_when_rendered(browser, address):
    assert bs.extract(browser.open(f"{address}/index/page.html")).text == ""


@pytest.mark.browser
def test_every_character_is_in_a_leaf_of_the_page(browser, address):
    page = browser.open(f"{address}/news/page.html")
    found = bs.extract(page)
    leaves = "".join("".join(page.leaf_texts).split())
    rest = iter(leaves)
    # But for what marks the items of lists.
    assert all(character in rest for character in "".join(plain_text(found.content.root, marks=False).split()))


@pytest.mark.browser
def test_a_saved_page_gives_the_same_content(browser, address, tmp_path):
    page = browser.open(f"{address}/news/page.html")
    bs.save(page, tmp_path / "news.page")
    again = bs.load(tmp_path / "news.page")
    assert equal_pages(again, page)
    assert bs.extract(again).to_dict() == bs.extract(page).to_dict()
