"""The adaptive cut of VIPS: where a tree of blocks is divided."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.blocks import PARTS, Blocks, Separators
from blocksight.segment.vips.adaptive_cut import inside_divided, pruned, worth_dividing
from blocksight.segment.vips.cut_features import FEATURES, BlockTree, cut_features
from blocksight.segment.vips.nodes import nodes_of
from generators.boxed_nodes import body, outer_rows, paragraph

pytestmark = pytest.mark.long


def tree(parent, leaf_block, separators=()):
    """A tree of blocks with separators of some blocks."""
    count = len(parent)
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.arange(count, dtype=np.int32),
        doc=np.arange(1, count + 1, dtype=np.int16),
        leaf_block=np.asarray(leaf_block, dtype=np.int32),
        box=np.tile(np.arange(count, dtype=np.float32)[:, None], 4),
        separators=Separators(
            block=np.asarray(separators, dtype=np.int32),
            box=np.zeros((len(separators), 4), dtype=np.float32),
            horizontal=np.ones(len(separators), dtype=bool),
            weight=np.arange(len(separators), dtype=np.float32),
            parts=np.zeros((len(separators), len(PARTS)), dtype=np.float32),
        ),
        rule=np.arange(count, dtype=np.int8),
    )


#: 0 has 1 and 4; 1 has 2 and 3; 4 has 5 and 6. Leaves 0 to 4 are in 2, 3, 5, 6, and outside of all.
TREE = ((-1, 0, 1, 1, 0, 4, 4), (2, 3, 5, 6, -1), (0, 1, 4))


def test_inside_divided():
    blocks = tree(*TREE)
    divided = np.asarray([True, False, True, True, True, False, False])
    assert inside_divided(blocks, divided).tolist() == [True, True, False, False, True, True, True]
    # What is inside a whole block does not count.
    assert inside_divided(blocks, divided & (np.arange(7) != 0)).tolist() == [True, *[False] * 6]


def worth(*score):
    return np.flatnonzero(worth_dividing(tree(*TREE), np.asarray(score))).tolist()


def test_worth_dividing_sums_what_is_inside():
    # 1 and 4 are inside 0; the others have no blocks inside and are never divided, whatever their score.
    assert worth(1.0, -1.0, -1.0, 9.0, -1.0, 9.0, 9.0) == [0]
    # One likely division inside outweighs an unlikely one around it only if it is more likely.
    assert worth(-1.0, 0.9, 0.0, 0.0, -5.0, 0.0, 0.0) == [1]
    assert worth(-1.0, 1.1, 0.0, 0.0, -5.0, 0.0, 0.0) == [0, 1]
    # Two together do; unlikely ones inside do not count against it.
    assert worth(-1.0, 0.6, 0.0, 0.0, 0.6, 0.0, 0.0) == [0, 1, 4]
    assert worth(0.1, -9.0, 0.0, 0.0, -9.0, 0.0, 0.0) == [0]


def test_worth_dividing_through_levels():
    # 0 has 1, which has 2 and 3; 2 has 4 and 5.
    blocks = tree((-1, 0, 1, 2, 2, 1), (3, 4, 5))
    # 3 of block 2 are 1 after block 1, which is enough for 0.
    assert np.flatnonzero(worth_dividing(blocks, np.asarray([-0.5, -2.0, 3.0, 0, 0, 0]))).tolist() == [0, 1, 2]
    assert np.flatnonzero(worth_dividing(blocks, np.asarray([-1.5, -2.0, 3.0, 0, 0, 0]))).tolist() == [1, 2]


def test_pruned_keeps_text_and_separators():
    blocks = pruned(tree(*TREE), np.asarray([True, True, False, False, True, True, True]))
    assert blocks.parent.tolist() == [-1, 0, 0, 2, 2]
    assert blocks.leaf_block.tolist() == [1, 1, 3, 4, -1]
    assert blocks.node.tolist() == [0, 1, 4, 5, 6]
    assert blocks.doc.tolist() == [1, 2, 5, 6, 7]
    assert blocks.rule.tolist() == [0, 1, 4, 5, 6]
    assert blocks.box[:, 0].tolist() == [0, 1, 4, 5, 6]
    # Separators of a whole block are no longer seen; those of a divided one have its new row.
    assert blocks.separators.block.tolist() == [0, 2]
    assert blocks.separators.weight.tolist() == [0, 2]


def test_pruned_nothing_and_all_but_the_root():
    blocks = tree(*TREE)
    assert pruned(blocks, np.ones(7, dtype=bool)).leaf_block.tolist() == blocks.leaf_block.tolist()
    root = pruned(blocks, np.arange(7) == 0)
    assert (root.parent.tolist(), root.leaf_block.tolist(), len(root.separators)) == ([-1], [0, 0, 0, 0, -1], 0)


def test_block_tree_positions():
    blocks = tree(*TREE)
    positions = BlockTree(blocks.parent, blocks.leaf_block)
    assert positions.depth.tolist() == [0, 1, 2, 2, 1, 2, 2]
    assert positions.end.tolist() == [7, 4, 3, 4, 7, 6, 7]
    assert positions.number.tolist() == [2, 2, 0, 0, 2, 0, 0]
    assert positions.leaf_sums(np.asarray([1.0, 2, 4, 8, 16])).tolist() == [15, 3, 1, 2, 12, 4, 8]
    assert positions.greatest(np.asarray([0.0, 5, 1, 2, 3, 9, 4])).tolist() == [9, 5, 1, 2, 9, 9, 4]
    assert positions.most(np.asarray([0.0, 5, 1, 2, 3, 9, 4]), -1).tolist() == [5, 2, -1, -1, 9, -1, -1]
    assert positions.mean(np.asarray([0.0, 5, 1, 2, 3, 9, 4])).tolist() == [4, 1.5, 0, 0, 6.5, 0, 0]


def columns_of(page):
    """The features of the root."""
    blocks = bs.vips(page, pdoc=10)
    return dict(zip(FEATURES, cut_features(nodes_of(page), blocks)[0].tolist(), strict=True))


def test_cut_features_of_two_paragraphs(boxed):
    # 12 and 8 characters in lines of 20 pixels, 40 pixels apart: 2 line heights; the second is in a larger font.
    found = columns_of(boxed(body(paragraph("twelve chars", 0), paragraph("big text", 60, size=32))))
    assert found["children"] == pytest.approx(np.log1p(2))
    assert found["separators"] == pytest.approx(np.log1p(1))
    assert found["part_distance"] == pytest.approx(2 / 0.6)
    assert found["horizontal"] == 1
    assert found["chars"] == pytest.approx(np.log1p(20))
    assert found["largest_child"] == pytest.approx(12 / 20)
    assert found["width"] == pytest.approx(np.log1p(20))
    assert found["height"] == pytest.approx(np.log1p(4))
    assert found["wide"] == pytest.approx(0.5)
    assert found["tall"] == pytest.approx(np.log1p(80 / 600))
    mean = (12 * 16 + 8 * 32) / 20
    assert found["first_font"] == pytest.approx(16 / mean)
    assert found["greatest_font"] == pytest.approx(32 / mean)


def test_cut_features_of_a_series(boxed):
    # Four lines of 20 pixels; the last one is shorter, and the third one is indented by 40 pixels: 2 line heights.
    found = columns_of(
        boxed(
            body(
                paragraph("first entry", 0),
                paragraph("other entry", 40),
                paragraph("third entry", 80, x=40),
                paragraph("end", 120, width=100),
            )
        )
    )
    assert found["children"] == pytest.approx(np.log1p(4))
    assert found["children_alike"] == 0.75
    assert found["plain_series"] == 0.75
    assert found["series_height"] == pytest.approx(0.75 * np.log1p(1))
    assert found["left_spread"] == pytest.approx(np.log1p(np.std([0, 0, 40, 0]) / 20))


def test_cut_features_of_framed_entries(boxed):
    cards = [
        ("div", (0, y, 400, 60), [paragraph("card", y), paragraph("text", y + 40)], {"ground": ground})
        for y, ground in ((0, 0), (80, 0x88CCFFFF), (160, 0), (240, 0x88CCFFFF))
    ]
    found = columns_of(boxed(body(*cards)))
    assert found["children_framed"] == 0.5
    assert found["children_alike"] == 0.5
    assert found["plain_series"] == pytest.approx(0.5 * 0.5)


def test_cut_features_share_of_long_texts(boxed):
    # 80 characters are long, 79 are not.
    found = columns_of(boxed(body(paragraph("a" * 80, 0), paragraph("b" * 79, 40), paragraph("c" * 41, 80))))
    assert found["long_share"] == pytest.approx(80 / 200)


@pytest.mark.parametrize("pdoc", [0, 11, "best", "8", None, 8.5])
def test_vips_refuses_other_degrees(boxed, pdoc):
    with pytest.raises(ValueError, match="auto"):
        bs.vips(boxed(body(paragraph("a", 0))), pdoc=pdoc)


def test_vips_of_an_empty_page(boxed):
    assert len(bs.vips(boxed(body()))) == 0


@pytest.fixture(scope="module")
def layouts(browser, fixtures):
    """The pages of fixtures/layouts with their sources."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted((fixtures / "layouts").glob("*.html"))}
    return {name: (source, browser.open(source.encode())) for name, source in sources.items()}


