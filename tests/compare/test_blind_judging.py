"""Blind judging: which pages, what the page shows and hides, and what is made of a person's choices."""

import json
import re
from pathlib import Path

import pytest
from blocksight.classify.systems import system_named
from blocksight.compare.blind_judging import (
    Case,
    Preference,
    differences,
    make_cases,
    read_preferences,
    sample_pages,
    summarise_preferences,
)
from blocksight.compare.report.report import KEY, write_judging
from blocksight.errors import JudgingUnreadable
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, GoldSnippets

SYSTEMS = (system_named("bte"), system_named("everything"))


def gold(name, text):
    return GoldPage(corpus="c", id=name, path=Path(), texts=(text,))


def test_as_many_pages_of_each_script_and_one_in_twenty_without_content():
    golds = [gold(f"{kind}{n}", text) for kind, text in (("a", "one"), ("s", "かな"), ("i", "一二"), ("e", " "))
             for n in range(30)]  # fmt: skip
    chosen = [page.id[0] for page in sample_pages(golds, 40)]
    # 5 % of 40 are two; the other 38 are 13 of two scripts and 12 of the third.
    assert sorted(chosen.count(kind) for kind in "asi") == [12, 13, 13]
    assert chosen.count("e") == 2
    # What a small group cannot give the others do.
    few = [gold(f"a{n}", "one") for n in range(30)] + [gold("s0", "かな")]
    assert [page.id[0] for page in sample_pages(few, 10)].count("a") == 9
    assert len(sample_pages(few, 100)) == 31
    assert sample_pages([GoldPage(corpus="c", id="x", path=Path(), snippets=GoldSnippets(must_have=("y",)))], 10) == []


@pytest.fixture(scope="module")
def found(corpus):
    return make_cases([page for page in read_corpus(corpus) if page.id in ("p1", "p2", "p3", "p4")], SYSTEMS, seed=3)


def test_answers_are_on_either_side(found):
    assert sorted(case.page.id for case in found) == ["p1", "p2", "p3", "p4"]
    assert {case.left for case in found} == {0, 1}
    for case in found:
        assert case.script == "alphabet"
        everything = case.texts[0 if case.left == 1 else 1]
        assert everything == case.page_text
        assert "All rights are kept." in everything


def test_failures_of_pages_and_systems_are_reported(corpus):
    said = []
    golds = [page for page in read_corpus(corpus) if page.id in ("empty", "p1")]
    assert len(make_cases(golds, SYSTEMS, failed=lambda *failure: said.append(failure))) == 1
    assert [name for name, _ in said] == ["empty"]


def test_the_page_says_not_who_and_asks_for_nothing(found, tmp_path):
    html = write_judging(tmp_path / "new" / "folder", "days", SYSTEMS, found).read_text(encoding="utf-8")
    assert html.count('class="case"') == 4
    assert "bte" not in html.replace("blocksight", "")
    assert "everything" not in html
    assert not re.search(r"<link|@import|url\(|src=|href=\"(?!#)", html)
    assert "default-src 'none'" in html.split("</head>")[0]


def choices(folder, said):
    key = json.loads((folder / KEY).read_text(encoding="utf-8"))
    path = folder / "choices.json"
    path.write_text(json.dumps({"run": key["run"], "choices": said}))
    return path, key


def test_choices_are_given_to_whom_they_belong(found, tmp_path):
    write_judging(tmp_path, "days", SYSTEMS, found)
    first = {"better": "left", "left": "perfect", "right": "garbage"}
    path, key = choices(tmp_path, {"0": first, "1": {"better": "tie"}, "2": {"right": "missed"}})
    names, judged = read_preferences(path, tmp_path / KEY)
    assert names == ("bte", "everything")
    assert [one.page for one in judged] == [case.page.id for case in found]
    on_the_left = key["cases"][0]["left"] == 0
    assert judged[0].better == (1 if on_the_left else -1)
    assert judged[0].grades == (("perfect", "garbage") if on_the_left else ("garbage", "perfect"))
    assert (judged[1].better, judged[2].better, judged[3].better) == (0, None, None)
    assert judged[3].grades == ("", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"run": "other", "choices": {}}', "was saved from another page"),
        ("{", "cannot be read"),
        ("[]", "is damaged"),
        ('{"run": RUN, "choices": {"0": {"better": "up"}}}', "is damaged"),
        ('{"run": RUN, "choices": {"0": {"left": "good"}}}', "is damaged"),
    ],
)
def test_files_that_make_no_sense(found, tmp_path, text, why):
    write_judging(tmp_path, "days", SYSTEMS, found)
    path, key = choices(tmp_path, {})
    path.write_text(text.replace("RUN", json.dumps(key["run"])))
    with pytest.raises(JudgingUnreadable, match=why):
        read_preferences(path, tmp_path / KEY)


