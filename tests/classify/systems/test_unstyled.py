"""A page without style sheets is judged by its markup."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import shipped_model
from blocksight.classify.systems.blocksight import Blocksight, BlocksightDom

HTML = (
    "<ul><li>Home<li>Contact<li>Imprint</ul><main><h1>High water</h1>"
    + "<p>The river rose during the night, and by noon the lower road was closed to all traffic.</p>" * 3
    + "</main><footer>All rights reserved</footer>"
)


def with_color(page, color):
    geometry = replace(page.geometry, color=np.full(len(page), color, dtype=np.uint32))
    return replace(page, geometry=geometry)


def test_without_style_sheets_the_model_for_markup_judges(laid_out):
    plain = laid_out(HTML)
    page = with_color(plain, 0x333333FF)
    assert Blocksight().judge(plain).by == "blocksight-dom"
    assert Blocksight().model_for(plain) is shipped_model(visual=False)
    assert (Blocksight().mark(plain) == BlocksightDom().mark(plain)).all()
    assert Blocksight().judge(page).by == "blocksight"
    assert Blocksight().model_for(page) is shipped_model(visual=True)


def test_an_own_model_judges_every_page(laid_out):
    own = replace(shipped_model(visual=True), name="mine.npz")
    system = Blocksight(model=own)
    assert system.judge(laid_out(HTML)).by == "blocksight (mine.npz)"
    assert system.model_for(laid_out(HTML)) is own


@pytest.mark.browser
def test_hidden_text_stays_hidden(browser):
    sentence = "The river rose during the night, and by noon the lower road was closed to {}.</p>"
    html = f"<style>.gone{{display:none}}</style><main>{'<p>' + sentence.format('all traffic')}" + "".join(
        f"<p {look}>{sentence.format(what)}<p>{sentence.format('cars')}"
        for what, look in {"cranes": "class=gone", "carts": "style='position:absolute;left:-9999px'"}.items()
    )
    doc = bs.extract(browser.open(html.encode()))
    assert doc.system == "blocksight-dom"
    assert "cars" in doc.text
    assert "cranes" not in doc.text
    assert "carts" not in doc.text


@pytest.mark.browser
def test_rendered_pages(browser):
    assert bs.extract(browser.open(HTML.encode())).system == "blocksight-dom"
    styled = "<style>body{color:#333;margin:0 auto;width:600px}</style>" + HTML
    assert bs.extract(browser.open(styled.encode())).system == "blocksight"
