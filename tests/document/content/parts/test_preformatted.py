"""Line ends that are seen come out as such, others as spaces."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.document import document

VERSE = "Low at the bridge,\n  high at the bar,\n\nhe who goes late"


@pytest.mark.parametrize(
    "markup",
    [
        f"<p style='white-space: pre-line'>{VERSE}</p>",
        f"<p class='big whitespace-pre-wrap'>{VERSE}</p>",
    ],
)
def test_lines_kept_declared(written, markup):
    assert written(markup).text == "Low at the bridge,\nhigh at the bar,\nhe who goes late"


def test_lines_kept_not_declared(written):
    assert written(f"<p>{VERSE}</p>").text == "Low at the bridge, high at the bar, he who goes late"
    inner = f"<div style='white-space:pre-line'><p style='white-space:normal'>{VERSE}</p></div>"
    assert "\n" not in written(inner).text


@pytest.mark.browser
def test_lines_kept_laid_out():
    with bs.Browser() as browser:
        html = f"<style>article p.v {{ white-space: pre-line }}</style><article><p class=v>{VERSE}</p><p>{VERSE}</p>"
        page = browser.open(html.encode())
    kept, joined = document(page, np.ones(len(page.leaves), dtype=bool)).text.split("\n\n")
    assert kept == "Low at the bridge,\nhigh at the bar,\nhe who goes late"
    assert joined == "Low at the bridge, high at the bar, he who goes late"
