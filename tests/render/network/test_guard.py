"""The guard by itself: which addresses are closed, in every spelling, and what the proxy lets through. No browser."""

import asyncio
import base64
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address

import blocksight as bs
import pytest
from blocksight.errors import PageFailed, Refused
from blocksight.render.network.guard import Guard, Policy, host_and_port, ip_literal, non_public_kind
from blocksight.render.network.proxy import AUTH_URL, open_proxy
from blocksight.render.sources.sources import html_source

PUBLIC = "93.184.215.14"
CLOSED = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
    168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
    192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
    255.255.255.255
    :: ::1 ::2 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe
    64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1 4000::1
    5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1
""".split()
OPEN = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 93.184.215.14 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1
    168.63.129.15 169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255 192.169.0.1
    198.17.255.255 198.20.0.1 223.255.255.255
    ::ffff:8.8.8.8 64:ff9b::808:808 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450::1
""".split()
LOOPBACK = """
    127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0X7F.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1 127.0.0.1.
    00000177.1 0x7f.000001
""".split()


@pytest.mark.parametrize("text", CLOSED)
def test_closed_addresses(text):
    assert non_public_kind(ip_address(text)).startswith(("a ", "an "))


@pytest.mark.parametrize("text", OPEN)
def test_open_addresses(text):
    assert non_public_kind(ip_address(text)) is None


@pytest.mark.parametrize("text", LOOPBACK)
def test_spellings_of_loopback(text):
    assert ip_literal(text) == ip_address("127.0.0.1")


def test_other_spellings():
    assert ip_literal("[::1]") == ip_address("::1")
    assert ip_literal("0x") == ip_literal("0") == ip_address("0.0.0.0")
    assert ip_literal("169.16689662") == ip_address("169.254.169.254")
    names = ("example.org", "127.0.0.1.example", "1.2.3.4.5", "256.1.1.1", "1.16777216", "4294967296", "08.1", "1..2")
    for name in (*names, "", ".", "-1", "1_0.1", "\u0661.1", "0x7g.1", "+1"):
        assert ip_literal(name) is None, name


def test_places():
    assert host_and_port("http://Example.ORG./a") == ("example.org", 80)
    assert host_and_port("https://[::1]/") == ("::1", 443)
    assert host_and_port("wss://a:1/") == ("a", 1)
    assert host_and_port("http://%31%32%37.0.0.1:8000/") == ("127.0.0.1", 8000)


def test_policies():
    loopback, local = ip_address("127.0.0.1"), ip_address("10.1.2.3")
    assert "allow_private" in Policy().refusal(local, 80)
    assert Policy(allow_private=True).refusal(local, 80) is None
    one = Policy(exceptions=frozenset({("127.0.0.1", 8000)}))
    assert one.refusal(loopback, 8000) is None
    assert one.refusal(loopback, 8001)


def test_policies_of_options():
    page = html_source(b"<p>text", name="page", max_bytes=99)
    offline = bs.RenderOptions(offline=True)
    assert Policy.for_page(bs.RenderOptions(), "http://a.example/").only is None
    assert Policy.for_page(offline, page).only == frozenset()
    assert Policy.for_page(offline, "https://A.example/b").only == {("a.example", 443)}
    assert Policy.for_page(bs.RenderOptions(allow_private=True), page).allow_private


class Names:
    """A resolver that answers from a table, each name's answers one after the other, and counts."""

    def __init__(self, **names):
        self.names = {name.replace("_", "."): list(answers) for name, answers in names.items()}
        self.asked = []

    async def __call__(self, name):
        self.asked.append(name)
        answers = self.names.get(name)
        if answers is None:
            raise OSError("no such name")
        return (answers.pop(0) if len(answers) > 1 else answers[0]).split()


def judged(names, host, policy=None):
    return asyncio.run(Guard(policy or Policy(), names).addresses(host, 80))


