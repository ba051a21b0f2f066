"""Peers: imported when used, aligned with the page, and named errors for all that can go wrong."""

import subprocess
import sys
from dataclasses import replace
from types import ModuleType

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems import PEERS, system_named
from blocksight.classify.systems.peers import STOP_LISTS, Peer

SENTENCE = "The ferry left the pier at seven, as it had done every morning for the last ninety years. "
# Some peers drop what is said twice.
PARAGRAPHS = [
    " ".join(SENTENCE.replace("seven", hour).strip() for hour in hours.split())
    for hours in ("one two three four", "five six seven eight", "nine ten eleven twelve")
]
PAGE = bs.parse(
    "<html lang=en><head><title>The last ferry</title></head><body><nav><ul><li><a href=/>Home page</a>"
    "<li><a href=/news>Latest news</a></ul></nav><article><h1>The last ferry</h1>"
    + "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    + "</article><footer><a href=/legal>Legal notice</a></footer></body></html>"
)


def peer(name):
    return next(peer for peer in PEERS if peer.card.name == name)


@pytest.fixture(params=PEERS, ids=lambda peer: peer.card.name)
def installed(request):
    if not request.param.installed:
        pytest.skip(f"{request.param.package} is not installed")
    return request.param


# Some peers' own dependencies warn.
@pytest.mark.filterwarnings("ignore")
def test_the_article_is_found_in_the_page(installed):
    marks = installed.mark(PAGE)
    assert marks.dtype == bool
    found = [text.strip() for text, mark in zip(PAGE.leaf_texts, marks, strict=True) if mark]
    assert set(PARAGRAPHS) <= set(found)
    if installed.card.name == "markdownify":  # writes the whole page
        return
    assert "Home page" not in found
    assert "Legal notice" not in found


@pytest.mark.filterwarnings("ignore")
def test_hidden_text_is_not_marked(installed):
    html = f"<article><p>{SENTENCE * 9}</p><p hidden>{SENTENCE.replace('ferry', 'train')}</p><p>{SENTENCE * 9}</p>"
    page = bs.parse(f"<html lang=en><body>{html}</article></body></html>")
    assert not installed.mark(page)[1]


def test_a_peer_is_called_by_its_name():
    assert system_named("trafilatura") is peer("trafilatura")
    assert not {peer.card.name for peer in PEERS} & {system.card.name for system in bs.SYSTEMS}


def test_one_that_is_missing_says_how_to_get_it():
    missing = replace(peer("resiliparse"), module="no_such_module.inside")
    assert not missing.installed
    with pytest.raises(bs.errors.PeerMissing, match=r"resiliparse is not installed; .*pip install 'resiliparse"):
        missing.mark(PAGE)


def made_up(read):
    sys.modules["made_up_peer"] = ModuleType("made_up_peer")
    return Peer(card=peer("justext").card, module="made_up_peer", package="made-up", read_text=read)


def test_one_that_fails_names_the_page_and_the_reason():
    def read(module, html, page):
        raise KeyError("sentence")

    with pytest.raises(bs.PageFailed, match=r"about:blank: justext failed: KeyError\('sentence'\)"):
        made_up(read).mark(PAGE)


def test_no_text_is_a_legal_answer():
    assert not made_up(lambda module, html, page: " ").mark(PAGE).any()
    assert np.array_equal(made_up(lambda module, html, page: "The last ferry").mark(PAGE).nonzero()[0], [2])


def test_nothing_is_imported_before_it_is_used():
    modules = sorted({peer.module.partition(".")[0] for peer in PEERS})
    command = f"import sys, blocksight; print([name for name in {modules} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_stop_lists_exist():
    justext = pytest.importorskip("justext")
    assert set(STOP_LISTS.values()) <= justext.get_stoplists()


@pytest.mark.filterwarnings("ignore")
def test_justext_finds_the_language():
    if not peer("justext").installed:
        pytest.skip("justext is not installed")
    text = "Die Fähre legte um sieben ab, wie sie es in den letzten Jahren an jedem Morgen und bei jedem Wetter tat. "
    for declared in ("lang=de", "lang=xx", ""):
        page = bs.parse(f"<html {declared}><body><ul><li><a href=/>Start</a></ul><p>{text * 4}</p></body></html>")
        assert peer("justext").mark(page).tolist() == [False, True]


@pytest.mark.filterwarnings("ignore")
def test_justext_without_a_stop_list():
    if not peer("justext").installed:
        pytest.skip("justext is not installed")
    text = "船在岸边停了很久，没有人知道它从哪里来，也没有人问它要到哪里去，天一直下着雨。" * 6
    for declared in ("lang=zh-CN", ""):
        page = bs.parse(f"<html {declared}><body><ul><li><a href=/>首页</a></ul><p>{text}</p></body></html>")
        assert peer("justext").mark(page).tolist() == [False, True]
