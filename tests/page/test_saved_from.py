"""The comment with which browsers start a page that they save."""

import blocksight as bs
import pytest
from blocksight.page.html import noted_address
from blocksight.page.store import dumps, loads
from blocksight.page.urls import address_of
from conftest import equal_pages

NOTED = "https://boats.example/viewtopic.php?t=12"
PAGE = (
    "<!DOCTYPE html>\n{comment}\n<html><head><title>Lock</title>{head}</head><body><p>The gate sticks when the "
    "river is high, <a href=two.html>says the keeper</a>, and nobody could move it on Sunday.</p></body></html>"
)
COMMENT = f"<!-- saved from url=(0040){NOTED} -->"
CANONICAL = "<link rel=canonical href=https://boats.example/lock>"


@pytest.mark.parametrize(
    ("comment", "address"),
    [
        (f" saved from url=(0040){NOTED} ", NOTED),
        (" saved from url=(0022)http://example.org/a?b ", "http://example.org/a?b"),
        (" saved from url=(0014)about:internet ", ""),
        (" saved from url=(0027)file:///saved/a.html ", ""),
        (f" was saved from url=(0040){NOTED} ", ""),
        (f" saved from url=(0040){NOTED} by hand ", ""),
    ],
)
def test_only_the_note_of_a_browser_is_an_address(comment, address):
    assert noted_address(comment) == address


@pytest.mark.parametrize(
    ("comment", "head", "url", "address"),
    [
        (COMMENT, "", "", NOTED),
        (COMMENT, CANONICAL, "", "https://boats.example/lock"),
        (COMMENT, "", "https://given.example/", "https://given.example/"),
        (COMMENT, "", "file:///saved/lock.html", NOTED),
        ("<!-- a --><!-- b --><!-- c --><!-- d --><!-- e -->" + COMMENT, "", "", ""),
        ("", "", "", ""),
    ],
    ids=["noted", "canonical first", "given", "file", "not at the start", "none"],
)
def test_the_address_of_a_saved_file(comment, head, url, address):
    page = bs.parse(PAGE.format(comment=comment, head=head), url=url)
    assert address_of(page) == address
    kept = loads(dumps(page))
    assert kept.saved_from == page.saved_from
    assert equal_pages(kept, page)


def test_links_of_a_saved_file_are_relative_to_the_address_it_was_saved_from():
    doc = bs.extract(bs.parse(PAGE.format(comment=COMMENT, head=CANONICAL.replace("canonical", "up"))))
    assert doc.base == NOTED
    assert doc.links[0].url == "https://boats.example/two.html"


@pytest.mark.browser
def test_a_rendered_file_keeps_the_address(browser, tmp_path):
    path = tmp_path / "lock.html"
    path.write_text(PAGE.format(comment=COMMENT, head=""), encoding="utf-8")
    page = browser.open(str(path))
    assert (page.saved_from, address_of(page)) == (NOTED, NOTED)
