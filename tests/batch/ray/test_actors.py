"""The two stages as other processes run them, one after the other here: inputs in, rows out, and never an error."""

from dataclasses import replace

import pyarrow as pa
import pytest
from blocksight.batch.batch_options import RateLimits
from blocksight.batch.pipeline import failed, refused
from blocksight.batch.ray import actors
from blocksight.batch.ray.rate_limiter import RateLimiter
from blocksight.batch.ray.stages import _inputs
from blocksight.batch.redirects import Redirected
from blocksight.batch.robots import ALLOW_ALL, FixedAnswer
from blocksight.batch.row_schema import NAMES, schema
from blocksight.errors import BrowserMissing, HttpFailed, TimedOut


def table(*sources):
    return _inputs(pa.table({"source": [str(source) for source in sources]}), "source", None)


def rows_of(options, given, gate=None):
    opened = actors.RenderActor(options, gate or RateLimiter(options.limits, 60.0))(given)
    found = actors.ExtractActor(options)(opened)
    assert found.schema == schema()
    return found.to_pylist()


def test_files_become_rows(plain, pages, tmp_path):
    options = replace(plain, system="bte")
    rows = rows_of(options, table(pages / "3.html", tmp_path / "none.html"))
    assert [row["error_kind"] for row in rows] == [None, "failed"]
    assert rows[0]["title"] == "Tea 3"
    assert [row["tries"] for row in rows] == [1, 1]
    assert set(rows[0]) == set(NAMES)


def test_of_a_list_by_others_no_file_is_opened(plain, pages):
    options = replace(plain, system="bte", addresses_only=True)
    rows = rows_of(options, table(pages / "3.html", "file:///etc/hostname", "view-source:https://a.org/"))
    assert [row["error_kind"] for row in rows] == ["refused"] * 3
    assert [row["text"] for row in rows] == [None] * 3
    assert rows[0]["source"] == str(pages / "3.html")


#: By a part of the address.
STATUSES = {"broken": 502, "gone": 404}


class Faulty:
    """A substitute for the function that opens inputs."""

    def __init__(self, options):
        self._digest = options.digest
        self.opened = []

    def __enter__(self):
        return self

    def rules(self, host):
        return FixedAnswer("the site's robots.txt forbids it") if "closed" in host else ALLOW_ALL

    def open(self, found, rules=None, html=None):
        self.opened.append(found.address)
        if "away" in found.address:
            error = Redirected(found.source, found.address.replace("away", "closed"))
            return replace(refused(found, "failed", error.reason, self._digest), error=error)
        if "none" in found.source:
            raise BrowserMissing("there is no browser")
        if "strange" in found.source:
            raise RuntimeError("it breaks")
        if "late" in found.source:
            return failed(found, {}, self._digest, TimedOut(found.source, "no answer"))
        status = next((status for name, status in STATUSES.items() if name in found.source), 0)
        if status:
            return failed(found, {}, self._digest, HttpFailed(found.source, "it fails", status, None))
        error = HttpFailed(found.source, "too many requests", 429, 0.01)
        return replace(refused(found, "http", error.reason, self._digest), error=error)


@pytest.fixture
def faulty(monkeypatch):
    made = []
    monkeypatch.setattr(actors, "InputOpener", lambda options: made.append(Faulty(options)) or made[-1])
    return made


def test_whatever_a_page_raises_is_a_row(faulty, plain):
    (row,) = rows_of(plain, table("strange.html"))
    assert (row["error_kind"], row["error"]) == ("fault", "RuntimeError: it breaks")


def test_without_a_browser_the_pipeline_fails_instead_of_each_row(faulty, plain):
    with pytest.raises(BrowserMissing, match="there is no browser"):
        rows_of(plain, table("strange.html", "none.html"))


def test_what_may_pass_is_requested_again(faulty, plain):
    options = replace(plain, browser=True, limits=RateLimits(delay=0.0, max_attempts=3, retry_wait=0.0))
    rows = rows_of(options, table("https://late.org/a", "https://broken.org/b", "https://gone.org/c"))
    assert [(row["error_kind"], row["tries"]) for row in rows] == [("timeout", 3), ("http", 3), ("http", 1)]


def test_a_busy_host_is_asked_again_and_a_closed_one_never(faulty, plain):
    options = replace(plain, browser=True, limits=RateLimits(delay=0.0, max_attempts=3))
    rows = rows_of(options, table("https://busy.org/a", "https://closed.org/b"))
    assert [(row["error_kind"], row["tries"]) for row in rows] == [("http", 3), ("robots", 1)]
    assert [found for one in faulty for found in one.opened] == ["https://busy.org/a"] * 3


def test_a_redirect_to_another_host_asks_for_its_rules(faulty, plain):
    options = replace(plain, browser=True, limits=RateLimits(delay=0.0))
    rows = rows_of(options, table("https://away.org/tea"))
    assert [(row["error_kind"], row["tries"], row["url"]) for row in rows] == [("robots", 1, "https://away.org/tea")]
    assert [found for one in faulty for found in one.opened] == ["https://away.org/tea"]
