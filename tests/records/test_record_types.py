"""What groups of records are taken for, by facts given by hand."""

from itertools import pairwise
from types import SimpleNamespace

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.records.record_sets import (
    ClassifiedGroups,
    classify_groups,
    is_signed_thread,
    page_records,
    record_type,
)
from blocksight.records import record_sets, threads
from blocksight.records.fields import Reading
from blocksight.records.group_features import SET_COLUMNS, GroupMeasures
from blocksight.records.page_type import PAGE_TYPES, PageType
from blocksight.records.threads import Thread, layout_of_posts, thread_of
from blocksight.segment.record_groups import RecordGroup

from .conftest import NAMES, SENTENCES, TEXTS, post


def evidence_with(*facts):
    """Groups of which these facts are known; all others are 0."""
    page = bs.parse("<p>x</p>")
    groups = [RecordGroup(node=0, spans=((1, 2),), tag="div", names=frozenset()) for _ in facts]
    found = GroupMeasures(page=page, shown=np.ones(len(page.leaves), dtype=bool), groups=groups)
    rows = [[one.get(name, 0.0) for name in SET_COLUMNS] for one in facts]
    found.__dict__["matrix"] = np.asarray(rows, dtype=np.float64).reshape(-1, len(SET_COLUMNS))
    return found


def page_type(name="article", **every):
    return PageType(name=name, probability=1.0, every=dict.fromkeys(PAGE_TYPES, 0.0) | every)


def judged_of(*facts, likely=0.9, main=0, name="article", **every):
    return ClassifiedGroups(
        measures=evidence_with(*facts), likely=np.full(len(facts), likely), page_type=page_type(name, **every),
        main=main,
    )  # fmt: skip


# -- navigation and furniture ------------------------------------------------------------------------------------------

SHORT, LONG = np.log1p(89.0), np.log1p(91.0)


@pytest.mark.parametrize(
    ("facts", "away"),
    [
        # Links without more.
        ({"linked": 0.7, "characters": SHORT}, True),
        ({"linked": 0.69, "characters": SHORT}, False),
        ({"linked": 0.7, "characters": LONG}, False),
        ({"linked": 0.7, "characters": SHORT, "prose": 0.1}, False),
        ({"linked": 0.7, "characters": SHORT, "headings": 0.5}, False),
        ({"linked": 0.7, "characters": SHORT, "headings": 0.49}, True),
        ({"linked": 0.7, "characters": SHORT, "pictures": 0.1}, False),
        ({"linked": 0.7, "characters": SHORT, "pictures": 0.1, "own_pager": 1}, True),
        ({"linked": 0.7, "characters": SHORT, "pictures": 0.1, "around_nav": 1}, True),
        # In a frame for them.
        ({"in_nav": 1, "characters": SHORT}, True),
        ({"in_header": 1, "characters": SHORT}, True),
        ({"in_footer": 1, "characters": SHORT}, True),
        ({"in_main": 1, "characters": SHORT}, False),
        ({"in_nav": 1, "characters": LONG}, False),
        ({"in_nav": 1, "characters": LONG, "linked": 0.7}, True),
        ({"own_pager": 1, "characters": SHORT}, False),
    ],
)
def test_what_leads_away(facts, away):
    assert record_sets._leads_away(evidence_with({}, facts), 1) is away


def test_entries_of_just_ninety_characters_are_not_short():
    assert record_sets._leads_away(evidence_with({"in_nav": 1, "characters": np.log1p(89.999)}), 0)
    assert not record_sets._leads_away(evidence_with({"in_nav": 1, "characters": np.log1p(90.001)}), 0)


