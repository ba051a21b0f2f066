"""CETD by hand."""

import math

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems import system_named
from blocksight.classify.systems.cetd import Cetd, dense_nodes, densities
from blocksight.classify.systems.linear_page import characters

LONG, SHORT = "x" * 60, "y" * 40
PAGE = f"<body><div><a>home</a><a>news</a></div><div><p>{LONG}</p><p>{SHORT}</p></div></body>"


def by_tag(page, column):
    """The column's values as (tag, value), elements with text only."""
    return [(page.tag_of(row), value) for row, value in enumerate(column.tolist()) if value]


def test_composite_density():
    page = bs.parse(PAGE)
    found = dict(by_tag(page, densities(page, characters(page)).density)[::-1])
    # Body: 108 characters, 8 of them in links. First paragraph: C = 60, no tags, no links (zeros are 1), so
    # 60 / 1 * ln(60 * 1 / (1 * 1)) / ln(ln(60/60 * 1 + 8/108 * 60 + e)) = 60 * 4.0943 / 0.7417.
    assert found["p"] == pytest.approx(331.2, abs=0.1)
    # Body: C = 108, T = 6, LC = 8, LT = 3: two links, and a div of nothing else.
    outer = math.log(math.log(108 / 100 * 8 + 8 / 108 * 108 + math.e))
    assert found["body"] == pytest.approx(108 / 6 * math.log(108 * 6 / (8 * 3)) / outer)


def test_nothing_but_links_has_no_density():
    page = bs.parse(PAGE)
    # C = LC = 8, T = LT = 2: ln(16 / 16) = 0.
    assert densities(page, characters(page)).density[page.has_tag("div")].tolist()[0] == 0.0


@pytest.mark.parametrize("name", ["a", "a><span", "a><b><i"])
def test_a_link_counts_itself_and_all_tags_below_it(name):
    inner, closing = f"<{name}>", "".join(f"</{tag}>" for tag in name.split("><")[::-1])
    page = bs.parse(f"<ul>{f'<li>{inner}home page{closing}</li>' * 5}</ul><p>{LONG}</p>")
    # All tags below the list are link tags, T = LT, all characters are linked, C = LC: ln(C T / (LC LT)) = 0.
    assert densities(page, characters(page)).density[page.has_tag("ul")].tolist() == [0.0]


def test_an_element_with_other_tags_is_no_link_tag():
    # div > (p > (a, br), a): the p holds a br as well, so LT of the div is 2 of T = 4.
    page = bs.parse("<div><p><a>four</a><br></p><a>four</a></div>")
    found = densities(page, characters(page)).density[page.has_tag("div")][0]
    outer = math.log(math.log(8 / 1 * 8 + 8 / 8 * 8 + math.e))
    assert found == pytest.approx(8 / 4 * math.log(8 * 4 / (8 * 2)) / outer)


def test_density_sum_adds_up_children_and_texts():
    page = bs.parse(PAGE)
    found = densities(page, characters(page))
    second_div = np.flatnonzero(page.has_tag("div"))[1]
    assert found.density_sum[second_div] == pytest.approx(found.density[page.has_tag("p")].sum())
    # A text of 60: 60 * ln(60) / ln(ln(60 * 8/108 + e)) = 245.66 / 0.6775.
    assert found.density_sum[page.has_tag("p")][0] == pytest.approx(362.6, abs=0.1)


def test_programs_are_no_tags():
    plain, scripted = bs.parse(PAGE), bs.parse(PAGE.replace("<p>", "<script>1</script><style>2</style><p>"))
    one, other = (densities(page, characters(page)).density[page.has_tag("div")] for page in (plain, scripted))
    assert one.tolist() == other.tolist()


def test_the_threshold_is_the_least_density_on_the_way_up():
    # body > (div > (p, p), p, p); the densest by sum is the div. On the way up stand 9 (div) and 5 (body): 5 it is.
    page = bs.parse("<body><div><p>a</p><p>b</p></div><p>c</p><p>d</p></body>")
    density, density_sum = np.zeros(len(page)), np.zeros(len(page))
    body, div = (int(np.flatnonzero(page.has_tag(tag))[0]) for tag in ("body", "div"))
    _, _, third, fourth = np.flatnonzero(page.has_tag("p")).tolist()
    density[[body, div, third, fourth]] = [5, 9, 6, 4]
    density_sum[[body, div, third, fourth]] = [10, 20, 3, 3]
    # The third paragraph reaches the threshold, the fourth does not; under the body the div has the largest sum.
    assert dense_nodes(page, density, density_sum).tolist() == [div, third]


def test_content(marked):
    assert marked(Cetd(), PAGE) == [LONG, SHORT]
    # Without any link on the page, too.
    assert marked(Cetd(), f"<p>{LONG}</p>") == [LONG]
    assert marked(Cetd(), LONG) == [LONG]


@pytest.mark.parametrize("name", ["cetd", "constor2", "scedd"])
@pytest.mark.parametrize("parted", ["{}<br>{}<br>{}<br>{}<br>{}<br>{}", "<div>{}<br>{}<br>{}<br>{}<br>{}<br>{}</div>"])
def test_text_in_the_body_parted_by_line_breaks(marked, name, parted):
    runs = [f"{'word ' * 29}word{number}" for number in range(6)]
    assert marked(system_named(name), f"<body>{parted.format(*runs)}</body>") == runs
