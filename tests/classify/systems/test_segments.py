"""Headings, paragraphs and items as systems themselves name them, by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.system import SegmentingSystem, page_for, segments_of
from blocksight.classify.systems.genieknows import GenieKnows
from blocksight.classify.systems.htmlcleaner import HtmlCleaner
from blocksight.classify.systems.kimatu import Kimatu
from blocksight.classify.systems.linear_page import kinds_by_tag, marked_lines
from blocksight.classify.systems.wcc import WccBaseline, WccHeuristic

OWN = tuple(system for system in bs.SYSTEMS if isinstance(system, SegmentingSystem))
LONG = " ".join(["word"] * 11)
GOOD = "The boat was on the bank of Ytres."


def segments(system, html):
    page = html if isinstance(html, bs.Page) else bs.parse(html)
    return list(map(str, segments_of(system, page)))


def test_who_names_segments():
    assert sorted(system.card.name for system in OWN) == [
        "genieknows", "htmlcleaner", "kimatu", "victor", "wcc-baseline", "wcc-heuristic",
    ]  # fmt: skip
    assert segments_of(bs.SYSTEMS[-1], bs.parse("<p>one")) is None


@pytest.mark.parametrize("system", OWN, ids=lambda system: system.card.name)
def test_segments_hold_the_words_that_are_marked(system, laid_out):
    html = (
        f"<h1>Rain at the ferry</h1><p>{GOOD} <b>{GOOD}</b> {GOOD}</p><p>{LONG}</p><ul><li>{GOOD}<ul><li>{GOOD}</ul>"
        f"{GOOD}</ul><p hidden>{GOOD}</p><table><tr><td>{GOOD}<td><p>{GOOD}</table><div><a href=/>Home</a> | News</div>"
    )
    page = page_for(system, laid_out(html))
    marked = [text for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]
    assert " ".join(marked).split()
    assert " ".join(segment.text for segment in segments_of(system, page)).split() == " ".join(marked).split()


def test_kinds_by_tag():
    page = bs.parse(
        "<h2>a</h2><p>b<ul><li>c<li><p>d</ul><dl><dt>e<dd>f</dl><table><tr><th>g<td>h<td><p>i</table><p hidden>j"
    )
    lines = marked_lines(page, np.ones(len(page.leaves), dtype=bool))
    assert [line.text for line in lines] == list("abcdefghi")
    # A cell's own text is an item, a paragraph in a cell is one.
    assert "".join(kinds_by_tag(page, [line.node for line in lines])) == "hpllllllp"


def test_wcc_has_headings_and_no_lists():
    html = f"<div>First</div><div>Title</div><div>{LONG}</div><ul><li>{LONG}</ul>"
    assert segments(WccHeuristic(), html) == ["<h>Title", f"<p>{LONG}", f"<p>{LONG}"]
    assert segments(WccBaseline(), "<h1>Title</h1><ul><li>one</ul>") == ["<p>Title", "<p>one"]


def test_kimatu_goes_by_tags_punctuation_and_size():
    text = "It rained, and then it rained again, said the man from the ferry."
    last = "Nobody answered, for nobody had asked him, and the boats lay still."
    html = f"<h2>Weather</h2><p>{text}</p><p>On the ferry</p><p>{text} Again.</p><p>On the ferry.</p><p>{last}</p>"
    assert segments(Kimatu(), html) == [
        "<h>Weather", f"<p>{text}", "<h>On the ferry", f"<p>{text} Again.", "<p>On the ferry.", f"<p>{last}",
    ]  # fmt: skip
    # Neither is a line of more than eight words a heading, nor one that no longer line follows.
    assert Kimatu()._is_title("one two three four five six seven eight", LONG)
    assert not Kimatu()._is_title("one two three four five six seven eight nine", LONG)
    assert not Kimatu()._is_title("one two", "two one")


def test_htmlcleaner_takes_capitals_for_headings():
    html = f"<h3>Rain</h3><p>{GOOD}</p><p>AT THE FERRY. {GOOD} {GOOD} I.</p><p>{GOOD}</p><p>a</p><p>b</p>"
    assert segments(HtmlCleaner(), html) == [
        f"<p>{GOOD}", "<h>AT THE FERRY.", f"<p>{GOOD} {GOOD} I.", f"<p>{GOOD}",
    ]  # fmt: skip


@pytest.fixture
def bold(laid_out):
    """Set some texts of a page in bold type."""

    def page(html, *texts):
        made = laid_out(html)
        weight = made.geometry.font_weight.copy()
        weight[made.leaves[[text.strip() in texts for text in made.leaf_texts]]] = 700
        return replace(made, geometry=replace(made.geometry, font_weight=weight))

    return page


def test_genieknows_takes_bold_paragraphs_for_headings(bold):
    html = f"<h1>a</h1><p><b>Rain</b></p><p><b>Rain</b> {GOOD}</p><table><tr><th>Rain<td>{GOOD}<td><p>{GOOD}</table>"
    everything = GenieKnows(least_importance=-np.inf)
    assert segments(everything, bold(html, "Rain")) == [
        "<h>a", "<h>Rain", f"<p>Rain {GOOD}", "<l>Rain", f"<l>{GOOD}", f"<p>{GOOD}",
    ]  # fmt: skip


def test_for_genieknows_a_paragraph_starts_after_a_list(laid_out):
    html = "<ul><li>one<ul><li>two<ol><li>three</ol></ul>four</li><li>five</ul>six"
    everything = GenieKnows(least_importance=-np.inf)
    assert segments(everything, laid_out(html)) == ["<l>one", "<l>two", "<l>three", "<p>four", "<l>five", "<p>six"]
