"""Each rule of the choice on a tiny page, their order, and what a row of the table must have."""

from dataclasses import replace
from types import SimpleNamespace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.choose import RULES, Evidence, chosen, decide
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.systems.blocksight import evidence_of
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLES
from blocksight.records.candidates import find_records
from blocksight.records.page_type import PAGE_TYPES, PageType
from blocksight.segment.blocks import text_blocks, visible_blocks

SENTENCE = "The kettle that was bought last week whistles far too loudly for a small kitchen, and is sold again."
HEADLINES = "".join(
    f"<p><a href=/{name}>{name} of the kettle whistles</a></p>" for name in ("Lid", "Spout", "Rim", "Bail")
)
BY_NAME = {rule.name: rule for rule in RULES}


def evidence(html, score=lambda text: 1.0, role=lambda text: "body", *, sure=0.9, **types):
    """What is known of a page with a score and a role for each block; ``types`` are the probabilities of some types."""
    page = bs.parse(html)
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    roles = np.full((len(rows), len(ROLES)), (1 - sure) / len(ROLES))
    for row, text in enumerate(rows.texts):
        roles[row, ROLES.index(role(text))] = sure
    scores = np.asarray([score(text) for text in rows.texts], dtype=float)
    found = evidence_of(rows, find_records(page), scores, roles, Calibration(slope=3.0, offset=0.0), None)
    every = dict.fromkeys(PAGE_TYPES, 0.0) | (types or {"article": 1.0})
    best = max(every, key=every.__getitem__)
    vars(found)["types"] = PageType(name=best, probability=every[best], every=every)
    return found


def texts(evidence, marks):
    return [text.strip() for text, kept in zip(evidence.page.leaf_texts, marks, strict=True) if kept]


def by(name, found, marked=None):
    """Return the texts that are marked after a rule, None where it does not apply; before it ``marked`` are."""
    marks = np.asarray([marked is None or marked(text.strip()) for text in found.page.leaf_texts]) & ~found.hidden
    rule = BY_NAME[name]
    return texts(found, rule.change(found, marks)) if rule.applies(found, marks) else None


def test_rules_order():
    order = [rule.name for rule in RULES]
    # No rule completes what there is none of; what completes comes before what is left out again.
    assert order[0] == "no main text"
    assert order.index("metadata") < order.index("records") < order.index("posts")
    assert order[-1] == "repetitions"


def test_chosen_starts_with_selection_and_follows_order():
    found = evidence(f"<p>{SENTENCE}</p><p>Menu</p>", lambda text: 1.0 if len(text) > 9 else -2.0)
    assert texts(found, chosen(found, rules=())[0]) == [SENTENCE]
    add = BY_NAME["cells"]._replace(applies=lambda *_: True, change=lambda _, marks: ~marks)
    none = add._replace(change=lambda _, marks: np.zeros_like(marks))
    assert texts(found, chosen(found, rules=(add,))[0]) == ["Menu"]
    assert texts(found, chosen(found, rules=(none, add))[0]) == [SENTENCE, "Menu"]


@pytest.mark.parametrize(
    ("html", "score", "empty"),
    [
        ("<p>Name</p><p>Password</p>", -2.0, True),
        ("<p><a href=/a>Home</a></p><p><a href=/b>About us</a></p>", -0.5, True),
        ("<p>News</p>" + HEADLINES, -0.5, False),
        ("<p>News</p>" + HEADLINES.replace(" of the kettle whistles", ""), -0.5, True),
        (f"<p>News</p><nav>{HEADLINES}</nav>", -0.5, True),
        (f"<form><p>Your name</p><input name=a></form>{HEADLINES}", -0.5, True),
        (f"<p>{SENTENCE} {SENTENCE}</p>", -2.0, False),
        ("<p>Closed on Monday.</p>" * 8, 1.0, False),
    ],
)
def test_no_main_text(html, score, empty):
    assert (by("no main text", evidence(html, lambda _: score)) == []) is empty


