"""HEPS on small pages: which headings make which blocks."""

import blocksight as bs
from blocksight.segment.heps import heps


def groups(page):
    """The texts of each leaf block, in document order."""
    found = {}
    for text, block in zip(page.leaf_texts, heps(page).leaf_block.tolist(), strict=True):
        if text.strip():
            found.setdefault(block, []).append(text.strip())
    return list(found.values())


PETS = """<h1>Cats</h1><p>Cats are animals of prey.</p><p>They sleep all day long.</p>
<h1>Dogs</h1><p>Dogs are animals that bark.</p><h1>Birds</h1><p>Birds are animals that sing.</p>"""


def test_a_heading_holds_what_follows_it():
    assert groups(bs.parse(PETS)) == [
        ["Cats", "Cats are animals of prey.", "They sleep all day long."],
        ["Dogs", "Dogs are animals that bark."],
        ["Birds", "Birds are animals that sing."],
    ]


def test_levels_are_nested():
    page = bs.parse(
        "<h1>Animals</h1><p>What moves by itself.</p><h2>Cats</h2><p>They sleep all day long.</p><h2>Dogs</h2>"
        "<p>They bark all day long.</p><h1>Plants</h1><p>What stays where it is.</p><h2>Trees</h2>"
        "<p>They grow all year long.</p><h2>Herbs</h2><p>They smell all year long.</p>"
    )
    blocks = heps(page)
    texts = {text.strip(): block for text, block in zip(page.leaf_texts, blocks.leaf_block.tolist(), strict=True)}
    parent = blocks.parent.tolist()
    # The loose beginning of a block is a sibling of the blocks in it.
    assert texts["Animals"] == texts["What moves by itself."]
    assert parent[texts["Animals"]] == parent[texts["Cats"]] == parent[texts["Dogs"]]
    assert texts["Cats"] == texts["They sleep all day long."]
    assert parent[parent[texts["Cats"]]] == parent[parent[texts["Trees"]]] == 0
    assert texts["Cats"] != texts["Dogs"]


def test_headings_need_not_be_marked_as_such():
    page = bs.parse("".join(
        f"<div><div><b>{name}</b></div><div>{said} as everybody knows who has one.</div></div>"
        for name, said in (("Cats", "They sleep"), ("Dogs", "They bark"), ("Birds", "They sing"))
    ))  # fmt: skip
    assert [texts[0] for texts in groups(page)] == ["Cats", "Dogs", "Birds"]


def test_words_in_a_sentence_are_no_headings():
    page = bs.parse(
        "<p>All <b>cats</b> sleep all day.</p><p><b>Dogs</b> bark all day long at cats.</p><p><b>Birds</b> sing.</p>"
    )
    assert len(groups(page)) == 1


def test_what_repeats_the_same_words_is_no_heading():
    page = bs.parse("".join(f"<h3>More</h3><p>A text of some length, number {number}.</p>" for number in range(3)))
    # The paragraphs all differ, but nothing follows them that they could be headings of.
    assert len(groups(page)) == 1


def test_one_of_a_kind_is_no_list():
    assert len(groups(bs.parse("<h1>Cats</h1><p>They sleep all day long.</p>"))) == 1


def test_headings_longer_than_their_blocks_are_none():
    page = bs.parse("".join(f"<h3>A heading of very many words, number {number}</h3><p>No.</p>" for number in range(3)))
    assert len(groups(page)) == 1


def test_every_text_that_is_seen_lies_in_a_leaf_block():
    page = bs.parse("<p>Before.</p>" + PETS + "<div hidden>Nobody sees this.</div>")
    blocks = heps(page)
    inner = set(blocks.parent.tolist())
    assert [block for block in blocks.leaf_block.tolist() if block >= 0 and block in inner] == []
    assert dict(zip(page.leaf_texts, blocks.leaf_block.tolist(), strict=True))["Nobody sees this."] == -1


def test_an_empty_page_has_no_blocks():
    assert len(heps(bs.parse(""))) == 0


def test_larger_fonts_are_upper_levels(boxed):
    """Two looks at one depth: the larger font comes first, and holds the smaller one."""

    def line(text, y, **look):
        return ("div", (0, y, 400, 20), [(text, (0, y, 400, 20), look)])

    texts = []
    for number in range(2):
        texts.append(line(f"Large {number}", number * 300, size=30))
        for inner in range(2):
            y = number * 300 + 50 + inner * 100
            texts.append(("section", (0, y, 400, 20), [(f"Small {number}{inner}", (0, y, 400, 20), {"size": 20})]))
            texts.append(
                ("p", (0, y + 30, 400, 20), [(f"a paragraph that says a lot {number}{inner}", (0, y + 30, 400, 20))])
            )
    page = boxed(("body", (0, 0, 800, 1000), texts))
    blocks = heps(page)
    depth = []
    for above in blocks.parent.tolist():
        depth.append(depth[above] + 1 if above >= 0 else 0)
    of = {text: depth[block] for text, block in zip(page.leaf_texts, blocks.leaf_block.tolist(), strict=True)}
    assert (of["Small 00"], of["Small 11"]) == (2, 2)
    assert blocks.box[0].tolist() == [0, 0, 400, 500]
