"""Titles with the name of the site taken off."""

from html import escape
from pathlib import Path

import pytest
from blocksight.page.metadata.title import title_of
from blocksight.page.parse import parse
from hypothesis import given
from hypothesis import strategies as st

META = "<meta property=og:title content='{}'>"


def title(html, url="about:blank"):
    return title_of(parse(html, url=url))


def test_title_of_order_of_sources():
    meta = "<meta property=og:title content=Meta><meta name=title content=Name>"
    assert title(f"<title>Element</title>{meta}<h1>Head</h1>") == "Element"
    assert title(f"{meta}<h1>Head</h1>") == "Meta"
    assert title("<title> </title><meta name=title content=Name><h1>Head</h1>") == "Name"
    assert title("<body><h2>Two</h2><h1>Head <b>One</b></h1>") == "Head One"
    assert title("<body><p>no title</p>") == ""


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("First medal for Tanzania in Sochi | BBC Sports", "First medal for Tanzania in Sochi"),
        ("Why small models matter now – Some Blog", "Why small models matter now"),
        ("A long road to the sea · The Paper", "A long road to the sea"),
        ("Storm closes all schools in the north - North - The Daily Gull", "Storm closes all schools in the north"),
        ("首届国家电影节在青岛开幕-新华网", "首届国家电影节在青岛开幕"),
        ("这是一个很长的新闻标题内容_新闻频道_某某网", "这是一个很长的新闻标题内容"),
        ("Chapter 3 - Loops", "Chapter 3 - Loops"),
        ("How to cook pasta in ten minutes - Part 2", "How to cook pasta in ten minutes - Part 2"),
        ("Everything about the sharing economy: Uber", "Everything about the sharing economy: Uber"),
        ("state-of-the-art 2019/20 and/or Jean-Luc", "state-of-the-art 2019/20 and/or Jean-Luc"),
        ("One - Two", "One - Two"),
        ("20-Minute Eels (Easy, 1-Pot Recipe)", "20-Minute Eels (Easy, 1-Pot Recipe)"),
        ("The «old» way to catch «eels»", "The «old» way to catch «eels»"),
        ("» The way to catch eels", "The way to catch eels"),
        ("今年春天鳗鱼又回到了河里2026-新华网", "今年春天鳗鱼又回到了河里2026"),
        (" | ", "|"),
    ],
)
def test_title_of_short_end(whole, part):
    assert title(f"<title>{whole}</title>") == part


def test_title_of_known_site():
    site = "<meta property=og:site_name content='The Daily Gull'>"
    assert title(f"<title>The Daily Gull: Gulls</title>{site}") == "Gulls"
    assert title(f"<title>Daily Gull » Gulls » the daily gull</title>{site}") == "Gulls"
    assert title("<title>C++ - Wikipedia</title>", "https://en.wikipedia.org/wiki/C++") == "C++"
    east = "<meta property=og:site_name content=日報Web>"
    assert title(f"<title>鳗鱼：河里的故事：日報Web</title>{east}") == "鳗鱼：河里的故事"
    assert title(f"<title>Eels: Gulls - The Daily Gull</title>{site}{META.format('Gulls - The Daily Gull')}") == "Gulls"
    assert title("<title>example.co.uk | Tea</title>", "https://www.example.co.uk/tea") == "Tea"


def test_title_of_repeated_heading():
    assert title("<title>Gull News - Storm at sea</title><h1>Storm at sea</h1>") == "Storm at sea"
    assert title("<title>A - B of C - Gull News</title><h1>A – B of C</h1>") == "A – B of C"
    assert title("<title>Storm: a history - Gull</title><h1>Storm: a history</h1>") == "Storm: a history"
    assert title("<title>The whole long name of it - X</title><h1>The whole long name of it - X</h1>") == (
        "The whole long name of it - X"
    )


def test_title_of_a_heading_without_its_button():
    assert title("<title>Gull</title><h1>Storm at sea <button>Copy</button></h1>") == "Storm at sea"


def test_title_of_heading_is_site():
    assert title("<title>Hawaii: Islands of surprise</title><h1>Hawaii</h1>") == "Hawaii: Islands of surprise"
    site = "<meta property=og:site_name content=Gull>"
    assert title(f"<title>Storm at sea | Gull</title>{site}<h1>Gull</h1>") == "Storm at sea"


def test_title_of_only_site():
    site = "<meta property=og:site_name content=Gull>"
    assert title(f"<title>Gull</title>{site}<h1>Storm</h1>") == "Storm"
    assert title(f"<title>Gull</title>{site}") == "Gull"


