"""Gold of pieces: labels and roles where a piece says something, and nothing elsewhere."""

import json

import blocksight as bs
import numpy as np
import pytest
from blocksight.compare.evaluate import EvaluationConfig
from blocksight.errors import CorpusUnreadable
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import label_leaves, label_rows, page_rows
from blocksight.gold.pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldPiece
from blocksight.gold.pieces import element_at, place_pieces
from blocksight.gold.rendered import read_page
from blocksight.gold.role_votes import label_roles
from blocksight.gold.split import training_pages
from blocksight.page.role_names import ROLES

#: Leaves: 0 Home, 1 Search, 2 Bread, 3 Ada Oven, 4 flour, 5 salt, 6 salt (an advertisement), 7 and 8 a comment.
HTML = (
    "<nav><a href=/>Home</a></nav><form><label>Search</label><input></form><h1>Bread</h1><p>Ada Oven</p>"
    "<ul><li>500 g flour</li><li>salt</li></ul><p>salt</p><div class=c><p>Reader Rye</p><p>Too hard.</p></div>"
)
PIECES = [
    {"text": "Search", "role": "form", "kind": "search", "leaves": [1, 2]},
    {"text": "Bread", "role": "title", "leaves": [2, 3]},
    {"text": "Ada Oven", "role": "author", "leaves": [3, 4], "sure": True},
    {"text": "500 g flour", "role": "content", "kind": "ingredient", "leaves": [4, 5], "at": "/html[1]/body[1]/ul[1]"},
    {"text": "salt", "role": "content", "kind": "ingredient", "leaves": [5, 6], "n": 2},
    {"text": "Reader Rye", "role": "author", "kind": "comment-author", "leaves": [7, 8]},
    {"text": "Too hard.", "role": "comment", "leaves": [8, 9]},
    {"text": "", "role": "image", "at": "/html[1]/body[1]/p[1]"},
]


