"""The columns of a page, on markup small enough to count by hand."""

import numpy as np
import pytest
from blocksight.page.hidden import Hidden
from blocksight.page.parse import parse
from blocksight.page.tree import attribute_values, subtree_sums


def tags(page, rows):
    return [page.tag_of(row) for row in rows]


def test_rows_are_in_document_order_with_their_subtrees():
    page = parse("<body><div>a<p>b</p>c</div><p>d</p></body>")
    assert tags(page, range(len(page))) == [
        "html", "head", "body", "div", "#text", "p", "#text", "#text", "p", "#text",
    ]  # fmt: skip
    assert page.parent.tolist() == [-1, 0, 0, 2, 3, 3, 5, 3, 2, 8]
    assert page.end.tolist() == [10, 2, 10, 8, 5, 7, 7, 8, 10, 10]
    assert page.depth.tolist() == [0, 1, 1, 2, 3, 3, 4, 3, 2, 3]


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
    assert page.leaf_range[3].tolist() == [0, 2]  # div
    assert page.leaf_range[2].tolist() == [0, 3]  # body


def test_sums_over_subtrees():
    page = parse("<body><div>a<p>bb</p></div><p>ccc</p></body>")
    assert tags(page, range(len(page))) == ["html", "head", "body", "div", "#text", "p", "#text", "p", "#text"]
    size = np.array([1.0, 2.0, 3.0])
    assert page.sum_leaves(size).tolist() == [6, 0, 6, 3, 1, 2, 2, 3, 3]
    assert subtree_sums(page, np.arange(9.0)).tolist() == [36, 1, 35, 18, 4, 11, 6, 15, 8]
    paragraph = page.has_tag("p")
    assert page.count_within(paragraph).tolist() == [2, 0, 2, 1, 0, 1, 0, 1, 0]
    assert page.count_below(paragraph).tolist() == [2, 0, 2, 1, 0, 0, 0, 0, 0]


def test_block_level_follows_the_tags_where_nothing_is_rendered():
    page = parse("<body><p>a<b>c</b></p></body>")
    # html, head, body, p, its text, b, its text.
    assert page.block_level.tolist() == [True, True, True, True, False, False, False]


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
    page = parse(
        "<p style='backface-visibility:hidden'>a</p>"
        "<p style='visibility:hidden'>b<b style='visibility:visible'>c</b></p>"
        "<p style='opacity:0'>d</p><p style='opacity:0.5'>e</p><p style='font-size:0px;color:red'>f</p>"
        "<p hidden style='display:block'>g</p>"
        "<object data=a.svg>h</object><object type=application/x-flash>j</object>"
        "<p>\u200b\u2060</p><p style='font-size:0.9em'>i</p>"
    )
    reasons = dict(zip(page.leaf_texts, map(Hidden, page.hidden.tolist()), strict=True))
    assert {text for text, why in reasons.items() if why == Hidden.VISIBLE} == {"a", "c", "e", "g", "i", "j"}
    assert {text for text, why in reasons.items() if why == Hidden.DISPLAY} == {"h"}
    assert (reasons["b"], reasons["d"], reasons["\u200b\u2060"], reasons["f"]) == (
        Hidden.VISIBILITY,
        Hidden.OPACITY,
        Hidden.GLYPHS,
        Hidden.ZERO_AREA,
    )


def test_bits_around_a_node():
    page = parse("<div><p>a<b>b</b></p></div><i>c</i>")
    bits = np.zeros(len(page), dtype=np.uint64)
    for bit, tag in enumerate(("div", "p", "b", "i")):
        bits[page.has_tag(tag)] = 1 << bit
    around = page.inherited_bits(bits)
    assert [int(around[row]) for row in page.leaves.tolist()] == [3, 7, 8]
    assert around[0] == 0


def test_bits_around_nodes_in_a_deep_tree():
    page = parse("<div>" * 300 + "deep")
    bits = np.zeros(len(page), dtype=np.uint64)
    bits[np.flatnonzero(page.has_tag("div"))[:2]] = 1, 2
    assert page.inherited_bits(bits)[page.leaves].tolist() == [3]


def test_values_of_several_attributes():
    page = parse("<p class=a id=b><p id=a><p title=a><p class=b id=b>")
    nodes, values, number = attribute_values(page, "class", "id")
    found = [(int(node), values[place]) for node, place in zip(nodes, number.tolist(), strict=True)]
    assert [value for _, value in found] == ["a", "b", "a", "b", "b"]
    assert len(values) == 2
    assert found[0][0] == found[1][0] < found[2][0] < found[3][0] == found[4][0]
    assert [values[place] for place in attribute_values(page, "title")[2]] == ["a"]
    assert attribute_values(page, "lang", "dir")[1] == []


def test_values_of_attributes_are_asked_about_once():
    page = parse("<p class=a>1<p class=a>2<p class=b>3<p>4")
    asked = []
    found = page.attribute_matches("class", lambda value: asked.append(value) or value == "a")
    assert found[page.has_tag("p")].tolist() == [True, True, False, False]
    assert sorted(asked) == ["a", "b"]


@pytest.mark.parametrize(("html", "asked"), [
    ("<p class=top><p class='A Credit'>", ["A Credit"]), ("<p class=top><p class=low>", []),
    ("<p class=top><p class=\u017fhown>", ["\u017fhown"]),  # a letter that patterns take for another
    ("<p class=top><p class='CREDIT'><p class='\u017fhown'>", ["CREDIT", "\u017fhown"]),
])  # fmt: skip
def test_values_are_asked_about_if_they_have_a_needed_word(html, asked):
    values = []
    parse(html).attribute_matches("class", values.append, needs=("credit",))
    assert sorted(values) == asked


@pytest.mark.parametrize("needs", [("credit",), ("credit", "caption"), ("top", "low", "cap"), ("none", "of", "these")])
def test_any_of_the_needed_words_is_enough(needs):
    values = ["top", "credits top", "caption", "Caption of credits", "tops", "low", "", "\u017fhown", "a\ncredit"]
    page = parse("".join(f"<p class='{value}'>x</p>" for value in values))

    def matches(value):
        return any(word in value.lower() for word in needs)

    found = page.attribute_matches("class", matches, needs=needs)
    assert found.tolist() == page.attribute_matches("class", matches).tolist()


def test_columns_of_attributes_cannot_be_written_into():
    page = parse("<p class=a>1")
    with pytest.raises(ValueError, match="read-only"):
        page.attribute("class")[0] = 1


@pytest.mark.parametrize("count", [3, 200])
def test_the_nearest_of_few_and_of_many(count):
    page = parse("<section><div>x<p>y<b>z</b></p></div></section>" * count)
    marked = page.has_tag("div", "p")
    wanted = []
    for row in range(len(page)):
        above = row
        while above >= 0 and not marked[above]:
            above = int(page.parent[above])
        wanted.append(above)
    assert page.nearest(marked).tolist() == wanted
    assert page.below(marked).tolist() == [above >= 0 for above in wanted]
