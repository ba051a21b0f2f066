"""VIPS, rule by rule, on pages with boxes written down by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.export import to_dict
from blocksight.segment.vips.content_structure import least_alike
from blocksight.segment.vips.extraction import DivideAction, Extractor
from blocksight.segment.vips.nodes import nodes_of
from blocksight.segment.vips.rules import Thresholds, coherences
from blocksight.segment.vips.separators import PageRules, Weights, find_separators
from blocksight.segment.vips.vips import blocks_of_leaves
from generators.boxed_nodes import body, line, node_of

WHITE, GREY = 0xFFFFFFFF, 0xDDDDDDFF
#: Whole numbers, which the fitted ones are not; lines of these pages are 20 pixels high.
PLAIN = Weights(distance=0.5, rule=3, background=3, font=1, smaller_above=1, heading=0.5, columns=0, alike=0.25)
PIXELS = PLAIN.in_pixels(20.0)


def decided(page, tag, *, relative_size=200, **more):
    """Return action and rule for the first node of a tag."""
    node = int(np.flatnonzero(page.has_tag(tag))[0])
    decision = Extractor(page, Thresholds(relative_size=relative_size)).decide((node,), **more)
    return decision.action, decision.rule


def test_r1_nothing_to_see_is_cut(boxed):
    page = boxed(body(("div", (0, 0, 400, 20), []), ("p", (0, 40, 400, 20), [line("a", 40)])))
    assert decided(page, "div") == (DivideAction.CUT, 1)


def test_r2_one_child_that_is_no_text_is_divided(boxed):
    page = boxed(body(("div", (0, 0, 400, 20), [("p", (0, 0, 400, 20), [line("a", 0)])])))
    assert decided(page, "div") == (DivideAction.DIVIDE, 2)


@pytest.mark.parametrize(("weight", "doc"), [(400, 10), (700, 9)])
def test_r4_text_only_is_kept_as_one(boxed, weight, doc):
    page = boxed(body(("p", (0, 0, 400, 20), [line("a", 0), ("b", (0, 0, 9, 20), [line("b", 0, weight=weight)])])))
    node = int(np.flatnonzero(page.has_tag("p"))[0])
    decision = Extractor(page, Thresholds(relative_size=200)).decide((node,))
    assert (decision.action, decision.rule, decision.doc) == (DivideAction.KEEP, 4, doc)


def test_r4_is_for_virtual_text_all_the_way_down(boxed):
    # The published port tests "text or virtual" by "or" at one child: an inline element with a block inside is neither.
    inline = ("span", (0, 0, 400, 20), [("div", (0, 0, 400, 20), [line("b", 0)])])
    page = boxed(body(("p", (0, 0, 400, 40), [line("a", 20), inline])))
    assert decided(page, "p", relative_size=0)[1] != 4


def test_r5_a_line_breaking_child_divides(boxed):
    page = boxed(body(("p", (0, 0, 400, 40), [line("a", 0), ("div", (0, 20, 400, 20), [line("b", 20)])])))
    assert decided(page, "p") == (DivideAction.DIVIDE, 5)


def test_r6_a_rule_divides(boxed):
    rule = ("hr", (0, 20, 400, 2), [])
    page = boxed(body(("div", (0, 0, 400, 50), [("b", (0, 0, 9, 20), [line("a", 0)]), rule, line("b", 30)])))
    assert decided(page, "div") == (DivideAction.DIVIDE, 6)


def test_r7_children_larger_than_the_node_divide(boxed):
    wide = ("div", (0, 0, 800, 400), [line("a", 0, width=800), line("b", 380, width=800)])
    other = ("div", (0, 0, 800, 400), [line("c", 0, width=800), line("d", 380, width=800)])
    page = boxed(body(("section", (0, 0, 800, 400), [wide, other])))
    assert decided(page, "section") == (DivideAction.DIVIDE, 7)


def test_r8_another_background_divides_and_keeps_that_child(boxed):
    cell = ("td", (0, 0, 400, 300), [line("a", 0)], {"ground": GREY})
    row = ("tr", (0, 0, 400, 300), [cell, ("td", (0, 300, 400, 20), [line("b", 300)])], {"ground": WHITE})
    page = boxed(body(row))
    node = int(np.flatnonzero(page.has_tag("tr"))[0])
    extractor = Extractor(page, Thresholds(relative_size=0))
    assert extractor.decide((node,))[:2] == (DivideAction.DIVIDE, 8)
    assert extractor.kept_children(node) == (int(np.flatnonzero(page.has_tag("td"))[0]),)


def small(tag):
    paragraphs = [("p", (0, y, 200, 20), [line(str(y), y, width=200)]) for y in (20, 60)]
    return (tag, (0, 0, 200, 80), [line("a", 0, width=200), *paragraphs])


def test_r9_a_small_node_with_text_of_its_own_is_kept(boxed):
    assert decided(boxed(body(small("div"))), "div") == (DivideAction.KEEP, 9)
    assert decided(boxed(body(small("div"))), "div", relative_size=2)[0] is DivideAction.DIVIDE


def test_r10_a_node_with_small_children_is_kept(boxed):
    paragraphs = [("p", (0, y, 800, 20), [line(str(y), y, width=800)]) for y in (0, 980)]
    page = boxed(body(("div", (0, 0, 800, 1000), paragraphs)))
    # Each child is 40 squares of the line height large. The published port has it the wrong way round and divides.
    assert decided(page, "div") == (DivideAction.KEEP, 10)
    assert decided(page, "div", relative_size=20) == (DivideAction.DIVIDE, 12)


def boxed_row():
    large = [("div", (0, y, 400, 200), [line(str(y), y), line("x", y + 180)]) for y in (0, 220)]
    return ("tr", (0, 0, 800, 420), [("td", (0, 0, 400, 420), large), ("td", (400, 0, 400, 420), large)])


@pytest.mark.parametrize(
    ("divided", "action"), [(False, DivideAction.KEEP), (True, DivideAction.KEEP), (None, DivideAction.KEEP)]
)
def test_r11_and_r13_keep_a_cell(boxed, divided, action):
    page = boxed(body(boxed_row()))
    found, rule = decided(page, "td", relative_size=20, sibling_divided=divided)
    assert (found, rule) == (action, 11 if divided is False else 13)


def test_find_separators_between_rows(boxed):
    page = boxed(body(*(("p", (0, y, 400, 20), [line("a", y)]) for y in (0, 20, 60))))
    extractor = Extractor(page, Thresholds(relative_size=200))
    items = [extractor.item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]
    found = find_separators(items, extractor.rules, PIXELS, horizontal=True)[1]
    assert [(stripe.start, stripe.end) for stripe in found] == [(20, 20), (40, 60)]
    # 20 pixels, a line's height, weigh 2, halved between texts that look the same; the page's borders are none.
    assert [stripe.weight for stripe in found] == [0, 1]
    assert find_separators(items, extractor.rules, PIXELS, horizontal=False)[1] == []


def test_find_separators_between_columns(boxed):
    # Fonts weigh on horizontal ones only; a background on both. The page's left and right borders are none.
    columns = [("p", (x, 0, 100, 20), [("a", (x, 0, 100, 20), {"size": size})]) for x, size in ((50, 12), (200, 30))]
    grey = ("div", (330, 0, 100, 20), [("b", (330, 0, 100, 20))], {"ground": GREY})
    page = boxed(body(*columns, grey))
    extractor = Extractor(page)
    items = [extractor.item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p", "div"))]
    found = find_separators(items, extractor.rules, PIXELS, horizontal=False)[1]
    assert [(stripe.start, stripe.end, stripe.weight) for stripe in found] == [(150, 200, 5), (300, 330, 3 + 3)]
    assert find_separators(items, extractor.rules, PIXELS, horizontal=True)[1] == []


def test_find_separators_weights(boxed):
    def weight(first, second, *between):
        page = boxed(
            body(
                ("p", (0, 0, 400, 20), [line("a", 0, **first)]),
                *between,
                ("p", (0, 40, 400, 20), [line("b", 40, **second)]),
            )
        )
        extractor = Extractor(page, Thresholds(relative_size=200))
        items = [extractor.item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]
        (stripe,) = find_separators(items, extractor.rules, PIXELS, horizontal=True)[1]
        return stripe.weight

    assert weight({}, {}) == 1
    # A heading belongs to what follows: half of the white space, and nothing for the font.
    assert weight({"size": 30}, {}) == weight({"weight": 700}, {}) == 2 / 2
    assert weight({}, {"size": 30}) == 2 + 1 + 1
    assert weight({}, {}, ("hr", (0, 29, 400, 2), [])) == (2 + 3) / 2


def test_find_separators_below_high_text(boxed):
    lines = [line(f"large {y}", y, size=30) for y in (0, 20, 40, 60)]
    page = boxed(body(("p", (0, 0, 400, 80), lines), ("p", (0, 100, 400, 20), [line("b", 100)])))
    items = [Extractor(page).item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]
    (stripe,) = find_separators(items, PageRules(np.zeros((0, 4))), PIXELS, horizontal=True)[1]
    assert stripe.weight == pytest.approx(2 + 1, abs=0.02)  # lines of 20 px count as .675 of 30 px


def test_vips_weighs_columns_of_the_page(boxed):
    def weight(width, **weights):
        columns = [
            ("div", (x, 0, width, 300), [line(f"{x} {y}", y, x, width) for y in (0, 280)]) for x in (0, width + 20)
        ]
        blocks = bs.vips(boxed(body(*columns)), pdoc=10, weights=replace(PLAIN, **weights))
        return float(blocks.separators.weight[~blocks.separators.horizontal].max())

    # 20 pixels weigh 2; the page is 800 pixels wide.
    assert weight(300, columns=3) == 2 + 3
    assert weight(150, columns=3) == 2
    assert weight(150, columns=3, wide=0.3) == 2 + 3


def test_vips_keeps_small_blocks(boxed):
    """A heading on a ground of its own, 20 pixels above two lines: 400 × 60 pixels, 60 squares of the line height."""
    bar = ("div", (0, 0, 400, 20), [line("title", 0)], {"ground": GREY})
    text = ("div", (0, 40, 400, 20), [line("text", 40)])
    page = boxed(body(("div", (0, 0, 400, 60), [bar, text]), ("p", (0, 900, 400, 20), [line("far", 900)])))
    parted, whole = (Thresholds(relative_size=0, small=small) for small in (40, 80))
    assert bs.vips(page, pdoc=8, thresholds=parted).leaf_block.tolist() == [2, 3, 4]
    blocks = bs.vips(page, pdoc=8, thresholds=whole)
    assert blocks.leaf_block.tolist() == [1, 1, 2]
    assert blocks.doc.tolist()[1] == 8
    # At 9 it is cut, as all that is kept for its size.
    assert bs.vips(page, pdoc=9, thresholds=whole).leaf_block.tolist() == [2, 3, 4]


def two_columns(boxed):
    left = [("p", (0, y, 380, 20), [line(f"left {y}", y, width=380)]) for y in (100, 124, 148)]
    right = [("p", (420, y, 380, 20), [line(f"right {y}", y, x=420, width=380)]) for y in (100, 124, 148)]
    return boxed(
        body(
            ("h1", (0, 0, 800, 40), [("Title", (0, 0, 800, 40), {"size": 32, "weight": 700})]),
            ("div", (0, 100, 380, 68), left),
            ("div", (420, 100, 380, 68), right),
        )
    )


def test_columns_under_a_title(boxed):
    page = two_columns(boxed)
    blocks = bs.vips(page, pdoc=8)
    leaf = {page.leaf_texts[i]: int(block) for i, block in enumerate(blocks.leaf_block)}
    assert leaf["left 100"] == leaf["left 124"] == leaf["left 148"]
    assert leaf["right 100"] == leaf["right 148"] != leaf["left 100"]
    assert leaf["Title"] not in (leaf["left 100"], leaf["right 100"])
    # The title is separate from both columns, which share a parent below the root.
    assert blocks.parent[leaf["left 100"]] == blocks.parent[leaf["right 100"]] != blocks.parent[leaf["Title"]]
    assert blocks.box[0].tolist() == [0, 0, 800, 168]


def test_vips_refines_by_degree(boxed):
    page = two_columns(boxed)
    sizes = [len(bs.vips(page, pdoc=pdoc)) for pdoc in range(1, 11)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 1


@pytest.mark.parametrize("degrees", [(5, 8), (8, 3, 10), (1,)])
def test_blocks_of_leaves_by_degree(boxed, degrees):
    page = two_columns(boxed)
    for degree, found in zip(degrees, blocks_of_leaves(page, degrees), strict=True):
        assert found.tolist() == bs.vips(page, pdoc=degree).leaf_block.tolist()


def test_to_dict_of_vips(boxed):
    page = two_columns(boxed)
    blocks = bs.vips(page, pdoc=8, weights=PLAIN)
    tree = to_dict(page, blocks)
    assert tree["size"] == [800, 1000]
    (root,) = tree["blocks"]
    assert root["box"] == [0, 0, 800, 168]
    # A line is 3,080 / (800 / 40 + 2,280 / 20) pixels high: 800 pixels of text are 40 high, 2,280 are 20 high.
    parts = {"distance": 5.221, "heading": -2.61}
    assert root["separators"][0] == {
        "box": [0, 40, 800, 60], "direction": "horizontal", "weight": 2.61, "parts": parts,
    }  # fmt: skip
    facts = {name: root[name] for name in ("id", "rule", "tag", "selector", "xpath")}
    assert facts == {"id": 0, "rule": "R3", "tag": "body", "selector": ["body"], "xpath": ["/body"]}
    assert root["children"][0]["leaves"] == [{"text": "Title", "box": [0, 0, 800, 40]}]


def test_vips_refuses_invalid_parameters(boxed):
    with pytest.raises(ValueError, match="render the page"):
        bs.vips(bs.parse("<p>a"))
    for wrong in (0, 11):
        with pytest.raises(ValueError, match="must be"):
            bs.vips(two_columns(boxed), pdoc=wrong)
    for wrong in ({"relative_size": -0.1}, {"small": -1}, {"sizes": ((0.1, 9),)}):
        with pytest.raises(ValueError, match="must"):
            Thresholds(**wrong)


def test_coherences_by_size_and_tag(boxed):
    # The section is 2,000 squares of the line height large, the paragraph and the div 10 each.
    small_ones = [(tag, (0, y, 200, 20), [line(tag, y, width=200)]) for tag, y in (("p", 0), ("div", 40))]
    page = boxed(body(("section", (0, 0, 800, 1000), [*small_ones, ("img", (0, 0, 800, 1000), [])])))

    def docs(**thresholds):
        nodes = nodes_of(page)
        found = coherences(nodes, Thresholds(**thresholds))
        return [int(found[node_of(page, tag)]) for tag in ("section", "p", "div")]

    assert docs() == [6, 8, 8]
    assert docs(sizes=((10, 5),), coherent=frozenset({"div"})) == [5, 5, 6]


def test_find_separators_with_given_weights(boxed):
    page = boxed(body(*(("p", (0, y, 400, 20), [line(str(y), y)]) for y in (0, 30, 45))))
    items = [Extractor(page).item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]

    def stripes(**weights):
        found = find_separators(
            items, PageRules(np.zeros((0, 4))), Weights(**weights).in_pixels(20.0), horizontal=True
        )[1]
        return [(stripe.start, stripe.end, stripe.weight) for stripe in found]

    assert stripes(distance=0.25, series=1) == [(20, 30, 2)]
    # The last two overlap by 5 pixels.
    assert stripes(distance=0.5, slack=0.25) == [(20, 30, 0.5), (45, 45, 0)]


@pytest.mark.parametrize(
    ("rule", "ruled"),
    [
        ((0, 19, 400, 22), True),
        ((0, 16.2, 400, 20.2), True),  # its middle is 1.8 above the stripe, within a tenth of a line
        ((0, 15.8, 400, 19.8), False),
        ((0, 59.8, 400, 63.8), True),
        ((0, 60.2, 400, 64.2), False),
        ((0, 17, 400, 62), False),  # thicker than the stripe and a tenth of a line on each side
        ((0, 18.5, 400, 62), True),
        ((400, 40, 800, 41), False),  # in another column
    ],
)
def test_find_separators_with_rules(boxed, rule, ruled):
    # The stripe is from 20 to 60: 40 pixels of white space weigh 4, half of it in a series, and a rule as much again.
    page = boxed(body(("p", (0, 0, 400, 20), [line("a", 0)]), ("p", (0, 60, 400, 20), [line("b", 60)])))
    items = [Extractor(page).item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]
    rules = PageRules(np.asarray([rule], dtype=np.float64))
    (stripe,) = find_separators(items, rules, replace(PLAIN, rule=4.0).in_pixels(20.0), horizontal=True)[1]
    assert stripe.weight == (4 if ruled else 2)


def test_vips_levels_of_growing_gaps(boxed):
    """A level each would cost the square of the lines."""
    tops = np.cumsum(np.arange(200) * 3 + 20)
    paragraphs = [("p", (0, int(y), 400, 20), [line(str(y), int(y))]) for y in tops]
    page = boxed(body(*paragraphs), size=(800.0, float(tops[-1]) + 20))
    blocks = bs.vips(page, pdoc=10)
    depth = np.zeros(len(blocks), dtype=int)
    for row, above in enumerate(blocks.parent.tolist()):
        depth[row] = depth[above] + 1 if above >= 0 else 0
    assert 25 < depth.max() <= 40
    assert len(np.unique(blocks.leaf_block)) == 200


@pytest.mark.parametrize("moved", [-0.3, 0.0, 0.3])
def test_vips_is_stable_next_to_the_limit_of_equal_weights(boxed, moved):
    """Boxes moved by parts of a pixel have the same tree: the limit is where the weights differ most.

    In the series gaps of 60, 56.5, 55 and 20 pixels weigh 3, 2.825, 2.75 and 1 (see PLAIN): a limit of .25 below the
    heaviest one would be on either side of the third. The widest step between .125 and .375 below is under it.
    """
    tops = (0, 80, 156.5, 231.5 + moved, 271.5 + moved)
    page = boxed(body(*(("p", (0, y, 400, 20), [line(f"text {y:.0f}", y)]) for y in tops)))
    blocks = bs.vips(page, pdoc=10, weights=PLAIN)
    assert blocks.parent.tolist() == [-1, 0, 0, 0, 0, 4, 4]
    assert len(blocks.separators) == 4


@pytest.mark.parametrize(
    ("weights", "least"),
    [
        # The limit is between 1 and 3 below the greatest weight, 10: at the widest step from 9 to 7.
        ([10.0], 10.0),
        ([10.0, 9.5, 2.0], 9.5),  # one step of 2, from 9 to 7
        ([8.5, 10.0, 2.0], 8.5),  # .5 above 8.5 and 1.5 below
        ([10.0, 7.9], 10.0),  # 1.1 above 7.9 and .9 below, however far the next weight is
        ([10.0, 7.9, -90.0], 10.0),
        ([10.0, 8.1, -90.0], 8.1),
        ([10.0, 8.6, 7.3], 8.6),  # .4, 1.3, .3
        ([10.0, 7.0], 10.0),  # three below is no more as heavy
        ([10.0, 9.0], 9.0),
    ],
)
def test_least_alike(weights, least):
    assert least_alike(weights, 2.0) == least
