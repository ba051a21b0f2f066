"""Segmentations as regions of a page, of any shape: what files of other programs hold, and what is compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..page.arrays import FloatArray, IntColumn
from .blocks import Blocks


@dataclass(frozen=True, kw_only=True, eq=False)
class Segments:
    """A segmentation as regions of a page.

    Attributes
    ----------
    box : float64 (rectangles, 4)
        ``[x, y, width, height]`` in CSS pixels of the document.
    segment : int32 (rectangles,)
        The segment that each rectangle is part of, counted from 0.
    """

    box: FloatArray
    segment: IntColumn

    @property
    def count(self) -> int:
        """Number of segments."""
        return int(self.segment.max(initial=-1)) + 1


def segments_of(blocks: Blocks) -> Segments:
    """Take the leaf blocks of a segmentation as rectangles; those without geometry are left out."""
    leaf = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    shown = leaf[np.isfinite(blocks.box[leaf, 0])]
    return Segments(box=blocks.box[shown].astype(np.float64), segment=np.arange(len(shown), dtype=np.int32))


def clip_segments(segments: Segments, size: tuple[float, float]) -> Segments:
    """Cut segments to a page of this width and height: what lies outside is no pixel of it."""
    corners = np.concatenate([segments.box[:, :2], segments.box[:, :2] + segments.box[:, 2:]], axis=1)
    corners = np.clip(corners, 0, [*size, *size])
    box = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
    return Segments(box=box, segment=segments.segment)
