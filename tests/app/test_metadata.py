"""The command metadata."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("in_the_repository")
NEWS = "fixtures/news/page.html"


def test_one_object_a_line(run):
    done = run("metadata", "--no-browser", NEWS, "fixtures/none.html", "fixtures/short/page.html")
    assert done.exit_code == 1
    assert done.stderr == "fixtures/none.html: no such file\n"
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["source"], first["title"]) == (NEWS, "Council votes to reopen the northern footbridge")
    assert first["sources"]["title"] == "title"
    assert second["source"] == "fixtures/short/page.html"
