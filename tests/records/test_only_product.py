"""The only product of a page, with its name and price."""

import blocksight as bs
import pytest
from blocksight.document.records.record_sets import page_records
from blocksight.records.candidates import find_records
from blocksight.records.single_records import only_product

LAMP = "<div class=card><img src=/lamp.jpg alt=''><h2>Oak lamp</h2><p>{price}</p>{more}</div>"


def page_of(card=LAMP, around="<main>{card}</main>", price="$49.00", more="<button>Add to cart</button>"):
    card = card.format(price=price, more=more)
    html = f"<title>Lumen</title><header><a href=/>Lumen</a></header>{around.format(card=card)}<footer>2026</footer>"
    return bs.parse(html, url="https://lumen.example/")


def has_product(page):
    return only_product(find_records(page)) is not None


def test_it_is_the_main_record_of_its_page():
    main = page_records(page_of()).main
    assert main is not None
    assert main.record_type == "product"
    (lamp,) = main.records
    assert lamp.fields == {
        "title": "Oak lamp", "price": "$49.00", "amount": "49.00", "currency": "$",
        "image": "https://lumen.example/lamp.jpg",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (page_of(), True),
        (page_of(price="€ 49,00"), True),
        (page_of(price="for nothing"), False),
        # A price in a sentence, in a heading, in the frame of the page, and of another product.
        (page_of(price="It was $49 then"), False),
        (page_of(card="<div><h2>Oak lamp <b>$49</b></h2></div>"), False),
        (page_of(around="<main>Lamps</main><aside>{card}</aside>"), False),
        (page_of(around="<main>{card}<h2>Bulb</h2><p>$5</p></main>"), False),
        # 500 characters with name and price at most.
        (page_of(more="x" * (500 - len("Oak lamp$49.00"))), True),
        (page_of(more="x" * (501 - len("Oak lamp$49.00"))), False),
    ],
)
def test_it_is_short_and_has_one_heading_and_all_prices(page, found):
    assert has_product(page) is found


def test_the_name_of_a_product_is_no_author():
    document = bs.extract(page_of())
    assert document.metadata.authors == ()
    assert "Add to cart" not in document.markdown
