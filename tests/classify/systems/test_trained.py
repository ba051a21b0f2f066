"""What holds for every system that learns, and that it does."""

import numpy as np
import pytest
from blocksight.classify.model.model import shipped_model
from blocksight.classify.systems.learning import trainable as module
from blocksight.classify.systems.learning.trainable import Learned, load_learned, shipped
from blocksight.errors import ModelMismatch, ModelMissing
from blocksight.train.train_system import trainable, trainable_named

pytestmark = pytest.mark.long

#: On raw HTML; those that look at geometry have tests of their own.
DOM = [system for name, system in trainable().items() if name == system.card.name and not system.card.visual]


@pytest.fixture(params=DOM, ids=lambda system: system.card.name)
def system(request):
    return request.param


def test_it_learns_and_does_not_from_labels_that_say_nothing(system, made, accuracy):
    unseen = made(8, seed=1)
    fitted = accuracy(system.learn(made(30)), unseen)
    if system.card.name == "www++":
        return  # Its rules alone part these pages, whatever www has learned.
    # Two labellings, each the contrary of the other: whichever way chance leans in one, it leans back in the other.
    control = np.mean([accuracy(system.learn(made(30, wrong=odd)), unseen) for odd in (0, 1)])
    everything = np.mean([accuracy(_All(), [page]) for page in unseen])
    assert fitted > 0.9
    assert fitted > everything + 0.2
    assert control < fitted - 0.15


class _All:
    def mark(self, page):
        return np.ones(len(page.leaves), dtype=bool)


def test_the_same_pages_give_the_same_file(system, made, tmp_path):
    for name in "ab":
        system.learn(made(30)).model.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_saved_model_marks_as_before(system, made, tmp_path):
    fitted = system.learn(made(30))
    fitted.model.save(tmp_path / "m.npz")
    again = type(system)(model=load_learned(tmp_path / "m.npz"))
    for labelled in made(4, seed=2):
        assert np.array_equal(fitted.mark(labelled.page), again.mark(labelled.page))


def test_no_sentence_of_the_corpus_is_in_the_file(system, made):
    pages = made(30)
    model = system.learn(pages).model
    held = " ".join(str(array.tobytes()) for array in model.arrays.values()) + str(model.settings)
    for labelled in pages:
        words = labelled.gold.split()
        assert not any(" ".join(words[n : n + 2]) in held for n in range(len(words) - 1))


def test_a_missing_model_names_the_command(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    with pytest.raises(ModelMissing, match=r"blocksight train system nowhere CORPUS\.\.\. -o .*nowhere\.npz"):
        shipped("nowhere")


@pytest.mark.parametrize("system", trainable().values(), ids=trainable())
def test_every_trained_system_has_its_model(system):
    model = shipped(system.model_name)
    assert model.system == system.model_name
    assert model.about["split"] == "train"
    assert sum(model.about["corpora"].values()) >= 300


def test_shipped_models_are_small():
    sizes = [path.stat().st_size for path in module.FOLDER.glob("*.npz")]
    assert max(sizes) <= 1_000_000
    assert sum(sizes) <= 3_000_000


def test_files_that_are_no_models(tmp_path):
    (tmp_path / "text.npz").write_text("no model")
    with pytest.raises(ModelMismatch, match=r"no model of a system of blocksight.*`blocksight train system`"):
        load_learned(tmp_path / "text.npz")
    shipped_model(visual=False).save(tmp_path / "other.npz")
    with pytest.raises(ModelMismatch, match=r"no model of a system \(blocksight-system\) but blocksight-model"):
        load_learned(tmp_path / "other.npz")


def test_what_a_model_lacks_is_named():
    model = Learned(system="mss", arrays={})
    with pytest.raises(ModelMismatch, match="no ngram; train one"):
        model.array("ngram")
    with pytest.raises(ModelMismatch, match="has no setting order"):
        model.setting("order")


def test_names():
    assert trainable_named("mss").card.name == "mss"
    with pytest.raises(ValueError, match="no system that learns is called 'bte'; there are mss"):
        trainable_named("bte")
