"""What recurs on a site, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.memory.site_memory import MemorySystem, SiteMemory, remove_leaves, site_of
from blocksight.classify.systems.mss.simple import LongestDiv

NOTICE = "© 2024 The Harbour Gazette. All rights reserved."
PROMO = "Sign up for our letter every Friday"
TEXTS = [
    "Rain is expected in the north of the county.",
    "The ferry will not sail on Monday morning.",
    "Council votes for a bridge of stone.",
    "Nobody has seen the lighthouse keeper since.",
    "A whale was heard, but not seen, off the bar.",
]


def page(number, *, site="gazette.example", notice=NOTICE):
    html = f"<p>{TEXTS[number]}</p><p>{PROMO}</p><p>Ingredients</p><p>{notice}</p>"
    return bs.parse(html, url=f"https://www.{site}/{number}")


def recurring(memory, wanted, **more):
    marks = memory.recurring(wanted, **more)
    return [text for text, mark in zip(wanted.leaf_texts, marks, strict=True) if mark]


def learnt(*numbers, **settings):
    memory = SiteMemory(**settings)
    for number in numbers:
        memory.learn(page(number))
    return memory


def test_a_notice_recurs_when_it_is_seen_again():
    assert recurring(SiteMemory(), page(0)) == []
    assert recurring(learnt(0), page(1)) == [NOTICE]


def test_next_years_notice_is_the_same():
    later = NOTICE.replace("2024", "2025")
    assert recurring(learnt(0), page(1, notice=later)) == [later]


def test_other_lines_with_other_numbers_are_others():
    memory = SiteMemory()
    for number in range(1, 5):
        memory.learn(page(number, notice=f"It was set in type on the {number} of May"))
    assert recurring(memory, page(0, notice="It was set in type on the 9 of May")) == [PROMO]


def test_two_characters_are_a_word_where_words_are_not_spaced():
    memory = SiteMemory()
    for number in range(1, 5):
        memory.learn(page(number, notice="每日经济新闻<p>本站所有图片均来自网络"))
    assert recurring(memory, page(0, notice="每日经济新闻<p>本站所有图片均来自网络")) == [
        PROMO,
        "本站所有图片均来自网络",
    ]


@pytest.mark.parametrize(
    "notice",
    ["Copyright The Gazette", "(c) 2024 The Gazette", "Tous droits réservés", "版权所有", "Все права защищены"],
)
def test_notices_of_other_languages(notice):
    memory = SiteMemory()
    memory.learn(page(0, notice=notice))
    assert recurring(memory, page(1, notice=notice)) == [notice]


def test_other_lines_recur_when_they_are_seen_on_three_pages():
    assert recurring(learnt(0, 1), page(3)) == [NOTICE]
    # Short lines do not: they may be headings.
    assert recurring(learnt(0, 1, 2), page(3)) == [PROMO, NOTICE]
    assert recurring(learnt(0, 1, 2, least_words=1), page(3)) == [PROMO, "Ingredients", NOTICE]


def test_the_share_of_the_sites_pages():
    memory = learnt(0, 1, 2)
    for number in range(8):
        memory.learn(bs.parse(f"<p>Another page, number {'x' * number}</p>", url=f"https://gazette.example/x{number}"))
    # 3 of 11 pages are less than 0.3; the notice needs no share.
    assert recurring(memory, page(3)) == [NOTICE]


def test_a_page_does_not_recur_by_itself():
    memory = learnt(0, 0, 0, 0)
    assert recurring(memory, page(0)) == []
    # Nor where it has changed meanwhile.
    changed = bs.parse(f"<p>{TEXTS[0]}</p><p>{NOTICE}</p><p>Corrected at noon</p>", url=page(0).url)
    memory.learn(changed)
    assert recurring(memory, changed) == []


def test_sites_are_kept_apart():
    memory = learnt(0, 1, 2)
    assert recurring(memory, page(3, site="other.example")) == []
    assert recurring(memory, page(3, site="other.example"), site="gazette.example") == [PROMO, NOTICE]
    assert site_of(page(0)) == "gazette.example"
    assert site_of(bs.parse("<p>x</p>")) == ""


def test_marks_are_cleaned():
    marks = np.array([True, True, False, True])
    assert learnt(0, 1, 2).clean(page(3), marks).tolist() == [True, False, False, False]


def test_memory_is_bounded():
    memory = SiteMemory(capacity=100)
    for number in range(200):
        html = f"<p>{NOTICE}</p>" + "".join(f"<p>{'a' * number} {'b' * line} once</p>" for line in range(20))
        memory.learn(bs.parse(html, url=f"https://gazette.example/{number}"))
        assert len(memory) <= 100 + 22
    # What is seen often stays.
    assert recurring(memory, page(1)) == [NOTICE]


def test_no_text_is_kept(tmp_path):
    learnt(0, 1, 2).save(tmp_path / "site.npz")
    with np.load(tmp_path / "site.npz", allow_pickle=False) as file:
        assert all(column.dtype.kind in "iuf" for column in file.values())


def test_saved_and_loaded(tmp_path):
    memory = learnt(0, 1, 2, least_words=1, capacity=500)
    memory.save(tmp_path / "site.npz")
    loaded = SiteMemory.load(tmp_path / "site.npz")
    assert (loaded.least_words, loaded.capacity, len(loaded)) == (1, 500, len(memory))
    assert recurring(loaded, page(3)) == recurring(memory, page(3)) == [PROMO, "Ingredients", NOTICE]
    assert [path.name for path in tmp_path.iterdir()] == ["site.npz"]


def test_what_is_no_memory(tmp_path):
    (tmp_path / "text.npz").write_text("no memory")
    with pytest.raises(bs.ModelMismatch, match=r"text.npz: this is no site memory .*; create one with SiteMemory"):
        SiteMemory.load(tmp_path / "text.npz")
    memory = learnt(0)
    memory.capacity = 1
    memory.save(tmp_path / "damaged.npz")
    with pytest.raises(bs.ModelMismatch, match=r"damaged\.npz: this site memory is damaged"):
        SiteMemory.load(tmp_path / "damaged.npz")


@pytest.mark.parametrize("settings", [{"least_pages": 0}, {"notice_pages": 0}, {"capacity": 1}])
def test_settings_without_sense(settings):
    with pytest.raises(ValueError, match="at least"):
        SiteMemory(**settings)


LEGAL = f"{NOTICE} No part of it may be copied, kept, shown or sold without the written leave of the publisher."


def story(number):
    html = f"<div>{TEXTS[number]}</div><div>{LEGAL}</div>"
    return bs.parse(html, url=f"https://gazette.example/{number}")


def found(system, wanted):
    return [text for text, mark in zip(wanted.leaf_texts, system.mark(wanted), strict=True) if mark]


def test_a_misled_system_is_asked_again():
    # The notice is longer than the story: the longest div, until the second page tells.
    system = MemorySystem(system=LongestDiv(), memory=SiteMemory())
    assert found(system, story(0)) == [LEGAL]
    assert found(system, story(1)) == [TEXTS[1]]
    assert found(system, story(0)) == [TEXTS[0]]
    assert system.card.name == "longest-div+memory"


def test_what_comes_along_is_taken_out():
    class Everything:
        card = LongestDiv.card

        def mark(self, page):
            return np.ones(len(page.leaves), dtype=bool)

    system = MemorySystem(system=Everything(), memory=SiteMemory())
    assert found(system, page(0)) == list(page(0).leaf_texts)
    assert found(system, page(1)) == [TEXTS[1], PROMO, "Ingredients"]
    assert bs.extract(page(2), system=system).text == f"{TEXTS[2]}\n\n{PROMO}\n\nIngredients"


def test_without_leaves():
    whole = page(0)
    part = remove_leaves(whole, np.array([False, True, False, True]))
    assert part.leaf_texts == (TEXTS[0], "Ingredients")
    assert len(part) == len(whole)