@pytest.fixture
def pieces(tmp_path):
    """Write a corpus of pages with pieces, each with more keys; return its folder."""

    def write(*entries, html=HTML):
        folder = tmp_path / "recipes"
        (folder / "pages").mkdir(parents=True, exist_ok=True)
        lines = [{"id": f"p{n}", "pieces": PIECES, "gold_is": "partial"} | more for n, more in enumerate(entries)]
        for entry in lines:
            (folder / "pages" / f"{entry['id']}.html").write_text(html)
        (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return folder

    return write


def place(html, *pieces):
    """Return labels and roles of the leaves of a page."""
    nodes = place_pieces(bs.parse(html), tuple(pieces))
    return list(nodes.labels), list(nodes.roles)


def test_rows_that_no_piece_names_are_unknown(pieces):
    (gold,) = read_corpus(pieces({"split": "train"}))
    assert (gold.error, gold.is_partial, gold.texts, gold.has_gold) == ("", True, (), True)
    page = read_page(gold)
    expected = [UNCERTAIN, BOILERPLATE, UNCERTAIN, UNCERTAIN, CONTENT, CONTENT, UNCERTAIN, BOILERPLATE, BOILERPLATE]
    assert label_leaves(page, gold).tolist() == expected
    # The word occurs twice: the place decides, not the text.
    rows = page_rows(page)
    assert label_rows(rows.texts, gold).label.tolist() == expected


def test_roles_of_pieces_are_roles_of_rows(pieces):
    (gold,) = read_corpus(pieces({"split": "train"}))
    rows = page_rows(read_page(gold))
    roles = label_roles(rows, gold, label_rows(rows.texts, gold).share)
    names = [ROLES[role] if role >= 0 else "" for role in roles.role.tolist()]
    assert names == ["navigation", "form", "title", "author", "body", "body", "", "author", "comment"]
    # Of a row in no piece only that is known: it is not the title.
    assert np.flatnonzero(roles.excluded[6]).tolist() == [ROLES.index("title")]


def test_a_page_with_other_blocks_has_the_labels_of_the_raw_one(pieces):
    (gold,) = read_corpus(pieces({"split": "train"}))
    # As after scripts: a bar that the raw page does not have moves all leaves by one.
    page = bs.parse(HTML.replace("<nav>", "<div>We use cookies</div><nav>"))
    assert label_leaves(page, gold).tolist()[1:] == label_leaves(read_page(gold), gold).tolist()
    assert label_leaves(page, gold)[0] == UNCERTAIN


@pytest.mark.parametrize(
    ("more", "label", "role"),
    [
        ({"role": "content", "kind": "instruction"}, CONTENT, "body"),
        ({"role": "content", "kind": "description"}, CONTENT, ""),
        # Few corpora have prices in their gold, and forms of these kinds hold products.
        ({"role": "content", "kind": "price"}, UNCERTAIN, ""),
        ({"role": "form", "kind": "order"}, UNCERTAIN, ""),
        ({"role": "form", "kind": "login"}, BOILERPLATE, "form"),
        ({"role": "navigation", "kind": "next"}, BOILERPLATE, "navigation"),
        ({"role": "date", "kind": "modified"}, UNCERTAIN, "date"),
        ({"role": "content", "sure": False}, UNCERTAIN, ""),
    ],
)
def test_labels_and_roles_by_kind(more, label, role):
    piece = GoldPiece(text="Next", leaves=(0, 1), **more)
    assert place("<p>Next</p><p>Rest</p>", piece) == ([label, UNCERTAIN], [role, ""])


def test_a_piece_is_found_at_its_element_if_the_leaves_have_moved():
    piece = GoldPiece(text="½ cup, sugar", role="content", leaves=(0, 1), path="/html[1]/body[1]/ul[1]/li[2]")
    html = "<p>New</p><ul><li>salt</li><li>1/2 cup <b>sugar</b></li></ul>"
    assert place(html, piece)[0] == [UNCERTAIN, UNCERTAIN, CONTENT, CONTENT]
    # Neither at its number nor in its element: nothing is known.
    assert place("<p>New</p><ul><li>salt</li><li>pepper</li></ul>", piece)[0] == [UNCERTAIN] * 3
    assert place("<p>New</p>", piece)[0] == [UNCERTAIN]


def test_signs_of_a_pager_are_compared_as_they_are():
    piece = GoldPiece(text="»", role="navigation", leaves=(1, 2))
    assert place("<p>1</p><p> » </p>", piece)[0] == [UNCERTAIN, BOILERPLATE]
    assert place("<p>1</p><p>«</p>", piece)[0] == [UNCERTAIN, UNCERTAIN]


def test_a_leaf_with_much_more_than_the_piece_is_not_the_piece():
    piece = GoldPiece(text="1 May 2020", role="date", leaves=(0, 1))
    assert place("<p>Last updated on Friday, 1 May 2020</p>", piece)[1] == ["date"]
    assert place("<p>The harbour was closed from 1 May 2020 until the storm was over.</p>", piece)[1] == [""]


def test_contradictions_are_unknown_and_name_with_date_is_a_byline():
    one, other = (GoldPiece(text="Rye", role=role, leaves=(0, 1)) for role in ("content", "comment"))
    assert place("<p>Rye</p>", one, other) == ([UNCERTAIN], [""])
    name = GoldPiece(text="Ada Oven", role="author", leaves=(0, 1))
    day = GoldPiece(text="1 May 2020", role="date", leaves=(0, 1))
    assert place("<p>Ada Oven, 1 May 2020</p>", name, day)[1] == ["author"]


@pytest.mark.parametrize(
    ("path", "tag"), [("/html/body/p[2]", "p"), ("/html[1]/body[1]/ul[1]/li[1]", "li"), ("/html/body", "body")]
)
def test_elements_by_path(path, tag):
    page = bs.parse("<p>a</p><ul><li>b</li></ul><p>c</p>")
    assert page.tag_of(element_at(page, path)) == tag


@pytest.mark.parametrize("path", ["/html/body/p[3]", "/html/body/div", "/html/body/p[0]", "//p", "/html/body/*[1]", ""])
def test_paths_of_no_element(path):
    assert element_at(bs.parse("<p>a</p><p>c</p>"), path) is None


def test_the_safe_split_counts(pieces):
    folder = pieces(
        {"split": "train", "split_safe": "dev"}, {"split": "dev", "split_safe": "train"}, {"split": "train"}, {}
    )
    assert [gold.split for gold in read_corpus(folder)] == ["dev", "train", "train", "dev"]
    assert [gold.id for gold in training_pages([folder])] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        ({"role": "price"}, "the role of a piece is 'price', and must be one of content, title"),
        ({"leaves": None}, "needs its place, 'leaves' or 'at'"),
        ({"leaves": [3, 2]}, "'leaves' of a piece are its first leaf and one past its last, not [3, 2]"),
        ({"leaves": ["3", 4]}, "'leaves' of a piece are"),
        ({"leaves": [1]}, "not enough values"),
        ({"text": 5}, "a text was expected"),
    ],
)
def test_a_piece_that_makes_no_sense_is_a_page_with_a_reason(pieces, piece, reason):
    bad = {"text": "Bread", "role": "title", "leaves": [2, 3]} | piece
    page, good = read_corpus(pieces({"pieces": [bad]}, {}))
    assert page.error.startswith("not a gold page")
    assert reason in page.error
    assert not good.error


def test_partial_gold_is_not_evaluated(pieces, tmp_path):
    whole = {"id": "whole", "gold_text": "500 g flour\nsalt"}
    config = EvaluationConfig(corpus=pieces({}, whole), out=tmp_path / "out")
    assert [gold.id for gold in config.pages()] == ["whole"]
    with pytest.raises(CorpusUnreadable, match="has only gold of pieces"):
        EvaluationConfig(corpus=pieces({}, {}), out=tmp_path / "out").pages()


def test_a_gold_text_counts_for_labels_and_pieces_for_roles(pieces):
    (gold,) = read_corpus(pieces({"gold_text": "Bread\n500 g flour\nsalt"}))
    rows = page_rows(read_page(gold))
    labels = label_rows(rows.texts, gold)
    assert not gold.is_partial
    assert UNCERTAIN not in labels.label
    roles = label_roles(rows, gold, labels.share).role
    assert [ROLES[role] for role in roles[[1, 3, 8]].tolist()] == ["form", "author", "comment"]


def test_boxes_outside_of_the_gold_have_roles(pieces):
    html = "<p>The bread is done when it is hollow.</p><div id=Sum>On this page</div><div class='x Zed'>Post it</div>"
    boxes = {"#Sum": {"role": "toc", "words": 3}, ".Zed": {"role": "share", "words": 2}, ".x": {"role": "sidebar"}}
    entry = {"gold_text": "The bread is done when it is hollow.", "roles": boxes, "pieces": []}
    (gold,) = read_corpus(pieces(entry, html=html))
    rows = page_rows(read_page(gold))
    roles = label_roles(rows, gold, label_rows(rows.texts, gold).share).role
    assert [ROLES[role] for role in roles[1:].tolist()] == ["navigation", "promotion"]
