"""Repeated lines, counts and what ends a page are no content, though they were chosen."""

import numpy as np
import pytest
from blocksight.classify.marked_lines import lines_about, lines_of, repeated_lines, without_lines
from blocksight.page.parse import parse

BEFORE = f"<p>{'Some words about tea and water. ' * 8}</p>"


def left(html, *find):
    """The lines of a page that remain, all of it being marked."""
    page = parse(html)
    marks = np.ones(len(page.leaves), dtype=bool)
    for one in find:
        lines = lines_of(page, marks)
        marks = without_lines(marks, lines, one(lines))
    return lines_of(page, marks).texts


def test_lines_of_leaves():
    page = parse("<p>The <b>tide</b> turned.</p><p>Early.</p>")
    assert lines_of(page, np.ones(len(page.leaves), dtype=bool)).texts == ["The tide turned.", "Early."]
    assert lines_of(page, np.asarray([False, True, False, True])).texts == ["tide", "Early."]
    assert len(lines_of(page, np.zeros(4, dtype=bool))) == 0


def test_without_lines_leaves_something():
    page = parse("<p>a</p><p>b</p>")
    marks = np.ones(2, dtype=bool)
    lines = lines_of(page, marks)
    assert without_lines(marks, lines, {0}).tolist() == [False, True]
    assert without_lines(marks, lines, {0, 1}).tolist() == [True, True]


# -- repetitions ------------------------------------------------------------------------------------------------------


def kept(html):
    return left(html, repeated_lines)


def twice(text, between=0):
    """Return markup in which a text is in two elements, with others between them."""
    others = "".join(f"<p>{number}</p>" for number in range(between))
    return f"<div><p>{text}</p></div>{others}<div><p>{text}</p></div>"


@pytest.mark.parametrize(
    ("length", "between", "times"),
    [
        (24, 0, 2),
        (25, 0, 1),
        # The fourth line behind it is near, the fifth is not, unless the text is long.
        (25, 3, 1),
        (25, 4, 2),
        (159, 4, 2),
        (160, 4, 1),
    ],
)
def test_repeated_lines_length_and_distance(length, between, times):
    assert kept(twice("x" * length, between)).count("x" * length) == times


def test_repeated_lines_compares_with_last():
    text = "x" * 25
    html = "".join(f"<div><p>{text}</p></div><p>{number}a</p><p>{number}b</p><p>{number}c</p>" for number in range(3))
    assert kept(html).count(text) == 1


@pytest.mark.parametrize(
    ("html", "times"),
    [
        ("<div><p>{0}</p><p>{0}</p></div>", 2),
        ("<div><p>{0}</p><p class=other>{0}</p></div>", 1),
        ("<div><p>{0}</p><section>{0}</section></div>", 1),
        ("<div><p>{0}</p></div><div><p>{0}</p></div>", 1),
        # Cells, code and quotes, by the element or by its class.
        ("<div><p>{0}</p></div><table><tr><td>{0}</table>", 2),
        ("<div><p>{0}</p></div><pre>{0}</pre>", 2),
        ("<div><p>{0}</p></div><blockquote><p>{0}</p></blockquote>", 2),
        ("<div><p>{0}</p></div><div class='big Quotation'><p>{0}</p></div>", 2),
        ("<div><p>{0}</p></div><ul><li>{0}</ul>", 1),
    ],
)
def test_repeated_lines_elements(html, times):
    assert len(kept(html.format("x" * 25))) == times


LONG = "x" * 60


# -- lines about the text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Von Anna Sleegers, Frankfurt",
        "Von Paul Weber, Volontär",
        "By Ida M. Finch",
        "06.11.2025, 21:18 Uhr",
        "17:41 JST, October 13, 2024",
        "Foto: Ida Finch",
        "(Foto: Ida Finch / Weir)",
        "Legende: The weir at noon",
        "The weir at noon. Photo: Ida Finch",
        "The police closed the road. © Finch | Weir",
        "See also: <a href=/eels>Eels in the weir</a>",
        "<a href=/eels>Les også: Eels in the weir</a>",
    ],
)
def test_lines_about_names_dates_and_credits(line):
    assert left(f"{BEFORE}<p>{line}</p>{BEFORE}", lines_about) == left(BEFORE + BEFORE)


@pytest.mark.parametrize(
    "markup",
    [
        "<p>By the river stood a mill.</p>",
        "<p>Von Haus aus war er Müller.</p>",
        "<p>See also the notes below.</p>",
        "<h2>See also</h2>",
        "<p>06.11.2025</p>",
        "<pre>image: weir:latest</pre>",
        "<table><tr><td>Foto: Finch<td>06.11.2025, 21:18 Uhr</table>",
        "<p>He took a photo: the weir at noon. It was cold.</p>",
        "".join(f"<p>06.11.2025, {hour}:18 Uhr</p>" for hour in range(10, 14)),
    ],
)
def test_lines_about_spares_text(markup):
    page = BEFORE + markup + BEFORE
    assert left(page, lines_about) == left(page)
