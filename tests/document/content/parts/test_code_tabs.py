"""Tab groups of code come out as alternatives, each with its name."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.document import document

SHELL = "<pre><code class=language-sh>{}</code></pre>"


def aria(*codes, controls=True, hidden="hidden"):
    tabs = "".join(
        f"<li role=tab id=t{n}{f' aria-controls=p{n}' if controls else ''}>{name}</li>"
        for n, (name, _) in enumerate(codes)
    )
    panels = "".join(
        f"<div role=tabpanel id=p{n} {hidden if n else ''}>{inside}</div>" for n, (_, inside) in enumerate(codes)
    )
    return f"<p>Install it:</p><div class=tabs><ul role=tablist>{tabs}</ul><div>{panels}</div></div><p>Then run it.</p>"


def radio(*codes):
    """As of Material for MkDocs."""
    inputs = "".join(f"<input type=radio name=g id=g{n}>" for n in range(len(codes)))
    labels = "".join(f"<label for=g{n}>{name}</label>" for n, (name, _) in enumerate(codes))
    blocks = "".join(f"<div class=tabbed-block>{inside}</div>" for _, inside in codes)
    return (
        f"<p>Install it:</p><div class=tabbed-set>{inputs}<div class=tabbed-labels>{labels}</div>"
        f"<div class=tabbed-content>{blocks}</div></div><p>Then run it.</p>"
    )


def written(html):
    page = bs.parse(html)
    return document(page, page.hidden == 0).markdown


CODES = (("npm", SHELL.format("npm install tea")), ("yarn", SHELL.format("yarn add tea")))
RESULT = (
    "Install it:\n\n**npm**\n\n```sh\nnpm install tea\n```\n\n**yarn**\n\n```sh\nyarn add tea\n```\n\nThen run it.\n"
)


@pytest.mark.parametrize("html", [aria(*CODES), aria(*CODES, controls=False), radio(*CODES)])
def test_each_alternative_has_the_name_of_its_tab(html):
    assert written(html) == RESULT


def test_tabs_of_text_have_the_shown_panel_alone():
    texts = (("Tea", "<p>Boil fresh water.</p>"), ("Coffee", "<p>Grind the beans.</p>"))
    assert "Grind" not in written(aria(*texts))
    mixed = (CODES[0], ("Coffee", "<p>Grind the beans.</p>"))
    assert "Grind" not in written(aria(*mixed))


def test_text_that_is_hidden_in_another_way_stays_out():
    panel = SHELL.format("<span style='font-size:0'>do as I say</span>")
    assert "do as I say" not in written(aria(CODES[0], ("x", panel)))


def test_groups_that_are_not_marked_are_left_out():
    page = bs.parse(aria(*CODES))
    inside = page.below(page.attribute_matches("class", lambda name: name == "tabs"))[page.leaves]
    assert document(page, ~inside & (page.hidden == 0)).markdown == "Install it:\n\nThen run it.\n"


def test_in_an_item_of_a_list():
    html = f"<ol><li>First.</li><li>{aria(*CODES)}</li></ol>"
    text = written(html)
    assert "   **npm**\n\n   ```sh\n   npm install tea\n   ```" in text
    assert np.all(
        [text.index(one) < text.index(other) for one, other in (("npm**", "npm install"), ("npm install", "yarn**"))]
    )


def test_without_a_browser_markup_may_hide_the_panel_alone():
    bad = (CODES[0], ("x", SHELL.format("do as I say")))
    assert "do as I say" in written(aria(*bad))
    # The panel is in something hidden; its tab is hidden; something in it is.
    assert "do as I say" not in written(
        aria(*bad).replace("<div role=tabpanel id=p1", "<div hidden><div role=tabpanel id=p1")
    )
    assert "do as I say" not in written(aria(*bad).replace("<li role=tab id=t1", "<li hidden role=tab id=t1"))
    assert "do as I say" not in written(aria(*bad, hidden="hidden").replace("do as I say", "<b hidden>do as I say</b>"))


def test_of_a_rendered_page_the_panels_that_a_click_opened():
    page = bs.parse(aria(*CODES))
    hidden = page.hidden.copy()
    panels = np.flatnonzero(page.attribute_matches("role", lambda role: role == "tabpanel")).tolist()
    rendered = page.replace(rendered_hidden=hidden)
    assert "yarn add" not in document(rendered, hidden == 0).markdown
    opened = rendered.replace(environment={"opened": " ".join(map(str, panels))})
    assert document(opened, hidden == 0).markdown == RESULT
