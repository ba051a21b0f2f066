"""Hosts in turn, each no faster than it bears."""

from collections import Counter

import pytest
from blocksight.batch import host_queue
from blocksight.batch.batch_options import RateLimits
from blocksight.batch.host_queue import HostQueue
from blocksight.batch.robots import ALLOW_ALL, RobotsRules, rules_for_agent, truncate_rules
from blocksight.batch.sources.inputs import input_of

RULES = "User-agent: *\nDisallow: /private\nCrawl-delay: 3\n\nUser-agent: blocksight\nDisallow: /ours\n"


class Listed:
    """Inputs in memory, with the interface of the ledger's."""

    def __init__(self, inputs):
        self.lists, self.hosts, self.largest = {}, Counter(), 0
        self.note(inputs)

    def note(self, inputs):
        for one in inputs:
            self.lists.setdefault(one.host, []).append(one)
        counts = Counter(one.host for one in inputs)
        self.hosts.update(counts)
        return counts

    def add(self, counts):
        self.hosts.update(counts)

    def take_hosts(self, most):
        found = self.hosts.most_common(most)
        for name, _ in found:
            del self.hosts[name]
        return found

    def inputs(self, host, after, most):
        self.largest = max(self.largest, most)
        return list(enumerate(self.lists[host], 1))[after : after + most]


def queue_of(*sources, **more):
    limits = RateLimits(**{"robots": False, "per_host": 1, "delay": 1.0} | more)
    return HostQueue(Listed([input_of(source) for source in sources]), limits)


def started(queue, now):
    found = []
    while (one := queue.next(now)) is not None:
        found.append(one)
    return found


def test_hosts_take_turns():
    queue = queue_of("http://a/1", "http://a/2", "http://b/1", "page.html", "other.html")
    first = started(queue, 0.0)
    assert sorted(one.source for one in first) == ["http://a/1", "http://b/1", "other.html", "page.html"]
    assert started(queue, 5.0) == []
    assert queue.wait(5.0) is None
    for one in first:
        queue.finish(one, 5.0)
    (last,) = started(queue, 5.0)
    assert last.source == "http://a/2"
    assert not queue.is_empty
    queue.finish(last, 7.0)
    assert queue.is_empty


def test_the_delay_counts_from_the_last_start():
    queue = queue_of(*(f"http://a/{number}" for number in range(3)), per_host=2)
    (first,) = started(queue, 0.0)
    assert started(queue, 0.9) == []
    assert queue.wait(0.25) == 0.75
    (second,) = started(queue, 1.0)
    queue.finish(first, 1.5)
    queue.finish(second, 1.5)
    assert queue.wait(1.5) == 0.5
    assert len(started(queue, 2.0)) == 1


def test_a_crawl_delay_means_one_page_at_a_time():
    queue = queue_of("http://a/1", "http://a/2", robots=True, per_host=2)
    assert started(queue, 0.0) == ["http://a"]
    queue.set_rules("http://a", RobotsRules("User-agent: *\nCrawl-delay: 3\n"))
    assert started(queue, 2.9) == []
    (first,) = started(queue, 3.0)
    assert started(queue, 100.0) == []
    queue.finish(first, 100.0)
    assert len(started(queue, 100.0)) == 1


def test_the_host_with_the_most_work_is_first():
    small = [f"http://{name}/{number}" for name in "abc" for number in range(2)]
    queue = queue_of(*small, *(f"http://z/{number}" for number in range(9)))
    assert next(one.host for one in started(queue, 0.0)) == "http://z"


def test_new_inputs_of_a_host_that_was_done_and_of_another():
    queue = queue_of("http://a/1")
    (one,) = started(queue, 0.0)
    queue.finish(one, 0.5)
    assert queue.is_empty
    queue.add(queue._store.note([input_of("http://a/2"), input_of("http://b/1")]))
    assert [one.source for one in started(queue, 0.5)] == ["http://b/1"]
    assert [one.source for one in started(queue, 1.0)] == ["http://a/2"]


def test_memory_has_a_part_of_the_hosts_and_of_their_inputs(monkeypatch):
    monkeypatch.setattr(host_queue, "MAX_HOSTS", 10)
    sources = [f"http://h{host}/{page}" for host in range(100) for page in range(20)]
    queue, done, now = queue_of(*sources), [], 0.0
    while not queue.is_empty:
        for one in started(queue, now):
            done.append(one.source)
            queue.finish(one, now)
        assert len(queue._hosts) <= 15
        assert sum(len(host.inputs) for host in queue._hosts.values()) <= 15 * queue._store.largest
        now += 1.0
    assert sorted(done) == sorted(sources)
    assert queue._store.largest <= 10
    # Ten hosts at once, each with a page a second.
    assert now <= 200 * 1.1


