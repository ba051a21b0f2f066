"""The work of the service: no answer depends on the requests of others."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import blocksight as bs
import pytest
from blocksight.app.page_runner import PageRunner
from blocksight.app.service.service import Service, ServiceRequest
from blocksight.classify.systems import system_named
from blocksight.page.store import loads
from blocksight.render.network.local_server import serve as serve_pages
from opening import Answering

from .conftest import request, serve

LOCAL = bs.RenderOptions(timeout=120.0, allow_private=True, wait_for="p.done")


@contextmanager
def worker(system="bte", options=None, *, workers=1, browser=True):
    """Yield the service with a runner of its own."""
    with PageRunner(options or bs.RenderOptions(), workers=workers, browser=browser) as runner:
        yield Service(runner, system_named(system), token="secret", most_body=10_000, workers=workers, queue=1)


@pytest.mark.parametrize("system", ["blocksight-dom", "bte"])
def test_an_answer_depends_on_its_own_request_only(system):
    """On no document with the same address before it, and on no other header."""
    address = "https://a.org/tea"
    good = b"<title>Tea</title><p>Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes.</p>"
    evil = b"<title>Evil</title><base href=//evil.example/><p>Buy this now, dear reader, and buy it again tomorrow.</p>"
    with PageRunner(bs.RenderOptions(), browser=False) as runner, serve(runner, system) as served:

        def ask(html, extra=b""):
            sent = request(body=json.dumps({"url": address, "html": html.decode()}).encode(), close=True)
            return served.ask(sent.replace(b"\r\n\r\n", b"\r\n" + extra + b"\r\n", 1)).partition(b"\r\n\r\n")[2]

        expected = ask(good)
        assert json.loads(expected)["title"] == "Tea"
        for extra in (b"Cookie: a=b\r\n", b"X-Forwarded-Host: evil.example\r\nX-Forwarded-For: 9.9.9.9\r\n"):
            assert json.loads(ask(evil, extra))["title"] == "Evil"
            assert ask(good, extra) == expected
        assert ask(good) == expected


# -- in a browser -----------------------------------------------------------------------------------------------------

KEPT = """
document.cookie = 'kept=1; max-age=9999';
localStorage.kept = 1; sessionStorage.kept = 1;
caches.open('kept').then(c => c.put('/number', new Response('kept')));
indexedDB.open('kept', 1).onupgradeneeded = e => e.target.result.createObjectStore('kept');
navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => 0);
setInterval(() => new BroadcastChannel('kept').postMessage('kept'), 20);
navigator.storage.persist && navigator.storage.persist();
fetch('/number').then(r => r.text()).then(n => {
  document.querySelector('p').textContent += ' number ' + n;
  document.querySelector('p').className = 'done';
});
"""
FOUND = """
new BroadcastChannel('kept').onmessage = () => document.querySelector('p').textContent += ' heard';
(async () => {
  const looks = [() => document.cookie, () => localStorage.kept, () => sessionStorage.kept, () => window.name,
    () => caches.keys(), async () => (await indexedDB.databases()).map(x => x.name),
    async () => (await fetch('/number')).text()];
  for (const look of looks) {
    let found;
    try { found = await look(); } catch (error) { found = error.name; }
    document.querySelector('p').textContent += ` [${found ?? ''}]`;
  }
  document.querySelector('p').className = 'done';
})();
"""


class Kept(Answering):
    """Serves a page that keeps what it can, one that says what it finds, and a number that may be cached."""

    number = 0

    def do_GET(self):
        """Answer; the number is another each time."""
        body = {"/keeps": KEPT, "/finds": FOUND}.get(self.path, "")
        if body:
            cookie = self.headers.get("Cookie", "none")
            body = f"<!doctype html><title>Tea</title><p>The cookie is {cookie};</p><script>{body}</script>"
        if self.path == "/number":
            type(self).number += 1
            body = f"n{self.number}"
        kept = ("Cache-Control", "max-age=9999, immutable" if self.path == "/number" else "no-cache")
        kind = "text/html" if "<" in body else "text/plain"
        self.answer(body, ("Set-Cookie", "sent=1; Max-Age=9999"), kept, status=200 if body else 404, kind=kind)


@pytest.mark.browser
def test_pages_leave_nothing_for_the_pages_of_others(monkeypatch):
    """Neither before nor at the same time: cookies, storage, caches, service workers, channels."""
    monkeypatch.setattr(Kept, "number", 0)

    def text(saved):
        return " ".join(loads(saved).leaf_texts)

    with worker(options=LOCAL, workers=2) as made, serve_pages(Kept) as address, ThreadPoolExecutor(2) as threads:

        def render(name):
            return text(made.work(ServiceRequest(address=f"{address}/{name}"), is_page=True))

        first, after = render("keeps"), render("finds")
        _, meanwhile = threads.map(render, ("keeps", "finds"))
    assert "The cookie is none; number n1" in first
    # The cookie is that of its own answer.
    assert after == "The cookie is none; [sent=1] [] [] [] [] [] [n2]"
    assert meanwhile in {f"The cookie is none; [sent=1] [] [] [] [] [] [n{number}]" for number in (3, 4)}


@pytest.mark.browser
def test_auto_renders_only_what_asks_for_it():
    text = 6 * "<p>Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes or four.</p>"
    script = f"<div id=root></div><script>document.getElementById('root').innerHTML = '{text}'</script>"
    pages = {"/app": script, "/article": f"<article><h1>Tea</h1>{text}</article>"}

    class Mixed(Answering):
        def do_GET(self):
            body = pages.get(self.path, "")
            self.answer(f"<!doctype html><title>Tea</title>{body}", status=200 if body else 404)

    options = bs.RenderOptions(timeout=60.0, allow_private=True)
    with worker("blocksight", options, browser="auto") as made, serve_pages(Mixed) as address:
        sent = ServiceRequest(address="", data=f"<title>Tea</title>{pages['/app']}".encode())
        asked = [ServiceRequest(address=f"{address}/{name}") for name in ("app", "article")]
        app, article, posted = (json.loads(made.work(one)) for one in [*asked, sent])
    assert app["route"].startswith("rendered (shell")
    assert article["route"].startswith("raw HTML (content")
    assert posted["route"].startswith("rendered (shell")
    assert all(one["text"].count("Fresh water is boiled") == 6 for one in (app, article, posted))
