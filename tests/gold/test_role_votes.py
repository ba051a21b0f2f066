"""Roles of blocks and their sources, on pages that were labelled by hand."""

import json
import time
from pathlib import Path

import pytest
from blocksight.errors import CorpusUnreadable
from blocksight.gold.corpora import read_corpus
from blocksight.gold.labeling_functions.label_context import SOURCES
from blocksight.gold.leaf_labels import label_rows, page_rows
from blocksight.gold.pages import GoldPage, GoldRoles, Post, SiteRules, TypedLeaf
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


def test_paragraphs_of_the_gold_are_body():
    assert roles(page()) == {FIRST[:12]: ("body", "gold text"), SECOND[:12]: ("body", "gold text")}


def test_a_page_without_text_has_no_roles():
    assert roles("<html><body><img src='a.png'></body></html>") == {}


def test_a_title_is_the_largest_heading_that_says_it():
    before = "<ul><li><a href=/wall>The wall stands</a></li></ul><h1>The wall stands!</h1>"
    found = roles(page("<title>The wall stands | The Gull</title>", before))
    assert found["The wall sta"] == ("title", "meta")
    rows, said = labels(page("<title>The wall stands | The Gull</title>", before))
    assert [ROLES[role] for role in said.role.tolist()[:2]] != ["title", "title"]
    assert said.role.tolist()[0] == -1
    assert not said.excluded[0, ROLE["title"]]
    assert rows.texts[1] == "The wall stands!"


def test_a_title_known_by_the_corpus_is_its_field():
    assert roles(page(before="<h2>The wall stands</h2>"), title="The wall stands")["The wall sta"] == (
        "title",
        "gold field",
    )


def test_by_line_and_date_are_found_again_around_the_text():
    data = {"@type": "NewsArticle", "headline": "The wall stands", "datePublished": "2021-05-03T10:00:00Z"}
    data["author"] = {"@type": "Person", "name": "Ada Leaf"}
    head = f"<script type=application/ld+json>{json.dumps(data)}</script>"
    before = "<h1>The wall stands</h1><div>By Ada Leaf</div><div>May 3, 2021</div><div>June 9, 2020</div>"
    found = roles(f"<html lang=en>{page(head, before)}")
    assert found["By Ada Leaf"] == ("author", "json-ld")
    assert found["May 3, 2021"] == ("date", "json-ld")
    assert "June 9, 2020" not in found


def test_a_name_far_off_is_no_by_line():
    lines = "".join(f"<p>Notice number {number} of the port</p>" for number in range(9))
    found = roles(page('<meta name=author content="Ada Leaf">', f"<div>Ada Leaf</div>{lines}"))
    assert "Ada Leaf" not in found


@pytest.mark.parametrize("around", ["<h3>{}</h3>", "<p>{}</p>"])
def test_a_description_is_a_standfirst_where_it_is_set_otherwise(around):
    deck = "A wall, three storms and a town that would not give up its harbour."
    head = f'<meta name=description content="{deck}">'
    html = f"<head>{head}</head><div><h1>Wall</h1>{around.format(deck)}<p>{FIRST}</p><p>{SECOND}</p></div>"
    assert roles(html, title="Wall").get(deck[:12]) == (("standfirst", "meta") if "h3" in around else None)


def test_a_caption_is_under_a_picture():
    figure = "<figure><img src=a.png><figcaption>The wall at dusk</figcaption></figure>"
    listing = "<figure><pre>code</pre><figcaption>Listing 1: the wall</figcaption></figure>"
    old = "<div class=wp-caption><img src=b.png><p class=wp-caption-text>The second wall</p></div>"
    found = roles(page(between=figure + listing + old))
    assert found["The wall at "] == ("caption", "tag")
    assert found["The second w"] == ("caption", "class")
    assert "Listing 1: t" not in found


def test_regions_by_tag_and_class():
    behind = (
        "<nav><a href=/>Start page</a></nav>"
        "<div class=related-posts><h3>Read these, too</h3><a href=/b>Boats of the north coast</a></div>"
        "<div class='newsletter-box'><p>Letters from the pier, weekly</p></div>"
        "<div id=cookie-consent><p>We bake cookies on this site</p></div>"
        "<footer><p>The Gull, printed in the harbour</p></footer>"
    )
    found = roles(page(behind=behind))
    assert [found[text][0] for text in ("Start page", "Read these, ", "Boats of the", "Letters from")] == [
        "navigation",
        "related",
        "related",
        "promotion",
    ]
    assert found["We bake cook"] == ("notice", "class")
    assert found["The Gull, pr"] == ("footer", "tag")


def test_an_element_that_holds_the_text_is_no_region():
    found = roles(f"<body><div class=related-content><p>{FIRST}</p><p>{SECOND}</p></div>")
    assert {role for role, _ in found.values()} == {"body"}


