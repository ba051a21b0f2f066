"""What a person sees of a page, and what the browser knows of it: controls, tables, covered text, limits, pictures."""

import io
from dataclasses import replace
from email import message_from_bytes

import blocksight as bs
import pytest
from blocksight.page.hidden import Hidden
from blocksight.page.tables import html_tables
from conftest import equal_pages
from PIL import Image

pytestmark = pytest.mark.browser

OPTIONS = bs.RenderOptions(allow_private=True, timeout=120.0)


def attribute(page, tag, name):
    column = page.attribute(name)
    rows = page.has_tag(tag).nonzero()[0].tolist()
    return [page.strings[column[row]] if column[row] >= 0 else None for row in rows]


def reasons(page):
    return dict(zip((text.strip() for text in page.leaf_texts), map(Hidden, page.hidden.tolist()), strict=True))


def test_controls_show_what_is_in_them(browser):
    page = browser.open(
        b"<body><p>form<input id=a value=written><input id=p type=password value=x><input id=b type=checkbox checked>"
        b"<input id=c type=radio><textarea id=t>was</textarea><select><option>one<option id=o>two</select>"
        b"<script>a.value = 'typed'; p.value = 'secret'; b.checked = false; c.checked = true; t.value = 'is';"
        b"o.selected = true</script>"
    )
    assert attribute(page, "input", "value") == ["typed", "x", "on", "on"]
    assert attribute(page, "input", "checked") == [None, None, None, ""]
    assert attribute(page, "textarea", "value") == ["is"]
    assert attribute(page, "option", "selected") == [None, ""]
    assert "secret" not in page.strings


def test_empty_attributes_are_empty(browser):
    page = browser.open(b"<p class=''>text<img alt='' src='data:,'>")
    assert attribute(page, "p", "class") == [""]
    assert attribute(page, "img", "alt") == [""]


def test_cells_have_boxes(browser):
    page = browser.open(
        b"<!doctype html><style>* { margin: 0; padding: 0; border: 0 } table { border-collapse: collapse }"
        b"td { width: 100px; height: 30px }</style><table><tr><td colspan=2>a<td rowspan=2>b<tr><td>c<td>d</table>"
    )
    (table,) = html_tables(page)
    assert {cell.text: cell.box for cell in table.cells} == {
        "a": (0, 0, 200, 30),
        "b": (200, 0, 100, 60),
        "c": (0, 30, 100, 30),
        "d": (100, 30, 100, 30),
    }


DIALOG = "<div style='position: fixed; inset: 0; z-index: 9; {}'><p>We use cookies</p><button>Accept</button></div>"


def test_text_under_a_dialog_is_covered_and_not_lost(browser):
    article = "<body style='margin: 0'>" + "".join(f"<p style='height: 100px'>words {n}</p>" for n in range(20))
    page = browser.open((article + DIALOG.format("background: white")).encode())
    found = reasons(page)
    # It goes with the window, wherever one scrolls to.
    assert found["words 0"] == found["words 5"] == found["words 15"] == Hidden.OVERLAY
    assert found["We use cookies"] == Hidden.VISIBLE
    assert "words 0" in bs.extract(page, system="everything").text
    # What nothing closes is the page itself.
    closed = article + DIALOG.format("background: white").replace("<button>Accept</button>", "")
    assert reasons(browser.open(closed.encode()))["words 0"] == Hidden.COVER
    # A veil lies over the text, too; a box that paints nothing does not.
    for style, reason in (("background: rgba(0, 0, 0, .5)", Hidden.OVERLAY), ("background: none", Hidden.VISIBLE)):
        assert reasons(browser.open((article + DIALOG.format(style)).encode()))["words 0"] == reason


def test_a_bar_covers_what_lies_under_it(browser):
    page = browser.open(
        b"<body style='margin: 0'><p style='margin: 0; height: 20px'>under</p><p>beside</p>"
        b"<div style='position: fixed; top: 0; width: 100%; height: 30px; background: #fff'>bar</div>"
    )
    # No scrolling brings it out from under the bar.
    assert reasons(page) == {"under": Hidden.COVER, "beside": Hidden.VISIBLE, "bar": Hidden.VISIBLE}


