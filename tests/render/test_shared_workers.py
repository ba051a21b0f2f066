"""Shared and service workers see the same reader as the page that starts them."""

import json
import threading
from urllib.parse import unquote

import blocksight as bs
import pytest
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.browser

KINDS = ("shared", "service")
#: What workers reported and sent, and an event for each report.
SEEN, ARRIVED = {}, {}
ROBOT = {"identify": True, "contact": "https://example.org/robot"}
_REPORT = """fetch(`/report/NAME/${encodeURIComponent(JSON.stringify(
  {agent: navigator.userAgent, brands: navigator.userAgentData.brands.map(one => one.brand)}))}`)"""
#: Each page waits for its worker's report: the answer to a request of its own comes after that.
_PAGE = "<title>Workers</title><p>The page.<script>START; fetch('/wait/NAME')</script>"
_STARTS = {
    "shared": "new SharedWorker('/shared.js?NAME')",
    "service": "navigator.serviceWorker.register('/service.js?NAME')",
}


class Workers(Answering):
    """Serves pages that start workers, and receives their reports."""

    def do_GET(self):
        kind, _, rest = self.path.strip("/").partition("/")
        script, _, name = kind.partition("?")
        media_type, body = "text/html", "."
        agent = self.headers["User-Agent"]
        if script in ("shared.js", "service.js"):
            media_type, body = "text/javascript", _REPORT.replace("NAME", name)
            SEEN[f"{name} script"] = agent
        elif kind == "report":
            name, _, facts = rest.partition("/")
            SEEN[name] = json.loads(unquote(facts)) | {"sent": agent}
            ARRIVED[name].set()
        elif kind == "wait":
            ARRIVED[rest].wait(300)
        else:
            ARRIVED.setdefault(rest, threading.Event())
            body = _PAGE.replace("START", _STARTS[kind]).replace("NAME", rest)
        self.answer(body, kind=media_type)


@pytest.fixture(scope="module")
def site():
    with serve(Workers) as address:
        yield address


def check(name, *, of_robot, agent="agent"):
    seen = SEEN[name]
    assert ("blocksight/" in seen["sent"], "+https://example.org/robot" in seen["sent"]) == (of_robot, of_robot)
    assert seen[agent] == seen["sent"]
    assert ("blocksight" in seen["brands"]) == of_robot
    assert "Chromium" in seen["brands"]
    assert "Headless" not in str(seen)


@pytest.mark.parametrize("kind", KINDS)
def test_workers_are_those_of_a_person_by_default(browser, site, kind):
    browser.open(f"{site}/{kind}/usual-{kind}")
    check(f"usual-{kind}", of_robot=False)


@pytest.mark.parametrize("kind", KINDS)
def test_workers_of_a_page_that_identifies_itself(browser, site, kind):
    # Their `navigator.userAgent` is that of the browser's own options, whatever DevTools sets.
    browser.open(f"{site}/{kind}/named-{kind}", options=bs.RenderOptions(allow_private=True, **ROBOT))
    check(f"named-{kind}", of_robot=True, agent="sent")
    browser.open(f"{site}/{kind}/after-{kind}")
    check(f"after-{kind}", of_robot=False)


def test_workers_send_a_given_user_agent(browser, site):
    options = bs.RenderOptions(allow_private=True, user_agent="Reader/1.0")
    for kind in KINDS:
        browser.open(f"{site}/{kind}/given-{kind}", options=options)
        assert SEEN[f"given-{kind}"]["sent"] == "Reader/1.0"


def test_a_browser_that_identifies_itself_requests_scripts_of_workers_under_its_name(site):
    with bs.Browser(options=bs.RenderOptions(allow_private=True, **ROBOT)) as browser:
        for kind in KINDS:
            browser.open(f"{site}/{kind}/robot-{kind}")
    for kind in KINDS:
        check(f"robot-{kind}", of_robot=True)
        assert "blocksight/" in SEEN[f"robot-{kind} script"]
