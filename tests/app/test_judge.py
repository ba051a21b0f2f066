"""``blocksight judge``: a page for a person, and what they said counted."""

import json

import pytest
from blocksight.app.commands import judge


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "two"
    (folder / "pages").mkdir(parents=True)
    entries = [{"id": f"p{n}", "gold_text": f"It rained {n} times.", "split": "dev"} for n in range(2)]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    for n in range(2):
        (folder / "pages" / f"p{n}.html").write_text(f"<p>It rained {n} times.</p><ul><li><a>Home</a></ul>")
    return folder


def test_from_pages_to_counts(run, corpus, tmp_path):
    made = run("judge", "pages", corpus, "--systems", "bte,everything", "-o", tmp_path, "--seed", 1)
    assert made.exit_code == 0
    assert "2 pages" in made.stderr
    key = json.loads((tmp_path / "key.json").read_text())
    left = key["cases"][0]["left"]
    said = {"0": {"better": "left", "left": "perfect", "right": "garbage"}, "1": {"better": "tie"}}
    (tmp_path / "choices.json").write_text(json.dumps({"run": key["run"], "choices": said}))
    counted = json.loads(run("judge", "count", tmp_path / "choices.json", "--json").stdout)
    assert counted["systems"] == ["bte", "everything"]
    whole = counted["groups"][0]
    assert (whole["group"], whole["better"], whole["tie"], whole["worse"]) == ("all", int(left == 0), 1, int(left == 1))
    winner, loser = ("bte", "everything") if left == 0 else ("everything", "bte")
    assert (whole["grades"][winner]["precision"], whole["grades"][loser]["precision"]) == (1, 0)
    assert whole["grades"][loser]["recall"] is None
    table = run("judge", "count", tmp_path / "choices.json").stdout
    assert "bte better" in table
    assert f"{winner}: perfect 100.0%" in table


def test_wrong_calls(run, corpus, tmp_path):
    one = run("judge", "pages", corpus, "--systems", "bte", "-o", tmp_path)
    assert one.exit_code == 2
    assert "two systems" in one.stderr
    visual = run("judge", "pages", corpus, "--systems", "bte,genieknows", "-o", tmp_path)
    assert visual.exit_code == 2
    assert "--rendered" in visual.stderr
    train = run("judge", "pages", corpus, "--systems", "bte,cetd", "--split", "train", "-o", tmp_path)
    assert "no page of the split train" in train.stderr
    (tmp_path / "choices.json").write_text("{}")
    (tmp_path / "key.json").write_text("{}")
    count = run("judge", "count", tmp_path / "choices.json")
    assert count.exit_code == 1
    assert "is damaged" in count.stderr


def test_help(run):
    assert "judge.html" in run("judge", "pages", "--help").stdout
    assert judge.judge.help.startswith("Compare two systems blind")
