"""The records after the choice of the content: which are the main ones, what they are, and the type of the page."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.records.record_sets import page_records, records_of
from blocksight.records.candidates import find_records
from blocksight.records.decided_records import decide_records, first_author
from blocksight.records.page_type import early_type
from blocksight.records.threads import find_thread

from .conftest import MENU, NAMES, SENTENCES, TEXTS, post

COMMENTS = "".join(
    f"<li class=comment><b class=author>{name}</b> <time>{n + 1} May 2024</time><p>{text}</p></li>"
    for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
)
ARTICLE = f"<article><h1>Tea</h1>{f'<p>{SENTENCES}</p>' * 5}</article>"
ENTRIES = "".join(
    f"<li class=entry><h2><a href=/story/{n}>The story of kettle number {n}</a></h2><p>{TEXTS[n % 3]}</p></li>"
    for n in range(6)
)


def page_of(*parts):
    return bs.parse(f"<title>Tea</title>{MENU}<main>{''.join(parts)}</main>", url="https://tea.example/")


def decided_on(page, *texts):
    """Decide on the records if the leaves that start with one of the texts are the content."""
    return decide_records(find_records(page), np.asarray([leaf.startswith(texts) for leaf in page.leaf_texts]))


def types_of(decided):
    return {one.record_type for one in records_of(decided).sets}


def test_decide_records_article_with_comments():
    page = page_of(ARTICLE, f"<ol class=comments>{COMMENTS}</ol>")
    decided = decided_on(page, SENTENCES)
    assert (decided.main, decided.is_index, first_author(decided)) == (-1, False, "")
    found = records_of(decided)
    assert found.main is None
    assert [record.fields["author"] for record in found.comments] == list(NAMES)
    # Who wrote a comment did not write the article.
    rows = np.flatnonzero(page.has_tag("b"))
    assert decided.cards[rows].all()
    assert not decided.cards[np.flatnonzero(page.has_tag("article"))].any()


def test_decide_records_index():
    page = page_of(f"<ul>{ENTRIES}</ul>")
    decided = decided_on(page, "The story", *TEXTS)
    assert decided.is_index
    assert decided.page_type.name in ("listing", "collection", "home")
    assert decided.cards[np.flatnonzero(page.has_tag("h2"))].all()
    main = records_of(decided).main
    assert (main.record_type, len(main)) == ("card", 6)
    # Only the titles are content, but nothing else is.
    assert decided_on(page, "The story").is_index


def test_decide_records_without_content():
    decided = decided_on(page_of(f"<ul>{ENTRIES}</ul>"), "nothing")
    assert (decided.main, decided.main_group, decided.is_index) == (-1, None, False)
    assert decided.page_type.name not in ("listing", "collection")


def test_decide_records_shop(shop):
    decided = decided_on(shop, "Kettle", "$", "0.", "1.", "2.", "3.", "4.")
    assert decided.is_index
    assert records_of(decided).main.record_type == "product"


def test_decide_records_single_product():
    card = "<div class=card><img src=/a.jpg alt=''><h2>Oak lamp</h2><p>$49.00</p><button>Add</button></div>"
    decided = decided_on(page_of(card), "Oak", "$49")
    assert [len(group.spans) for group in [decided.main_group]] == [1]
    assert not decided.is_index
    # Its name is the title of the page, and no card's.
    assert not decided.cards[decided.main_group.spans[0][0]]


def test_decide_records_thread(thread):
    records = find_records(thread)
    posts = find_thread(records, early_type(records))
    decided = decide_records(records, posts.text, posts)
    assert (decided.posts, decided.is_index, decided.page_type.name) == (True, False, "thread")
    assert first_author(decided) == NAMES[0]
    assert records_of(decided).main.record_type == "post"
    assert not decided.cards[decided.main_group.spans[0][0]]


def test_decide_records_opening_post():
    question = (
        "<div class=question id=question><a href=/users/9>Delfina</a><time>1 May 2024</time>"
        f"<section><p>{SENTENCES}</p></section></div>"
    )
    page = page_of(question, f"<div class=posts>{''.join(map(post, range(3)))}</div>")
    records = find_records(page)
    posts = find_thread(records, early_type(records))
    decided = decide_records(records, posts.text, posts)
    assert first_author(decided) == "Delfina"
    assert [record.fields["author"] for record in records_of(decided).main.records] == ["Delfina", *NAMES]


def test_decide_records_sections_of_a_forum():
    topics = "".join(
        f"<tr class=topic><td><a href=/topic/{n}>All about the kettle number {n}, and how it came to sing</a></td>"
        f"<td>last post by <a href=/members/{n}>{NAMES[n % 3]}</a> <time>{n + 1} May 2024</time></td></tr>"
        for n in range(6)
    )
    page = page_of(f"<table class=topics>{topics}</table>")
    decided = decided_on(page, "All about")
    assert not decided.posts
    assert first_author(decided) == ""
    assert "post" not in types_of(decided)
    # Who wrote last in a topic is no author of the page.
    assert bs.extract(page).metadata.authors == ()


@pytest.mark.parametrize(
    "part",
    [
        f"<ol>{''.join(f'<li><p>{text}</p></li>' for text in TEXTS)}</ol>",
        "".join(f"<section><h2>Part {n}</h2><p>{text}</p></section>" for n, text in enumerate(TEXTS)),
    ],
    ids=["steps", "sections"],
)
def test_decide_records_parts_of_one_text(part):
    page = page_of(f"<h1>Chai</h1><p>{SENTENCES}</p>{part}")
    assert decided_on(page, *TEXTS, "Part").main == -1


def test_record_sets_of_a_menu():
    page = bs.parse(
        "<nav><ul><li><a href=/a>One <b>two</b></a></li><li><i></i><a name=x></a><a href=/b>Three</a></li></ul></nav>",
        url="http://x/",
    )
    (found,) = (one for one in page_records(page).sets if one.kind == "navigation")
    assert [record.fields for record in found.records] == [
        {"title": "One two", "link": "http://x/a"}, {"title": "Three", "link": "http://x/b"},
    ]  # fmt: skip
    assert [record.leaves for record in found.records] == [(0, 1), (2,)]
    assert (found.record_type, found.direction, found.selector) == ("link", "", ())
