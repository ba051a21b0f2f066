"""What corpora keep, and what is counted where they and the default profile disagree."""

from pathlib import Path

from blocksight.gold.convention import (
    agreed_gold,
)
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


def uncounted(parts):
    page = parse(HTML)
    found = agreed_gold(page, page_gold(*parts))
    return found.gold.text, [text for text, out in zip(page.leaf_texts, found.uncounted.tolist(), strict=True) if out]


def test_agreed_gold_title():
    text, out = uncounted((TITLE, FIRST, SECOND))
    assert text == f"{FIRST}\n{SECOND}"
    assert out == [TITLE]


def test_agreed_gold_longer_lower_case():
    title = "İstanbul'un İYİ Ağaçları"
    page = parse(HTML.replace(TITLE, title))
    gold = GoldPage(
        corpus="own", id="one", path=Path("one.html"), texts=(f"{title}\n{FIRST}",), roles=GoldRoles(title=title)
    )
    assert agreed_gold(page, gold).gold.text == FIRST


def test_agreed_gold_title_outside():
    text, out = uncounted((FIRST, SECOND))
    assert text == f"{FIRST}\n{SECOND}"
    assert out == []


def test_agreed_gold_caption():
    assert uncounted((FIRST, CAPTION, SECOND)) == (f"{FIRST}\n{SECOND}", [CAPTION])


def test_agreed_gold_copies():
    page = parse(f"<div><a href=/>{TITLE}</a></div>{HTML}")
    found = agreed_gold(page, page_gold(TITLE, FIRST, SECOND))
    assert [text for text, out in zip(page.leaf_texts, found.uncounted.tolist(), strict=True) if out] == [TITLE] * 2


def test_agreed_gold_without_lines():
    text, _ = uncounted((f"{TITLE} {FIRST} {SECOND}",))
    assert " ".join(text.split()) == f"{FIRST} {SECOND}"
