"""Hints at a block's role that a person sees: pictures beside it, the rank of its type, boxes laid out alike."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray
from ..columns import Column, ColumnGroup, Columns, flag, log_count, share
from ..rows import Rows
from .look import BlockAppearance, lightness

_PICTURES = ("img", "video", "canvas", "svg", "iframe", "object", "embed", "amp-img")
#: Smaller ones are icons; more of them are a wall of pictures.
_LEAST_WIDTH, _LEAST_HEIGHT, _MOST_PICTURES = 60.0, 40.0, 300
_SAME_EDGE = 8.0
#: Blocks that are compared with all pictures at once.
_AT_ONCE = 4_000
_FAR = 20.0

COLUMNS = (
    flag("under_picture", "1 where it stands right under a picture (three lines at most) and over its width"),
    Column(name="picture_gap", meaning="lines between that picture and the block, at most 20", unit="lines", low=-inf),
    Column(name="picture_width", meaning="width of its element relative to that picture's", unit="ratio", high=3.0),
    flag("picture_edge", "1 where it begins at the left edge of that picture"),
    flag("beside_picture", "1 where it stands beside a picture"),
    flag("on_picture", "1 where it lies on a picture"),
    flag("over_picture", "1 where a picture stands right under it"),
    share("type_rank", "share of the page's words that are set in larger type"),
    share("size_of_largest", "size of its type relative to the largest of the page"),
    Column(
        name="after_largest",
        meaning="lines from the largest type down to it, ln(1 + n) with the sign, at most 20 lines",
        unit="ln(1 + lines)",
        low=-inf,
    ),
    flag("is_largest", "1 where it is the first block in the largest type"),
    Column(name="paler", meaning="contrast less that of the body text", unit="share", low=-1.0, high=1.0),
    log_count("records_log", "ln(1 + elements of the same tag, width and height, ± 15 %, as one around the block)"),
    log_count("rank_log", "ln(1 + elements of the same width in a row with one around the block)"),
    Column(
        name="screen_center",
        meaning="distance from the middle of the first window, in window heights, at most 10",
        unit="window heights",
        high=10.0,
    ),
    Column(name="width_of_main", meaning="its width relative to the widest paragraph's", unit="ratio", high=3.0),
)


def visual_hint_features(rows: Rows, _: Columns) -> Columns:
    """Return the hints, float64 (rows,) each; NaN where a block is not shown."""
    look = BlockAppearance(rows)
    found = _near_pictures(look) | _type(look) | _records(look) | _position(look)
    return {name: np.where(look.shown, column, np.nan) for name, column in found.items()}


class _Boxes(NamedTuple):
    """Edges of boxes, CSS pixels."""

    left: FloatArray
    top: FloatArray
    right: FloatArray
    bottom: FloatArray

    @classmethod
    def of(cls, box: NDArray[np.floating]) -> _Boxes:
        left, top, width, height = box.astype(np.float64).T
        return cls(left, top, left + width, top + height)


def _picture_boxes(look: BlockAppearance) -> _Boxes:
    page, box = look.rows.page, look.geometry.box
    large = (np.nan_to_num(box[:, 2]) >= _LEAST_WIDTH) & (np.nan_to_num(box[:, 3]) >= _LEAST_HEIGHT)
    return _Boxes.of(box[np.flatnonzero(page.has_tag(*_PICTURES) & large)[:_MOST_PICTURES]])


def _near_pictures(look: BlockAppearance) -> dict[str, FloatArray]:
    """Compare each block with each picture, some blocks at a time."""
    picture, count = _picture_boxes(look), len(look.rows)
    if not len(picture.left) or not count:
        names = ("under_picture", "picture_width", "picture_edge", "beside_picture", "on_picture", "over_picture")
        return dict.fromkeys(names, np.zeros(count)) | {"picture_gap": np.full(count, _FAR)}
    width = _element_width(look)
    parts = [slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE)]
    found = [_picture_relations(_Boxes.of(look.box[part]), picture, width[part], look.line) for part in parts]
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}


def _picture_relations(block: _Boxes, picture: _Boxes, element_width: FloatArray, line: float) -> dict[str, FloatArray]:
    across = _overlap(block.left, block.right, picture.left, picture.right)
    along = _overlap(block.top, block.bottom, picture.top, picture.bottom)
    below = (block.top[:, None] - picture.bottom) / line
    above = (picture.top - block.bottom[:, None]) / line
    aside = np.maximum(picture.left - block.right[:, None], block.left[:, None] - picture.right) / line
    gap = np.where((across > 0.6) & (below > -1.0), below, _FAR)
    best = np.argmin(gap, axis=1)
    at = np.arange(len(best))
    width = element_width / np.maximum(picture.right - picture.left, 1.0)[best]
    under = gap[at, best] < 3.0
    return {
        "under_picture": under.astype(np.float64),
        "picture_gap": np.minimum(gap[at, best], _FAR),
        "picture_width": np.where(under, np.minimum(width, 3.0), 0.0),
        "picture_edge": (under & (np.abs(block.left - picture.left[best]) < _SAME_EDGE)).astype(np.float64),
        "beside_picture": ((along > 0.5) & (aside > -0.5) & (aside < 3.0)).any(axis=1).astype(np.float64),
        "on_picture": ((along > 0.9) & (across > 0.9)).any(axis=1).astype(np.float64),
        "over_picture": ((across > 0.6) & (above > -0.5) & (above < 3.0)).any(axis=1).astype(np.float64),
    }


def _overlap(low: FloatArray, high: FloatArray, others_low: FloatArray, others_high: FloatArray) -> FloatArray:
    """float64 (blocks, pictures): share of each block's extent that lies within each picture's."""
    shared = np.minimum(high[:, None], others_high) - np.maximum(low[:, None], others_low)
    found: FloatArray = np.nan_to_num(shared / np.maximum(high - low, 1.0)[:, None], nan=-1.0)
    return found


def _element_width(look: BlockAppearance) -> FloatArray:
    page, box = look.rows.page, look.geometry.box
    boxed = page.block_level & (np.nan_to_num(box[:, 2]) > 0)
    width: FloatArray = box[np.maximum(page.nearest(boxed)[look.rows.node], 0), 2].astype(np.float64)
    return width


def _type(look: BlockAppearance) -> dict[str, FloatArray]:
    """Rank the sizes of type; the largest one of three words or more is the headline's as a rule."""
    size = np.round(look.font * 2)
    total = max(float(look.weight.sum()), 1e-9)
    distinct, group = np.unique(size, return_inverse=True)
    mass = np.bincount(group, weights=look.weight, minlength=len(distinct))
    larger = (np.cumsum(mass[::-1])[::-1] - mass)[group] / total
    spoken = look.shown & (look.rows.words >= 3)
    height = np.where(spoken, size, 0.0)
    largest = int(np.argmax(height)) if len(height) else 0
    top, bottom = look.box[:, 1], look.box[:, 1] + look.box[:, 3]
    steps = np.clip((top - bottom[largest]) / look.line, -_FAR, _FAR) if len(top) else top
    return {
        "type_rank": larger,
        "size_of_largest": np.minimum(size / max(float(height.max(initial=1.0)), 1.0), 1.0),
        "after_largest": np.sign(steps) * np.log1p(np.abs(steps)),
        "is_largest": (np.arange(len(size)) == largest).astype(np.float64),
        "paler": _contrast(look),
    }


