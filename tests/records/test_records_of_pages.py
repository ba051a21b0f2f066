"""Records of small pages of several kinds: news in link rows, a chat, plans, search results, a recipe."""

import blocksight as bs
import pytest
from blocksight.document.records.record_sets import page_records

from .conftest import TEXTS

NEWS = (
    "A kettle that boils itself dry", "Cups of the sixteenth century", "Leaves that grow in the dark",
    "Three ways to a clean spout", "The tea road in photographs", "How a whistle is tuned",
)  # fmt: skip
PEOPLE = ("anna", "ben", "cleo", "dora", "emil", "fay")


def records_of(html, url="https://tea.example/page"):
    return page_records(bs.parse(html, url=url))


def test_link_rows_name_their_author_and_have_no_text_with_holes():
    rows = "".join(
        f"<tr class=athing><td><span class=rank>{n + 1}.</span></td><td><a href=/vote?id={n}><i title=up></i></a></td>"
        f"<td class=title><span><a href=https://{n}.example/story>{title}</a></span></td></tr>"
        f"<tr><td colspan=2></td><td class=sub><span>{n + 112} points</span> by "
        f"<a href=user?id={name}>{name}</a> <span class=age><a href=item?id={n}>{n + 1} hours ago</a></span></td></tr>"
        for n, (title, name) in enumerate(zip(NEWS, PEOPLE, strict=True))
    )
    main = records_of(f"<title>News</title><table>{rows}</table>").main
    assert main is not None
    for n, record in enumerate(main.records):
        assert record.fields["title"] == NEWS[n]
        assert record.fields["author"] == PEOPLE[n]
        assert record.fields["date"] == f"{n + 1} hours ago"
        assert "points by" not in record.fields.get("text", "")


def test_lines_with_a_date_and_a_name_are_two_fields():
    answers = "".join(
        f"<div class=a><p>{TEXTS[n]}</p><small>answered {n + 3} May by {name}</small></div>"
        for n, name in enumerate(PEOPLE[:3])
    )
    main = records_of(f"<title>Kettles</title><h1>Which kettle sings?</h1><div class=list>{answers}</div>").main
    assert main is not None
    assert [(one.fields["date"], one.fields["author"]) for one in main.records] == [
        ("3 May", "anna"), ("4 May", "ben"), ("5 May", "cleo"),
    ]  # fmt: skip


def test_the_lines_of_a_chat_have_authors():
    names, texts = (*PEOPLE[:3], "anna"), (*TEXTS, "Then I will wait for the new one.")
    lines = "".join(
        f"<div class=msg><span class=nick>{name}</span> <span class=ts>10:0{n}</span> <span class=body>{text}</span>"
        "</div>"
        for n, (name, text) in enumerate(zip(names, texts, strict=True))
    )
    main = records_of(f"<title>Chat</title><h1>#tea</h1><div class=log>{lines}</div>").main
    assert main is not None
    assert [record.fields["author"] for record in main.records] == list(names)
    assert [record.fields["text"] for record in main.records] == list(texts)


def test_plans_are_records_and_not_their_points():
    points = (("One kettle", "Ten litres"), ("Five kettles", "Hundred litres", "Support"), ("All kettles", "No limit"))
    plans = "".join(
        f"<div class=plan><h3>Plan {n}</h3><p class=price>${n * 9}</p><ul><li>{'<li>'.join(some)}</ul>"
        f"<a href=/buy/{n}>Buy {n}</a></div>"
        for n, some in enumerate(points)
    )
    main = records_of(f"<title>Pricing</title><main><h1>Plans</h1><div class=plans>{plans}</div></main>").main
    assert main is not None
    assert [record.fields["title"] for record in main.records] == ["Plan 0", "Plan 1", "Plan 2"]
    assert main.records[1].fields["text"].split("\n") == list(points[1])


def test_the_address_of_a_result_is_no_author():
    addresses = ("https://a.example › kettles", "b.example › repair", "www.c.example/tea")
    results = "".join(
        f"<div class=g><a href=https://{n}.example/x><h3>{title}</h3><cite>{address}</cite></a><div>{text}</div></div>"
        for n, (title, address, text) in enumerate(zip(NEWS[:3], addresses, TEXTS, strict=True))
    )
    main = records_of(f"<title>kettle</title><form><input name=q></form><div id=results>{results}</div>").main
    assert main is not None
    assert [record.fields.get("title") for record in main.records] == list(NEWS[:3])
    assert not any("author" in record.fields for record in main.records)


def test_the_steps_of_a_recipe_are_its_text():
    steps = "".join(f"<li><p>{text}</p></li>" for text in TEXTS)
    text = f"<h1>Chai</h1><p>{TEXTS[0]}</p><h2>Instructions</h2><ol>{steps}</ol>"
    assert records_of(f"<title>Chai</title><main><article>{text}</article></main>").main is None


PLUMS = (
    "Boil the potatoes in their skins until they are soft, then peel and mash them while hot.",
    "Knead in the flour and cut the dough into twelve pieces of one size.",
    "Press a plum into each, close it well, and boil for eight minutes.",
    "Roll the dumplings in breadcrumbs that were browned in butter.",
    "Serve at once, with cinnamon and a little more butter than seems right.",
)
NEEDED = ("400 g of potatoes", "150 g of flour", "12 plums", "100 g of breadcrumbs")


def part(heading, *lines):
    return f"<div class=part><h2>{heading}</h2><ul><li>{'<li>'.join(lines)}</ul></div>"


@pytest.mark.parametrize(
    "parts",
    [
        part("Ingredients", *NEEDED) + part("Instructions", *PLUMS),
        part("Ingredients", *NEEDED) + part("Instructions", *PLUMS) + part("Notes", "Use butter."),
        "".join(f"<div class=step><span>{n}</span><p>{text}</p></div>" for n, text in enumerate(PLUMS, 1)),
    ],
)
def test_parts_of_one_text_are_no_main_set(parts):
    html = f"<title>Dumplings</title><main><h1>Plum dumplings</h1><p>{TEXTS[2]}</p>{parts}</main>"
    found = records_of(html, url="https://plum.example/recipes/dumplings")
    assert found.main is None
    assert found.sets


def test_a_record_without_fields_is_none():
    cards = "".join(
        f"<div class=post><div class=post><h3><a href=/{n}>{title}</a></h3><p>{TEXTS[n % 3]}</p></div></div>"
        for n, title in enumerate(NEWS)
    )
    for one in records_of(f"<title>News</title><main>{cards}</main>").sets:
        assert all(record.fields for _, record in one.every())


def test_a_card_of_lines_is_read_line_by_line():
    def job(number):
        return (
            f"<div class=job><b>{NEWS[number]}</b><br>{PEOPLE[number]} Ltd<br>Harbour<br>"
            f"<span class=tag>full time</span><span class=tag>{number + 2} days</span>"
            f"<p>{TEXTS[number]}</p><small>{number + 1} days ago</small></div>"
        )

    found = records_of(f"<title>Jobs</title><h1>Jobs</h1><main>{''.join(map(job, range(3)))}</main>")
    assert found.main is not None
    for number, record in enumerate(found.main.records):
        # A line with words that all cards have costs no other line, and blocks end lines.
        assert record.fields["title"] == NEWS[number]
        lines = record.fields["text"].split("\n")
        assert lines[0] == f"{PEOPLE[number]} Ltd"
        assert TEXTS[number] in lines
