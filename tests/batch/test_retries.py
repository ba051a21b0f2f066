"""Failures that may pass are tried again; hosts and networks that are down are left alone."""

from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.batch import run as running
from blocksight.batch.batch_options import RateLimits
from blocksight.batch.host_queue import DOWN_AFTER, HostQueue, host_pause, is_unreachable, retry_seconds
from blocksight.batch.pipeline import failed, outcome
from blocksight.batch.robots import ALLOW_ALL
from blocksight.batch.sources.inputs import input_of
from blocksight.batch.sources.lists import check_lists
from blocksight.errors import (
    ConnectionFailed,
    HttpFailed,
    NameUnresolved,
    NoAnswer,
    PageFailed,
    TimedOut,
)

LIMITS = RateLimits(retry_wait=2.0, max_attempts=4, max_backoff=100.0)


@pytest.mark.parametrize(
    ("error", "waits"),
    [
        (ConnectionFailed("a", "reset"), [2.0, 8.0, 32.0, None]),
        (NameUnresolved("a", "no such host"), [2.0, 8.0, 32.0, None]),
        (HttpFailed("a", "fault", 502), [5.0, 20.0, 80.0, None]),
        (TimedOut("a", "late"), [10.0, 40.0, 100.0, None]),
        (HttpFailed("a", "none", 404), [None] * 4),
        (HttpFailed("a", "busy", 429), [0.0, 0.0, 0.0, None]),  # its host is paused
        (PageFailed("a", "a PDF"), [None] * 4),
        (None, [None] * 4),
    ],
)
def test_waits_grow(error, waits):
    assert [retry_seconds(error, attempts, LIMITS) for attempts in range(1, 5)] == waits


def test_a_late_page_of_a_host_that_answers_is_no_silence():
    assert is_unreachable(NoAnswer("a", "no answer within 30 s"))
    assert not is_unreachable(TimedOut("a", "not done within 30 s"))


def test_pauses_of_a_silent_host():
    assert [host_pause(failures, LIMITS) for failures in range(3, 9)] == [0.0, 0.0, 2.0, 4.0, 8.0, 16.0]


class Site:
    """A substitute for the stage: addresses fail in the way that is written in them, some of them a number of times."""

    requests: list[str] = []  # noqa: RUF012

    def __init__(self, options, *, pages=None):
        self._digest = options.digest

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def rules(self, host):
        return ALLOW_ALL

    def process(self, entry, rules=None):
        self.requests.append(entry.source)
        error = None
        if "reset-once" in entry.source and self.requests.count(entry.source) < 2:
            error = ConnectionFailed(entry.source, "the connection was reset")
        elif "silent" in entry.source:
            error = NameUnresolved(entry.source, "no such host")
        elif "fault" in entry.source:
            error = HttpFailed(entry.source, "HTTP 502 Bad Gateway", 502)
        return (
            outcome(entry, {"text": "tea"}, self._digest) if error is None else failed(entry, {}, self._digest, error)
        )


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(running, "Pipeline", Site)
    Site.requests.clear()
    return Site


@pytest.fixture
def options(plain):
    return replace(plain, limits=RateLimits(robots=False, delay=0.0, retry_wait=0.001, per_host=1))


def test_what_passes_is_done_and_what_does_not_is_a_row(site, options, tmp_path, caplog):
    caplog.set_level("INFO", logger="blocksight")
    rows = {
        row["source"]: (row["error_kind"], row["tries"])
        for row in bs.run_batch(["http://a/reset-once", "http://a/fault", "http://b/silent"], tmp_path, options=options)
    }
    assert rows == {"http://a/reset-once": (None, 2), "http://a/fault": ("http", 3), "http://b/silent": ("dns", 3)}
    assert sum("http://a/reset-once" in line and "requested again" in line for line in caplog.messages) == 1


def test_of_a_host_that_is_down_the_rest_is_not_requested(site, options, tmp_path):
    sources = [f"http://a/silent{number}" for number in range(60)]
    rows = list(bs.run_batch([*sources, "http://b/tea"], tmp_path, options=options))
    assert len(rows) == len({row["id"] for row in rows}) == 61
    assert len(site.requests) == DOWN_AFTER + 1
    assert {row["error_kind"] for row in rows if "silent" in row["source"]} == {"dns"}
    assert (
        sum((row["error"] or "").startswith("not requested: its host did not answer 9 requests") for row in rows) > 50
    )


def test_failures_of_a_kind_are_repeated(site, options, tmp_path):
    list(bs.run_batch(["http://a/fault", "http://b/silent", "http://a/tea"], tmp_path, options=options))
    rows = list(bs.run_batch([], tmp_path, options=replace(options, retry=("dns",))))
    assert [(row["source"], row["tries"]) for row in rows] == [("http://b/silent", 6)]


def test_an_input_is_put_back_when_its_time_comes():
    class Store:
        def take_hosts(self, most):
            return [("http://a", 1)]

        def inputs(self, host, after, most):
            return [] if after else [(1, input_of("http://a/1"))]

    queue = HostQueue(Store(), RateLimits(robots=False, delay=1.0))
    entry = queue.next(0.0)
    queue.retry(entry, 0.5, 10.0, ConnectionFailed("a", "reset"))
    assert not queue.is_empty
    assert queue.next(10.0) is None
    assert queue.wait(10.0) == 0.5
    assert queue.next(10.5) == entry


def test_lists_are_checked_before_the_first_page(tmp_path):
    (tmp_path / "known.csv").write_text("id,url\n1,https://a.org\n")
    (tmp_path / "bare.csv").write_text("https://a.org,1\n")
    (tmp_path / "odd.csv").write_text("id,website\n1,https://a.org\n")
    check_lists(["https://a.org/none.csv", "page.html", "@-", tmp_path / "known.csv", tmp_path / "bare.csv"])
    check_lists([tmp_path / "odd.csv"], "website")
    for source, why in (
        (tmp_path / "urls.txt", "there is no such list"),
        (f"@{tmp_path / 'urls'}", "there is no such list"),
        (tmp_path / "odd.csv", r"\(column names it\): id, website"),
    ):
        with pytest.raises(ValueError, match=why):
            check_lists([source])
    with pytest.raises(ValueError, match="no column 'address'; there are id, url"):
        check_lists([tmp_path / "known.csv"], "address")