def test_a_notice_at_the_end_of_the_window_is_closed_to_see_the_end_of_the_page(browser):
    page = (
        f"<body style='margin: 0'><p style='margin: 0; height: 4000px'>{'words ' * 20}</p><p style='margin: 0'>end</p>"
    )
    style = "position: fixed; bottom: 0; width: 100%; height: 60px; background: #fff"
    page += f"<div style='{style}'><p>{{}}</p><button>OK</button></div>"
    assert reasons(browser.open(page.format("We use cookies").encode()))["end"] == Hidden.OVERLAY
    assert reasons(browser.open(page.format("Our shop").encode()))["end"] == Hidden.COVER
    # Nothing shows white on white.
    white = page.replace("0'>end", "0; color: #fff'>end").format("We use cookies")
    assert reasons(browser.open(white.encode()))["end"] not in (Hidden.VISIBLE, Hidden.OVERLAY)


def test_what_a_bar_covers_at_the_end_of_the_page_is_seen_before(browser):
    # The texts that the picture at the end decides are not all that it shows.
    line = "<p style='position: absolute; margin: 0; top: {}px; {}'>{}</p>"
    height = bs.RenderOptions().viewport[1]
    texts = line.format(3980, "background: linear-gradient(#fff, #eee)", "last") + line.format(
        4010 - height, "", "before"
    )
    bar = "<div style='position: fixed; top: 0; width: 100%; height: 60px; background: #fff'>bar</div>"
    page = browser.open(f"<body style='margin: 0'><div style='height: 4000px'></div>{texts}{bar}".encode())
    assert reasons(page) == dict.fromkeys(("last", "before", "bar"), Hidden.VISIBLE)


VIRTUAL = """<style>body {{ margin: 0 }} {style} #s {{ position: relative; height: 4000px }}
  p {{ position: absolute; margin: 0 }}</style><h1>list</h1>{holder}<script>
  function draw() {{
    const from = Math.max(0, Math.floor({top} / 100)), to = Math.min(40, Math.ceil(({top} + {view}) / 100));
    s.replaceChildren(...Array.from({{length: to - from}}, (_, k) => {{ const p = document.createElement("p");
      p.style.top = (from + k) * 100 + "px"; p.textContent = `item ${{from + k}}`; return p }})) }}
  {listen} draw()</script>"""
WINDOW = VIRTUAL.format(
    style="", holder="<div id=s></div>", top="scrollY", view="innerHeight",
    listen="addEventListener('scroll', draw); addEventListener('resize', draw);",
)  # fmt: skip
INNER = VIRTUAL.format(
    style="#b { height: 400px; overflow-y: auto }", holder="<div id=b><div id=s></div></div>", top="b.scrollTop",
    view="b.clientHeight", listen="b.addEventListener('scroll', draw); new ResizeObserver(draw).observe(b);",
)  # fmt: skip
SHELL = """<style>body { margin: 0; display: flex; flex-direction: column; height: 100vh; overflow: hidden }
  #b { flex: 1; overflow-y: auto; min-height: 0 } p { height: 100px }</style><header>bar</header>
  <main id=b><div id=l></div><div id=e>end</div></main><script>let n = 0; function more() { if (n >= 40) return;
  setTimeout(() => { for (let i = 0; i < 10; i++) {
    const p = document.createElement("p"); p.textContent = `item ${n++}`; l.append(p) } }, 50) }
  new IntersectionObserver(all => { if (all.some(one => one.isIntersecting)) more() }).observe(e); more()</script>"""


@pytest.mark.parametrize("html", [WINDOW, INNER, SHELL], ids=["window", "inner", "shell"])
def test_lists_that_hold_only_what_is_in_view(browser, html):
    found = [text for text, why in reasons(browser.open(html.encode())).items() if why == Hidden.VISIBLE]
    assert sum(text.startswith("item") for text in found) == 40
    few = reasons(browser.open(html.encode(), options=replace(OPTIONS, scroll=0)))
    assert sum(text.startswith("item") for text in few) < 40


