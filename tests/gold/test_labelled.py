"""What people labelled in the inspector, read as a corpus."""

import json

import blocksight as bs
import pytest
from blocksight.errors import CorpusUnreadable
from blocksight.gold.annotations import LabelsUnreadable, leaf_digest
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import label_leaves, label_rows, page_rows
from blocksight.gold.rendered import missing_pages, read_page
from blocksight.gold.role_votes import label_roles
from blocksight.gold.split import corpora_in, training_pages
from blocksight.page.role_names import ROLES

PAGE = bs.parse(
    "<title>Tea</title><nav><a href='/'>Home</a></nav><h1>Tea</h1><p>Fresh water is boiled.</p>"
    "<p>The pot is warmed.</p><footer>All rights</footer>",
    url="https://a.org/tea",
)
TEXTS = list(PAGE.leaf_texts)


@pytest.fixture
def inspection(tmp_path):
    folder = tmp_path / "mine"
    (folder / "pages").mkdir(parents=True)
    (folder / "labels").mkdir()
    bs.save(PAGE, folder / "pages" / "tea1.page")
    return folder


def say(folder, who, *leaves, change="set", page="tea1"):
    said = [[TEXTS.index(text), leaf_digest(text), role, content] for text, role, content in leaves]
    line = {"page": page, "url": PAGE.url, "who": who, "change": change, "leaves": said}
    with (folder / "labels" / f"{who}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


BOILED = ("Fresh water is boiled.", "body", True)
WARMED = ("The pot is warmed.", None, True)
HOME = ("Home", "navigation", False)


def test_labels_and_roles_are_those_of_the_leaves(inspection):
    say(inspection, "anna", BOILED, WARMED, HOME)
    (gold,) = read_corpus(inspection)
    assert (gold.error, gold.split, gold.site, gold.texts) == ("", "train", "a.org", ())
    by_text = dict(zip(TEXTS, label_leaves(PAGE, gold).tolist(), strict=True))
    assert (by_text["Fresh water is boiled."], by_text["Home"], by_text["All rights"]) == (1, 0, -1)
    rows = page_rows(PAGE)
    assert dict(zip(rows.texts, label_rows(rows.texts, gold).label.tolist(), strict=True))["The pot is warmed."] == 1
    labelled = label_roles(rows, gold, label_rows(rows.texts, gold).share)
    roles = {text: ROLES[role] if role >= 0 else None for text, role in zip(rows.texts, labelled.role, strict=True)}
    assert (roles["Fresh water is boiled."], roles["Home"]) == ("body", "navigation")


def test_a_confirmed_page_has_a_text(inspection):
    say(inspection, "anna", BOILED, WARMED, HOME, change="done")
    (gold,) = read_corpus(inspection)
    assert gold.text == "Fresh water is boiled.\nThe pot is warmed."


def test_where_people_contradict_each_other_nothing_is_known(inspection):
    say(inspection, "anna", BOILED, WARMED)
    say(inspection, "ben", ("Fresh water is boiled.", "caption", False), ("The pot is warmed.", "body", True), HOME)
    (gold,) = read_corpus(inspection)
    known = dict(zip(gold.nodes.texts, zip(gold.nodes.labels, gold.nodes.roles, strict=True), strict=True))
    assert known["Fresh water is boiled."] == (-1, "")
    assert known["The pot is warmed."] == (1, "body")
    assert known["Home"] == (0, "navigation")


def test_one_persons_file(inspection):
    say(inspection, "anna", BOILED)
    say(inspection, "ben", HOME)
    (gold,) = read_corpus(inspection / "labels" / "ben.jsonl")
    assert (gold.corpus, gold.error) == ("mine", "")
    assert set(zip(gold.nodes.texts, gold.nodes.roles, strict=True)) >= {("Home", "navigation"), (BOILED[0], "")}
    with pytest.raises(CorpusUnreadable, match="is not a folder"):
        read_corpus(inspection / "pages" / "tea1.page")


def test_it_is_read_and_trained_on_as_any_other(inspection, tmp_path):
    say(inspection, "anna", BOILED, HOME)
    assert corpora_in(tmp_path) == [inspection]
    (gold,) = training_pages([inspection])
    assert missing_pages([gold], tmp_path / "rendered") == []
    assert read_page(gold, tmp_path / "rendered").leaf_texts == PAGE.leaf_texts
    markup = read_page(gold)
    assert label_leaves(markup, gold)[list(markup.leaf_texts).index("Fresh water is boiled.")] == 1


def test_a_page_that_is_gone_or_damaged_is_a_page_with_a_reason(inspection):
    say(inspection, "anna", BOILED)
    say(inspection, "anna", BOILED, page="gone")
    say(inspection, "anna", BOILED, page="../../etc/passwd")
    (inspection / "pages" / "torn.page").write_bytes(b"torn")
    say(inspection, "anna", BOILED, page="torn")
    fine, *others = read_corpus(inspection)
    assert fine.error == ""
    assert all(page.error for page in others)
    assert all(page.path.parent == inspection / "pages" for page in others)


def test_damaged_labels_are_said_to_be_so(inspection):
    (inspection / "labels" / "anna.jsonl").write_text("{}\n")
    with pytest.raises(LabelsUnreadable, match="line 1"):
        read_corpus(inspection)
