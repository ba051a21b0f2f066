"""What holds of VIPS on any rendered page, on the pages of fixtures/boxes."""

from functools import cache

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.vips.painted import PICTURES, painted_on
from blocksight.segment.visible_boxes import visible_boxes
from generators.boxed_nodes import outer_rows
from opening import open_many

pytestmark = [pytest.mark.browser, pytest.mark.long]
DEGREES = range(1, 11)


@pytest.fixture(scope="module")
def sources(fixtures):
    found = {path.stem: path.read_text() for path in sorted((fixtures / "boxes").glob("*.html"))}
    assert len(found) >= 40
    return found


@pytest.fixture(scope="module")
def rendered(browser, sources):
    """Render each page at a zoom and a scale, once for all tests."""

    @cache
    def render(zoom, scale=1.0):
        options = bs.RenderOptions(viewport=(round(1280 * zoom), round(800 * zoom)), device_scale=scale, timeout=60.0)
        style = "" if zoom == 1 else f" style='zoom: {zoom}'"
        zoomed = {
            html.replace("<html lang=en>", f"<html lang=en{style}>").encode(): name for name, html in sources.items()
        }
        opened = {zoomed[one.source]: one for one in open_many(browser, list(zoomed), options=options)}
        assert not {name: one.error for name, one in opened.items() if one.error}
        return {name: opened[name].page for name in sources}

    return render


@pytest.fixture(scope="module")
def pages(rendered):
    """Each page as it is."""
    return rendered(1)


def corners(box):
    wide = box.astype(np.float64)
    return np.concatenate([wide[..., :2], wide[..., :2] + wide[..., 2:]], axis=-1)


def test_separators_cross_nothing_that_is_painted(pages):
    for name, page in pages.items():
        painted = painted_on(page, visible_boxes(page))
        slack = 0.1 * painted.unit + 0.1
        for pdoc in (6, 8, 10):
            blocks = bs.vips(page, pdoc=pdoc)
            leaf = corners(blocks.box)
            for block, box in zip(blocks.separators.block.tolist(), corners(blocks.separators.box), strict=True):
                inside = np.asarray([row for row in outer_rows(blocks) if _is_in(blocks, row, block)])
                low, high = np.maximum(leaf[inside, :2], box[:2]), np.minimum(leaf[inside, 2:], box[2:])
                assert not ((high - low) > slack).all(axis=1).any(), (name, pdoc, box)


def _is_in(blocks, row, block):
    while row > block:
        row = int(blocks.parent[row])
    return row == block


def test_a_box_never_shrinks_while_it_holds_the_same(pages):
    for name, page in pages.items():
        before = {}
        for pdoc in DEGREES:
            blocks = bs.vips(page, pdoc=pdoc)
            things = _pictures_in(page, blocks)
            for row in outer_rows(blocks).tolist():
                held = (tuple(np.flatnonzero(blocks.leaf_block == row).tolist()), things[row])
                box = blocks.box[row].tolist()
                if any(held):
                    assert before.setdefault(held, box) == box, (name, pdoc)


def _pictures_in(page, blocks):
    """Pictures and painted boxes in each block."""
    painted = painted_on(page, visible_boxes(page))
    rows = np.flatnonzero(painted.whole)
    middle = (painted.extent[rows, :2] + painted.extent[rows, 2:]) / 2
    box = corners(blocks.box)
    inside = ((middle[:, None] > box[:, :2]) & (middle[:, None] < box[:, 2:])).all(axis=2)
    return [tuple(rows[inside[:, row]].tolist()) for row in range(len(blocks))]


def test_every_degree_refines_the_one_before(pages):
    for name, page in pages.items():
        coarse = bs.vips(page, pdoc=1).leaf_block
        for pdoc in DEGREES:
            fine = bs.vips(page, pdoc=pdoc)
            assert (fine.doc[1:] >= fine.doc[fine.parent[1:]]).all(), name
            pairs = set(zip(fine.leaf_block.tolist(), coarse.tolist(), strict=True))
            assert len(pairs) == len({one for one, _ in pairs}), (name, pdoc)
            coarse = fine.leaf_block


def test_every_picture_is_in_a_block(pages):
    met = 0
    for name, page in pages.items():
        extent = painted_on(page, visible_boxes(page)).extent
        size = np.nan_to_num(extent[:, 2:] - extent[:, :2])
        rows = np.flatnonzero(page.has_tag(*PICTURES) & (size[:, 0] >= 100) & (size[:, 1] >= 60))
        met += len(rows)
        for pdoc in DEGREES:
            blocks = bs.vips(page, pdoc=pdoc)
            box = corners(blocks.box[outer_rows(blocks)])
            held = (extent[rows, None, :2] >= box[:, :2] - 0.1) & (extent[rows, None, 2:] <= box[:, 2:] + 0.1)
            assert held.all(axis=2).any(axis=1).all(), (name, pdoc)
    # One more is the ground of its caption, and so the box of its block.
    assert met >= 19


def test_all_pixels_lie_in_the_page(pages):
    for name, page in pages.items():
        for pdoc in (5, 8, 10):
            box = corners(bs.vips(page, pdoc=pdoc).box)
            assert np.allclose(box, np.clip(box, 0, np.tile(page.geometry.size, 2)), equal_nan=True), name


def test_equal_tracks_are_cut_alike(pages):
    for name in ("grid-of-ragged-cards", "flex-rows", "floated-tiles", "bordered-cards", "shadowed-cards"):
        blocks = bs.vips(pages[name], pdoc=10)
        separators = blocks.separators
        for horizontal in (True, False):
            # The separators between the tracks are the longest ones of their direction.
            way = separators.horizontal == horizontal
            if not way.any():
                continue
            length = separators.box[way, 2 if horizontal else 3]
            width = separators.box[way, 3 if horizontal else 2]
            tracks = (length == length.max()) & (separators.block[way] == separators.block[way][length.argmax()])
            assert np.ptp(width[tracks]) <= 1, (name, horizontal)


#: Weights there are where two separators just are alike, or just are not: whole pixels decide.
_ON_THE_EDGE = ("form", 10)


@pytest.mark.parametrize(
    ("zoom", "scale", "degrees"),
    [
        (2, 1.0, (5, 8, 10)),
        (1, 2.0, (5, 8, 10)),
        (1, 3.0, (5, 8, 10)),
        *((zoom, 1.0, ("auto",)) for zoom in (0.75, 2, 3)),
    ],
)
def test_vips_at_other_zooms_and_scales(pages, rendered, zoom, scale, degrees):
    for name, page in rendered(zoom, scale).items():
        for pdoc in degrees:
            if (name, pdoc) == _ON_THE_EDGE:
                continue
            one, other = bs.vips(pages[name], pdoc=pdoc), bs.vips(page, pdoc=pdoc)
            assert one.parent.tolist() == other.parent.tolist(), (name, pdoc)
            assert one.leaf_block.tolist() == other.leaf_block.tolist(), (name, pdoc)
            assert pdoc == "auto" or np.allclose(one.box * zoom, other.box, atol=6), (name, pdoc)


def test_plain_layouts_are_parted_at_the_usual_degree(pages):
    page = pages["plain-layout"]
    blocks = bs.vips(page, pdoc=8)
    tags = {page.tag_of(blocks.node[row]) for row in outer_rows(blocks)}
    assert tags == {"header", "nav", "article", "aside", "footer"}