@pytest.mark.parametrize("attribute", ["", "inert"])
def test_a_box_that_nobody_can_scroll_shows_what_it_shows(browser, attribute):
    box = "<div {} style='height:40px;overflow:auto'><p style='margin:0;height:200px'>first</p><p>last</p></div>"
    found = reasons(browser.open(box.format(attribute).encode()))
    assert (found["last"] == Hidden.VISIBLE) == (not attribute)


def test_too_many_elements(browser):
    html = b"<p>text<script>for (let i = 0; i < 500; i++) document.body.append(document.createElement('i'))</script>"
    with pytest.raises(bs.Refused, match=r"nodes, above the limit of 400 \(max_nodes"):
        browser.open(html, options=replace(OPTIONS, max_nodes=400))
    assert len(browser.open(html, options=replace(OPTIONS, max_nodes=900))) > 500


def test_pictures(browser):
    html = b"<body style='margin: 0'><p style='height: 2000px; margin: 0'>tall"
    sizes = {}
    for wanted in ("", "viewport", "full"):
        page = browser.open(html, options=replace(OPTIONS, screenshot=wanted, viewport=(400, 300), device_scale=2.0))
        sizes[wanted] = page.screenshot and Image.open(io.BytesIO(page.screenshot)).size
        # A scrollbar takes 15 pixels of the window, as for a person.
        assert page.geometry.size == (385, 2000)
        assert page.geometry.viewport == (400, 300)
    assert sizes == {"": None, "viewport": (800, 600), "full": (770, 4000)}


def test_an_archive_of_the_page(browser, tmp_path):
    page = browser.open(b"<title>Kept</title><p>archived text", options=replace(OPTIONS, mhtml=True))
    parts = [part for part in message_from_bytes(page.mhtml).walk() if part.get_content_type() == "text/html"]
    assert b"archived text" in parts[0].get_payload(decode=True)
    bs.save(page, tmp_path / "a.page")
    assert equal_pages(bs.load(tmp_path / "a.page"), page)


CHANGING = (
    b"<p id=a></p><p id=b></p><p id=c></p><script>a.textContent = new Date() + Date.now() + Date();"
    b"b.textContent = Math.random() + crypto.getRandomValues(new Uint8Array(4));"
    b"c.textContent = `${new Date(2020, 1, 1).getFullYear()} ${new Date() instanceof Date}`</script>"
    b"<svg width=50 height=50><g id=g><animate attributeName=x dur=1s repeatCount=indefinite from=0 to=9 /></g></svg>"
    b"<style>i { display: block; animation: m .7s infinite } @keyframes m { from { margin-left: 0 } to"
    b" { margin-left: 99px } }</style><i>moving</i>"
)


def test_deterministic_pages(browser):
    options = replace(OPTIONS, deterministic=True)
    one, other = (browser.open(CHANGING, options=options) for _ in range(2))
    assert equal_pages(one, other)
    assert one.leaf_texts[0].startswith("Mon Jan 01 2024")
    assert one.leaf_texts[2] == "2020 true"
    assert one.environment["deterministic"] == "true"
    assert browser.open(CHANGING, options=OPTIONS).leaf_texts[:2] != one.leaf_texts[:2]


def test_wrong_pictures_and_proxies():
    with pytest.raises(ValueError, match="screenshot"):
        bs.RenderOptions(screenshot="all")
    for wrong in ("proxy.example:3128", "socks5://proxy.example", "http://", "http://proxy.example:99999"):
        with pytest.raises(ValueError, match="proxy must look like"):
            bs.RenderOptions(proxy=wrong)


def test_nothing_is_under_the_mouse_pointer(browser):
    menu = "<div id=m style='width: 300px; height: 40px'>menu<p>hidden until it is hovered over</p></div>"
    script = "addEventListener('mouseover', () => { document.title = 'hovered' }, true)"
    style = "body{margin:0}#m p{opacity:0}#m:hover p{opacity:1}"
    page = browser.open(f"<title>calm</title><style>{style}</style>{menu}<script>{script}</script>".encode())
    assert [text for text, hidden in zip(page.leaf_texts, page.hidden, strict=True) if not hidden] == ["menu"]
    assert page.title == "calm"
