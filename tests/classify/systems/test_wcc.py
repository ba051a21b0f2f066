"""The two WCC systems that need no training, by hand."""

from blocksight.classify.systems.wcc import WccBaseline, WccHeuristic

# Eleven words of four letters: more than ten, longer than three on average.
LONG = " ".join(["word"] * 11)


def lines(*texts):
    return "".join(f"<div>{text}</div>" for text in texts)


def test_baseline_takes_every_line(marked):
    assert marked(WccBaseline(), "a<p>b</p><p hidden>c</p>d is seen") == ["a", "b", "d is seen"]


def test_a_paragraph_has_more_than_ten_words_longer_than_three_on_average(marked):
    assert marked(WccHeuristic(), lines(LONG)) == [LONG]
    assert marked(WccHeuristic(), lines(" ".join(["word"] * 10))) == []
    assert marked(WccHeuristic(), lines(" ".join(["abc"] * 11))) == []


def test_a_pending_short_line_is_the_heading(marked):
    assert marked(WccHeuristic(), lines("First", "Title", LONG)) == ["Title", LONG]
    # It is used up by its paragraph.
    assert marked(WccHeuristic(), lines("Title", LONG, LONG)) == ["Title", LONG, LONG]


def test_a_heading_is_within_three_lines(marked):
    # Lines of three characters are passed over, but counted.
    assert marked(WccHeuristic(), lines("Title", "***", "***", LONG)) == ["Title", LONG]
    assert marked(WccHeuristic(), lines("Title", "***", "***", "***", LONG)) == [LONG]


def test_a_line_goes_through_inline_tags(marked):
    words = LONG.split()
    html = f"<p>{' '.join(words[:5])} <b>{words[5]}</b> {' '.join(words[6:])}</p>"
    assert len(marked(WccHeuristic(), html)) == 3
