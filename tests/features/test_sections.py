"""Labels, the sections below them, and forums, on pages worked out by hand."""

import math

import blocksight as bs
import numpy as np
import pytest
from blocksight.features.rows import rows_of
from blocksight.features.sections import FAMILIES, GROUP, section_columns


def features(html, url="https://example.org/page"):
    page = bs.parse(html, url=url)
    return section_columns(rows_of(page, bs.text_blocks(page)))


LONG = "a rather long sentence that serves as a paragraph of some text " * 2


def test_a_section_ends_with_the_element_that_holds_it():
    found = features(
        f"<article><p>{LONG}</p></article>"
        f"<div><h3>Comments (2)</h3><div><p>{LONG}</p><p>{LONG}</p></div></div>"
        f"<p>{LONG}</p>"
    )
    assert found["says_comment"].tolist() == [0, 1, 0, 0, 0]
    assert found["below_comment"].tolist() == [0, 0, 1, 1, 0]
    assert found["below_any"].tolist() == [0, 0, 1, 1, 0]
    assert found["below_related"].tolist() == [0, 0, 0, 0, 0]
    # 24 words a paragraph; the label ends where the third block begins.
    assert found["since_label_log"].tolist() == pytest.approx([0, 0, 0, math.log(25), math.log(49)])


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("6 comments", "comment"), ("Leave a reply", "comment"), ("网友评论", "comment"), ("Kommentare", "comment"),
        ("You may also like", "related"), ("Das könnte Sie auch interessieren", "related"), ("相关新闻", "related"),
        ("Читайте также", "related"), ("Share this", "share"), ("Subscribe", "letter"), ("About the author", "author"),
        ("Filed under: tea", "tags"), ("ADVERTISEMENT", "advert"), ("Реклама", "advert"), ("Log in", "access"),
    ],
)  # fmt: skip
def test_labels_in_some_languages(text, family):
    found = features(f"<p>{text}</p><p>{LONG}</p>")
    assert [name for name in FAMILIES if found[f"says_{name}"][0]] == [family]
    assert not any(found[f"says_{name}"][1] for name in FAMILIES)


def test_a_sentence_that_begins_like_a_label_is_none():
    found = features("<p>Comments on the plan were heard until late in the evening.</p>")
    assert found["says_comment"].tolist() == [0]


def test_forum_has_three_indicators():
    posts = "".join(f"<div class=postbody><p>{LONG}</p></div><div>Reply</div>" for _ in range(3))
    found = features(posts, url="https://example.org/forum/viewtopic.php?t=7")
    assert found["forum"].tolist() == [1.0] * 6
    assert found["forum_posts_log"].tolist() == pytest.approx([math.log(4)] * 6)
    assert found["forum_in_names"].tolist() == [1, 0, 1, 0, 1, 0]
    assert found["forum_long"].tolist() == [1, 0, 1, 0, 1, 0]
    elsewhere = features(posts)
    assert elsewhere["forum"].tolist() == pytest.approx([2 / 3] * 6)
    assert features(f"<p>{LONG}</p>")["forum"].tolist() == [0]


def test_every_column_is_there_also_without_blocks():
    for html in ("<p>", f"<p>{LONG}</p>"):
        found = features(html)
        assert set(found) == set(GROUP.names)
        assert all(column.dtype == np.float64 for column in found.values())
