"""Another proxy behind ours: its requests, its password, and how its refusals are reported."""

import asyncio
import base64
import socket
import threading
from contextlib import asynccontextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

import blocksight as bs
import pytest
from blocksight.errors import PageFailed, Refused
from blocksight.render.network import guard
from blocksight.render.network.guard import Policy, host_and_port
from blocksight.render.network.local_server import serve
from blocksight.render.network.proxy import absolute_request, open_proxy
from blocksight.render.render_options import UpstreamProxy
from opening import Answering

PAGE = b"<title>Told</title><p>by the proxy"
PUBLIC = "93.184.215.14"
PASSWORD = "Basic " + base64.b64encode(b"me:secret").decode()


def test_plain_requests_are_written_out():
    head = b"GET /a?b=1 HTTP/1.1\r\nHost: example.org\r\n\r\n"
    proxy = UpstreamProxy(host="p", port=1, credentials=None)
    assert absolute_request(proxy, "example.org", 80, head).startswith(
        b"GET http://example.org/a?b=1 HTTP/1.1\r\nHost: example.org"
    )
    assert absolute_request(proxy, "example.org", 8080, head).startswith(b"GET http://example.org:8080/a?b=1 ")
    assert absolute_request(proxy, "2606:4700::1", 80, head).startswith(b"GET http://[2606:4700::1]/a?b=1 ")
    known = absolute_request(UpstreamProxy(host="p", port=1, credentials=("me", "x:y")), "example.org", 80, head)
    assert b"\r\nProxy-Authorization: Basic " + base64.b64encode(b"me:x:y") + b"\r\n" in known


def names(**table):
    """Answer from a table, each name's answers one after the other."""
    left = {name.replace("_", "."): list(answers) for name, answers in table.items()}

    async def resolve(name):
        if name not in left:
            raise OSError("no such name")
        return (left[name].pop(0) if len(left[name]) > 1 else left[name][0]).split()

    return resolve


class Recorder:
    """A proxy that keeps what it was asked for; its tunnels all end at a server that says what it was sent."""

    def __init__(self, refusing=()):
        self.asked, self.sent, self.refusing = [], [], refusing

    async def serve(self, reader, writer):
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.asked.append(head.split("\r\n")[0])
            if any(address in self.asked[-1] for address in self.refusing):
                writer.write(b"HTTP/1.1 403 No\r\n\r\n")
            elif head.startswith("CONNECT"):
                writer.write(b"HTTP/1.1 200 Yes\r\n\r\n")
                self.sent.append((await reader.readuntil(b"\r\n\r\n")).decode())
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            else:
                self.sent.append(head)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()


@asynccontextmanager
async def behind(resolve, *, refusing=(), **given):
    recorder = Recorder(refusing)
    server = await asyncio.start_server(recorder.serve, "127.0.0.1", 0)
    proxy = UpstreamProxy(host="127.0.0.1", port=server.sockets[0].getsockname()[1], credentials=("me", "secret"))
    async with server, open_proxy(Policy(), max_bytes=1_000, resolve=resolve, proxy=proxy, **given) as way:
        yield recorder, way


async def got(way, url):
    """Ask our proxy for an address as the browser would; give the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", host_and_port(way.address)[1])
    key = base64.b64encode(f"{way.name}:{way.secret}".encode()).decode()
    writer.write(
        f"GET {url} HTTP/1.1\r\nHost: {url.split('/')[2]}\r\nProxy-Authorization: Basic {key}\r\n\r\n".encode()
    )
    try:
        return (await asyncio.wait_for(reader.read(), 5)).rpartition(b"\r\n\r\n")[2]
    finally:
        writer.close()


def test_it_connects_to_addresses_that_were_checked_here():
    async def go():
        resolve = names(good_test=[PUBLIC], turn_test=[PUBLIC, "127.0.0.1"], six_test=["2606:4700::1"])
        async with behind(resolve) as (recorder, way):
            for url in ("http://good.test/a", "http://turn.test:81/b", "http://turn.test:81/c", "http://six.test/"):
                assert await got(way, url) == b"ok"
            assert recorder.asked == [
                f"CONNECT {PUBLIC}:80 HTTP/1.1",
                f"CONNECT {PUBLIC}:81 HTTP/1.1",
                f"CONNECT {PUBLIC}:81 HTTP/1.1",
                "CONNECT [2606:4700::1]:80 HTTP/1.1",
            ]
            # The server is asked by its name, and does not learn the password.
            assert recorder.sent[0].startswith("GET /a HTTP/1.1\r\nHost: good.test\r\n")
            assert "authorization" not in "".join(recorder.sent).lower()

    asyncio.run(go())


INTERNAL = """
    http://inside.test/ http://localhost/ http://a.localhost/ http://169.254.169.254/latest http://10.0.0.1/
    http://0x7f.1/ http://[::1]/ http://[::ffff:a9fe:a9fe]/ http://metadata.test/ http://unknown.test/
