"""Authors and dates by their places: on pages whose class names and address say nothing about a forum."""

import blocksight as bs
import pytest
from blocksight.document.records.record_sets import decided_records_of

SAID = (
    "The gate at the upper lock sticks when the river is high, and two of us could not move it on Sunday.",
    "It did that to us as well. A long pole between the beams helps, and somebody has to hold the boat.",
    "They will grease it in April, says the keeper, but only if the level has fallen by then.",
    "Then I wait until May. Thank you both, that saves me a day of rowing against it.",
    "The pole lies behind the hut. Please put it back, the last crew took it along to the weir.",
)
WHO = ("Ilse Brandt", "corvid", "Ilse Brandt", "Tomas", "corvid")
CHROME = "<nav><a href=/>Home</a> <a href=/about>About</a></nav>"


def page(posts, title="Upper lock", url=""):
    return bs.parse(f"<title>{title}</title>{CHROME}<main><h1>{title}</h1>{''.join(posts)}</main>", url=url)


def main_of(posts, **about):
    return bs.extract(page(posts, **about)).records[0]


def values(records, *names):
    return [tuple(record.fields.get(name) for name in names) for record in records.records]


def flat(number, when="{} hours ago", said=None):
    date = when.format(number + 2)
    return f"<div class=k><div class=q><b>{WHO[number]}</b> · {date}</div><div>{said or SAID[number]}</div></div>"


def carded(number, floor=""):
    """Return a post as tables of forums have it: the user left, number and date above the text."""
    return (
        f"<table class=u><tr><td class=l><b>{WHO[number]}</b><div>Member<br>Posts: {11 * number + 7}<br>"
        f"Joined: May 20{10 + number}<br>Mooring: Lane {number}</div></td>"
        f"<td class=r><div class=w>{floor}written on 2026-05-{number + 10} 21:04</div><div>{SAID[number]}</div>"
        f"<div class=x><a href=/report/{number}>Report</a></div></td></tr></table>"
    )


def test_names_right_before_dates_make_a_page_a_thread_whatever_its_type():
    doc = bs.extract(page(map(flat, range(5))))
    assert doc.page_type.name == "thread"
    assert doc.records[0].record_type == "post"
    assert values(doc.records[0], "author", "date") == [(WHO[n], f"{n + 2} hours ago") for n in range(5)]
    # Every post, each below who wrote it and when.
    heads = [f"{WHO[n]} · {n + 2} hours ago" for n in range(5)]
    assert doc.text.split("\n\n") == [part for pair in zip(heads, SAID, strict=True) for part in pair]


def test_what_is_below_a_line_of_signs_is_a_signature():
    posts = [flat(n, said=f"{SAID[n]}<br>_________<br>Row on, whatever the weather, says {WHO[n]}!") for n in range(5)]
    assert [text for (text,) in values(main_of(posts), "text")] == [*SAID]


def test_the_card_of_a_user_names_the_author_and_is_no_text():
    records = main_of(map(carded, range(5)))
    assert values(records, "author", "text") == [*zip(WHO, SAID, strict=True)]
    assert [record.fields["date"][-16:] for record in records.records] == [f"2026-05-{n + 10} 21:04" for n in range(5)]


def test_a_card_beside_paragraphs_without_an_element_of_their_own_is_no_text():
    def post(number):
        card = f"<b>{WHO[number]}</b><div>Posts: {number + 7}</div><div>Deckhand since {number + 3} springs</div>"
        said = f"<p>{SAID[number]}</p><p>{SAID[number - 1]}</p>"
        return f"<div class=k><div class=l>{card}</div>{number + 2} hours ago{said}</div>"

    assert [text for (text,) in values(main_of(map(post, range(5))), "text")] == [
        f"{SAID[n]}\n{SAID[n - 1]}" for n in range(5)
    ]


def test_numbers_of_posts_are_no_names_where_names_recur():
    floors = ("<b>first</b> ", "<b>second</b> ", "<b>third</b> ", "<b>fourth</b> ", "<b>fifth</b> ")
    records = main_of(carded(number, floors[number]) for number in range(5))
    assert [author for (author,) in values(records, "author")] == [*WHO]


def test_a_time_of_day_in_any_language_dates_a_post():
    records = main_of(flat(number, "kolmas päivä, {}:15") for number in range(5))
    assert values(records, "author", "date")[1] == ("corvid", "kolmas päivä, 3:15")


