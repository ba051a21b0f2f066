"""The block table, on markup small enough to count by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import BUNDLES, CATALOGUE, column_names, groups_of, measure
from blocksight.segment.targets import target_nodes

PAGE = bs.parse(
    '<title>Salt and iron - Site</title><body><nav class="main-menu"><a href="/">Home</a> <a href="/b">Back</a></nav>'
    "<h1>Salt and iron</h1><article><p>One two three, four five. Six seven?</p><p>Eight <a href=/n>nine</a></p>"
    "</article><footer>Home</footer></body>"
)


@pytest.fixture(scope="module")
def columns():
    return measure(PAGE).columns


def test_rows_are_the_paragraphs_in_reading_order():
    frame = bs.block_features(PAGE)
    assert frame["text"].tolist() == [
        "Home Back",
        "Salt and iron",
        "One two three, four five. Six seven?",
        "Eight nine",
        "Home",
    ]
    assert frame["tag"].tolist() == ["nav", "h1", "p", "p", "footer"]
    assert frame["words"].tolist() == [2, 3, 7, 2, 1]


def test_every_column_is_there(columns):
    assert tuple(columns) == column_names()
    with pytest.raises(ValueError, match="no such group"):
        column_names("smell")


def test_groups_are_measured_as_asked_for():
    some = measure(PAGE, groups=("link", "krdwrd"))
    assert tuple(some.columns) == column_names("link", "krdwrd")
    assert groups_of(some.columns) == ("link", "krdwrd")
    assert tuple(bs.block_features(PAGE, groups=("link",)).columns[-5:]) == column_names("link")
    with pytest.raises(ValueError, match="no such group"):
        measure(PAGE, groups=("smell",))


def test_text_columns(columns):
    assert columns["words_log"][2] == pytest.approx(np.log(8))
    assert columns["sentences_log"][2] == pytest.approx(np.log(3))
    assert columns["comma_density"][2] == pytest.approx(1 / 7)
    assert columns["ends_sentence"].tolist() == [0, 0, 1, 0, 0]
    assert columns["title_overlap"][1] == 1
    assert columns["short"].tolist() == [1, 1, 0, 1, 1]


def test_link_columns(columns):
    assert columns["link_density"].tolist() == [1, 0, 0, 0.5, 0]
    assert columns["links_log"][0] == pytest.approx(np.log(3))


def test_structure_columns(columns):
    assert columns["tag_heading"].tolist() == [0, 1, 0, 0, 0]
    assert columns["in_article"].tolist() == [0, 0, 1, 1, 0]
    assert columns["own_nav"].tolist() == [1, 0, 0, 0, 0]
    assert columns["words_before"].tolist() == pytest.approx([0, 2 / 15, 5 / 15, 12 / 15, 14 / 15])
    assert columns["after_title"].tolist() == [0, 0, 1, 1, 1]
    assert columns["is_title"][1] == pytest.approx(3 / 4)  # {salt, and, iron} of {salt, and, iron, site}
    assert columns["up1_page_share"][2] == pytest.approx(9 / 15)  # the article


def test_neighbours_end_at_the_page(columns):
    assert columns["at-1_words_log"][0] == 0
    assert columns["at+1_words_log"][0] == pytest.approx(np.log(4))
    assert columns["at+2_link_density"][4] == 0


def test_visual_columns_are_empty_without_geometry(columns):
    assert all(np.isnan(columns[name]).all() for name in column_names("visual", "proportion"))
    own = [group for group in CATALOGUE if group.name in BUNDLES["own"] and not group.needs_geometry]
    assert all(np.isfinite(columns[name]).all() for group in own for name in group.names)


@pytest.mark.parametrize("html", ["<p>", "<div><img></div>", "<p>one"])
def test_tiny_pages(html):
    table = measure(bs.parse(html))
    assert table.matrix(column_names()).shape == (len(table), len(column_names()))


def test_a_tree_of_blocks_is_measured_by_blocks_with_text_of_their_own():
    blocks = target_nodes(PAGE)
    assert len(measure(PAGE, blocks)) == len(blocks)


def test_meaning_and_unit_of_each_column_are_in_the_frame():
    frame = bs.block_features(bs.parse("<p>Some words."), groups=["text"])
    assert set(frame.attrs["columns"]) == set(frame.columns)
    assert frame.attrs["columns"]["x_px"]["unit"] == "CSS pixels of the document"
    assert all(about["meaning"] and about["unit"] for about in frame.attrs["columns"].values())
