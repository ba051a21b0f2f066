"""Every way in which a page can ask for something, tried on a server that it must not reach, by http and by https.

The page's own server and the secret one are both on loopback: the guard opens the first by an exception. The same ways
are tried with private addresses allowed, where they must arrive: so the test can fail. What we stop in the browser as
well (popups, service workers) is let go here: the guard holds by itself.
"""

import socket
import ssl
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import ThreadingHTTPServer
from urllib.parse import unquote

import blocksight as bs
import psutil
import pytest
from blocksight.render.chromium.browser_context import SharedWorkers
from blocksight.render.chromium.process import launch
from blocksight.render.network.guard import Policy
from blocksight.render.network.local_server import QuietHandler
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from opening import open_many

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: Each tries to get SECRET/its-name. HERE is the page's own server.
WAYS = {
    "image": '<img src="SECRET/image">',
    "image-302": '<img src="HERE/302/image-302">',
    "image-set": '<img srcset="SECRET/image-set 1x, SECRET/image-set 2x">',
    "background": '<p style="background: url(SECRET/background)">text',
    "svg-image": '<svg><image href="SECRET/svg-image"/></svg>',
    "video": '<video autoplay muted src="SECRET/video"></video>',
    "stylesheet": '<link rel=stylesheet href="SECRET/stylesheet">',
    "import": "<style>@import 'SECRET/import';</style>",
    "font": "<style>@font-face { font-family: x; src: url(SECRET/font) } p { font-family: x }</style><p>text",
    "script": '<script src="SECRET/script"></script>',
    "module": "<script type=module>import('SECRET/module')</script>",
    "object": '<object data="SECRET/object" type="text/html"></object>',
    "embed": '<embed src="SECRET/embed" type="text/html">',
    "iframe": '<iframe src="SECRET/iframe"></iframe>',
    "iframe-302": '<iframe src="HERE/302/iframe-302"></iframe>',
    "iframe-srcdoc": "<iframe srcdoc=\"<img src='SECRET/iframe-srcdoc'>\"></iframe>",
    "fetch": "<script>fetch('SECRET/fetch', {mode: 'no-cors'})</script>",
    "fetch-302": "<script>fetch('HERE/302/fetch-302', {mode: 'no-cors'})</script>",
    "xhr": "<script>const x = new XMLHttpRequest(); x.open('GET', 'SECRET/xhr'); x.send()</script>",
    "events": "<script>new EventSource('SECRET/events')</script>",
    "websocket": "<script>new WebSocket('SECRET/websocket'.replace('http', 'ws'))</script>",
    "worker": "<script>new Worker('HERE/js-fetch/worker')</script>",
    "worker-import": "<script>new Worker('HERE/js-import/worker-import')</script>",
    "worker-socket": "<script>new Worker('HERE/js-socket/worker-socket')</script>",
    "shared-worker": "<script>new SharedWorker('HERE/js-fetch/shared-worker')</script>",
    # The page's clock does not wait for another page.
    "popup": "<script>window.open('SECRET/popup')</script><img src='HERE/slow'>",
    "popup-302": "<script>window.open('HERE/302/popup-302')</script><img src='HERE/slow'>",
    "popup-written": "<script>window.open('').document.write('<img src=\"SECRET/popup-written\">')</script>"
    "<img src='HERE/slow'>",
    "form-to-popup": "<form method=post target=_blank action='SECRET/form-to-popup'></form>"
    "<script>document.forms[0].submit()</script>",
    "link-prefetch": '<link rel=prefetch href="SECRET/link-prefetch">',
    "link-preload": '<link rel=preload as=image href="SECRET/link-preload">',
    "speculation-prefetch": '<script type=speculationrules>{"prefetch": [{"source": "list", "urls": '
    '["SECRET/speculation-prefetch"], "eagerness": "immediate"}]}</script>',
    "speculation-prerender": '<script type=speculationrules>{"prerender": [{"source": "list", "urls": '
    '["HERE/302/speculation-prerender"], "eagerness": "immediate"}]}</script>',
    "policy-report": "<img src='/x'>",
    "header-preload": "",
    "base": "<base href='SECRET/'><img src=base>",
    "poster": "<video poster='SECRET/poster'></video>",
    "cursor": "<style>body { cursor: url(SECRET/cursor), auto }</style>",
    "input": "<input type=image src='SECRET/input'>",
    "filter": "<svg><filter id=f><feImage href='SECRET/filter'/></filter>"
    "<rect width=9 height=9 filter='url(#f)'/></svg>",
    "frame-of-data": "<iframe src=\"data:text/html,<img src='SECRET/frame-of-data'>\"></iframe>",
    "sandbox": "<iframe sandbox srcdoc=\"<img src='SECRET/sandbox'>\"></iframe>",
    "dictionary": "<link rel=compression-dictionary href='SECRET/dictionary'><img src='HERE/slow'>",
    "module-preload": "<link rel=modulepreload href='SECRET/module-preload'>",
    "import-map": '<script type=importmap>{"imports": {"x": "SECRET/import-map"}}</script>'
    "<script type=module>import 'x'</script>",
    "keep-alive": "<script>fetch('SECRET/keep-alive', {mode: 'no-cors', keepalive: true})</script>",
    "cache": "<script>caches.open('x').then(c => c.add(new Request('SECRET/cache', {mode: 'no-cors'})))</script>",
    "socket-stream": "<script>new WebSocketStream('SECRET/socket-stream'.replace('http', 'ws'))</script>"
    "<img src='HERE/slow'>",
    "worklet": "<script>CSS.paintWorklet.addModule('SECRET/worklet').catch(() => 0)</script><img src='HERE/slow'>",
    "audio-worklet": "<script>new AudioContext().audioWorklet.addModule('SECRET/audio-worklet').catch(() => 0)</script>"
    "<img src='HERE/slow'>",
    "fetch-later": "<script>fetchLater('SECRET/fetch-later', {activateAfter: 0})</script><img src='HERE/slow'>",
    "federated": "<script>navigator.credentials.get({identity: {providers: [{configURL: 'SECRET/federated',"
    "clientId: 'x'}]}}).catch(() => 0)</script><img src='HERE/slow'>",
    "service": "<script>navigator.serviceWorker.register('HERE/js-fetch/service')</script><img src='HERE/slow'>",
    "service-import": "<script>navigator.serviceWorker.register('HERE/js-import/service-import')</script>"
    "<img src='HERE/slow'>",
}
#: As above, but they lead the page itself away.
LEADING_AWAY = {
    "navigation-302": "",
    "navigation-307": "",
    "script-navigation": "<script>location = 'SECRET/script-navigation'</script>",
    "script-navigation-302": "<script>location = 'HERE/302/script-navigation-302'</script>",
    "meta-refresh": '<meta http-equiv=refresh content="0; url=SECRET/meta-refresh">',
    "form": "<form method=post action='SECRET/form'></form><script>document.forms[0].submit()</script>",
}
#: Other names of this machine; each is tried by an image. Chromium itself puts most into one form.
SPELLINGS = "127.0.0.2 localhost a.localhost 2130706433 0x7f.1 0177.0.0.1 0 127.1 [::ffff:7f00:1]".split()
#: IPv6 may be missing on the machine that tests.
MAY_BE_MISSING = {"[::ffff:7f00:1]"}
#: Stopped in the browser, with and without the guard.
NEVER = {
    "file-iframe": '<iframe src="file:///etc/passwd"></iframe>',
    "file-302": '<iframe src="HERE/file"></iframe>',
    "file-fetch": "<script>fetch('file:///etc/passwd').then(r => r.text()).then(t => document.body.append(t))</script>",
    "beacon": "<script>navigator.sendBeacon('SECRET/beacon', 'x')</script>",
    "ping": '<a ping="SECRET/ping" href="#x" id=a>text</a><script>a.click()</script>',
}
POPUPS = "--block-new-web-contents"


