"""What corpora keep, and what is counted where they and the default profile disagree."""

import json
from pathlib import Path

import pytest
from blocksight.errors import CorpusUnreadable
from blocksight.gold.convention import (
    RoleConvention,
    agreed_gold,
    convention_table,
    measure_convention,
    write_convention,
)
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, GoldRoles
from blocksight.page.parse import parse

TITLE = "The wall stands again"
CAPTION = "The wall at dusk, seen from the pier"
FIRST = "The harbour wall was finished last week after eleven years of work and three storms that took it down."
SECOND = "Its builders say that it will stand for a hundred years, and the fishermen say that nothing ever does that."
HTML = (
    f"<title>{TITLE}</title><nav><a href=/>Start</a></nav><h1>{TITLE}</h1><p>{FIRST}</p>"
    f"<figure><img src=a.png><figcaption>{CAPTION}</figcaption></figure><p>{SECOND}</p>"
)


def page_gold(*parts):
    return GoldPage(
        corpus="own", id="one", path=Path("one.html"), texts=("\n".join(parts),), roles=GoldRoles(title=TITLE)
    )


def uncounted(parts, **profile):
    page = parse(HTML)
    found = agreed_gold(page, page_gold(*parts), **profile)
    return found.gold.text, [text for text, out in zip(page.leaf_texts, found.uncounted.tolist(), strict=True) if out]


def test_a_title_that_the_gold_holds_counts_on_neither_side():
    text, out = uncounted((TITLE, FIRST, SECOND))
    assert text == f"{FIRST}\n{SECOND}"
    assert out == [TITLE]


def test_words_that_are_longer_in_lower_case_are_taken_out_at_their_place():
    title = "İstanbul'un İYİ Ağaçları"
    page = parse(HTML.replace(TITLE, title))
    gold = GoldPage(
        corpus="own", id="one", path=Path("one.html"), texts=(f"{title}\n{FIRST}",), roles=GoldRoles(title=title)
    )
    assert agreed_gold(page, gold).gold.text == FIRST


def test_what_both_leave_out_is_wrong_for_whoever_takes_it():
    text, out = uncounted((FIRST, SECOND))
    assert text == f"{FIRST}\n{SECOND}"
    assert out == []


def test_a_caption_of_which_gold_and_profile_disagree_counts_on_neither_side():
    assert uncounted((FIRST, CAPTION, SECOND)) == (f"{FIRST}\n{SECOND}", [CAPTION])
    kept = ("body", "caption")
    assert uncounted((FIRST, SECOND), content_roles=kept) == (f"{FIRST}\n{SECOND}", [CAPTION])
    assert uncounted((FIRST, CAPTION, SECOND), content_roles=kept) == (f"{FIRST}\n{CAPTION}\n{SECOND}", [])


def test_the_same_words_elsewhere_on_the_page_are_not_counted_either():
    page = parse(f"<div><a href=/>{TITLE}</a></div>{HTML}")
    found = agreed_gold(page, page_gold(TITLE, FIRST, SECOND))
    assert [text for text, out in zip(page.leaf_texts, found.uncounted.tolist(), strict=True) if out] == [TITLE] * 2


def test_words_are_taken_out_where_the_gold_has_no_lines():
    text, _ = uncounted((f"{TITLE} {FIRST} {SECOND}",))
    assert " ".join(text.split()) == f"{FIRST} {SECOND}"


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "own"
    (folder / "pages").mkdir(parents=True)
    entries = []
    for number in range(6):
        (folder / "pages" / f"{number}.html").write_text(HTML)
        parts = (TITLE, FIRST, SECOND) if number < 5 else (FIRST, SECOND)
        entries.append(json.dumps({"id": str(number), "gold_text": "\n".join(parts), "title": TITLE}))
    (folder / "gold.jsonl").write_text("\n".join(entries))
    return folder


def test_a_convention_is_measured_written_and_read(corpus):
    (corpus / "info.json").write_text('{"license": "none"}')
    found = measure_convention(read_corpus(corpus))
    assert found["title"] == RoleConvention(share=5 / 6, pages=6)
    assert found["caption"] == RoleConvention(share=0.0, pages=6)
    assert found["author"].pages == 0
    write_convention(corpus, found)
    info = json.loads((corpus / "info.json").read_text())
    assert info["license"] == "none"
    assert info["convention"]["title"] == {"gold": "in", "share": 0.833, "pages": 6}
    assert [info["convention"][role]["gold"] for role in ("caption", "author")] == ["out", "unknown"]
    assert convention_table({"own": found})[1][:2] == ["own", "83% of 6"]


def test_half_of_the_pages_are_mixed():
    assert [RoleConvention(share=share, pages=9).verdict for share in (0.9, 0.5, 0.1)] == ["in", "mixed", "out"]
    assert RoleConvention(share=1.0, pages=2).verdict == "unknown"


@pytest.mark.parametrize("text", ["[]", "{", '{"convention": 5}', "[" * 100_000], ids=["list", "cut", "number", "deep"])
def test_a_broken_info_is_named_and_stays(tmp_path, text):
    (tmp_path / "info.json").write_text(text)
    with pytest.raises(CorpusUnreadable, match="fix or remove it"):
        write_convention(tmp_path, {})
    assert (tmp_path / "info.json").read_text() == text
