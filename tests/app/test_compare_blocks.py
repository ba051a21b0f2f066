"""The command compare with segmentations instead of systems."""

import json

import pytest

NEWS = "news/page.html"


@pytest.mark.browser
def test_methods_and_a_file(run, fixtures, tmp_path):
    page = tmp_path / "news.page"
    assert run("render", fixtures / NEWS, "-o", page, "--screenshot", "full").exit_code == 0
    ours = run("segment", page, "--format", "webis", "--method", "vips")
    (tmp_path / "truth.json").write_text(ours.stdout)
    done = run("compare", page, "--blocks", f"vips,{tmp_path / 'truth.json'},vips:2", "--json")
    found = {(row["one"], row["other"], row["over"]): row for row in json.loads(done.stdout)["pairs"]}
    over = {name for _, _, name in found}
    assert {"pixels", "nodes", "characters"} <= over
    # Fitted to nodes, blocks that are elements stay what they are.
    same = found["vips", "truth.json#vips", "characters"]
    assert same["f1"] > 0.9
    assert found["vips", "vips:2", "characters"]["precision"] == 1
    shown = run("compare", page, "--blocks", "vips,targets").stdout
    assert "characters" in shown
    assert "targets" in shown


@pytest.mark.browser
def test_what_cannot_be_compared_is_said(run, fixtures, tmp_path):
    (tmp_path / "none.json").write_text("{}")
    page = tmp_path / "short.page"
    assert run("render", fixtures / "short/page.html", "-o", page).exit_code == 0
    for names, why in (
        ("vips,vipss", "vips"),
        ("vips", "two segmentations are needed"),
        (f"vips,{tmp_path / 'none.json'}", "no segmentations of Webis"),
    ):
        done = run("compare", page, "--blocks", names)
        assert done.exit_code == 1
        assert why in done.stderr
    assert run("compare", page, "--blocks", "vips,targets", "--systems", "bte").exit_code == 2
