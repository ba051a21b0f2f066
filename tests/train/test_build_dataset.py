"""A corpus to a data set, worked through, broken off and gone on with."""

import json
import os

import pandas as pd
import pyarrow.parquet as pq
import pytest
from blocksight.errors import SettingsMismatch
from blocksight.features.block_table import column_names
from blocksight.gold.corpora import read_corpus
from blocksight.train.build_dataset import PageRowStore, Plan, build_dataset, count_labels

PAGES = {
    "a": ("<ul><li><a href=/>Home</a></ul><p>The mine is deep and old.</p>", "The mine is deep and old."),
    "b": ("<p>Nothing to see</p>", ""),
    "c": ("", "gone"),
}  # fmt: skip


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpora" / "made"
    (folder / "pages").mkdir(parents=True)
    for name, (html, _) in PAGES.items():
        (folder / "pages" / f"{name}.html").write_text(html)
    lines = [{"id": name, "gold_text": gold, "domain": f"{name}.org"} for name, (_, gold) in PAGES.items()]
    lines.append({"id": "d", "must_have": ["x"]})  # its page is missing
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def work_on(corpus, folder, **plan):
    return PageRowStore(
        pages=read_corpus(corpus), folder=folder, rendered=folder / "pages", plan=Plan(**({"static": True} | plan))
    )


def made(work, formats=("parquet",), **more):
    steps = []
    failures = build_dataset(work, formats, progress=lambda *step: steps.append(step), **more)
    return failures, steps


def test_rows_labels_and_keys(corpus, tmp_path):
    work = work_on(corpus, tmp_path / "out", groups=("text", "link"))
    failures, steps = made(work)
    assert list(failures) == ["made/d", "made/c"]
    assert "no file" in failures["made/d"]
    assert steps == [("reading", 1, 1), ("measuring", 1, 3), ("measuring", 2, 3), ("measuring", 3, 3)]
    frame = pd.read_parquet(tmp_path / "out" / "blocks.parquet")
    assert frame[["page", "site", "split", "label"]].values.tolist() == [
        ["made/a", "a.org", "dev", 0], ["made/a", "a.org", "dev", 1], ["made/b", "b.org", "dev", 0],
    ]  # fmt: skip
    assert tuple(frame.columns[-2:]) == column_names("text", "link")[-2:]
    assert set(pd.read_csv(tmp_path / "out" / "dictionary.csv")["name"]) == set(frame.columns)
    assert json.loads((tmp_path / "out" / "failures.json").read_text()) == failures
    assert count_labels(work.dataset()) == {"content": 1, "boilerplate": 2, "unlabelled": 0}


def test_an_ended_run_goes_on(corpus, tmp_path):
    work = work_on(corpus, tmp_path / "out", groups=("text",))

    def stop(what, *_):
        if what == "measuring":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_dataset(work, ("parquet",), progress=stop)
    assert not (tmp_path / "out" / "blocks.parquet").exists()
    first = work.part(work.pages[0]).read_bytes()
    _, steps = made(work)
    assert steps == [("reading", 1, 1), ("measuring", 1, 2), ("measuring", 2, 2)]
    assert work.part(work.pages[0]).read_bytes() == first
    # All that failed is tried again; the rest is there, and another format needs no more.
    named = []
    _, steps = made(work, ("csv",), failed=lambda name, why: named.append((name, why)))
    assert steps == [("reading", 1, 1), ("measuring", 1, 1)]
    assert [name for name, _ in named] == ["made/d", "made/c"]
    assert named[1][1] == "c.html: the page is empty"
    assert len(pd.read_csv(tmp_path / "out" / "blocks.csv")) == 3


def test_a_page_with_another_gold_is_labelled_anew(corpus, tmp_path):
    made(work_on(corpus, tmp_path / "out", groups=("text",)))
    listing = corpus / "gold.jsonl"
    listing.write_text(listing.read_text().replace('"gold_text": ""', '"gold_text": "Nothing to see"'))
    _, steps = made(work_on(corpus, tmp_path / "out", groups=("text",)))
    assert steps == [("reading", 1, 1), ("measuring", 1, 2), ("measuring", 2, 2)]
    assert pd.read_parquet(tmp_path / "out" / "blocks.parquet")["label"].tolist() == [0, 1, 1]


def test_other_settings_need_another_folder(corpus, tmp_path):
    made(work_on(corpus, tmp_path / "out", groups=("text",)))
    with pytest.raises(SettingsMismatch, match=r"\(groups was .*, schema was "):
        made(work_on(corpus, tmp_path / "out", groups=("link",)))


def test_target_nodes(corpus, tmp_path):
    made(work_on(corpus, tmp_path / "out", groups=("text",), method="targets"))
    path = tmp_path / "out" / "blocks.parquet"
    # A list item whose text is all in its link is no target node; the link is.
    assert pd.read_parquet(path)["tag"].tolist() == ["a", "p", "p"]
    assert json.loads(pq.read_schema(path).metadata[b"blocksight"])["about"] == {
        "method": "targets", "input": "raw HTML",
    }  # fmt: skip


def test_several_processes_make_the_same(corpus, tmp_path):
    made(work_on(corpus, tmp_path / "one", groups=("text",)))
    made(work_on(corpus, tmp_path / "two", groups=("text",)), workers=2)
    one, two = (pd.read_parquet(tmp_path / name / "blocks.parquet") for name in ("one", "two"))
    pd.testing.assert_frame_equal(one, two)


class Deadly(PageRowStore):
    """PageRowStore of which one page ends the process."""

    def measure(self, gold):
        if gold.id == "b":
            os._exit(3)
        return PageRowStore.measure(self, gold)


def test_a_process_that_dies_takes_its_page_only(corpus, tmp_path):
    pages = [page for page in read_corpus(corpus) if page.id in ("a", "b")]
    plan = Plan(static=True, groups=("text",))
    work = Deadly(pages=pages, folder=tmp_path / "out", rendered=tmp_path, plan=plan)
    failures, _ = made(work, workers=2)
    assert failures == {"made/b": "the process died on this page"}
    assert set(pd.read_parquet(tmp_path / "out" / "blocks.parquet")["page"]) == {"made/a"}


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ({"groups": ("smell",)}, "no such group"),
        ({"method": "knife"}, "method must be"),
        ({"threshold": 0}, "threshold must be"),
        ({"method": "vips"}, "vips needs geometry"),
    ],
)
def test_wrong_plans(plan, why):
    with pytest.raises(ValueError, match=why):
        Plan(**({"static": True} | plan))


def test_wrong_formats(corpus, tmp_path):
    with pytest.raises(ValueError, match="unknown format: pdf"):
        made(work_on(corpus, tmp_path / "out"), ("pdf",))


@pytest.mark.browser
def test_rendered_pages(corpus, tmp_path):
    work = work_on(corpus, tmp_path / "out", groups=("visual",), static=False)
    made(work)
    frame = pd.read_parquet(tmp_path / "out" / "blocks.parquet")
    assert frame["x"].notna().all()
    assert frame["x_px"].min() >= 0