def test_headlines_below_a_message_are_no_main_text():
    for times, kept in ((9, None), (11, [])):
        html = "<p>Closed today.</p>" * times + HEADLINES
        assert by("no main text", evidence(html, lambda text: -0.5 if "kettle" in text else -2.0)) == kept


def test_gaps_are_filled_without_hidden_text():
    html = f"<div><p>{SENTENCE}</p><table><tr><td>a<td hidden>b</table><p>{SENTENCE}</p></div>"
    assert by("gaps", evidence(html), lambda text: len(text) > 1) == [SENTENCE, "a", SENTENCE]


def with_expected(found, expected):
    types = found.types
    found = replace(found, selection=replace(found.selection, expected_f1=expected))
    vars(found)["types"] = types
    return found


@pytest.mark.parametrize(
    ("role", "cards", "kept"),
    [("title", 4, 0), ("caption", 4, 0), ("date", 4, 0), ("author", 4, 0), ("body", 1, 1)],
)
def test_metadata_by_roles(role, cards, kept):
    assert kept_titles(role, cards) == kept


def test_metadata_unsure():
    assert kept_titles("title", 4, sure=0.79) == 4


def kept_titles(role, cards, *, sure=0.9):
    title = "<a href=/{0}>Kettle number {0}</a>"
    html = "".join(f"<div class=card><p>{title.format(n)}</p><p>{SENTENCE}</p></div>" for n in range(cards))
    found = evidence(
        f"<title>Kettles</title><main>{html}</main>",
        lambda text: 0.6 if text.startswith("Kettle") else 1.5,
        lambda text: role if text.startswith("Kettle") else "body",
        sure=sure,
    )
    return sum(text.startswith("Kettle") for text in by("metadata", found))


def test_metadata_stay_if_nothing_else_would():
    assert by("metadata", evidence("<h1>Kettles</h1>", role=lambda _: "title")) == ["Kettles"]


def index(cards, shops):
    """A page with a series of cards, which score -0.5 and have dates, and one of shops, which score -1."""
    entries = "".join(
        f"<li class=card><h3><a href=/{n}>Kettle {n}</a></h3><small>{n + 1} May</small></li>" for n in range(cards)
    )
    links = "".join(
        f"<li class=shop><h3><a href=/shops/{n}>Shop in town {n}</a></h3><p>open</p></li>" for n in range(shops)
    )
    return evidence(
        f"<main><h1>Kettles</h1><ul>{entries}</ul><ol>{links}</ol></main>",
        lambda text: -1.0 if text.startswith(("Shop", "open")) else -0.5,
        lambda text: "date" if text.endswith("May") else "body",
        listing=0.5,
    )


@pytest.mark.parametrize(
    ("cards", "shops", "wanted"),
    [
        (4, 5, [f"Kettle {n}" for n in range(4)]),
        # Two records are no series.
        (2, 5, [text for n in range(5) for text in (f"Shop in town {n}", "open")]),
        (2, 2, []),
    ],
)
def test_series_of_an_index(cards, shops, wanted):
    assert by("series of an index", index(cards, shops), lambda _: False) == wanted
    # Nothing where anything is marked.
    assert by("series of an index", index(cards, shops)) is None


def cards(count):
    titled = (f"<li><h3><a href=/{n}>Kettle number {n}</a></h3><p>{SENTENCE} {n}</p></li>" for n in range(count))
    return f"<title>Kettles</title><main><ul>{''.join(titled)}</ul></main>"


def test_records_are_whole():
    found = evidence(cards(4), listing=1.0)
    assert by("records", found, lambda text: text.startswith("The")) == texts(found, ~found.hidden)


def test_posts_only_if_likely():
    found = evidence(f"<p>{SENTENCE}</p>")
    assert found.thread is None
    assert found.thread_likely == 0.0
    assert by("posts", found) is None


