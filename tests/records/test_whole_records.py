"""Fields of records that are content: all or none; links of titles."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.candidates import find_records
from blocksight.records.whole_records import whole_records

from .conftest import TEXTS

TITLES = ("The wheel turns", "What the flour says", "A dam of stones", "Bread of the week", "The miller's cat", "Ice")


def page_of(count=3, card=""):
    cards = "".join(
        f"<article class=post><h2>{TITLES[n]}</h2><small>{n + 3} May 2026</small><p>{TEXTS[n % 3]}</p>"
        f"<b class=price>${n + 1}9</b><a class=btn href=/cart?{n}>Buy {n}</a>{card.format(n=n)}</article>"
        for n in range(count)
    )
    return bs.parse(f"<title>Mill</title><main>{cards}</main>", url="https://mill.example/")


def marked(page, *texts):
    """Marks of the leaves that start with one of the texts."""
    return np.asarray([leaf.startswith(texts) for leaf in page.leaf_texts])


def texts_of(page, *texts):
    marks = whole_records(find_records(page), marked(page, *texts))
    return [page.leaf_texts[leaf] for leaf in marks.nonzero()[0]]


def test_titles_and_prices_belong_to_texts():
    page = page_of()
    texts = [part for n in range(3) for part in (TITLES[n], TEXTS[n], f"${n + 1}9")]
    assert texts_of(page, *TEXTS) == texts


def test_titles_alone_are_no_reason_for_prices():
    cards = "".join(f"<li><h2>{title}</h2><b class=price>${n}9</b>" for n, title in enumerate(TITLES[:3]))
    page = bs.parse(f"<title>Mill</title><ul>{cards}</ul>")
    assert texts_of(page, *TITLES[:2]) == [*TITLES[:3]]


@pytest.mark.parametrize(("dates", "kept"), [(1, 0), (3, 0), (4, 5), (5, 5)])
def test_dates_are_content_in_most_records_or_in_none(dates, kept):
    page = page_of(5)
    found = texts_of(page, *TEXTS, *(f"{n + 3} May" for n in range(dates)))
    assert sum("May" in text for text in found) == kept


def test_buttons_are_left_out():
    assert not any("Buy" in text for text in texts_of(page_of(), *TEXTS, "Buy 1"))


def test_a_date_within_a_line_leaves_no_hole():
    page = page_of(5, "<div><i>{n} May 2026</i> in Baking</div>")
    found = texts_of(page, *TEXTS, "1 May", " in Baking", "in Baking")
    assert "1 May 2026" in found


def test_records_without_content_stay_out():
    page = page_of()
    assert texts_of(page, TITLES[0]) == [TITLES[0]]
    assert texts_of(page_of(2), *TEXTS) == [*TEXTS[:2]]
