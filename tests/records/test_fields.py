"""Fields of records by their columns."""

import blocksight as bs
from blocksight.records.candidates import find_records
from blocksight.records.fields import FieldReader

from .conftest import NAMES, TEXTS


def largest(page):
    records = find_records(page)
    readings = [FieldReader(records).read(group) for group in records.groups]
    return max(readings, key=lambda reading: sum(len(cells.leaves) for cells in reading.aligned.cells))


def test_posts_have_author_date_and_text_and_nothing_around_them(thread):
    found = largest(thread)
    assert [one["author"] for one in found.fields] == list(NAMES)
    assert [one["date"] for one in found.fields] == ["1 May 2024", "2 May 2024", "3 May 2024"]
    assert [one["text"] for one in found.fields] == [TEXTS[0], f"{TEXTS[0]}\n{TEXTS[1]}", TEXTS[2]]


def test_products_have_title_price_rating_image_and_link(shop):
    found = largest(shop).fields
    assert found[1] == {
        "title": "Kettle 1",
        "price": "$11.50",
        "rating": "1.5 out of 5",
        "image": "https://shop.example/1.jpg",
        "link": "https://shop.example/item/1",
    }


def test_ranks_are_numbers_that_count_up():
    rows = "".join(
        f"<tr class=row><td>{n}.</td><td><a href=/s/{n}>Story {'of tea ' * n}</a></td><td>{n * 13} points</td></tr>"
        for n in (1, 2, 3, 4)
    )
    found = largest(bs.parse(f"<table>{rows}</table>")).fields
    assert [one["rank"] for one in found] == ["1", "2", "3", "4"]
    assert found[0]["title"] == "Story of tea"


def test_an_element_around_all_text_is_no_quote():
    posts = "".join(
        f"<li class=p><b class=author>{name}</b><blockquote class=body>{text}</blockquote></li>"
        for name, text in zip(NAMES, TEXTS, strict=True)
    )
    found = largest(bs.parse(f"<ol>{posts}</ol>"))
    assert [one["text"] for one in found.fields] == list(TEXTS)
    assert not any(cells.quoted for cells in found.aligned.cells)


def test_text_keeps_its_lines_and_spaces():
    posts = "".join(
        f"<li class=p><i>{n}</i><div class=text>{text}<br>and <b>{n} more</b> of <b>it</b> for us all</div></li>"
        for n, text in enumerate(TEXTS)
    )
    found = largest(bs.parse(f"<ol>{posts}</ol>")).fields
    assert found[0]["text"] == f"{TEXTS[0]}\nand 0 more of it for us all"


def test_names_with_and_without_a_link_are_one_column():
    names = ("Arvo", "<a href=https://bruna.example rel=nofollow>Bruna</a>", "Cemal")
    posts = "".join(
        f"<li class=comment><cite class=author>{name}</cite><div class=text><p>{text}</p></div></li>"
        for name, text in zip(names, TEXTS, strict=True)
    )
    assert [one["author"] for one in largest(bs.parse(f"<ol>{posts}</ol>")).fields] == list(NAMES)


def test_many_unlike_siblings_keep_their_columns():
    parts = "abcdefghij"
    cards = "".join(
        "<li class=card>" + "".join(f"<div class=part-{part}>{part} of {n}</div>" for part in parts) + "</li>"
        for n in range(4)
    )
    aligned = largest(bs.parse(f"<title>A</title><ul>{cards}</ul>")).aligned
    assert len({tuple(cells.places) for cells in aligned.cells}) == 1


def test_of_several_prices_the_others_are_no_text():
    cards = "".join(
        f"<li class=card><h3><a href=/{n}>Kettle {n}</a></h3><b class=brand>Brand {n}</b>"
        f"<span class=price>${n}.50</span><span class=old-price>${n + 9}.00</span></li>"
        for n in range(4)
    )
    fields = largest(bs.parse(f"<title>A</title><ul>{cards}</ul>")).fields
    assert fields[1] == {"title": "Kettle 1", "text": "Brand 1", "price": "$1.50", "old_price": "$10.00", "link": "/1"}


def test_names_that_are_marked_otherwise_are_one_column():
    names = (
        "<a class=username href=/members/1><b>Arvo</b></a>", "<span class=username>Bruna</span>",
        "<a class='username staff' href=/members/3><span class=red>Cemal</span></a>",
    )  # fmt: skip
    posts = "".join(
        f"<li class=post><h4 class=name>{names[n % 3]}</h4><em class=group-{n}>Group {n}</em><p>{TEXTS[n % 3]}</p></li>"
        for n in range(6)
    )
    reading = largest(bs.parse(f"<title>A</title><ol>{posts}</ol>"))
    assert [one.get("author") for one in reading.fields] == ["Arvo", "Bruna", "Cemal"] * 2


def test_who_comments_below_an_answer_did_not_write_it():
    answers = "".join(
        f"<li class=answer><p>{TEXTS[n % 3]}</p><div class=signed><a href=/users/{n}>Author {n}</a></div>"
        "<ul class=below>"
        + "".join(f"<li><a class=comment-user href=/users/9{k}>FieldReader {n}{k}</a> well said</li>" for k in range(3))
        + "</ul></li>"
        for n in range(4)
    )
    reading = largest(bs.parse(f"<title>A</title><ol>{answers}</ol>"))
    assert [one.get("author") for one in reading.fields] == [f"Author {n}" for n in range(4)]


def test_a_card_that_is_one_link_keeps_its_text():
    cards = "".join(
        f"<li class=job><a href=/job/{n}><h4>Engineer {n}</h4><p>Firm {n}</p><p>Town {n}</p></a></li>" for n in range(4)
    )
    fields = largest(bs.parse(f"<title>A</title><ul>{cards}</ul>")).fields
    assert fields[2] == {"title": "Engineer 2", "text": "Firm 2\nTown 2", "link": "/job/2"}


def test_a_card_without_a_title_leads_to_what_its_date_leads_to():
    cards = (f"<li><a href=/@{name}>{name}</a> <a href=/p/{n}>{n + 1} May 2024</a><p>{TEXTS[n]}</p></li>"
             for n, name in enumerate(NAMES))  # fmt: skip
    assert [one["link"] for one in largest(bs.parse(f"<ul>{''.join(cards)}</ul>")).fields] == ["/p/0", "/p/1", "/p/2"]


def test_a_post_that_is_built_otherwise_has_its_text():
    def entry(n, text):
        return f"<li class=post><b class=author>{NAMES[n]}</b><time>{n + 1} May 2024</time>{text}</li>"

    plain = "".join(entry(n % 3, f"<div class=message><p>{TEXTS[n % 3]}</p></div>") for n in range(4))
    other = entry(0, f"<section><div>{TEXTS[1]} {TEXTS[2]}</div></section>")
    fields = largest(bs.parse(f"<title>A</title><ol>{plain}{other}</ol>")).fields
    assert fields[4]["text"] == f"{TEXTS[1]} {TEXTS[2]}"
