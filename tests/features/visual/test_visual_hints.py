"""Hints at roles that a person sees, measured with a ruler."""

import numpy as np
import pytest
from blocksight.features.block_table import measure
from blocksight.features.visual import visual_hints

HTML = (
    b"<!DOCTYPE html><body style='margin:0;font:20px/24px sans-serif'>"
    b"<p style='margin:0;height:24px'>Over it</p>"
    b"<svg style='display:block;width:400px;height:100px'></svg>"
    b"<p style='margin:0;width:200px'>Under it</p>"
    b"<p style='margin:300px 0 0'>Far below</p>"
    b"<p style='margin:0;position:absolute;left:410px;top:30px'>Beside</p></body>"
)


@pytest.mark.browser
@pytest.mark.parametrize("at_once", [1, 4_000])
def test_positions_of_blocks_relative_to_a_picture(browser, monkeypatch, at_once):
    monkeypatch.setattr(visual_hints, "_AT_ONCE", at_once)
    columns = measure(browser.open(HTML), groups=("role",)).columns
    assert columns["over_picture"].tolist() == [1, 0, 0, 0]
    assert columns["under_picture"].tolist() == [0, 1, 0, 0]
    assert columns["beside_picture"].tolist() == [0, 0, 0, 1]
    assert columns["picture_width"].tolist() == [0, 0.5, 0, 0]
    assert columns["picture_edge"].tolist() == [0, 1, 0, 0]
    np.testing.assert_allclose(columns["picture_gap"][1:3], [0, 324 / 24], atol=0.3)