def test_names_are_judged_by_their_addresses():
    names = Names(good_test=[PUBLIC], bad_test=["10.0.0.1"], both_test=[f"10.0.0.1 {PUBLIC} fe80::1"], none_test=[""])
    assert judged(names, "Good.test.") == [ip_address(PUBLIC)]
    assert judged(names, "both.test") == [ip_address(PUBLIC)]
    with pytest.raises(Refused, match=r"bad.test, 10.0.0.1 is a private address"):
        judged(names, "bad.test")
    for missing in ("missing.test", "none.test", "a" * 64 + ".test"):
        with pytest.raises(PageFailed, match="no such host"):
            judged(names, missing)
    for local in ("localhost", "LOCALHOST.", "a.localhost", "0x7f.1", "::ffff:127.0.0.1"):
        with pytest.raises(Refused, match="loopback"):
            judged(names, local)
    assert not {"localhost", "0x7f.1"} & set(names.asked)


def test_only_some_hosts():
    names = Names(a_test=[PUBLIC], b_test=[PUBLIC])
    only = Policy(only=frozenset({("a.test", 80)}))
    assert judged(names, "a.test", only)
    with pytest.raises(Refused, match="offline"):
        judged(names, "b.test", only)
    assert names.asked == ["a.test"]


def test_the_system_resolver():
    async def ask():
        return await Guard(Policy()).addresses("no-such-host.invalid", 80)

    with pytest.raises(PageFailed, match="no such host"):
        asyncio.run(ask())
    with pytest.raises(PageFailed, match="no such host"):
        asyncio.run(Guard(Policy()).addresses("a" * 70, 80))


