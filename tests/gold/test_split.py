"""Which pages are for training."""

import json

import pytest
from blocksight.errors import CorpusUnreadable
from blocksight.gold.split import corpora_in, read_sites, training_pages


def corpus(folder, entries):
    (folder / "pages").mkdir(parents=True)
    for entry in entries:
        (folder / "pages" / f"{entry['id']}.html").write_text("<p>Boil fresh water.</p>")
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return folder


def test_sites_give_the_split(tmp_path):
    (tmp_path / "sites.tsv").write_text("one\ttrain\ntwo\tdev\n\n")
    assert read_sites(tmp_path / "sites.tsv") == {"one": "train", "two": "dev"}


def test_pages_of_the_split_train_with_a_gold_text_and_at_most_so_many_a_site(tmp_path):
    entries = [{"id": f"p{n}", "gold_text": "Boil", "domain": f"s{n % 2}.org", "split": "train"} for n in range(6)]
    entries += [{"id": "dev", "gold_text": "Boil", "split": "dev"}, {"id": "none", "gold_text": "Boil"}]
    entries += [{"id": "snippets", "must_have": ["Boil"], "split": "train"}]
    folder = corpus(tmp_path / "made", entries)
    pages = training_pages([folder])
    assert sorted(page.id for page in pages) == [f"p{n}" for n in range(6)]
    few = training_pages([folder], pages_a_site=2)
    assert sorted(page.site for page in few) == ["s0.org"] * 2 + ["s1.org"] * 2
    assert few == training_pages([folder], pages_a_site=2)
    assert sorted(page.id for page in training_pages([folder], {"s1.org": "dev"})) == ["p0", "p2", "p4"]


def test_the_text_of_a_page_that_is_held_out_is_not_learned(tmp_path):
    entries = [
        {"id": "a", "gold_text": "Boil", "split": "train", "aid": 1},
        {"id": "b", "gold_text": "Boil", "split": "dev", "aid": 1},
        {"id": "c", "gold_text": "Pour", "split": "train", "aid": 2},
    ]
    assert [page.id for page in training_pages([corpus(tmp_path / "made", entries)])] == ["c"]


def test_pages_that_cannot_be_used_end_nothing_and_are_named(tmp_path):
    entries = [{"id": name, "gold_text": "Boil", "split": "train"} for name in "ab"]
    entries += [{"id": "d", "gold_text": "Boil", "split": "dev"}]
    folder = corpus(tmp_path / "made", entries)
    (folder / "gold.jsonl").write_text((folder / "gold.jsonl").read_text() + "\nnot json\n")
    for name in "bd":
        (folder / "pages" / f"{name}.html").unlink()
    left_out = []
    assert [page.id for page in training_pages([folder], left_out=left_out.append)] == ["a"]
    assert sorted(page.id for page in left_out) == ["b", "line 4"]
    assert all(page.error for page in left_out)


def test_a_folder_of_corpora(tmp_path):
    one, two = (corpus(tmp_path / name, []) for name in ("one", "two"))
    (tmp_path / "three").mkdir()
    assert corpora_in(tmp_path) == [one, two]
    with pytest.raises(CorpusUnreadable, match="no corpus"):
        training_pages([tmp_path / "three"])
