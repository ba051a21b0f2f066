"""The inspector in a real browser: what a person sees, presses and gets."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import uvicorn
from blocksight.gold.annotations import read_annotations
from blocksight.inspector.server.app import inspector_app
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.long]
WAIT = 60_000
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
#: Every control has a name, and every text contrasts with its background (WCAG 2.2, 1.4.3 and 4.1.2).
FAULTS = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")


@pytest.fixture
def address(session):
    """Where the session is served."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = uvicorn.Server(uvicorn.Config(inspector_app(session, "secret"), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/secret/"
    server.should_exit = True
    thread.join(20)
    listening.close()


def opened(tab, address, identity=""):
    # Another query loads it anew, whatever page was shown before.
    tab.goto(f"{address}?{identity}#{identity}", timeout=WAIT)
    tab.wait_for_selector("canvas.piece", state="attached")
    expect(tab.locator("#block-title")).to_be_visible(timeout=WAIT)
    expect(tab.locator(".bar .faint")).to_contain_text("blocks", timeout=WAIT)


def test_a_person_corrects_a_page(tab, address, identities, tmp_path):
    identity = identities["bar/0"]
    opened(tab, address, identity)
    expect(tab.locator("#page-name")).to_have_text("Tides")
    tab.keyboard.press("j")
    expect(tab.locator("#block-title")).to_have_text("Block 1")
    tab.keyboard.press("j")
    tab.keyboard.press("k")
    tab.keyboard.press("8")
    expect(tab.locator(".block-head .chip").first).to_have_text("related")
    expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
    labels = tmp_path / "session" / "labels" / "anna.jsonl"
    assert {label.role for label in read_annotations(labels)[identity].leaves.values()} == {"related"}
    tab.keyboard.press("u")
    expect(tab.locator("#undo")).to_be_disabled()
    expect(tab.locator(".chip.hand")).to_have_count(0)
    tab.keyboard.press("r")
    expect(tab.locator(".chip.hand")).to_have_count(1)
    expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
    tab.reload()
    opened(tab, address, identity)
    tab.keyboard.press("j")
    expect(tab.locator(".block-head .chip").first).to_have_text("related")
    expect(tab.locator("#undo")).to_be_enabled()
    tab.keyboard.press("u")
    expect(tab.locator(".chip.hand")).to_have_count(0)
    expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
    assert dict(read_annotations(labels)[identity].leaves) == {}


def test_all_that_are_alike(tab, address, identities):
    opened(tab, address, identities["bar/0"])
    tab.keyboard.press("j")
    for _ in range(2):  # to the first paragraph; the second has the same tags around it
        tab.keyboard.press("j")
    tab.keyboard.press("7")
    expect(tab.locator(".like button").first).to_contain_text("(2)")
    tab.keyboard.press("a")
    tab.keyboard.press("j")
    expect(tab.locator(".block-head .chip").first).to_have_text("comment")
    tab.keyboard.press("u")
    expect(tab.locator(".chip.hand")).to_have_count(0)


def test_the_document_and_the_blocks_find_each_other(tab, address, identities):
    opened(tab, address, identities["bar/0"])
    tab.locator(".part", has_text="High water").click()
    expect(tab.locator(".excerpt")).to_contain_text("High water")
    expect(tab.locator("[role=option]").first).to_contain_text("High water")
    tab.locator("#tab-hidden").click()
    expect(tab.locator("#panel")).to_contain_text("display")
    expect(tab.locator("#panel")).to_contain_text("Nobody sees this line of text.")


def test_the_preview_shows_the_document_as_elements(tab, address, identities):
    opened(tab, address, identities["bar/0"])
    tab.click("#tab-preview")
    shown = tab.locator("#panel .preview")
    expect(shown.locator("p").first).to_contain_text("High water at the bridge")
    assert shown.locator("[href], [src], script").count() == 0


def test_of_several_pages_the_last_is_shown(tab, address, identities):
    """Keys may come faster than pages."""
    opened(tab, address, identities["bar/0"])
    names = [row.inner_text() for row in tab.locator("#queue .name").all()]
    for key in "]]j]u":
        tab.keyboard.press(key)
    expect(tab.locator("#queue [aria-current=true] .name")).to_have_text(names[3])
    expect(tab.locator("body.opening")).to_have_count(0)
    tab.keyboard.press("j")
    expect(tab.locator("#block-title")).to_have_text("Block 1")
    assert tab.evaluate("location.hash")[1:] == tab.locator("#queue [aria-current=true]").get_attribute("data-page")


