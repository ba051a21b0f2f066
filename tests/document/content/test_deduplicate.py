"""What a page shows twice is written once."""

A, B, C = (f"Sentence {name} is long enough to be one that nobody would say twice on purpose." for name in "ABC")


def test_a_caption_four_times(written):
    captions = "".join(f"<figure><figcaption>{B}</figcaption><div class=c{n}>{B}</div></figure>" for n in range(2))
    assert written(f"<p>{A}</p>{captions}<p>{C}</p>").text == f"{A}\n\n{B}\n\n{C}"


def test_what_an_author_says_twice_stays(written):
    assert written(f"<p>{A}</p><p>{B}</p><p>{A}</p>").text.count(A) == 2


def test_short_words_may_be_said_again(written):
    assert written("<p>Yes.</p><p>No.</p><p>Yes.</p>").text == "Yes.\n\nNo.\n\nYes."


def test_the_short_form_before_the_long_one(written):
    html = (
        f"<div>{A} Then it goes on … <a href=#>more</a></div><div>{A} Then it goes on and on. <a href=#>less</a></div>"
    )
    assert written(html).text == f"{A} Then it goes on and on. less"


def test_a_caption_that_the_one_before_says_with_more(written):
    assert written(f"<p>{A} The photographer</p><p>{A}</p><p>{B}</p>").text == f"{A} The photographer\n\n{B}"


def test_a_post_that_comes_twice(written):
    post = f"<div><h2>Head</h2><p>{A}</p><p>{B}</p><p>{C}</p></div>"
    assert written(f"{post}<h2>Other</h2><p>x y z</p><p>x y</p>{post}").text.count(B) == 1


def test_far_apart_a_sentence_may_come_again(written):
    between = "".join(f"<p>{number} words</p>" for number in range(6))
    assert written(f"<p>{A}</p>{between}<div><p>{A}</p></div>").text.count(A) == 2
    assert written(f"<p>{A} {B} {C}</p>{between}<div><p>{A} {B} {C}</p></div>").text.count(A) == 1


def test_cells_code_quotes_and_verse_repeat_as_they_please(written):
    named = f"<div><div class=bbQuote><p>{A}</p></div></div>"
    assert written(f"<div class=post>{A}</div>{named}<p>{B}</p>").text.count(A) == 2
    quote = f"<div><p>x</p><blockquote>{A}</blockquote></div>"
    assert written(f"{quote}{quote}<p>{B}</p>").text.count(A) == 2
    assert written(f"<table><tr><th>a<th>b<tr><td>{A}<td>{A}</table>").text.count(A) == 2
    assert written(f"<pre>{A}</pre><pre>{A}</pre>").text.count(A) == 2
    assert written(f"<p>{A}<br>{A}<br>{B}</p><p>x</p><p>{A}<br>{A}<br>{B}</p>").text.count(A) == 4
