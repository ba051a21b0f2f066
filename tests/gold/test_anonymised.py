"""Pages without semantic markup."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.features.class_names import node_families
from blocksight.features.rows import rows_of
from blocksight.gold.anonymised import Markup, hash_names, plain_tags, scramble_names, strip_markup, with_markup
from blocksight.page.hidden import Hidden
from blocksight.page.parse import parse
from blocksight.segment.blocks import text_blocks, visible_blocks
from conftest import equal_pages

HTML = """<title>Wall</title><meta property=og:title content=Wall>
<script type=application/ld+json>{"headline": "Wall"}</script>
<header class="site-header dark" role=banner><a rel=author href=/ada class=dark>Ada</a></header>
<article itemprop=articleBody><h1>The wall</h1><p>One <time datetime=2021-05-03>May 3</time> two</p>
<figure><img src=a.png alt=Wall><figcaption id=cap>Under the wall</figcaption></figure>
<div style="display:none" data-role=x>gone</div></article>"""


def shape(page):
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    return rows.texts, rows.node.tolist()


def test_blocks_and_texts_stay_and_names_go():
    page = parse(HTML)
    plain = with_markup(page, Markup.PLAIN)
    assert shape(plain) == shape(page)
    assert plain.title == "Wall"
    tags = {plain.tag_of(row) for row in range(len(plain))}
    assert not tags & {"header", "article", "figure", "figcaption", "time", "h1"}
    names = {plain.names[code] for code in plain.attribute_name.tolist()}
    assert names == {"class", "id", "href", "src", "alt", "style"}
    assert node_families(page).any()
    assert not node_families(plain).any()
    assert (plain.hidden == page.hidden).all()


def test_the_same_word_becomes_the_same_word():
    plain = with_markup(parse(HTML), Markup.PLAIN)
    column = plain.attribute("class")
    header, link = (plain.strings[code].split() for code in column[column >= 0].tolist())
    assert len(header) == 2
    assert link == header[1:]
    assert equal_pages(with_markup(parse(HTML), Markup.PLAIN), plain)


def test_what_was_seen_stays_seen():
    page = replace(parse("<p>one</p><p hidden>two</p>"), rendered_hidden=np.zeros(2, dtype=np.uint8))
    assert (with_markup(page, Markup.PLAIN).hidden == Hidden.VISIBLE).all()


def test_names_and_tags_can_be_removed_separately():
    page = parse(HTML)
    names, tags = scramble_names(page), plain_tags(page)
    assert {page.tag_of(row) for row in range(len(page))} == {names.tag_of(row) for row in range(len(names))}
    assert not node_families(names).any()
    assert not {"article", "h1", "time"} & {tags.tag_of(row) for row in range(len(tags))}
    assert node_families(tags).any()
    both = with_markup(page, Markup.PLAIN)
    assert equal_pages(plain_tags(names), both)


def test_hashed_names_leave_other_attributes():
    page = hash_names(parse("<main class='lead story' id=top role=main data-x=lead><p class=lead>Text</main>"))
    said = [page.strings[code] for code in page.attribute_value.tolist()]
    assert said[2:4] == ["main", "lead"]
    words = said[0].split()
    assert words[0] == said[4]
    assert not {"lead", "story", "top"} & {*words, said[1], said[4]}


def test_without_markup_links_and_pictures_are_left():
    page = strip_markup(
        parse("<main class=a><h2 id=b>Head</h2><ul><li><a href=/x class=c>go</a> <img src=i.png alt=I></ul>")
    )
    tags = {page.tag_of(row) for row in range(len(page))}
    assert tags == {"html", "head", "body", "div", "a", "img", "#text"}
    assert {page.names[code] for code in page.attribute_name.tolist()} == {"href", "src"}
    assert page.leaf_texts == ("Head", "go")


@pytest.mark.parametrize("markup", Markup)
def test_every_markup_has_the_same_text(markup):
    page = parse(HTML)
    assert with_markup(page, markup).leaf_texts == page.leaf_texts
