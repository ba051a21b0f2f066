"""The report: its content, that it needs no other file, and that it fits narrow and wide windows."""

import re
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.classify.system import Card
from blocksight.classify.systems import system_named
from blocksight.compare.agreement import compare_systems
from blocksight.compare.evaluate import EvaluationConfig, evaluate
from blocksight.compare.measures.measures import MEASURES, measure_named
from blocksight.compare.report.gallery import kept_boxes, missed_and_added, most_disputed, transfer_marks
from blocksight.compare.report.leaderboard import rank_systems
from blocksight.compare.report.report import comparison_html, report_html, write_report
from blocksight.gold.pages import GoldPage, GoldSnippets

SYSTEMS = tuple(map(system_named, ("blocksight", "blocksight-dom", "bte", "longest-div")))


def gold_page(**more):
    return GoldPage(corpus="c", id="1", path=Path(), **more)


def test_missed_and_added_words_are_as_they_are_written():
    gold = gold_page(texts=("High Water at noon. Low water at six.",))
    missed, added = missed_and_added("Home high water at noon. Imprint", gold)
    assert missed == ["Low water at six"]
    assert added == ["Home", "Imprint"]
    assert missed_and_added("", gold) == (["High Water at noon. Low water at six"], [])


def test_missed_and_added_snippets():
    gold = gold_page(snippets=GoldSnippets(must_have=("High water", "noon"), must_not=("Home", "Imprint")))
    assert missed_and_added("Home: high  water\nat noon", gold) == (["High water"], ["Home"])


def test_the_nearest_of_several_golds():
    gold = gold_page(texts=("Headline. Text here.", "Text here."))
    assert missed_and_added("Text here.", gold) == ([], [])


def test_marks_carried_over_to_another_reading():
    one = bs.parse("<p>first</p><p>second</p><p>third</p>")
    other = bs.parse("<p>new</p><p>second </p><div><p>third</p></div>")
    assert transfer_marks(one.leaves == one.leaves[1], one, other).tolist() == [False, True, False]


@pytest.fixture(scope="module")
def evaluated(corpus, tmp_path_factory):
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path_factory.mktemp("report"), systems=SYSTEMS)
    return wanted, evaluate(wanted)


def test_the_report_of_an_evaluation(evaluated):
    _, table = evaluated
    html = report_html(table, MEASURES)
    for part in ("Leaderboard", "Differences", "Groups of pages", "Cost of a page", "Failures"):
        assert f"<h2>{part}</h2>" in html
    assert "8 pages, ranked by" in html
    for name in ("blocksight-dom", "bte", "longest-div", "everything"):
        assert f'<th scope="row">{name} <span' in html
    assert "there is no file missing.html" in html


def test_precision_and_recall_by_pages(evaluated):
    _, table = evaluated
    rows = table[table["system"] == "everything"].dropna(subset="grade").index
    # Of eight pages five perfect, one garbage, two missed: 5 of 6 answers and 5 of 7 pages are right.
    table = table.copy()
    table.loc[rows, "grade"] = ["perfect"] * 5 + ["garbage"] + ["missed"] * 2
    line = next(line for line in rank_systems(table, MEASURES).rows if line.system == "everything")
    assert line.rates == pytest.approx({"precision": 5 / 6, "recall": 5 / 7})
    html = report_html(table, MEASURES)
    assert "<td>83.3 %</td><td>71.4 %</td></tr>" in html
    # Nothing but missed pages has no precision.
    table.loc[rows, "grade"] = "missed"
    assert "<td></td><td>0.0 %</td></tr>" in report_html(table, MEASURES)


def test_the_report_asks_for_nothing(evaluated):
    _, table = evaluated
    html = report_html(table, MEASURES)
    assert not re.search(r"<script|<link|@import|url\(|src=\"(?!data:)", html)
    assert not re.search(r"href=\"(?!#)", html)


def test_names_are_escaped(evaluated):
    _, table = evaluated
    html = report_html(table.assign(corpus="<b>x", kind="a<i>"), MEASURES)
    assert "Evaluation on &lt;b&gt;x" in html
    assert "<i>" not in html.replace("<i>raw", "")


def test_disputed_pages_come_first(evaluated):
    _, table = evaluated
    measure = measure_named("word-bag")
    names = [("bte", "raw"), ("longest-div", "raw")]
    order = most_disputed(table, measure, names, 3)
    wide = table.pivot(index="page", columns="system", values="bag_f1")
    gaps = (wide["bte"] - wide["longest-div"]).abs()
    assert len(order) <= 3
    assert all(gaps[page] > 0 for page in order)
    assert gaps[order[0]] == gaps.max()


@pytest.mark.browser
def test_the_gallery_has_pictures(evaluated):
    wanted, table = evaluated
    path = write_report(wanted, table, pages=2)
    html = path.read_text(encoding="utf-8")
    pages = len(most_disputed(table, measure_named("word-bag"), [("bte", "raw"), ("longest-div", "raw")], 2))
    assert pages
    assert html.count('src="data:image/webp;base64,') == html.count('class="gallery-page"')
    assert '<rect x="' in html
    assert html.count(">the gold</label>") == html.count('class="gallery-page"')
    assert len(list((wanted.out / "gallery").glob("*/*.page"))) == html.count('class="gallery-page"')


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1600])
def test_reports_do_not_overflow(evaluated, browser, width, fixtures):
    _, table = evaluated
    news = bs.parse((fixtures / "news" / "page.html").read_bytes())
    pages = (report_html(table, MEASURES), comparison_html([("news", compare_systems(news))]))
    for html in pages:
        page = browser.open(html.encode(), options=bs.RenderOptions(viewport=(width, 900), timeout=20.0))
        assert page.geometry.size[0] <= width


@pytest.mark.browser
def test_a_comparison_shows_what_each_keeps(browser, address):
    options = bs.RenderOptions(allow_private=True, screenshot="full")
    page = browser.open(f"{address}/news/page.html", options=options)
    html = comparison_html([("the <news>", compare_systems(page, SYSTEMS))])
    assert "the &lt;news&gt;" in html
    assert html.count("data:image/webp") == 1
    assert html.count('type="radio"') == len(SYSTEMS)
    assert "Council votes to reopen the northern footbridge" in html
    boxes = kept_boxes(page, SYSTEMS[0].mark(page))
    assert all(width > 0 and height > 0 for _, _, width, height in boxes)


def test_a_failed_system_is_named_in_the_comparison():
    class Broken:
        card = Card(name="broken", title="", paper="", year=2026, visual=False, trained=False)

        def mark(self, page):
            raise RuntimeError("no idea")

    html = comparison_html([("x", compare_systems(bs.parse("<p>text</p>"), [Broken()]))])
    assert "failed: RuntimeError: no idea" in html
