"""Threads as documents: who wrote each post and when stand above its text."""

import blocksight as bs
import pytest

from .conftest import MENU, NAMES, TEXTS, post

HEADS = tuple(f"{name} {number + 1} May 2024" for number, name in enumerate(NAMES))


def thread_page(posts, tag="div"):
    return bs.parse(
        f"<title>Loud kettle</title>{MENU}<main><h1>Loud kettle</h1><{tag} class=posts>{posts}</{tag}></main>",
        url="https://forum.example/threads/loud-kettle.12/",
    )


@pytest.fixture
def answered():
    return thread_page(post(0) + post(1, f"<blockquote>{TEXTS[0]}</blockquote>") + post(2))


def test_each_post_has_its_author_and_date_above_it(answered):
    doc = bs.extract(answered)
    paragraphs = [HEADS[0], TEXTS[0], HEADS[1], TEXTS[0], TEXTS[1], HEADS[2], TEXTS[2]]
    assert doc.text.split("\n\n") == paragraphs
    # Portraits are no pictures of the text.
    assert "![" not in doc.markdown
    assert f"[Bruna](https://forum.example/members/1) 2 May 2024\n\n> {TEXTS[0]}\n\n{TEXTS[1]}" in doc.markdown


def test_keep_decides_about_authors_and_dates(answered):
    assert "Bruna" not in bs.extract(answered, keep="note").text
    assert "2 May 2024" not in bs.extract(answered, keep=["author"]).text
    assert "Bruna" in bs.extract(answered, keep="author").text


def test_names_below_the_text_are_written_above_it():
    def signed(number):
        return (
            f"<div class=post id=p{number}><div class=post-content><p>{TEXTS[number]}</p></div>"
            f"<div class=by><a class=username href=/members/{number}>{NAMES[number]}</a></div>"
            f"<div><time>{number + 1} May 2024</time></div></div>"
        )

    text = bs.extract(thread_page("".join(map(signed, range(3))))).text
    assert text.split("\n\n") == [part for pair in zip(HEADS, TEXTS, strict=True) for part in pair]


@pytest.mark.parametrize(
    ("around", "inner"), [("ol", "li"), ("ul", "li"), ("dl", "dd"), ("table", "tr")], ids=lambda tag: tag
)
def test_a_post_is_no_item_and_no_cell(around, inner):
    def item(number):
        inside = post(number).partition(">")[2].removesuffix("</div>")
        if inner == "tr":
            card, _, rest = inside.partition("<time>")
            inside = f"<td>{card}</td><td><time>{rest}</td>"
        return f"<{inner} class=post id=p{number}>{inside}</{inner}>"

    markdown = bs.extract(thread_page("".join(map(item, range(3))), around)).markdown
    for text in TEXTS:
        assert f"\n\n{text}\n" in markdown


def test_a_quote_around_the_whole_text_of_each_post_is_none():
    def quoted(number):
        return post(number).replace("<p>", "<blockquote><p>").replace("</p>", "</p></blockquote>")

    assert "> " not in bs.extract(thread_page("".join(map(quoted, range(3))))).markdown


def test_a_list_in_a_post_stays_one():
    posts = post(0) + post(1).replace(TEXTS[1], f"{TEXTS[1]}<ul><li>lid<li>spout</ul>") + post(2)
    assert f"{TEXTS[1]}\n\n- lid\n- spout" in bs.extract(thread_page(posts)).text


def test_chunks_have_whole_posts(answered):
    doc = bs.extract(answered)
    assert [chunk.text.split("\n\n")[0] for chunk in doc.chunks(tokens=85)] == list(HEADS)
    both = doc.chunks(tokens=130)
    assert [chunk.text.split("\n\n")[0] for chunk in both] == [HEADS[0], HEADS[2]]


def test_each_line_of_a_chat_has_its_name_and_time_above_or_before_its_text():
    lines = "".join(
        f"<div class=msg id=m{n}><span class=nick>{NAMES[n]}</span> <span class=ts>10:0{n}</span> "
        f"<span class=body>{TEXTS[n]}</span></div>"
        for n in range(3)
    )
    chat = bs.parse(
        f"<title>Chat</title>{MENU}<h1>#tea</h1><div class=log>{lines}</div>", url="https://chat.example/tea"
    )
    words = bs.extract(chat).text.split()
    expected = " ".join(f"{NAMES[n]} 10:0{n} {TEXTS[n]}" for n in range(3)).split()
    assert words == expected


def test_a_post_that_is_shown_again_elsewhere_is_written_once():
    long = f"{TEXTS[0]} {TEXTS[1]}"
    posts = post(0).replace(TEXTS[0], long) + post(1) + post(2)
    page = thread_page(posts + f"<section><p class=answer>{long}</p></section>")
    assert bs.extract(page).text.count(long) == 1


def test_names_and_dates_without_a_class_are_written_above_the_text():
    def plain(number):
        return (
            f"<div class=k><img src=/{number}.png><div><b>{NAMES[number]}</b> <small>{number + 1} May 2024</small>"
            f"<p>{TEXTS[number]}</p><small><a href=#r>Reply</a></small></div></div>"
        )

    text = bs.extract(thread_page("".join(map(plain, range(3))))).text
    assert text.split("\n\n") == [part for pair in zip(HEADS, TEXTS, strict=True) for part in pair]


def test_what_is_not_right_before_a_date_is_no_author():
    def titled(number):
        return f"<div class=k><b>{NAMES[number]}</b><p>{TEXTS[number]}</p><small>{number + 1} May 2024</small></div>"

    (main, *_) = bs.extract(thread_page("".join(map(titled, range(3))))).records
    assert "author" not in main.columns
