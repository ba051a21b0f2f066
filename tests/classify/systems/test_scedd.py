"""SCEDD by hand: what is short, where lines are counted and where they are seen."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.cetd import Cetd, dense_nodes
from blocksight.classify.systems.scedd import Scedd, SceddVisual, rough_bytes

CAPTION = "The ferry on its last day, seen from the bridge."  # 48 characters
NOTICE = "All rights reserved. No part of this page may be copied, kept or shown without leave."  # 85


def test_rough_bytes_by_hand():
    assert rough_bytes(bs.parse(f"<p>{'x' * 449}</p>")) == 449
    # Two for each Han character.
    assert rough_bytes(bs.parse(f"<p>{'船' * 224}</p>")) == 448
    # The densest element by itself is a paragraph of 100 bytes; the sum of densities finds the element around them.
    assert rough_bytes(bs.parse("<div>" + f"<p>{'x' * 100}</p>" * 6 + "</div>")) == 600
    assert rough_bytes(bs.parse(f"<div><p>{'x' * 300}</p><p hidden>{'y' * 300}</p></div>")) == 300


def test_the_threshold_is_the_least_density_up_to_html():
    page = bs.parse("<body><div><p>a</p><p>b</p></div><section>c</section></body>")
    values = {"html": 1.0, "body": 3.0, "div": 4.0, "p": 5.0, "section": 2.0}
    density = np.asarray([values.get(page.tag_of(row), 0.0) for row in range(len(page))])
    # The paragraph is the densest; with the body as the last ancestor three is the threshold, and html makes it one.
    assert [page.tag_of(row) for row in dense_nodes(page, density, density)] == ["p", "p"]
    assert [page.tag_of(row) for row in dense_nodes(page, density, density, last=0)] == ["p", "p", "section"]


def page_with(middle, before="", after=""):
    """Some sixty block-level tags: the page's first and last 5 % are three each."""
    return f"<body>{before}{'<hr>' * 28}{middle}{'<hr>' * 28}{after}</body>"


def test_mark_long_pages_by_the_other_method():
    page = bs.parse(page_with(f"<div>{CAPTION}</div>", after=f"<div>{NOTICE}</div>"))
    assert rough_bytes(page) == 85
    assert np.array_equal(Scedd(short_bytes=85).mark(page), Cetd().mark(page))
    assert not np.array_equal(Scedd(short_bytes=86).mark(page), Cetd().mark(page))


def test_the_densest_node_at_a_credible_height(marked):
    caption, notice = f"<div>{CAPTION}</div>", f"<div>{NOTICE}</div>"
    # In the middle the notice would win, being the densest; the caption's div reaches the threshold, too.
    assert NOTICE in marked(Scedd(), page_with(caption + notice))
    assert marked(Scedd(), page_with(caption, after=notice)) == [CAPTION]
    # Before it stand two tags of 60, those of html and body.
    assert marked(Scedd(), page_with(caption, before=notice)) == [CAPTION]


def test_other_coefficients(marked):
    html = page_with(f"<div>{CAPTION}</div>", after=f"<div>{NOTICE}</div>")
    assert NOTICE in marked(Scedd(bottom_coefficient=1.0), html)


def test_searches_limit(marked):
    # The last of five notices is the densest, then the one before it, and so on.
    notices = "".join(f"<div>{NOTICE}{'!' * n}</div>" for n in (1, 2, 3, 4, 5))
    html = f"<body>{'<hr>' * 120}<div>{CAPTION}</div>{'<hr>' * 120}{notices}</body>"
    assert marked(Scedd(short_bytes=1000), html) == [CAPTION]
    assert marked(Scedd(short_bytes=1000, searches=4), html) == [CAPTION, NOTICE + "!"]


def test_links_weigh_a_tenth(marked):
    # 85 characters in a link are 8.5: the caption is the densest node, and the bottom is not searched.
    html = page_with(f"<div>{CAPTION}</div>", after=f"<p>Up</p><div><a>{NOTICE}</a></div>")
    assert marked(Scedd(), html) == [CAPTION, "Up", NOTICE]
    assert marked(Scedd(link_weight=1.0), html) == [CAPTION, "Up"]


def test_text_before_the_title_is_removed(marked):
    html = page_with(f"<div>{NOTICE}</div><h1>The last ferry</h1><h2>After ninety years</h2><div>{CAPTION}</div>")
    assert marked(Scedd(), f"<title>The last ferry</title>{html}") == [CAPTION]
    # A title that nothing follows does not empty the page.
    assert NOTICE in marked(Scedd(), f"<title>The last ferry</title><div>{NOTICE}</div><h1>The last ferry</h1>")


def test_parts_of_forms_go(marked):
    html = page_with(f"<div>{CAPTION}</div><form><label>{NOTICE}</label><button>{NOTICE}</button></form>")
    assert marked(Scedd(), html) == [CAPTION]


def test_labels_and_buttons_outside_of_forms_are_text(marked):
    html = page_with(f"<div><button>{CAPTION}</button></div><div><label>{CAPTION}</label></div>")
    assert marked(Scedd(), html) == [CAPTION, CAPTION]


def test_lines_as_seen(marked, laid_out):
    # Three block-level tags, so that by their count the notice is at 2/4; seen, it is the page's last line.
    html = f"<body><p>{CAPTION}</p><p>{NOTICE}</p></body>"
    page = laid_out(html, boxes={NOTICE: (0.0, 2000.0, 600.0, 16.0), CAPTION: (0.0, 300.0, 600.0, 16.0)})
    assert NOTICE in marked(Scedd(), page.without_geometry())
    assert marked(SceddVisual(), page) == [CAPTION]


def test_on_an_even_page_both_agree(marked, laid_out):
    html = page_with(f"<div>{CAPTION}</div>", after=f"<div>{NOTICE}</div>")
    html = html.replace("<hr>", "<p>...</p>")
    page = laid_out(html)
    assert marked(SceddVisual(), page) == marked(Scedd(), page.without_geometry())


def test_the_visual_one_needs_geometry():
    with pytest.raises(bs.errors.GeometryMissing, match="scedd-visual needs geometry"):
        SceddVisual().mark(bs.parse("<p>one</p>"))
