"""Visual hints at a block's role: pictures nearby, the rank of its font size, boxes with the same layout."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray
from ..columns import ColumnGroup, Columns, flag, log_count, numeric, share
from ..rows import Rows
from .look import BlockAppearance, lightness

_PICTURES = ("img", "video", "canvas", "svg", "iframe", "object", "embed", "amp-img")
#: Least size of a picture, smaller ones are icons; most pictures that are compared.
_LEAST_WIDTH, _LEAST_HEIGHT, _MOST_PICTURES = 60.0, 40.0, 300
_SAME_EDGE = 8.0
#: Blocks that are compared with all pictures in one step.
_AT_ONCE = 4_000
_FAR = 20.0

COLUMNS = (
    flag("under_picture", "1 if it is below a picture (at most three lines) and within its width"),
    numeric("picture_gap", "lines between that picture and the block, at most 20", "lines", low=-inf),
    numeric("picture_width", "width of its element relative to that picture's", "ratio", high=3.0),
    flag("picture_edge", "1 if it has the same left edge as that picture"),
    flag("beside_picture", "1 if it is next to a picture"),
    flag("on_picture", "1 if it is on a picture"),
    flag("over_picture", "1 if a picture is directly below"),
    share("type_rank", "share of the page's words in a larger font"),
    share("size_of_largest", "font size relative to the largest of the page"),
    numeric(
        "after_largest",
        "signed distance from the block with the largest font in lines, ln(1 + n), at most 20 lines",
        "ln(1 + lines)",
        low=-inf,
    ),
    flag("is_largest", "1 if it is the first block in the largest font"),
    numeric("paler", "contrast minus that of the body text", "share", low=-1.0, high=1.0),
    log_count("records_log", "ln(1 + elements with the same width, depth and height, ± 15 %, as an ancestor)"),
    log_count("rank_log", "ln(1 + elements of the same width in one row with an ancestor)"),
    numeric(
        "screen_center",
        "distance from the middle of the first window, in window heights, at most 10",
        "window heights",
        high=10.0,
    ),
    numeric("width_of_main", "its width relative to the widest paragraph's", "ratio", high=3.0),
)


def visual_hint_features(rows: Rows, _: Columns) -> Columns:
    """Return the hints; NaN for an invisible block."""
    appearance = BlockAppearance(rows)
    columns = _near_pictures(appearance) | _type(appearance) | _records(appearance) | _position(appearance)
    return {name: np.where(appearance.shown, column, np.nan) for name, column in columns.items()}


class _Boxes(NamedTuple):
    left: FloatArray
    top: FloatArray
    right: FloatArray
    bottom: FloatArray

    @classmethod
    def of(cls, box: NDArray[np.floating]) -> _Boxes:
        left, top, width, height = box.astype(np.float64).T
        return cls(left, top, left + width, top + height)


def _picture_boxes(appearance: BlockAppearance) -> _Boxes:
    page, box = appearance.rows.page, appearance.geometry.box
    large = (np.nan_to_num(box[:, 2]) >= _LEAST_WIDTH) & (np.nan_to_num(box[:, 3]) >= _LEAST_HEIGHT)
    return _Boxes.of(box[np.flatnonzero(page.has_tag(*_PICTURES) & large)[:_MOST_PICTURES]])


def _near_pictures(appearance: BlockAppearance) -> dict[str, FloatArray]:
    picture, count = _picture_boxes(appearance), len(appearance.rows)
    if not len(picture.left) or not count:
        names = ("under_picture", "picture_width", "picture_edge", "beside_picture", "on_picture", "over_picture")
        return dict.fromkeys(names, np.zeros(count)) | {"picture_gap": np.full(count, _FAR)}
    width = _element_width(appearance)
    parts = [slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE)]
    relations = [
        _picture_relations(_Boxes.of(appearance.box[part]), picture, width[part], appearance.line) for part in parts
    ]
    return {name: np.concatenate([relation[name] for relation in relations]) for name in relations[0]}


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
    """Return the share of each block's extent within each picture's, float64 (blocks, pictures)."""
    shared = np.minimum(high[:, None], others_high) - np.maximum(low[:, None], others_low)
    return np.nan_to_num(shared / np.maximum(high - low, 1.0)[:, None], nan=-1.0)


def _element_width(appearance: BlockAppearance) -> FloatArray:
    page, box = appearance.rows.page, appearance.geometry.box
    boxed = page.block_level & (np.nan_to_num(box[:, 2]) > 0)
    width: FloatArray = box[np.maximum(page.nearest(boxed)[appearance.rows.node], 0), 2].astype(np.float64)
    return width


def _type(appearance: BlockAppearance) -> dict[str, FloatArray]:
    """Return the rank of font sizes; the largest one of three words or more is usually the headline's."""
    size = np.round(appearance.font * 2)
    total = max(float(appearance.weight.sum()), 1e-9)
    distinct, group = np.unique(size, return_inverse=True)
    words_of_size = np.bincount(group, weights=appearance.weight, minlength=len(distinct))
    larger = (np.cumsum(words_of_size[::-1])[::-1] - words_of_size)[group] / total
    has_words = appearance.shown & (appearance.rows.words >= 3)
    height = np.where(has_words, size, 0.0)
    largest = int(np.argmax(height)) if len(height) else 0
    top, bottom = appearance.box[:, 1], appearance.box[:, 1] + appearance.box[:, 3]
    steps = np.clip((top - bottom[largest]) / appearance.line, -_FAR, _FAR) if len(top) else top
    return {
        "type_rank": larger,
        "size_of_largest": np.minimum(size / max(float(height.max(initial=1.0)), 1.0), 1.0),
        "after_largest": np.sign(steps) * np.log1p(np.abs(steps)),
        "is_largest": (np.arange(len(size)) == largest).astype(np.float64),
        "paler": _contrast(appearance),
    }


