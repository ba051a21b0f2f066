"""Generated lists and threads: what their gold says is on the page, and a seed gives the same pages."""

import turbohtml
from blocksight.gold.corpora import read_corpus
from generators import list_corpus


def test_list_corpus_gold_is_on_the_page():
    for markup, gold in list_corpus.pages("", 2, seed=3):
        shown = " ".join(turbohtml.parse(markup).text.split())
        for one in gold.get("records", ()):
            assert one.get("title", "") in shown, gold["id"]
            assert one.get("description", "") in shown, gold["id"]
            assert f'href="{one["link"]}"' in markup, gold["id"]
        for post in gold.get("posts", ()):
            lines = [line for name in ("text", "author", "date") for line in post[name].split("\n")]
            assert all(line in shown for line in lines), gold["id"]
            assert post["signature"] in shown, gold["id"]
        assert "[[" not in markup, gold["id"]


def test_pages_seed():
    assert list_corpus.pages("dev", 1, seed=5) == list_corpus.pages("dev", 1, seed=5)
    assert {gold["split"] for _, gold in list_corpus.pages("dev", 1, seed=5)} == {"dev"}


def test_skins_split():
    splits = [skin["split"] for skin in list_corpus.SKINS.values()]
    assert min(splits.count("train"), splits.count("dev")) * 2 >= max(splits.count("train"), splits.count("dev")) > 30


def test_main_writes_a_corpus(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["list_corpus.py", "-o", str(tmp_path), "--split", "train", "--pages", "1"])
    list_corpus.main()
    read = read_corpus(tmp_path)
    assert len(read) == sum(skin["split"] == "train" for skin in list_corpus.SKINS.values())
    assert not [page.error for page in read if page.error]
