"""Record sets of whole pages: which is the page's matter, what the records are, what comes out."""

import json
import pickle

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.blocksight import Blocksight
from blocksight.document.records.record_formats import csv_rows, json_lines, table_rows
from blocksight.document.records.record_sets import direction_of, page_records
from blocksight.records.page_type import PAGE_TYPES, load_page_types, shipped_page_types

from .conftest import MENU, NAMES, TEXTS


@pytest.mark.parametrize(
    ("left_and_top", "direction"),
    [((), ""), (((0, 0), (9, 2)), "row"), (((0, 0), (0, 6)), "column"), (((0, 0), (9, 5)), "column"),
     (((0, 0), (9, 4)), "row"), (((0, 0), (9, 0), (0, 9)), "grid")],
)  # fmt: skip
def test_boxes_that_share_more_than_half_of_their_height_are_in_a_row(left_and_top, direction):
    corners = [(left, top, left + 8, top + 9) for left, top in left_and_top]
    assert direction_of(np.asarray(corners, dtype=np.float64)) == direction


def test_a_thread_is_posts(thread):
    found = page_records(thread)
    main = found.main
    assert (found.page_type.name, main.kind, main.record_type, len(main)) == ("thread", "main", "post", 3)
    assert found.comments == ()
    assert main.selector == ("main > div",)


def test_no_record_of_a_long_page_is_lost():
    rows = "".join(f"<li class=p><a href=/x{n}>Item {n}</a><span>${n}</span></li>" for n in range(900))
    found = page_records(bs.parse(f"<title>All</title><ul class=list>{rows}</ul>"))
    assert [len(one) for one in found.sets] == [900]
    assert found.sets[0].records[-1].fields["title"] == "Item 899"


def test_a_shop_is_products_and_its_menu_navigation(shop):
    found = page_records(shop)
    assert (found.main.record_type, len(found.main)) == ("product", 8)
    menu = next(one for one in found.sets if one.kind == "navigation")
    assert [record.fields["title"] for record in menu.records] == ["Home", "Tea", "Coffee"]
    assert menu.records[1].fields["link"] == "https://shop.example/Tea"


def test_comments_are_separate_from_the_article():
    comments = "".join(
        f"<li class=comment><b class=author>{name}</b> <time>{n + 1} May 2024</time><p>{text}</p></li>"
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )
    paragraphs = "".join(f"<p>{' '.join(TEXTS)} {n}</p>" for n in range(9))
    page = bs.parse(
        f"<title>Tea</title>{MENU}<article><h1>Tea</h1>{paragraphs}</article><ol class=comments>{comments}</ol>",
        url="https://news.example/2024/tea-is-good",
    )
    found = page_records(page)
    assert [record.fields["author"] for record in found.comments] == list(NAMES)
    assert found.main is None


def test_bold_names_of_comments_are_authors():
    comments = "".join(
        f"<div class=comment><b>{name}</b> <span>{n + 1} May 2024</span><p>{text}</p></div>"
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )
    page = bs.parse(f"<main><h1>Tea</h1><p>{' '.join(TEXTS)}</p><h3>Comments</h3>{comments}</main>")
    assert [record.fields["author"] for record in page_records(page).comments] == list(NAMES)
    assert not any("title" in record.fields for record in page_records(page).comments)


def test_answers_are_records_of_what_they_answer():
    def comment(n, inner=""):
        return f"<li class=comment><b class=author>{NAMES[n]}</b><p>{TEXTS[n]}</p>{inner}</li>"

    page = bs.parse(f"<ul class=comments>{comment(0, f'<ul>{comment(1)}</ul>')}{comment(2)}</ul>")
    (found,) = page_records(page).sets
    first, second = found.records
    assert first.text == TEXTS[0]
    assert [record.text for record in first.records] == [TEXTS[1]]
    assert second.records == ()
    assert [(depth, record.fields["author"]) for depth, record in found.every()] == [
        (0, NAMES[0]), (1, NAMES[1]), (0, NAMES[2]),
    ]  # fmt: skip


