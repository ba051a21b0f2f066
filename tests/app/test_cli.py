"""The command line: results on standard output, complaints on standard error, exit codes 0, 1 and 2."""

import json
import subprocess
import sys
import time
from dataclasses import replace

import blocksight as bs
import pandas as pd
import pytest
from blocksight.app.cli import main
from blocksight.app.commands.doctor import examine
from blocksight.render.network.loopback import Quiet, serve
from click.testing import CliRunner

NEWS = "fixtures/news/page.html"
TIMEOUT = ("--timeout", "4")
LOCAL = "--allow-private"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch, fixtures):
    monkeypatch.chdir(fixtures.parent)


def run(*arguments, **more):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False, **more)


def test_extract_without_a_browser(monkeypatch):
    monkeypatch.setattr("blocksight.render.browser.find_browser", lambda _: pytest.fail("the browser was asked for"))
    done = run("extract", "--no-browser", NEWS)
    assert done.exit_code == 0
    assert done.stdout.startswith("# Council votes")
    assert "Most read" not in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("form", ["markdown", "text", "html", "json"])
def test_formats(form):
    done = run("extract", "--no-browser", NEWS, "--format", form)
    assert done.exit_code == 0
    if form == "json":
        found = json.loads(done.stdout)
        assert list(found) == [
            "url", "title", "language", "system", "confidence", "text", "markdown", "html", "blocks", "partial",
            "overlays",
        ]  # fmt: skip
        assert found["title"] == "Council votes to reopen the northern footbridge"
        assert set(found["blocks"][0]) == {"box", "score", "kind", "text"}
        assert 0.5 < found["confidence"] <= 1
    else:
        assert {"markdown": "## What", "text": "Source\tAmount", "html": "<h2>What"}[form] in done.stdout


def test_standard_input(fixtures):
    done = run("extract", "--no-browser", "-", input=(fixtures / "news" / "page.html").read_bytes())
    assert done.exit_code == 0
    assert "northern footbridge will open" in done.stdout


