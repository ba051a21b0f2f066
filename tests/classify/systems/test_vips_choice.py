"""Choosing from the VIPS tree, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems import ORACLES
from blocksight.classify.systems.vips_content import VipsOracle, VipsWords, block_tags
from blocksight.segment.blocks import Blocks

TEN = "one two three four five six seven eight nine ten"
HTML = f"<body><ul><li>home</li><li>news</li></ul><div><p>{TEN}</p><p>{TEN}<br></p></div></body>"


def tree(parent, node, leaf_block):
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.asarray(node, dtype=np.int32),
        doc=np.full(len(parent), 8, dtype=np.int16),
        leaf_block=np.asarray(leaf_block, dtype=np.int32),
        box=np.zeros((len(parent), 4), dtype=np.float32),
    )


def rows(page, tag):
    return np.flatnonzero(page.has_tag(tag)).tolist()


def test_tags_of_each_block():
    page = bs.parse(HTML)
    (body,), (ul,), (div,) = rows(page, "body"), rows(page, "ul"), rows(page, "div")
    first, second = rows(page, "p")
    # The body holds the list and the div, the div the paragraphs.
    blocks = tree([-1, 0, 0, 2, 2], [body, ul, div, first, second], [1, 1, 3, 4])
    # The body's own two; ul and two li; the div's own; p; p and the break, which is one tag.
    assert block_tags(page, blocks).tolist() == [2, 6, 2, 2, 3]


def test_a_wrapper_is_no_part_of_the_block_inside_it():
    page = bs.parse(f"<body><div><p>{TEN}</p></div></body>")
    (body,), (p,) = rows(page, "body"), rows(page, "p")
    assert block_tags(page, tree([-1, 0], [body, p], [1])).tolist() == [4, 2]


@pytest.fixture
def page(laid_out):
    # A menu to the left, two paragraphs to the right of it.
    more = "and more of it than before"
    boxes = {"home": (0, 0, 100, 16), "news": (0, 20, 100, 16), TEN: (300, 0, 400, 16), more: (300, 400, 400, 16)}
    return laid_out(HTML.replace(f"<p>{TEN}<br></p>", f"<p>{more}<br></p>"), boxes)


def test_most_words_fewest_tags(marked, page):
    # The menu: 2 words, 6 tags. The paragraphs' block: 16 words, at least 5 tags.
    assert TEN in marked(VipsWords(), page)
    assert "home" not in marked(VipsWords(), page)
    # Were tags free, the whole page would have most words.
    assert "home" in marked(VipsWords(tag_cost=0.0), page)


def test_the_oracle_finds_the_gold(marked, page):
    assert marked(VipsOracle(gold=TEN), page)[0] == TEN
    assert "home" not in marked(VipsOracle(gold=TEN), page)
    assert "home" in marked(VipsOracle(gold="home news"), page)


def test_the_oracle_is_offered_by_name(marked, page):
    assert "vips-oracle" not in {system.card.name for system in bs.SYSTEMS}
    system = ORACLES["vips-oracle"](TEN)
    assert system.card.name == "vips-oracle"
    assert marked(system, page) == marked(VipsOracle(gold=TEN), page)


def test_geometry_is_needed():
    with pytest.raises(bs.errors.GeometryMissing, match="vips-words"):
        VipsWords().mark(bs.parse(HTML))
    with pytest.raises(ValueError, match="vips-oracle"):
        VipsOracle(gold="x").mark(bs.parse(HTML))
