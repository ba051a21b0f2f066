"""The columns of a page, on markup small enough to count by hand."""

import numpy as np
from blocksight.render.page import Hidden, parse_color
from blocksight.render.static import parse


def tags(page, rows):
    return [page.tag_of(row) for row in rows]


def test_rows_stand_in_document_order_with_their_subtrees():
    page = parse("<body><div>a<p>b</p>c</div><p>d</p></body>")
    assert tags(page, range(len(page))) == ["html", "body", "div", "#text", "p", "#text", "#text", "p", "#text"]
    assert page.parent.tolist() == [-1, 0, 1, 2, 2, 4, 2, 1, 7]
    assert page.end.tolist() == [9, 9, 7, 4, 6, 6, 7, 9, 9]
    assert page.depth.tolist() == [0, 1, 2, 3, 3, 4, 3, 2, 3]


def test_leaves_are_texts_to_read():
    page = parse(
        "<title>t</title><style>s</style><body> <p>one</p>\n<script>x</script><template>y</template>"
        "<noscript>n</noscript><textarea>u</textarea><p>two</p></body>"
    )
    assert page.leaf_texts == ("one", "two")


def test_a_declared_shadow_tree_belongs_to_the_page():
    page = parse('<div><template shadowrootmode="open"><p>inside</p></template></div>')
    assert page.leaf_texts == ("inside",)


def test_leaf_range_counts_the_leaves_below_each_node():
    page = parse("<body><div>a<p>b</p></div><p>c</p></body>")
    assert page.leaf_range[2].tolist() == [0, 2]  # div
    assert page.leaf_range[1].tolist() == [0, 3]  # body


def test_sums_over_subtrees():
    page = parse("<body><div>a<p>bb</p></div><p>ccc</p></body>")
    assert tags(page, range(len(page))) == ["html", "body", "div", "#text", "p", "#text", "p", "#text"]
    size = np.array([1.0, 2.0, 3.0])
    assert page.sum_leaves(size).tolist() == [6, 6, 3, 1, 2, 2, 3, 3]
    assert page.sum_nodes(np.arange(8.0)).tolist() == [28, 28, 14, 3, 9, 5, 13, 7]
    paragraph = page.has_tag("p")
    assert page.count_within(paragraph).tolist() == [2, 2, 1, 0, 1, 0, 1, 0]
    assert page.count_below(paragraph).tolist() == [2, 2, 1, 0, 0, 0, 0, 0]


def test_block_level_follows_the_tags_where_nothing_is_rendered():
    page = parse("<body><p>a<b>c</b></p></body>")
    assert page.block_level.tolist() == [True, True, True, False, False, False]


def test_below_and_nearest():
    page = parse("<body><ul><li><a>x</a></li></ul><p>y</p></body>")
    in_list = page.below(page.has_tag("ul"))
    assert [page.leaf_texts[i] for i in np.flatnonzero(in_list[page.leaves])] == ["x"]
    nearest = page.nearest(page.has_tag("li", "body"))
    assert tags(page, nearest[page.leaves]) == ["li", "body"]
    assert page.nearest(page.has_tag("table")).tolist() == [-1] * len(page)


def test_attributes_by_row_and_by_column():
    page = parse('<p id="i" class="c d">x</p><p>y</p>')
    row = int(np.flatnonzero(page.has_tag("p"))[0])
    assert page.attributes_of(row) == {"id": "i", "class": "c d"}
    column = page.attribute("class")
    assert [page.strings[code] for code in column[column >= 0]] == ["c d"]
    assert (page.attribute("nothing") == -1).all()


def test_markup_alone_tells_some_hidden_text():
    page = parse('<p hidden>a</p><p style="color:red; DISPLAY : none">b</p><p style="display:block">c</p>')
    assert page.hidden.tolist() == [Hidden.DISPLAY, Hidden.DISPLAY, Hidden.VISIBLE]


def test_equality_is_of_every_column():
    one, same = parse("<p>a</p>"), parse("<p>a</p>")
    assert one.equals(same)
    assert not one.equals(parse("<p>b</p>"))
    assert not one.equals(parse("<p>a</p>", url="http://other/"))


def test_colors():
    assert parse_color("rgb(1, 2, 3)") == 0x010203FF
    assert parse_color("rgba(255, 0, 0, 0)") == 0xFF000000
    assert parse_color("color(srgb 1 0.5 0 / 0.5)") == 0xFF800080
    assert parse_color("none") == 0
