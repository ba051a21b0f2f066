"""What holds for every system, whatever it thinks: the form of its answer."""

import re
from random import Random

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems import SYSTEM_NAMES, system_named
from blocksight.errors import LanguageUnknown
from blocksight.page.visibility import invisible_leaves

TAGS = (
    "div p a b span ul li table tr td h1 h2 hr br img form input select option article section figure aside "
    "blockquote pre dl dt dd nav footer header font center iframe script style title em button label"
).split()
WORDS = (
    "the of and Die der la le a x 12 2026-11-21 © ... | – привет 世界 です ไทย नमस्ते שלום copyright Read more. "
    "Sentence ends here. Comments (3) &amp; \u200b \ufeff \U0001f600"
).split(" ")


def odd_page(seed):
    """A page of random elements, attributes and words, well formed or not."""
    random = Random(seed)
    parts, opened = [], []
    for _ in range(random.choice([1, 5, 40, 300])):
        kind = random.random()
        if kind < 0.35:
            tag = random.choice(TAGS)
            attribute = random.choice(["", "", ' class="nav"', ' id="comments"', ' style="display:none"', " hidden"])
            parts.append(f"<{tag}{attribute}{' href=#' if tag == 'a' else ''}>")
            opened.append(tag)
        elif kind < 0.6 and opened:
            parts.append(f"</{opened.pop(random.choice([0, -1]))}>")
        else:
            parts.append(" ".join(random.choices(WORDS, k=random.choice([0, 1, 3, 60]))) + random.choice(["", "\n"]))
    return f"<title>{random.choice(WORDS)}</title><p>first</p>" + "".join(parts)


PAGES = {
    **{f"odd {seed}": odd_page(seed) for seed in range(10)},
    "nothing": "",
    "no text": "<html><body><div><img src=a.png></div></body></html>",
    "one leaf": "<p>one</p>",
    "one bare word": "word",
    "only links": "".join(f"<a href={n}>link {n}</a> " for n in range(50)),
    "all hidden": '<div style="display:none"><p>nobody sees this text here</p></div>',
    "deep": "<div>" * 900 + "<p>down here, some words</p>",
    "points": "<p>" + "." * 50_000 + "x</p>",
    "hidden part": "<div><p>" + "A visible sentence with the words of a page. " * 20 + "</p>"
    "<p hidden>" + "A hidden sentence with the words of a page. " * 3 + "</p></div>",
}


@pytest.fixture(params=SYSTEM_NAMES)
def system(request):
    return system_named(request.param)


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_marks(system, html, laid_out):
    page = laid_out(html) if system.card.visual else bs.parse(html)
    try:
        marks = system.mark(page)
    except LanguageUnknown:  # words of ten languages and signs, of which it knows too few
        assert system.card.name == "stupidos"
        assert html == PAGES["odd 6"]
        return
    assert marks.dtype == bool
    assert marks.shape == page.leaves.shape
    assert np.array_equal(marks, system.mark(page))
    assert not (marks & invisible_leaves(page)).any()


def test_names_are_unique_and_sorted():
    names = [system.card.name for system in bs.SYSTEMS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9+-]+", name) for name in names)
    assert names[:2] == ["blocksight", "blocksight-dom"]
    assert names[-1] == "everything"


def test_systems_of_the_markup_are_handed_no_geometry(laid_out):
    seen = []

    class Curious:
        card = next(system.card for system in bs.SYSTEMS if not system.card.visual)

        def mark(self, page):
            seen.append(page.geometry)
            return np.ones(len(page.leaves), dtype=bool)

    class CuriousJudge(Curious):
        def judge(self, page):
            return bs.Judgement(marks=self.mark(page), probability=np.ones(1), expected_f1=1.0)

    for system in (Curious(), CuriousJudge()):
        bs.extract(laid_out("<p>one</p>"), system=system)
    assert seen == [None, None]


def test_cards(system):
    assert system.card.title
    assert system.card.paper
    assert 1999 < system.card.year <= 2026


def test_systems_are_values(system):
    assert type(system)() == system
    assert hash(type(system)()) == hash(system)
