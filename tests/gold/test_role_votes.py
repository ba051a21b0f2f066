"""Roles of blocks and their sources, on pages that were labelled by hand."""

import json
import time
from pathlib import Path

import pytest
from blocksight.gold.labeling_functions.label_context import SOURCES
from blocksight.gold.leaf_labels import label_rows, page_rows
from blocksight.gold.pages import GoldPage, GoldRoles
from blocksight.gold.role_votes import label_roles
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE, ROLES

FIRST = "The harbour wall was finished last week after eleven years of work and three storms that took it down."
SECOND = "Its builders say that it will stand for a hundred years, and the fishermen say that nothing ever does that."
TEXT = f"{FIRST}\n{SECOND}"


def labels(html, *, text=TEXT, kind="", **known):
    rows = page_rows(parse(html))
    texts, known = (text,) if text else (), GoldRoles(**known)
    gold = GoldPage(corpus="own", id="one", path=Path("one.html"), texts=texts, kind=kind, roles=known)
    return rows, label_roles(rows, gold, label_rows(rows.texts, gold).share)


def roles(html, **known):
    """Return the role of each row by the beginning of its text; rows without one are left out."""
    rows, found = labels(html, **known)
    return {
        text[:12]: (ROLES[role], SOURCES[source])
        for text, role, source in zip(rows.texts, found.role.tolist(), found.source.tolist(), strict=True)
        if role >= 0
    }


def page(head="", before="", behind="", between=""):
    return f"<head>{head}</head><body>{before}<div><p>{FIRST}</p>{between}<p>{SECOND}</p></div>{behind}</body>"


def test_label_roles_body():
    assert roles(page()) == {FIRST[:12]: ("body", "gold text"), SECOND[:12]: ("body", "gold text")}


def test_label_roles_empty_page():
    assert roles("<html><body><img src='a.png'></body></html>") == {}


def test_label_roles_title():
    before = "<ul><li><a href=/wall>The wall stands</a></li></ul><h1>The wall stands!</h1>"
    found = roles(page("<title>The wall stands | The Gull</title>", before))
    assert found["The wall sta"] == ("title", "meta")
    rows, said = labels(page("<title>The wall stands | The Gull</title>", before))
    assert [ROLES[role] for role in said.role.tolist()[:2]] != ["title", "title"]
    assert said.role.tolist()[0] == -1
    assert not said.excluded[0, ROLE["title"]]
    assert rows.texts[1] == "The wall stands!"


def test_label_roles_author_and_date():
    data = {"@type": "NewsArticle", "headline": "The wall stands", "datePublished": "2021-05-03T10:00:00Z"}
    data["author"] = {"@type": "Person", "name": "Ada Leaf"}
    head = f"<script type=application/ld+json>{json.dumps(data)}</script>"
    before = "<h1>The wall stands</h1><div>By Ada Leaf</div><div>May 3, 2021</div><div>June 9, 2020</div>"
    found = roles(f"<html lang=en>{page(head, before)}")
    assert found["By Ada Leaf"] == ("author", "json-ld")
    assert found["May 3, 2021"] == ("date", "json-ld")
    assert "June 9, 2020" not in found


def test_label_roles_excluded():
    rows, found = labels(page(behind="<p>Some words that nobody knows anything of</p>"))
    last = len(rows) - 1
    assert found.role[last] == -1
    assert found.excluded[last, ROLE["body"]]
    assert not found.excluded[last, ROLE["related"]]
    assert found.excluded[0].sum() == len(ROLES) - 1


@pytest.mark.parametrize(
    "many",
    [
        "<h2>The wall stands</h2>" * 8_000,
        "<h1>The wall stands</h1>" + "<p>By Ada Leaf, 5 March 2021</p>" * 8_000,
        "<div class=share-links><p>Ada Leaf</p></div>" * 8_000,
        f"<h1>The wall stands</h1><p>{'1' * 60_000}</p><p>{':' * 60_000}x</p>",
    ],
    ids=["titles", "by-lines", "regions", "long words"],
)
def test_label_roles_linear_time(many):
    known = {"title": "The wall stands", "author": "Ada Leaf", "date": "2021-03-05"}
    start = time.process_time()
    labels(f"<title>The wall stands</title>{many}<p>{FIRST}</p><p>{SECOND}</p>", **known)
    assert time.process_time() - start < 15
