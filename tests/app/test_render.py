"""The command render, and what it makes of a saved page."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from blocksight.page.store import dumps, load
from PIL import Image

pytestmark = pytest.mark.usefixtures("in_the_repository")
NEWS = "fixtures/news/page.html"
LOCAL = "--allow-private"


@pytest.mark.browser
def test_render_once_and_work_without_a_browser(run, address, tmp_path, monkeypatch):
    page = tmp_path / "news.page"
    assert run("render", f"{address}/news/page.html", "-o", page, LOCAL).exit_code == 0
    live = run("extract", f"{address}/news/page.html", LOCAL).stdout
    monkeypatch.setenv("BLOCKSIGHT_BROWSER", "/no/such/program")
    assert run("extract", page).stdout == live
    done = run("segment", page, "--format", "json")
    assert done.exit_code == 0
    drawn = run("segment", page, "--overlay", tmp_path / "blocks.html", "--content")
    assert drawn.exit_code == 0, drawn.stderr
    assert "blocks?method=vips&pdoc=10" in (tmp_path / "blocks.html").read_text(encoding="utf-8")
    tree = json.loads(done.stdout)["blocks"][0]
    assert {"box", "doc", "leaves", "children", "separators", "selector", "rule"} <= set(tree)
    assert run("features", page, "-o", tmp_path / "b.csv").exit_code == 0
    assert pd.read_csv(tmp_path / "b.csv")["width"].notna().any()
    listed = run("segment", page).stdout
    # The header, the article, the sidebar, the footer and the notice each begin a block.
    for start in ("The Valley Post", "Council votes", "Most read", "© 2024", "We and our partners"):
        assert re.search(rf"^ +\[[\d ]+\] doc \d+  {start}", listed, re.MULTILINE), start


@pytest.mark.browser
def test_a_damaged_page_is_named(run, tmp_path):
    assert run("render", NEWS, "-o", tmp_path / "a.page", "--screenshot", "none").exit_code == 0
    data = (tmp_path / "a.page").read_bytes()
    (tmp_path / "a.page").write_bytes(data[:-400])
    done = run("extract", tmp_path / "a.page")
    assert done.exit_code == 1
    assert "damaged" in done.stderr


@pytest.mark.browser
def test_segment_formats(run, tmp_path):
    page = tmp_path / "page.page"
    assert run("render", "fixtures/magazine/page.html", "-o", page, "--screenshot", "full").exit_code == 0
    assert run("segment", page, "--format", "tree").stdout.startswith("[")
    assert run("segment", page, "--format", "json", "--json").exit_code == 2


def test_the_picture_of_a_partial_page_shows_its_layout(run, tmp_path):
    whole = load(Path("fixtures/golden/article.page"))
    partial = whole.replace(partial=True, screenshot=None, environment=dict(whole.environment) | {"partial": "slow"})
    (tmp_path / "partial.page").write_bytes(dumps(partial))
    done = run("render", tmp_path / "partial.page", "--picture", tmp_path / "a.png")
    assert done.exit_code == 0
    assert "its lines as bars" in done.stderr
    picture = np.asarray(Image.open(tmp_path / "a.png").convert("L"))
    assert picture.min() < picture.max()
    # A whole page that was saved without a picture has none.
    (tmp_path / "whole.page").write_bytes(dumps(whole.replace(screenshot=None)))
    done = run("render", tmp_path / "whole.page", "--picture", tmp_path / "b.png")
    assert done.exit_code == 1
    assert "without a picture" in done.stderr
