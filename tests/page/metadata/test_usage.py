"""Preferences about use: the syntax of the drafts, which statement counts, and input that is meant to harm."""

import time

import blocksight as bs
import pytest
from blocksight.page.metadata.usage import (
    Statement,
    header_statements,
    matches_path,
    parse_statements,
    robots_rules,
    robots_statements,
    tdmrep_statements,
    usage_of,
    written_statements,
)

#: The example of draft-ietf-aipref-attach-05, written anew.
ROBOTS = """User-Agent: *
Disallow: /never/
Content-Usage: train-ai=n
content-usage :\t/ai-ok/ train-ai=y  # a comment
User-Agent: ExampleBot
Content-Usage: train-ai=y
User-Agent: SilentBot
Allow: /
"""


def stated(name, value, source="header"):
    return str(usage_of([Statement(source, name, value)]))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("train-ai=n", "ai-train=n"),
        ("train-ai=y, search=n", "search=n, ai-train=y"),
        ("search=y;because=\"it, is\", other=(1 \"2\";x), more=?0, at=@12, b=:aGk=:", "search=y"),
        ("train-ai;allow=n, train-ai=y", "ai-train=y"),
        ("train-ai=n , search=y", "search=y, ai-train=n"),
        # The last value of a key counts, also one that is no token.
        ("train-ai=y, train-ai, search=n, search=\"n\"", ""),
        ("train-ai=?0", ""),
        # Invalid dictionaries state nothing.
        ("train-ai=n,", ""),
        ("Train-AI=n", ""),
        ("train-ai = n", ""),
        ("train-ai=n search=y", ""),
        ("train-ai=n;\u00fc", ""),
        ("ai-train=n", ""),
    ],
)  # fmt: skip
def test_content_usage_is_a_dictionary_of_structured_fields(value, expected):
    assert stated("content-usage", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ai-train=no, search=yes, ai-input=yes", "search=y, ai-input=y, ai-train=n"),
        ("AI-Train=NO,use=immediate,search=maybe, =, ai-input", "ai-train=n"),
        ("", ""),
    ],
)
def test_content_signal_is_read_leniently(value, expected):
    assert stated("content-signal", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("noai, noimageai", "ai-train=n, ai-image=n"),
        ("noindex, NOAI", "ai-train=n"),
        ("max-snippet: 50, unavailable_after: 25 Jun 2010 15:00:00 PST, noai", "ai-train=n"),
        ("otherbot: noai, noimageai", ""),
        ("otherbot: noai, blocksight: noimageai", "ai-image=n"),
        ("*: noai", "ai-train=n"),
        ("index", ""),
    ],
)
def test_directives_for_robots(value, expected):
    assert stated("x-robots-tag", value) == expected


def test_the_most_restrictive_statement_counts_but_of_mining_the_last():
    usage = usage_of(
        [
            Statement("tdmrep.json", "tdm-reservation", "1"),
            Statement("header", "content-usage", "train-ai=y"),
            Statement("header", "x-robots-tag", "noai"),
            Statement("header", "content-signal", "ai-train=yes"),
            Statement("header", "tdm-reservation", "yes"),
            Statement("meta", "tdm-reservation", "0"),
        ]
    )
    assert (usage.ai_train, usage.tdm, usage.search) == (False, True, None)
    assert usage.reserved("ai-train") == usage.reserved("ai-image") == "header x-robots-tag: noai"
    assert usage.reserved("tdm") == usage.reserved("search") == ""
    assert usage.to_dict()["sources"]["tdm"] == "meta tdm-reservation: 0"
    with pytest.raises(ValueError, match="there are search, ai-input"):
        usage.reserved("training")


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("blocksight", "test", "ai-train=n"),
        ("blocksight", "ai-ok/test", "ai-train=y"),
        ("blocksight", "%61i-ok/", "ai-train=y"),
        ("examplebot", "test", "ai-train=y"),
        ("silentbot", "test", ""),
    ],
)
def test_rules_of_robots_txt(agent, path, expected):
    rules = robots_rules(ROBOTS.replace("\n", "\r\n"), agent)
    assert str(usage_of(robots_statements(rules, f"https://tea.example/{path}"))) == expected


def test_equal_patterns_count_both_and_rules_before_a_group_are_for_all():
    rules = robots_rules("Content-Signal: ai-train=yes\nContent-Signal: ai-train=no, search=yes\nSitemap: /s\n", "tea")
    assert str(usage_of(robots_statements(rules, "https://tea.example"))) == "search=y, ai-train=n"
    assert robots_statements(rules, "https://[") == robots_statements(rules, "https://tea.example")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("", "/", True), ("/a", "/ab", True), ("/a$", "/ab", False), ("/a$", "/a", True), ("/*.html$", "/a.html", True),
        ("/*.html$", "/a.html?b", False), ("/a*a$", "/a", False), ("/a*b*c", "/abxc", True), ("/a*b*c", "/acb", False),
        ("*", "/a", True), ("/a*$", "/abc", True), ("/b", "/a/b", False),
    ],
)  # fmt: skip
def test_patterns_of_paths(pattern, path, expected):
    assert matches_path(pattern, path) is expected


