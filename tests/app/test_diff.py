"""blocksight diff: a line for each block that changed, the exit code, and the transcript of the guide."""

import json
import re
import shlex
from pathlib import Path

import blocksight as bs
import pytest

OLD = "<title>Tea</title><h1>Tea</h1><p>Boil fresh water for the pot.<p>Let it draw for three minutes.<p>Serve it hot."
NEW = OLD.replace("three minutes", "four minutes").replace("<p>Serve it hot.", "<p>Add no sugar to green tea.")


@pytest.fixture
def pages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, html in (("old", OLD), ("new", NEW)):
        Path(f"{name}.html").write_text(html)
        bs.save(bs.parse(html), f"{name}.page")


def test_lines_json_and_the_exit_code(run, pages):
    done = run("diff", "old.html", "new.html", "--no-browser", "--system", "everything")
    assert done.stdout.splitlines() == [
        "- Let it draw for three minutes.",
        "+ Let it draw for four minutes.",
        "- Serve it hot.",
        "+ Add no sugar to green tea.",
    ]
    assert done.exit_code == 1
    done = run("diff", "old.html", "new.html", "--no-browser", "--system", "everything", "--format", "json")
    first = json.loads(done.stdout.splitlines()[0])
    assert (first["change"], first["old"]["text"]) == ("changed", "Let it draw for three minutes.")
    assert first["new"]["kind"] == "paragraph"
    same = run("diff", "old.html", "old.html", "--no-browser")
    assert (same.exit_code, same.stdout) == (0, "")
    assert run("diff", "old.html", "none.html", "--no-browser").exit_code == 1


def test_the_transcript_of_the_guide(run, pages):
    text = (Path(bs.__file__).parent / "docs" / "documents.md").read_text(encoding="utf-8")
    section = text.partition("## Differences\n")[2].partition("\n## ")[0]
    assert len(section.split()) <= 200
    command, printed = re.search(
        r"^```text\n\$ blocksight (.*?)\n(.*?)^```", section, re.MULTILINE | re.DOTALL
    ).groups()
    assert run(*shlex.split(command)).stdout == printed
