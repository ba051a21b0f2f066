"""The browser: frames and shadow trees, late content, faults, many pages at once, and no process left."""

import asyncio
import base64
import hashlib
import json
import re
import threading
import time
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import blocksight as bs
import psutil
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.network.local_server import QuietHandler, serve
from opening import Answering, open_many

pytestmark = [pytest.mark.browser, pytest.mark.long]
LOCAL = bs.RenderOptions(allow_private=True)
#: Seconds after which a page with a time limit of ten has come to nothing, also on a busy machine.
HANGS = 40

ADD = """for (let i = 0; i < 40; i++) {
  const p = document.createElement("p"); p.textContent = `item ${i} of the page`; document.body.append(p); }"""
OBSERVE = """const seen = new IntersectionObserver(all => all.forEach(one => { if (one.isIntersecting) SHOW }));
for (let i = 0; i < 40; i++) { const p = document.createElement("p"); p.dataset.i = i; document.body.append(p);
  seen.observe(p); }"""
LATE = {
    "static": "".join(f"<p>item {i} of the page</p>" for i in range(40)),
    "fetch-300": f"<script>fetch('/wait?ms=300').then(() => {{ {ADD} }})</script>",
    "fetch-1500": f"<script>fetch('/wait?ms=1500').then(() => {{ {ADD} }})</script>",
    "chained": """<script>let n = 0; (async () => { for (let k = 0; k < 4; k++) { await fetch("/wait?ms=200");
        for (let i = 0; i < 10; i++) { const p = document.createElement("p"); p.textContent = `item ${n++} of the page`;
        document.body.append(p); } } })()</script>""",
    "timer": f"<script>setTimeout(() => {{ {ADD} }}, 1500)</script>",
    "polling": f"<script>{ADD} setInterval(() => fetch('/wait?ms=20'), 200)</script>",
    "clock": f"<b id=c></b><script>{ADD} setInterval(() => c.textContent = Date.now(), 100)</script>",
    "clock-and-fetch": "<b id=c></b><script>setInterval(() => c.textContent = Date.now(), 100);"
    f"fetch('/wait?ms=800').then(() => {{ {ADD} }})</script>",
    "body-in-pieces": f"""<script>(async () => {{ const body = (await fetch("/pieces?count=3")).body.getReader();
        while (!(await body.read()).done); {ADD} }})()</script>""",
    "worker-body": f"""<script>const read = async (event) => {{
            const body = (await fetch(event.data)).body.getReader();
            while (!(await body.read()).done); postMessage(1) }};
        const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = " + read])));
        worker.onmessage = () => {{ {ADD} }}; worker.postMessage(location.origin + "/pieces?count=3")</script>""",
    "slow-body": f"<script>fetch('/pieces?count=4').then(reply => reply.text()).then(() => {{ {ADD} }})</script>",
    "endless-body": f"""<script>(async () => {{ const body = (await fetch("/pieces?count=50")).body.getReader();
        while (!(await body.read()).done); }})(); setTimeout(() => {{ {ADD} }}, 3000)</script>""",
    "endless-events": f"<script>new EventSource('/pieces?count=50'); setTimeout(() => {{ {ADD} }}, 3000)</script>",
    "late-event": f"""<script>let n = 0;
        new EventSource("/pieces?count=50").onmessage = () => {{ if (++n == 3) {{ {ADD} }} }}</script>""",
    "late-head": f"""<script>const events = new EventSource("/pieces?count=1&wait=300");
        events.onmessage = () => {{ events.close(); {ADD} }}</script>""",
    "socket": f"""<script>new WebSocket(`ws://${{location.host}}/socket`).onmessage = () => {{ {ADD} }}</script>""",
    "skeleton": f"<p id=s>loading</p><script>fetch('/wait?ms=700').then(() => {{ s.remove(); {ADD} }})</script>",
    "web-font": "<style>@font-face { font-family: x; src: url(/wait?ms=500) } body { font-family: x }</style>"
    f"<script>{ADD}</script>",
    "hanging": f"<script>{ADD} fetch('/wait?ms=30000')</script>",
    "lazy": "<style>p { height: 200px }</style><script>"
    + OBSERVE.replace("SHOW", "one.target.textContent = `item ${one.target.dataset.i} of the page`")
    + "</script>",
    "fading": "<style>p { height: 150px; opacity: 0; transition: opacity 1s } .in { opacity: 1 }</style><script>"
    + OBSERVE.replace("SHOW", "one.target.classList.add('in')").replace(
        "p.dataset.i = i", "p.textContent = `item ${i} of the page`"
    )
    + "</script>",
    "endless": """<style>p { height: 100px }</style><div id=list></div><div id=end>end</div><script>let n = 0;
        async function more() { if (n >= 40) return; await fetch("/wait?ms=20"); for (let i = 0; i < 10; i++) {
        const p = document.createElement("p"); p.textContent = `item ${n++} of the page`; list.append(p); } }
        new IntersectionObserver(all => { if (all.some(one => one.isIntersecting)) more() }).observe(end); more()
        </script>""",
}
FAULTS = {
    "spin": "<p>before</p><script>while (true);</script>",
    "alert": "<p>text</p><script>alert(1); confirm(2); document.body.append('after')</script>",
    "popup": "<p>text</p><script>for (let i = 0; i < 20; i++) window.open('/static')</script>",
    "grow": "<p>text<script>setInterval(() => { for (let i = 0; i < 99; i++) document.body.append(i) }, 1)</script>",
    "deep": "<p>text<script>let at = document.body; for (;;) at = at.appendChild(document.createElement('b'))</script>",
    "redirected": "<script>location = '/late/static'</script>",
}