@pytest.mark.browser
def test_vips_auto_is_a_part_of_the_whole_tree(layouts):
    for name, (_, page) in layouts.items():
        cut, whole = bs.vips(page), bs.vips(page, pdoc=10)
        # A partition: the visible leaves are the same, each in a block without others inside.
        assert np.array_equal(cut.leaf_block >= 0, whole.leaf_block >= 0), name
        assert np.isin(cut.leaf_block[cut.leaf_block >= 0], outer_rows(cut)).all(), name
        known = {
            (*box, doc) for box, doc in zip(whole.box.tolist(), whole.doc.tolist(), strict=True) for box in [tuple(box)]
        }
        assert all(
            (*box, doc) in known for box, doc in zip(map(tuple, cut.box.tolist()), cut.doc.tolist(), strict=True)
        )
        # Blocks of the whole tree are inside one block of the cut, or around several.
        for row in outer_rows(whole).tolist():
            assert len(np.unique(cut.leaf_block[whole.leaf_block == row])) <= 1, name


def groups(page, blocks, texts):
    """The sets of the first leaves of a page in one block each."""
    found = {}
    for leaf in range(texts):
        if blocks.leaf_block[leaf] >= 0:
            found.setdefault(int(blocks.leaf_block[leaf]), []).append(leaf)
    return sorted(found.values())


