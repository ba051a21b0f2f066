"""Labels that people gave by hand: read from files that only grow, laid on pages of the same text."""

import json

import pytest
from blocksight.gold.annotations import (
    LabelsUnreadable,
    leaf_digest,
    match_leaves,
    read_annotations,
    read_changes,
)
from blocksight.gold.pages import BOILERPLATE, UNCERTAIN
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE

PAGE = parse("<nav>Home</nav><h1>Tea</h1><p>Boil <b>fresh</b> water.</p><footer>Share</footer>")


def line(*leaves, page="p1", change="set", who="anna"):
    said = [[place, leaf_digest(text), role, content] for place, text, role, content in leaves]
    return json.dumps({"page": page, "url": "https://a.org/", "who": who, "change": change, "leaves": said})


def written(tmp_path, *lines, end="\n"):
    path = tmp_path / "anna.jsonl"
    path.write_text("\n".join(lines) + end, encoding="utf-8")
    return path


def test_merge_changes_last_label(tmp_path):
    path = written(
        tmp_path,
        line((0, "Home", "navigation", False), (2, "Boil ", "body", True)),
        line((2, "Boil ", "caption", False)),
        line((1, "Tea", "title", False), page="p2"),
    )
    said = read_annotations(path)
    assert set(said) == {"p1", "p2"}
    found = match_leaves(PAGE, said["p1"])
    assert found.content.tolist() == [BOILERPLATE, UNCERTAIN, BOILERPLATE, UNCERTAIN, UNCERTAIN, UNCERTAIN]
    assert found.role.tolist() == [ROLE["navigation"], -1, ROLE["caption"], -1, -1, -1]
    assert found.unmatched == 0


def test_withdrawn_labels_have_no_annotator(tmp_path):
    path = written(tmp_path, line((0, "Home", None, True)), line((0, "Home", None, None), change="undo"))
    said = read_annotations(path)["p1"]
    assert (dict(said.leaves), said.done) == ({}, False)
    assert [change.kind for change in read_changes(path)] == ["set", "undo"]


def test_merge_changes_done(tmp_path):
    path = written(tmp_path, line((0, "Home", None, False), change="done"), line((0, "Home", None, True)))
    assert read_annotations(path)["p1"].done


def test_match_leaves_moved_text(tmp_path):
    path = written(
        tmp_path,
        line((0, "Home", None, False), (2, "Boil ", "body", True), (5, "Share", "promotion", False)),
    )
    other = parse("<div>Skip to content</div><nav>Home</nav><h1>Tea</h1><p>Boil it</p><footer>Share</footer>")
    found = match_leaves(other, read_annotations(path)["p1"])
    assert found.content.tolist() == [UNCERTAIN, BOILERPLATE, UNCERTAIN, UNCERTAIN, BOILERPLATE]
    assert found.unmatched == 1


def test_match_leaves_ambiguous_text(tmp_path):
    path = written(tmp_path, line((0, "Reply", None, False)))
    found = match_leaves(parse("<p>First<p>Reply<p>Reply"), read_annotations(path)["p1"])
    assert (found.content.tolist(), found.unmatched) == ([UNCERTAIN] * 3, 1)


def test_leaf_digest_white_space():
    assert leaf_digest(" Boil\n  it ") == leaf_digest("Boil it") != leaf_digest("boil it")


def test_read_changes_truncated_last_line(tmp_path):
    path = written(tmp_path, line((0, "Home", None, False)), line((1, "Tea", None, True))[:50], end="")
    assert list(read_annotations(path)["p1"].leaves) == [0]


@pytest.mark.parametrize(
    "wrong",
    [
        "{",
        "[]",
        '{"page": "p", "who": "a"}',
        '{"page": 1, "who": "a", "leaves": []}',
        '{"page": "p", "who": "a", "leaves": [[0, "d", "king", true]]}',
        '{"page": "p", "who": "a", "leaves": [[-1, "d", null, true]]}',
        '{"page": "p", "who": "a", "leaves": [[true, "d", null, true]]}',
        '{"page": "p", "who": "a", "leaves": [[0, "d", ["body"], true]]}',
        '{"page": "p", "who": "a", "leaves": [[0, "d", null, 7]]}',
        '{"page": "p", "who": "a", "leaves": [[0, "d"]]}',
    ],
)
def test_read_changes_damaged_line(tmp_path, wrong):
    path = written(tmp_path, line((0, "Home", None, False)), wrong)
    with pytest.raises(LabelsUnreadable, match="line 2"):
        read_changes(path)


def test_read_changes_missing_file(tmp_path):
    with pytest.raises(LabelsUnreadable, match=r"nobody\.jsonl"):
        read_changes(tmp_path / "nobody.jsonl")
