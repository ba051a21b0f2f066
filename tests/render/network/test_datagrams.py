"""What goes round every proxy: datagrams, of WebRTC, WebTransport and HTTP/3. None may leave; each would, unguarded.

A server that speaks HTTP/3 (aioquic) represents the one that must not be reached; a page may use such things only when
it came from a safe place, and this machine counts as one.
"""

import asyncio
import threading
from contextlib import contextmanager
from hashlib import sha256

import blocksight as bs
import pytest
from aioquic.asyncio import QuicConnectionProtocol
from aioquic.asyncio.server import QuicServer
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from blocksight.render.chromium import browser_context
from blocksight.render.chromium.process import launch
from blocksight.render.network.local_server import serve
from blocksight.render.network.proxy import PageProxy
from cryptography.hazmat.primitives.serialization import Encoding
from opening import Answering

pytestmark = pytest.mark.browser

WEB_TRANSPORT = """<script>
const way = new WebTransport("https://127.0.0.1:UDP/transport", {serverCertificateHashes: [
  {algorithm: "sha-256", value: new Uint8Array([DIGEST])}]});
way.ready.then(() => document.body.append("got through"), () => document.body.append("held back"));
</script><img src=/slow>"""
WEB_RTC = """<script>const c = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:UDP"}]});
c.createDataChannel("x"); c.createOffer().then(o => c.setLocalDescription(o))</script><img src=/slow>"""


class Session(QuicConnectionProtocol):
    """Takes every WebTransport session."""

    def __init__(self, *args, **given):
        super().__init__(*args, **given)
        self.http = None

    def quic_event_received(self, event):
        if self.http is None:
            self.http = H3Connection(self._quic, enable_webtransport=True)
        for found in self.http.handle_event(event):
            if isinstance(found, HeadersReceived):
                self.http.send_headers(
                    found.stream_id, [(b":status", b"200"), (b"sec-webtransport-http3-draft", b"draft02")]
                )
                self.transmit()


class Counting(QuicServer):
    """Counts what comes, whatever it is."""

    came = 0

    def datagram_received(self, data, addr):
        self.came += 1
        super().datagram_received(data, addr)


@contextmanager
def quic(key, certificate):
    """A server of HTTP/3; yields its port, the digest of its certificate, and what counts its datagrams."""
    settings = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN, max_datagram_frame_size=65_536)
    settings.private_key, settings.certificate = key, certificate
    ready, found = threading.Event(), {}

    async def run():
        found["loop"], found["stop"] = asyncio.get_running_loop(), asyncio.Event()
        transport, found["server"] = await found["loop"].create_datagram_endpoint(
            lambda: Counting(configuration=settings, create_protocol=Session), local_addr=("127.0.0.1", 0)
        )
        found["port"] = transport.get_extra_info("sockname")[1]
        ready.set()
        await found["stop"].wait()
        found["server"].close()
        await asyncio.sleep(0.1)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(300)
    digest = ",".join(str(byte) for byte in sha256(certificate.public_bytes(Encoding.DER)).digest())
    yield found["port"], digest, lambda: found["server"].came
    found["loop"].call_soon_threadsafe(found["stop"].set)
    thread.join(300)


def tried(body, signed):
    """Open a page that tries; give what it says, and the datagrams that came."""
    with quic(*signed) as (port, digest, came):

        class Here(Answering):
            def do_GET(self):
                if self.path == "/slow":
                    threading.Event().wait(1.5)
                self.answer(f"<p>text{body.replace('UDP', str(port)).replace('DIGEST', digest)}")

        options = bs.RenderOptions(allow_private=True, timeout=120.0, scroll=0)
        with serve(Here) as address, bs.Browser(options=options) as browser:
            return browser.open(address).leaf_texts, came()


@pytest.fixture
def without_a_proxy(monkeypatch):
    """Have pages go out directly."""

    class Direct(PageProxy):
        def __setattr__(self, name, value):
            super().__setattr__(name, "direct://" if name == "address" and value else value)

    async def enter(channel, way):
        pass

    monkeypatch.setattr("blocksight.render.network.proxy.PageProxy", Direct)
    monkeypatch.setattr(browser_context, "_authenticate", enter)


@pytest.mark.parametrize("body", [WEB_TRANSPORT, WEB_RTC], ids=["web-transport", "web-rtc"])
def test_none_leaves(body, signed):
    """Not even where private addresses are open."""
    texts, came = tried(body, signed)
    assert came == 0
    assert texts[:1] == ("text",)
    assert "got through" not in texts


def test_web_transport_would_get_through(without_a_proxy, signed):
    texts, came = tried(WEB_TRANSPORT, signed)
    assert "got through" in texts
    assert came > 0


def test_web_rtc_would_get_through(monkeypatch, signed):
    monkeypatch.setattr(launch, "RESTRICTIONS", [flag for flag in launch.RESTRICTIONS if "webrtc" not in flag])
    # The browser takes its time to gather candidates: a busy machine gets three tries.
    assert any(tried(WEB_RTC, signed)[1] for _ in range(3))
