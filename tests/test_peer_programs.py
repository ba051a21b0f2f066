"""Programs in a process of their own, and the reports on published benchmarks (``benchmarks/``)."""

import gzip
import json
import shutil
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


@pytest.fixture
def started(programs):
    """Start programs by name, and end them after the test."""
    running = []

    def start(*arguments):
        running.extend(programs.extractors(*arguments))
        return running

    yield start
    for program in running:
        program.stop()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_package_of_another_python_answers(started, tmp_path, monkeypatch):
    """A package made up here, which also prints messages of its own."""
    module = (
        "from types import SimpleNamespace\n"
        "def extract(html, url):\n"
        "    print('a line between the answers')\n"
        "    return SimpleNamespace(main_content=f'{url}: {len(html)}')\n"
    )
    write(tmp_path / "rs_trafilatura.py", module)
    write(tmp_path / "rs_trafilatura-9.8.dist-info" / "METADATA", "Name: rs-trafilatura\nVersion: 9.8\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (program,) = started(["rs-trafilatura"], sys.executable, None)
    assert (program.name, program.version) == ("rs-trafilatura", "9.8")
    page = bs.parse(HTML, url="https://a.org/b")
    assert [program.text(HTML, page, 30) for _ in range(2)] == [f"https://a.org/b: {len(HTML)}"] * 2


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_packages_of_npm_answer(started, tmp_path):
    modules = tmp_path / "node_modules"
    write(modules / "linkedom" / "index.js", "exports.parseHTML = (html) => ({ document: html });")
    write(modules / "defuddle" / "package.json", '{"version": "1.2", "type": "module"}')
    # It answers with its arguments: for some pages it would ask services of others.
    write(
        modules / "defuddle" / "dist" / "node.js",
        "export const Defuddle = async (page, url, options) => {"
        "  console.log('a line between the answers');"
        "  if (page.includes('seven')) return { content: page + url + JSON.stringify(options) };"
        "  throw new Error('no article');"
        "};",
    )
    dom = "exports.JSDOM = class { window = { document: 1, close() {} } };exports.VirtualConsole = class {};"
    write(modules / "jsdom" / "index.js", dom)
    mozilla = modules / "@mozilla" / "readability"
    write(mozilla / "package.json", '{"version": "3.4", "main": "index.js"}')
    write(mozilla / "index.js", "exports.Readability = class { parse() { return null; } };")
    page = bs.parse(HTML)
    defuddle, readability = started(["defuddle", "readability.js"], None, tmp_path)
    assert (defuddle.version, readability.version) == ("1.2", "3.4")
    answer = defuddle.text(HTML, page, 30)
    assert answer.startswith("The ferry left the pier at seven.")
    assert answer.endswith('https://page.invalid/{"useAsync":false}')
    with pytest.raises(bs.PageFailed, match="no article"):
        defuddle.text("<p>Nothing</p>", page, 30)
    # A page without an article is an empty answer, not an error.
    assert readability.text(HTML, page, 30) == ""


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
    lines.append({"id": "dev-0009", "gold_text": "no file", "domain": "s2.org", "page_type": "forum"})
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
    assert sorted(written) == ["0000", "0001", "0002", "0003", "0009"]
    assert written["0001"].startswith("The 1th ferry")
    assert json.loads((tmp_path / "out" / "output" / "wrong.json").read_text())["0001"] == ""
    assert (tmp_path / "out" / "results.csv").read_text().splitlines() == [
        "algorithm,version,F1,precision,recall,with,without",
        # Of the page without a file nothing is found; without snippets, their shares are 1.
        "right,1,0.8000,0.8000,0.8000,1.0000,0.2000",
        "wrong,1,0.0000,0.0000,0.0000,0.2000,0.2000",
    ]
    report = (tmp_path / "out" / "results.md").read_text()
    assert "5 pages of 3 sites" in report
    assert "| right | 1 | 0.800 [0.000, 1.000] | 0.800 | 0.800 | 1.000 | 0.200 | 1 |" in report
    assert "| F1 by type [95 %] | article (2) | forum (3) |" in report
    assert "| right | 1.000 [1.000, 1.000] | 0.667 [0.000, 1.000] |" in report
    assert "| wrong | +0.800 [+0.000, +1.000] | +1.000 [+1.000, +1.000] | +0.667 [+0.000, +1.000] |" in report
    assert "right failed on 1 pages, which count as empty answers; the first: there is no file dev-0009.html" in report
    assert "wrong failed on 5 pages" in report
    assert "there is no file dev-0009.html" in capsys.readouterr().err


def test_the_file_of_predictions_has_each_page_of_the_benchmark(leaderboards, tmp_path):
    """The scorer of article-extraction-benchmark refuses other keys than those of its ground truth."""
    folder = tmp_path / "benchmark"
    truth = {name: {"articleBody": "Boil fresh water now.", "url": f"http://{name}.org"} for name in ("f00", "f01")}
    write(folder / "ground-truth.json", json.dumps(truth))
    (folder / "html").mkdir()
    (folder / "html" / "f00.html.gz").write_bytes(gzip.compress(b"<p>Boil fresh water now.</p>"))
    extractor, _ = program(leaderboards, "own", lambda html: html.removeprefix("<p>").removesuffix("</p>"))
    leaderboards.run_benchmark(leaderboards.ARTICLE_EXTRACTION, [extractor], folder, tmp_path / "out", **OPTIONS)
    written = json.loads((tmp_path / "out" / "output" / "own.json").read_text())
    assert written == {"f00": {"articleBody": "Boil fresh water now."}, "f01": {"articleBody": ""}}
    # Precision over the page with an answer 1, recall over both 1/2.
    assert (tmp_path / "out" / "results.csv").read_text().splitlines()[1] == "own,1,0.6667,1.0000,0.5000"


def test_any_corpus_is_scored_by_words(leaderboards, tmp_path):
    """Chinese counts by characters, and the best of several gold texts counts."""
    golds = [
        {"id": "a", "gold_text": "早上七点渡轮", "lang": "zh", "split": "dev"},
        {"id": "b", "gold_texts": ["one two three four", "one two"], "lang": "en", "split": "dev"},
        {"id": "c", "gold_text": "not asked", "split": "train"},
    ]
    write(tmp_path / "any" / "gold.jsonl", "\n".join(map(json.dumps, golds)))
    write(tmp_path / "any" / "pages" / "a.html", "<p>早上")
    write(tmp_path / "any" / "pages" / "b.html", "<p>one two")
    extractor, _ = program(leaderboards, "own", lambda html: html.removeprefix("<p>"))
    options = OPTIONS | {"split": "dev"}
    leaderboards.run_benchmark(leaderboards.CORPUS, [extractor], tmp_path / "any", tmp_path / "out", **options)
    assert json.loads((tmp_path / "out" / "output" / "own.json").read_text()) == {"a": "早上", "b": "one two"}
    # F1 2 * 2 / (2 + 6) and 1.
    assert (tmp_path / "out" / "results.csv").read_text().splitlines()[1] == "own,1,0.7500,1.0000,0.6667"


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
    interval = leaderboards.interval(scores, groups=["a", "a", "b", "b"])
    assert (interval.value, interval.low, interval.high) == (0.5, 0.0, 1.0)
