"""What a page shows twice is written once."""

A, B, C = (f"Sentence {name} is long enough to be one that nobody would say twice on purpose." for name in "ABC")


def test_a_caption_four_times(written):
    assert written(f"<p>{A}</p>" + f"<div>{B}</div>" * 4 + f"<p>{C}</p>").text == f"{A}\n\n{B}\n\n{C}"


def test_short_words_may_be_said_again(written):
    assert written("<p>Yes.</p><p>No.</p><p>Yes.</p>").text == "Yes.\n\nNo.\n\nYes."


def test_the_short_form_before_the_long_one(written):
    html = (
        f"<div>{A} Then it goes on … <a href=#>more</a></div><div>{A} Then it goes on and on. <a href=#>less</a></div>"
    )
    assert written(html).text == f"{A} Then it goes on and on. less"


def test_a_post_that_comes_twice(written):
    post = f"<h2>Head</h2><p>{A}</p><p>{B}</p><p>{C}</p>"
    assert written(f"{post}<h2>Other</h2><p>x y z</p><p>x y</p>{post}").text.count(B) == 1


def test_far_apart_a_sentence_may_come_again(written):
    between = "".join(f"<p>{number} words</p>" for number in range(6))
    assert written(f"<p>{A}</p>{between}<p>{A}</p>").text.count(A) == 2
    assert written(f"<p>{A} {B} {C}</p>{between}<p>{A} {B} {C}</p>").text.count(A) == 1


def test_cells_code_and_verse_repeat_as_they_please(written):
    assert written(f"<table><tr><th>a<th>b<tr><td>{A}<td>{A}</table>").text.count(A) == 2
    assert written(f"<pre>{A}</pre><pre>{A}</pre>").text.count(A) == 2
    assert written(f"<p>{A}<br>{A}<br>{B}</p><p>x</p><p>{A}<br>{A}<br>{B}</p>").text.count(A) == 4