def test_tdmrep_json_the_first_rule_that_matches_counts():
    text = """[{"location": "/a/", "tdm-reservation": 1, "tdm-policy": "https://tea.example/p"}, {"location": 3}, 4,
        {"location": "/a/*.jpg", "tdm-reservation": 0}, {"location": "/b%20c", "tdm-reservation": {}}]"""
    assert str(usage_of(tdmrep_statements(text, "https://tea.example/a/x.jpg"))) == "tdm=n"
    assert tdmrep_statements(text, "https://tea.example/b c") == []
    assert tdmrep_statements(text, "https://tea.example/") == []
    for damaged in ("", "{}", "[" * 200_000, '[{"location": "/", "tdm-reservation": ' + "1" * 9000 + "}]", "\0"):
        assert tdmrep_statements(damaged, "https://tea.example/") == []


def test_statements_are_written_and_read_again():
    headers = {"content-usage": "train-ai=n\nsearch=y", "x-robots-tag": "noai\u2028\ud800", "server": "tea"}
    lines = header_statements(headers)
    assert lines.split("\n") == ["header content-usage: train-ai=n", "header content-usage: search=y",
                                 "header x-robots-tag: noai ?"]  # fmt: skip
    assert written_statements(parse_statements(lines)) == lines
    assert parse_statements("nothing of this\n\n") == []


def test_metadata_has_the_usage_of_headers_and_markup():
    page = bs.parse("<meta name=TDM-Reservation content=1><meta name=robots content='noai, follow'><p>Boil water.")
    page = page.replace(environment={"usage": "header content-signal: search=yes"})
    found = bs.metadata(page)
    assert str(found.usage) == "search=y, ai-train=n, tdm=n"
    assert found.sources["usage"] == "header, meta"
    assert found.to_dict()["usage"]["ai_train"] is False
    assert 'usage: "search=y, ai-train=n, tdm=n"' in found.to_yaml()
    assert bs.metadata(bs.parse("<meta name=robots content=index><p>Boil")).to_dict()["usage"] == {}


def test_a_page_of_an_archive_has_the_usage_of_its_response(tmp_path):
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTDM-Reservation: 1\r\n\r\n<p>Fresh water boils."
    record = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://tea.example/\r\nContent-Length: %d\r\n\r\n"
    (tmp_path / "tea.warc").write_bytes(record % len(response) + response + b"\r\n\r\n")
    options = bs.BatchOptions(browser=False, respect_usage=("tdm",))
    (row,) = bs.run_batch([tmp_path / "tea.warc"], tmp_path / "out", options=options)
    assert (row["error_kind"], row["text"]) == ("usage", None)
    assert row["error"] == "it reserves tdm (header tdm-reservation: 1)"
    (row,) = bs.run_batch([tmp_path / "tea.warc"], tmp_path / "all", options=bs.BatchOptions(browser=False))
    assert (row["allows_tdm"], row["allows_search"], row["text"]) == (False, None, "Fresh water boils.")


@pytest.mark.parametrize(
    "value",
    ["a" * 10**6, "a=(" * 10**5, 'a="' + "\\\\" * 10**5, "a;b" * 10**5 + "!", "a=1 , " * 10**5, "a=(" + "1;a " * 10**5,
     "," * 10**6, ":" * 10**5, "noai:" * 10**5],
)  # fmt: skip
def test_hostile_values_cost_little(value):
    start = time.process_time()
    for name in ("content-usage", "content-signal", "x-robots-tag", "tdm-reservation"):
        stated(name, value)
    header_statements({"content-usage": value, "x-robots-tag": "\n".join(["noai"] * 10**5)})
    assert time.process_time() - start < 5  # measured: at most .3 s


@pytest.mark.parametrize(
    "lines",
    ["Content-Usage: /*a*a*a*a*a*b train-ai=n\n" * 12_000, "Content-Usage: /" + "*a" * 240_000 + "b train-ai=n\n",
     "Content-Usage: / train-ai=n\n" * 17_000, "Content-Signal: /" + "%61" * 160_000 + " ai-train=no",
     "".join(f"User-agent: b{number}\n" for number in range(30_000)) + "Content-Usage: train-ai=n"],
)  # fmt: skip
def test_hostile_files_of_rules_cost_little(lines):
    start = time.process_time()
    rules = robots_rules("User-agent: *\n" + lines, "blocksight")
    for path in ("/" + "a" * 2000, "/"):
        usage_of(robots_statements(rules, f"https://bomb.example{path}"))
    assert time.process_time() - start < 5  # measured: at most .3 s
