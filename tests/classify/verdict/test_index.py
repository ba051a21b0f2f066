"""When a page that lists others is an index: by its records, or by its type alone."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.verdict.verdict import decide
from blocksight.document.records.record_sets import classify_groups
from blocksight.records.page_type import PAGE_TYPES, PageType

SENTENCE = "The kettle that was bought last week whistles far too loudly for a small kitchen. "


def verdict(listing, chosen, cards=12, prose=3):
    """Return the verdict on a page of cards with ``chosen`` of them, and the introduction, as content."""
    html = "".join(f"<li><h3><a href=/{n}>Kettle number {n} of the year</a></h3></li>" for n in range(cards))
    page = bs.parse(f"<title>Kettles</title><main><h1>All</h1><p>{SENTENCE * prose}</p><ul>{html}</ul></main>")
    classified = classify_groups(page)
    every = dict.fromkeys(PAGE_TYPES, 0.0) | {"listing": listing, "article": 1 - listing}
    typed = replace(classified, page_type=PageType(name="listing", probability=listing, every=every))
    texts = [text.strip() for text in page.leaf_texts]
    numbers = {f"Kettle number {n} of the year" for n in range(chosen)}
    marks = np.asarray([text.startswith("The kettle") or text in numbers for text in texts])
    return decide(page, marks, lambda: typed).name


@pytest.mark.parametrize(
    ("listing", "chosen", "name"),
    [
        # 45 words of the introduction and six for each card: 4 of them are .35 of the content, 3 are .29.
        (0.5, 4, "index"),
        (0.5, 3, "content"),
        (0.49, 12, "content"),
        (0.8, 0, "index"),
        (0.79, 0, "content"),
    ],
)
def test_records_or_a_sure_type(listing, chosen, name):
    assert verdict(listing, chosen) == name


def test_a_page_of_a_sure_type_has_many_words_in_links():
    # 72 of 163 words are links, and 18 of 109.
    assert verdict(0.8, 0, cards=12, prose=6) == "index"
    assert verdict(0.8, 0, cards=3, prose=6) == "content"
