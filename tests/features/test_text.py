"""Columns of what is written, on texts worked out by hand."""

import blocksight as bs
import pytest
from blocksight.features.block_table import measure


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("In 1999 it rained", 1),
        ("In 2024", 1),
        ("No. 31999", 0),
        ("x2024", 0),
        ("at 9:30", 1),
        ("at 12.45", 1),
        ("at 112.45", 0),
        ("0.5 km", 0),
        ("3/4/21", 1),
        ("13-4-2021", 1),
        ("13-4-2", 0),
        ("5月", 1),
        ("3年", 1),
        ("1890 and 42", 0),
    ],
)
def test_dates_and_times_in_numbers(text, holds):
    assert measure(bs.parse(f"<p>{text}"), columns=["date_like"]).columns["date_like"].tolist() == [holds]