def test_a_busy_host_is_left_alone():
    queue = queue_of("http://a/1", "http://a/2")
    (one,) = started(queue, 0.0)
    queue.back_off(one, 10.0, 60.0)
    assert started(queue, 69.0) == []
    assert queue.wait(69.0) == 1.0
    assert started(queue, 70.0) == [one]


def test_one_that_names_no_time_is_waited_for_twice_as_long_each_time():
    queue = queue_of("http://a/1", max_backoff=7.0)
    pauses = []
    for _ in range(3):
        (one,) = started(queue, 0.0 if not pauses else sum(pauses))
        queue.back_off(one, sum(pauses), None)
        pauses.append(queue.wait(sum(pauses)))
    assert pauses == [2.0, 4.0, 7.0]


def test_rules_are_read_before_anything_else_is_asked_for():
    queue = queue_of("http://a/1", "http://a/private", "page.html", robots=True, per_host=2)
    first = started(queue, 0.0)
    assert first[0] == "http://a"
    assert first[1].source == "page.html"
    assert started(queue, 100.0) == []
    queue.set_rules("http://a", RobotsRules("User-agent: *\nDisallow: /private\n"))
    one, other = started(queue, 100.0)[:1] + started(queue, 101.0)
    assert queue.forbids(one) == ""
    assert queue.forbids(other) == "the site's robots.txt forbids it"


def test_what_rules_forbid_takes_no_time():
    queue = queue_of(*(f"http://a/{number}" for number in range(5)), robots=True)
    assert started(queue, 0.0) == ["http://a"]
    queue.set_rules("http://a", RobotsRules(refusal="no"))
    for _ in range(5):
        (one,) = started(queue, 1.0)
        queue.finish(one, 1.0)
    assert queue.is_empty


@pytest.mark.parametrize(
    ("path", "agent", "forbidden"),
    [
        ("/private", "other", True),
        ("/private", "blocksight", False),
        ("/ours/a", "blocksight", True),
        ("/", "x", False),
    ],
)
def test_rules(path, agent, forbidden):
    assert bool(RobotsRules(RULES).forbids(f"https://a.org{path}", agent)) is forbidden


def test_the_delay_that_rules_ask_for():
    assert RobotsRules(RULES).delay("other") == 3.0
    assert RobotsRules("").delay("other") == ALLOW_ALL.delay("other") == 0.0


@pytest.mark.parametrize(
    "wrong", [{"per_host": 0}, {"max_attempts": 0}, {"delay": -1}, {"max_backoff": float("nan")}, {"user_agent": " "}]
)
def test_wrong_settings(wrong):
    with pytest.raises(ValueError, match=r"must (not )?be"):
        RateLimits(**wrong)


def test_of_a_long_one_the_beginning_counts():
    rules = "User-agent: *\nDisallow: /early\n" + "# ä\n" * 110_000 + "Disallow: /late\n"
    read = RobotsRules(truncate_rules(rules))
    assert read.forbids("https://a.org/early", "x")
    assert not read.forbids("https://a.org/late", "x")


@pytest.mark.parametrize(("line", "whole"), [("Disallow: /ab\n", True), ("Disallow: /abc\n", False)])
def test_a_line_that_is_cut_in_two_is_none(line, whole):
    head = "User-agent: *\n"
    filled = head + "#" * (500 * 1024 - len(head) - len("\nDisallow: /ab\n")) + "\n"
    assert len(filled) + len("Disallow: /ab\n") == 500 * 1024
    assert ("Disallow" in truncate_rules(filled + line + "# more")) is whole


GROUPS = """User-agent: googlebot
User-Agent: BlockSight/2  # ours
useragent other

Disallow: /a
User-agent: b*
user  agent: foo
Disallow: /b
Sitemap: https://a.org/map
User-agent: foo
Disallow: /c
User-agent:
Disallow: /d
User-agent: *
Disallow: /e
"""


@pytest.mark.parametrize("agent", ["blocksight", "blocksight/2", "b", "other", "foo", "nobody"])
def test_rules_for_one_robot_say_the_same(agent):
    all_rules, ours = RobotsRules(GROUPS), RobotsRules(rules_for_agent(GROUPS, agent))
    for name in "abcdef":
        assert ours.forbids(f"https://a.org/{name}", agent) == all_rules.forbids(f"https://a.org/{name}", agent), name


def test_thousands_of_robots_with_thousands_of_rules_are_few():
    """Each rule is put down for each robot of its group: 81 million of them, unless the others become one."""
    agents, rules = (f"User-agent: a{number}" for number in range(9000)), ["Disallow: /b"] * 9000
    text = rules_for_agent("\n".join([*agents, "User-agent: blocksight", *rules]), "blocksight")
    assert text.count("User-agent") == 2
    assert text.count("Disallow") == 9000
    assert RobotsRules(text).forbids("https://a.org/b", "blocksight")
