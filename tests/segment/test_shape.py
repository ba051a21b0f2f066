"""Shapes of elements: the tag paths below them, and how much of them two elements share."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.shape import Shapes, same_template


def shapes_of(html, counted=None):
    page = bs.parse(html)
    return page, Shapes(page, np.ones(len(page), dtype=bool) if counted is None else counted(page))


def first(page, tag):
    return int(np.flatnonzero(page.has_tag(tag))[0])


def test_a_shape_has_the_paths_of_three_levels():
    page, shapes = shapes_of("<main><section><ul><li><a><b>x</b></a></li></ul></section></main>")
    # Below the section: ul, ul li, ul li a; its b is a level too deep. Texts never count.
    assert [len(shapes.of(first(page, tag))) for tag in ("main", "section", "ul", "li", "a", "b")] == [3, 3, 3, 2, 1, 0]


def test_the_root_has_a_shape_too():
    page, shapes = shapes_of("<body><p>x</p></body>")
    # head, body, body p.
    assert len(shapes.of(0)) == 3
    assert shapes.of(len(page) - 1) == frozenset()


def test_the_same_paths_are_one_shape_however_often_and_in_which_order_they_stand():
    page, shapes = shapes_of("<div><i>1</i><b>2</b></div><div><b>3</b><i>4</i><b>5</b></div>")
    one, other = np.flatnonzero(page.has_tag("div")).tolist()
    assert shapes.of(one) == shapes.of(other)
    assert len(shapes.of(one)) == 2


def test_paths_are_distinguished_by_tags_their_order_and_their_depth():
    insides = (
        "<b><i>x</i></b>",
        "<i><b>x</b></i>",
        "<b>x</b><i>x</i>",
        "<b><u>x</u></b>",
        "<b><b>x</b></b>",
        "<b>x</b>",
    )
    page, shapes = shapes_of("".join(f"<div>{inside}</div>" for inside in insides))
    found = [shapes.of(row) for row in np.flatnonzero(page.has_tag("div")).tolist()]
    assert len(set(found)) == len(insides)
    # b and b i share b with b and b u; with i and i b nothing.
    assert [len(found[0] & other) for other in found[1:]] == [0, 1, 1, 1, 1]


def test_what_does_not_count_is_in_no_shape():
    page, shapes = shapes_of("<div><b>1</b><i>2</i></div><div><b>3</b></div>", counted=lambda page: ~page.has_tag("i"))
    one, other = np.flatnonzero(page.has_tag("div")).tolist()
    assert shapes.of(one) == shapes.of(other)


def test_an_element_between_that_does_not_count_is_still_part_of_a_path():
    page, shapes = shapes_of("<div><i><b>1</b></i></div><div><b>2</b></div>", counted=lambda page: ~page.has_tag("i"))
    one, other = np.flatnonzero(page.has_tag("div")).tolist()
    assert len(shapes.of(one)) == len(shapes.of(other)) == 1
    assert shapes.of(one) != shapes.of(other)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        # 3 of 5 are 0.6 of the smaller one, 2 of 5 are not.
        ({1, 2, 3, 4, 5}, {1, 2, 3, 6, 7, 8, 9}, True),
        ({1, 2, 3, 4, 5}, {1, 2, 6, 7, 8, 9}, False),
        # How much larger the other one is does not matter.
        ({1}, set(range(100)), True),
        (set(), set(), True),
        (set(), {1}, False),
    ],
)
def test_shapes_are_alike_where_most_of_the_smaller_one_is_in_the_other(one, other, alike):
    assert same_template(frozenset(one), frozenset(other)) is alike
    assert same_template(frozenset(other), frozenset(one)) is alike
