"""Programs in a process of their own, and the reports on published benchmarks (``benchmarks/``)."""

import json
import sys
from importlib import import_module
from pathlib import Path

import blocksight as bs
import numpy as np
import pytest

HTML = "<p>The ferry left the pier at seven.</p>"
#: Answers with the text of the page, and does what the address says.
CHILD = """
import json, os, sys, time
print(json.dumps({"version": "1.2"}), flush=True)
for line in sys.stdin:
    page = json.loads(line)
    if page["url"] == "end":
        os._exit(3)
    if page["url"] == "hang":
        time.sleep(60)
    answer = {"html": page["html"]} if page["url"] is None else {"text": page["url"].upper()}
    print(json.dumps({"error": "no article"} if page["url"] == "fail" else answer), flush=True)
"""


@pytest.fixture
def programs(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    return import_module("peer_programs")


@pytest.fixture
def leaderboards(programs):
    return import_module("commands.leaderboards")


@pytest.fixture
def child(programs):
    one = programs.ChildProgram([sys.executable, "-c", CHILD])
    yield one
    one.stop()


def test_a_child_answers_with_text_or_html(child):
    assert child.version == "1.2"
    assert child.text(HTML, "a", 30) == "A"
    assert child.text("<p>One <b>w</b>ord.</p><p>\ud800 Two.</p>", None, 30).splitlines()[0] == "One word."


@pytest.mark.parametrize(("url", "reason"), [("fail", "no article"), ("end", "the program ended")])
def test_a_child_that_fails_is_asked_again_on_the_next_page(child, url, reason):
    with pytest.raises(bs.PageFailed, match=reason):
        child.text(HTML, url, 30)
    assert child.text(HTML, "b", 30) == "B"


def test_a_child_that_hangs_is_stopped(child):
    with pytest.raises(bs.PageFailed, match=r"not done after 0\.5 s"):
        child.text(HTML, "hang", 0.5)
    assert child.text(HTML, "b", 30) == "B"


def test_programs_that_are_missing_are_named_and_skipped(programs, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(programs, "INTERPRETERS", ())
    names = ["rs-trafilatura", "defuddle", "readability.js", "everything"]
    nothing = tmp_path / "python"
    assert [program.name for program in programs.extractors(names, str(nothing), tmp_path)] == ["everything"]
    said = capsys.readouterr().err
    assert f"rs-trafilatura is skipped: {nothing} does not have it; install it (pip install rs-trafilatura)" in said
    assert said.count("is skipped: ") == 3


def test_a_name_that_is_none_is_refused(programs):
    with pytest.raises(ValueError, match="no-such-program"):
        list(programs.extractors(["no-such-program"], None, None))


@pytest.fixture
def corpus(tmp_path):
    """A corpus of four pages of two sites in the form of WCXB."""
    folder = tmp_path / "wcxb"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for n in range(4):
        text = f"The {n}th ferry left the pier at seven, as it had done every morning for ninety years."
        (folder / "pages" / f"dev-{n:04}.html").write_text(f"<p>Menu</p><p>{text}</p>")
        more = {"gold_text": text, "must_have": ["the pier"], "must_not": ["Menu"], "domain": f"s{n % 2}.org"}
        lines.append({"id": f"dev-{n:04}", "page_type": ("article", "forum")[n // 2]} | more)
    lines.append({"id": "gone", "gold_text": "x"})
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def program(leaderboards, name, answer, version="1"):
    asked = []

    def text(html, page, seconds):
        asked.append(page.url)
        return answer(html)

    return leaderboards.Extractor(name=name, version=version, text=text), asked


OPTIONS = {"split": "all", "limit": None, "rendered": None, "seconds": 10.0}


def test_a_run_writes_predictions_figures_and_a_report(leaderboards, corpus, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(leaderboards, "FEWEST_PAGES", 2)
    right, _ = program(leaderboards, "right", lambda html: html.split("<p>")[2].removesuffix("</p>"))

    def fails(html):
        raise bs.PageFailed("x", "no article")

    leaderboards.run_benchmark(
        leaderboards.WCXB, [right, program(leaderboards, "wrong", fails)[0]], corpus, tmp_path / "out", **OPTIONS
    )
    written = json.loads((tmp_path / "out" / "output" / "right.json").read_text())
    assert sorted(written) == ["0000", "0001", "0002", "0003"]
    assert written["0001"].startswith("The 1th ferry")
    assert json.loads((tmp_path / "out" / "output" / "wrong.json").read_text())["0001"] == ""
    assert (tmp_path / "out" / "results.csv").read_text().splitlines() == [
        "algorithm,version,F1,precision,recall,with,without",
        "right,1,1.0000,1.0000,1.0000,1.0000,0.0000",
        "wrong,1,0.0000,0.0000,0.0000,0.0000,0.0000",
    ]
    report = (tmp_path / "out" / "results.md").read_text()
    assert "4 pages of 2 sites" in report
    assert "| right | 1 | 1.000 [1.000, 1.000] | 1.000 | 1.000 | 1.000 | 0.000 | 0 |" in report
    assert "| F1 by type | article (2) | forum (2) |" in report
    assert "| wrong | +1.000 [+1.000, +1.000] | +1.000 [+1.000, +1.000] | +1.000 [+1.000, +1.000] |" in report
    assert "wrong failed on 4 pages, which count as empty answers; the first: PageFailed" in report
    assert "there is no file gone.html" in capsys.readouterr().err


def test_answers_are_kept_until_the_version_changes(leaderboards, corpus, tmp_path, monkeypatch):
    golds = [gold for gold in leaderboards.read_corpus(corpus) if not gold.error]
    monkeypatch.setattr(leaderboards, "ALL_PEERS", ("peer",))
    path = tmp_path / "answers" / "peer.jsonl"

    def ask(version, pages):
        extractor, asked = program(leaderboards, "peer", lambda html: html, version)
        answers = leaderboards.answer_pages(extractor, pages, path, None, 10.0)
        assert sorted(answers) == sorted(gold.id for gold in pages)
        return len(asked)

    assert ask("1", golds[:2]) == 2
    assert ask("1", golds) == 2
    # The last line was cut off when the run ended.
    path.write_text(path.read_text()[:-20])
    assert ask("1", golds) == 1
    assert ask("2", golds) == 4


def test_answers_of_other_code_are_asked_again(leaderboards, corpus, tmp_path, monkeypatch):
    golds = [gold for gold in leaderboards.read_corpus(corpus) if not gold.error]
    for code, count in (("a", 4), ("a", 0), ("b", 4)):
        monkeypatch.setattr(leaderboards, "code_version", lambda code=code: code)
        extractor, asked = program(leaderboards, "blocksight-dom", lambda html: html)
        leaderboards.answer_pages(extractor, golds, tmp_path / "answers.jsonl", None, 10.0)
        assert len(asked) == count


def test_nothing_to_score(leaderboards, corpus, tmp_path, capsys):
    (corpus / "gold.jsonl").write_text(json.dumps({"id": "dev-0000", "must_have": ["the pier"]}))
    with pytest.raises(SystemExit):
        leaderboards.run_benchmark(leaderboards.WCXB, [], corpus, tmp_path / "out", **OPTIONS)
    assert "has the gold of wcxb" in capsys.readouterr().err


def test_interval_resamples_sites(leaderboards):
    # Two sites of equal pages: a resample is all of one site, or both.
    scores = np.asarray([[0.0], [0.0], [1.0], [1.0]])
    interval = leaderboards.grouped_interval(scores, ["a", "a", "b", "b"])
    assert (interval.value, interval.low, interval.high) == (0.5, 0.0, 1.0)
