"""Cards in a side column of a page that a script makes out of ``div`` elements: no tag says what they are."""

import json

import blocksight as bs
import pytest

STYLE = """body { margin: 0; font: 17px/1.5 Georgia, serif } .a { background: #124; padding: 12px 40px }
.a a { color: #fff; margin-right: 24px } .b { display: flex; gap: 48px; width: 1100px; margin: 24px auto }
.c { width: 700px } .d { font-size: 32px; font-weight: bold } .e { margin: 0 0 16px }
.g { width: 350px; font: 14px/1.4 Arial } .h { border: 1px solid #ccc; padding: 10px; margin-bottom: 12px }
.i { background: #eee; padding: 20px 40px; font-size: 13px }"""
TEXT = (
    "A new library gets a second life in time for the fair, as the mayor said on Tuesday.",
    "The council has set aside the money; what is still missing will be collected at the market.",
    "An exhibition in the town hall shows how it was built, with tools, drawings and letters of the time.",
)
CARDS = (
    "The night train gets a second life. It took two years and the help of many hands, and few in the village.",
    "Our lighthouse goes back to work. Children of the school have painted the signs, and the band will play.",
    "The tide mill gets a second life. Tickets are sold at the old harbour office, which is open every day.",
    "The old ferry has found a keeper. Whoever wants to help can sign the list in the bakery, with the plan.",
)


def box(name, *parts):
    return f'<div class="{name}">{"".join(parts)}</div>'


def page_of(side, tmp_path):
    """Write a page with a column of text and a column of cards, in this order, that a script makes."""
    columns = {
        "c": box("c", box("d", "A new library gets a second life"), *(box("e", text) for text in TEXT)),
        "g": box("g", *(box("h", f"<a href='#{number}'>{card}</a>") for number, card in enumerate(CARDS))),
    }
    menu = box("a", *(f"<a href='#{name}'>{name}</a>" for name in ("News", "Boats", "Tides", "Contact")))
    body = menu + box("b", *(columns[name] for name in side)) + box("i", "Harbour Press, 1 Quay Street.")
    script = f"<div id=page></div><script>document.getElementById('page').innerHTML = {json.dumps(body)}</script>"
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><html lang=en><title>A new library</title><style>{STYLE}</style>{script}</html>")
    return str(file)


@pytest.mark.browser
@pytest.mark.parametrize("side", [("c", "g"), ("g", "c")], ids=["right", "left"])
def test_cards_in_a_sidebar_are_no_content(browser, tmp_path, side):
    text = bs.extract(browser.open(page_of(side, tmp_path))).text
    assert all(line in text for line in TEXT)
    assert not any(card[:30] in text for card in CARDS)
