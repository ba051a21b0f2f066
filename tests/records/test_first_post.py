"""The post that a thread opens with, where nothing else on the page is built like it."""

import blocksight as bs
import numpy as np
from blocksight.document.records.record_sets import classify_groups, first_author, page_records
from blocksight.records import record_sets
from blocksight.records.group_features import measure_groups
from blocksight.records.single_records import opening_post
from blocksight.records.threads import layout_of_posts, thread_of

from .conftest import MENU, NAMES, SENTENCES, TEXTS, post


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


def test_a_thread_of_one_post_has_a_record():
    main = page_records(alone()).main
    assert (main.record_type, len(main)) == ("post", 1)
    assert main.records[0].fields["author"] == NAMES[1]
    assert main.records[0].fields["text"] == TEXTS[1]


def test_the_opening_post_is_kept_as_a_whole_and_has_its_rule():
    page = answered()
    chosen = [text.strip() in TEXTS for text in page.leaf_texts]
    kept = thread_of(page).whole(np.asarray(chosen))
    texts = [text.strip() for text, keep in zip(page.leaf_texts, kept, strict=True) if keep]
    assert texts == [SENTENCES, *TEXTS]
    layout = layout_of_posts(classify_groups(page))
    assert layout is not None
    assert len(layout.starts(kept)) == 4


def test_what_is_called_a_post_and_says_neither_who_nor_when_is_none():
    page = bs.parse(f"<title>A</title><div class=post><p>{SENTENCES}</p></div>")
    assert opening_post(measure_groups(page)) is None


def test_what_lies_around_the_post_is_not_taken():
    page = bs.parse(f"<title>A</title><div class=thread><div class=message>{post(0)}</div></div>")
    found = opening_post(measure_groups(page))
    assert found is not None
    assert page.attributes_of(found.spans[0][0])["id"] == "p0"


def test_metadata_read_the_fields_of_the_main_records_of_a_thread_alone(monkeypatch):
    def fail(*_):
        raise AssertionError("fields of records are slow to read")

    monkeypatch.setattr(record_sets, "records_of", fail)
    assert first_author(classify_groups(answered())) == "Delfina"
    assert bs.extract(answered()).metadata.authors == ("Delfina",)
    monkeypatch.setattr(record_sets, "_set_of", fail)
    article = bs.parse(f"<title>Kettles</title>{MENU}<main><h1>Kettles</h1><p>{SENTENCES}</p><p>{TEXTS[0]}</p></main>")
    assert bs.extract(article).metadata.authors == ()
