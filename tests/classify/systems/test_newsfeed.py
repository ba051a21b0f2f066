"""NewsFeed's heuristic, by hand, with smaller constants where that keeps the page small."""

import pytest
from blocksight.classify.systems.newsfeed import NewsfeedDom

TEN = "ten chars."
FORTY = (TEN + " ") * 3 + "seven c"  # 40 characters
SMALL = NewsfeedDom(paragraph_characters=10, characters_per_tag=5, least_characters=15)


def paragraphs(*texts):
    return "".join(f"<p>{text}</p>" for text in texts)


def test_constants_of_the_thesis(marked):
    assert len(FORTY) == 40
    # Eight paragraphs of 40 characters make 320, nine 360: the sum must exceed 350.
    assert marked(NewsfeedDom(), paragraphs(*[FORTY] * 8)) == []
    assert len(marked(NewsfeedDom(), paragraphs(*[FORTY] * 9))) == 9
    # 39 characters bear nothing.
    assert marked(NewsfeedDom(), paragraphs(*[FORTY[:-1]] * 12)) == []


def test_tags_in_a_paragraph(marked):
    # Ten characters pay for two tags, not for three.
    assert marked(SMALL, paragraphs(TEN, "<b>ten</b><i>chars.</i>_")) == [TEN, "ten", "chars.", "_"]
    assert marked(SMALL, paragraphs(TEN, TEN, "<b>te</b><i>n </i><u>chars.</u>_")) == [TEN, TEN]


def test_a_short_paragraph_between_two(marked):
    assert marked(SMALL, paragraphs(TEN, "a", TEN, "b")) == [TEN, "a", TEN]
    # Not between paragraphs of different elements.
    html = f"<div>{paragraphs(TEN, TEN)}</div><div>{paragraphs('a', TEN)}</div>"
    assert marked(SMALL, html) == [TEN, TEN]


def test_a_later_element_must_have_more_than_twice_as_much(marked):
    first = f"<div>{paragraphs(TEN, TEN)}</div>"
    assert marked(SMALL, first + f"<div>{paragraphs(*['a' * 10] * 4)}</div>") == [TEN, TEN]
    assert marked(SMALL, first + f"<div>{paragraphs(*['a' * 10] * 5)}</div>") == ["a" * 10] * 5


def test_only_children_count(marked):
    # The paragraphs stand in two divs of 10 characters each; neither exceeds 15, their parent has none of its own.
    assert marked(SMALL, f"<p>{TEN}</p><section><section><p>{TEN}</p></section></section>") == []


def test_failing_that_a_div(marked):
    # 20 characters, three links pay 15.
    assert marked(SMALL, "<div>twenty characters ok<a></a><a></a><a></a></div>") == ["twenty characters ok"]
    assert marked(SMALL, "<div>twenty characters ok<a></a><a></a><a></a><img></div>") == []
    assert marked(SMALL, "<table><td>twenty characters ok</table>") == ["twenty characters ok"]


@pytest.mark.parametrize("name", ["articleBody", "ArticleBody", "text articleBody"])
def test_declared_body_wins_outright(marked, name):
    html = f"{paragraphs(TEN, TEN)}<div itemprop='{name}'><b>x</b></div>"
    assert marked(SMALL, html) == ["x"]


@pytest.mark.parametrize(
    "removed",
    [
        "<figure>{}</figure>",
        "<aside>{}</aside>",
        '<div style="display: none">{}</div>',
        '<div style="visibility:hidden">{}</div>',
        '<div class="main-navigation x">{}</div>',
        '<div id="left_sidebar">{}</div>',
        '<div class="Social">{}</div>',
    ],
)
def test_removed(marked, removed):
    html = f"<div>{paragraphs(TEN, TEN)}{removed.format(paragraphs(TEN))}</div>"
    assert marked(SMALL, html) == [TEN, TEN]


@pytest.mark.parametrize("name", ["navigator-of-seas", "download", "socialism"])
def test_a_name_is_a_whole_word(marked, name):
    assert marked(SMALL, f"<div class='{name}'>{paragraphs(TEN, TEN)}</div>{paragraphs(TEN)}") == [TEN, TEN]


def test_nothing_is_removed_that_is_most_of_the_page(marked):
    assert marked(SMALL, f"<div class='content sidebar'>{paragraphs(TEN, TEN)}</div>") == [TEN, TEN]
