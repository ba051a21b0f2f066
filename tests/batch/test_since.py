"""Only what changed: conditional requests, rows that are carried over, and the column ``changed``."""

import re
import shlex
from dataclasses import replace
from itertools import count
from pathlib import Path

import blocksight as bs
import pandas
import pytest
from blocksight.app.cli import main
from blocksight.app.commands.batch import batch
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.errors import RunStopped
from blocksight.render.network.local_server import QuietHandler, serve
from click.testing import CliRunner

TEXT = "<!doctype html><title>Tea</title><h1>Tea</h1>" + 5 * (
    "<p>Fresh water is boiled, the pot is warmed, and the leaves draw for a while before the tea is poured by hand."
)


class Site(QuietHandler):
    """/etag and /dated have validators, /plain has none, /advert other markup each time, /gone fails at times."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012
    version = 1
    numbers = count()

    def do_GET(self):
        validator = {"/etag": ("ETag", f'"v{self.version}"'), "/dated": ("Last-Modified", f"version {self.version}")}
        known = self.headers.get("If-None-Match") or self.headers.get("If-Modified-Since") or ""
        self.asked.append((self.path, known))
        status, body, more = 200, TEXT, []
        if self.path == "/robots.txt" or (self.path == "/gone" and self.version == 2):
            status = 404
        elif self.path == "/advert":
            body += f"<script>var number = {next(self.numbers)}</script>"
        elif self.version == 2:
            body = TEXT.replace("Fresh", "Cold")
        if self.path in validator:
            more = [validator[self.path]]
            status = 304 if known == more[0][1] else status
        data = b"" if status == 304 else body.encode()
        self.send_response(status)
        for name, value in (("Content-Type", "text/html"), ("Content-Length", str(len(data))), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


PATHS = ("/etag", "/dated", "/plain", "/advert", "/gone")


@pytest.fixture
def site():
    Site.version = 1
    with serve(Site) as address:
        yield address


def rows_of(site, out, **options):
    Site.asked.clear()
    render = bs.RenderOptions(allow_private=True, timeout=120.0)
    chosen = BatchOptions(**{"render": render, "limits": RateLimits(delay=0.0)} | options)
    rows = list(bs.run_batch([site + path for path in PATHS], out, options=chosen))
    asked = {path: [known for one, known in Site.asked if one == path] for path in PATHS}
    return {row["source"].removeprefix(site): row for row in rows}, asked


@pytest.mark.browser
def test_rendered_pages_are_rendered_again_only_where_the_answer_changed(site, tmp_path):
    first, _ = rows_of(site, tmp_path / "1")
    assert {row["changed"] for row in first.values()} == {None}
    assert (first["/etag"]["etag"], first["/dated"]["last_modified"]) == ('"v1"', "version 1")
    second, asked = rows_of(site, tmp_path / "2", since=tmp_path / "1")
    assert {row["changed"] for row in second.values()} == {False}
    # What has no validator is rendered once more: now the digest of its answer is known.
    assert asked == {
        "/etag": ['"v1"'], "/dated": ["version 1"], "/plain": ["", ""], "/advert": ["", ""], "/gone": ["", ""],
    }  # fmt: skip
    assert second["/etag"]["text"] == first["/etag"]["text"]
    assert second["/etag"]["finished"] > first["/etag"]["finished"]
    assert second["/etag"]["seconds_render"] == first["/etag"]["seconds_render"]
    third, asked = rows_of(site, tmp_path / "3", since=str(tmp_path / "2"))
    assert [len(asked[path]) for path in PATHS] == [1, 1, 1, 2, 1]
    assert {row["changed"] for row in third.values()} == {False}
    assert third["/plain"]["rendered"] is True
    Site.version = 2
    last, asked = rows_of(site, tmp_path / "4", since=tmp_path / "3")
    assert {path: row["changed"] for path, row in last.items()} == {
        "/etag": True, "/dated": True, "/plain": True, "/advert": False, "/gone": None,
    }  # fmt: skip
    assert (last["/etag"]["etag"], last["/gone"]["error_kind"]) == ('"v2"', "http")
    assert "Cold water" in last["/plain"]["text"]


@pytest.mark.browser
def test_raw_pages_need_one_request_and_a_run_may_be_repeated_in_its_folder(site, tmp_path):
    first, _ = rows_of(site, tmp_path / "out", browser="auto")
    assert all(len(row["answer_hash"]) == 32 for row in first.values())
    second, asked = rows_of(site, tmp_path / "out", browser="auto", since=2e10)
    assert [len(asked[path]) for path in PATHS] == [1, 1, 1, 1, 1]
    assert {row["changed"] for row in second.values()} == {False}
    assert second["/plain"]["tries"] == 2
    assert second["/plain"]["text"] == first["/plain"]["text"]


@pytest.mark.browser
def test_rows_of_other_settings_are_made_anew(site, tmp_path):
    rows_of(site, tmp_path / "1", browser="auto")
    rows, asked = rows_of(site, tmp_path / "2", browser="auto", since=tmp_path / "1", images="none")
    assert asked["/etag"] == [""]
    assert {row["changed"] for row in rows.values()} == {False}


def test_a_folder_without_a_run_is_refused(tmp_path, plain):
    with pytest.raises(RunStopped, match="there is no ledger of a batch"):
        list(bs.run_batch([], tmp_path / "out", options=replace(plain, since=tmp_path)))


def test_the_option_takes_a_folder(tmp_path):
    bs.BatchOptions(since=Path("corpus"))
    (tmp_path / "ledger.sqlite").touch()
    for value, expected in ((str(tmp_path), tmp_path), ("7d", float)):
        found = batch.make_context("batch", ["a.txt", "-o", "out", "--since", value]).params["since"]
        assert found == expected or isinstance(found, expected)


@pytest.mark.browser
def test_the_transcript_of_the_guide_runs(site, tmp_path, monkeypatch):
    text = (Path(bs.__file__).parent / "docs" / "batch.md").read_text(encoding="utf-8")
    section = text.partition("## Only what changed\n")[2].partition("\n## ")[0]
    assert len(section.split()) <= 200
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls.txt").write_text("".join(f"{site}{path}\n" for path in ("/etag", "/plain", "/advert")))
    commands = re.findall(r"^\$ blocksight (.*)$", section, re.MULTILINE)
    for number, command in enumerate(commands, 1):
        Site.version = number
        done = CliRunner().invoke(main, [*shlex.split(command), "--allow-private", "--delay", "0"])
        assert done.exit_code == 0, done.stderr
    example = re.search(r"^>>> (.*?)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    found = eval(example[1], {"pandas": pandas})
    assert str(found) == example[2].strip()
