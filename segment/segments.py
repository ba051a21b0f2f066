"""Segments: segmentations as regions of any shape, as files of other programs contain them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..page.arrays import FloatArray, IntColumn
from .blocks import Blocks


@dataclass(frozen=True, kw_only=True, eq=False)
class Segments:
    """Segmentation as regions of a page."""

    box: FloatArray  # (rectangles, 4): [x, y, width, height] in CSS pixels of the document
    segment: IntColumn  # (rectangles,): segment of each rectangle, from 0

    @property
    def count(self) -> int:
        """Number of segments."""
        return int(self.segment.max(initial=-1)) + 1


def segments_of(blocks: Blocks) -> Segments:
    """Return the leaf blocks of a segmentation as rectangles, without those that have no geometry."""
    leaves = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    rendered = leaves[np.isfinite(blocks.box[leaves, 0])]
    return Segments(box=blocks.box[rendered].astype(np.float64), segment=np.arange(len(rendered), dtype=np.int32))


def clip_segments(segments: Segments, size: tuple[float, float]) -> Segments:
    """Clip segments to the page's size (width and height)."""
    corners = np.concatenate([segments.box[:, :2], segments.box[:, :2] + segments.box[:, 2:]], axis=1)
    corners = np.clip(corners, 0, [*size, *size])
    box = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
    return Segments(box=box, segment=segments.segment)
