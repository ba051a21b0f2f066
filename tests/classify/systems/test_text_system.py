"""A user's own function from HTML to text as a system."""

import blocksight as bs
import pytest
from blocksight.classify.systems.text_system import TextSystem


def first_paragraph(html):
    return html.partition("<p>")[2].partition("</p>")[0]


PAGE = bs.parse("<div>Rain today</div><p>Rain today and tomorrow, too.</p><p hidden>Rain for ever</p>")


def test_its_text_is_marked():
    assert TextSystem(first_paragraph).mark(PAGE).tolist() == [False, True, False]
    assert bs.extract(PAGE, system=TextSystem(first_paragraph)).text == "Rain today and tomorrow, too."


def test_a_function_is_taken_as_it_is():
    assert bs.extract(PAGE, system=first_paragraph).system == "first_paragraph"
    assert bs.extract(PAGE, system=first_paragraph).text == "Rain today and tomorrow, too."
    with pytest.raises(TypeError, match="3 is neither"):
        bs.extract(PAGE, system=3)


def test_hidden_text_stays_out():
    page = bs.parse(f"<p>{'Rain, wind and fog. ' * 9}</p><p hidden>Snow for ever</p>")
    assert TextSystem(lambda html: "Snow for ever").mark(page).tolist() == [False, False]


def test_nothing():
    assert not TextSystem(lambda html: None).mark(PAGE).any()
    assert not TextSystem(lambda html: "nothing of the kind").mark(PAGE).any()


def test_it_is_given_the_page_as_it_was_rendered(laid_out):
    seen = []
    TextSystem(seen.append).mark(laid_out("<p>One &amp; two</p>"))
    assert seen[0].endswith("<p>One &amp; two</p></body></html>")


@pytest.mark.parametrize(("name", "expected"), [("", "first_paragraph"), ("mine", "mine")])
def test_its_name(name, expected):
    assert TextSystem(first_paragraph, name).card.name == expected
    assert not TextSystem(first_paragraph, name).card.visual
