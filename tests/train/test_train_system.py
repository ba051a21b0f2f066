"""Which pages a system of the literature is trained on."""

import json
from dataclasses import dataclass, replace

import pytest
from blocksight.classify.system import Card
from blocksight.classify.systems.learning.trainable import Learned
from blocksight.train.train_system import train_system

TEXT = "A paragraph of some words about the harbour and its boats."


@dataclass(frozen=True, kw_only=True)
class Listener:
    """Learns nothing but which pages there are."""

    model: Learned | None = None
    model_name = "listener"
    card = Card(name="listener", title="", paper="", year=2026, visual=False, trained=True)

    def learn(self, pages):
        return replace(self, model=Learned(system="listener", arrays={}, settings={"n": len(list(pages))}))


def corpus(folder, *kinds):
    """A corpus of thirty pages, of these kinds by turns or of none."""
    (folder / "pages").mkdir(parents=True)
    lines = []
    for n in range(30):
        entry = {"id": f"{folder.name}{n}", "gold_text": TEXT, "domain": f"{folder.name}{n}.org", "split": "train"}
        lines.append(entry | ({"kind": kinds[n % len(kinds)]} if kinds else {}))
        (folder / "pages" / f"{folder.name}{n}.html").write_text(f"<p>{TEXT}</p>")
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_a_corpus_that_names_kinds_does_not_crowd_out_others(tmp_path):
    folders = [corpus(tmp_path / "plain"), corpus(tmp_path / "typed", "article", "forum", "listing", "product")]
    taken = train_system(Listener(), folders, limit=30).model.about["corpora"]
    assert sum(taken.values()) == 30
    assert taken["plain"] >= 10


def test_gold_of_pieces_is_not_learned_as_a_text(tmp_path):
    folder = corpus(tmp_path / "pieces")
    piece = {"text": TEXT, "role": "content", "leaves": [0, 1]}
    entries = [json.loads(line) | {"pieces": [piece]} for line in (folder / "gold.jsonl").read_text().splitlines()]
    del entries[0]["gold_text"]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    assert train_system(Listener(), [folder]).model.settings == {"n": 29}
    (folder / "gold.jsonl").write_text(json.dumps(entries[0]))
    with pytest.raises(ValueError, match="has a gold text, only pieces"):
        train_system(Listener(), [folder])
