"""Visual columns have the same values on a page and on its twin, the same picture from other markup."""

from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.block_table import CATALOGUE, measure
from blocksight.gold.anonymised import strip_markup
from blocksight.segment.blocks import text_blocks, visible_blocks
from generators.shops import Maker
from generators.twins import twin

FIXTURES = Path(__file__).parents[3] / "fixtures"
#: Fixtures of which a script can copy the picture: no attributes that change the layout (the colspan of a cell), no
#: frames and pseudo-elements.
SAVED = (
    *(f"golden/{name}.html" for name in ("poster", "sections")),
    *(f"structure/pages/{name}.html" for name in ("verse", "lists")),
    *(f"boxes/{name}.html" for name in ("background-bullets", "tight-lines", "flex-rows", "plain-layout")),
    *(f"boxes/{name}.html" for name in ("shadowed-cards", "gradient-hero", "right-to-left", "translucent-panels")),
    *(f"boxes/{name}.html" for name in ("grid-of-ragged-cards", "gallery-with-captions")),
)
GENERATED = range(13)
#: By definition, it compares lines by coordinates with lines by tags.
WITH_TAGS = ("line_difference",)
#: Scripts run to their end, also on a busy machine.
OPTIONS = bs.RenderOptions(timeout=90.0, allow_private=True)
VISUAL = tuple(name for group in CATALOGUE if group.needs_geometry for name in group.names if name not in WITH_TAGS)


def source(case):
    """Return a page in standards mode: without it, margins depend on tags."""
    html = (FIXTURES / case).read_text(encoding="utf-8") if isinstance(case, str) else Maker(case).shop()
    return html if html.lower().startswith("<!doctype") else f"<!DOCTYPE html>{html}"


def table(page):
    return measure(page, visible_blocks(page, text_blocks(page)), columns=VISUAL)


def differences(page, other):
    """Return the columns that differ, with the number of rows."""
    first, second = table(page), table(other)
    assert first.rows.texts == second.rows.texts
    np.testing.assert_allclose(second.rows.box, first.rows.box, atol=0.1, err_msg="the pictures differ")
    close = {name: np.isclose(first.columns[name], second.columns[name], rtol=1e-3, atol=2e-3, equal_nan=True)
             for name in VISUAL}  # fmt: skip
    return {name: int((~same).sum()) for name, same in close.items() if not same.all()}


@pytest.mark.browser
@pytest.mark.parametrize("case", [*SAVED, *GENERATED])
def test_visual_columns_twin(browser, case):
    html = source(case)
    page, other = (browser.open(text.encode(), options=OPTIONS) for text in (html, twin(html)))
    tags = {other.tag_of(row) for row in range(len(other)) if other.geometry.display[row] >= 0}
    assert tags <= {"html", "body", "div", "a", "img", "br", "#text", "::marker"}
    assert differences(page, other) == {}


@pytest.mark.browser
@pytest.mark.parametrize("case", SAVED[4:9])
def test_visual_columns_copy_without_markup(browser, case):
    page = browser.open(source(case).encode())
    assert differences(page, strip_markup(page)) == {}
