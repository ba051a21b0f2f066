"""What the tests of witnesses share: a page with its gold, and what is said of its rows."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.features.rows import rows_of
from blocksight.gold.labeling_functions.label_context import LabelContext
from blocksight.gold.pages import GoldPage
from blocksight.page.parse import parse
from blocksight.segment.blocks import text_blocks, visible_blocks


def _scene(html, *, share=None, url="", **gold):
    page = parse(html, url=url)
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    scene = LabelContext(page, rows, GoldPage(corpus="own", id="one", path=Path("one.html"), **gold))
    if share is not None:
        scene.share = np.asarray(share, dtype=float)
    return scene


@pytest.fixture(scope="session")
def scene():
    """Return a page with its gold; the share of each row that the gold holds may be given."""
    return _scene


def _said(claims):
    return {(claim.witness, claim.role): np.flatnonzero(claim.rows).tolist() for claim in claims if claim.rows.any()}


@pytest.fixture(scope="session")
def said():
    """Return the rows of each claim that has any, by witness and role."""
    return _said


@pytest.fixture(scope="session")
def words():
    """Return some different words that begin with a letter."""
    return lambda number, letter="w": " ".join(f"{letter}{place}" for place in range(number))