@pytest.mark.parametrize(
    ("facts", "likely", "boilerplate"),
    [
        ({"characters": np.log1p(39.9)}, 0.24, True),
        ({"characters": np.log1p(40.1)}, 0.24, False),
        ({"characters": np.log1p(39.9)}, 0.25, False),
        *(({"characters": 0.0, name: 0.1}, 0.1, False) for name in ("prose", "pictures", "dates", "prices")),
    ],
)
def test_what_says_hardly_anything(facts, likely, boilerplate):
    classified = judged_of({}, facts, likely=likely)
    assert record_sets._is_boilerplate(classified, 1) is boilerplate
    assert not record_sets._is_boilerplate(judged_of(facts, likely=likely), 0)  # the page's matter
    classified.measures.groups[1] = RecordGroup(node=0, spans=((1, 2),), tag="tr", names=frozenset())
    assert not record_sets._is_boilerplate(classified, 1)


@pytest.mark.parametrize(
    ("facts", "matter"),
    [
        ({"share": 0.3}, True),
        ({"free_share": 0.3}, True),
        ({"share": 0.29, "free_share": 0.29}, False),
        ({"share": 0.9, "own_comment": 1}, False),
        ({"share": 0.9, "around_comment": 1}, False),
    ],
)
def test_a_group_is_matter_by_its_share(facts, matter):
    assert record_sets._is_matter(evidence_with(facts), 0) is matter


@pytest.mark.parametrize(("listing", "collection", "is_list"), [(0.4, 0, True), (0.1, 0.3, True), (0.2, 0.19, False)])
def test_a_list_is_a_listing_or_a_collection(listing, collection, is_list):
    assert record_sets._is_list(page_type(listing=listing, collection=collection)) is is_list


def test_of_a_list_the_most_entries_are_its_matter():
    few = {"records": 2, "share": 0.25, "even": 0.5}  # 2 * 0.5 * 1 * 1 = 1
    many = {"records": 3, "share": 0.16, "even": 0.5}  # 3 * 0.4 = 1.2
    priced = {"records": 2, "share": 0.25, "even": 0.5, "prices": 0.3}  # 1.3
    pictured = {"records": 2, "share": 0.25, "even": 0.5, "prices": 0.2, "pictures": 0.2}  # 1.4
    even = {"records": 2, "share": 0.25, "even": 1.0}  # 1.5
    order = [few, many, priced, pictured, even]
    listing = page_type("listing", listing=0.9)
    for first, second in pairwise(order):
        for pair, best in (((first, second), 1), ((second, first), 0)):
            assert record_sets._best(evidence_with(*pair), np.zeros(2), listing) == best
    # A menu is no entry; without an entry, or no list, what is likely and long is it.
    menu = {"linked": 1, "records": 9, "share": 1, "free_share": 1}
    assert record_sets._best(evidence_with(menu, few), np.asarray([0.9, 0.1]), listing) == 1
    assert record_sets._best(evidence_with(menu, menu), np.asarray([0.1, 0.9]), listing) == 1
    assert record_sets._best(evidence_with(few, many), np.asarray([0.9, 0.1]), page_type()) == 0


# -- sorts -----------------------------------------------------------------------------------------------------------


def reading_of(*fields):
    return Reading(group=None, aligned=None, body=0, columns={}, fields=list(fields), texts=[])


SIGNED = {"author": "Ada", "date": "1 May 2024", "text": "x" * 21}


def sort(fields, facts=None, **how):
    return record_type(judged_of(facts or {}, **how), 0, reading_of(*fields))


def test_half_of_the_records_with_a_price_are_products():
    assert sort([{"price": "$1"}, {}]) == "product"
    assert sort([{"price": "$1"}, {}, {}]) == "card"
    assert sort([SIGNED | {"price": "$1"}] * 2, thread=0.9) == "product"


@pytest.mark.parametrize(("size", "kind"), [(21, "post"), (20, "card")])
def test_posts_say_something(size, kind):
    assert sort([{"text": "x" * size}] * 2, thread=0.7) == kind
    assert sort([{"text": "x" * size * 2}, {}], thread=0.7) == kind
    assert sort([SIGNED | {"text": "x" * size}] * 2, thread=0.1) == kind


