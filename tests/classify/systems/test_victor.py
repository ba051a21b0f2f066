"""Victor by hand: features, labels from marks, and markup from labels."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.classify.systems.victor.features import SETTINGS, blocks, content, features
from blocksight.classify.systems.victor.victor import Label, Victor, gold_labels
from blocksight.render.errors import ModelMismatch

PAGE = "<body><div>a <b>b</b></div><p>Hello<b>world</b>!<br><br>More.</p><ul><li>one</li><li>one</li></ul></body>"


def texts(page):
    return list(page.leaf_texts)


def test_blocks_are_split_at_every_tag():
    page = bs.parse("<p>Hello<b>world</b>!</p>")
    assert texts(page) == ["Hello", "world", "!"]
    assert len(list(blocks(page))) == 3


def test_containers_and_tags_between():
    found = list(blocks(bs.parse(PAGE)))
    by_text = dict(zip(texts(bs.parse(PAGE)), found, strict=True))
    assert by_text["world"]["container.p"] == by_text["world"]["container.class-bold"] == 1
    assert by_text["Hello"]["container.class-bold"] == 0
    # </b></div><p> stand between "b" and "Hello": one inline tag, two of blocks, one of them of a paragraph.
    hello = by_text["Hello"]
    assert (hello["split.class-inline"], hello["split.class-block"], hello["split.p"]) == (1, 2, 1)
    assert by_text["More."]["split.br"] == 2
    assert by_text["one"]["container.class-list"] == 1


def test_duplicates_and_position():
    found = list(blocks(bs.parse(PAGE)))
    assert [block["first-duplicate"] for block in found] == [0, 0, 0, 0, 0, 0, 1, 0]
    assert [block["duplicate-count"] for block in found] == [1, 1, 1, 1, 1, 1, 2, 2]
    assert [block["position"] for block in found] == [0, 1, 2, 3, 5, 6, 7, 8]


def test_groups_by_the_nearest_div():
    # The example of the lecture slides: (a, d, g), (b, c) and (e, f) belong together; the words are 1 to 7 of 28.
    amounts = {letter: " ".join([letter] * n) for n, letter in enumerate("abcdefg", 1)}
    html = "<div> {a} <div> {b} <i>{c}</i> </div> {d} <div> {e} <i>{f}</i> </div> {g} </div>".format(**amounts)
    ratios = [block["div-group.word-ratio"] for block in blocks(bs.parse(html))]
    # 12, 5, 5, 12, 11, 11 and 12 of 28, by tenths.
    assert ratios == [4, 1, 1, 4, 3, 3, 4]


def test_content_by_hand():
    found = content("On 21.11.2026 at 9:30 the 3rd boat left. It sank!")
    assert (found["sentence.count"], found["sentence.begin"], found["sentence.end"]) == (2, 1, 1)
    assert (found["regexp.date"], found["regexp.time"], found["regexp.url"]) == (2, 3, 0)
    # On, at, the, boat, left, It, sank are words: seven, the bucket 4-7; 3rd is mixed; the date and the time others.
    assert (found["token.alpha-abs"], found["token.mix-abs"], found["token.other-abs"]) == (3, 1, 2)
    assert found["token.alpha-rel"] == 7
    assert [content(text)["bullet"] for text in ("1. a", "2) a", "a) b", "(x) b", "- a", "• a", "» a", "a")] == [
        *range(1, 8), 0,
    ]  # fmt: skip


def test_neighbours_and_the_document():
    rows = features(bs.parse("<p>1</p><p>b</p><p>c</p><p>d</p><p>e</p>"), "all")
    assert "0:token.num-abs=1" in rows[0]
    assert "-3:token.num-abs=1" in rows[3]
    assert not any(name.startswith("-") for name in rows[0])
    assert not any("token.num-abs=1" in name for name in rows[4])
    assert all("document.block-count=3" in row for row in rows)


def test_the_settings_leave_out_what_they_say():
    page = bs.parse(PAGE)
    names = {setting: {name.split("=")[0].split(":")[-1] for row in features(page, setting) for name in row}
             for setting in SETTINGS}  # fmt: skip
    assert names["all"] - names["without-counts"] == SETTINGS["without-counts"]
    assert names["without-counts"] - names["without-url"] == {"regexp.url", "document.word-count"}
    with pytest.raises(ValueError, match="setting must be one of all"):
        Victor(setting="some")


def test_labels_from_marks():
    page = bs.parse("<h1>T</h1><p>a <b>b</b> c</p><ul><li>d</ul><p>menu</p><p>e</p>")
    marks = np.asarray([True, True, True, True, True, False, True])
    assert gold_labels(page, marks) == ["h", "p", "continuation", "continuation", "l", "other", "p"]


def test_segments_carry_markup(made, monkeypatch):
    page = bs.parse("<h1>T</h1><p>a <b>b</b> c</p><ul><li>d</ul><p>menu</p><p>e</p>")
    labels = [Label(name) for name in ("h", "p", "continuation", "continuation", "l", "other", "continuation")]
    monkeypatch.setattr(Victor, "labels", lambda self, page: labels)
    assert list(map(str, Victor().segments(page))) == ["<h>T", "<p>a b c", "<l>d", "<p>e"]
    assert Victor().mark(page).tolist() == [True] * 5 + [False, True]


def test_headings_and_lists_are_learned(made):
    fitted = Victor().learn(made(30))
    gold = made(1, seed=9)[0].gold.split("\n")
    page = bs.parse(f"<div class=main><h1>{gold[0][:20]}</h1>{''.join(f'<p>{text}</p>' for text in gold)}</div>")
    assert [segment.label for segment in fitted.segments(page)][-len(gold) :] == [Label.PARAGRAPH] * len(gold)


def test_a_damaged_field_is_refused(made):
    field = Victor().learn(made(5)).model.array("field")
    for broken in (field[:-1], field[1:], np.zeros(0, dtype=np.uint8)):
        model = Learned(system="victor", arrays={"field": broken}, settings={"setting": "without-url"})
        with pytest.raises(ModelMismatch, match="no whole random field"):
            Victor(model=model).mark(bs.parse("<p>a"))


def test_hidden_text_is_no_block():
    page = bs.parse("<p>seen text of some length</p><p hidden>not</p><p>seen</p>")
    assert len(features(page, "all")) == 2
