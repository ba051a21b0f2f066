"""Nodes of pages whose boxes are written down by hand, for the fixture ``boxed``: lines are 20 pixels high."""

import numpy as np


def body(*children):
    """Return a body of 800 by 1000 pixels."""
    return ("body", (0, 0, 800, 1000), list(children))


def line(text, y, x=0, width=400, **look):
    """Return a line of text."""
    return (text, (x, y, width, 20), look)


def paragraph(text, y, x=0, width=400, **look):
    """Return a paragraph of one line."""
    return ("p", (x, y, width, 20), [line(text, y, x, width, **look)])


def node_of(page, tag, number=0):
    """Return the row of an element of a tag."""
    return int(np.flatnonzero(page.has_tag(tag))[number])


def outer_rows(blocks):
    """Return the rows of the blocks that contain no others."""
    return np.setdiff1d(np.arange(len(blocks)), blocks.parent)
