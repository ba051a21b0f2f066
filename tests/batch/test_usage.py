"""What a site states about use: columns of the rows, and pages that are left out, some before they are requested."""

from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.render.network.local_server import serve
from opening import Answering

TEXT = "<!doctype html><title>Tea</title><p>Fresh water is boiled, the pot is warmed, and the leaves draw for a while."
ROBOTS = "User-agent: *\nContent-Usage: /kept/ train-ai=n\nContent-Signal: search=yes\n"
TDMREP = '[{"location": "/mine/", "tdm-reservation": 1}, {"location": "/", "tdm-reservation": 0}]'
SOURCES = ("/free", "/kept/tea", "/header", "/mine/tea", "/mine/open", "/to-kept")


class Site(Answering):
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self):
        self.asked.append(self.path)
        status, kind, body, more = 200, "text/html", TEXT, []
        if self.path == "/robots.txt":
            kind, body = "text/plain", ROBOTS
        elif self.path.endswith("tdmrep.json"):
            kind, body = "application/json", TDMREP
        elif self.path == "/header":
            more = [
                ("Content-Usage", "search=n"),
                ("Content-Usage", "train-ai=n"),
                ("X-Robots-Tag", "other: noimageai"),
            ]
        elif self.path == "/mine/open":
            more = [("tdm-reservation", "0")]
        elif self.path == "/to-kept":
            status, more = 302, [("Location", "/kept/other")]
        self.answer(body, *more, status=status, kind=kind)


def rows_of(out, **options):
    Site.asked.clear()
    render = bs.RenderOptions(allow_private=True, timeout=120.0)
    chosen = BatchOptions(render=render, limits=RateLimits(delay=0.0), **options)
    with serve(Site) as address:
        rows = list(bs.run_batch([address + path for path in SOURCES], out, options=chosen))
    return {row["source"].removeprefix(address): row for row in rows}, set(Site.asked)


@pytest.mark.browser
def test_rows_have_what_robots_txt_and_headers_state(tmp_path):
    rows, asked = rows_of(tmp_path / "out", browser="auto")
    assert {path: row["allows_ai_train"] for path, row in rows.items()} == {
        "/free": None, "/kept/tea": False, "/header": False, "/mine/tea": None, "/mine/open": None, "/to-kept": False,
    }  # fmt: skip
    assert (rows["/free"]["allows_search"], rows["/header"]["allows_search"]) == (True, False)
    assert (rows["/mine/open"]["allows_tdm"], rows["/free"]["allows_tdm"]) == (True, None)
    assert all(row["text"] for row in rows.values())
    assert "header content-usage: train-ai=n" in rows["/header"]["metadata"]
    assert "/.well-known/tdmrep.json" not in asked


@pytest.mark.browser
def test_raw_html_has_what_its_headers_state(browser):
    with serve(Site) as address:
        page = browser.open(f"{address}/header", options=replace(browser.options, fetch_only=True))
    usage = bs.metadata(page).usage
    assert (usage.search, usage.ai_train, usage.ai_image) == (False, False, None)


@pytest.mark.browser
def test_pages_that_reserve_a_use_are_left_out_with_the_reason(tmp_path):
    rows, asked = rows_of(tmp_path / "out", respect_usage=("ai-train",))
    assert {path: row["error"] for path, row in rows.items()} == {
        "/free": None,
        "/kept/tea": "its site reserves its use (robots.txt content-usage: train-ai=n)",
        "/header": "it reserves ai-train (header content-usage: train-ai=n)",
        "/mine/tea": "it reserves ai-train (tdmrep.json tdm-reservation: 1)",
        "/mine/open": None,
        "/to-kept": "it reserves ai-train (robots.txt content-usage: train-ai=n)",
    }
    assert {row["error_kind"] for row in rows.values()} == {None, "usage"}
    assert {row["text"] is None for row in rows.values() if row["error"]} == {True}
    assert rows["/free"]["allows_tdm"] is True
    assert "/kept/tea" not in asked


def test_options_say_what_is_wrong():
    with pytest.raises(ValueError, match=r"respect_usage takes search, ai-input, .*, not 'training'"):
        BatchOptions(respect_usage=("training",))
    with pytest.raises(ValueError, match=r"limits\.robots"):
        BatchOptions(respect_usage=("tdm",), limits=RateLimits(robots=False))
