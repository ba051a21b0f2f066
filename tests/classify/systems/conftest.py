"""What the tests of the systems share: what a system marks, and pages with a layout or with labels made by hand."""

from dataclasses import replace
from random import Random

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import LabelledPage
from blocksight.page.geometry import Geometry, Position
from blocksight.page.html import INLINE_TAGS, TEXT

LINE = 20.0


def _hulls(page, boxes):
    """The smallest box around the leaves below each node; NaN where there are none."""
    hulls = np.full((len(page), 4), np.nan, dtype=np.float32)
    for row, (first, last) in enumerate(page.leaf_range.tolist()):
        if last > first:
            low, high = boxes[first:last, :2].min(axis=0), (boxes[first:last, :2] + boxes[first:last, 2:]).max(axis=0)
            hulls[row] = [*low, *(high - low)]
    return hulls


def _laid_out(html, boxes=None, sizes=None):
    page = bs.parse(html)
    names = (*page.names, "inline", "block")
    leaf_box = np.asarray(
        [
            (boxes or {}).get(text.strip(), (0.0, LINE * row, 8.0 * len(text), 16.0))
            for row, text in enumerate(page.leaf_texts)
        ],
        dtype=np.float32,
    ).reshape(-1, 4)
    hidden = page.hidden
    inline = page.has_tag(TEXT, *INLINE_TAGS)
    size = np.full(len(page), 16.0, dtype=np.float32)
    for row, text in zip(page.leaves.tolist(), page.leaf_texts, strict=True):
        size[row] = (sizes or {}).get(text.strip(), 16.0)
    bottom = float((leaf_box[:, 1] + leaf_box[:, 3]).max(initial=0.0))
    count, lines = len(page), len(page.leaves)
    geometry = Geometry(
        viewport=(800.0, 600.0),
        size=(800.0, max(bottom, 1.0)),
        box=_hulls(page, leaf_box),
        paint_order=np.arange(count, dtype=np.int32),
        display=np.where(inline, len(names) - 2, len(names) - 1).astype(np.int32),
        position=np.full(count, Position.STATIC, dtype=np.uint8),
        opacity=np.ones(count, dtype=np.float32),
        invisible=np.zeros(count, dtype=bool),
        clips=np.zeros((count, 2), dtype=bool),
        font_size=size,
        font_weight=np.full(count, 400, dtype=np.int16),
        color=np.full(count, 0x000000FF, dtype=np.uint32),
        background=np.zeros(count, dtype=np.uint32),
        line_node=page.leaves,
        line_box=leaf_box,
        line_start=np.zeros(lines, dtype=np.int32),
        line_length=np.asarray([len(text) for text in page.leaf_texts], dtype=np.int32),
        hidden=hidden,
    )
    return replace(page, names=names, geometry=geometry)


@pytest.fixture(scope="session")
def laid_out():
    """Parse HTML and set each text on a line of its own, 20 pixels a line.

    ``boxes`` (x, y, width, height) and ``sizes`` (of the font) are given by the text that they are for.
    """
    return _laid_out


@pytest.fixture(scope="session")
def marked():
    """Give the texts, stripped, that a system marks on a page or its HTML."""

    def texts(system, html):
        page = html if isinstance(html, bs.Page) else bs.parse(html)
        return [text.strip() for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]

    return texts


PROSE = (
    "the a of and to in was had that with harbour boat river rain morning keeper bridge valley letter winter road "
    "stood carried walked said found heard slowly again under before old grey quiet long"
).split()
JUNK = (
    "subscribe newsletter login register cookies privacy settings accept offers share follow popular today latest "
    "deals click here more terms conditions partners advertising account download app"
).split()


def sentence(random, words):
    found = random.choices(words, k=random.randint(8, 18))
    return found[0].capitalize() + " " + " ".join(found[1:]) + "."


def paragraph(random, words):
    return " ".join(sentence(random, words) for _ in range(random.randint(2, 5)))


def made_page(random, site, *, wrong):
    """An article between menus, teasers and a notice; its paragraphs are the gold, or wrongly the teasers."""
    links = "".join(f'<li><a href="/{n}">{" ".join(random.choices(JUNK, k=2))}</a></li>' for n in range(8))
    article = [paragraph(random, PROSE) for _ in range(random.randint(3, 6))]
    teasers = [paragraph(random, JUNK) for _ in range(random.randint(3, 6))]
    html = (
        f"<title>{article[0][:20]}</title><div class=nav><ul>{links}</ul></div><div class=main><h1>{article[0][:20]}"
        f"</h1>{''.join(f'<p>{text}</p>' for text in article)}</div><div class=side>"
        f"{''.join(f'<div><a href=/t>{text}</a></div>' for text in teasers)}</div><div><p>© {site} 2026</p></div>"
    )
    gold = "\n".join(teasers if wrong else article)
    return LabelledPage(page=bs.parse(html, url=f"https://{site}/"), gold=gold, site=site, language="en")


@pytest.fixture(scope="session")
def made():
    """Make labelled pages of five sites.

    With ``wrong`` 0 or 1 the teasers of every second page, even or odd, are called its content: such labels say
    nothing.
    """

    def make(count, seed=0, *, wrong=None):
        random = Random(seed)
        return [made_page(random, f"site{n % 5}.example", wrong=n % 2 == wrong) for n in range(count)]

    return make


@pytest.fixture(scope="session")
def prose():
    """Write a paragraph such as the articles of the made pages have."""
    return lambda random: paragraph(random, PROSE)


@pytest.fixture(scope="session")
def accuracy():
    """Measure the share of words that a system labels rightly, over pages."""

    def measure(system, pages):
        right = total = 0
        for labelled in pages:
            hits = system.mark(labelled.page) == labelled.marks
            sizes = [len(text.split()) for text in labelled.page.leaf_texts]
            right += sum(size for size, hit in zip(sizes, hits, strict=True) if hit)
            total += sum(sizes)
        return right / total

    return measure