def test_above_posts_a_paragraph_is_content_and_a_form_to_sign_in_is_not():
    form = "<div>User name <input></div><div>Password <input></div>"
    doc = bs.extract(page([form, f"<div><b>Notice:</b> {SAID[0]}</div>", *map(flat, range(1, 5))]))
    assert doc.page_type.name == "thread"
    assert f"Notice: {SAID[0]}" in doc.text
    assert "Password" not in doc.text


def test_comments_below_an_article_make_no_thread():
    article = "".join(f"<p>{said} {said}</p>" for said in SAID * 2)
    comments = "".join(map(flat, range(5)))
    doc = bs.extract(page([f"<article>{article}</article><section class=comments>{comments}</section>"]))
    assert doc.page_type.name != "thread"
    assert SAID[0] in doc.text
    assert "corvid" not in doc.text


def test_reviews_make_no_thread():
    reviews = [flat(number, said=f"★★★★☆ {SAID[number]}".replace("☆ ", "☆</div><div>")) for number in range(5)]
    assert bs.extract(page(reviews)).page_type.name != "thread"


def test_short_headings_beside_a_time_are_titles_unless_they_recur():
    def event(number):
        return flat(number).replace(f"<b>{WHO[number]}</b>", f"<h3>Evening {'abcde'[number]}</h3>")

    def signed(number):
        return flat(number).replace("b>", "h3>")

    assert bs.extract(page(map(event, range(5)))).page_type.name != "thread"
    assert bs.extract(page(map(signed, range(5)))).page_type.name == "thread"


def test_sentences_without_spaces_are_no_names():
    titles = (
        "阳台上的番茄为什么不结果呢",
        "给花授粉的三种简单的办法",
        "草木灰可以替代钾肥,真的",
        "肥料太多反而会伤到根系的",
        "明年春天再试一次好不好呢",
    )

    def entry(number):
        return flat(number, "2026-05-1{}").replace(WHO[number], titles[number])

    assert bs.extract(page(map(entry, range(5)))).page_type.name != "thread"


@pytest.mark.parametrize("heading", ["h2", "h3"])
def test_entries_with_a_heading_each_are_no_posts(heading):
    def entry(number):
        return flat(number).replace("<div>", f"<{heading}>Version {number}.1</{heading}><div>", 1)

    assert bs.extract(page(map(entry, range(5)))).page_type.name != "thread"


def test_the_title_of_the_thread_above_each_post_is_no_title_of_its_own():
    def titled(number):
        return flat(number).replace("<div>", f"<h3>{'Re: ' * min(number, 1)}Upper lock</h3><div>", 1)

    assert bs.extract(page(map(titled, range(5)))).page_type.name == "thread"


def test_counters_below_posts_are_no_titles():
    def counted(number):
        return f"{flat(number).removesuffix('</div>')}<p class=z><a href=#>{number + 12} votes · Answer</a></p></div>"

    assert values(main_of(map(counted, range(5))), "title", "author") == [(None, name) for name in WHO]


# -- chats -----------------------------------------------------------------------------------------------------------


def message(name, time, said):
    head = f"<div class=h><b>{name}</b> <span class=t>{time}</span></div>" if name else ""
    return f"<div class=m>{head}<div class=s>{said}</div></div>"


def test_messages_in_a_row_have_the_name_of_the_first():
    chat = [
        message("Ilse", "9.02", SAID[0]), message("", "", SAID[1]), message("Tomas", "9.10", SAID[2]),
        message("", "", SAID[3]), message("Ilse", "9.31", SAID[4]),
    ]  # fmt: skip
    records = main_of(chat)
    assert [author for (author,) in values(records, "author")] == ["Ilse", "Ilse", "Tomas", "Tomas", "Ilse"]
    # The text is as the page shows it: a name that is left out is not written.
    assert bs.extract(page(chat)).text.count("Tomas") == 1


def test_a_day_between_messages_is_no_message_and_ends_a_row():
    day = "<div class=m><div class=s>15 May 2026</div></div>"
    chat = [message(f"N{n % 2}", f"9.1{n}", SAID[n]) for n in range(4)]
    records = main_of([*chat, day, message("", "", SAID[4])])
    assert [author for (author,) in values(records, "author")] == ["N0", "N1", "N0", "N1", None]


def test_a_post_whose_name_is_empty_has_no_author():
    posts = [flat(number) for number in range(5)]
    posts[2] = posts[2].replace(f"<b>{WHO[2]}</b> · ", "<b></b>")
    assert "author" not in main_of(posts).records[2].fields


