"""A session of pages that are written for these tests, and what it answers without a network."""

import asyncio
import json
import os

import blocksight as bs
import pytest
from blocksight.inspector.items import items_of
from blocksight.inspector.server.app import inspector_app
from blocksight.inspector.session import InspectorSession
from blocksight.render.chromium.process.executable import find_browser
from playwright.sync_api import sync_playwright

WAIT = 60_000
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PAGE = """<title>{title}</title><style>body {{ font: 16px serif; width: 600px }}</style>
<nav><a href="/">Home</a> <a href="/boats">Boats</a></nav>
<h1>{title}</h1>
<p>High water at the bridge comes forty minutes after high water at the bar, a little later after a wet spring, and
skippers who trust the printed table alone have been known to wait for it with their keels in the mud.</p>
<p class="note">Figures in small type are those of {place}, where the gauge was read by hand until the harbour office
closed, and nobody has compared them with the new ones since then.</p>
<p hidden>Nobody sees this line of text.</p>
<footer>Copyright of the harbour office</footer>"""


def ask_app(app, path, body=None, *, method=None, host="127.0.0.1:1", headers=()):
    """Send one request; return status, headers and what the JSON says, or the bytes."""
    sent = []
    data = b"" if body is None else json.dumps(body).encode()
    kind = [] if body is None else [(b"content-type", b"application/json")]
    path, _, query = path.partition("?")
    scope = {
        "type": "http", "method": method or ("GET" if body is None else "POST"), "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "http_version": "1.1", "scheme": "http",
        "headers": [(b"host", host.encode()), *kind, *headers], "server": ("127.0.0.1", 1),
        "client": ("127.0.0.1", 2), "root_path": "",
    }  # fmt: skip

    bodies = [{"type": "http.request", "body": data, "more_body": False}]

    async def receive():
        if not bodies:  # whoever listens for the end of a request waits for it
            await asyncio.Event().wait()
        return bodies.pop()

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    heads = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    found = b"".join(message.get("body", b"") for message in sent[1:])
    return (
        sent[0]["status"],
        heads,
        json.loads(found) if heads.get("content-type") == "application/json" else found,
    )


@pytest.fixture(scope="session")
def saved_pages(browser, tmp_path_factory):
    """Five saved pages of three sites, one of them hostile."""
    folder = tmp_path_factory.mktemp("saved")
    places = {"bar": ["Tides", HOSTILE], "quay": ["Tables", "Notices"], "lock": ["Gates"]}
    for site, titles in places.items():
        for number, title in enumerate(titles):
            escaped = title.replace("<", "&lt;")
            html = PAGE.format(title=escaped, place=site).encode()
            page = browser.open(html, url=f"http://{site}.test/{number}", options=bs.RenderOptions(screenshot="full"))
            (folder / site).mkdir(exist_ok=True)
            bs.save(page, folder / site / f"{number}.page")
    return folder


class InProcessSession(InspectorSession):
    """Does all of its work in this process: starting others takes longer than the tests."""

    def __enter__(self):
        self.enter_context(self._pages)
        return self

    def run(self, work, page, *given):
        return work(page.replace(screenshot=None), *given)


@pytest.fixture(scope="session")
def ask():
    """Ask an application: status, headers, body."""
    return ask_app


@pytest.fixture(scope="session")
def in_process_session():
    """The class of desks that work in this process."""
    return InProcessSession


@pytest.fixture
def session(saved_pages, tmp_path):
    """A session that knows these pages; its folder is ``tmp_path / "session"``."""
    items = items_of([str(saved_pages)])
    with InProcessSession(items, tmp_path / "session", who="anna", options=bs.RenderOptions()) as made:
        yield made


@pytest.fixture
def asked(session):
    """Ask the session over HTTP."""
    app = inspector_app(session, "secret")

    def asks(path, body=None, **more):
        return ask_app(app, f"/secret/{path}", body, **more)

    return asks


@pytest.fixture
def identities(session):
    """The ids of the pages, by ``site/number``."""
    return {item.name.removesuffix(".page"): item.id for item in session.items.values()}


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=str(find_browser(None).path), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """A tab in which every fault of a script, and every dialog, is one of the test."""
    context = chromium.new_context(viewport={"width": 1300, "height": 800})
    opened = context.new_page()
    faults = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: faults.append(dialog.message))
    opened.set_default_timeout(WAIT)
    yield opened
    context.close()
    assert faults == []
