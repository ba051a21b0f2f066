"""What features start from, on markup small enough to count by hand."""

import blocksight as bs
import numpy as np
from blocksight.features.rows import rows_of


def rows(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


def test_texts_and_what_is_counted_in_them():
    found = rows("<p>One, two.\n <b>Three!</b></p><p>四、五。</p>")
    assert found.texts == ("One, two. Three!", "四、五。")
    assert found.character_counts.lengths.tolist() == [16, 4]
    assert found.character_counts.sentences.tolist() == [2, 1]
    assert found.character_counts.commas.tolist() == [1, 1]


def test_characters_of_unspaced_scripts_count_half():
    assert rows("<p>世界世界</p>").words.tolist() == [2]


def test_words_in_links_and_long_rows():
    found = rows(f"<p>see <a href=/>this page</a></p><p>{'word ' * 21}</p><p><a href=/>{'word ' * 21}</a></p>")
    assert found.link_words.tolist() == [2, 0, 21]
    assert found.link_density.tolist() == [2 / 3, 0, 1]
    assert found.long.tolist() == [0, 1, 0]


def test_headings_by_tag_and_by_role():
    found = rows("<h2>a</h2><div role=heading><p>b</p></div><div role=note><p>c</p></div><h1><span>d</span></h1>")
    assert found.in_heading.tolist() == [True, True, False, True]


def test_ancestors_and_what_they_hold():
    found = rows("<body><div><p>one two</p><p>three</p></div><p>four</p></body>")
    page = found.page
    assert [page.tag_of(node) for node in found.chain[0]] == ["p", "div", "body", "html", "html", "html"]
    by_tag = {page.tag_of(node): found.over_nodes(found.words)[node] for node in found.chain[0]}
    assert by_tag == {"p": 2, "div": 3, "body": 4, "html": 4}
    assert found.node_rows[found.chain[0, 1]].tolist() == [0, 2]


def test_tags_of_an_element_count_with_the_element_itself():
    found = rows("<div>one <a>x</a> <a>y</a></div><table><tr><td>z</table>")
    assert found.count_tags("a").tolist() == [2, 0]
    assert found.count_tags("td", "th").tolist() == [0, 1]


def test_columns_of_leaves_add_up_by_row():
    found = rows("<p>a <b>b</b></p><p>c</p>")
    assert found.summed(np.array([1.0, 2.0, 4.0])).tolist() == [3, 4]
