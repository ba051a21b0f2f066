"""What a page can read about its reader, and what is waited for."""

import base64
import json

import blocksight as bs
import pytest
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.browser


class Echo(Answering):
    """Shows what it was sent."""

    def do_GET(self):
        if self.path == "/locked" and "Authorization" not in self.headers:
            self.answer("", ("WWW-Authenticate", 'Basic realm="x"'), status=401)
            return
        shown = {name.lower(): self.headers[name] for name in self.headers}
        if self.path == "/missing.json":
            self.send_error(404)
            return
        script = (
            "document.body.append(JSON.stringify({zone: Intl.DateTimeFormat().resolvedOptions().timeZone,"
            "language: navigator.language, stored: localStorage.getItem('key')}));"
            "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>late</p>'), 600)"
        )
        self.answer(f"<body><pre>{json.dumps(shown)}</pre><div><script>{script}</script></div>")


@pytest.fixture(scope="module")
def echo():
    with serve(Echo) as address:
        yield address


def options(**given):
    return bs.RenderOptions(allow_private=True, timeout=120.0, **given)


def test_reader(browser, echo, tmp_path):
    state = {
        "cookies": [{"name": "session", "value": "abc", "domain": "127.0.0.1", "path": "/", "expires": -1,
                     "httpOnly": False, "secure": False, "sameSite": "Lax"}],
        "origins": [{"origin": echo, "localStorage": [{"name": "key", "value": "kept"}]}],
    }  # fmt: skip
    (tmp_path / "state.json").write_text(json.dumps(state))
    page = browser.open(
        echo,
        options=options(
            user_agent="reader/1",
            headers=(("X-Own", "yes"),),
            locale="de-DE",
            timezone="Europe/Prague",
            storage_state=str(tmp_path / "state.json"),
        ),
    )
    sent, values = json.loads(page.leaf_texts[0]), json.loads(page.leaf_texts[1])
    assert sent["user-agent"] == "reader/1"
    assert sent["x-own"] == "yes"
    assert sent["cookie"] == "session=abc"
    assert sent["accept-language"].startswith("de-DE")
    assert values == {"zone": "Europe/Prague", "language": "de-DE", "stored": "kept"}


def test_a_locked_page(browser, echo):
    page = browser.open(f"{echo}/locked", options=options(credentials=("me", "secret")))
    sent = json.loads(page.leaf_texts[0])
    assert base64.b64decode(sent["authorization"].split()[1]) == b"me:secret"
    with pytest.raises(bs.PageFailed, match="HTTP 401"):
        browser.open(f"{echo}/locked", options=options())


def test_errors_of_a_page_are_listed(browser, echo, caplog):
    html = b"<p>Text</p><script>fetch('/missing.json'); throw new Error('no such thing')</script>"
    with caplog.at_level("INFO", logger="blocksight"):
        page = browser.open(html, url=echo, options=options())
    assert page.errors == ("script: Uncaught Error: no such thing", f"{echo}/missing.json: HTTP 404 Not Found")
    assert "no such thing" in caplog.text
    assert bs.parse("<p>Text").errors == ()


def test_waiting_for_a_selector(browser, echo):
    page = browser.open(echo, options=options(wait_for="#late", settle=0.0))
    assert "late" in page.leaf_texts
    assert not page.partial


def test_what_never_comes_makes_the_page_partial(browser, echo):
    page = browser.open(echo, options=bs.RenderOptions(allow_private=True, timeout=8.0, wait_for="#never"))
    assert page.partial_reason.startswith("nothing matched wait_for '#never'; ")
    assert "late" in page.leaf_texts


@pytest.mark.parametrize(
    ("most", "scroll", "first", "is_partial"),
    [(9, 2, "900px", True), (4, 9, "900px", False)],
)
def test_a_page_that_loads_on_is_partial(most, scroll, first, is_partial, browser):
    html = (
        f"<div style='height:{first}'>First</div>"
        + """<style>p { height: 1200px }</style><b id=end>end</b>
        <script>let count = 0;
        const end = document.getElementById("end"), watch = new IntersectionObserver(([seen]) => {
        if (seen.isIntersecting && count++ < MOST) end.insertAdjacentHTML("beforebegin", `<p>Note ${count}</p>`);
        watch.unobserve(end);
        if (seen.isIntersecting) watch.observe(end); else setTimeout(() => watch.observe(end), 100)
        }); watch.observe(end)</script>""".replace("MOST", str(most))
    )
    page = browser.open(html.encode(), options=options(scroll=scroll))
    assert page.partial_reason.startswith("it loads on") == is_partial
    assert page.partial == is_partial


def test_a_selector_that_is_none(browser, echo):
    with pytest.raises(bs.PageFailed, match="no CSS selector"):
        browser.open(echo, options=options(wait_for="p["))


def test_a_state_that_is_none(tmp_path):
    for text in (None, "<html>", "[]", '{"cookies": 7}'):
        file = tmp_path / "state.json"
        if text is not None:
            file.write_text(text)
        with pytest.raises(ValueError, match="storage_state"):
            bs.RenderOptions(storage_state=str(file))
