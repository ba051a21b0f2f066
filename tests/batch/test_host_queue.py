"""Hosts in turn, each no faster than it bears."""

import pytest
from blocksight.batch.batch_options import RateLimits
from blocksight.batch.host_queue import WINDOW, HostQueue
from blocksight.batch.robots import ALLOW_ALL, FixedAnswer, ParsedRules, rules_for_agent, truncate_rules
from blocksight.batch.sources.inputs import input_of

RULES = "User-agent: *\nDisallow: /private\nCrawl-delay: 3\n\nUser-agent: blocksight\nDisallow: /ours\n"


def lanes_of(*sources, **more):
    return HostQueue(map(input_of, sources), RateLimits(**{"robots": False, "per_host": 1, "delay": 1.0} | more))


def begun(lanes, now):
    found = []
    while (one := lanes.next(now)) is not None:
        found.append(one)
    return found


def test_hosts_take_turns():
    lanes = lanes_of("http://a/1", "http://a/2", "http://b/1", "page.html", "other.html")
    first = begun(lanes, 0.0)
    assert sorted(one.source for one in first) == ["http://a/1", "http://b/1", "other.html", "page.html"]
    assert begun(lanes, 5.0) == []
    assert lanes.wait(5.0) is None
    for one in first:
        lanes.finish(one, 5.0)
    assert begun(lanes, 5.5) == []
    assert lanes.wait(5.5) == 0.5
    (last,) = begun(lanes, 6.0)
    assert last.source == "http://a/2"
    assert not lanes.is_empty
    lanes.finish(last, 7.0)
    assert lanes.is_empty


def test_several_at_once_of_one_host():
    lanes = lanes_of(*(f"http://a/{number}" for number in range(5)), per_host=3, delay=0.0)
    assert len(begun(lanes, 0.0)) == 3


def test_a_busy_host_is_left_alone():
    lanes = lanes_of("http://a/1", "http://a/2")
    (one,) = begun(lanes, 0.0)
    lanes.back_off(one, 10.0, 60.0)
    assert begun(lanes, 69.0) == []
    assert lanes.wait(69.0) == 1.0
    assert begun(lanes, 70.0) == [one]


def test_one_that_names_no_time_is_waited_for_twice_as_long_each_time():
    lanes = lanes_of("http://a/1", max_backoff=7.0)
    pauses = []
    for _ in range(3):
        (one,) = begun(lanes, 0.0 if not pauses else sum(pauses))
        lanes.back_off(one, sum(pauses), None)
        pauses.append(lanes.wait(sum(pauses)))
    assert pauses == [2.0, 4.0, 7.0]


def test_rules_are_read_before_anything_else_is_asked_for():
    lanes = lanes_of("http://a/1", "http://a/private", "page.html", robots=True)
    first = begun(lanes, 0.0)
    assert first[0] == "http://a"
    assert first[1].source == "page.html"
    assert begun(lanes, 100.0) == []
    lanes.set_rules("http://a", ParsedRules("User-agent: *\nDisallow: /private\nCrawl-delay: 3\n"), 0.0)
    assert lanes.wait(0.0) == 3.0
    (one,) = begun(lanes, 3.0)
    assert lanes.forbids(one) == ""
    lanes.finish(one, 3.0)
    (other,) = begun(lanes, 6.0)
    assert lanes.forbids(other) == "the site's robots.txt forbids it"
    lanes.finish(other, 6.0, requested=False)


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
    assert bool(ParsedRules(RULES).forbids(f"https://a.org{path}", agent)) is forbidden


def test_the_delay_that_rules_ask_for():
    assert ParsedRules(RULES).delay("other") == 3.0
    assert ParsedRules("").delay("other") == ALLOW_ALL.delay("other") == 0.0


def test_no_rules_for_a_host_that_fails():
    lanes = lanes_of("http://a/1", robots=True)
    assert begun(lanes, 0.0) == ["http://a"]
    lanes.set_rules("http://a", FixedAnswer("robots.txt did not come in time"), 0.0)
    (one,) = begun(lanes, 1.0)
    assert lanes.forbids(one) == "robots.txt did not come in time"


def test_no_more_is_read_than_is_looked_at():
    taken = []

    def endless():
        for number in range(10**9):
            taken.append(number)
            yield input_of(f"http://a/{number}")

    lanes = HostQueue(endless(), RateLimits(robots=False))
    lanes.next(0.0)
    assert len(taken) == WINDOW


@pytest.mark.parametrize(
    "wrong", [{"per_host": 0}, {"max_attempts": 0}, {"delay": -1}, {"max_backoff": float("nan")}, {"user_agent": " "}]
)
def test_wrong_settings(wrong):
    with pytest.raises(ValueError, match=r"must (not )?be"):
        RateLimits(**wrong)


def test_of_a_long_one_the_beginning_counts():
    rules = "User-agent: *\nDisallow: /early\n" + "# ä\n" * 110_000 + "Disallow: /late\n"
    read = ParsedRules(truncate_rules(rules))
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
    all_rules, ours = ParsedRules(GROUPS), ParsedRules(rules_for_agent(GROUPS, agent))
    for name in "abcdef":
        assert ours.forbids(f"https://a.org/{name}", agent) == all_rules.forbids(f"https://a.org/{name}", agent), name


def test_thousands_of_robots_with_thousands_of_rules_are_few():
    """Each rule is put down for each robot of its group: 81 million of them, unless the others become one."""
    agents, rules = (f"User-agent: a{number}" for number in range(9000)), ["Disallow: /b"] * 9000
    text = rules_for_agent("\n".join([*agents, "User-agent: blocksight", *rules]), "blocksight")
    assert text.count("User-agent") == 2
    assert text.count("Disallow") == 9000
    assert ParsedRules(text).forbids("https://a.org/b", "blocksight")