def test_verdicts_as_in_the_thesis():
    """Table 2.3: WWW against WWW++; and three pages of which nothing was said, one of them without content."""
    counts = {"alphabet": (6, 80, 12), "syllabary": (0, 44, 6)}
    judged = [
        Preference(page="p", script=script, content=True, better=better, grades=("", ""))
        for script, numbers in counts.items()
        for better, number in zip((1, 0, -1), numbers, strict=True)
        for _ in range(number)
    ]
    judged += [Preference(page="p", script="alphabet", content=False, better=None, grades=("perfect", "garbage"))]
    judged += [Preference(page="p", script="alphabet", content=True, better=None, grades=("missed", ""))] * 2
    found = {one.group: one for one in summarise_preferences(judged)}
    assert list(found) == ["all", "alphabet", "syllabary", "no content"]
    assert (found["all"].comparison.better, found["all"].comparison.tie, found["all"].comparison.worse) == (6, 124, 18)
    assert found["all"].comparison.p == pytest.approx(0.0227, abs=1e-4)
    assert (found["syllabary"].comparison.better, found["syllabary"].comparison.worse) == (0, 6)
    # One perfect and two missed answers of the first, one garbage of the second.
    assert found["all"].rates[0] == pytest.approx((1.0, 1 / 3))
    assert found["all"].rates[1][0] == 0
    assert found["all"].shares[0] == pytest.approx(
        {"perfect": 1 / 3, "major overlap": 0, "garbage": 0, "missed": 2 / 3}
    )
    assert found["syllabary"].shares == ({}, {})


@pytest.mark.browser
def test_a_person_judges_by_keys_and_goes_on_later(found, tmp_path):
    from blocksight.render.chromium.process.executable import find_browser
    from playwright.sync_api import sync_playwright

    path = write_judging(tmp_path, "days", SYSTEMS, found)
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=find_browser().path, args=["--no-sandbox"])
        page = program.new_page()
        page.goto(path.as_uri())
        page.keyboard.press("1")
        page.keyboard.press("2")
        assert page.inner_text("#progress") == "2 of 4 judged"
        assert page.locator(".case:visible").get_attribute("data-case") == "2"
        page.locator(".case:visible select[name=left]").select_option("perfect")
        # Chromium stores what a page keeps a moment later, and a reload may come from another process.
        page.wait_for_timeout(1500)
        page.reload()
        assert page.inner_text("#progress") == "2 of 4 judged"
        with page.expect_download() as download:
            page.click("#save")
        download.value.save_as(tmp_path / "choices.json")
        page.evaluate("localStorage.clear()")
        page.reload()
        assert page.inner_text("#progress") == "0 of 4 judged"
        page.set_input_files("#load", tmp_path / "choices.json")
        page.wait_for_function("document.getElementById('progress').textContent.startsWith('2')")
        program.close()
    _, judged = read_preferences(tmp_path / "choices.json", tmp_path / KEY)
    assert [abs(one.better) if one.better is not None else None for one in judged] == [1, 0, None, None]
    assert "perfect" in judged[2].grades


def test_lines_that_only_one_answer_has_are_marked(tmp_path):
    parts = differences("Tea\n\nBoil water.\nMenu", "Tea\n\nBoil  water.\nWait.")
    assert parts == (
        [("Tea\n\nBoil water.\n", False), ("Menu", True)],
        [("Tea\n\nBoil  water.\n", False), ("Wait.", True)],
    )
    assert differences("", "Tea") == ([], [("Tea", True)])
    case = Case(
        page=gold("a", "Tea"), script="", left=0, texts=("Tea\n<b>", "Tea"),
        page_text="Tea", picture="data:image/png;base64,AA==",
    )  # fmt: skip
    html = write_judging(tmp_path, "made", SYSTEMS, [case]).read_text(encoding="utf-8")
    assert "Tea\n<mark>&lt;b&gt;</mark>" in html
    assert '<img src="data:image/png;base64,AA=="' in html
