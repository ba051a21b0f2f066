"""The command ``blocksight map``."""

import json

import pytest


def test_marks_are_png_or_webp_of_one_page(run):
    assert run("map", "page.html", "--picture", "page.gif").exit_code == 2
    assert run("map", "a.html", "b.html", "--picture", "page.png").exit_code == 2


@pytest.mark.browser
def test_text_json_and_marks(run, fixtures, tmp_path):
    page, picture = str(fixtures / "layouts" / "login.html"), tmp_path / "marks.png"
    result = run("map", page, "--picture", str(picture))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("Sign in | ")
    assert "button Sign in" in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    result = run("map", page, "--format", "json")
    assert {one["role"] for one in json.loads(result.stdout)["controls"]} == {"textbox", "checkbox", "button", "link"}
