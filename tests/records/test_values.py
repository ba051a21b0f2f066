"""Values of records that are several texts: prices and earlier ones, names after labels, dates."""

import blocksight as bs
import pytest
from blocksight.document.records.record_sets import page_records
from blocksight.records.candidates import find_records
from blocksight.records.field_values import PRICE, amount_of, is_date, is_price
from blocksight.records.fields import FieldReader

NARROW = "\u202f"


def records_of(*prices):
    cards = "".join(
        f"<li class=item><a href=/{n}><img src=/{n}.jpg></a><h3><a href=/{n}>Copper kettle {n}</a></h3>{price}</li>"
        for n, price in enumerate(prices)
    )
    candidates = find_records(bs.parse(f"<title>Kettles</title><main><h1>Kettles</h1><ul>{cards}</ul></main>"))
    return FieldReader(candidates).read(candidates.groups[0]).fields


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("1 299 ₽", "1 299 ₽"), ("CHF 1'234.50", "CHF 1'234.50"), ("R$ 1.234,56", "R$ 1.234,56"),
        ("now A$ 12.50 each", "A$ 12.50"), ("12,– €", "12,– €"), ("$.99", "$.99"), ("￥1,299.00", "￥1,299.00"),
        ("₹1,23,456", "₹1,23,456"), ("29–35 €", "29–35 €"), ("$10 - $20", "$10 - $20"), ("Model 3 $400", "$400"),
        ("1,299,000원", "1,299,000원"), ("1.234,56 TL", "1.234,56 TL"), ("12 € 34 €", "12 €"), ("S/ 12.50", "S/ 12.50"),
    ],
)  # fmt: skip
def test_price_is_whole(text, price):
    assert PRICE.search(text)[0] == price


@pytest.mark.parametrize("text", ["5 stars", "v1.2.3", "20% off", "try 5 ways", "rub 2 spoons"])
def test_is_price_of_other_numbers(text):
    assert not is_price(text)


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        ("1.249,50 €", ("1249.50", "EUR")), ("CHF 1'234.50", ("1234.50", "CHF")), ("A$ 5", ("5", "AUD")),
        (f"1.249{NARROW}00 €", ("1249.00", "EUR")), (f"$19{NARROW}99", ("19.99", "$")), ("€29 – €35", ("29", "EUR")),
        ("12,– kr", ("12", "kr")), ("195円", ("195", "JPY")), ("24 500 руб.", ("24500", "RUB")),
    ],
)  # fmt: skip
def test_amount_of_price(price, amount):
    assert amount_of(price) == amount


@pytest.mark.parametrize(
    ("price", "shown"),
    [
        ("<div class=p><span>¥</span><strong>19{n}</strong></div>", "¥19{n}"),
        ("<div class=p><b>3{n}</b><sup class=c>95</sup> <span class=u>€</span></div>", f"3{{n}}{NARROW}95 €"),
        ("<p class=p><span class=a>€2{n}.00</span> – <span class=a>€3{n}.00</span></p>", "€2{n}.00 – €3{n}.00"),
    ],
)
def test_parts_of_a_price_on_one_line_are_one_value(price, shown):
    fields = records_of(*(price.replace("{n}", str(n)) for n in range(4)))
    assert [one["price"] for one in fields] == [shown.replace("{n}", str(n)) for n in range(4)]


@pytest.mark.parametrize(("language", "currency"), [("zh-CN", "CNY"), ("ja", "JPY"), ("en", "¥")])
def test_amount_of_price_in_yuan_and_yen(language, currency):
    assert amount_of("¥195", language) == ("195", currency)


def test_parts_of_a_price_on_several_lines_are_none():
    fields = records_of(*(f"<div>{n}</div><div>€3{n}</div>" for n in range(4)))
    assert [one["price"] for one in fields] == ["€30", "€31", "€32", "€33"]