@pytest.mark.parametrize("likely", [0.51, 0.5])
def test_posts_are_the_content(likely):
    post = "<div class=post><b class=author>{0}</b> <time>{1} May 2024, 10:3{1}</time><p>{2} {0}.</p></div>"
    html = "".join(post.format(name, n, SENTENCE) for n, name in enumerate(("Ada", "Ben", "Cleo", "Dora"), 1))
    found = evidence(f"<title>Kettles</title><p>Log in</p><main><h1>Kettles</h1>{html}</main>", thread=1.0)
    assert found.thread is not None
    vars(found)["thread_likely"] = likely
    marks, thread = chosen(found)
    assert (thread is found.thread) is (likely > 0.5)
    if thread:
        assert texts(found, marks) == [f"{SENTENCE} {name}." for name in ("Ada", "Ben", "Cleo", "Dora")]


@pytest.mark.parametrize(("likely", "before", "stay"), [(0.4, 0.3, False), (0.6, 0.3, True), (0.4, 0.2, True)])
def test_comments_below_prose(likely, before, stay):
    found = evidence(f"<p>{SENTENCE}</p><div class=comments><p>Mine whistles, too.</p></div>")
    facts = {"before": before, "likely": 0.4, "comments": 1.0}
    inside = np.asarray([text.startswith("Mine") for text in found.page.leaf_texts])
    vars(found).update(thread=SimpleNamespace(inside=inside), thread_facts=facts, thread_likely=likely)
    left = by("comments", found)
    assert (left is None) is stay
    assert stay or left == [SENTENCE]


@pytest.mark.parametrize(
    ("name", "html", "marked", "wanted"),
    [
        (
            "lists by the author",
            "<div><p>One two.</p><ul><li><a href=/a>Alpha</a></ul></div>",
            "O",
            ["One two.", "Alpha"],
        ),
        ("cells", "<table><tr><td>One<td>Two<tr><td>Three<td>Four</table>", "TF", ["One", "Two", "Three", "Four"]),
        ("links in sentences", "<p>See <a href=/a>2</a> and go.</p>", "Sa", ["See", "2", "and go."]),
        (
            "labels of tabs",
            "<p>One.</p><ul role=tablist><li role=tab>Tab</ul><div role=tabpanel>Open.</div>",
            "OT",
            ["One.", "Open."],
        ),
        ("pagers", "<p>One.</p><p><a href=a>← Tea</a> <a href=b>Milk →</a></p>", "O←M", ["One."]),
        ("pagers", "<p>One.</p><p><a href=a>‹ Tea</a></p><p><a href=b>Milk ›</a></p>", "O‹M", ["One."]),
        ("headings", "<p>One.</p><h2>Head</h2><p>Once.</p>", "O", ["One.", "Head", "Once."]),
        ("repetitions", f"<div><p>{SENTENCE}</p></div><div><p>{SENTENCE}</p></div>", "T", [SENTENCE]),
    ],
)
def test_rules_on_marks(name, html, marked, wanted):
    found = evidence(html)
    assert by(name, found, lambda text: text[0] in marked) == wanted
    assert by(name, found, lambda _: False) is None


def test_decide_has_marks_and_records_of_each_other():
    found = evidence(cards(4), listing=1.0)
    decision = decide(found)
    assert isinstance(found, Evidence)
    assert decision.marks.sum() == 8
    assert decision.thread is None
    assert decision.records.is_index


def test_links_with_arrows_that_are_a_list_or_in_the_text_are_no_pagers():
    found = evidence("<p>One.</p>" + "<p><a href=a>Tea →</a></p>" * 3)
    assert len(by("pagers", found, lambda _: True)) == 4
    found = evidence("<p><a href=a>Tea →</a></p><p>One.</p>")
    assert by("pagers", found, lambda _: True) == ["Tea →", "One."]
