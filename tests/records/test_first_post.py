"""The post that a thread opens with, where nothing else on the page is built like it."""

import blocksight as bs
from blocksight.document.records.record_sets import page_records
from blocksight.records.candidates import find_records
from blocksight.records.single_records import opening_post

from .conftest import MENU, NAMES, SENTENCES, post


def answered():
    question = (
        f"<div class='question js-question' id=question><div class=owner><a href=/users/9>Delfina</a></div>"
        f"<div class=asked><time>1 May 2024</time></div><section><p>{SENTENCES}</p></section></div>"
    )
    answers = post(0) + post(1) + post(2)
    return bs.parse(
        f"<title>Loud kettle</title>{MENU}<main><h1>Loud kettle</h1>{question}<div class=posts>{answers}</div></main>",
        url="https://forum.example/threads/loud-kettle.12/",
    )


def alone():
    return bs.parse(
        f"<title>Loud kettle</title>{MENU}<main><h1>Loud kettle</h1><div class=posts>{post(1)}</div></main>",
        url="https://forum.example/threads/loud-kettle.12/",
    )


def test_a_question_comes_before_its_answers():
    main = page_records(answered()).main
    assert [record.fields["author"] for record in main.records] == ["Delfina", *NAMES]
    assert main.records[0].fields["text"] == SENTENCES
    assert main.records[0].fields["date"] == "1 May 2024"


def test_what_is_called_a_post_and_says_neither_who_nor_when_is_none():
    page = bs.parse(f"<title>A</title><div class=post><p>{SENTENCES}</p></div>")
    assert opening_post(find_records(page)) is None


def test_what_lies_around_the_post_is_not_taken():
    page = bs.parse(f"<title>A</title><div class=thread><div class=message>{post(0)}</div></div>")
    found = opening_post(find_records(page))
    assert found is not None
    assert page.attributes_of(found.spans[0][0])["id"] == "p0"