""".split()


@pytest.mark.parametrize("url", INTERNAL)
def test_what_is_private_or_unknown_here_is_not_even_asked_for(url):
    async def go():
        resolve = names(inside_test=["10.0.0.1"], metadata_test=["169.254.169.254"])
        async with behind(resolve) as (recorder, way):
            assert await got(way, url) == b""
            assert recorder.asked == []
            with pytest.raises(PageFailed) as failed:
                await way.check(url)
            assert isinstance(failed.value, Refused) == ("unknown" not in url)
            assert ("proxy_resolves" in failed.value.reason) == ("unknown" in url)

    asyncio.run(go())


def test_it_receives_names_on_demand_only():
    async def go():
        resolve = names(good_test=[PUBLIC], inside_test=["10.0.0.1"])
        async with behind(resolve, proxy_resolves=True) as (recorder, way):
            assert await got(way, "http://unknown.test/a") == b"ok"
            assert await got(way, "http://good.test/a") == b"ok"
            assert await got(way, "http://inside.test/a") == b""
            assert recorder.asked == ["GET http://unknown.test/a HTTP/1.1", "GET http://good.test/a HTTP/1.1"]
            assert f"Proxy-Authorization: {PASSWORD}" in recorder.sent[0]

    asyncio.run(go())


def test_the_next_address_is_tried():
    async def go():
        async with behind(names(a_test=[f"2606:4700::1 {PUBLIC}"]), refusing=("2606",)) as (recorder, way):
            assert await got(way, "http://a.test/") == b"ok"
            assert len(recorder.asked) == 2
        async with behind(names(a_test=[PUBLIC]), refusing=(PUBLIC,)) as (_, way):
            assert await got(way, "http://a.test/") == b""
            assert "does not connect to it (403 No)" in way.failure("http://a.test/").reason

    asyncio.run(go())


def copied(source, sink):
    with suppress(OSError, ValueError):
        while data := source.read1(65_536):
            sink.write(data)
            sink.flush()


class Proxy(StreamRequestHandler):
    """Answers plain requests itself; refuses tunnels, or lets them all end at one place."""

    def handle(self):
        with suppress(OSError):
            lines = [self.rfile.readline()]
            while lines[-1].strip():
                lines.append(self.rfile.readline())
            self.server.asked.append(b"".join(lines).decode())
            if lines[0].startswith(b"CONNECT") and self.server.tunnels_to:
                self.wfile.write(b"HTTP/1.1 200 Yes\r\n\r\n")
                with socket.create_connection(self.server.tunnels_to) as server:
                    back = threading.Thread(target=copied, args=(server.makefile("rb"), self.wfile))
                    back.start()
                    copied(self.rfile, server.makefile("wb"))
                    server.shutdown(socket.SHUT_WR)
                    back.join()
            elif lines[0].startswith(b"CONNECT"):
                self.wfile.write(b"HTTP/1.1 407 Not you\r\nContent-Length: 0\r\n\r\n")
            else:
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE)}\r\n\r\n"
                self.wfile.write(head.encode() + PAGE)


@pytest.fixture
def proxy():
    server = ThreadingTCPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    server.asked, server.tunnels_to = [], None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.browser
def test_pages_come_by_way_of_it(browser, proxy):
    address = f"http://me:secret@127.0.0.1:{proxy.server_address[1]}"
    options = bs.RenderOptions(proxy=address, proxy_resolves=True, timeout=120.0)
    page = browser.open("http://known-to-the-proxy.invalid/page", options=options)
    assert page.leaf_texts == ("by the proxy",)
    asked = proxy.asked[0]
    assert asked.startswith("GET http://known-to-the-proxy.invalid/page HTTP/1.1\r\n")
    assert f"Proxy-Authorization: {PASSWORD}" in asked
    with pytest.raises(bs.PageFailed, match=r"does not connect to it \(407 Not you\)"):
        browser.open("https://known-to-the-proxy.invalid/", options=options)
    assert any(asked.startswith("CONNECT known-to-the-proxy.invalid:443 ") for asked in proxy.asked)


@pytest.mark.browser
def test_private_addresses_stay_closed_behind_it(browser, proxy):
    options = bs.RenderOptions(proxy=f"http://127.0.0.1:{proxy.server_address[1]}", timeout=120.0)
    for address in ("http://127.0.0.1:9/", "http://localhost/", "http://169.254.169.254/latest"):
        with pytest.raises(bs.Refused):
            browser.open(address, options=options)
    with pytest.raises(bs.PageFailed, match="no such host"):
        browser.open("http://internal.invalid/", options=options)
    assert proxy.asked == []


@pytest.mark.browser
def test_whatever_the_page_asks_for_goes_to_checked_addresses(browser, proxy, monkeypatch):
    """A name that means one thing here and another there ("rebinding"), and names that only its network knows."""
    ways = """<p>text<img src=http://inside.test/><img src=http://unknown.test/><img src=//169.254.169.254/latest>
        <img src=http://10.0.0.1/><img src=http://good.test/><iframe src=https://inside.test/></iframe>
        <script>fetch("https://unknown.test/"); new WebSocket("ws://inside.test/"); navigator.sendBeacon("/x")
        </script>"""

    class Here(Answering):
        def do_GET(self):
            self.answer(ways.encode() if self.path == "/" else b"")

    with serve(Here) as here:
        proxy.tunnels_to = host_and_port(here)
        table = names(page_test=[PUBLIC], good_test=[PUBLIC, "127.0.0.1"], inside_test=["10.0.0.1"])
        monkeypatch.setattr(guard, "_system_resolve", table)
        options = bs.RenderOptions(proxy=f"http://me:secret@127.0.0.1:{proxy.server_address[1]}", timeout=120.0)
        assert browser.open("http://page.test/", options=options).leaf_texts == ("text",)
    lines = {asked.split("\r\n")[0] for asked in proxy.asked}
    assert lines == {f"CONNECT {PUBLIC}:80 HTTP/1.1"}
    assert all(f"Proxy-Authorization: {PASSWORD}" in asked for asked in proxy.asked)
    assert len(proxy.asked) >= 2


@pytest.mark.browser
def test_a_proxy_that_is_not_there(browser):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = bs.RenderOptions(proxy=f"http://127.0.0.1:{port}", timeout=120.0)
    with pytest.raises(bs.PageFailed, match=f"the proxy 127.0.0.1:{port} cannot be reached"):
        browser.open(f"http://{PUBLIC}/", options=options)
