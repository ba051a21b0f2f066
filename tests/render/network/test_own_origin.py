"""Headers and a password that the user gives go to the page's own origin, and to no other that the page knows."""

import base64
import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from urllib.parse import unquote

import blocksight as bs
import pytest
from blocksight.render.network.local_server import QuietHandler
from opening import open_many

pytestmark = pytest.mark.browser
PASSWORD = "Basic " + base64.b64encode(b"me:secret").decode()

#: Each has the page ask OTHER for its name, and asks for a password there.
WAYS = {
    "image": '<img src="OTHER/image">',
    "image-302": '<img src="/to/image-302">',
    "image-twice": '<img src="/to-self/image-twice">',
    "iframe": '<iframe src="OTHER/iframe"></iframe>',
    "iframe-302": '<iframe src="/to/iframe-302"></iframe>',
    "script": '<script src="OTHER/script"></script>',
    "stylesheet": '<link rel=stylesheet href="OTHER/stylesheet">',
    "font": "<style>@font-face { font-family: x; src: url(OTHER/font) } p { font-family: x }</style><p>text",
    "fetch": "<script>fetch('OTHER/fetch', {credentials: 'include'}).catch(() => 0)</script>",
    "fetch-302": "<script>fetch('/to/fetch-302', {mode: 'no-cors', credentials: 'include'}).catch(() => 0)</script>",
    "xhr": "<script>const x = new XMLHttpRequest(); x.open('GET', 'OTHER/xhr'); x.withCredentials = true; x.send()"
    "</script>",
    "events": "<script>new EventSource('OTHER/events', {withCredentials: true})</script>",
    "worker": "<script>new Worker('/jobs/worker')</script>",
    "prefetch": '<link rel=prefetch href="OTHER/prefetch">',
    "websocket": "<script>new WebSocket('OTHER/websocket'.replace('http', 'ws'))</script>",
}
LEADING_AWAY = ("navigation-301", "navigation-302", "navigation-307", "script-navigation", "refresh", "form")
BODIES = WAYS | {
    "script-navigation": "<script>location = 'OTHER/script-navigation'</script>",
    "refresh": '<meta http-equiv=refresh content="0; url=OTHER/refresh">',
    "form": "<form method=post action='OTHER/form'></form><script>document.forms[0].submit()</script>",
    "own": "<img src='/own-image'><script src='/own-script'></script><script>fetch('/own-fetch')</script>"
    "<img src='OTHER/back/own-back'>",
}


class Asking(QuietHandler):
    """Wants a password for everything but scripts of workers and ways back, and keeps what it was sent."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = unquote(self.path).strip("/")
        self.server.came.setdefault(name, []).append((self.headers["X-Own"], self.headers["Authorization"]))
        kind, _, rest = name.partition("/")
        if "Authorization" not in self.headers and kind not in {"jobs", "back"}:
            self.answer(401, "", ("WWW-Authenticate", 'Basic realm="x"'))
        elif kind == "to" or name.startswith("navigation-"):
            status = int(name[-3:]) if name.startswith("navigation-") else 302
            self.answer(status, "", ("Location", f"{self.server.other}/{rest or name}"))
        elif kind == "to-self":
            self.answer(302, "", ("Location", f"/to/{rest}"))
        elif kind == "back":
            self.answer(302, "", ("Location", f"{self.server.other}/{rest}"))
        elif kind == "jobs":
            self.answer(200, f"fetch('{self.server.other}/{rest}', {{credentials: 'include'}})", kind="text/javascript")
        else:
            body = self.server.bodies.get(name, "").replace("OTHER", self.server.other)
            self.answer(200, f"<!doctype html><body><p>The page {name}.</p>{body}")

    def do_OPTIONS(self):  # noqa: N802 - the name is http.server's
        self.answer(204, "", ("Access-Control-Allow-Headers", "x-own, authorization"))

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def answer(self, status, text, *headers, kind="text/html"):
        self.send_response(status)
        allowed = (
            ("Access-Control-Allow-Origin", self.headers.get("Origin", "*")),
            ("Access-Control-Allow-Credentials", "true"),
            ("Content-Type", kind),
            ("Content-Length", str(len(text))),
        )
        for name, value in (*headers, *allowed):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())


@contextmanager
def asking(host):
    server = ThreadingHTTPServer((host, 0), Asking)
    server.daemon_threads, server.came, server.bodies, server.request_queue_size = True, {}, {}, 64
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def tried(names, other_host, **given):
    """Open pages of one server that use another; give what each of both was sent, by name."""
    with asking("127.0.0.1") as here, asking(other_host) as there:
        addresses = [f"http://{one.server_address[0]}:{one.server_port}" for one in (here, there)]
        here.other, there.other = addresses[1], addresses[0]
        # The other server's pages lead nowhere: two that lead to each other would load until the end of their time.
        here.bodies = BODIES
        options = bs.RenderOptions(
            allow_private=True,
            headers=(("X-Own", "yes"),),
            credentials=("me", "secret"),
            timeout=15.0,
            scroll=0,
            **given,
        )
        with bs.Browser(options=options) as browser:
            failed = [one.error for one in open_many(browser, [f"{addresses[0]}/{name}" for name in names])]
        return here.came, there.came, [error for error in failed if error]


@pytest.fixture(scope="module", params=["127.0.0.1", "127.0.0.2"], ids=["other port", "other host"])
def bound(request):
    return tried([*WAYS, *LEADING_AWAY, "own"], request.param)


@pytest.mark.parametrize("name", [*WAYS, *LEADING_AWAY])
def test_others_get_neither(bound, name):
    """A page that leads away ends where it is asked for a password that is not given."""
    _, there, _ = bound
    if name not in {"websocket", "worker"}:  # a worker may come late on a busy machine
        assert there[name]
    for header, authorization in there.get(name, []):
        assert header is None
        assert authorization is None


@pytest.mark.parametrize("name", [*WAYS, *LEADING_AWAY, "own", "own-image", "own-script", "own-fetch"])
def test_the_page_itself_and_what_it_has_of_its_own_get_both(bound, name):
    here, _, _ = bound
    assert here[name][-1] == ("yes", PASSWORD)


def test_pages_that_lead_away_fail_where_they_lead(bound):
    assert len(bound[2]) == len(LEADING_AWAY)
    assert all("HTTP 401" in error.reason for error in bound[2])


#: What DevTools do not see, and what the browser itself never gives a password of another origin.
UNSEEN = {"worker", "websocket"}
NO_PASSWORD = {"image", "image-302", "image-twice", "beacon", "prefetch", "font"}


def test_what_comes_back_gets_both_again(bound):
    here, there, _ = bound
    assert there["back/own-back"] == [(None, None)]
    assert here["own-back"][-1] == ("yes", PASSWORD)


def test_a_file_has_no_origin_of_its_own(tmp_path):
    """What is given for it goes nowhere; with an address it is taken for, to that address's origin."""
    with asking("127.0.0.1") as here, bs.Browser() as browser:
        address = f"http://127.0.0.1:{here.server_port}"
        given = {"allow_private": True, "headers": (("X-Own", "yes"),), "credentials": ("me", "secret")}
        html = f"<p>text<img src={address}/image>".encode()
        browser.open(html, options=bs.RenderOptions(**given))
        assert here.came["image"] == [(None, None)]
        browser.open(html, url=f"{address}/page", options=bs.RenderOptions(**given))
        assert here.came["image"][-1] == ("yes", PASSWORD)
