"""Code in a closed tab is content only if a click on its tab shows it: otherwise text could hide there."""

import blocksight as bs
import pytest
from blocksight.page.tab_groups import opened_panels

pytestmark = pytest.mark.browser

BAD = "do as I say"
STYLE = ".panel { display: none } .panel.on { display: block } body, pre { background: white }"
#: Opens the panel of the tab that is clicked.
SCRIPT = """
const tabs = [...document.querySelectorAll('[role=tab]')], panels = [...document.querySelectorAll('.panel')];
const open = n => panels.forEach((panel, m) => panel.classList.toggle('on', n === m));
tabs.forEach((tab, n) => tab.onclick = event => { ACTION });
"""
OPEN = "open(n)"


def aria(code="yarn add tea", *, style="", action=OPEN, tab="", outside="", panel=""):
    closed = f"<div role=tabpanel class=panel id=p1 {panel}><pre><code>{code}</code></pre></div>"
    return (
        f"<!doctype html><title>Tea</title><style>{STYLE} {style}</style><h1>Tea</h1>"
        "<p>The program is installed with one of these lines, whichever you have:</p>"
        "<div><ul role=tablist><li role=tab aria-controls=p0>npm</li>"
        f"<li role=tab aria-controls=p1 {tab}>yarn</li></ul>"
        "<div role=tabpanel class='panel on' id=p0><pre><code>npm install tea</code></pre></div>"
        f"{'' if outside else closed}</div><p>Then run it, and it says how long the tea still has to wait.</p>"
        f"{outside.replace('PANEL', closed)}<script>{SCRIPT.replace('ACTION', action)}</script>"
    )


def radio(code="yarn add tea", *, style="#g1:checked ~ .panels > :nth-child(2) { display: block }"):
    """As of Material for MkDocs: labels of radio buttons, and no script."""
    return (
        "<!doctype html><title>Tea</title><style>.panels > div, input { display: none }"
        f"#g0:checked ~ .panels > :nth-child(1) {{ display: block }} {style}</style><h1>Tea</h1>"
        "<p>The program is installed with one of these lines, whichever you have:</p>"
        "<div><input type=radio name=g id=g0 checked><input type=radio name=g id=g1>"
        "<div><label for=g0>npm</label> <label for=g1>yarn</label></div><div class=panels>"
        f"<div><pre><code>npm install tea</code></pre></div><div><pre><code>{code}</code></pre></div></div></div>"
        "<p>Then run it, and it says how long the tea still has to wait.</p>"
    )


def hiding(style):
    """A text in the closed panel that a style sheet hides also when the panel is open."""
    return aria(f"yarn add tea <span class=x>{BAD}</span>", style=f".x {{ {style} }}")


OPENING = {
    "by a class": aria(),
    "by the attribute hidden": aria(
        style=".panel { display: block } .panel[hidden] { display: none }",
        panel="hidden",
        action="panels.forEach((panel, m) => panel.hidden = n !== m)",
    ),
    "by visibility": aria(style=".panel { display: block; visibility: hidden } .panel.on { visibility: visible }"),
    "after some time": aria(action="setTimeout(() => open(n), 200)"),
    "when the mouse goes down": aria(action="").replace("tab.onclick", "tab.onmousedown").replace("{  }", "open(n)"),
    "by radio buttons": radio(),
    "far below": aria().replace("<h1>", "<div style='height: 3000px'></div><h1>"),
}

TRICKS = {
    "no control": aria(BAD, action=""),
    "another panel opens": aria(BAD, action="open(0)"),
    "opened for scripts alone": aria(BAD, action="if (!event.isTrusted) open(n)"),
    "closed again": aria(BAD, action="open(n); setTimeout(() => open(0), 100)"),
    "emptied when it opens": aria(BAD, action="open(n); panels[1].querySelector('code').textContent = 'yarn add tea'"),
    "tab that is not seen": aria(BAD, tab="style='opacity: 0'"),
    "tab without a box": aria(BAD, tab="style='display: none'"),
    "tab that is no target": aria(BAD, tab="style='pointer-events: none'"),
    "tab below something": aria(
        BAD, style="ul { position: relative } ul::after { content: ''; position: absolute; inset: 0 }"
    ),
    "panel in a hidden place": aria(BAD, outside="<div style='display: none'>PANEL</div>"),
    "panel out of sight": aria(BAD, outside="<div style='position: absolute; left: -9999px'>PANEL</div>"),
    "no radio button opens it": radio(BAD, style=""),
    "display": hiding("display: none"),
    "visibility": hiding("visibility: hidden"),
    "opacity": hiding("opacity: 0.01"),
    "color": hiding("color: white"),
    "fill": hiding("-webkit-text-fill-color: transparent"),
    "font size": hiding("font-size: 0"),
    "place": hiding("position: absolute; left: -9999px"),
    "clip path": hiding("clip-path: inset(50%)"),
    "indent": hiding("display: block; text-indent: -9999px; overflow: hidden"),
    "cover": aria(
        f"yarn add tea <span class=x>{BAD}</span>",
        style=".x { position: relative } .x::after { content: ''; position: absolute; inset: 0; background: white }",
    ),
    "link to another page": aria(BAD, action="location = '/elsewhere'"),
}


def opened(browser, tmp_path, html):
    path = tmp_path / "page.html"
    path.write_text(html)
    page = browser.open(path)
    assert not page.partial
    return page, bs.extract(page).markdown


@pytest.mark.parametrize("html", OPENING.values(), ids=OPENING)
def test_a_panel_that_its_tab_opens_is_an_alternative(browser, tmp_path, html):
    page, text = opened(browser, tmp_path, html)
    assert "**npm**\n\n```\nnpm install tea\n```\n\n**yarn**\n\n```\nyarn add tea\n```" in text
    assert len(opened_panels(page)) == 2


@pytest.mark.parametrize("html", TRICKS.values(), ids=TRICKS)
def test_text_that_no_click_shows_stays_out(browser, tmp_path, html):
    _, text = opened(browser, tmp_path, html)
    assert BAD not in text
    assert "npm install tea" in text
    assert "whichever you have" in text


def test_a_click_that_ends_the_page_loses_nothing(browser, tmp_path):
    _, text = opened(browser, tmp_path, aria(action="for (;;) {}"))
    assert "npm install tea" in text
    assert "yarn add tea" not in text
