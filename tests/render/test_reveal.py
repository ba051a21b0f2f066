"""What a click shows (the pages of fixtures/reveal.toml): with ``reveal`` it is text, and says so; else it is out."""

import tomllib
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.page.visibility import revealed_leaves
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.browser

CASES = tomllib.loads((Path(__file__).parents[2] / "fixtures" / "reveal.toml").read_text(encoding="utf-8"))
PARTS, APART = ({case["name"]: case for case in CASES[kind]} for kind in ("part", "apart"))
TEXTS = {
    "FIRST": "Write the name of the gate into the first line of the file, and its height into the second one.",
    "SECOND": "Sluices have no height, so that a dash is written there, and the day on which they were greased.",
    "THIRD": "Weirs are not driven at all: their line has the name of the mason and the year of the last repair.",
    "ABOVE": "The weir above the old mill was rebuilt in the spring, after a flood had carried away two of its gates.",
    "BELOW": "By midsummer the pool was full again, and the heron stood in the shallows as if it had never been away.",
}
TABS = """<div role=tablist><button role=tab aria-selected=true>Gates</button>
<button role=tab aria-selected=false>Sluices</button><button role=tab aria-selected=false>Weirs</button></div>
<script>const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((tab, i) => tab.onclick = () => {
  tabs.forEach(one => one.ariaSelected = one === tab);
  show(i);
})</script>"""


@pytest.fixture(scope="module")
def site():
    """Serve the last page that was written, and a text at ``/more``: yield its address, and all requests."""
    pages, requests = {"/more": f"<p>{TEXTS['SECOND']}"}, []

    class Handler(Answering):
        def do_GET(self):
            requests.append(self.path)
            self.answer(pages[self.path], kind="text/html; charset=utf-8")

    with serve(Handler) as address:

        def write(markup):
            body = f"<h1>The weir</h1><p>ABOVE</p>{markup.replace('TABS', TABS)}<p>BELOW</p>"
            page = f"<!doctype html><title>The weir</title><main>{body}</main>"
            for name, text in TEXTS.items():
                page = page.replace(name, text)
            pages["/page"] = page
            requests.clear()
            return f"{address}/page", requests

        yield write


@pytest.fixture
def opened(browser, site):
    """Return a function that opens a page with some markup between two paragraphs."""

    def open_(markup, **options):
        return browser.open(site(markup)[0], options=bs.RenderOptions(timeout=20.0, allow_private=True, **options))

    return open_


def seen(page):
    """Return the names of the texts that are visible, each as often as it is."""
    named = {text: name for name, text in TEXTS.items()}
    visible = zip(page.leaf_texts, page.hidden.tolist(), strict=True)
    return [named[text] for text, hidden in visible if text in named and not hidden]


def revealed(page):
    """Return the names of the texts that a click has shown, with the name of what was clicked."""
    named = {text: name for name, text in TEXTS.items()}
    found = {named.get(page.leaf_texts[leaf]): name for leaf, name in revealed_leaves(page).items()}
    return {text: name for text, name in found.items() if text}


@pytest.mark.parametrize("name", PARTS)
def test_what_a_click_shows_is_visible_once_and_marked(opened, name):
    case = PARTS[name]
    plain, page = opened(case["markup"]), opened(case["markup"], reveal=True)
    first = case.get("first", [])
    assert seen(plain) == ["ABOVE", *first, "BELOW"]
    assert not revealed_leaves(plain)
    assert "revealed" not in plain.environment
    assert seen(page) == ["ABOVE", *first, *case["shown"], "BELOW"]
    assert revealed(page) == case["shown"]
    assert page.url.endswith("/page")


@pytest.mark.parametrize("name", APART)
def test_a_click_does_not_leave_the_page_or_cover_it(browser, site, name):
    address, requests = site(APART[name]["markup"])
    page = browser.open(address, options=bs.RenderOptions(timeout=20.0, allow_private=True, reveal=True))
    assert seen(page) == ["ABOVE", "BELOW"]
    assert not revealed_leaves(page)
    assert page.environment["revealed"] == "0"
    assert page.url == address
    assert requests == ["/page"]


def test_what_is_closed_by_style_alone_opens_without_scripts(opened):
    page = opened(PARTS["details"]["markup"], reveal=True, javascript=False)
    assert seen(page) == ["ABOVE", "SECOND", "BELOW"]


def test_code_of_closed_tabs_has_the_name_of_its_tab_above_it(opened):
    shell = "<pre><code class=language-sh>gate --open</code></pre>"
    python = "<pre><code class=language-python>gate.open()</code></pre>"
    page = opened(PARTS["tabs"]["markup"].replace("FIRST", shell).replace("SECOND", python), reveal=True)
    document = bs.extract(page)
    code = ["**Gates**", "```sh\ngate --open\n```", "**Sluices**", "```python\ngate.open()\n```"]
    assert "\n\n".join(code) in document.markdown
    blocks = {block.text: block.to_dict() for block in document.blocks}
    assert blocks["gate.open()"]["revealed"] == blocks["Sluices"]["revealed"] == "Sluices"
    assert "revealed" not in blocks["gate --open"] | blocks[TEXTS["BELOW"]]


def test_records_that_a_click_shows_say_so(opened):
    cards = [f"<article><h3><a href=/{i}>Gate {i}</a></h3><p>Oiled on day {i} of May.</article>" for i in range(8)]
    button = "<button onclick='nextElementSibling.hidden = false; remove()'>Show all gates</button>"
    page = opened(f"<section>{''.join(cards[:5])}{button}<div hidden>{''.join(cards[5:])}</div></section>", reveal=True)
    records = [record.to_dict() for found in bs.extract(page).records for record in found.records]
    assert {record["title"]: record.get("revealed") for record in records} == {
        f"Gate {i}": "Show all gates" if i >= 5 else None for i in range(8)
    }