@pytest.mark.parametrize("old", ["<del>{}</del>", "<s>{}</s>", "<i style='text-decoration: line-through'>{}</i>"])
def test_only_some_products_are_on_sale(old):
    old, now = old.format("<span class=amount>€49.00</span>"), "<ins><span class=amount>€39.00</span></ins>"
    sale = f"<p class=price>{old} {now}</p>"
    plain = "<p class=price><span class=amount>€25.00</span></p>"
    fields = records_of(sale, plain, sale, plain)
    assert [(one["price"], one.get("old_price")) for one in fields] == [("€39.00", "€49.00"), ("€25.00", None)] * 2


def test_label_of_an_earlier_price():
    fields = records_of(*(f"<p>Now <b>€{n}1.00</b></p><p>statt <b>€{n}9.00</b></p>" for n in range(1, 5)))
    assert (fields[0]["price"], fields[0]["old_price"]) == ("€11.00", "€19.00")


def declared(name, body):
    data = f'<script type="application/ld+json">{{"@type": "Product", "name": "{name}"}}</script>'
    also = "".join(f"<li><a href=/{n}>Brush {n}</a> <span>€{n}.00</span></li>" for n in range(3, 7))
    text = "It is made of ash that grew above the weir, and its teeth are driven in wet so that they hold."
    body = f"<main>{body}<p>{text}</p><h2>Also bought</h2><ul>{also}</ul></main>"
    return page_records(bs.parse(f"<title>Ash rake</title>{data}<nav><a href=/>Home</a></nav>{body}")).main


def test_declared_product_is_the_main_record():
    main = declared("Ash rake", "<h1>Ash rake</h1><p class=price>€39.00</p><button>Add</button>")
    assert [(one.fields["title"], one.fields["price"]) for one in main.records] == [("Ash rake", "€39.00")]


def test_a_link_before_a_single_record_is_not_its_address():
    crumbs = "<div><a href=/>Home</a> / <a href=/rakes>Rakes</a></div>"
    main = declared("Ash rake", f"<div>{crumbs}<h1>Ash rake</h1><p class=price>€39.00</p><button>Add</button></div>")
    assert [one.fields.get("link") for one in main.records] == [None]


def test_declared_product_that_the_page_does_not_show():
    main = declared("Wire brush", "<h1>Ash rake</h1><p class=price>€39.00</p><button>Add</button>")
    assert main is None or all(one.fields.get("title") != "Ash rake" for one in main.records)


def test_amount_and_date_are_typed():
    cards = "".join(
        f"<li class=card><img src=/{n}.jpg><h3><a href=/{n}>Das Buch Nummer {n}</a></h3><time>{n}. Mai 2024</time>"
        f"<b class=price>{n},50 €</b></li>"
        for n in range(1, 5)
    )
    page = bs.parse(f"<html lang=de><title>Bücher</title><main><h1>Bücher</h1><ul>{cards}</ul></main>")
    record = page_records(page).main.records[0].to_dict(markup=False)
    assert (record["amount"], record["currency"], record["iso_date"]) == (1.5, "EUR", "2024-05-01")


def test_name_after_a_label_is_the_author():
    names = ["Ada Rill", "Bo Fenn", "Cy Holt"]
    fields = records_of(*(f"<div class=byline>Autor <b>{name}</b></div>" for name in names))
    assert [one["author"] for one in fields] == names


def test_parts_of_a_time_are_one_date():
    days = {"Fri": 3, "Sat": 4, "Sun": 5}
    times = (f"<time><span class=w>{day}</span> <span class=d>{n} May 2024</span></time>" for day, n in days.items())
    assert [one["date"] for one in records_of(*times)] == ["Fri 3 May 2024", "Sat 4 May 2024", "Sun 5 May 2024"]


@pytest.mark.parametrize("text", ["8 дней назад", "8 dni temu", "昨日", "Wczoraj", "11 cze", "07月02日", "منذ 3 ساعة"])
def test_is_date_of_times_from_now(text):
    assert is_date(text)
