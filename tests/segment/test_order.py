"""Reading order: what layouts move about, read as a person reads it."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.order import reading_order
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

STYLE = "<!DOCTYPE html><style>body{margin:0;font:16px/20px sans-serif;width:800px}p{margin:0}</style>"


def read(page):
    return [page.leaf_texts[leaf].strip() for leaf in reading_order(page)]


def rendered(browser, html):
    return read(browser.open((STYLE + html).encode()))


def boxes(*children, tag="body", size=(800.0, 1000.0)):
    return (tag, (0, 0, *size), list(children))


def block(text, x, y, width=100, height=20):
    return ("div", (x, y, width, height), [(text, (x, y, width, height))])


def test_reading_order_without_geometry():
    assert read(bs.parse("<p>a<p>b<p>c")) == ["a", "b", "c"]


def test_reading_order_top_left_first(boxed):
    assert read(boxed(boxes(block("foot", 0, 500), block("right", 200, 0), block("left", 0, 0)))) == [
        "left",
        "right",
        "foot",
    ]


def test_reading_order_prefers_the_document(boxed):
    places = {"a": (0, 0), "b": (200, 0), "c": (0, 100), "d": (200, 100)}
    for order in ("abcd", "acbd"):
        assert read(boxed(boxes(*(block(name, *places[name]) for name in order)))) == list(order)


def test_reading_order_of_overlapping_boxes(boxed):
    page = boxed(boxes(block("low", 0, 50, 400, 100), block("high", 50, 0, 400, 100)))
    assert read(page) == ["low", "high"]


def test_reading_order_keeps_elements_together(boxed):
    # The card's foot is lower than the head of the card to its right, and is read before it.
    def card(name, x, y):
        return ("div", (x, y, 100, 200), [block(f"{name} head", x, y), block(f"{name} foot", x, y + 180)])

    assert read(boxed(boxes(card("second", 200, 0), card("first", 0, 10)))) == [
        "first head",
        "first foot",
        "second head",
        "second foot",
    ]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("style", "read_as"),
    [
        ("display:flex", "one two three"),
        ("display:flex;flex-direction:row-reverse", "three two one"),
        ("display:flex;flex-direction:column-reverse", "three two one"),
        ("display:grid;grid-template-areas:'c a b'", "three one two"),
        ("columns:3", "one two three"),
        ("display:block", "one two three"),
    ],
)
def test_reading_order_of_layouts(browser, style, read_as):
    areas = zip("abc", ("one", "two", "three"), strict=True)
    inner = "".join(f"<div style='grid-area:{area}'>{word}</div>" for area, word in areas)
    assert rendered(browser, f'<section style="{style}">{inner}</section>') == read_as.split()


@pytest.mark.browser
def test_the_order_property_moves_a_sidebar(browser):
    html = (
        "<div style='display:flex'><main style='order:2'><h1>Title</h1><p>Text</p></main>"
        "<nav style='order:1'><p>Home</p><p>News</p></nav></div>"
    )
    assert rendered(browser, html) == ["Home", "News", "Title", "Text"]


@pytest.mark.browser
def test_reading_order_of_floats(browser):
    right = "<div style='float:right;width:200px'>Aside</div><div style='margin-right:220px'><p>Text</p></div>"
    assert rendered(browser, right) == ["Text", "Aside"]
    # Text that runs around a float cannot be parted from it.
    around = f"<div style='float:right;width:200px;height:30px'>Note</div><p>{'Text ' * 200}</p>"
    assert rendered(browser, around)[0] == "Note"


@pytest.mark.browser
def test_text_in_columns_is_read_down(browser):
    words = " ".join(str(number) for number in range(200))
    html = f"<div style='columns:3;width:600px'><p>{words}</p><p>end</p></div><p>after</p>"
    assert rendered(browser, html) == [words, "end", "after"]


@pytest.mark.browser
def test_cards_in_a_grid_and_in_columns(browser):
    card = "<div style='break-inside:avoid'><h2>{0}</h2><p>{0} text</p></div>"
    cards = "".join(card.format(number) for number in range(4))
    in_order = [text for number in range(4) for text in (str(number), f"{number} text")]
    assert rendered(browser, f"<div style='display:grid;grid-template-columns:1fr 1fr'>{cards}</div>") == in_order
    assert rendered(browser, f"<div style='columns:2'>{cards}</div>") == in_order


@pytest.mark.browser
def test_right_to_left_rows(browser):
    row = "<div dir='rtl' style='display:flex'><div>אחת</div><div>שתיים</div></div>"
    assert rendered(browser, row) == ["אחת", "שתיים"]
    back = row.replace("display:flex", "display:flex;flex-direction:row-reverse")
    assert rendered(browser, back) == ["שתיים", "אחת"]


@pytest.mark.browser
def test_hidden_text_stays_next_to_what_it_follows(browser):
    html = (
        "<div style='display:flex;flex-direction:column-reverse'><p>low</p><p hidden>secret</p><p>high</p></div>"
        "<div hidden>gone</div><p>end</p>"
    )
    assert rendered(browser, html) == ["high", "low", "secret", "gone", "end"]


numbers = st.integers(0, 600)
leaf = st.builds(block, st.sampled_from(["a", "b"]), numbers, numbers, st.integers(1, 300), st.integers(1, 60))
trees = st.recursive(
    leaf,
    lambda below: st.builds(
        lambda children, tag: (tag, (0, 0, 800, 1000), children),
        st.lists(below, min_size=1, max_size=5),
        st.sampled_from(["div", "span"]),
    ),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(children=st.lists(trees, min_size=1, max_size=5))
def test_every_leaf_is_read_once_and_elements_stay_whole(boxed, children):
    page = boxed(boxes(*children))
    order = reading_order(page)
    assert sorted(order.tolist()) == list(range(len(page.leaves)))
    place = np.argsort(order)
    for first, last in page.leaf_range[page.leaf_range[:, 1] > page.leaf_range[:, 0]].tolist():
        assert np.ptp(place[first:last]) == last - first - 1
