"""An evaluation from pages to table: what each row says, how it goes on, and what does not stop it."""

import json
import shutil
import time
from dataclasses import replace

import blocksight as bs
import numpy as np
import pandas as pd
import pytest
from blocksight.classify.system import Card
from blocksight.classify.systems import ORACLES, system_named
from blocksight.compare.evaluate import EvaluationConfig, evaluate
from blocksight.compare.measures.measures import MEASURES, measure_named
from blocksight.compare.report.leaderboard import pairwise_differences, rank_systems
from blocksight.errors import SettingsMismatch
from blocksight.gold.split import training_pages

BTE = (system_named("bte"),)
PAGES = [*(f"p{n}" for n in range(8)), "missing", "empty"]


class Own:
    """A system from elsewhere."""

    def __init__(self, name, mark):
        self.card = Card(name=name, title="", paper="", year=2026, visual=False, trained=False)
        self.mark = mark


@pytest.fixture(scope="module")
def table(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    found = evaluate(EvaluationConfig(corpus=corpus, out=out, systems=(bs.SYSTEMS[1], *BTE)))
    assert pd.read_parquet(out / "scores.parquet").shape == found.shape
    assert pd.read_csv(out / "scores.csv").shape == found.shape
    return found


def test_one_row_a_page_and_system(table):
    assert sorted(table["page"].unique()) == sorted(PAGES)
    assert len(table) == len(PAGES) * 3
    assert set(table["system"]) == {"blocksight-dom", "bte", "everything"}
    assert not table.duplicated(["page", "system", "input"]).any()


def test_scores(table):
    row = table[(table["page"] == "p3") & (table["system"] == "everything")].iloc[0]
    # Six menu items of two words, five sentences of 18, a line of four words.
    assert (row["reference_words"], row["page_words"], row["prediction_words"]) == (90, 106, 106)
    assert row["bag_p"] == pytest.approx(90 / 106)
    # The 16 words too many are fewer than a sentence of 18.
    assert row["bag_r"] == 1.0
    assert (row["kind"], row["language"]) == ("news", "en")
    assert row["error"] == ""
    assert row["cpu_seconds"] >= 0


def test_evaluate_unusable_pages(table):
    errors = table.drop_duplicates("page").set_index("page")["error"]
    assert "no file" in errors["missing"]
    assert "empty" in errors["empty"]
    assert (errors.drop(["missing", "empty"]) == "").all()
    assert table[table["error"] != ""]["bag_f1"].isna().all()


def test_a_folder_has_the_pages_of_one_corpus(corpus, tmp_path):
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path / "out", systems=BTE, limit=1)
    evaluate(wanted)
    other = shutil.copytree(corpus, tmp_path / "other")
    with pytest.raises(SettingsMismatch, match=r"other settings \(corpus was "):
        evaluate(replace(wanted, corpus=other))


def test_evaluate_failing_system(corpus, tmp_path):
    def broken(page):
        raise RuntimeError("no idea")

    def slow(page):
        time.sleep(5)

    systems = (Own("broken", broken), Own("slow", slow), Own("short", lambda page: np.ones(1, dtype=bool)))
    start = time.monotonic()
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path, systems=systems, limit=3, seconds=0.2)
    table = evaluate(wanted).set_index("system")
    assert time.monotonic() - start < 20
    measured = table[table["page"].str.startswith("p")]
    assert (measured.loc["broken", "error"] == "RuntimeError: no idea").all()
    assert measured.loc["slow", "error"].str.startswith("OutOfTime: not done after 0.2 s").all()
    assert measured.loc["short", "error"].str.contains("for each of the").all()
    assert (measured.loc[["broken", "slow", "short"], "bag_f1"] == 0).all()
    assert (measured.loc["everything", "bag_f1"] > 0).all()


def test_evaluate_missing_dependency(corpus, tmp_path):
    def missing(page):
        raise ImportError("install it with: pip install it")

    with pytest.raises(ImportError, match="pip install"):
        evaluate(EvaluationConfig(corpus=corpus, out=tmp_path, systems=(Own("own", missing),)))
    assert not list(tmp_path.iterdir())


def test_a_sample_and_a_split(corpus, tmp_path):
    table = evaluate(EvaluationConfig(corpus=corpus, out=tmp_path / "a", systems=BTE, limit=4))
    assert table["page"].nunique() == 4
    assert set(table["kind"]) == {"news", "essay"}
    train = evaluate(EvaluationConfig(corpus=corpus, out=tmp_path / "b", systems=BTE, split="train"))
    assert set(train["page"]) == {"p8"}


@pytest.mark.parametrize(
    "wrong", [{"inputs": ("seen",)}, {"inputs": ()}, {"split": "test"}, {"workers": 0}, {"systems": BTE * 2}]
)
def test_wrong_arguments(corpus, tmp_path, wrong):
    with pytest.raises(ValueError, match=r"must be|two systems"):
        EvaluationConfig(corpus=corpus, out=tmp_path, **wrong)


def test_visual_systems_do_not_run_on_raw_html(corpus, tmp_path):
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path, inputs=("raw", "rendered"))
    raw, rendered = ({one.card.name for one in wanted.systems_for(source)} for source in wanted.inputs)
    assert rendered - raw == {one.card.name for one in bs.SYSTEMS if one.card.visual}