def _contrast(appearance: BlockAppearance) -> FloatArray:
    contrast = np.abs(lightness(appearance.color) - lightness(appearance.background))
    body = np.abs(
        lightness(np.asarray([appearance.body_color], dtype=np.uint32))
        - lightness(np.asarray([appearance.body_background], dtype=np.uint32))
    )
    return contrast - body


def _records(appearance: BlockAppearance) -> dict[str, FloatArray]:
    page, box = appearance.rows.page, appearance.geometry.box.astype(np.float64)
    sized = page.block_level & (np.nan_to_num(box[:, 2]) > 20) & (np.nan_to_num(box[:, 3]) > 5)
    sized &= appearance.rows.over_nodes(appearance.rows.words) > 0
    step = np.where(sized, np.nan_to_num(box[:, 2]) // 4, -1)
    height = np.where(sized, np.log(np.maximum(np.nan_to_num(box[:, 3]), 1.0)) // 0.15, -1)
    line = np.where(sized, np.nan_to_num(box[:, 1]) // 4, -1)
    same_size = _count((step, height, page.depth), sized)
    same_row = _count((page.depth, step, line), sized)
    chain = appearance.rows.chain
    return {
        "records_log": np.log1p(np.maximum(same_size[chain].max(axis=1, initial=1) - 1, 0)),
        "rank_log": np.log1p(np.maximum(same_row[chain].max(axis=1, initial=1) - 1, 0)),
    }


def _count(keys: tuple[NDArray[np.generic], ...], counted: NDArray[np.bool_]) -> FloatArray:
    group = np.zeros(len(counted), dtype=np.int64)
    for key in keys:
        _, number = np.unique(key, return_inverse=True)
        _, group = np.unique(group * (len(key) + 1) + number, return_inverse=True)
    return np.where(counted, np.bincount(group, weights=counted)[group], 0.0)


def _position(appearance: BlockAppearance) -> dict[str, FloatArray]:
    left, top, width, height = appearance.box.T
    screen_width, screen_height = appearance.geometry.viewport
    distance = np.hypot(
        (left + width / 2 - screen_width / 2) / screen_height, (top + height / 2 - screen_height / 2) / screen_height
    )
    long = appearance.shown & (appearance.rows.long > 0)
    widest = float(width[long].max()) if long.any() else screen_width
    return {"screen_center": np.minimum(distance, 10.0), "width_of_main": np.minimum(width / max(widest, 1.0), 3.0)}


GROUP = ColumnGroup(name="role", columns=COLUMNS, measure=visual_hint_features, needs_geometry=True)
