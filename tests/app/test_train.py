"""The commands train dataset, train system and train shipped, and the use of their models."""

import json

import pytest
from blocksight.classify.model.model import load_model
from blocksight.classify.model.reading_model import load_readings
from blocksight.classify.model.thread_model import load_threads

SENTENCE = "On the {n}th day the rain stopped, and the whole valley went out to look at what was left of the bridge. "
FAST = ("--folds", 2, "--c", "0.1")


@pytest.fixture(scope="module")
def dataset(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    (folder / "made" / "pages").mkdir(parents=True)
    lines = []
    for n in range(8):
        text = SENTENCE.format(n=n) * 2
        (folder / "made" / "pages" / f"{n}.html").write_text(
            f"<ul><li><a href=/>Home</a><li><a href=/a>About</a></ul><p>{text}</p><p>{text}</p>"
        )
        lines.append(
            {"id": str(n), "gold_text": text + text, "domain": f"{n % 4}.org", "split": "train" if n < 7 else "dev"}
        )
    (folder / "made" / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = run(
        "dataset", folder / "made", "-o", folder / "out", "--no-browser", "--groups", "text,link", "--workers", 1
    )
    assert done.exit_code == 0, done.stderr
    return folder / "out"


def test_train_and_extract(run, dataset, tmp_path):
    model = tmp_path / "new" / "m.npz"
    done = run("train", "dataset", dataset, "-o", model, *FAST)
    assert done.exit_code == 0, done.stderr
    assert "C = 0.1: F1 1.0000 on unseen sites" in done.stderr
    about = load_model(model).about
    assert (about["groups"], about["by C"]["0.1"]["f1"]) == (["text", "link"], 1.0)
    page = dataset.parent / "made" / "pages" / "3.html"
    found = run("extract", "--no-browser", "--model", model, page, "--format", "text")
    assert found.exit_code == 0
    assert found.stdout.count("rain stopped") == 4
    assert "Home" not in found.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-o", "m.pkl"), "should end in .npz"),
        (("-o", "m.npz", "--c", "none"), "numbers with commas between them"),
        (("-o", "m.npz", "--c", "0"), "above 0"),
        (("-o", "m.npz", "--groups", "smell"), "no group of features is called 'smell'"),
        (("-o", "m.npz", "--groups", "visual"), "no features of the group visual"),
    ],
)
def test_wrong_calls(run, dataset, tmp_path, arguments, why, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("train", "dataset", dataset, *arguments)
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_split_held_out(run, dataset, tmp_path):
    done = run("train", "dataset", dataset, "-o", tmp_path / "m.npz", "--test", "dev", *FAST)
    assert done.exit_code == 0
    assert "F1 1.0000 on the split dev" in done.stderr
    assert load_model(tmp_path / "m.npz").about["held out"]["f1"] == 1.0
    done = run("train", "dataset", dataset, "-o", tmp_path / "m.npz", "--split", "all", "--test", "dev")
    assert done.exit_code == 2
    assert "is trained on that split" in done.stderr


def test_nothing_to_learn_from(run, dataset, tmp_path):
    done = run("train", "dataset", dataset, "-o", tmp_path / "m.npz", "--split", "test")
    assert done.exit_code == 1
    assert "needs rows of the split test" in done.stderr


def test_a_model_that_is_none(run, tmp_path):
    (tmp_path / "m.npz").write_bytes(b"nothing")
    (tmp_path / "p.html").write_text("<p>text")
    done = run("extract", "--no-browser", "--model", tmp_path / "m.npz", tmp_path / "p.html")
    assert done.exit_code == 1
    assert "no model of blocksight" in done.stderr
    done = run("extract", "--no-browser", "--model", tmp_path / "m.npz", "--system", "bte", tmp_path / "p.html")
    assert done.exit_code == 2
    assert "--model is for blocksight" in done.stderr


def corpus(folder, made):
    (folder / "pages").mkdir(parents=True)
    lines = []
    for number, (html, gold) in enumerate(made):
        (folder / "pages" / f"{number}.html").write_text(html)
        lines.append(json.dumps({"id": str(number), "gold_text": gold, "domain": f"{number}.org", "split": "train"}))
    (folder / "gold.jsonl").write_text("\n".join(lines))
    return folder


def test_train_system(run, tmp_path):
    text = "The ferry goes at nine in the morning and comes back before the lamps are lit along the quay. " * 4
    made = [(f"<ul><li><a href=/>Home</a></ul><p>{text}</p>", text)] * 3
    output = tmp_path / "mss.npz"
    done = run("train", "system", "mss", corpus(tmp_path / "made", made), "-o", output)
    assert done.exit_code == 0, done.stderr
    assert "trained on 3 pages" in done.stderr
    assert output.is_file()


def test_train_system_wrong_calls(run, tmp_path):
    made = corpus(tmp_path / "made", [])
    (tmp_path / "empty").mkdir()
    for arguments, why in (
        (("bte", made), "no system that learns is called 'bte'"),
        (("mss", made), "no page of the split train"),
        (("mss", tmp_path / "empty"), "gold.jsonl"),
    ):
        done = run("train", "system", *arguments, "-o", tmp_path / "m.npz")
        assert done.exit_code == 2
        assert why in done.stderr
    done = run("train", "system", "mss", corpus(tmp_path / "other", [("<p>a</p>", "z")]), "-o", tmp_path / "m.npz")
    assert done.exit_code == 2
    assert "none of the 1 pages" in done.stderr


@pytest.fixture
def corpora(tmp_path):
    """A folder with one corpus of five sites."""
    text = "The ferry of the {n}th goes at nine in the morning and comes back before the lamps are lit on the quay. "
    made = [(f"<ul><li><a href=/>Home</a></ul><p>{text.format(n=n) * 3}</p>", text.format(n=n) * 3) for n in range(5)]
    corpus(tmp_path / "corpora" / "made", made)
    return tmp_path / "corpora"


def test_train_shipped(run, corpora, tmp_path):
    arguments = ("--rendered", tmp_path / "pages", "-o", tmp_path / "models", "--only", "dom", "--workers", 1)
    done = run("train", "shipped", corpora, *arguments)
    assert done.exit_code == 0, done.stderr
    names = {"blocksight-dom.npz", "readings.npz"}
    assert {path.name for path in (tmp_path / "models").iterdir()} == names
    assert (load_readings(tmp_path / "models" / "readings.npz").deviation > 0).all()
    page = corpora / "made" / "pages" / "1.html"
    model = tmp_path / "models" / "blocksight-dom.npz"
    found = run("extract", "--no-browser", "--model", model, page, "--format", "text")
    assert found.stdout.count("The ferry of the 1th") == 3


def test_a_corpus_of_articles_that_is_not_there(run, corpora, tmp_path):
    arguments = ("--rendered", tmp_path / "pages", "-o", tmp_path / "models", "--articles", "mode")
    done = run("train", "shipped", corpora, *arguments)
    assert done.exit_code == 2
    assert "no corpus mode with pages of the split train" in done.stderr
    assert not (tmp_path / "models").exists()


def test_train_shipped_without_corpora(run, tmp_path):
    done = run("train", "shipped", tmp_path, "--rendered", tmp_path / "pages", "-o", tmp_path / "models")
    assert done.exit_code == 2
    assert "no corpus with pages of the split train" in done.stderr
    assert not (tmp_path / "models").exists()


def test_a_data_set_without_the_name_of_its_command(run, dataset):
    done = run("train", dataset, "-o", "m.npz")
    assert done.exit_code == 2
    assert "there are dataset, shipped, system" in done.stderr


POST = "<div class=post><b class=author>{0}</b> <time>{1} May 2024, 10:3{1}</time><p>{2}</p></div>"
SAID = (
    "Mine whistles at once, and I bought it years ago.",
    "Then yours is older than the one that I have here.",
    "Both are too loud for me, so I boil water in a pot.",
    "A pot takes longer, and nobody hears when it is done.",
)


def test_train_threads(run, tmp_path):
    posts = "".join(POST.format(name, n, SAID[n]) for n, name in enumerate(("Ada", "Ben", "Cleo", "Dora")))
    text = "The kettle whistles before the water is hot enough for tea, as those who live here know. " * 6
    thread, article = f"<h1>Kettles</h1>{posts}", f"<h1>Kettles</h1><p>{text}</p><h2>Comments</h2>{posts}"
    made = [(thread, " ".join(SAID)), (article, text)] * 6
    corpus(tmp_path / "corpora" / "made", made)
    arguments = ("--rendered", tmp_path / "pages", "-o", tmp_path / "models", "--only", "threads", "--workers", 1)
    done = run("train", "shipped", tmp_path / "corpora", *arguments)
    assert done.exit_code == 0, done.stderr
    assert load_threads(tmp_path / "models" / "threads.npz").names
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_train_threads_without_posts(run, corpora, tmp_path):
    arguments = ("--rendered", tmp_path / "pages", "-o", tmp_path / "models", "--only", "threads", "--workers", 1)
    done = run("train", "shipped", corpora, *arguments)
    assert done.exit_code != 0
    assert "0 times with posts" in done.stderr
