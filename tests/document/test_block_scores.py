"""The paragraphs of a document as blocks: boxes, scores, kinds, and why they are not seen."""

from dataclasses import replace

import numpy as np
from blocksight.document.document import LeafPrediction, document
from blocksight.page.geometry import Geometry
from blocksight.page.hidden import Hidden
from blocksight.page.parse import parse


def test_boxes_are_the_union_of_the_rendered_lines():
    page = parse("<p>ab<b>cd</b></p><p>e</p>")
    seen = replace(page, geometry=_geometry(page, [(0, 0, 10, 20), (10, 0, 5, 30)]))
    blocks = document(seen, np.ones(3, dtype=bool)).blocks
    assert [block.box for block in blocks] == [(0.0, 0.0, 15.0, 30.0), None]


def _geometry(page, lines):
    count, zeros = len(page), np.zeros(len(page), dtype=np.int32)
    line = np.arange(len(lines))
    return Geometry(
        viewport=(100.0, 100.0),
        size=(100.0, 100.0),
        box=np.full((count, 4), np.nan, dtype=np.float32),
        paint_order=zeros,
        display=zeros - 1,
        position=zeros.astype(np.uint8),
        opacity=zeros.astype(np.float32),
        invisible=zeros.astype(bool),
        clips=np.zeros((count, 2), dtype=bool),
        font_size=zeros.astype(np.float32),
        font_weight=zeros.astype(np.int16),
        color=zeros.astype(np.uint32),
        background=zeros.astype(np.uint32),
        line_node=page.leaves[line],
        line_box=np.array(lines, dtype=np.float32),
        line_start=np.zeros(len(lines), dtype=np.int32),
        line_length=np.ones(len(lines), dtype=np.int32),
        hidden=np.zeros(len(page.leaves), dtype=np.uint8),
    )


def test_scores_are_means_by_length():
    page = parse("<h1>Tea</h1><p>a<b>bc</b></p><p>d</p>")
    found = document(
        page, np.array([1, 1, 1, 0], dtype=bool), LeafPrediction(scores=np.array([1.0, 0.25, 1.0, np.nan]))
    ).blocks
    assert [(block.kind, block.text, block.score) for block in found] == [
        ("heading", "Tea", 1.0), ("paragraph", "abc", 0.75),
    ]  # fmt: skip
    assert [block.score for block in document(page, np.ones(4, dtype=bool)).blocks] == [None] * 3


def test_a_block_of_which_anything_is_seen_is_not_hidden():
    page = parse("<p>a<b>b</b></p><p>c</p>")
    reasons = np.array([Hidden.CLIP, 0, Hidden.CLIP], dtype=np.uint8)
    found = document(page, np.ones(3, dtype=bool), LeafPrediction(reasons=reasons)).blocks
    assert [block.hidden for block in found] == ["", "clip"]
    unknown = {"role": None, "role_probability": None}
    plain = {"box": None, "score": None, "kind": "paragraph", "text": "c", "hidden": "clip"}
    assert found[1].to_dict() == plain | unknown
