"""The command compare."""

import json

import blocksight as bs

NEWS = "news/page.html"


def test_all_systems_by_one_name(run, fixtures):
    done = run("compare", "--no-browser", "--format", "json", fixtures / NEWS, "--systems", "bte, all")
    names = [system["name"] for system in json.loads(done.stdout)["systems"]]
    assert names == ["bte", *(system.card.name for system in bs.SYSTEMS if system.card.name != "bte")]


def test_compare_prints_who_keeps_what(run, fixtures):
    done = run("compare", "--no-browser", fixtures / NEWS, "--systems", "blocksight-dom,longest-div,everything")
    assert done.exit_code == 0
    assert "words, " in done.stdout
    lines = done.stdout.splitlines()
    head = lines.index("abc  paragraph")
    rows = {line[5:40]: line[:3] for line in lines[head + 1 :]}
    title = next(marks for text, marks in rows.items() if text.startswith("Council votes to reopen"))
    menu = next(marks for text, marks in rows.items() if text.startswith("Most read"))
    assert title[2] == menu[2] == "●"
    assert menu[0] == "·"
    assert done.stderr == ""


def test_several_pages_have_a_mean(run, fixtures):
    pages = (fixtures / NEWS, fixtures / "short/page.html")
    done = run("compare", "--no-browser", *pages, "--systems", "bte,everything")
    assert "mean of 2 pages: " in done.stdout
    found = [
        json.loads(line) for line in run("compare", "--no-browser", "--format", "json", *pages).stdout.splitlines()
    ]
    words = sum(page["words"] for page in found) / 2
    assert f"│ everything │ {words:>5.0f} │  100%" in done.stdout.split("mean of 2 pages")[1]


def test_compare_as_json(run, fixtures):
    done = run("compare", "--no-browser", "--format", "json", fixtures / NEWS, fixtures / "short/page.html")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 2
    one = found[0]
    assert set(one) == {"source", "url", "title", "words", "disputed", "systems", "agreement", "blocks"}
    everything = [system["name"] for system in one["systems"]].index("everything")
    assert one["systems"][everything]["share"] == 1.0
    assert one["agreement"][everything][everything] == 1.0
    assert all("everything" in block["kept_by"] for block in one["blocks"])
    assert 0 < one["disputed"] <= 1


def test_compare_names_what_failed(run, tmp_path):
    done = run("compare", "--no-browser", tmp_path / "nothing.html")
    assert done.exit_code == 1
    assert "nothing.html" in done.stderr