SENTENCE = "The tide comes in twice a day, and with it the ferries that bring the post. "
BAR_AND_CARDS = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Boats</title>"
    "<style>body{margin:0;font:16px/24px sans-serif}header{background:#024;color:#fff;padding:16px}"
    "article,main{margin:32px;max-width:700px}.card{border:1px solid #888;padding:16px;margin:24px 0}</style>"
    "<header><b>Boats</b> <a>Home</a> <a>News</a></header>"
    f"<article><h1>Low water</h1>{f'<p>{SENTENCE * 3}</p>' * 3}</article>"
    f"<main>{f'<div class=card><h3>A boat</h3><p>{SENTENCE}</p></div>' * 3}</main>"
)


@pytest.mark.browser
def test_vips_is_unchanged_by_what_follows(browser, layouts):
    """Forty paragraphs below each layout; pages are not compared if other texts are hidden then, or boxes narrower."""
    compared = 0
    for name, (source, page) in layouts.items():
        more = f"<div style='clear:both;padding:40px'>{f'<p>{SENTENCE * 4}</p>' * 40}</div></body>"
        longer, texts = browser.open(source.replace("</body>", more).encode()), len(page.leaves)
        if longer.leaf_texts[:texts] != page.leaf_texts:
            continue  # texts are parted where something covers them
        widths = [one.geometry.box[one.leaves[:texts], 2] for one in (page, longer)]
        if not np.allclose(*widths, equal_nan=True):
            continue  # in a body that is a grid or flex box the paragraphs are in columns next to the page
        for pdoc in ("auto", 8, 10):
            one, other = bs.vips(page, pdoc=pdoc), bs.vips(longer, pdoc=pdoc)
            if np.array_equal(one.leaf_block >= 0, other.leaf_block[:texts] >= 0):
                assert groups(page, one, texts) == groups(longer, other, texts), (name, pdoc)
                compared += 1
    assert compared >= 3 * 40


@pytest.mark.browser
def test_vips_auto_of_bars_and_cards(browser):
    page = browser.open(BAR_AND_CARDS.encode())
    found = groups(page, bs.vips(page), len(page.leaves))
    texts = [" ".join(page.leaf_texts[leaf].strip() for leaf in group) for group in found]
    assert texts[0] == "Boats Home News"
    assert texts[1].startswith("Low water")
    assert [text.startswith("A boat") for text in texts[2:]] == [True] * 3