class Secret(QuietHandler):
    """Notes who arrives."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.arrived.add(unquote(self.path).strip("/"))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()


class Here(QuietHandler):
    """Serves the pages that try."""

    def do_GET(self):
        _, kind, name = [*unquote(self.path).split("/"), "", ""][:3]
        secret = self.server.secret
        if kind in {"302", "navigation-302", "navigation-307"}:
            self.redirect(f"{secret}/{name or kind}", 307 if kind.endswith("7") else 302)
        elif kind == "slow":
            time.sleep(1.0)
            self.answer("image/png", "")
        elif kind == "file":
            self.redirect("file:///etc/passwd", 302)
        elif kind in SCRIPTS:
            self.answer("text/javascript", SCRIPTS[kind].replace("SECRET", f"{secret}/{name}"))
        else:
            self.answer("text/html", self.page(kind))

    def page(self, name):
        if name in SPELLINGS:
            body = f'<img src="{self.server.scheme}://{name}:{self.server.secret_port}/{name}">'
        else:
            bodies = WAYS | LEADING_AWAY | NEVER | {"waiting": "<img src='HERE/slow'>"}
            body = "".join(bodies.get(way, "") for way in name.split("+"))
        body = body.replace("SECRET", self.server.secret).replace("HERE", self.server.here)
        return f"<!doctype html><title>{name}</title><body><p>The page {name}.</p>{body}"

    def redirect(self, address, status):
        self.send_response(status)
        self.send_header("Location", address)
        self.end_headers()

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if "policy-report" in self.path:
            report = f"{self.server.secret}/policy-report"
            self.send_header("Content-Security-Policy", f"img-src 'none'; report-uri {report}")
        if "header-preload" in self.path:
            self.send_header("Link", f"<{self.server.secret}/header-preload>; rel=preload; as=image")
        self.end_headers()
        self.wfile.write(text.encode())


SCRIPTS = {
    "js-fetch": "fetch('SECRET', {mode: 'no-cors'})",
    "js-import": "importScripts('SECRET')",
    "js-socket": "new WebSocket('SECRET'.replace('http', 'ws'))",
}


def seen(page):
    return [text.strip() for text in page.leaf_texts]


class Watched(ThreadingHTTPServer):
    """Rows connections, with or without a request."""

    daemon_threads = True
    request_queue_size = 128

    def get_request(self):
        self.connections += 1
        return super().get_request()

    def handle_error(self, request, client_address):
        """Say nothing: a browser that has seen enough hangs up."""


@contextmanager
def served(handler, host="127.0.0.1", port=0, *, tls=None, **attributes):
    server = Watched((host, port), handler)
    if tls is not None:
        # Hands are shaken by the thread of each connection: one that does not speak must not stop the others.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.connections, server.arrived, server.scheme = 0, set(), "https" if tls else "http"
    for name, value in attributes.items():
        setattr(server, name, value)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module", params=["http", "https"])
def tls(request, signed, tmp_path_factory):
    """What a server needs to speak https; None for http."""
    if request.param == "http":
        return None
    key, certificate = signed
    both = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(Encoding.PEM)
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    file.write_bytes(both)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(file)
    return made


def tried(names, tls, *, guarded):
    """Try everything; give the ways that arrived, the connections made, and what became of each page.

    Guarded, pages may reach their own server only, else everything.
    """
    with (
        served(Secret, tls=tls) as secret,
        served(Secret, "127.0.0.2", secret.server_port, tls=tls) as second,
        served(Here, tls=tls) as here,
    ):
        here.secret_port = secret.server_port
        here.here, here.secret = (f"{here.scheme}://127.0.0.1:{one.server_port}" for one in (here, secret))
        usual = Policy.for_page

        def policy(options, target):
            found = usual(options, target)
            return replace(found, exceptions=frozenset({("127.0.0.1", here.server_port)})) if guarded else found

        options = bs.RenderOptions(allow_private=not guarded, settle=0.7, scroll=0, timeout=15.0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Policy, "for_page", policy)
            fence = [flag for flag in launch.RESTRICTIONS if flag != POPUPS]
            patch.setattr(launch, "RESTRICTIONS", [*fence, "--disable-popup-blocking", "--ignore-certificate-errors"])
            opened = opened_from(here.here, [name for name in names if "popup" not in name], options)
            # No popup is let go by a browser that watches shared workers.
            patch.setattr(SharedWorkers, "_watch", unwatched)
            opened |= opened_from(here.here, [name for name in names if "popup" in name], options)
        pages = {name: opened[f"{here.here}/{name}"] for name in names}
        return Outcome(secret.arrived | second.arrived, secret.connections + second.connections, pages)


def opened_from(address, names, options):
    with bs.Browser(pages=4, options=options) as browser:
        return {one.source: one for one in open_many(browser, [f"{address}/{name}" for name in names])}


async def unwatched(workers):
    """Attach to nothing."""


@dataclass
class Outcome:
    arrived: set
    connections: int
    pages: dict


#: Ways that share a page where nothing holds them back; the others concern the page itself or all that follows.
TOGETHER = [name for name in WAYS if "popup" not in name and name not in {"policy-report", "header-preload", "base"}]
EVERY = [*WAYS, *LEADING_AWAY, *SPELLINGS, *NEVER]
JOINED = ["+".join(TOGETHER[first::5]) for first in range(5)] + [name for name in EVERY if name not in TOGETHER]


@pytest.fixture(scope="module")
def guarded(tls):
    """Each way by itself by http; by https, those that may share a page do."""
    return tried(JOINED if tls else EVERY, tls, guarded=True)


@pytest.fixture(scope="module")
def unguarded(tls):
    found = tried(JOINED, tls, guarded=False)
    # Some ways start slowly (a shared worker has a process of its own): the slow ones get more tries.
    for _ in range(4):
        if missing := [name for name in (*WAYS, *LEADING_AWAY, *SPELLINGS) if name not in found.arrived]:
            found.arrived |= tried(missing, tls, guarded=False).arrived
    return found


@pytest.mark.parametrize("name", [*WAYS, *LEADING_AWAY, *SPELLINGS])
def test_no_way_to_a_private_address(name, guarded, unguarded):
    assert name not in guarded.arrived
    if name not in MAY_BE_MISSING:
        assert name in unguarded.arrived


@pytest.mark.parametrize("name", NEVER)
def test_ways_that_are_always_closed(name, guarded, unguarded):
    for found in (guarded, unguarded):
        assert name not in found.arrived
        assert "root:" not in "".join(seen(found.pages[name].page))


def test_not_even_a_connection(guarded, unguarded):
    assert guarded.connections == 0
    assert unguarded.connections > len(WAYS) // 2


@pytest.mark.parametrize("name", [*WAYS, *SPELLINGS, *NEVER])
def test_the_page_itself_comes_out(name, guarded):
    (page,) = (opened.page for names, opened in guarded.pages.items() if name in names.split("+"))
    assert any(text.startswith("The page ") for text in seen(page))


@pytest.mark.parametrize("name", LEADING_AWAY)
def test_a_page_that_leads_away_is_refused(name, guarded):
    assert isinstance(guarded.pages[name].error, bs.Refused)
    assert "allow_private" in guarded.pages[name].error.reason


def test_the_users_own_address_is_judged_as_well(browser):
    with served(Secret) as secret:
        for host in ("127.0.0.1", "localhost", "2130706433", "[::1]", "0", "0x7f.1"):
            with pytest.raises(bs.Refused, match="allow_private"):
                browser.open(f"http://{host}:{secret.server_port}/", options=bs.RenderOptions())
        assert secret.connections == 0
    with pytest.raises(bs.PageFailed, match="no such host"):
        browser.open("https://no-such-host.invalid/")


def test_popups_are_not_even_opened(browser):
    assert POPUPS in launch.RESTRICTIONS
    with served(Secret) as secret:
        body = "".join(WAYS[name] for name in WAYS if "popup" in name)
        html = f"<p>Opens.{body}".replace("SECRET", f"http://127.0.0.1:{secret.server_port}").replace("HERE", "")
        assert seen(browser.open(html.encode())) == ["Opens."]
        assert secret.connections == 0


def test_offline_reaches_nothing_at_all(browser):
    """Not even with private addresses open, and not by ways that the answers from memory do not see."""
    with served(Secret) as secret:
        body = "".join(WAYS[name] for name in ("image", "websocket", "speculation-prefetch"))
        html = f"<p>Bytes.{body}".replace("SECRET", f"http://127.0.0.1:{secret.server_port}").replace("HERE", "")
        offline = bs.RenderOptions(offline=True, allow_private=True)
        assert seen(browser.open(html.encode(), options=offline)) == ["Bytes."]
        assert secret.connections == 0
        browser.open(html.encode())
        assert {"image", "websocket"} <= secret.arrived


def listening():
    """Ports of this process on which somebody could knock."""
    sockets = psutil.Process().net_connections("tcp")
    return {one.laddr.port for one in sockets if one.status == psutil.CONN_LISTEN}


def test_other_users_cannot_use_the_proxy_of_a_page(browser):
    """What another user of this machine can do: connect to each port, and ask for what the page may have."""
    with served(Secret) as secret, served(Here, secret=f"http://127.0.0.1:{secret.server_port}") as here:
        address = f"http://127.0.0.1:{here.server_port}"
        here.here = address
        before = listening()
        under_way = threading.Thread(target=browser.open, args=(f"{address}/waiting",))
        under_way.start()
        while here.connections == 0:
            time.sleep(0.01)
        (port,) = listening() - before
        for line in (f"GET {here.secret}/stolen", f"CONNECT 127.0.0.1:{secret.server_port}"):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as thief:
                thief.sendall(f"{line} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                thief.shutdown(socket.SHUT_WR)
                assert thief.recv(999).startswith(b"HTTP/1.1 407 ")
        under_way.join()
        assert secret.connections == 0


@pytest.mark.parametrize("given", [{}, {"javascript": False}, {"deterministic": True}])
def test_the_browser_itself_gets_in(browser, given):
    with served(Secret) as secret:
        address = f"http://127.0.0.1:{secret.server_port}"
        options = bs.RenderOptions(allow_private=True, **given)
        browser.open(f"<p>Bytes.<img src='{address}/bytes'>".encode(), options=options)
        assert secret.arrived == {"bytes"}


def test_too_many_requests(browser):
    with served(Secret) as secret:
        address = f"http://127.0.0.1:{secret.server_port}"
        images = "".join(f'<img src="{address}/{number}">' for number in range(20))
        few = bs.RenderOptions(allow_private=True, max_requests=5)
        page = browser.open(f"<p>Greedy.{images}".encode(), options=few)
        assert seen(page) == ["Greedy."]
        assert page.partial
        assert len(secret.arrived) == 5