def test_a_name_is_a_line_above_the_text_in_one_element():
    chat = [
        f"<div class=m><span class=w>{name} <time>9.0{n}</time></span>{SAID[n]}</div>" for n, name in enumerate(WHO)
    ]
    assert f"{WHO[0]} 9.00\n\n{SAID[0]}" in bs.extract(page(chat)).text


# -- signatures ------------------------------------------------------------------------------------------------------


# -- addresses -------------------------------------------------------------------------------------------------------

URL = "https://boats.example/t/12"


def linked(number, before="", when="{}"):
    date = when.format(f"2026-05-1{number}")
    return (
        f"<div class=post id=p{number}><a class=name href=/user/{WHO[number][:3]}>{WHO[number]}</a> {before} {date}"
        f"<div class=text>{SAID[number]}</div><a href=/reply/{number}>Reply</a></div>"
    )


@pytest.mark.parametrize(
    ("post", "link"),
    [
        (lambda n: linked(n, when=f"<a href=/t/12/post/{n}>{{}}</a>"), "https://boats.example/t/12/post/1"),
        (lambda n: linked(n, before=f'<a href="#p{n}">link</a>'), f"{URL}#p1"),
        (linked, f"{URL}#p1"),
        (lambda n: linked(n).replace(f" id=p{n}", ""), None),
    ],
    ids=["date", "fragment", "id", "none"],
)
def test_the_link_of_a_post_is_its_own(post, link):
    records = main_of(map(post, range(5)), url=URL)
    assert records.record_type == "post"
    assert records.records[1].fields.get("link") == link


# -- quotes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote><cite>Ilse wrote:</cite>{}</blockquote>",
        "<div class=bbcode_quote><div class=quote_container><b>Ilse wrote:</b><div class=message>{}</div></div></div>",
        "<div class=quote><span>Ilse wrote:</span>{}</div>",
        "<div class='bbCodeBlock bbCodeBlock--quote'><a>Ilse wrote:</a><div class=bbCodeBlock-content>{}</div></div>",
    ],
)
def test_a_quote_by_class_name_is_one_quote_with_who_is_quoted(quote):
    posts = [flat(0), flat(1, said=quote.format(SAID[0]) + SAID[1]), *map(flat, range(2, 5))]
    doc = bs.extract(page(posts))
    lines = [line for line in doc.markdown.replace("**", "").split("\n") if line.strip("> ")]
    start = lines.index("> Ilse wrote:")
    assert lines[start : start + 3] == ["> Ilse wrote:", f"> {SAID[0]}", SAID[1]]
    record = doc.records[0].records[1]
    assert record.quotes == (f"Ilse wrote:\n{SAID[0]}",)
    assert record.html.count("<blockquote") == 1


def test_a_quote_within_a_quote_stays_one():
    inner = f"<blockquote><cite>corvid wrote:</cite>{SAID[1]}</blockquote>"
    quote = f"<blockquote><cite>Ilse wrote:</cite>{inner}{SAID[2]}</blockquote>"
    markdown = bs.extract(page([flat(0), flat(1), flat(2), flat(3, said=quote + SAID[3]), flat(4)])).markdown
    assert f"> > {SAID[1]}" in markdown
    assert f"\n> {SAID[2]}" in markdown


def test_a_row_of_a_table_is_no_text_and_a_cell_of_it_may_be():
    decided = decided_records_of(page(map(carded, range(5))))
    reading = decided.reading(decided.main_group)
    assert [reading.aligned.places[place].tag for place in reading.aligned.paths[reading.body]][:2] == ["div", "td"]


def test_line_breaks_and_bold_print_are_no_further_elements_of_a_text():
    posts = [flat(number, said=f"<b>Well.</b> {SAID[number]}<br>{SAID[number - 1]}") for number in range(5)]
    decided = decided_records_of(page(posts))
    reading = decided.reading(decided.main_group)
    assert reading.body
    assert reading.texts[0] == reading.aligned.cells[0].leaves[2:]


def test_a_quote_that_ends_with_a_quote_has_two():
    quote = (
        f"<blockquote><cite>Ilse wrote:</cite><blockquote><cite>corvid wrote:</cite>{SAID[1]}</blockquote></blockquote>"
    )
    records = main_of([flat(0), flat(1), flat(2), flat(3, said=quote + SAID[3]), flat(4)])
    assert [text.split("\n")[0] for text in records.records[3].quotes] == ["Ilse wrote:", "corvid wrote:"]