def test_quotes_are_marked(thread):
    post = page_records(thread).main.records[1]
    assert post.quotes == (TEXTS[0],)
    assert f"<blockquote><p>{TEXTS[0]}</p></blockquote>" in post.html
    assert "Reply" not in post.html
    assert "was here" not in post.html


def test_a_page_without_text_is_of_no_type():
    found = page_records(bs.parse(MENU)).page_type
    assert (found.name, found.probability) == ("none", 1.0)
    assert tuple(found.every) == PAGE_TYPES


def test_probabilities_add_up_to_one(shop):
    assert sum(page_records(shop).page_type.every.values()) == pytest.approx(1, abs=0.001)


def test_a_document_has_records_and_keeps_them_when_it_is_pickled(thread):
    document = bs.extract(thread)
    said = document.to_dict()
    assert said["page_type"]["name"] == "thread"
    assert said["records"][0]["records"][2]["author"] == NAMES[2]
    again = pickle.loads(pickle.dumps(document))  # noqa: S301
    assert again == document
    assert again.found_records.value.sets == document.records
    assert again.records[0].records[1].html == document.records[0].records[1].html


def test_formats(thread):
    document = bs.extract(thread)
    lines = [json.loads(line) for line in document.written("records").splitlines()]
    assert [(line["number"], line["author"], line["kind"]) for line in lines] == [
        (number, name, "main") for number, name in enumerate(NAMES, 1)
    ]
    rows = csv_rows(table_rows(document.records, thread.url)).splitlines()
    assert rows[0].startswith("url,set,kind,type,number,depth,rank,title,author,date,iso_date,text")
    assert rows[1].startswith(f"{thread.url},0,main,post,1,0,,,{NAMES[0]},1 May 2024")


def test_a_table_holds_no_formulas():
    rows = "".join(
        f"<li class=r><h3><a href=/{n}>=Sum of {n}</a></h3><p>{text}</p></li>" for n, text in enumerate(TEXTS)
    )
    page = bs.parse(f"<main><ul>{rows}</ul></main>")
    assert ",'=Sum of 2," in csv_rows(table_rows(page_records(page).sets))
    assert "=Sum of 2" in json_lines(page_records(page).sets)


def test_the_model_is_small_and_says_what_it_learned_from(tmp_path):
    model = shipped_page_types()
    model.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").stat().st_size < 40_000
    assert load_page_types(tmp_path / "again.npz").about == model.about
    assert model.about["pages"] > 1000


def test_another_file_is_no_model(tmp_path):
    path = tmp_path / "x.npz"
    path.write_bytes(b"no")
    with pytest.raises(bs.ModelMismatch, match="train shipped"):
        load_page_types(path)


def test_text_of_posts_is_a_post_to_the_reader(thread):
    classified = Blocksight().judge(thread)
    texts = np.asarray(thread.leaf_texts)
    assert {*texts[classified.roles.marked(["post"])].tolist()} == {*TEXTS}
    assert {*NAMES} <= {*texts[classified.roles.marked(["author"])].tolist()}
    assert bs.extract(thread).markdown.count("\n---\n") == 2


def test_signed_entries_of_a_blog_are_no_posts():
    entries = "".join(
        f"<article class=entry><h2><a href=/2024/tea-{n}>All about the tea number {n}</a></h2>"
        f"<span class=author>{NAMES[n % 3]}</span> <time>{n + 1} May 2024</time><p>{TEXTS[n % 3]}</p></article>"
        for n in range(9)
    )
    page = bs.parse(f"<title>Blog</title>{MENU}<main><h1>Blog</h1>{entries}</main>", url="https://tea.example/blog/")
    main = page_records(page).main
    assert (main.record_type, main.columns) == ("card", ("title", "author", "date", "iso_date", "text", "link"))
    # They are in the text with their entries.
    assert f"{NAMES[1]} 2 May 2024" in " ".join(bs.extract(page).text.split())
