"""Properties in page_metadata, on pages worked out by hand."""

import blocksight as bs
import numpy as np
from blocksight.page import clean_text
from blocksight.page.clean_text import MOST_CHARACTERS, text_below
from blocksight.page.metadata import page_metadata
from blocksight.page.metadata.page_metadata import read_items


def _items(html: str) -> tuple[tuple[str, str], ...]:
    page = bs.parse(html)
    return read_items(page, np.ones(len(page), dtype=bool))


def test_read_items_first_article():
    found = _items(
        "<div itemscope itemtype='https://schema.org/Article'><h1 itemprop=headline>The  heron</h1>"
        "<div itemprop=author itemscope><a itemprop=name href=/ada>Ada <b>Reed</b></a></div></div>"
    )
    assert found == (("headline", "The heron"), ("author", "Ada Reed"))


def test_read_items_long_text():
    page = bs.parse(f"<p>{'heron ' * MOST_CHARACTERS}</p>")
    assert text_below(page, 0) == ("heron " * MOST_CHARACTERS)[:MOST_CHARACTERS].strip()


def test_read_items_nested_properties(monkeypatch):
    read = []
    monkeypatch.setattr(clean_text, "clean", lambda text: read.append(len(text)) or text)
    depth = page_metadata.MOST_ITEMS
    _items(f"{'<b itemprop=text>' * depth}{'<i>word</i> ' * MOST_CHARACTERS}")
    assert len(read) == depth
    assert max(read) <= 2 * MOST_CHARACTERS