@pytest.mark.browser
def test_rendered_pages_are_kept(corpus, tmp_path):
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path, systems=bs.SYSTEMS[:2], inputs=("raw", "rendered"), limit=4)
    table = evaluate(wanted)
    assert len(table) == 4 * (2 + 3)
    rendered = table[(table["input"] == "rendered") & table["page"].str.startswith("p")]
    assert (rendered["bag_f1"] > 0.5).all()
    assert (rendered["open_seconds"] > 0).all()
    assert len(list((tmp_path / "pages").glob("*/*.page"))) == rendered["page"].nunique()


@pytest.mark.browser
def test_oracles_get_the_gold(corpus, tmp_path):
    oracles = tuple(oracle("") for oracle in ORACLES.values())
    table = evaluate(EvaluationConfig(corpus=corpus, out=tmp_path, systems=oracles, inputs=("rendered",), limit=3))
    scores = table.pivot(index="page", columns="system", values="bag_f1").dropna()
    assert len(scores)
    assert all((scores[name] >= scores["everything"]).all() for name in ORACLES)


def test_several_processes(corpus, tmp_path, table):
    again = evaluate(EvaluationConfig(corpus=corpus, out=tmp_path, systems=(bs.SYSTEMS[1], *BTE), workers=2))
    times = ["cpu_seconds", "open_seconds"]
    pd.testing.assert_frame_equal(again.drop(columns=times), table.drop(columns=times))


def test_sites_for_training_are_not_evaluated(tmp_path):
    """A list of sites means the same for evaluation as for training, also by domain."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>Boil fresh water.</p>")
    (tmp_path / "gold.jsonl").write_text(json.dumps({"id": "a", "gold_text": "Boil", "domain": "tea.org"}))
    sites = {"tea.org": "train"}
    assert [gold.id for gold in training_pages([tmp_path], sites)] == ["a"]
    with pytest.raises(bs.errors.CorpusUnreadable, match="no page of the split dev"):
        EvaluationConfig(corpus=tmp_path, out=tmp_path / "out", sites=sites).pages()
    assert len(EvaluationConfig(corpus=tmp_path, out=tmp_path / "out", sites=sites, split="train").pages()) == 1


# -- boards ---------------------------------------------------------------------------------------------------------


def made_up():
    """Twenty pages; "good" is better by a tenth on all but two, where it is alike."""
    rows = []
    for n in range(20):
        about = {"corpus": "made", "page": f"p{n}", "input": "raw", "visual": False, "cpu_seconds": 0.01, "error": ""}
        for system, gain in (("bad", 0.0), ("good", 0.1 if n > 1 else 0.0)):
            rows.append(about | {"system": system, "bag_f1": 0.3 + n / 50 + gain, "snippet_f1": np.nan})
            counts = {"snippet_right": np.nan, "snippet_wrong": np.nan, "snippet_missed": np.nan}
            rows[-1] |= counts | {"snippet_avoided": np.nan}
    return pd.DataFrame(rows)


BAG, SNIPPETS = measure_named("word-bag"), measure_named("snippets")


def test_rank_systems_first_applicable_measure():
    found = rank_systems(made_up(), (SNIPPETS, BAG))
    assert (found.title, found.measure, found.pages) == ("made", BAG, 20)
    good, bad = found.rows
    assert (good.system, bad.system) == ("good", "bad")
    assert good.score.value == pytest.approx(0.3 + 19 / 100 + 0.1 * 18 / 20)
    assert bad.poor == 10 / 20
    assert good.figures == {"word-bag": good.score.value}
    assert bad.seconds == pytest.approx(0.01)


def test_rank_systems_without_scores():
    with pytest.raises(ValueError, match="no page could be measured"):
        rank_systems(made_up(), (SNIPPETS,))


def test_pairwise_differences_by_hand():
    names = [("good", "raw"), ("bad", "raw")]
    (found,) = pairwise_differences(made_up(), BAG, names)
    assert (found.first, found.second) == tuple(names)
    assert found.difference.value == pytest.approx(0.09)
    assert found.difference.low > 0
    assert (found.better, found.tie, found.worse) == (18, 2, 0)


def test_pairwise_differences_same_pages():
    table = made_up()
    table = table[~((table["system"] == "bad") & (table["page"] == "p5"))]
    (found,) = pairwise_differences(table, BAG, [("good", "raw"), ("bad", "raw")])
    assert found.better + found.tie + found.worse == 19
    assert pairwise_differences(table[table["system"] == "good"], BAG, [("good", "raw")]) == []


def test_leaderboard_compared():
    table = pd.concat([made_up(), made_up().assign(input="rendered", bag_f1=lambda rows: rows["bag_f1"] + 0.01)])
    table = pd.concat([table, made_up().assign(system="everything")])
    good, bad = ([(name, source) for source in ("rendered", "raw")] for name in ("good", "bad"))
    assert rank_systems(table, (BAG,)).compared == [*good, *bad, ("everything", "raw")]


def test_all_measures_apply_to_a_whole_evaluation(table):
    found = rank_systems(table, MEASURES)
    assert found.measure.name == "word-bag"
    assert set(found.rows[0].figures) == {one.name for one in MEASURES if one.needs in ("texts", "labels")}
