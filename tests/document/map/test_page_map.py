"""Maps of small pages in a real browser."""

import io
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.document.chunks import estimate_tokens
from blocksight.document.map.map_marks import draw_marks
from PIL import Image

PAGE = b"""<!doctype html><title>Boats</title><style>body { margin: 0; font: 16px/20px sans-serif }</style>
<header><a href=/>Harbour</a> <nav aria-label=Main><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav></header>
<main><h1>Boats for hire</h1><p>Each boat has oars, a rope and a lamp.</p>
<ul>%s</ul>
<label>Mail <input type=email value="a@b.example"></label> <button disabled>Send</button>
<span>Town</span> <select><option>Rye<option selected>Deal</select>
<button class="icon-find"><svg width=10 height=10></svg></button></main>
<footer style="margin-top: 2000px"><a href=/terms>Terms</a></footer>""" % b"".join(
    b"<li><h3>Boat %d</h3> %d pounds a day <a href=/boat/%d>Hire</a>" % (number, 3 * number, number)
    for number in range(1, 13)
)
DIALOG = b"""<div role=dialog aria-label=Letter style="position: fixed; inset: 0; background: #0008">
<div style="margin: 200px; background: white">Our letter <button>Close</button></div></div>"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser):
    return browser.open(PAGE, options=bs.RenderOptions(screenshot="full", allow_private=True))


@pytest.fixture(scope="module")
def page_map(page):
    return bs.page_map(page, system="everything")


@pytest.fixture(scope="module")
def covered(browser):
    return bs.page_map(browser.open(PAGE + DIALOG), system="everything")


def control(page_map, name):
    return next(one for one in page_map.controls if one.name == name)


def test_regions_by_landmarks(page_map):
    kinds = [(region.kind, region.name, region.parent) for region in page_map.regions]
    assert kinds == [("header", "", -1), ("menu", "Main", 0), ("main", "", -1), ("footer", "", -1)]


def test_controls_have_role_name_and_state(page_map):
    mail, send = control(page_map, "Mail"), control(page_map, "Send")
    assert (mail.role, mail.state) == ("textbox", {"value": "a@b.example"})
    assert (send.role, send.state, send.clickable) == ("button", {"disabled": True}, False)
    assert control(page_map, "Terms").target == "/terms"
    assert control(page_map, "Terms").screens > 1.5


def test_a_field_without_a_label_is_named_by_the_text_next_to_it(page_map):
    town = control(page_map, "Town")
    assert town.state == {"value": "Deal", "options": ["Rye", "Deal"], "named_by": "look"}


def test_an_icon_has_its_class_as_a_hint(page_map):
    assert control(page_map, "").state == {"hint": "icon-find"}


def test_numbers_are_those_of_the_document(page_map):
    assert [one.number for one in page_map.controls] == list(range(1, len(page_map.controls) + 1))
    assert page_map.control(1).name == "Harbour"
    with pytest.raises(KeyError):
        page_map.control(99)


def test_the_text_names_regions_and_controls(page_map):
    lines = page_map.text.splitlines()
    assert lines[1].startswith("A header 0,0 1265×")
    assert "[2] A · [3] B" in page_map.text
    assert "# Boats for hire · Each boat has oars, a rope and a lamp." in page_map.text
    assert '[16] textbox Mail ="a@b.example"' in page_map.text
    assert "[17] button Send disabled" in page_map.text
    assert "button (icon-find)" in page_map.text
    assert page_map.text.count("Hire") == 12


def test_to_text_small_budget(page_map):
    text = page_map.to_text(tokens=180)
    assert estimate_tokens(text) <= 180
    assert "more like this [" in text
    assert text.splitlines()[-1].startswith("cut: ")
    assert "Boat 1 " in text
    with pytest.raises(ValueError, match="at least 100 tokens"):
        page_map.to_text(tokens=99)


def test_to_text_own_token_count(page_map):
    text = page_map.to_text(tokens=1000, count=len)
    assert len(text) <= 1000


def test_a_dialog_covers_everything_below(covered):
    (dialog,) = [index for index, region in enumerate(covered.regions) if region.kind == "dialog"]
    assert covered.regions[dialog].sticky
    assert [region.covered_by for region in covered.regions[:3]] == [dialog] * 3
    assert not control(covered, "Mail").clickable
    assert control(covered, "Close").clickable
    assert "covered by E" in covered.text


def test_diff(page_map, covered):

    assert page_map.diff(page_map) == ""
    lines = covered.diff(page_map).splitlines()
    assert lines[0].startswith('+ E dialog "Letter" 0,0 ')
    assert any(line.startswith("+ [") and line.endswith("button Close") for line in lines)
    gone = page_map.diff(covered)
    assert '- E dialog "Letter"' in gone


def test_numbers_stay_with_their_controls(browser, page_map):
    changed = bs.page_map(browser.open(PAGE.replace(b"<main>", b"<main><a href=/new>New</a>")), after=page_map)
    assert control(changed, "Mail").number == control(page_map, "Mail").number
    assert control(changed, "New").number == len(page_map.controls) + 1
    assert f"+ [{len(page_map.controls) + 1}] New" in changed.diff(page_map)


def test_to_dict(page_map):
    values = page_map.to_dict()
    assert [region["kind"] for region in values["regions"]] == ["header", "menu", "main", "footer"]
    assert values["controls"][0]["selector"]
    assert "row" not in values["controls"][0]


def test_marks_are_drawn_on_the_picture(page, page_map):
    marked = Image.open(io.BytesIO(draw_marks(page, page_map)))
    assert marked.size == (round(page_map.size[0]), round(page_map.size[1]))
    blank = Image.open(io.BytesIO(page.screenshot)).convert("RGB")
    assert marked.tobytes() != blank.tobytes()
    assert Image.open(io.BytesIO(draw_marks(page, page_map, form="webp"))).format == "WEBP"


def test_without_geometry_there_is_no_map():
    with pytest.raises(bs.errors.GeometryMissing):
        bs.page_map(bs.parse("<p>Text"))
    with pytest.raises(TypeError, match="takes a Page"):
        bs.page_map("text")


def test_a_label_represents_the_field_that_it_covers(browser):
    html = b"""<label style="position: relative; display: inline-block; padding: 20px"><input type=checkbox
    style="position: absolute; left: 5px; top: 5px"><span style="position: absolute; inset: 0; background: #ddd">
    Agree</span></label>"""
    (one,) = bs.page_map(browser.open(html), system="everything").controls
    assert (one.role, one.name, one.clickable, one.selector) == ("checkbox", "Agree", True, "label")


def test_frames_and_shadow_trees_have_selectors(browser):
    html = b"""<iframe srcdoc="<button>In the frame</button>"></iframe><div id=host></div><div id=shut></div>
    <script>host.attachShadow({mode: "open"}).innerHTML = "<p><button>In the tree</button></p>";
    shut.attachShadow({mode: "closed"}).innerHTML = "<button>Out of reach</button>";</script>"""
    found = bs.page_map(browser.open(html), system="everything")
    assert (
        control(found, "In the frame").selector
        == "css:light=iframe >> internal:control=enter-frame >> css:light=button"
    )
    assert control(found, "In the tree").selector == "css:light=#host >> css=:scope > p > button"
    assert not control(found, "Out of reach").clickable


def test_page_map_of_empty_page(browser):
    found = bs.page_map(browser.open(b"<title>None</title>"), system="everything")
    assert found.controls == ()
    assert found.text.startswith("None | ")


def test_region_index_unknown_row(covered):
    assert covered.region_index(-1) == -1
    assert replace(covered, regions=()).region_index(10**9) == -1


@pytest.mark.parametrize(
    ("cover", "said"),
    [
        ("<button style='{}'>Over</button>", "covered by [2] button Over"),
        ("<div class=veil style='{}'></div>", "covered by div (veil)"),
        ("<div style='{}'><dialog open aria-label=Ask>Yes</dialog></div>", 'covered by B dialog "Ask"'),
    ],
)
def test_what_covers_a_control_is_named(browser, cover, said):
    style = "position:fixed;left:0;top:0;width:100%;height:300px"
    link = "<main><p>Some words.</p><a href=/a style='display:block;height:30px'>Under</a>"
    found = bs.page_map(browser.open((link + cover.format(style)).encode()), system="everything")
    assert said in found.text
    assert found.to_dict()["controls"][0]["cover"] == said.removeprefix("covered by ")