def written_titles():
    """The lines of titles.tsv, as (address, site, title, heading, expected title)."""
    lines = Path(__file__).with_name("titles.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("url", "site", "whole", "heading", "expected"), written_titles())
def test_title_of_samples(url, site, whole, heading, expected):
    meta = f'<meta property="og:site_name" content="{escape(site)}">' if site else ""
    html = f"<title>{escape(whole)}</title>{meta}<body><h1>{escape(heading)}</h1><p>text</p>"
    assert title(html, url) == " ".join(expected.split())


@given(st.text(alphabet="ab中 -|_–:·»/1", max_size=30), st.text(alphabet="ab中 -|", max_size=8))
def test_title_of_is_a_substring(whole, heading):
    found = title(f"<title>{whole}</title><h1>{heading}</h1>", "https://ab.example/")
    written = " ".join(whole.split()), " ".join(heading.split())
    assert found in written[0] or found in written[1]
    assert bool(found) == any(written)


def test_title_of_invalid_url():
    assert title("<title>Storm | Gull</title>", "http://[") == "Storm | Gull"


def test_title_of_wording_of_heading():
    assert title("<title>'Storm' at sea</title><h1>‘Storm’ at sea ¶</h1>") == "‘Storm’ at sea"
    assert title("<title>Gulls, terns and others</title><h1>Gulls</h1>") == "Gulls, terns and others"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        # The name of the book.
        ("<title>The Harbour Book</title><main><h1>Mooring</h1></main>", "Mooring"),
        ("<title>The Harbour Book</title><header><h1>The Harbour Book</h1></header><div><h1>Mooring</h1></div>",
         "Mooring"),
        ("<title>The Harbour Book</title><div><h1>Mooring</h1></div>", "Mooring"),
        ("<title>Component docs</title><h1>Keeping bees on a roof</h1>", "Keeping bees on a roof"),
        # A section, a navigation bar, and two headlines.
        ("<title>A storm at sea took the whole roof of the mill</title><main><h1>News</h1></main>",
         "A storm at sea took the whole roof of the mill"),
        ("<title>The Harbour Book</title><nav><h1>Mooring</h1></nav>", "The Harbour Book"),
        ("<title>The Harbour Book</title><main><h1>Mooring</h1><h1>Anchors</h1></main>", "The Harbour Book"),
        # The title is another heading.
        ("<title>Storm at sea</title><main><h1>Weather report</h1><h2>Storm at sea</h2></main>", "Storm at sea"),
        ("<title>The Harbour Book</title><main><h1><div>Mooring</div><div>and anchors</div></h1></main>",
         "Mooring and anchors"),
    ],
)  # fmt: skip
def test_title_of_shown_headline(html, found):
    assert title(html) == found


META = "<meta property=og:title content='{}'>"


def test_title_of_declared_headline():
    head = "<title>Eels for sale in York - Animals - free of charge at gull.example</title>"
    assert title(f"{head}{META.format('Eels for sale')}<h1>Eels for sale</h1>") == "Eels for sale"
    assert title(f"{head}{META.format('Eels for sale')}<h2>Eels for sale</h2>") == "Eels for sale"
    cut = "<title>The eels of the lower river come back in</title>"
    whole = "The eels of the lower river come back in spring"
    assert title(f"{cut}{META.format(whole)}<h1>{whole}</h1>") == whole


def test_title_of_main_heading_at_an_end():
    site = "The long handbook of the river and its fish"
    assert title(f"<title>Eels - {site}</title><h1>Eels</h1>") == "Eels"
    assert title(f"<title>{site} - Eels</title><h2>{site}</h2><h1>Eels</h1>") == "Eels"
    assert title(f"<title>Eels: {site}</title><h1>Eels</h1>") == f"Eels: {site}"


def test_title_of_heading_boxes():
    assert title('<title>APPLE 11" tablet - Gull</title><h1><b>APPLE</b>11" tablet</h1>') == 'APPLE 11" tablet'


def test_title_of_headline_above_content():
    page = "<title>Red curry - Gull</title>{}<header><h1>Red curry</h1></header><main><h1>Looking for something?</h1>"
    assert title(page.format("")) == "Red curry"
    assert title(page.format(META.format("Red curry"))) == "Red curry"
    book = "<title>Red book</title><header><h1>Red book</h1></header><main><h1>On curry</h1><p>Text."
    assert title(book) == "On curry"


def test_title_of_repeated_name():
    assert title("<title>My river | My river</title><h2>Introduction</h2>") == "My river"


BOOK = "<header><h1 class=menu-title>Eels of the coast</h1></header>"


@pytest.mark.parametrize("around", [BOOK, BOOK.replace("header>", "div>")])
def test_title_of_chapter(around):
    # The chapter is less than a quarter of the title.
    assert (
        title(f"<title>Traps - Eels of the coast</title>{around}<main><h1>Traps</h1><p>Of willow.</p></main>")
        == "Traps"
    )
    # A script writes how far the reader is.
    assert title(f"<title>Traps 10% - Eels of the coast</title>{around}<main><h1>Traps</h1></main>") == "Traps"
    # Two headings in the main part: neither is the only one.
    two = "<main><h1>Traps</h1><h1>Nets</h1></main>"
    assert title(f"<title>Traps 10% - Eels of the coast</title>{around}{two}") == "Eels of the coast"


def test_title_of_section_heading():
    head = "<title>Eels of the coast</title><div><h1>Eels of the coast</h1></div>"
    assert title(f"{head}<main><h1>News</h1><p>They are back.</p></main>") == "Eels of the coast"


def test_title_of_heading_permalink():
    html = "<title>Where eels sleep - Gull</title><main><h1>Where eels sleep<a href=#e>#</a></h1></main>"
    assert title(html) == "Where eels sleep"
    assert title("<title>Learn C#</title><h1>Learn C#</h1>") == "Learn C#"


def test_title_of_copyright_names_the_site():
    html = "<title>Your weekly river reading – River Directions</title><p>They swim.<footer>© 2025 River Directions."
    assert title_of(parse(html)) == "Your weekly river reading"


def test_title_of_topic_below_the_name_of_a_forum():
    head = "<title>How to rebuild (nginx) on upgrade - Weir User Forums</title>"
    topic = "How to rebuild (nginx) on upgrade"
    assert title(f"{head}<h1>Weir User Forums</h1><h2>{topic}</h2>") == topic
    assert title(f"{head}<h2>{topic}</h2><h1>Weir User Forums</h1>") == "Weir User Forums"