class Origin:
    """A server that keeps what it was sent and answers with what it is given."""

    def __init__(self, answer):
        self.answer = answer
        self.heads, self.dialled = [], []
        self.port = 0

    async def serve(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        self.heads.append(head + await reader.readexactly(size))
        writer.write(self.answer)
        writer.close()

    async def dial(self, address, port):
        self.dialled.append((str(address), port))
        return await asyncio.open_connection("127.0.0.1", self.port)


@asynccontextmanager
async def running(answer, names=None, policy=None, **limits):
    origin = Origin(answer)
    server = await asyncio.start_server(origin.serve, "127.0.0.1", 0)
    origin.port = server.sockets[0].getsockname()[1]
    names = names or Names(good_test=[PUBLIC], bad_test=["127.0.0.1"])
    limits = {"max_bytes": 1_000} | limits
    async with server, open_proxy(policy or Policy(), resolve=names, dial=origin.dial, **limits) as way:
        yield origin, way


def key(name, secret):
    return b"\r\nProxy-Authorization: Basic " + base64.b64encode(f"{name}:{secret}".encode())


async def said(way, request, *, secret=None):
    """Send a request to the proxy, with its secret or another, and take everything that comes back."""
    secret = way.secret if secret is None else secret
    request = request.replace(b"\r\n", key(way.name, secret) + b"\r\n", 1) if secret else request
    reader, writer = await asyncio.open_connection("127.0.0.1", host_and_port(way.address)[1])
    writer.write(request)
    if secret != way.secret:
        writer.write_eof()
    try:
        return await asyncio.wait_for(reader.read(), 5)
    finally:
        writer.close()


ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: keep-alive\r\nKeep-Alive: 9\r\n\r\nbody"
CLOSING = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"


def test_a_plain_request():
    request = (
        b"POST http://good.test:81/a//b?c=http://x/ HTTP/1.1\r\nHost: good.test:81\r\nProxy-Connection: keep-alive\r\n"
        b"Proxy-Authorization: x\r\nContent-Length: 3\r\nCookie: a\r\n\r\nabcGET http://good.test/2 HTTP/1.1\r\n\r\n"
    )

    async def go():
        async with running(ANSWER) as (origin, way):
            assert await said(way, request) == CLOSING
            assert origin.dialled == [(PUBLIC, 81)]
            assert origin.heads == [
                b"POST /a//b?c=http://x/ HTTP/1.1\r\nHost: good.test:81\r\nContent-Length: 3\r\nCookie: a\r\n"
                b"Connection: close\r\n\r\nabc"
            ]
            assert (way.requests, way.received, way.limit_exceeded) == (1, 4, False)
            assert way.failure("http://good.test:81/") is None

    asyncio.run(go())


def test_a_tunnel():
    async def go():
        async with running(ANSWER) as (origin, way):
            request = b"CONNECT good.test:443 HTTP/1.1\r\nHost: good.test:443\r\n\r\nhello\r\n\r\n"
            assert await said(way, request) == b"HTTP/1.1 200 Connection established\r\n\r\n" + ANSWER
            assert origin.dialled == [(PUBLIC, 443)]
            assert origin.heads == [b"hello\r\n\r\n"]

    asyncio.run(go())


ASKS_WHO = b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic "


def test_requests_without_the_secret_are_not_served():
    plain = b"GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n"
    tunnel = b"CONNECT good.test:443 HTTP/1.1\r\nHost: good.test:443\r\n\r\n"
    door = f"GET {AUTH_URL} HTTP/1.1\r\n\r\n".encode()

    async def go():
        async with running(ANSWER) as (origin, way), running(ANSWER) as (_, other):
            for request in (plain, tunnel, door, b"nonsense\r\n\r\n"):
                for secret in ("", "x", way.secret[:-1], way.secret + "x", other.secret):
                    assert (await said(way, request, secret=secret)).startswith(ASKS_WHO)
            bearer = plain.replace(b"\r\n", b"\r\nProxy-Authorization: Bearer " + way.secret.encode() + b"\r\n", 1)
            assert (await said(way, bearer, secret="")).startswith(ASKS_WHO)
            assert origin.dialled == origin.heads == []
            assert (way.requests, way.received, way.authenticated) == (0, 0, False)
            assert way.failure("http://good.test/") is None
            assert (await said(way, door)).startswith(b"HTTP/1.1 204 ")
            assert (way.requests, way.authenticated) == (0, True)

    asyncio.run(go())


def test_secrets_are_long_and_never_the_same():
    async def go():
        async with running(ANSWER) as (_, way), running(ANSWER) as (_, other):
            assert len(way.secret) > 30
            assert way.secret != other.secret

    asyncio.run(go())


def test_an_answer_that_asks_for_a_password_of_the_proxy():
    """Else a server could have the browser forget the secret, or make it use another one."""
    asking = b'HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'

    async def go():
        async with running(asking) as (_, way):
            assert await said(way, b"GET http://good.test/ HTTP/1.1\r\n\r\n") == b""
            assert "407" in way.failure("http://good.test/").reason

    asyncio.run(go())


def test_interim_answers_and_odd_ones():
    async def go(answer):
        async with running(answer) as (_, way):
            return await said(way, b"GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n")

    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    assert asyncio.run(go(hints + ANSWER)) == hints + CLOSING
    assert asyncio.run(go(b"no header at all")) == b"no header at all"
    assert asyncio.run(go(b"")) == b""


def test_heads_without_end_are_no_answer():
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    async def endless(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(hint * 1_000)
                await writer.drain()

    async def go():
        server = await asyncio.start_server(endless, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, open_proxy(Policy(allow_private=True), max_bytes=9_000_000) as way:
            reader, writer = await asyncio.open_connection("127.0.0.1", host_and_port(way.address)[1])
            writer.write(f"GET http://127.0.0.1:{port}/ HTTP/1.1".encode() + key(way.name, way.secret) + b"\r\n\r\n")
            found = b""
            with suppress(ConnectionError):
                while piece := await asyncio.wait_for(reader.read(100_000), 10):
                    found += piece
            writer.close()
            assert 0 < found.count(b"103 Early Hints") <= 30

    asyncio.run(go())


@pytest.mark.parametrize("host", ["bad.test", "127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0x7f.1", "localhost", "10.1"])
def test_refusals(host):
    async def go():
        async with running(ANSWER) as (origin, way):
            assert await said(way, f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) == b""
            tunnel = await said(way, f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert tunnel.startswith(b"HTTP/1.1 403 ")
            assert origin.dialled == origin.heads == []
            assert isinstance(way.failure(f"http://{host}/a"), Refused)
            assert isinstance(way.failure(f"https://{host}/a"), Refused)
            with pytest.raises(Refused, match="allow_private"):
                await way.check(f"http://{host}/")

    asyncio.run(go())


@pytest.mark.parametrize(
    "line",
    ["GET / HTTP/1.1", "GET ftp://good.test/ HTTP/1.1", "GET https://good.test/ HTTP/1.1", "GET http:/// HTTP/1.1",
     "GET http://a@good.test/ HTTP/1.1", "GET http://good.test:99999/ HTTP/1.1", "CONNECT good.test:x HTTP/1.1",
     "GET http://[1/ HTTP/1.1", "GET http://good.test?a HTTP/1.1", "nonsense"],
)  # fmt: skip
def test_requests_that_are_none(line):
    async def go():
        async with running(ANSWER) as (origin, way):
            assert (await said(way, f"{line}\r\n\r\n".encode())).startswith(b"HTTP/1.1 400 ")
            assert origin.dialled == []

    asyncio.run(go())


def test_a_name_that_changes_its_meaning():
    names = Names(turn_test=[PUBLIC, "127.0.0.1"])

    async def go():
        async with running(ANSWER, names) as (origin, way):
            await way.check("http://turn.test/")
            request = b"GET http://turn.test/ HTTP/1.1\r\nHost: turn.test\r\n\r\n"
            assert [await said(way, request) for _ in range(3)] == [CLOSING] * 3
            assert names.asked == ["turn.test"]
            assert {address for address, _ in origin.dialled} == {PUBLIC}

    asyncio.run(go())


def test_limits_of_a_page():
    large = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 15_000

    async def go():
        async with running(large) as (_, way):
            request = b"GET http://good.test/ HTTP/1.1\r\n\r\n"
            assert len(await said(way, request)) > 15_000
            assert not way.limit_exceeded
            assert len(await said(way, request)) < 15_000
            assert way.limit_exceeded
            assert await said(way, request) == b""
            assert "too much" in way.failure("http://good.test/").reason
        async with running(ANSWER, max_requests=2) as (origin, way):
            assert [bool(await said(way, request)) for _ in range(4)] == [True, True, False, False]
            assert len(origin.heads) == 2
            assert way.limit_exceeded

    asyncio.run(go())


def test_failures_have_words():
    async def refuse(address, port):
        raise ConnectionRefusedError

    async def unreachable(address, port):
        raise OSError("no route")

    async def go(dial):
        async with open_proxy(Policy(), max_bytes=9, resolve=Names(a_test=[PUBLIC]), dial=dial) as way:
            assert await said(way, b"GET http://a.test/ HTTP/1.1\r\n\r\n") == b""
            return way.failure("http://a.test/").reason

    assert asyncio.run(go(refuse)) == "connection refused"
    assert asyncio.run(go(unreachable)) == "the host cannot be reached"


def test_the_next_address_is_tried():
    tried = []

    async def dial(address, port):
        tried.append(str(address))
        if len(tried) == 1:
            raise OSError("no route")
        return await asyncio.open_connection("127.0.0.1", port)

    async def go():
        origin = Origin(ANSWER)
        server = await asyncio.start_server(origin.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        names = Names(a_test=["2606:4700::1 1.1.1.1"])
        async with server, open_proxy(Policy(), max_bytes=99, resolve=names, dial=dial) as way:
            assert await said(way, f"GET http://a.test:{port}/ HTTP/1.1\r\n\r\n".encode()) == CLOSING

    asyncio.run(go())
    assert tried == ["2606:4700::1", "1.1.1.1"]


def test_closing_ends_what_is_under_way():
    async def go():
        async def silent(reader, writer):
            await reader.read()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            async with open_proxy(Policy(allow_private=True), max_bytes=9) as way:
                reader, writer = await asyncio.open_connection("127.0.0.1", host_and_port(way.address)[1])
                writer.write(f"CONNECT 127.0.0.1:{port} HTTP/1.1".encode() + key(way.name, way.secret) + b"\r\n\r\n")
                assert b"200" in await reader.readline()
            assert await asyncio.wait_for(reader.read(), 2) == b"\r\n"
            writer.close()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", host_and_port(way.address)[1])

    asyncio.run(go())


def test_refused_addresses_are_logged(caplog):
    guard = Guard(Policy(allow_private=False))
    with caplog.at_level("INFO", logger="blocksight"), pytest.raises(Refused):
        asyncio.run(guard.addresses("127.0.0.1", 80))
    assert [line for line in caplog.messages if line.startswith("refused: 127.0.0.1, port 80: ")]
