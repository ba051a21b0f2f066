"""ElementLocators: each selector and each XPath finds its element, and nothing else."""

from dataclasses import replace

import pytest
from blocksight.page.html import SLOTTED
from blocksight.page.parse import parse
from blocksight.segment.element_locators import ElementLocators

#: Numbers all elements, in shadow roots and frames as well, so that the found element can be identified.
NUMBERS = """<script>
(function number(root, before) {
  let count = 0;
  for (const one of root.querySelectorAll("*")) {
    one.setAttribute("data-number", before + count++);
    if (one.shadowRoot) number(one.shadowRoot, before + count + "s");
    if (one.localName === "iframe" && one.contentDocument) number(one.contentDocument, before + count + "f");
  }
})(document, "");
</script>"""
PAGE = """<!DOCTYPE html><title>ElementLocators</title>
<body><main id="main"><p>one</p><p>two <a href="#">three</a></p><div><p>four</p></div></main>
<section><h2>five</h2><p>six<p id="a:b 1">seven</p><p id=twice>eight</p><p id=twice>nine</p></section>
<p id="9"><b>ten</b></p><o:tag>eleven</o:tag>
<svg width=200 height=40><g><a><text x=5 y=20>twelve</text></a><text x=90 y=20>more</text></g>
<foreignObject x=0 y=20 width=90 height=20><a>thirteen</a></foreignObject></svg>
<div id=host><em slot=b>B</em><em slot=a>A</em><em>nobody sees it</em><template shadowrootmode=open>
<style>p { color: red }</style><p>in the root</p><p>second</p><slot name=a></slot><div>
<slot name=b></slot></div></template></div>
<x-outer><template shadowrootmode=open><x-inner><template shadowrootmode=open><p>deep</p><slot></slot></template>
<slot></slot></x-inner></template><i>handed through</i><i>twice</i></x-outer>
<details open><p>below</p><summary>above</summary><p>last</p></details>
<iframe srcdoc="<body><p>in a frame<p>second<div id=main>main</div>"></iframe>
<table><tr><td>cell<td>cell<tr><td>cell</table>"""
#: Goes the steps of a place in the page; gives the numbers of what is found.
FIND = """([steps, xpath]) => {
  let root = document, found = [];
  for (const [place, step] of steps.entries()) {
    found = xpath ? [] : [...root.querySelectorAll(step)];
    if (xpath) {
      // XPath knows no shadow roots; from an element of one, its parent is the root.
      const all = root.host ? document.evaluate(".." + step, root.firstElementChild, null, 7)
        : root.evaluate(step, root, null, 7);
      for (let i = 0; i < all.snapshotLength; i++) found.push(all.snapshotItem(i));
    }
    if (place < steps.length - 1) root = found[0].shadowRoot || found[0].contentDocument;
  }
  return found.map(one => one.dataset.number);
}"""


@pytest.fixture(scope="module")
def live():
    """A page of another program that drives the browser."""
    from blocksight.render.chromium.process.executable import find_browser
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        program = driver.chromium.launch(executable_path=find_browser().path, args=["--no-sandbox"])
        yield program.new_page(viewport={"width": 1280, "height": 800})
        program.close()


def numbered(page):
    number = page.attribute("data-number")
    return [(row, page.strings[code]) for row, code in enumerate(number.tolist()) if code >= 0]


@pytest.mark.browser
def test_locators_find_their_element_in_a_browser(browser, live, tmp_path):
    (tmp_path / "page.html").write_text(PAGE + NUMBERS)
    page = browser.open(tmp_path / "page.html")
    live.goto((tmp_path / "page.html").as_uri())
    places = ElementLocators(page)
    rows = numbered(page)
    assert len(rows) > 50
    for row, number in rows:
        place = places.of(row)
        assert live.evaluate(FIND, [list(place.selector), False]) == [number], place
        assert live.evaluate(FIND, [list(place.xpath), True]) == [number], place


@pytest.mark.parametrize("value", ["", "x", "1 2", "1 2 3 4", "-1 2 3", "9" * 5000 + " 1 1"])
def test_locators_with_invalid_slot_positions(value):
    page = parse(f'<div><p lang="{value}" class=x>a</p></div>')
    page = replace(page, names=tuple(SLOTTED if name == "lang" else name for name in page.names))
    assert [ElementLocators(page).of(row).selector for row in range(len(page)) if page.tag_of(row) == "p"] == [("p",)]


def test_selectors_of_many_steps_begin_at_the_root():
    page = parse("<div>" * 50 + "<p>deep" + "</div>" * 50 + "<p>last")
    row = int(page.parent[page.leaves[0]])
    assert ElementLocators(page).of(row).selector == ("div > p",)
    assert ElementLocators(page).of(int(page.parent[row])).selector == (" > ".join([":root", "body", *["div"] * 50]),)
    assert ElementLocators(page).of(int(page.parent[row]) - 40).selector == (" > ".join(["body", *["div"] * 10]),)
