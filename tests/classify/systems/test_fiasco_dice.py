"""Dice overlap of texts with the paragraphs of a gold text, worked out by hand."""

import numpy as np
import pytest
from blocksight.classify.systems.fiasco import dice_shares


def test_dice_shares_by_hand():
    shares = dice_shares(["one two three", "one one five", "six", "—"], "one two three four\none")
    # 2·3/(3+4) with the first line; with both, 2·2/(3+5), with the second alone 2·1/(3+1); nothing in common.
    assert shares.tolist() == pytest.approx([6 / 7, 0.5, 0, np.nan], nan_ok=True)


def test_dice_shares_joins_wrapped_lines():
    assert dice_shares(["a b c d e f", "menu"], "x\na b\nc d\ne f\ny").tolist() == [1, 0]