@pytest.mark.parametrize(
    ("fields", "thread", "kind"),
    [
        ({}, 0.7, "post"),
        ({}, 0.69, "card"),
        ({"date": "1 May 2024"}, 0.3, "post"),
        ({"date": "1 May 2024"}, 0.29, "card"),
    ],
)
def test_records_of_a_thread_are_posts(fields, thread, kind):
    assert sort([fields | {"text": "x" * 21}, {"text": "y" * 21}], thread=thread) == kind


def linked(*links, **more):
    return [SIGNED | {"link": link} | more for link in links]


def test_signed_records_are_posts_unless_they_lead_elsewhere():
    assert sort([SIGNED, SIGNED]) == "post"
    # Shares of 1 and 0.5 are enough; where most have a link they are cards.
    half = [SIGNED | {"link": "/a"}, {name: SIGNED[name] for name in ("author", "text")} | {"link": "/a"}]
    assert sort(half) == "post"
    less = [*half, *half[1:] * 2]
    assert sort(less) == "card"
    assert sort(linked("/a", "/b", "/c")) == "card"
    assert sort(linked("/a", "/a#1", "/a#2")) == "post"
    assert sort(linked("/a", "/a", "/b", "/b")) == "post"
    assert sort(linked("/a", "/a", "/b", "/c")) == "card"
    assert sort(linked("/a", "/b", "/c"), thread=0.29, likely=0.79) == "card"
    # As likely as that the page's matter, they are posts of what is hardly a thread.
    assert sort(linked("/a", "/b", "/c"), thread=0.1, likely=0.8) == "post"


@pytest.mark.parametrize(
    ("likely", "thread", "fields", "signed"),
    [
        (0.8, 0.1, [SIGNED], True),
        (0.79, 0.1, [SIGNED], False),
        (0.8, 0.09, [SIGNED], False),
        (0.8, 0.1, [SIGNED, {"author": "Ada"}], True),
        (0.8, 0.1, [SIGNED, {}, {"author": "Ada"}], False),
    ],
)
def test_a_signed_thread(likely, thread, fields, signed):
    assert is_signed_thread(judged_of({}, likely=likely, thread=thread), reading_of(*fields)) is signed


def set_type(fields, **facts):
    """What a group is that is not the page's matter."""
    return record_type(judged_of({}, facts), 1, reading_of(*fields))


def test_what_is_said_below_something_else_is_a_comment():
    named = [{"author": "Ada", "text": "x" * 21}]
    assert set_type(named) == "comment"
    assert set_type([{"author": "Ada", "text": "x" * 20}]) == "card"
    assert set_type([*named, {"text": "x" * 21}]) == "card"
    assert set_type([*named, {"text": "x" * 21}], own_comment=1) == "comment"
    assert set_type([{"text": "x" * 21}], own_comment=1) == "card"
    assert set_type([named[0] | {"link": "/a"}, named[0]]) == "card"
    assert set_type([named[0] | {"link": "/a"}, *named * 2]) == "comment"
    assert set_type([named[0] | {"link": "/a"}], around_comment=1) == "comment"
    assert set_type([named[0] | {"image": "/a"}]) == "card"
    assert set_type([named[0] | {"image": "/a"}, named[0]]) == "comment"
    # Of its own, it is what the page is about.
    assert sort([{"author": "Ada", "text": "x" * 21}]) == "post"


# -- whole pages -----------------------------------------------------------------------------------------------------


def test_entries_of_a_menu_say_what_they_lead_to():
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


@pytest.mark.parametrize(
    ("thread_likely", "likely", "main"),
    [(0.29, 0.5, True), (0.29, 0.49, False), (0.3, 0.12, True), (0.3, 0.11, False)],
)
def test_how_likely_the_matter_of_a_page_must_be(model, thread, thread_likely, likely, main):
    classified = classify_groups(thread, model(likely, "thread", thread=thread_likely))
    # Where the three posts are too unlikely, an opening post of its own may take their place.
    posts = classified.main >= 0 and len(classified.measures.groups[classified.main].spans) == 3
    assert posts == main


@pytest.mark.parametrize(("listing", "main"), [(0.4, True), (0.39, False)])
def test_of_a_list_the_entries_are_the_matter_however_likely(model, shop, listing, main):
    classified = classify_groups(shop, model(0.01, "collection", listing=listing))
    assert (classified.main >= 0) == main


