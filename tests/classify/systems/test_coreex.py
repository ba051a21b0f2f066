"""CoreEx and its kin, by hand."""

from blocksight.classify.systems.coreex import Constor, Constor2, CoreEx

TEN = "one two three four five six seven eight nine ten"


def test_the_set_of_the_best_node(marked):
    # The div's set are two paragraphs of 10 words: .99 * 20/20 + .01 * 20/23, links counting as one word each. Each
    # paragraph by itself has .99 + .01 * 10/23; body has the div alone, which is as good, and comes first.
    html = f"<div><p>{TEN}</p><p>{TEN}</p></div><ul><li><a>a</a><li><a>b c d</a><li><a>e</a></ul>"
    assert marked(CoreEx(), html) == [TEN, TEN]


def test_a_link_is_one_word(marked):
    # Of 10 words and one link of five, 10/11 = .909 is no link; by the words in the link it would be 10/15.
    by_amount = CoreEx(free_weight=0.4, text_weight=0.6)
    assert marked(by_amount, f"<div><p>{TEN} <a>with a link of five</a></p></div>") == [TEN, "with a link of five"]
    # 9/10 is not more than 0.9: the paragraph does not join, its own text does.
    nine = TEN.removesuffix(" ten")
    assert marked(by_amount, f"<div><p>{nine} <a>with a link of five</a></p></div>") == [nine]


def test_text_weighs_little(marked):
    # The div's set: .99 * 30/31 + .01 * 31/31 = .968; the first paragraph's: .99 * 10/10 + .01 * 10/31 = .993.
    html = f"<div><p>{TEN}</p><p>{TEN} <a>link</a></p><p>{TEN}</p></div>"
    assert marked(CoreEx(), html) == [TEN]
    assert marked(CoreEx(free_weight=0.4, text_weight=0.6), html) == [TEN, TEN, "link", TEN]


def test_without_text_outside_links(marked):
    assert marked(CoreEx(), "<div><a>a</a><a>b</a></div>") == []
    assert marked(Constor(), "<div><a>a</a><a>b</a></div>") == []


def test_constor_keeps_paragraphs_with_links(marked):
    # 4 words and 2 links: 4/6 is no more than 0.9, but more than 0.5. A bare list of links is 0.
    mixed = "<p>see also <a>here</a> or <a>there</a> now</p>"
    html = f"<div><p>{TEN} {TEN}</p>{mixed}<p>{TEN} {TEN}</p><p><a>home</a><a>back</a></p></div>"
    assert "here" not in marked(CoreEx(), html)
    found = marked(Constor(), html)
    assert "here" in found
    assert "home" not in found


def test_constor2_counts_sentences(marked):
    # Two divs of the same density; sentences end in one of them only.
    labels = "<div>" + "<p>Part number six of forty and more</p>" * 4 + "</div>"
    prose = "<div>" + "<p>It rained. We left. Nobody minded it</p>" * 4 + "</div>"
    assert set(marked(Constor2(), labels + prose)) == {"It rained. We left. Nobody minded it"}
