"""Another proxy behind ours: what it is asked, with its password, and what becomes of its refusals."""

import base64
import socket
import threading
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

import blocksight as bs
import pytest
from blocksight.render.network.upstream import through
from blocksight.render.options import Upstream

PAGE = b"<title>Told</title><p>by the proxy"


def test_plain_requests_are_written_out():
    head = b"GET /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\n"
    proxy = Upstream(host="p", port=1, credentials=None)
    assert through(None, "example.org", 80, head) == head
    assert through(proxy, "example.org", 80, head).startswith(
        b"GET http://example.org/a?b=1 HTTP/1.1\r\nHost: example.org"
    )
    assert through(proxy, "example.org", 8080, head).startswith(b"GET http://example.org:8080/a?b=1 ")
    assert through(proxy, "2606:4700::1", 80, head).startswith(b"GET http://[2606:4700::1]/a?b=1 ")
    known = through(Upstream(host="p", port=1, credentials=("me", "x:y")), "example.org", 80, head)
    assert b"\r\nProxy-Authorization: Basic " + base64.b64encode(b"me:x:y") + b"\r\n" in known


class Proxy(StreamRequestHandler):
    """Answers plain requests itself, and refuses tunnels."""

    def handle(self):
        with suppress(OSError):
            lines = [self.rfile.readline()]
            while lines[-1].strip():
                lines.append(self.rfile.readline())
            self.server.asked.append(b"".join(lines).decode())
            if lines[0].startswith(b"CONNECT"):
                self.wfile.write(b"HTTP/1.1 407 Not you\r\nContent-Length: 0\r\n\r\n")
            else:
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE)}\r\n\r\n"
                self.wfile.write(head.encode() + PAGE)


@pytest.fixture
def proxy():
    server = ThreadingTCPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.browser
def test_pages_come_by_way_of_it(browser, proxy):
    options = bs.RenderOptions(proxy=f"http://me:secret@127.0.0.1:{proxy.server_address[1]}", timeout=10.0)
    page = browser.open("http://known-to-the-proxy.invalid/page", options=options)
    assert page.leaf_texts == ("by the proxy",)
    asked = proxy.asked[0]
    assert asked.startswith("GET http://known-to-the-proxy.invalid/page HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic " + base64.b64encode(b"me:secret").decode() in asked
    with pytest.raises(bs.PageFailed, match=r"does not connect to it \(407 Not you\)"):
        browser.open("https://known-to-the-proxy.invalid/", options=options)
    assert any(asked.startswith("CONNECT known-to-the-proxy.invalid:443 ") for asked in proxy.asked)


@pytest.mark.browser
def test_private_addresses_stay_closed_behind_it(browser, proxy):
    options = bs.RenderOptions(proxy=f"http://127.0.0.1:{proxy.server_address[1]}", timeout=10.0)
    for address in ("http://127.0.0.1:9/", "http://localhost/", "http://169.254.169.254/latest"):
        with pytest.raises(bs.Refused):
            browser.open(address, options=options)
    assert proxy.asked == []


@pytest.mark.browser
def test_a_proxy_that_is_not_there(browser):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = bs.RenderOptions(proxy=f"http://127.0.0.1:{port}", timeout=10.0)
    with pytest.raises(bs.PageFailed, match=f"the proxy 127.0.0.1:{port} cannot be reached"):
        browser.open("http://example.invalid/", options=options)
