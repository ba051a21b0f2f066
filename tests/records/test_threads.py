"""Posts as a candidate for the content of a page: which records they are, their text, and the facts about them."""

from types import SimpleNamespace

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.candidates import find_records
from blocksight.records.page_type import early_type
from blocksight.records.threads import _are_entries, find_thread

from .conftest import MENU, NAMES, SENTENCES, TEXTS, post


def thread_in(page):
    records = find_records(page)
    return find_thread(records, early_type(records))


def texts_of(page, marks):
    return [text.strip() for text, marked in zip(page.leaf_texts, marks.tolist(), strict=True) if marked]


def page_of(*parts, url="https://boats.example/"):
    return bs.parse(f"<title>Kettles</title>{MENU}<main><h1>Kettles</h1>{''.join(parts)}</main>", url=url)


ARTICLE = f"<article>{f'<p>{SENTENCES}</p>' * 6}</article>"
QUESTION = (
    "<div class=question id=question><a href=/users/9>Delfina</a><time>1 May 2024</time>"
    f"<section><p>{SENTENCES}</p></section></div>"
)
POSTS = "".join(map(post, range(3)))
SECTIONS = "".join(
    f"<tr class=topic><td><a href=/topic/{n}>All about the kettle number {n}, and how it came to sing</a></td>"
    f"<td>last post by <a href=/members/{n}>{NAMES[n % 3]}</a> <time>{n + 1} May 2024</time></td></tr>"
    for n in range(6)
)


def test_find_thread_posts(thread):
    found = thread_in(thread)
    assert [len(group.spans) for group in found.groups] == [3]
    assert texts_of(thread, found.text) == [TEXTS[0], TEXTS[0], TEXTS[1], TEXTS[2]]
    assert texts_of(thread, found.roles["author"]) == [*NAMES]
    assert texts_of(thread, found.roles["date"]) == ["1 May 2024", "2 May 2024", "3 May 2024"]
    assert not (found.text & ~found.inside).any()
    assert "Loud kettle" not in texts_of(thread, found.inside)


def test_find_thread_opening_post():
    page = page_of(QUESTION, f"<div class=posts>{POSTS}</div>", url="https://forum.example/t/1")
    opening, posts = thread_in(page).groups
    assert page.attributes_of(opening.spans[0][0])["id"] == "question"
    assert [page.attributes_of(first)["id"] for first, _ in posts.spans] == ["p0", "p1", "p2"]


def test_find_thread_single_post():
    found = thread_in(bs.parse(f"<meta name=generator content=phpBB><title>T</title><div>{post(1)}</div>"))
    assert [len(group.spans) for group in found.groups] == [1]


@pytest.mark.parametrize(
    "page",
    [page_of(f"<p>{SENTENCES}</p>" * 5), page_of(f"<table class=topics>{SECTIONS}</table>"), bs.parse("")],
    ids=["article", "sections", "empty"],
)
def test_find_thread_none(page):
    assert thread_in(page) is None


def test_find_thread_products(shop):
    assert thread_in(shop) is None


def test_whole_keeps_prose_outside_and_the_text_of_all_posts():
    form = "<div>User name <input></div>"
    page = page_of(form, f"<p>{SENTENCES}</p>", f"<div class=posts>{POSTS}</div>", "<p>Sign in</p>")
    kept = thread_in(page).whole(np.ones(len(page.leaves), dtype=bool))
    assert texts_of(page, kept) == [SENTENCES, *TEXTS]


def test_whole_without_marks_is_the_text_of_the_posts(thread):
    found = thread_in(thread)
    assert found.whole(np.zeros(len(thread.leaves), dtype=bool)).tolist() == found.text.tolist()


def test_facts_of_comments_and_of_a_thread(thread):
    comments = page_of(ARTICLE, f"<section class=comments>{POSTS}</section>")
    found = [(thread_in(page), find_records(page)) for page in (comments, thread)]
    below, alone = (one.facts(early_type(records), records.prose > 0) for one, records in found)
    assert below.keys() == alone.keys()
    # The article is before the comments; before the thread there is a title.
    assert below["before"] > 0.5 > alone["before"]
    assert (below["comments"], alone["comments"]) == (1, 0)
    assert below["share"] < alone["share"]
    assert below["over_longest"] > 0.5 > alone["over_longest"] == 0
    for facts in (below, alone):
        assert (facts["author"], facts["date"], facts["dated"], facts["above"], facts["titles"]) == (1, 1, 1, 1, 0)
        assert facts["records"] == pytest.approx(np.log1p(3))


@pytest.mark.parametrize(
    ("titled", "addresses", "signed", "expected"),
    [(9, 10, [], True), (8, 10, [], False), (9, 9, [], True), (9, 8, [], False), (9, 10, [0], False)],
)
def test_sections_of_a_forum_are_nine_of_ten(titled, addresses, signed, expected):
    fields = [{"link": f"/{min(number, addresses - 1)}"} for number in range(10)]
    for number in range(titled):
        fields[number]["title"] = f"Section {number}"
    reading = SimpleNamespace(
        fields=fields,
        share=lambda name: sum(name in one for one in fields) / len(fields),
        leaves_of=lambda role: signed,
        aligned=SimpleNamespace(cells=[SimpleNamespace(leaves=[0, 1])] * 10),
        texts=[[1]] * 10,
    )
    assert _are_entries(reading) is expected
