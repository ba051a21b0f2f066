"""Pages that replace what a browser offers, so that a program that reads them is misled."""

import blocksight as bs
import pytest
from opening import open_many

pytestmark = pytest.mark.browser

#: Statements of a page: after each the sentence that scrolling hides is still found to be hidden.
TRICKS = {
    "nothing": "",
    "scroll": "Element.prototype.scrollTo = window.scrollTo = window.scrollBy = () => {}",
    "slice": "Array.prototype.slice = Array.prototype.map = Array.prototype.filter = function () { return [] }",
    "iterator": "Array.prototype[Symbol.iterator] = function* () {}",
    "push": "Array.prototype.push = function () { return 0 }",
    "elements-of-arrays": "Object.defineProperty(Array.prototype, 0, {get() {}, set() {}, configurable: true})",
    "symbol": "Symbol.for = () => Symbol()",
    "map": "Map.prototype.set = Map.prototype.get = Set.prototype.add = WeakMap.prototype.set = function () {}",
    "weak": "WeakSet.prototype.has = WeakSet.prototype.add = WeakMap.prototype.get = function () { return true }",
    "apply": "Function.prototype.apply = Function.prototype.call = Function.prototype.bind = Reflect.apply = () => 0",
    "text-of-functions": "Function.prototype.toString = () => ''",
    "promise": "Promise.prototype.then = function () { return this }",
    "frames": "window.requestAnimationFrame = () => 0",
    "timers": "window.setTimeout = () => 0; window.scheduler = {postTask() {}}",
    "listeners": "EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => true",
    "events": "window.CustomEvent = class {}; Object.defineProperty(Event.prototype, 'target', {get() { return 0 }});"
    "Object.defineProperty(CustomEvent.prototype, 'detail', {get() { return 0 }})",
    "styles": "window.getComputedStyle = () => ({})",
    "boxes": "Element.prototype.getBoundingClientRect = () => ({top: 9e9, bottom: 9e9, left: 9e9, right: 9e9})",
    "animations": "document.getAnimations = () => { throw 1 }",
    "search": "document.querySelector = () => null; document.querySelectorAll = () => []",
    "elements": "Document.prototype.getElementsByTagName = Element.prototype.getElementsByTagName = () => []",
    "objects": "for (const name of ['get', 'set', 'value', 'apply', 'construct', 'detail', 'isLazy', 'elements'])"
    "Object.defineProperty(Object.prototype, name, {get() { throw 1 }, set() {}, configurable: true})",
    "patterns": "RegExp.prototype.test = RegExp.prototype.exec = () => null",
    "rewritten": "addEventListener('load', () => setTimeout(() => { const html = document.documentElement.outerHTML;"
    "document.open(); document.write(html.replace(/<script id=t.*?<.script>/, '')); document.close() }))",
}
_TALL = "<div style='height:2000px'></div>"
_FRAME = (
    "<!doctype html><p>Words at the top of the page.</p>{0}<p id=x>The grey ferry leaves at noon.</p>{0}"
    "<script>const listen = addEventListener.bind(window)</script><script id=t>{1}</script>"
    "<script>listen('scroll', () => {{ if (scrollY > 300) x.style.color = '#fff' }})</script>"
)
#: Lists the names of the window, own and inherited, that nobody but us could have given.
_NAMES = b"""<p id=p></p><script>
  const names = [];
  for (let one = window; one; one = Object.getPrototypeOf(one)) names.push(...Reflect.ownKeys(one).map(String));
  const ours = /[Bb]locksight|^(WINDOW|TOLD|state|replace|method)$/;
  p.textContent = `found ${names.filter(name => ours.test(name)).join()}.`;
</script>"""


@pytest.fixture(scope="module")
def texts():
    pages = {_FRAME.format(_TALL, trick).encode(): name for name, trick in TRICKS.items()} | {_NAMES: "names"}
    with bs.Browser(pages=2, options=bs.RenderOptions(timeout=30.0)) as browser:
        results = list(open_many(browser, pages))
    return {pages[one.source]: bs.extract(one.page, system="everything").text for one in results}


@pytest.mark.parametrize("name", TRICKS)
def test_a_page_does_not_mislead_by_replacing_functions(texts, name):
    assert "Words at the top" in texts[name]
    assert "grey ferry" not in texts[name]


def test_a_page_finds_no_name_of_ours(texts):
    assert texts["names"] == "found ."
