"""When a page that lists others is an index: if its main records are links."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.verdict.verdict import decide
from blocksight.records.candidates import find_records
from blocksight.records.decided_records import decide_records

SENTENCE = "The kettle that was bought last week whistles far too loudly for a small kitchen. "


def verdict(chosen, *, cards=12, prose=3, linked=True):
    """Return the verdict on a page of cards with ``chosen`` of them, and the introduction, as content."""
    title = "<a href=/{0}>Kettle number {0} of the year</a>" if linked else "Kettle number {0} of the year"
    html = "".join(f"<li><h3>{title.format(n)}</h3></li>" for n in range(cards))
    page = bs.parse(f"<title>Kettles</title><main><h1>All</h1><p>{SENTENCE * prose}</p><ul>{html}</ul></main>")
    numbers = {f"Kettle number {n} of the year" for n in range(chosen)}
    marks = np.asarray([text.startswith("The kettle") or text.strip() in numbers for text in page.leaf_texts])
    return decide(page, marks, lambda: decide_records(find_records(page), marks))


@pytest.mark.parametrize(
    ("chosen", "linked", "name"), [(12, True, "index"), (0, True, "content"), (12, False, "content")]
)
def test_decide_index_by_linked_records(chosen, linked, name):
    assert verdict(chosen, linked=linked).name == name


def test_decide_index_evidence():
    facts = {fact.name: fact.value for fact in verdict(12).evidence}
    assert facts["records with links"] == 12
    assert facts["words of content"] > 20
