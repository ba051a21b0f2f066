"""The features that papers name, on pages small enough to count by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import LITERATURE, column_names, measure

PAGE = bs.parse(
    "<html lang=en><body><div><a href=/>Home</a><hr><p><b>Home</b>"
    "<p>They saw 12 old mines on 3 May 2001. A2 - www.x.org</div>"
    "<table><tr><td>• One two.<td><img src=i><form><input></form>three</table>"
)
NAMES = (
    "text_length words types sentences sentence_length clean_keywords boilerplate_keywords depth is_heading "
    "is_paragraph links images solidity1 solidity2 solidity3 width height"
).split()
VICTOR_NAMES = (
    "container_a container_p container_u container_img container_class_header container_class_bold "
    "container_class_italic container_class_list container_class_form split_p split_br split_hr split_class_inline "
    "split_class_block char_alpha_abs char_num_abs char_punct_abs char_white_abs char_other_abs "
    "char_alpha_rel char_num_rel char_punct_rel char_white_rel char_other_rel token_alpha_abs "
    "token_alpha_rel token_num_abs token_num_rel token_mix_abs token_mix_rel token_other_abs token_other_rel "
    "sentence_count sentence_avg_length sentence_begin sentence_end first_duplicate duplicate_count regexp_url "
    "regexp_date regexp_time bullet td_group_word_ratio div_group_word_ratio position document_word_count "
    "document_sentence_count document_block_count document_max_div_group document_max_td_group"
).split()


@pytest.fixture(scope="module")
def columns():
    return measure(PAGE, groups=LITERATURE).columns


def test_the_rows(columns):
    assert measure(PAGE).rows.texts == (
        "Home", "Home", "They saw 12 old mines on 3 May 2001. A2 - www.x.org", "• One two.", "three",
    )  # fmt: skip
    assert tuple(columns) == column_names(*LITERATURE)


def test_the_papers_features_are_there_by_name():
    assert {f"fiasco_{name}" for name in NAMES} == set(column_names("fiasco"))
    assert {f"victor_{name}" for name in VICTOR_NAMES} == set(column_names("victor"))
    assert len(column_names("krdwrd")) == 8
    assert len(column_names("genieknows")) == 11


def test_fiasco_columns(columns):
    assert columns["fiasco_text_length"].tolist() == [4, 4, 51, 10, 5]
    assert columns["fiasco_types"].tolist() == [1, 1, 13, 2, 1]
    assert columns["fiasco_boilerplate_keywords"].tolist()[:3] == [1, 1, 0]
    assert columns["fiasco_clean_keywords"].tolist() == pytest.approx([0, 0, 1 / 13, 1 / 2, 1])  # they; two; three
    assert columns["fiasco_is_paragraph"].tolist() == [0, 1, 1, 0, 0]
    assert columns["fiasco_depth"].tolist() == [2, 3, 3, 5, 5]  # html body div (p), html body table tbody tr td
    assert columns["fiasco_links"].tolist() == [1, 0, 0, 0, 0]
    assert columns["fiasco_images"].tolist() == [0, 0, 0, 0, 1]
    assert np.isnan(columns["fiasco_solidity2"]).all()


def test_victor_containers_and_splits(columns):
    assert columns["victor_container_a"].tolist() == [1, 0, 0, 0, 0]
    assert columns["victor_container_class_bold"].tolist() == [0, 1, 0, 0, 0]
    assert columns["victor_container_p"].tolist() == [0, 1, 1, 0, 0]
    assert columns["victor_container_img"].tolist() == [0, 0, 0, 0, 1]
    assert columns["victor_split_hr"].tolist() == [0, 1, 0, 0, 0]
    # <p><b> after "Home" and the rule; </b></p><p> after the second "Home".
    assert columns["victor_split_p"].tolist() == [0, 1, 2, 1, 0]
    assert columns["victor_split_class_inline"].tolist()[:3] == [1, 2, 1]
    # <html><body><div>; <hr><p>; </p><p>; </p></div><table><tbody><tr><td>; </td><td><form><input></form>.
    assert columns["victor_split_class_block"].tolist() == [3, 2, 2, 6, 5]


def test_victor_counts_no_tags_of_scripts_and_styles():
    plain = measure(bs.parse("<p>a<p>b"), groups=("victor",)).columns["victor_split_class_block"]
    full = "<head><style>s</style><title>t</title></head><p>a<script>x</script><template><p>t</template><p>b"
    assert measure(bs.parse(full), groups=("victor",)).columns["victor_split_class_block"].tolist() == plain.tolist()


def test_victor_characters_and_tokens(columns):
    # "• One two.": six letters, one mark of ASCII, two spaces, one other sign.
    assert [columns[f"victor_char_{name}_rel"][3] for name in ("alpha", "num", "punct", "white", "other")] == [
        0.6, 0, 0.1, 0.2, 0.1,
    ]  # fmt: skip
    assert [columns[f"victor_char_{name}_abs"][3] for name in ("alpha", "num", "punct", "white", "other")] == [
        6, 0, 1, 2, 1,
    ]  # fmt: skip
    # They saw old mines on May www x org | 12 3 2001 | A2 | -
    assert [columns[f"victor_token_{name}_abs"][2] for name in ("alpha", "num", "mix", "other")] == [9, 3, 1, 1]
    assert columns["victor_token_other_rel"][2] == pytest.approx(1 / 14)


def test_victor_takes_a_character_for_a_word_where_words_are_not_spaced():
    # Six characters and a number; one sentence. The second cell has two of the page's nine words.
    page = bs.parse("<table><td>船在岸边很旧 7。<td>too late</table>")
    found = measure(page, groups=("victor",)).columns
    assert [found[f"victor_token_{name}_abs"][0] for name in ("alpha", "num", "mix", "other")] == [6, 1, 0, 0]
    assert found["victor_sentence_avg_length"].tolist() == [7, 2]
    assert found["victor_td_group_word_ratio"].tolist() == [7 / 9, 2 / 9]
    assert found["victor_document_word_count"].tolist() == [9, 9]


def test_victor_sentences_patterns_and_groups(columns):
    assert columns["victor_sentence_begin"].tolist() == [1, 1, 1, 0, 0]
    assert columns["victor_sentence_end"].tolist() == [0, 0, 0, 1, 0]
    assert columns["victor_first_duplicate"].tolist() == [1, 0, 0, 0, 0]
    assert columns["victor_duplicate_count"].tolist() == [2, 2, 1, 1, 1]
    # "They saw ... 2001." and "A2 - www.x.org", which ends without a mark.
    assert columns["victor_sentence_count"].tolist() == [1, 1, 2, 1, 1]
    assert columns["victor_sentence_avg_length"].tolist() == [1, 1, 6.5, 2, 1]
    assert columns["victor_document_sentence_count"].tolist() == [6] * 5
    # 18 words: 15 in the div, two and one in the cells.
    assert columns["victor_div_group_word_ratio"].tolist() == pytest.approx([15 / 18] * 3 + [0, 0])
    assert columns["victor_td_group_word_ratio"].tolist() == pytest.approx([0, 0, 0, 2 / 18, 1 / 18])
    assert columns["victor_document_max_td_group"].tolist() == pytest.approx([2 / 18] * 5)
    assert columns["victor_document_word_count"].tolist() == [18] * 5


PATTERNS = {
    "regexp_date": ("none", "2026-11-21", "on 21.11.2026", "May 3", "3 May", "5月", "in 2026"),
    "regexp_time": ("25:99", "9:30:00", "9.30 a.m.", "at 9:30"),
    "bullet": ("2.5", "1. a", "2) a", "a) b", "(x) b", "- a", "• a", "» a"),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_victor_numbers_what_it_finds_in_a_text(name):
    page = bs.parse("".join(f"<p>{text}</p>" for text in PATTERNS[name]))
    found = measure(page, groups=("victor",)).columns[f"victor_{name}"]
    assert found.tolist() == list(range(len(PATTERNS[name])))


def test_victor_tells_only_whether_there_is_a_web_address():
    texts = ("none", "http://x", "ask@example.org", "see example.org", "at www.x")
    page = bs.parse("".join(f"<p>{text}</p>" for text in texts))
    assert measure(page, groups=("victor",)).columns["victor_regexp_url"].tolist() == [0, 1, 1, 1, 1]


def test_victor_counts_a_block_among_its_duplicates():
    texts = measure(bs.parse("<p>a<p>b<p>a<p>a"), groups=("victor",)).columns
    assert texts["victor_duplicate_count"].tolist() == [3, 1, 3, 3]
    assert texts["victor_first_duplicate"].tolist() == [1, 0, 0, 0]


def test_victor_counts_a_rest_without_an_end_mark_as_a_sentence():
    page = bs.parse("<p>One two. Three<p>One. Two!<p>Only words<p>One. -<p>-")
    assert measure(page, groups=("victor",)).columns["victor_sentence_count"].tolist() == [2, 2, 1, 1, 0]


def test_victor_groups_cells_without_their_headings():
    page = bs.parse("<table><tr><th>one<td>two three")
    assert measure(page, groups=("victor",)).columns["victor_td_group_word_ratio"].tolist() == [0, 2 / 3]


def test_genieknows_columns(columns):
    assert columns["genieknows_text_length"].tolist() == pytest.approx([4 / 74, 4 / 74, 51 / 74, 10 / 74, 5 / 74])
    assert columns["genieknows_link_count"].tolist() == [1, 0, 0, 0, 0]
    assert columns["genieknows_has_form"].tolist() == [0, 0, 0, 0, 1]
    assert columns["genieknows_has_image"].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("html", ["<p>", "<div><img></div>", "<p>one"])
def test_tiny_pages(html):
    table = measure(bs.parse(html), groups=LITERATURE)
    assert table.matrix(column_names(*LITERATURE)).shape == (len(table), len(column_names(*LITERATURE)))


@pytest.mark.browser
def test_geometry_of_a_rendered_page(browser):
    style = "position:absolute;margin:0;font:20px/30px monospace;"
    html = (
        f"<body><p style='{style}left:100px;top:50px'>one two</p>"
        f"<p style='{style}left:400px;top:50px;font-size:40px;line-height:60px;width:200px'>one two</p>"
    )
    columns = measure(browser.open(html.encode()), groups=LITERATURE).columns
    assert columns["krdwrd_left"].tolist() == [100, 400]
    assert columns["krdwrd_lines"].tolist() == [1, 1]
    assert columns["krdwrd_height_ratio"].tolist() == pytest.approx([1, 1])
    width, height = columns["krdwrd_width"], columns["krdwrd_height"]
    assert columns["krdwrd_area"].tolist() == pytest.approx((width * height).tolist())
    assert width[1] == pytest.approx(2 * width[0], rel=0.01)
    assert columns["fiasco_width"].tolist() == pytest.approx([0.5, 1], rel=0.01)
    assert columns["fiasco_height"][1] == 1
    assert columns["fiasco_solidity1"].tolist() == pytest.approx([1, 1])
    assert columns["fiasco_solidity2"].tolist() == [4, 4]
    assert columns["genieknows_font_size"].tolist() == [20, 40]
    assert columns["genieknows_offset"].tolist() == pytest.approx([0, 300 / 1280])
    assert columns["genieknows_same_width"].tolist() == [0.5, 0.5]
