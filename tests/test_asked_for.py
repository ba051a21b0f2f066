"""Results that are not asked for are not computed, and what several steps need is computed once a page."""

import gc
import weakref

import blocksight as bs
import pytest
from blocksight.classify.systems import as_system
from blocksight.classify.systems import blocksight as own_system
from blocksight.document import document as documents
from blocksight.page.arrays import cached_by_owner
from blocksight.page.metadata import page_metadata
from blocksight.page.visibility import hidden_leaves
from blocksight.records.candidates import RecordCandidates
from blocksight.records.fields import FieldReader
from blocksight.segment import record_groups

SENTENCE = "Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes, as all of us like it."
ARTICLE = (
    f"<title>Tea</title><h1>Tea</h1>{f'<p>{SENTENCE}</p>' * 6}<ul>{'<li><a href=/a>other</a> pages</li>' * 5}</ul>"
)
POSTS = "".join(
    f"<div class=post id=post-{n}><a class=author href=/user/{n}>reader {n}</a> <time>2024-03-0{n}</time>"
    f"<div class=text><p>{n}. {SENTENCE}</p></div></div>"
    for n in range(1, 7)
)
THREAD = f"<title>How do you make tea?</title><h1>How do you make tea?</h1><div class=thread>{POSTS}</div>"


def page(html: str, url: str = "https://example.org/forum/thread/tea-1") -> bs.Page:
    return bs.parse(html, url=url)


def test_plain_text_needs_no_metadata_verdict_records_or_reasons(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("computed without being asked for")

    later = ["_verdict", "_records"]
    monkeypatch.setattr(page_metadata, "read_raw_metadata", refuse)
    for module, names in ((own_system, ["reasons_against", "page_columns"]), (documents, later)):
        for name in names:
            monkeypatch.setattr(module, name, refuse)
    document = bs.extract(page(ARTICLE))
    assert SENTENCE in document.text
    for asked in ("metadata", "verdict", "records", "dropped", "confidence"):
        with pytest.raises(AssertionError, match="asked for"):
            getattr(document, asked)


def test_the_confidence_is_that_of_the_judgement_also_on_large_pages(monkeypatch):
    judgement = as_system("blocksight-dom").judge(page(ARTICLE))
    known = round(judgement.expected_f1, 4)
    assert bs.extract(page(ARTICLE)).confidence == known
    monkeypatch.setattr(own_system, "HELD_ROWS", 2)
    assert bs.extract(page(ARTICLE)).confidence == known


@pytest.mark.parametrize("html", [ARTICLE, THREAD])
def test_record_groups_are_found_once(monkeypatch, html):
    found, find = [], record_groups._GroupFinder.find

    def counted(finder, **given):
        found.append(finder)
        return find(finder, **given)

    monkeypatch.setattr(record_groups._GroupFinder, "find", counted)
    document = bs.extract(page(html))
    assert document.text
    assert document.records is not None
    assert document.page_type is not None
    assert len(found) == 1


INDEX = f"""<title>Tea</title><main>{
    "".join(
        f"<article class=card><h2>Tea number {n}</h2><p>{n}. {SENTENCE}</p><a href=/tea/{n}>more</a></article>"
        for n in range(5)
    )
}</main>"""


def test_readings_of_the_same_records_do_not_change_each_other():
    parsed = page(THREAD)
    candidates = RecordCandidates(page=parsed, shown=~hidden_leaves(parsed))
    group = max(candidates.groups, key=lambda one: len(one.spans))
    before = [cells.boilerplate for cells in candidates.aligned(group).cells]
    posts = FieldReader(candidates, posts=True).read(group)
    posts.aligned.cells[0].boilerplate = frozenset(posts.aligned.cells[0].leaves)
    assert [cells.boilerplate for cells in candidates.aligned(group).cells] == before


def test_reasons_of_a_large_page_do_not_keep_its_features(monkeypatch):
    small = bs.extract(page(ARTICLE)).dropped
    monkeypatch.setattr(own_system, "HELD_ROWS", 0)
    assert bs.extract(page(ARTICLE)).dropped == small


def test_parsed_page_is_its_own_page_without_geometry():
    parsed = page(ARTICLE)
    assert parsed.without_geometry() is parsed
    with_picture = parsed.replace(screenshot=b"png")
    assert with_picture.without_geometry().screenshot is None


def test_value_is_cached_as_long_as_its_owner():
    calls = []

    @cached_by_owner
    def count(owner: bs.Page) -> int:
        calls.append(1)
        return len(owner)

    parsed = page(ARTICLE)
    assert count(parsed) == count(parsed) == len(parsed)
    assert calls == [1]
    reference = weakref.ref(parsed)
    del parsed
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("tags", [["p"], ["section"], ["p", "h1"]])
def test_columns_of_tags_are_shared_and_read_only(tags):
    parsed = page(ARTICLE)
    marked = parsed.has_tag(*tags)
    number = marked.sum()
    with pytest.raises(ValueError, match="read-only"):
        marked[:] = ~marked
    own = marked.copy()
    own[:] = ~own
    assert parsed.has_tag(*tags).sum() == number


def test_page_with_only_noscript_text_counts_it():
    assert page("<noscript><p>Enable scripts to read this page.</p></noscript>").leaf_texts == (
        "Enable scripts to read this page.",
    )
    assert page(f"<p>{SENTENCE * 2}</p><noscript><p>Enable scripts.</p></noscript>").leaf_texts == (SENTENCE * 2,)
    assert page(f"<p>{SENTENCE}</p><noscript><img src=a.gif></noscript>").leaf_texts == (SENTENCE,)
