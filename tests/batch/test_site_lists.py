"""Sitemaps, feeds and links of a small site."""

import gzip
import ssl
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import ClassVar

import blocksight as bs
import pytest
from blocksight.batch.sources.site_lists import feed_addresses, sitemap_addresses
from blocksight.errors import ConnectionFailed, HttpFailed, PageFailed, Refused, TimedOut, TooLarge
from blocksight.render.network.local_server import QuietHandler, serve, serve_folder
from blocksight.render.network.plain_fetch import fetch_file
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

# Early Pythons, such as Debian's 3.11.2, leave the socket of a refused tunnel to the garbage collector.
if sys.version_info < (3, 11, 7):
    pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

OPTIONS = bs.RenderOptions(allow_private=True, timeout=10.0)
MAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


@pytest.fixture
def site(tmp_path):
    with serve_folder(tmp_path) as address:
        yield tmp_path, address


def entries(*addresses):
    return MAP.format("".join(f"<url><loc> {address} </loc></url>" for address in addresses))


def test_a_sitemap_has_pages_of_its_host_each_once(site):
    folder, address = site
    pages = (f"{address}/b?x=1&amp;y=2", f"{address}/a", f"{address}/a", "https://example.org/other")
    (folder / "map.xml").write_text(entries(*pages))
    assert list(sitemap_addresses(f"{address}/map.xml", OPTIONS)) == [f"{address}/b?x=1&y=2", f"{address}/a"]


def test_an_index_and_packed_and_plain_files(site):
    folder, address = site
    names = [f"<sitemap><loc>{address}/{name}</loc></sitemap>" for name in ("one.xml.gz", "two.txt", "gone.xml")]
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(names)}</sitemapindex>'
    (folder / "sitemap.xml").write_text(index)
    (folder / "one.xml.gz").write_bytes(gzip.compress(entries(f"{address}/1").encode()))
    (folder / "two.txt").write_text(f"{address}/2\nnothing\n")
    assert list(sitemap_addresses(address, OPTIONS)) == [f"{address}/1", f"{address}/2"]


def test_robots_names_the_sitemaps(site):
    folder, address = site
    (folder / "robots.txt").write_text("User-agent: *\nSitemap: /here.xml\n")
    (folder / "here.xml").write_text(entries(f"{address}/1"))
    assert list(sitemap_addresses(f"{address}/", OPTIONS)) == [f"{address}/1"]


def test_a_sitemap_that_is_not_there(site):
    with pytest.raises(HttpFailed, match="404"):
        list(sitemap_addresses(f"{site[1]}/none.xml", OPTIONS))


def test_entities_of_a_sitemap_are_not_expanded(site):
    folder, address = site
    (folder / "map.xml").write_text(
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + entries(f"{address}/1&f;", f"{address}/2")
    )
    assert all("root" not in page for page in sitemap_addresses(f"{address}/map.xml", OPTIONS))


def test_feeds(site):
    folder, address = site
    item = "<item><link>/1</link></item>"
    (folder / "rss.xml").write_text(f"<rss><channel><link>/</link>{item}{item}</channel></rss>")
    (folder / "atom.xml").write_text(
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><entry><link rel="edit" href="/e"/>'
        '<link href="/2"/></entry></feed>'
    )
    (folder / "feed.json").write_text('{"items": [{"url": "/3"}, {"external_url": "https://example.org/4"}, 5]}')
    assert list(feed_addresses(f"{address}/rss.xml", OPTIONS)) == [f"{address}/1"]
    assert list(feed_addresses(f"{address}/atom.xml", OPTIONS)) == [f"{address}/2"]
    assert list(feed_addresses(f"{address}/feed.json", OPTIONS)) == [f"{address}/3", "https://example.org/4"]
    (folder / "bad.json").write_text("{")
    with pytest.raises(PageFailed, match="no JSON feed"):
        list(feed_addresses(f"{address}/bad.json", OPTIONS))


def test_private_addresses_files_and_large_files_are_refused(site):
    folder, address = site
    (folder / "map.xml").write_text("x" * 2000)
    with pytest.raises(Refused):
        fetch_file(f"{address}/map.xml", bs.RenderOptions(timeout=10.0), max_bytes=10_000)
    with pytest.raises(Refused, match="not an address"):
        fetch_file("/etc/passwd", OPTIONS, max_bytes=10_000)
    with pytest.raises(TooLarge):
        fetch_file(f"{address}/map.xml", OPTIONS, max_bytes=1000)
    assert fetch_file(f"{address}/map.xml", OPTIONS, max_bytes=2000).data == b"x" * 2000


class SlowSite(QuietHandler):
    """Sends a byte at a time for ten seconds: of the head for /head, of the body for /body."""

    sent = 0

    def do_GET(self):
        start = b"HTTP/1.1 200 OK\r\n\r\n<urlset>" if self.path == "/body" else b"HTTP/1.1 200 OK\r\nX-Slow: "
        with suppress(OSError):
            self.wfile.write(start)
            for _ in range(100):
                self.wfile.write(b"a")
                SlowSite.sent += 1
                time.sleep(0.1)


@pytest.mark.parametrize("part", ["head", "body"])
def test_a_server_that_sends_a_byte_at_a_time_ends_at_the_deadline(part):
    options = bs.RenderOptions(allow_private=True, timeout=0.5)
    SlowSite.sent = 0
    with serve(SlowSite) as address, pytest.raises(TimedOut):
        fetch_file(f"{address}/{part}", options, max_bytes=10_000)
    assert SlowSite.sent < 100


class UpstreamProxy(QuietHandler):
    """A proxy that answers every request itself."""

    asked: ClassVar[list[str]] = []

    def do_CONNECT(self):  # noqa: N802 - the name is http.server's
        UpstreamProxy.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.close_connection = False

    def do_GET(self):
        UpstreamProxy.asked.append(f"{self.headers['Host']}{self.path}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"from afar")


def test_a_proxy_receives_checked_addresses():
    with serve(UpstreamProxy) as proxy:
        options = bs.RenderOptions(proxy=proxy, timeout=10.0)
        assert fetch_file("http://93.184.216.34/map.xml", options, max_bytes=100).data == b"from afar"
        with pytest.raises(Refused):
            fetch_file("http://127.0.0.1/map.xml", options, max_bytes=100)
    assert UpstreamProxy.asked == ["93.184.216.34:80", "93.184.216.34/map.xml"]


def certificate(folder):
    """Write a key with a certificate of its own for 127.0.0.1, and return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "both.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + signed.public_bytes(Encoding.PEM))
    return file


def test_https_needs_a_certificate_of_the_host(tmp_path, monkeypatch):
    file = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"https://127.0.0.1:{server.server_port}"
    (tmp_path / "sitemap.xml").write_text(entries(f"{address}/1"))
    try:
        with pytest.raises(ConnectionFailed, match="certificate"):
            list(sitemap_addresses(address, OPTIONS))
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert list(sitemap_addresses(address, OPTIONS)) == [f"{address}/1"]
        with pytest.raises(ConnectionFailed):
            fetch_file(address.replace("127.0.0.1", "localhost"), OPTIONS, max_bytes=9_000)
    finally:
        server.shutdown()
        server.server_close()