def test_after_a_click_in_the_list_the_keys_are_for_the_page(tab, address, identities):
    opened(tab, address, identities["bar/0"])
    other = tab.locator("#queue button:not([aria-current=true])").first
    name = other.locator(".name").inner_text()
    other.click()
    expect(tab.locator("#queue [aria-current=true] .name")).to_have_text(name)
    assert tab.evaluate("document.activeElement === document.body")
    tab.keyboard.press("j")
    expect(tab.locator("#block-title")).to_have_text("Block 1")


def test_what_is_chosen_and_pointed_at_has_a_frame(tab, address, identities):
    opened(tab, address, identities["bar/0"])
    tab.keyboard.press("j")
    expect(tab.locator(".frame")).to_have_count(1)
    tab.keyboard.press("Shift+J")
    expect(tab.locator(".frame")).to_have_count(2)
    tab.locator(".part", has_text="High water").hover()
    expect(tab.locator(".pointed-at")).to_have_count(1)
    tab.keyboard.press("Escape")
    expect(tab.locator(".frame:not(.pointed-at)")).to_have_count(0)


def test_a_hostile_page_does_nothing(tab, address, identities):
    opened(tab, address, identities["bar/1"])
    expect(tab.locator("#page-name")).to_have_text(HOSTILE)
    for _ in range(3):
        tab.keyboard.press("j")
    tab.locator("#tab-text").click()
    assert tab.locator("#session img:not(.tile)").count() == 0
    assert tab.locator("script").count() == 1


def test_it_learns(tab, address, identities):
    for name in ("bar/0", "quay/0"):
        opened(tab, address, identities[name])
        tab.keyboard.press("j")
        for _ in range(3):  # the second paragraph, which the model takes for content
            tab.keyboard.press("j")
        expect(tab.locator(".excerpt")).to_contain_text("Figures in small type")
        tab.locator(".role", has_text="related").click()
        tab.locator("#done").click()
        expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
    tab.locator("#train").click()
    expect(tab.locator("#learn")).to_contain_text("each by what had not seen its site", timeout=2 * WAIT)
    expect(tab.locator("#learn")).to_contain_text("Text whose role is right")
    expect(tab.locator("#learn .likely")).to_have_count(4)


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1300, "dark"), (2500, "light")])
def test_names_contrast_and_width(chromium, address, identities, width, scheme):
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    opened(tab, address, identities["bar/0"])
    tab.keyboard.press("j")
    expect(tab.locator("#block-title")).to_have_text("Block 1")
    assert tab.evaluate(FAULTS) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_nothing_is_lost_when_the_inspector_is_killed(tab, saved_pages, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    call = [
        sys.executable,
        "-m",
        "blocksight",
        "inspect",
        str(saved_pages / "lock"),
        "--output",
        str(tmp_path / "kept"),
    ]
    call += ["--port", str(port), "--token", "secret", "--no-open"]
    address = f"http://127.0.0.1:{port}/secret/"
    first = started(call, port)
    try:
        opened(tab, address)
        tab.keyboard.press("j")
        tab.keyboard.press("8")
        expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    labels = tmp_path / "kept" / "labels" / "me.jsonl"
    with labels.open("ab") as file:  # as if it had been killed while it wrote
        file.write(b'{"page": "torn')
    tab.keyboard.press("j")
    tab.keyboard.press("1")
    expect(tab.locator("#saved")).to_contain_text("not saved", timeout=WAIT)
    second = started(call, port)
    try:
        expect(tab.locator("#saved")).to_have_text("all saved", timeout=WAIT)
        (said,) = read_annotations(labels).values()
        assert {label.role for label in said.leaves.values()} == {"related", "body"}
        assert all(json.loads(line) for line in labels.read_bytes().splitlines())
        tab.reload()
        opened(tab, address)
        tab.keyboard.press("j")
        expect(tab.locator(".block-head .chip").first).to_have_text("related")
    finally:
        second.send_signal(signal.SIGINT)
        second.wait(30)


def started(call, port):
    """Start the inspector, and wait until it answers."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
    running = subprocess.Popen(call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return running
        time.sleep(0.2)
    running.kill()
    raise AssertionError("the inspector did not start")