def test_several_pages_and_one_failure():
    done = run("extract", "--no-browser", NEWS, "fixtures/none.html", "fixtures/short/page.html", "--format", "json")
    assert done.exit_code == 1
    assert [json.loads(line)["url"] for line in done.stdout.splitlines()] == [NEWS, "fixtures/short/page.html"]
    assert done.stderr == "fixtures/none.html: no such file\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract",),
        ("extract", "--demo", NEWS),
        ("extract", NEWS, "--format", "pdf"),
        ("extract", NEWS, "--system", "none"),
        ("extract", "-", "-"),
        ("extract", NEWS, "--viewport", "wide"),
        ("extract", NEWS, "--timeout", "0"),
        ("features", NEWS, "-o", "blocks.xls"),
        ("features", NEWS, "-o", "blocks.csv", "--no-browser", "--method", "vips"),
        ("render", NEWS),
        ("segment", NEWS, "--pdoc", "11"),
        ("segment", NEWS, "--json", "--xml"),
        ("nonsense",),
    ],
)
def test_wrong_calls(arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "Error" in done.stderr


@pytest.mark.parametrize("command", ["extract", "render", "segment", "features", "systems", "setup", "doctor"])
def test_help_shows_an_example(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert f"Example: blocksight {command}" in done.stdout


def test_systems():
    done = run("systems", "--json")
    cards = {card["name"]: card for card in json.loads(done.stdout)}
    assert set(cards) == {system.card.name for system in (*bs.SYSTEMS, *bs.PEERS)}
    assert all(cards[system.card.name]["installed"] for system in bs.SYSTEMS)
    assert cards["blocksight"]["visual"]
    assert not cards["blocksight-dom"]["visual"]
    assert all(name in run("systems").stdout for name in cards)


def test_a_peer_that_is_not_installed(monkeypatch):
    peer = replace(bs.PEERS[0], module="no_such_module")
    monkeypatch.setattr("blocksight.app.cli.PEERS", (peer,))
    monkeypatch.setattr("blocksight.classify.systems.PEERS", (peer,))
    (line,) = [line for line in run("systems").stdout.splitlines() if line.startswith(f"{peer.card.name} ")]
    assert line.endswith(", not installed")
    done = run("extract", "--no-browser", "--system", peer.card.name, NEWS)
    assert done.exit_code == 1
    assert f"pip install '{peer.package}'" in done.stderr


def test_a_peer_that_fails_on_one_page_goes_on_with_the_next(monkeypatch):
    def read(module, page):
        if "Council" not in page.title:
            raise RuntimeError("no council")
        return "\n".join(page.leaf_texts)

    monkeypatch.setattr("blocksight.classify.systems.PEERS", (replace(bs.PEERS[0], module="json", read=read),))
    done = run("extract", "--no-browser", "--system", bs.PEERS[0].card.name, "fixtures/index/page.html", NEWS)
    assert done.exit_code == 1
    assert "fixtures/index/page.html: trafilatura failed: RuntimeError('no council')" in done.stderr
    assert "Council votes" in done.stdout


def test_a_visual_system_without_a_browser():
    done = run("extract", "--no-browser", "--system", "vips-words", NEWS)
    assert done.exit_code == 1
    assert "vips-words looks at geometry" in done.stderr


def test_features_without_a_browser(tmp_path):
    for name, read in (("b.csv", pd.read_csv), ("b.parquet", pd.read_parquet)):
        done = run("features", "--no-browser", NEWS, "-o", tmp_path / name)
        assert done.exit_code == 0
        assert done.stdout == ""
        frame = read(tmp_path / name)
        assert frame["source"].unique().tolist() == [NEWS]
        assert frame["text"].str.contains("northern footbridge").any()
        assert frame["width"].isna().all()


def test_a_result_that_cannot_be_written_leaves_what_was_there(tmp_path):
    done = run("features", "--no-browser", NEWS, "-o", tmp_path / "none" / "b.csv")
    assert done.exit_code == 1
    assert "cannot be written" in done.stderr


def test_a_missing_browser_is_told_with_its_cure(monkeypatch):
    monkeypatch.setenv("BLOCKSIGHT_BROWSER", "/no/such/program")
    for arguments in (("extract", NEWS), ("setup",), ("doctor",)):
        done = run(*arguments)
        assert done.exit_code == 1
        assert "/no/such/program" in done.output
        assert "BLOCKSIGHT_BROWSER" in done.output


class Odd(Quiet):
    """Answers as badly as servers do."""

    def do_GET(self):
        answers = {
            "/404": (404, "text/html", b"<p>This page has gone, but it has a body with some words in it.</p>"),
            "/empty": (200, "text/html", b""),
            "/pdf": (200, "application/pdf", b"%PDF-1.4 nothing"),
            "/large": (200, "text/html", b"<p>word " * 4_000_000),
            "/utf8": (200, "text/html; charset=utf-8", b"<title>T</title><p>" + b"caf\xe9 and more words, " * 30),
            "/never": (200, "text/html", b"<title>T</title><p>" + b"The beginning of a page without an end. " * 20),
        }
        status, kind, body = answers[self.path]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if self.path != "/never":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        while self.path == "/never":
            self.wfile.write(b" ")
            time.sleep(0.1)


@pytest.fixture(scope="module")
def odd():
    with serve(Odd) as address:
        yield address


@pytest.mark.browser
def test_bad_input_each_with_its_reason(odd, tmp_path):
    files = {"binary.html": bytes(range(256)) * 9, "empty.html": b"\n", "paper.pdf": b"%PDF-1.7\n"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    reasons = {
        "http://no-such-host.invalid/": "no such host",
        "http://127.0.0.1:2/": "connection refused",
        f"{odd}/404": "HTTP 404 Not Found",
        f"{odd}/empty": "the page is empty",
        f"{odd}/pdf": "application/pdf, not a web page",
        f"{odd}/large": "above the limit of 10 MB",
        tmp_path / "binary.html": "binary data, not a web page",
        tmp_path / "empty.html": "the page is empty",
        tmp_path / "paper.pdf": "a PDF, not a web page",
        tmp_path: "directory",
        "not an address": "no such file",
        "http://exa mple/": "no address",
        "file:///etc/hostname": "only http and https",
    }
    done = run("extract", *reasons, f"{odd}/utf8", LOCAL, *TIMEOUT)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert len(lines) == len(reasons)
    for source, line in zip(reasons, lines, strict=True):
        assert line.startswith(str(source) + ": ")
        assert reasons[source] in line
    assert "caf\ufffd and more words" in done.stdout


@pytest.mark.browser
def test_an_error_page_can_be_taken(odd):
    done = run("extract", f"{odd}/404", "--any-status", LOCAL)
    assert done.exit_code == 0
    assert "This page has gone" in done.stdout


@pytest.mark.browser
def test_a_page_that_never_finishes_comes_out_as_far_as_it_is_there(odd):
    began = time.monotonic()
    done = run("extract", f"{odd}/never", LOCAL, "--timeout", "10")
    assert time.monotonic() - began < 20
    assert done.exit_code == 0
    assert "The beginning of a page" in done.stdout
    assert "partial" in done.stderr


@pytest.mark.browser
def test_render_once_and_work_without_a_browser(address, tmp_path, monkeypatch):
    page = tmp_path / "news.page"
    assert run("render", f"{address}/news/page.html", "-o", page, LOCAL).exit_code == 0
    live = run("extract", f"{address}/news/page.html", LOCAL).stdout
    monkeypatch.setenv("BLOCKSIGHT_BROWSER", "/no/such/program")
    assert run("extract", page).stdout == live
    done = run("segment", page, "--overlay", tmp_path / "blocks.png", "--json")
    assert done.exit_code == 0
    assert (tmp_path / "blocks.png").read_bytes().startswith(b"\x89PNG")
    assert run("segment", page, "--overlay", tmp_path / "blocks.html", "--content").exit_code == 0
    drawn = (tmp_path / "blocks.html").read_text(encoding="utf-8")
    assert '"name":"10"' in drawn
    assert '"probability of content"' in drawn
    assert run("segment", page, "--xml").stdout.startswith("<page ")
    tree = json.loads(done.stdout)["blocks"][0]
    assert set(tree) == {"box", "doc", "leaves", "children", "separators"}
    assert run("features", page, "-o", tmp_path / "b.csv").exit_code == 0
    assert pd.read_csv(tmp_path / "b.csv")["width"].notna().any()
    assert run("segment", page).stdout.count("\n") > 10


@pytest.mark.browser
def test_a_damaged_page_is_named(tmp_path):
    assert run("render", NEWS, "-o", tmp_path / "a.page", "--screenshot", "none").exit_code == 0
    data = (tmp_path / "a.page").read_bytes()
    (tmp_path / "a.page").write_bytes(data[:-400])
    done = run("extract", tmp_path / "a.page")
    assert done.exit_code == 1
    assert "damaged" in done.stderr


@pytest.mark.browser
def test_the_demonstration():
    done = run("extract", "--demo")
    assert done.exit_code == 0
    assert done.stdout.startswith("# The tide mill at Sandwater")
    assert "| Spring | 4.8 | 310 kg |" in done.stdout
    assert "cookies" not in done.stdout


@pytest.mark.browser
def test_doctor_finds_everything_well():
    findings = {finding.what: finding for finding in examine()}
    assert all(finding.good for finding in findings.values()), findings
    assert "rendered and read" in findings["self-test"].found
    assert run("setup").exit_code == 0


def test_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "blocksight", "--version"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0


def corpus(folder, made):
    (folder / "pages").mkdir(parents=True)
    lines = []
    for number, (html, gold) in enumerate(made):
        (folder / "pages" / f"{number}.html").write_text(html)
        lines.append(json.dumps({"id": str(number), "gold_text": gold, "domain": f"{number}.org", "split": "train"}))
    (folder / "gold.jsonl").write_text("\n".join(lines))
    return folder


def test_train_system(tmp_path):
    text = "The ferry goes at nine in the morning and comes back before the lamps are lit along the quay. " * 4
    made = [(f"<ul><li><a href=/>Home</a></ul><p>{text}</p>", text)] * 3
    output = tmp_path / "mss.npz"
    done = run("train-system", "mss", corpus(tmp_path / "made", made), "-o", output)
    assert done.exit_code == 0, done.stderr
    assert "learned from 3 pages" in done.stderr
    assert output.is_file()


def test_train_system_wrong_calls(tmp_path):
    made = corpus(tmp_path / "made", [])
    (tmp_path / "empty").mkdir()
    for arguments, why in (
        (("bte", made), "no system that learns is called 'bte'"),
        (("mss", made), "no page of the split train"),
        (("mss", tmp_path / "empty"), "gold.jsonl"),
    ):
        done = run("train-system", *arguments, "-o", tmp_path / "m.npz")
        assert done.exit_code == 2
        assert why in done.stderr
    done = run("train-system", "mss", corpus(tmp_path / "other", [("<p>a</p>", "z")]), "-o", tmp_path / "m.npz")
    assert done.exit_code == 2
    assert "none of the 1 pages" in done.stderr


def test_a_language_that_a_system_does_not_know(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>" + "Quvex zolmir tandrok fevilu, osprenka druvil hestomar. " * 20)
    done = run("extract", "--no-browser", "--system", "stupidos", page)
    assert done.exit_code == 1
    assert "stupidos was trained on" in done.stderr
    assert "none of them fits" in done.stderr


def test_what_cannot_be_written_is_named_without_a_traceback(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "a.csv"))

    monkeypatch.setattr("blocksight.app.commands.features.table", full)
    done = run("features", "--no-browser", NEWS, "-o", tmp_path / "a.csv")
    assert done.exit_code == 1
    assert done.stderr == f"{tmp_path / 'a.csv'}: No space left on device\n"


def test_interrupted(monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("blocksight.app.commands.extract.start_job", interrupt)
    done = run("extract", "--no-browser", NEWS)
    assert done.exit_code == 130
    assert done.stderr == "blocksight: interrupted\n"