class Server(QuietHandler):
    def send_pieces(self, count, html=0, wait=0):
        """Send pieces of an event stream, or of HTML after so many bytes of it; ``wait`` milliseconds before."""
        time.sleep(wait / 1000)
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if html else "text/event-stream")
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(b"<p>" + b"words " * (html // 6) if html else b"")
            for _ in range(count):
                self.wfile.write(b"data: piece\n\n")
                time.sleep(0.7)

    def send_message(self):
        """Send a message through a socket (RFC 6455), some time after it has been opened."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.protocol_version = "HTTP/1.1"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        time.sleep(0.3)
        with suppress(OSError):
            self.wfile.write(b"\x81\x04text")
            time.sleep(1)

    def do_GET(self):
        parts = urlsplit(self.path)
        body = b"ok"
        if parts.path == "/wait":
            time.sleep(int(parse_qs(parts.query)["ms"][0]) / 1000)
        elif parts.path == "/pieces":
            self.send_pieces(**{name: int(values[0]) for name, values in parse_qs(parts.query).items()})
            return
        elif parts.path == "/socket":
            self.send_message()
            return
        elif parts.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
            return
        elif parts.path == "/download":
            body = b"data"
        else:
            kind, _, name = parts.path[1:].partition("/")
            body = b"<!DOCTYPE html><title>t</title><body>" + (LATE if kind == "late" else FAULTS)[name].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if parts.path == "/download":
            self.send_header("Content-Disposition", "attachment; filename=a.zip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def server():
    with serve(Server) as address:
        yield address


def seen(page):
    return [text.strip() for text, why in zip(page.leaf_texts, page.hidden, strict=True) if why == Hidden.VISIBLE]


@pytest.mark.parametrize("name", LATE)
def test_late_content_is_there(browser, server, name):
    # This one asks its server fifty times, each in real time, which takes long on a busy machine.
    patient = bs.RenderOptions(timeout=60.0, settle_cap=30.0, allow_private=True)
    page = browser.open(f"{server}/late/{name}", options=patient if name == "polling" else None)
    assert sum(text.startswith("item") for text in seen(page)) == 40
    assert page.partial == (name == "hanging")


@pytest.mark.parametrize("move", ["location.replace('{0}')", "history.pushState({{}}, '', '{0}')"])
@pytest.mark.parametrize("options", [{}, {"fetch_only": True}])
def test_open_address_after_leaving(browser, move, options):
    text = "<p>Fresh water is boiled for <a href='next'>each pot of tea</a>, and the pot is warmed before.</p>"

    class Moving(Answering):
        def do_GET(self):
            moves = self.path == "/start" and not options
            script = f"<script>{move.format('/deep/dir/view')}</script>" if moves else ""
            status = 302 if options and self.path == "/start" else 200
            self.answer(script + text, ("Location", "/deep/dir/view"), status=status)

    with serve(Moving) as origin:
        page = browser.open(f"{origin}/start", options=bs.RenderOptions(allow_private=True, **options))
        still = browser.open(f"{origin}/other#part", options=bs.RenderOptions(allow_private=True, **options))
    document = bs.extract(page, system="everything")
    assert page.url == document.base == document.metadata.address == f"{origin}/deep/dir/view"
    assert f"({origin}/deep/dir/next)" in document.markdown
    assert (page.environment["requested"], page.environment["address"]) == (f"{origin}/start", page.url)
    assert still.url == f"{origin}/other#part"
    assert "requested" not in still.environment


def test_frames_and_shadow_trees_are_in_place(browser):
    page = browser.open(
        b"""<body style="margin:0"><p style="margin:0;height:50px">outer</p>
        <iframe style="border:5px solid;padding:3px;display:block" width=300 height=60
          srcdoc="<body style='margin:0'>inner<p style='margin:0;padding-top:200px'>below"></iframe>
        <div id=host>unslotted<b slot=a>slotted</b></div><script>
        const root = document.getElementById("host").attachShadow({ mode: "closed" });
        root.innerHTML = "<i>closed </i><slot name=a></slot>";
        </script>"""
    )
    assert seen(page) == ["outer", "inner", "below", "closed", "slotted"]
    boxes = page.geometry.line_box[:, :2]
    assert boxes[0].tolist()[0] == 0
    assert boxes[1, 0] == 8
    assert 58 <= boxes[1, 1] <= 60


@pytest.mark.parametrize(
    ("style", "why"),
    [
        ("display:none", Hidden.DISPLAY),
        ("visibility:hidden", Hidden.VISIBILITY),
        ("opacity:0", Hidden.OPACITY),
        ("position:absolute;left:-9999px", Hidden.OFF_SCREEN),
        ("text-indent:-9999px", Hidden.OFF_SCREEN),
        ("position:absolute;width:1px;height:1px;overflow:hidden", Hidden.CLIP),
        ("max-height:0;overflow:hidden", Hidden.CLIP),
        ("font-size:0", Hidden.ZERO_AREA),
        ("color:transparent", Hidden.OPACITY),
        ("height:10px;overflow:auto", Hidden.VISIBLE),
        ("animation:in 1s both", Hidden.VISIBLE),
        ("content-visibility:auto;margin-top:9000px", Hidden.VISIBLE),
    ],
)
def test_why_text_is_not_seen(browser, style, why):
    html = "<style>@keyframes in { from { opacity: 0 } }</style><p>plain</p>"
    html += f"<div style='{style}'><p>text</p></div>"
    assert browser.open(html.encode()).hidden.tolist() == [Hidden.VISIBLE, why]


def test_bytes_believe_in_their_address(browser):
    html = b"<base href='/x/'><script>document.write(location.href, ' ', document.links.length)</script>"
    page = browser.open(html, url="https://example.org/a b?c=\xc3\xa9", options=bs.RenderOptions(offline=True))
    assert seen(page) == ["https://example.org/a%20b?c=%C3%83%C2%A9 0"]
    assert page.url == "https://example.org/a b?c=\xc3\xa9"


def test_a_file_may_use_files_of_its_folder_and_nothing_else(browser, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "secret.js").write_text("document.body.append('secret')")
    (tmp_path / "site" / "style.css").write_text("p { font-size: 40px }")
    (tmp_path / "site" / "data.json").write_text('"data"')
    (tmp_path / "site" / "page.html").write_text(
        "<link rel=stylesheet href=style.css><body><p>text</p><script src=../secret.js></script>"
        "<script src=%2e%2e/secret.js></script><iframe src=file:///etc/hostname></iframe>"
        "<script>fetch('data.json').then(r => r.text()).then(t => document.body.append(t), () => {})</script>"
    )
    page = browser.open(tmp_path / "site" / "page.html")
    assert seen(page) == ["text"]
    assert page.geometry.font_size[page.leaves[0]] == 40


def test_scripts_that_wipe_a_saved_page_are_not_run_again(browser):
    html = (
        b"<script>location.href = 'https://example.org/gone'; document.documentElement.innerHTML = ''</script><p>text"
    )
    assert seen(browser.open(html, options=bs.RenderOptions(offline=True))) == ["text"]


def test_no_scripts_on_demand(browser):
    html = b"<p>text</p><script>document.body.append('more')</script>"
    assert seen(browser.open(html, options=bs.RenderOptions(javascript=False))) == ["text"]


#: Pages that grow as fast as the browser can: what there is comes out, or the answer says why it does not.
GROWING = ("grow", "deep")


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_comes_out_or_it_is_said_why_not(browser, server, name):
    began = time.monotonic()
    options = bs.RenderOptions(allow_private=True, timeout=10.0)
    (opened,) = open_many(browser, [f"{server}/fault/{name}"], options=options)
    if opened.page is not None:
        assert "text" in seen(opened.page)
    else:
        # The browser itself may fall over a tree of a hundred thousand levels.
        assert re.search(r"[\d,]{6,} nodes|MB of memory|crashed the browser's tab", str(opened.error))
    assert time.monotonic() - began < HANGS


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in GROWING])
def test_faults_do_not_hang(browser, server, name):
    began = time.monotonic()
    page = browser.open(f"{server}/fault/{name}", options=bs.RenderOptions(allow_private=True, timeout=10.0))
    assert time.monotonic() - began < HANGS
    expected = {"spin": "before", "redirected": "item 0 of the page"}.get(name, "text")
    assert expected in seen(page)


def test_what_is_no_page(browser, server):
    for path, why in (("/loop", "redirects without end"), ("/download", "download")):
        with pytest.raises(bs.PageFailed, match=why):
            browser.open(server + path)


def test_an_address_that_does_not_answer_in_time(browser, server):
    with pytest.raises(bs.PageFailed, match=r"(no answer|not done) within 2 s"):
        browser.open(f"{server}/wait?ms=60000", options=bs.RenderOptions(allow_private=True, timeout=2.0))


def test_html_that_stalls_is_fetched_in_part_or_late(browser, server):
    options = bs.RenderOptions(allow_private=True, fetch_only=True, timeout=4.0)
    page = browser.open(f"{server}/pieces?count=30&html=200000", options=options)
    assert page.partial
    assert "did not arrive" in page.environment["partial"]
    assert "words" in page.leaf_texts[0]
    with pytest.raises(bs.TimedOut, match="did not arrive"):
        browser.open(f"{server}/pieces?count=30&html=1", options=options)
    options = bs.RenderOptions(allow_private=True, fetch_only=True, timeout=120.0)
    whole = browser.open(f"{server}/pieces?count=2&html=1", options=options)
    assert not whole.partial


def test_many_pages_with_faults_among_them(server, tmp_path):
    sources = [f"{server}/late/{name}" for name in ("static", "timer", "fetch-300")]
    sources += ["http://no-such-host.invalid/", tmp_path, f"{server}/fault/alert", b"", b"<p>bytes</p>"]
    with bs.Browser(pages=3, options=LOCAL) as browser:
        found = {str(opened.source): opened for opened in open_many(browser, sources)}
    assert set(found) == {str(source) for source in sources}
    failed = {source for source, opened in found.items() if opened.page is None}
    assert failed == {"http://no-such-host.invalid/", str(tmp_path), "b''"}
    assert all((opened.page is None) == (opened.error is not None) for opened in found.values())


def browsers():
    """Chromium processes among the children of this one."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if any("--remote-debugging" in part for part in child.cmdline()):
                found.append(child)
    return found


def test_a_killed_browser_is_replaced(server):
    with bs.Browser(options=LOCAL) as browser:
        assert len(seen(browser.open(f"{server}/late/static"))) == 40
        for child in browsers():
            child.kill()
        assert len(seen(browser.open(f"{server}/late/static"))) == 40


def test_nothing_is_left_behind():
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    with bs.Browser() as browser:
        browser.open(b"<p>text")
        assert {child.pid for child in psutil.Process().children(recursive=True)} - before
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    assert psutil.wait_procs(left, timeout=300)[1] == []


@pytest.mark.parametrize("end", ["worker.terminate()", "worker.postMessage(0)"])
def test_a_worker_that_is_ended_does_not_stop_the_clock(browser, end):
    # As WordPress asks for emoji. When such a worker ended at once, about one page in six was partial.
    page = f"""<p>before</p><script>
        const code = "onmessage = () => close(); new OffscreenCanvas(9, 9).getContext('2d'), postMessage('after')";
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        worker.onmessage = event => {{ {end}; document.body.append(event.data) }}</script>"""
    results = list(open_many(browser, [page.encode()] * 20))
    assert [seen(result.page) for result in results] == [["before", "after"]] * 20
    assert not any(result.page.partial for result in results)


@pytest.mark.parametrize(
    ("code", "script", "expected"),
    [
        ("let n = 0; setInterval(() => { postMessage(++n); if (n == 3) close() }, 100)", "", "3"),
        ("setTimeout(() => postMessage('late'), 900); postMessage('final'); close()", "", "final"),
        ("onmessage = event => { close(); postMessage(event.data) }",
         "worker.postMessage(1); setTimeout(() => worker.postMessage(2), 300)", "1"),
        ("const all = new BroadcastChannel('a'); let n = 0; setInterval(() => all.postMessage(++n), 200)",
         "new BroadcastChannel('a').onmessage = twice", "2"),
        ("onmessage = event => { let n = 0; setInterval(() => event.ports[0].postMessage(++n), 200) }",
         "const {port1, port2} = new MessageChannel(); port1.onmessage = twice; worker.postMessage(0, [port2])", "2"),
    ],
)  # fmt: skip
def test_a_worker_that_is_ended_says_no_more(browser, code, script, expected):
    page = f"""<p id=p></p><script>
        const worker = new Worker(URL.createObjectURL(new Blob([{json.dumps(code)}])));
        const show = worker.onmessage = event => {{ p.textContent = event.data }};
        const twice = event => {{ show(event); if (event.data == 2) worker.terminate() }}; {script}</script>"""
    assert seen(browser.open(page.encode())) == [expected]


def test_a_page_that_ends_many_workers_is_complete(browser):
    page = b"""<p id=p></p><script>for (let i = 0; i < 60; i++) new Worker('data:text/javascript,0').terminate();
        p.textContent = "ended"</script>"""
    assert seen(browser.open(page)) == ["ended"]


@pytest.mark.parametrize(
    "script",
    [
        """globalThis.Promise = class extends Promise {};
        const {subtle} = crypto;
        const key = await subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]);
        await subtle.deriveBits({name: "PBKDF2", salt: new Uint8Array(8), iterations: 2e5, hash: "SHA-512"}, key, 256);
        p.textContent = "done" """,
        """await new Promise(done => setTimeout(done, 1500));
        await new OfflineAudioContext(1, 44100 * 20, 44100).startRendering();
        p.textContent = "done" """,
        """addEventListener("focusin", () => { p.textContent = "done" });
        await new Promise(done => setTimeout(done, 1500));
        document.body.insertAdjacentHTML("beforeend", "<input autofocus>")""",
    ],
)
def test_answers_and_events_in_real_time_are_waited_for(browser, script):
    page = f"<p id=p>early</p><script type=module>{script}</script>"
    # The first one is for secure pages.
    page = browser.open(page.encode(), url="https://example.org/", options=bs.RenderOptions(offline=True))
    assert seen(page) == ["done"]


def test_inside_a_running_event_loop_and_under_threads(browser):
    async def notebook():
        return browser.open(b"<p>in a loop")

    assert seen(asyncio.run(notebook())) == ["in a loop"]
    found = []
    threads = [
        threading.Thread(target=lambda n=n: found.extend(seen(browser.open(f"<p>thread {n}".encode()))))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [f"thread {n}" for n in range(4)]


def test_a_closed_browser_may_be_used_again():
    browser = bs.Browser()
    assert seen(browser.open(b"<p>one")) == ["one"]
    browser.close()
    assert seen(browser.open(b"<p>two")) == ["two"]
    browser.close()
    browser.close()


def test_wrong_settings():
    for wrong in ({"timeout": 0}, {"settle": -1}, {"viewport": (0, 9)}, {"max_bytes": 0}, {"scroll": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            bs.RenderOptions(**wrong)
    with pytest.raises(ValueError, match="pages"):
        bs.Browser(pages=0)


def test_transitions_of_the_content_of_details_come_to_their_end(browser):
    """No list of animations has them, since the content is an element of the browser's own."""
    page = browser.open(
        b"<style>:root{interpolate-size:allow-keywords}"
        b"details::details-content{block-size:0;overflow:clip;"
        b"transition:block-size 2s,content-visibility 2s allow-discrete}"
        b"details[open]::details-content{block-size:auto}</style>"
        b"<details id=a><summary>More</summary><p>Opened</details>"
        b"<details id=b open><summary>Less</summary><p>Closed</details>"
        b"<script>setTimeout(() => { a.open = true; b.open = false }, 3000)</script>"
    )
    shown = [text for text, hidden in zip(page.leaf_texts, page.hidden, strict=True) if not hidden]
    assert shown == ["More", "Opened", "Less"]
