"""Element-hiding lists as labeling functions: a list of our own, and pages that it hides parts of."""

from pathlib import Path

import pytest
from blocksight.gold.labeling_functions.hiding_lists import HidingList, parse_hiding_list, read_hiding_list
from blocksight.gold.labeling_functions.label_context import SOURCES
from blocksight.gold.leaf_labels import label_rows, page_rows
from blocksight.gold.pages import GoldPage
from blocksight.gold.role_votes import label_roles
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLES

LIST = """[Adblock Plus 2.0]
! Title: our own
##.kettle-offer
###lid-box
##div.spout[data-kind="paid"]
##[id^="deal-"]
tea.example##.green
~quiet.example##.loud
quiet.example#@#.kettle-offer
##.row > .cell
##.shown:has(> .paid)
tea.example#?#.odd:-abp-has(.x)
||ads.example^$third-party
##.one, #two
"""
TEXT = "The harbour wall was finished last week after eleven years of work and three storms that took it down."


@pytest.fixture
def known():
    return parse_hiding_list(LIST.splitlines())


def hidden(known: HidingList, html: str, address: str = "https://any.example/page") -> list[str]:
    page = parse(html, url=address)
    marks = page.below(known.hidden(page, address))[page.leaves]
    return [text for text, mark in zip(page.leaf_texts, marks.tolist(), strict=True) if mark]


@pytest.mark.parametrize(
    ("element", "is_hidden"),
    [
        ("<div class='big kettle-offer'>", True),
        ("<div class=kettle-offers>", False),
        ("<p id=lid-box>", True),
        ("<p id=lid-boxes>", False),
        ("<div class=spout data-kind=paid>", True),
        ("<div class=spout data-kind=free>", False),
        ("<span class=spout data-kind=paid>", False),
        ("<p id=deal-7>", True),
        ("<p id=a-deal-7>", False),
        ("<p class=one>", True),
        ("<p id=two>", True),
        ("<div class=cell>", False),
        ("<p class=green>", False),
        ("<p class=loud>", True),
        ("<main class=one>", False),
    ],
)
def test_rules_of_one_element(known, element, is_hidden):
    assert hidden(known, f"{element}tea") == (["tea"] if is_hidden else [])


def test_rules_of_a_domain_hold_below_it_and_exceptions_there_alone(known):
    html = "<p class=green>a<p class=kettle-offer>b<p class=loud>c"
    assert hidden(known, html, "https://www.tea.example/x") == ["a", "b", "c"]
    assert hidden(known, html, "https://quiet.example/") == []
    assert hidden(known, html, "https://nottea.example/") == ["b", "c"]
    assert hidden(known, html, "page.html") == ["b", "c"]


def test_what_is_not_of_one_element_is_counted(known):
    assert known.left_out == 3


def test_a_file_without_such_rules_is_refused(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("! none\n||ads.example^\n")
    with pytest.raises(ValueError, match=r"##\.banner"):
        read_hiding_list(path)
    path.write_bytes(b"##.tea\n! \xff\xfe\n")
    assert read_hiding_list(path).rules.keys() == {""}


def test_hidden_text_outside_the_gold_has_the_role_of_its_list(known):
    offer = "Buy a kettle today and save ten"
    html = f"<div><p>{TEXT}</p><div class=kettle-offer>{offer}</div><p class=one>{TEXT[:40]} again and again</p></div>"
    rows = page_rows(parse(html))
    gold = GoldPage(corpus="own", id="one", path=Path("one.html"), texts=(f"{TEXT}\n{TEXT[:40]} again and again",))
    share = label_rows(rows.texts, gold).share
    labels = label_roles(rows, gold, share, hiding_lists={"promotion": known})
    found = {text: (role, source) for text, role, source in zip(rows.texts, labels.role, labels.source, strict=True)}
    role, source = found[offer]
    assert (ROLES[role], SOURCES[source]) == ("promotion", "hiding list")
    # A list does not overrule the gold.
    assert "promotion" not in {ROLES[role] for text, (role, _) in found.items() if text != offer and role >= 0}
    assert label_roles(rows, gold, share).role[rows.texts.index(offer)] == -1
