"""Paragraphs and target nodes, on markup small enough to read."""

import blocksight as bs
import pytest
from blocksight.segment.blocks import leaf_blocks, visible_blocks
from blocksight.segment.targets import target_nodes


def texts(page, blocks):
    return [
        (page.tag_of(int(blocks.node[row])), [page.leaf_texts[leaf].strip() for leaf in blocks.leaves_of(row)])
        for row in range(len(blocks))
    ]


def test_text_blocks_end_at_block_level_elements():
    page = bs.parse("<body>lead <b>bold</b> x<p>para <i>it</i> more</p>tail<ul><li>a<li>b</ul></body>")
    assert texts(page, bs.text_blocks(page)) == [
        ("body", ["lead", "bold", "x"]),
        ("p", ["para", "it", "more"]),
        ("body", ["tail"]),
        ("li", ["a"]),
        ("li", ["b"]),
    ]


def test_text_blocks_end_at_two_breaks():
    page = bs.parse("<div>one<br>still one<br> <br>two<br><b></b><br>three</div>")
    assert [found for _, found in texts(page, bs.text_blocks(page))] == [["one", "still one"], ["two"], ["three"]]


def test_text_blocks_end_at_one_break_on_request():
    page = bs.parse("<div>one <b>bold</b><br>two<br> <br>three</div>")
    found = [found for _, found in texts(page, bs.text_blocks(page, breaks=1))]
    assert found == [["one", "bold"], ["two"], ["three"]]
    with pytest.raises(ValueError, match="breaks must be 1 or 2, not 0"):
        bs.text_blocks(page, breaks=0)


def test_target_nodes_end_at_one_break():
    # As FIASCO's preprocessing makes of it: <div>one <b>bold</b><p>two</div>.
    page = bs.parse("<div>one <b>bold</b><br>two</div>")
    assert texts(page, target_nodes(page)) == [("div", ["one", "bold"]), ("div", ["two"])]


def test_text_blocks_end_at_empty_blocks():
    page = bs.parse("<div>one<hr>two<div></div>three</div>")
    assert [found for _, found in texts(page, bs.text_blocks(page))] == [["one"], ["two"], ["three"]]


TARGETS = "<body><div>Ten chars. <p>Forty characters stand in here, no less.</p></div><p>x <a>link</a></p></body>"


def test_target_nodes_by_share():
    # The div holds 10 of 50 characters itself, a fifth: at .10 it is a target node, at .5 its text is loose.
    page = bs.parse(TARGETS)
    assert [tag for tag, _ in texts(page, target_nodes(page, share=0.10))] == ["div", "p"]
    assert texts(page, target_nodes(page, share=0.5)) == [
        ("div", ["Ten chars."]),
        ("p", ["Forty characters stand in here, no less."]),
        ("p", ["x"]),
        ("a", ["link"]),
    ]


def test_target_nodes_with_all_text_of_their_own():
    page = bs.parse(TARGETS)
    tags = [tag for tag, _ in texts(page, target_nodes(page, share=1.0))]
    assert tags == ["div", "p", "p", "a"]


@pytest.mark.parametrize("share", [0, -1, 1.1])
def test_target_nodes_refuse_other_shares(share):
    with pytest.raises(ValueError, match="share"):
        target_nodes(bs.parse("<p>a"), share=share)


@pytest.mark.parametrize("cut", [bs.text_blocks, target_nodes])
def test_methods_put_every_leaf_in_one_block(cut, fixtures):
    for path in fixtures.glob("*/*.html"):
        page = bs.parse(path.read_bytes())
        blocks = cut(page)
        assert (blocks.leaf_block >= 0).all()
        assert sorted(set(blocks.leaf_block.tolist())) == list(range(len(blocks)))


@pytest.mark.parametrize("cut", [bs.text_blocks, target_nodes])
def test_boxes_of_clipped_text(boxed, cut):
    # Half of the second line is cut off; hidden text has the box that it would have.
    shown = ("p", (0, 0, 400, 60), [("seen", (0, 0, 400, 20))])
    half = ("p", (0, 20, 400, 20), [("half", (0, 20, 400, 20))])
    clipping = ("div", (0, 0, 300, 30), [shown, half], {"clips": True})
    page = boxed(("body", (0, 0, 800, 1000), [clipping]))
    assert cut(page).box.tolist() == [[0, 0, 300, 20], [0, 20, 300, 10]]


@pytest.mark.browser
def test_boxes_of_clamped_lines(browser):
    style = "display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;width:300px;margin:0"
    html = f"<!DOCTYPE html><body style='margin:0;font:16px/20px sans-serif'><p style='{style}'>{'word ' * 60}</p>"
    page = browser.open(html.encode())
    for make in (bs.text_blocks, target_nodes, bs.vips):
        assert make(page).box[0, 3] <= 40


def test_leaf_blocks():
    page = bs.parse("<p>Hello<b>world</b>!</p>")
    assert texts(page, leaf_blocks(page)) == [("p", ["Hello"]), ("b", ["world"]), ("p", ["!"])]
    assert len(leaf_blocks(bs.parse("<p>"))) == 0


def test_visible_blocks():
    page = bs.parse("<p>this is seen by everybody <b hidden>not</b></p><p hidden>nor</p>")
    assert texts(page, visible_blocks(page, bs.text_blocks(page))) == [("p", ["this is seen by everybody"]), ("p", [])]
