"""All blocks of a page: kept or not, how likely, and why."""

from dataclasses import replace
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.classify.model.model import shipped_model
from blocksight.classify.systems.blocksight import Blocksight

PROSE = "Eels come back to the river in spring, when the water is warm enough, and leave it in autumn. " * 3
HTML = f"<title>Eels</title><nav><a href=/a>Home</a> <a href=/b>News</a></nav><h1>Eels</h1><p>{PROSE}</p><p>{PROSE}</p>"


def test_every_block_has_a_verdict():
    doc = bs.extract(bs.parse(HTML), blocks="all")
    assert [(one.kept, one.kind) for one in doc.all_blocks][-2:] == [(True, "paragraph"), (True, "paragraph")]
    menu = doc.all_blocks[0]
    assert not menu.kept
    assert menu.probability < 0.5
    assert menu.reason == doc.dropped[0].reason != ""
    assert doc.to_dict()["all_blocks"][0]["kept"] is False
    assert doc.all_blocks[-1].reason == ""


def test_every_block_has_a_role():
    found = bs.extract(bs.parse(HTML), blocks="all").to_dict()["all_blocks"]
    assert [one["role"] for one in found] == ["navigation", "title", "body", "body"]
    assert all(0 < one["role_probability"] <= 1 for one in found)
    assert bs.extract(bs.parse(HTML)).blocks[-1].role == "body"


def test_what_comes_out_can_be_chosen():
    page = bs.parse(HTML)
    assert not bs.extract(page).text.startswith("Eels\n")
    assert bs.extract(page, keep="title").text.startswith("Eels\n")
    assert bs.extract(page, keep="navigation").text.startswith("Home")
    with pytest.raises(ValueError, match="titel"):
        bs.extract(page, keep="titel")


def test_stated_defaults_are_the_default():
    html = Path(__file__).parents[2].joinpath("fixtures/layouts-shops/discourse-thread.html").read_bytes()
    page = bs.parse(html)
    assert bs.extract(page, keep="standfirst,note").text == bs.extract(page).text


def test_they_are_kept_when_they_are_asked_for():
    doc = bs.extract(bs.parse(HTML))
    assert "all_blocks" not in doc.to_dict()
    with pytest.raises(ValueError, match='blocks="all"'):
        _ = doc.all_blocks
    with pytest.raises(ValueError, match="content or all"):
        bs.extract(bs.parse(HTML), blocks="some")


def test_a_system_without_a_model_gives_no_reasons():
    found = bs.extract(bs.parse(HTML), system="bte", blocks="all").all_blocks
    assert {(one.probability, one.reason) for one in found} == {(None, "")}
    assert any(one.kept for one in found)


def test_who_really_judged():
    page = bs.parse(HTML)
    assert bs.extract(page).system == "blocksight-dom"
    own = replace(shipped_model(visual=False), name="mine.npz")
    assert bs.extract(page, system=Blocksight(model=own)).system == "blocksight-dom (mine.npz)"
