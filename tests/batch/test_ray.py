"""The actor of a Ray Data pipeline, here without Ray, and the pipeline on a real cluster of one node.

The second is skipped where Ray is not installed.
"""

import os
from collections import Counter
from dataclasses import replace

import blocksight as bs
import pyarrow as pa
import pytest
from blocksight.batch import ray as batch_ray
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.pipeline import Moved, failed, outcome
from blocksight.batch.ray import PageActor, RateLimiter, _inputs, _pool, extract
from blocksight.batch.redirects import redirected
from blocksight.batch.robots import ALLOW_ALL, RobotsRules
from blocksight.batch.row_schema import NAMES, schema
from blocksight.errors import BrowserMissing, HttpFailed, PeerMissing, TimedOut

# Those of Ray itself.
pytestmark = pytest.mark.filterwarnings(
    *(f"ignore::{kind}" for kind in ("ResourceWarning", "DeprecationWarning", "FutureWarning")),
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


def table(*sources):
    return _inputs(pa.table({"source": [str(source) for source in sources]}), "source", None)


def rows_of(options, inputs):
    limiter = RateLimiter(options.limits, 60.0)
    found = PageActor(options, lambda method, *arguments: getattr(limiter, method)(*arguments))(inputs)
    assert found.schema == schema()
    return found.to_pylist()


def test_actor_files_become_rows(plain, pages, tmp_path):
    rows = rows_of(replace(plain, system="bte"), table(pages / "3.html", tmp_path / "none.html"))
    assert [row["error_kind"] for row in rows] == [None, "failed"]
    assert rows[0]["title"] == "Tea 3"
    assert [row["tries"] for row in rows] == [1, 1]
    assert set(rows[0]) == set(NAMES)


def test_actor_addresses_only_opens_no_file(plain, pages):
    options = replace(plain, system="bte", addresses_only=True)
    rows = rows_of(options, table(pages / "3.html", "file:///etc/hostname", "view-source:https://a.org/"))
    assert [(row["error_kind"], row["text"]) for row in rows] == [("refused", None)] * 3
    assert rows[0]["source"] == str(pages / "3.html")


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def limiter_of(**more):
    clock = Clock()
    return RateLimiter(RateLimits(**more), 60.0, clock), clock


def test_rate_limiter_slots_of_a_host():
    limiter, _ = limiter_of()
    assert limiter.acquire("http://a", 0.0, 2) == limiter.acquire("http://a", 0.0, 2) == 0.0
    assert limiter.acquire("http://a", 0.0, 2) > 0.0
    assert limiter.acquire("http://b", 0.0, 2) == 0.0


def test_rate_limiter_delay_counts_from_the_last_start():
    limiter, clock = limiter_of()
    assert limiter.acquire("http://a", 3.0, 2) == 0.0
    limiter.release("http://a")
    assert limiter.acquire("http://a", 3.0, 2) == 3.0
    clock.now += 3.0
    assert limiter.acquire("http://a", 3.0, 2) == 0.0


def test_rate_limiter_busy_host_is_paused():
    limiter, clock = limiter_of(max_backoff=50.0)
    for said, pause in ((7.0, 7.0), (None, 4.0), (None, 8.0), (3600.0, 50.0)):
        assert limiter.acquire("http://a", 1.0, 2) == 0.0
        limiter.back_off("http://a", 1.0, said)
        assert limiter.acquire("http://a", 1.0, 2) == pause
        clock.now += pause


def test_rate_limiter_slot_of_a_dead_holder_expires():
    limiter, clock = limiter_of()
    assert limiter.acquire("http://a", 0.0, 1) == 0.0
    clock.now += 59.0
    assert limiter.acquire("http://a", 0.0, 1) > 0.0
    clock.now += 2.0
    assert limiter.acquire("http://a", 0.0, 1) == 0.0


class FakePipeline:
    """Addresses fail in the way that is written in them."""

    requests: list[str] = []  # noqa: RUF012
    errors = {  # noqa: RUF012
        "none": BrowserMissing("there is no browser"),
        "strange": RuntimeError("it breaks"),
        "late": TimedOut("late", "no answer"),
        "broken": HttpFailed("broken", "it fails", 502, None),
        "gone": HttpFailed("gone", "it fails", 404, None),
        "busy": HttpFailed("busy", "too many requests", 429, 0.01),
    }

    def __init__(self, options, *, fork):
        self._digest = options.digest

    def __enter__(self):
        return self

    def rules(self, host):
        return RobotsRules(refusal="the site's robots.txt forbids it") if "closed" in host else ALLOW_ALL

    def process(self, entry, rules=None, html=None):
        self.requests.append(entry.address)
        if "away" in entry.address:
            return Moved(redirected(entry, rules, entry.address.replace("away", "closed")))
        if "script" in entry.source and not entry.renders:
            return Moved(replace(entry, renders=True))
        error = next((error for name, error in self.errors.items() if name in entry.source), None)
        if error is None:
            return outcome(entry, {"text": "tea"}, self._digest)
        if isinstance(error, TimedOut | HttpFailed):
            return failed(entry, {}, self._digest, error)
        raise error


@pytest.fixture
def fake(monkeypatch, plain):
    monkeypatch.setattr(batch_ray, "Pipeline", FakePipeline)
    FakePipeline.requests.clear()
    return replace(plain, browser=True, limits=RateLimits(delay=0.0, max_attempts=3, retry_wait=0.0))


def test_actor_any_exception_is_a_row(fake):
    (row,) = rows_of(fake, table("strange.html"))
    assert (row["error_kind"], row["error"]) == ("fault", "RuntimeError: it breaks")


def test_actor_without_browser_fails(fake):
    with pytest.raises(BrowserMissing, match="there is no browser"):
        rows_of(fake, table("strange.html", "none.html"))


def test_actor_temporary_failures_are_retried(fake):
    rows = rows_of(fake, table("https://late.org/a", "https://broken.org/b", "https://gone.org/c", "https://busy.org/"))
    assert [(row["error_kind"], row["tries"]) for row in rows] == [
        ("timeout", 3),
        ("http", 3),
        ("http", 1),
        ("http", 3),
    ]


def test_actor_forbidden_host_is_not_requested(fake):
    rows = rows_of(fake, table("https://closed.org/b", "https://away.org/tea"))
    assert [(row["error_kind"], row["tries"], row["url"]) for row in rows] == [
        ("robots", 1, "https://closed.org/b"),
        ("robots", 1, "https://away.org/tea"),
    ]
    assert FakePipeline.requests == ["https://away.org/tea"]


def test_actor_page_that_needs_the_browser_is_one_attempt(fake):
    rows = rows_of(fake, table("https://script.org/", "script.html"))
    assert [(row["text"], row["tries"]) for row in rows] == [("tea", 1)] * 2
    assert Counter(FakePipeline.requests) == {"https://script.org/": 2, "script.html": 2}


def test_pool_sizes():
    assert [_pool(size, 2, 40.0) for size in (None, 3, (2, 5))] == [(1, 16), (3, 3), (2, 5)]
    with pytest.raises(ValueError, match="actors must be"):
        _pool((5, 2), 2, 40.0)


def test_extract_files_are_refused(plain):
    with pytest.raises(ValueError, match="keeps no pages and writes no files"):
        extract(None, options=replace(plain, markdown=True))


def test_extract_without_ray_names_the_package(plain, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(PeerMissing, match=r"ray\[data\]>="):
        extract(None, options=plain)


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray", reason=f"needs Ray: pip install '{batch_ray.REQUIREMENT}'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        ray.init(num_cpus=3, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False)
    except Exception as error:
        if "timed out during startup" in str(error):
            pytest.skip("this computer is too busy to start a node of Ray within 30 seconds")
        raise
    yield ray
    ray.shutdown()


@pytest.fixture
def options():
    limits = RateLimits(robots=False, delay=0.0)
    return BatchOptions(render=bs.RenderOptions(timeout=120.0), browser=False, system="bte", workers=1, limits=limits)


def test_extract_every_input_has_a_row(ray, options, pages, tmp_path):
    names = [str(path) for path in sorted(pages.iterdir())]
    items = [{"page": name, "mine": 1} for name in [*names, str(tmp_path / "none.html")]] + [{"page": "", "mine": 2}]
    dataset = ray.data.from_items(items, override_num_blocks=2)
    rows = extract(dataset, source="page", options=options, actors=1).take_all()
    assert sorted(row["source"] for row in rows) == sorted(item["page"] for item in items)
    assert sorted(row["mine"] for row in rows) == [1] * 8 + [2]
    kinds = {row["source"]: row["error_kind"] for row in rows if row["error_kind"]}
    assert kinds == {str(tmp_path / "none.html"): "failed", "": "source"}
    assert sum("Pot number" in (row["text"] or "") for row in rows) == 7


def test_extract_documents_in_a_column(ray, options):
    html = "<title>Tea</title><p>Pot number {} is hot, für alle."
    items = [{"url": f"https://a.org/{n}", "html": html.format(n).encode(), "n": n, "parts": [n]} for n in range(3)]
    rows = extract(ray.data.from_items(items), source="url", html="html", options=options, actors=(1, 2)).take_all()
    found = sorted((row["n"], list(row["parts"]), row["url"], "html" in row, "für alle" in row["text"]) for row in rows)
    assert found == [(n, [n], f"https://a.org/{n}", False, True) for n in range(3)]
    with pytest.raises(Exception, match=r"rename these columns.*title"):
        extract(ray.data.from_items([{"url": "a", "title": "b"}]), source="url", options=options, actors=1).take_all()
