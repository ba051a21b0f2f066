"""Fixtures of the tests of labeling functions: the context of a page, and the rows of votes."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.gold.labeling_functions.label_context import label_context
from blocksight.gold.leaf_labels import label_rows, page_rows
from blocksight.gold.pages import GoldNodes, GoldPage, GoldRoles
from blocksight.page.parse import parse


def _context(html, *, share=None, url="", nodes=None, texts=(), kind="", **roles):
    rows = page_rows(parse(html, url=url))
    gold = GoldPage(
        corpus="own",
        id="one",
        path=Path("one.html"),
        nodes=nodes or GoldNodes(),
        texts=texts,
        kind=kind,
        roles=GoldRoles(**roles),
    )
    if share is None:
        share = label_rows(rows.texts, gold).share
    elif callable(share):
        share = [share(text) for text in rows.texts]
    return label_context(rows, gold, np.asarray(share, dtype=float))


@pytest.fixture(scope="session")
def context():
    """Return the context of a page; the share of each row in the gold may be given, or a function of its text."""
    return _context


def _said(votes):
    return {(vote.source, vote.role): np.flatnonzero(vote.rows).tolist() for vote in votes if vote.rows.any()}


@pytest.fixture(scope="session")
def said():
    """Return the rows of each vote that has any, by source and role."""
    return _said


@pytest.fixture(scope="session")
def words():
    """Return some different words that start with a letter."""
    return lambda number, letter="w": " ".join(f"{letter}{place}" for place in range(number))