def starts(classified):
    """The rows in which the groups begin."""
    return [group.spans[0][0] for group in classified.measures.groups]


@pytest.mark.parametrize(("name", "paragraphs", "main"), [("article", 9, -1), ("article", 0, 0), ("listing", 9, 0)])
def test_what_is_no_matter_of_an_article_may_be_that_of_a_list(model, name, paragraphs, main):
    entries = "".join(f"<li class=e><p>{text}</p></li>" for text in TEXTS)
    page = bs.parse(f"<title>T</title><ul>{entries}</ul><article>{f'<p>{SENTENCES}</p>' * paragraphs}</article>")
    assert classify_groups(page, model(0.9, name)).main == main


def test_the_opening_post_comes_before_the_others(model):
    asked = (
        f"<div class='question js-question' id=question><a href=/users/9>Delfina</a><time>1 May 2024</time>"
        f"<section><p>{SENTENCES}</p></section></div>"
    )
    page = bs.parse(f"<title>T</title><main>{asked}<div class=posts>{post(0)}{post(1)}{post(2)}</div></main>")
    classified = classify_groups(page, model(0.9, "thread", thread=0.9))
    first, others = classified.posts
    assert classified.main == 0
    assert page.attributes_of(first.spans[0][0])["id"] == "question"
    assert [page.attributes_of(row)["id"] for row, _ in others.spans] == ["p0", "p1", "p2"]
    # On a page that is no thread, no question is looked for.
    assert len(classify_groups(page, model(0.9, "thread", thread=0.29)).posts) == 1


def test_one_post_takes_the_place_of_all_records_in_it(model):
    long = post(0, f"<blockquote>{SENTENCES} {SENTENCES}</blockquote><ul><li>one of it</li><li>two of it</li></ul>")
    cards = "".join(f"<section class=card><h3>{name}</h3><a href=/{name}>more</a></section>" for name in NAMES)
    for others in (cards, f"{post(1)}{post(2)}"):
        page = bs.parse(f"<title>T</title><main>{long}{others}</main>")
        classified = classify_groups(page, model(0.01, "thread", thread=0.9))
        (group,) = classified.posts
        first, end = group.spans[0]
        assert page.attributes_of(first)["id"] == "p0"
        assert classified.opening is None
        assert classified.main == len(classified.measures.groups) - 1
        # What begins right behind it stays; what begins with it, or in it, is its own.
        assert [row for row in starts(classified)[:-1] if first <= row < end] == []
        assert (end in starts(classified)) == (others == cards)


@pytest.fixture
def model():
    """A model that gives all groups one probability, and the page these types."""

    def made(likely, name, **every):
        return SimpleNamespace(
            content=lambda measures: np.full(len(measures.groups), likely),
            page_type=lambda measures, _: page_type(name, **every),
        )

    return made


# -- threads ---------------------------------------------------------------------------------------------------------


def test_posts_are_kept_as_a_whole_from_a_fifth_of_their_text_on():
    text, prose = np.asarray([True, True, False, False]), np.asarray([True, True, True, True])
    found = Thread(
        inside=np.asarray([True, True, True, False]), text=text, roles={}, prose=prose, likely=1.0,
        characters=np.asarray([20.0, 80.0, 500.0, 500.0]),
    )  # fmt: skip
    # 20 of 100 characters: all of the text, nothing else of the posts, and what is outside as it was.
    assert found.whole(np.asarray([True, False, True, True])).tolist() == [True, True, False, True]
    assert found.whole(np.asarray([True, False, False, False])).tolist() == [True, True, False, False]
    less = Thread(
        inside=text, text=text, roles={}, prose=prose, likely=1.0, characters=np.asarray([19.0, 81.0, 500.0, 500.0])
    )
    assert less.whole(np.asarray([True, False, True, False])).tolist() == [True, False, True, False]