def _contrast(look: BlockAppearance) -> FloatArray:
    contrast = np.abs(lightness(look.color) - lightness(look.background))
    body = np.abs(
        lightness(np.asarray([look.body_color], dtype=np.uint32))
        - lightness(np.asarray([look.body_background], dtype=np.uint32))
    )
    found: FloatArray = contrast - body
    return found


def _records(look: BlockAppearance) -> dict[str, FloatArray]:
    """Count boxes that are laid out alike: cards, items, posts."""
    page, box = look.rows.page, look.geometry.box.astype(np.float64)
    sized = page.block_level & (np.nan_to_num(box[:, 2]) > 20) & (np.nan_to_num(box[:, 3]) > 5)
    sized &= look.rows.over_nodes(look.rows.words) > 0
    step = np.where(sized, np.nan_to_num(box[:, 2]) // 4, -1)
    height = np.where(sized, np.log(np.maximum(np.nan_to_num(box[:, 3]), 1.0)) // 0.15, -1)
    line = np.where(sized, np.nan_to_num(box[:, 1]) // 4, -1)
    alike = _count((page.tag, step, height, page.depth), sized)
    beside = _count((page.depth, step, line), sized)
    chain = look.rows.chain
    return {
        "records_log": np.log1p(np.maximum(alike[chain].max(axis=1, initial=1) - 1, 0)),
        "rank_log": np.log1p(np.maximum(beside[chain].max(axis=1, initial=1) - 1, 0)),
    }


def _count(keys: tuple[NDArray[np.generic], ...], counted: NDArray[np.bool_]) -> FloatArray:
    group = np.zeros(len(counted), dtype=np.int64)
    for key in keys:
        _, number = np.unique(key, return_inverse=True)
        _, group = np.unique(group * (len(key) + 1) + number, return_inverse=True)
    return np.where(counted, np.bincount(group, weights=counted)[group], 0.0)


def _position(look: BlockAppearance) -> dict[str, FloatArray]:
    left, top, width, height = look.box.T
    wide, high = look.geometry.viewport
    far = np.hypot((left + width / 2 - wide / 2) / high, (top + height / 2 - high / 2) / high)
    long = look.shown & (look.rows.long > 0)
    widest = float(width[long].max()) if long.any() else wide
    return {"screen_center": np.minimum(far, 10.0), "width_of_main": np.minimum(width / max(widest, 1.0), 3.0)}


GROUP = ColumnGroup(name="role", columns=COLUMNS, measure=visual_hint_features, needs="geometry")