def test_class_against_gold_is_doubt_and_made_text_is_body():
    html = f"<p>{FIRST}</p><p>{SECOND}</p><div class=newsletter><p>{'a few more words of the text'}</p></div>"
    text = f"{TEXT}\na few more words of the text"
    assert "a few more w" not in roles(html, text=text)
    assert roles(html, text=text, generated=True)["a few more w"] == ("body", "gold text")


def test_comments_and_posts():
    behind = "<div id=comments><p>What a wall, I say, what a wall</p><p>Three answers</p></div>"
    assert roles(page(behind=behind), comments="What a wall, I say, what a wall")["What a wall,"] == (
        "comment",
        "comment text",
    )
    html = f"<div>Ada Leaf wrote on 3 May</div><p>{FIRST}</p><div>Bo Pine</div><div>4 May</div><p>{SECOND}</p>"
    posts = (Post(text=FIRST, author="Ada Leaf", date="3 May"), Post(text=SECOND, author="Bo Pine", date="4 May"))
    assert [role for role, _ in roles(html, posts=posts).values()] == ["author", "post", "author", "date", "post"]


def test_typed_blocks_are_found_by_their_paths():
    html = f"<html><body><div>Gull <b>Daily</b> news</div><p>{FIRST}</p></body></html>"
    leaves = (
        TypedLeaf(path="/html/body[1]/div[1]", number=1, prefix="Gull", role="logo"),
        TypedLeaf(path="/html/body[1]/div[1]/b[1]", number=1, prefix="Daily", role="logo"),
        TypedLeaf(path="/html/body[1]/div[1]", number=2, prefix="news", role="logo"),
        TypedLeaf(path="/html/body[1]/p[1]", number=1, prefix="The harbour", role="body"),
    )
    assert roles(html, typed_leaves=leaves) == {
        "Gull Daily n": ("other", "typed block"),
        FIRST[:12]: ("body", "typed block"),
    }


def test_rules_of_the_site_are_a_witness_of_body():
    text = f"{FIRST}\nRead on\n{SECOND}"
    html = page(between="<h2>Read on</h2>")
    assert "Read on" not in roles(html, text=text)
    assert roles(html, text=text, site_rules=SiteRules(tier="A", body=text))["Read on"] == ("body", "site rule")
    assert "Read on" not in roles(html, text=text, site_rules=SiteRules(tier="B", body=text))


def test_what_is_said_in_construction_is_believed_first():
    html = page(behind="<div data-role=promotion class=related-posts><p>Buy two <b>boats</b> today</p></div>")
    assert roles(html)["Buy two boat"] == ("promotion", "construction")


def test_what_the_gold_leaves_out_is_certainly_no_body():
    rows, found = labels(page(behind="<p>Some words that nobody knows anything of</p>"))
    last = len(rows) - 1
    assert found.role[last] == -1
    assert found.excluded[last, ROLE["body"]]
    assert not found.excluded[last, ROLE["related"]]
    assert found.excluded[0].sum() == len(ROLES) - 1


def test_rules_of_sites_are_read_from_the_folder_of_the_corpora(tmp_path):
    corpus = tmp_path / "own"
    (corpus / "pages").mkdir(parents=True)
    (corpus / "pages" / "one.html").write_text("<p>one</p>")
    (corpus / "gold.jsonl").write_text(json.dumps({"id": "one", "gold_text": "one", "author": ["Ada", "Bo"]}))
    rule = {"corpus": "own", "id": "one", "tier": "A", "body_only_text": "one", "author_text": "Ada"}
    (tmp_path / "body-gold.jsonl").write_text(json.dumps(rule) + "\n" + json.dumps(rule | {"corpus": "other"}))
    (only,) = read_corpus(corpus)
    assert only.roles.site_rules == SiteRules(tier="A", body="one", author="Ada")
    assert only.roles.author == "Ada; Bo"


@pytest.mark.parametrize("text", ["[]", "{", '{"tier": "A"}', "[" * 100_000], ids=["list", "cut", "no id", "deep"])
def test_broken_rules_of_sites_are_named(tmp_path, text):
    corpus = tmp_path / "own"
    (corpus / "pages").mkdir(parents=True)
    (corpus / "gold.jsonl").write_text(json.dumps({"id": "one", "gold_text": "one"}))
    (tmp_path / "body-gold.jsonl").write_text(text)
    with pytest.raises(CorpusUnreadable, match=r"body-gold\.jsonl cannot be read"):
        read_corpus(corpus)


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
def test_pages_of_many_lines_take_time_that_grows_with_their_length(many):
    known = {"title": "The wall stands", "author": "Ada Leaf", "date": "2021-03-05"}
    start = time.process_time()
    labels(f"<title>The wall stands</title>{many}<p>{FIRST}</p><p>{SECOND}</p>", **known)
    assert time.process_time() - start < 15
