"""A page whose markup names no title has the largest line above its text."""

import blocksight as bs
import pytest
from blocksight.page.clean_text import text_below
from blocksight.page.metadata.title import title_of
from blocksight.page.metadata.title_by_look import headings_by_look

pytestmark = pytest.mark.browser

HEAD = "<!doctype html><title>The Gull</title><meta property=og:site_name content='The Gull'>"
TEXT = "<div>Eels are back in the river, and it is not known why they were away for so long.</div>" * 12
BIG = "<div style='font-size: 32px'>{}</div>"


def opened(browser, tmp_path, body):
    path = tmp_path / "page.html"
    path.write_text(HEAD + body)
    return browser.open(path)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (BIG.format("The eels are <b>back</b>") + TEXT, "The eels are back"),
        # In a link, in the header, hidden, and as large as the text: none of the page.
        (f"<a href=/other>{BIG.format('The eels are back')}</a>{TEXT}", "The Gull"),
        (f"<header>{BIG.format('The eels are back')}</header>{TEXT}", "The Gull"),
        (f"<div style='opacity: 0'>{BIG.format('The eels are back')}</div>{TEXT}", "The Gull"),
        (f"<div>The eels are back</div>{TEXT}", "The Gull"),
        # Two lines are as large; a number; far below; the name of the site.
        (BIG.format("The eels are back") + TEXT + BIG.format("The tides are, too") + TEXT, "The Gull"),
        (BIG.format("1,984") + TEXT, "The Gull"),
        (f"<div style='height: 2000px'></div>{BIG.format('The eels are back')}{TEXT}", "The Gull"),
        (BIG.format("The Gull") + TEXT, "The Gull"),
        # The title that is declared is the start of the one that is shown.
        (BIG.format("The Gull is back") + TEXT, "The Gull is back"),
        # A heading of the first level is the title, whatever is larger.
        (f"<h1 style='font-size: 20px'>Eels</h1>{BIG.format('The eels are back')}{TEXT}", "Eels"),
    ],
)
def test_title_by_look(browser, tmp_path, body, title):
    page = opened(browser, tmp_path, body)
    assert title_of(page) == title


def test_title_by_look_without_geometry():
    assert title_of(bs.parse(HEAD + BIG.format("The eels are back") + TEXT)) == "The Gull"


def test_headings_by_look(browser, tmp_path):
    def part(size, words):
        return f"<div style='font-size: {size}px'>{words}</div>"

    # Of two sizes, each twice; alone of its size; without text below; as large as the text; in a link.
    body = TEXT + part(30, "One") + TEXT + part(22, "Two") + TEXT + part(22, "Three") + TEXT + part(30, "Four") + TEXT
    body += part(26, "Alone") + TEXT + part(30, "1,984") + "<div>eels</div>" + part(16, "Small") + TEXT
    page = opened(browser, tmp_path, f"{body}<a href=/a>{part(30, 'Link')}</a>{TEXT}")
    found = headings_by_look(page, page.hidden == 0)
    assert {text_below(page, row): level for row, level in found.items()} == {"One": 2, "Two": 3, "Three": 3, "Four": 2}
    assert "## Four\n" in bs.extract(page).markdown
    page = opened(browser, tmp_path, f"<h2>Tea</h2>{body}")
    assert headings_by_look(page, page.hidden == 0) == {}