def test_outside_of_the_posts_of_a_thread_only_prose_is_content():
    text = np.asarray([False, False, False, False, False, True, False])
    prose = np.asarray([False, True, False, True, False, False, False])
    found = Thread(
        inside=text, text=text, roles={}, prose=prose, likely=1.0, characters=np.full(len(text), 10.0), proved=True
    )
    # An opening post of two paragraphs with a heading between; labels above, below, and behind the posts.
    assert found.whole(np.ones(len(text), dtype=bool)).tolist() == [False, True, True, True, False, True, False]
    assert found.whole(np.zeros(len(text), dtype=bool)).tolist() == text.tolist()


@pytest.mark.parametrize(
    ("likely", "thread_likely", "posts"),
    [(0.4, 0.3, True), (0.39, 0.3, False), (0.4, 0.29, False), (0.8, 0.29, True), (0.8, 0.1, True), (0.8, 0.09, False)],
)
def test_how_likely_a_thread_must_be(monkeypatch, thread, likely, thread_likely, posts):
    known = classify_groups(thread)
    asked = ClassifiedGroups(
        measures=known.measures, likely=np.full_like(known.likely, likely), main=known.main,
        page_type=page_type("thread", thread=thread_likely),
    )  # fmt: skip
    monkeypatch.setattr(threads, "classify_groups", lambda page: asked)
    assert (thread_of(thread) is not None) is posts


def test_a_page_without_records_that_matter_is_no_thread(monkeypatch, thread):
    known = classify_groups(thread)
    none = ClassifiedGroups(measures=known.measures, likely=known.likely, main=-1, page_type=known.page_type)
    monkeypatch.setattr(threads, "classify_groups", lambda page: none)
    assert thread_of(thread) is None
    assert layout_of_posts(none) is None


def test_the_content_of_posts(thread):
    found, texts = thread_of(thread), np.asarray(thread.leaf_texts)
    inside = texts[found.inside].tolist()
    assert inside[0] == "Arvo"
    assert inside[-1].strip() in ("Share", "")
    assert "Loud kettle" not in inside
    assert set(texts[found.text].tolist()) == set(TEXTS)


def starts_of(classified, marks):
    layout = layout_of_posts(classified)
    assert layout is not None
    return layout.starts(marks)


def test_posts_begin_with_their_first_content(thread):
    texts = np.asarray(thread.leaf_texts)
    assert texts[starts_of(classify_groups(thread), np.isin(texts, TEXTS))].tolist() == [TEXTS[0], TEXTS[0], TEXTS[2]]
    # A post of which nothing is content begins nowhere.
    assert texts[starts_of(classify_groups(thread), np.isin(texts, TEXTS[1:]))].tolist() == [TEXTS[1], TEXTS[2]]
    everything = np.ones(len(texts), dtype=bool)
    assert texts[starts_of(classify_groups(thread), everything)].tolist() == ["Arvo", "Bruna", "Cemal"]
    assert starts_of(classify_groups(thread), ~everything) == []


def test_products_are_no_posts(shop):
    assert layout_of_posts(classify_groups(shop)) is None


def signed_by_name():
    """A thread without a menu whose posts name their author and no date, and end with a word of their own."""
    posts = "".join(
        f"<div class=post><a class=username href=/members/{n}>{name}</a><div class=post-content><p>{text}</p></div>"
        f"<b>end</b> of {n}</div>"
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )
    return bs.parse(
        f"<title>Loud kettle</title><main>{posts}</main>", url="https://forum.example/threads/loud-kettle.12/"
    )


def test_the_first_group_of_a_page_may_be_its_posts(monkeypatch, model):
    page = signed_by_name()
    asked = classify_groups(page, model(0.9, "thread", thread=0.9))
    assert asked.main == 0
    monkeypatch.setattr(threads, "classify_groups", lambda page: asked)
    found, texts = thread_of(page), np.asarray(page.leaf_texts)
    assert found is not None
    # They reach to their last text.
    assert found.inside.all()
    last = np.char.startswith(texts, " of ")
    assert texts[starts_of(asked, last)].tolist() == [" of 0", " of 1", " of 2"]
