"""Redirects to other hosts: asked for their rules first, and at their pace."""

import threading

import blocksight as bs
import pytest
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.host_queue import HostQueue
from blocksight.batch.pipeline import RedirectFilter, redirected, rules_by_host
from blocksight.batch.robots import ALLOW_ALL, RobotsRules
from blocksight.batch.sources.inputs import input_of
from blocksight.render.network.local_server import serve
from opening import Answering

CLOSED = RobotsRules("User-agent: *\nDisallow: /private\n")


def test_redirect_filter_known_host_obeys_its_rules():
    follow = RedirectFilter({"http://a.org": CLOSED}, "blocksight")
    assert follow("http://A.org:80/tea") == ""
    assert follow("blob:http://b.org/1") == ""
    assert follow("http://a.org/private/tea") == follow.forbidden == "the site's robots.txt forbids it"
    assert follow.target == ""


def test_redirect_filter_other_host_is_not_followed():
    follow = RedirectFilter({"http://a.org": ALLOW_ALL}, "blocksight")
    assert follow("https://a.org/tea")
    assert (follow.target, follow.forbidden) == ("https://a.org/tea", "")


def test_redirected_opens_the_target_and_after_a_return_the_start():
    entry = input_of("http://a.org/")
    assert rules_by_host(entry, CLOSED) == {"http://a.org": CLOSED}
    moved = redirected(entry, CLOSED, "https://b.org/login")
    assert (moved.address, moved.host) == ("https://b.org/login", "https://b.org")
    assert (moved.source, moved.id) == (entry.source, entry.id)
    assert rules_by_host(moved, ALLOW_ALL) == {"https://b.org": ALLOW_ALL}
    again = redirected(moved, ALLOW_ALL, "http://a.org/?back")
    assert again == entry
    assert rules_by_host(again, CLOSED) == {"http://a.org": CLOSED, "https://b.org": ALLOW_ALL}


def test_redirected_without_end_is_given_up():
    entry, moves = input_of("http://a.org/"), 0
    while entry is not None:
        moves += 1
        entry = redirected(entry, ALLOW_ALL, f"http://a{moves}.org/")
    assert moves == 11


def test_a_redirected_input_waits_for_its_new_host():
    class Store:
        def __init__(self, *entries):
            self.entries = entries

        def take_hosts(self, most):
            return [(entry.host, 1) for entry in self.entries]

        def inputs(self, host, after, most):
            return [(1, entry) for entry in self.entries if entry.host == host and not after]

    a, b = input_of("http://a.org/"), input_of("http://b.org/")
    queue = HostQueue(Store(a, b), RateLimits(delay=5.0, robots=False))
    started = {queue.next(0.0), queue.next(0.0)}
    assert started == {a, b}
    queue.move(a, redirected(a, ALLOW_ALL, "http://b.org/other"), 1.0)
    assert queue.next(1.0) is None
    assert queue.wait(1.0) == 4.0
    assert not queue.is_empty
    moved = queue.next(5.0)
    assert moved.address == "http://b.org/other"
    for entry in (moved, b):
        queue.finish(entry, 6.0)
    assert queue.is_empty


PAGE = "<!doctype html><title>Tea</title><p>Fresh water is boiled, the pot is warmed, and the leaves draw for a while."


class _Host(Answering):
    """Two hosts that redirect to each other."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012
    addresses: list[str] = []  # noqa: RUF012
    lock = threading.Lock()

    def do_GET(self):
        here, other = self.addresses if self.headers["Host"] in self.addresses[0] else self.addresses[::-1]
        with self.lock:
            self.asked.append((here, self.path))
        if self.path == "/robots.txt":
            self.answer("User-agent: *\nDisallow: /private\n", kind="text/plain")
        elif self.path.startswith("/away"):
            self.answer("", ("Location", other + self.path.removeprefix("/away")), status=302)
        elif self.path == "/inside":
            self.answer("", ("Location", "/private/inside"), status=302)
        elif self.path == "/script":
            self.answer(f"{PAGE}<script>location.href = '{other}/private/script'</script>")
        elif self.path == "/login" and here == self.addresses[1]:
            self.answer("", ("Location", f"{other}/login"), status=302)
        elif self.path == "/login" and "seen" not in self.headers.get("Cookie", ""):
            self.answer("", ("Location", f"{other}/login"), ("Set-Cookie", "seen=1"), status=302)
        else:
            self.answer(PAGE)


@pytest.mark.browser
def test_redirects_in_a_browser(tmp_path):
    paths = ["/away/tea", "/away/private/tea", "/inside", "/script", "/login", "/tea"]
    with serve(_Host) as first, serve(_Host) as second:
        _Host.addresses[:] = first, second
        options = BatchOptions(
            render=bs.RenderOptions(allow_private=True, timeout=120.0), system="bte", limits=RateLimits(delay=0.1)
        )
        rows = {row["source"]: row for row in bs.run_batch([first + path for path in paths], tmp_path, options=options)}
        kinds = {source.removeprefix(first): row["error_kind"] for source, row in rows.items()}
    robots = dict.fromkeys(["/away/private/tea", "/inside", "/script"], "robots")
    assert kinds == dict.fromkeys(["/away/tea", "/login", "/tea"]) | robots
    assert rows[f"{first}/away/tea"]["final_address"] == f"{second}/tea"
    assert rows[f"{first}/away/tea"]["url"] == f"{first}/away/tea"
    assert rows[f"{first}/away/tea"]["tries"] == 1
    assert rows[f"{first}/login"]["final_address"] == f"{first}/login"
    assert not [path for _, path in _Host.asked if path.startswith("/private")]
    of_second = [path for host, path in _Host.asked if host == second]
    assert of_second[0] == "/robots.txt"
    assert of_second.count("/robots.txt") == 1