def test_short_posts_in_the_element_of_the_name_stay():
    says = ("Yes, it does", "It does not", "Since when", "Since May", "I see")
    posts = [
        f"<div class=post id=p{n}><div class=i><a class=username href=/user/{n}>{WHO[n]}</a> "
        f"<time>{n + 1} May 2024</time><span class=says>{says[n]}</span></div></div>"
        for n in range(5)
    ]
    records = main_of(posts, url="https://boats.example/forum/viewtopic?t=12")
    assert [record.text for record in records.records] == [*says]


OPINIONS = (
    (
        "remek",
        "The old crane was never safe, and everybody on the quay knew it for years, but nothing "
        "was done while the money went elsewhere, as always in this town.",
    ),
    (
        "Marek",
        "My father worked it for thirty years and came home with all of his fingers, so it cannot "
        "have been that bad, whatever the office writes about it now.",
    ),
    (
        "ala",
        "And who pays for the barge? The tables in the town hall will be bare again for years, and "
        "nobody will have decided anything when it comes to it.",
    ),
    (
        "remek",
        "The port pays, it says so in the text above, one only has to read it to the end before "
        "one writes such things here and makes others angry.",
    ),
    (
        "jan",
        "Reading to the end is hard for some. I for one am glad of the crane, and I will be on the "
        "quay when it lifts its first box in June.",
    ),
    (
        "ola",
        "See you there then, I bring the lemons and the sugar, as the crew did when the old one "
        "lifted its last crate on Friday evening, and a cloth.",
    ),
)


def test_what_is_said_below_a_sure_article_makes_no_thread():
    """The comments are longer than the text, and no class name says what they are."""
    text = (
        "The harbour office said on Friday that the new crane will be ready in June, and that the old one "
        "stays until the autumn, when the last barrels are gone. "
    )
    said = "".join(
        f"<div class=op><div class=kto>{name}</div><div class=kiedy>[2012-01-04 08:1{n}]</div><div>{words}</div></div>"
        for n, (name, words) in enumerate(OPINIONS)
    )
    html = (
        "<!doctype html><html lang=en><title>New crane in June</title><meta property=og:type content=article>"
        "<div id=menu><a href=/>Home</a> <a href=/n>News</a></div><div id=art><h1>New crane in June</h1>"
        f"<p class=date>4 January 2012</p>{f'<p>{text}</p>' * 4}</div><div id=op><h2>Opinie</h2>{said}</div></html>"
    )
    document = bs.extract(bs.parse(html, url="https://post.example/news/2012/01/04/new-crane-in-june.html"))
    assert document.page_type.name == "article"
    assert "ready in June" in document.text
    assert "lemons" not in document.text


@pytest.mark.parametrize(
    ("when", "button", "posts"),
    [
        ("{n} May 1900", "", False),
        ("{n} May 2026, 9:0{n}", "", True),
        ("{n} h ago", "", True),
        ("9:0{n}", "", True),
        ("{n} May 2026", "<a href=#>Reply</a>", True),
        ("{n} May 2026", "<a href=#>More</a>", False),
    ],
)
def test_bold_names_with_a_day_alone_are_titles(when, button, posts):
    """Five ships and five people have the same markup; people say when they wrote to the minute, or can be answered."""
    names = ("Titanic", "Olympic", "Britannic", "Great Eastern", "Mauretania")
    entries = "".join(
        f"<div class=s><b>{name}</b> <span>{when.format(n=n + 1)}</span><p>{OPINIONS[n][1]}</p>{button}</div>"
        for n, name in enumerate(names)
    )
    document = bs.extract(bs.parse(f"<html lang=en><title>Ships</title><main><h1>Ships</h1>{entries}</main></html>"))
    fields = document.records[0].records[0].fields
    assert ("author" in fields, "title" in fields) == (posts, not posts)
    assert (document.page_type.name == "thread") is posts


def test_an_hour_before_a_name_is_one_of_a_programme():
    names = ("Anna Smith", "Bert Jones", "Carla Brown", "Dieter Wolf")
    entries = "".join(f"<li>1{n}:30 <b>{name}</b><p>{OPINIONS[n][1]}</p></li>" for n, name in enumerate(names))
    document = bs.extract(
        bs.parse(f"<html lang=en><title>Day</title><main><h1>Day</h1><ul>{entries}</ul></main></html>")
    )
    assert document.page_type.name != "thread"
    assert document.metadata.authors == ()
