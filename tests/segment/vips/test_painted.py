"""VIPS sees boxes as they are painted, on pages with boxes written down by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.page.geometry import Position
from blocksight.segment.vips.content_structure import _coherence
from blocksight.segment.vips.painted import LINE, painted_on
from blocksight.segment.vips.separators import Weights
from blocksight.segment.visible_boxes import visible_boxes
from generators.boxed_nodes import body, line, node_of, outer_rows, paragraph

GREY, BLUE = 0xDDDDDDFF, 0x0000FFFF
EDGED = {"border": (1, 1, 1, 1)}
#: Whole numbers, which the fitted ones are not.
PLAIN = Weights(distance=0.5, rule=3, background=3, columns=0)


def blocks_of(page, blocks):
    """The leaf blocks of a page: tag and box."""
    return [(page.tag_of(blocks.node[row]), *blocks.box[row].tolist()) for row in outer_rows(blocks).tolist()]


def painted(page):
    return painted_on(page, visible_boxes(page))


# 1: pictures, controls and painted empty boxes


@pytest.mark.parametrize("tag", ["img", "video", "canvas", "svg", "button", "input", "select"])
def test_what_shows_something_of_its_own_is_a_block(boxed, tag):
    page = boxed(body(paragraph("above", 0), (tag, (0, 100, 300, 200), []), paragraph("below", 380)))
    assert blocks_of(page, bs.vips(page, pdoc=8)) == [
        ("p", 0, 0, 400, 20),
        (tag, 0, 100, 300, 200),
        ("p", 0, 380, 400, 20),
    ]


def test_a_picture_is_no_white_space(boxed):
    page = boxed(body(paragraph("above", 0), ("img", (0, 40, 300, 200), []), paragraph("below", 260)))
    separators = bs.vips(page, pdoc=10, weights=PLAIN).separators
    # 20 pixels above and below, each a line's height; not one of 240 pixels.
    assert (separators.box.tolist(), separators.weight.tolist()) == ([[0, 20, 400, 20], [0, 240, 400, 20]], [2, 2])


def test_a_page_of_pictures_has_blocks(boxed):
    pictures = [("img", (x, y, 200, 150), []) for y in (0, 250) for x in (0, 300)]
    page = boxed(body(*pictures))
    assert len(blocks_of(page, bs.vips(page, pdoc=8))) == 4
    assert len(bs.vips(page, pdoc=1)) == 1


def test_a_form_is_a_block_with_its_controls(boxed):
    controls = [("input", (0, 100, 200, 30), []), ("button", (400, 100, 80, 30), [line("Go", 105, 410, 30)])]
    page = boxed(body(paragraph("above", 0), ("form", (0, 100, 480, 30), controls), paragraph("below", 300)))
    assert ("form", 0, 100, 480, 30) in blocks_of(page, bs.vips(page, pdoc=8))


def test_a_painted_empty_box_is_a_block_and_a_thin_one_a_rule(boxed):
    empty, thin = ("div", (0, 100, 300, 100), [], {"ground": BLUE}), ("div", (0, 302, 400, 2), [], {"ground": BLUE})
    page = boxed(body(paragraph("a", 0), empty, paragraph("b", 280), thin, paragraph("c", 306)))
    assert ("div", 0, 100, 300, 100) in blocks_of(page, bs.vips(page, pdoc=8))
    assert painted(page).rules.tolist() == [[0, 302, 400, 304]]


def test_an_icon_is_part_of_its_line(boxed):
    run = (line("see", 0, 0, 100), ("img", (100, 0, 20, 20), []), line("here", 0, 120, 100))
    page = boxed(body(("p", (0, 0, 400, 20), list(run)), paragraph("more", 100)))
    assert blocks_of(page, bs.vips(page, pdoc=10)) == [("p", 0, 0, 220, 20), ("p", 0, 100, 400, 20)]


# 2: layers


def test_what_is_fixed_is_a_layer_of_its_own(boxed):
    bar = ("aside", (0, 60, 800, 60), [line("cookies", 80, 0, 600)], {"ground": GREY, "position": Position.FIXED})
    page = boxed(body(*(paragraph(f"p{y}", y) for y in (0, 30, 60, 90)), bar))
    blocks = bs.vips(page, pdoc=2)
    assert blocks.leaf_block.tolist() == [1, 1, 1, 1, 2]
    assert blocks.box[1:].tolist() == [[0, 0, 400, 110], [0, 60, 800, 60]]
    assert blocks.doc[0] == 1


def test_a_layer_deep_in_the_page_leaves_what_is_around_it_whole(boxed):
    bar = ("aside", (0, 600, 800, 60), [line("cookies", 620)], {"ground": GREY, "position": Position.FIXED})
    page = boxed(body(("div", (0, 0, 400, 110), [paragraph("a", 0), bar, paragraph("b", 30)]), paragraph("c", 60)))
    blocks = bs.vips(page, pdoc=2)
    assert blocks.leaf_block.tolist() == [1, 2, 1, 1]
    assert blocks.box[1].tolist() == [0, 0, 400, 80]


@pytest.mark.parametrize("position", [Position.ABSOLUTE, Position.STICKY])
def test_a_painted_box_over_the_text_of_others_is_a_layer(boxed, position):
    look = {"ground": GREY, "position": position, "order": 2}
    page = boxed(body(paragraph("a", 0), paragraph("b", 30), ("div", (0, 20, 300, 60), [line("menu", 60)], look)))
    assert painted(page).raised.nonzero()[0].tolist() == [node_of(page, "div")]
    menu = ("div", (0, 100, 300, 60), [line("menu", 120)], look)
    assert not painted(boxed(body(paragraph("a", 0), paragraph("b", 30), menu))).raised.any()


def test_two_boxes_of_other_colours_that_overlap_are_two_blocks(boxed):
    def box(tag, x, y, ground, text):
        return (tag, (x, y, 300, 200), [line(text, y + 90, x + 10, 200)], {"ground": ground})

    page = boxed(body(box("div", 0, 0, GREY, "one"), box("section", 200, 100, BLUE, "two")))
    assert blocks_of(page, bs.vips(page, pdoc=8)) == [("div", 0, 0, 300, 200), ("section", 200, 100, 300, 200)]


# 3: what paints a box


@pytest.mark.parametrize("look", [EDGED, {"shadow": True}, {"image": True}, {"ground": GREY}, {"ground": 0x00000020}])
def test_a_painted_box_is_as_large_as_it_is_painted(boxed, look):
    card = ("div", (0, 0, 300, 100), [line("in it", 40, 50, 200)], look)
    page = boxed(body(card, paragraph("below", 120, 0, 300)))
    separators = bs.vips(page, pdoc=10, weights=PLAIN).separators
    assert separators.box.tolist() == [[0, 100, 300, 20]]
    # 20 pixels, and another look.
    assert separators.weight.tolist() == [2 + 3]


def test_what_is_faint_or_as_its_ground_paints_nothing(boxed):
    for ground in (0x00000002, 0xFFFFFFFF, 0xFFFFFF80):
        page = boxed(body(("div", (0, 0, 300, 100), [line("in it", 40, 50, 200)], {"ground": ground})))
        assert not painted(page).framed.any()


def test_translucent_colours_are_laid_over_one_another(boxed):
    inner = ("p", (0, 0, 300, 50), [line("a", 20)], {"ground": 0x00000080})
    page = boxed(body(("div", (0, 0, 300, 100), [inner], {"ground": 0xFF0000FF})))
    assert painted(page).ground[node_of(page, "p")] == 0x7F0000FF


def test_a_background_picture_on_a_line_is_a_bullet(boxed):
    item = ("li", (0, 0, 300, 20), [line("entry", 0, 20, 200)], {"image": True})
    hero = ("div", (0, 100, 800, 300), [line("welcome", 200)], {"image": True})
    page = boxed(body(item, hero))
    assert [page.tag_of(row) for row in np.flatnonzero(painted(page).framed)] == ["div"]


def test_bordered_cards_twenty_pixels_apart_are_twenty_pixels_apart(boxed):
    cards = [("div", (x, 0, 180, 100), [line("text", 40, x + 60, 60)], EDGED) for x in (0, 200, 400)]
    page = boxed(body(*cards))
    separators = bs.vips(page, pdoc=10, weights=PLAIN).separators
    assert separators.box.tolist() == [[180, 0, 20, 100], [380, 0, 20, 100]]
    assert separators.weight.tolist() == [2, 2]


def test_a_border_above_is_a_rule(boxed):
    footer = ("footer", (0, 40, 400, 60), [paragraph("below", 60)], {"border": (2, 0, 0, 0)})
    page = boxed(body(paragraph("above", 0), footer))
    assert painted(page).rules.tolist() == [[0, 40, 400, 42]]
    separators = bs.vips(page, pdoc=10, weights=PLAIN).separators
    assert (separators.box.tolist(), separators.weight.tolist()) == ([[0, 20, 400, 40]], [4 + 3])


# 4: tracks


def test_tracks_of_one_grid_are_parted_alike(boxed):
    """Three rows of two cells, 100 pixels high and 20 apart; text fills some of them hardly, and none its padding."""
    cells = []
    for row, high in enumerate((20, 60, 80)):
        for column in (0, 1):
            x, y = column * 220, row * 120
            lines = [line("text", y + 10 + at, x, 200) for at in range(0, high, 20)]
            cells.append(("div", (x, y, 200, 100), lines))
    page = boxed(body(("main", (0, 0, 420, 340), cells, {"display": "grid"})))
    blocks = bs.vips(page, pdoc=10)
    across = blocks.separators.horizontal
    # 20 pixels, and 10 of padding on both sides.
    assert blocks.separators.box[across].tolist() == [[0, 90, 420, 40], [0, 210, 420, 40]]
    assert len(set(blocks.separators.weight[across].tolist())) == 1


def test_boxes_in_a_row_are_tracks_whatever_places_them(boxed):
    def page(**look):
        floats = [("div", (x, 0, 200, 100), [line("text", 0, x, 200)], look) for x in (0, 220)]
        return boxed(body(*floats, ("div", (0, 100, 200, 100), [line("a", 100, 0, 200), line("b", 180, 0, 200)], look)))

    extent = painted(page()).extent
    tops = list(np.flatnonzero(page().has_tag("div")))
    assert extent[tops].tolist() == [[0, 0, 200, 100], [220, 0, 420, 100], [0, 100, 200, 200]]


# 5, 7, 8, 9: the tree


def test_a_painted_box_stays_at_any_coherence(boxed):
    card = ("div", (0, 0, 300, 200), [("p", (50, 40, 200, 20), [line("one", 40, 50, 200)])], EDGED)
    page = boxed(body(card, paragraph("two", 400)))
    assert {blocks_of(page, bs.vips(page, pdoc=pdoc))[0] for pdoc in range(2, 11)} == {("div", 0, 0, 300, 200)}


def test_interlocked_boxes_are_parted_and_no_separator_crosses_one(boxed):
    """A pinwheel: no straight stripe goes between them."""
    places = {"a": (0, 0, 300, 100), "b": (320, 0, 100, 300), "c": (120, 320, 300, 100), "d": (0, 120, 100, 300)}
    places["e"] = (120, 120, 180, 180)
    page = boxed(body(*(("div", box, [line(name, box[1], box[0], 60)], EDGED) for name, box in places.items())))
    blocks = bs.vips(page, pdoc=9, weights=PLAIN)
    assert len(blocks_of(page, blocks)) == 5
    assert not len(blocks.separators)
    # They are 20 pixels apart, not as coherent as can be.
    assert blocks.doc[0] == 8


@pytest.mark.parametrize(("weight", "doc"), [(0, 9), (1.5, 8), (2.5, 7), (2.4, 8), (9.6, 1), (40, 1)])
def test_coherence_is_rounded_one_way(weight, doc):
    assert _coherence(weight) == doc


# 10: zoom


def test_zoom_changes_nothing(boxed):
    def page(zoom):
        def at(tag, y, height, text):
            box = (0, y * zoom, 400 * zoom, height * zoom)
            return (tag, box, [(text, box)])

        # Zoomed pages keep their font sizes.
        return boxed(
            body(at("h1", 0, 20, "a"), at("p", 60, 20, "b"), at("p", 84, 20, "c")), size=(800.0, 1000.0 * zoom)
        )

    for pdoc in range(1, 11):
        one, two = bs.vips(page(1), pdoc=pdoc), bs.vips(page(2), pdoc=pdoc)
        assert (one.parent.tolist(), one.doc.tolist()) == (two.parent.tolist(), two.doc.tolist())
        assert (one.box * 2).tolist() == two.box.tolist()


def test_lines_tell_the_unit(boxed):
    assert painted(boxed(body(paragraph("a", 0), ("h1", (0, 50, 99, 40), [("b", (0, 50, 99, 40))])))).unit == 20
    assert painted(boxed(body(("img", (0, 0, 200, 100), [])))).unit == LINE * 800


# 11: plain layouts


def test_columns_of_like_text_are_parted(boxed):
    columns = [("div", (x, 0, 300, 44), [paragraph("a", 0, x, 300), paragraph("b", 24, x, 300)]) for x in (0, 340)]
    page = boxed(body(*columns))
    assert bs.vips(page, pdoc=8).leaf_block.tolist() == [1, 1, 2, 2]


def test_only_texts_of_like_siblings_are_halved(boxed):
    nav = ("nav", (0, 0, 400, 20), [line("a", 0)])
    inner = ("div", (0, 0, 400, 20), [paragraph("a", 0)])
    for first, weight in ((paragraph("a", 0), 2), (nav, 4), (inner, 4)):
        blocks = bs.vips(boxed(body(first, paragraph("b", 60))), pdoc=10, weights=PLAIN)
        assert blocks.separators.weight.tolist() == [weight]
