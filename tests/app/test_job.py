"""The time that is left for the work on a page, and what happens meanwhile."""

import threading
from operator import attrgetter

import blocksight as bs
import pytest
from blocksight.app.job import Job
from blocksight.app.page_runner import work_seconds
from blocksight.errors import BrowserMissing
from blocksight.page.store import dumps
from blocksight.render.network.local_server import serve
from opening import Answering


@pytest.mark.parametrize(
    ("opened", "seconds"),
    [
        (2.0, 4.9),
        (6.0, 0.9),  # the time is over, but for the second after it
        (9.0, 2.4),  # an empty page was opened late, which did not count
        (12.0, 3.9),  # half of 6 s, since the machine is busy
        (60.0, 3.9),
    ],
)
def test_work_has_the_rest_of_the_time(opened, seconds):
    assert work_seconds(6.0, opened) == pytest.approx(seconds)


@pytest.mark.parametrize(("selector", "failures"), [("#never", 1), ("", 0)])
def test_a_page_without_what_was_waited_for_counts_as_failed(selector, failures, tmp_path, capsys):
    page, path = bs.parse("<p>Boil fresh water."), tmp_path / "tea.page"
    reason = {"partial": "nothing matched wait_for '#never'"}
    path.write_bytes(dumps(page.replace(partial=True, environment=reason)))
    job = Job(sources=(str(path),), options=bs.RenderOptions(wait_for=selector), browser=False)
    assert [result for _, result in job.results(attrgetter("partial"))] == [True]
    assert len(job.failures) == failures
    assert "nothing matched --wait-for '#never'" in capsys.readouterr().err


@pytest.mark.browser
def test_the_next_page_is_rendered_while_the_work_on_a_page_is_done(in_this_process):
    asked = {f"/{name}": threading.Event() for name in "abcd"}

    class Handler(Answering):
        def do_GET(self):
            asked[self.path].set()
            self.answer(f"<title>{self.path}</title><p>text", status=404 if self.path == "/b" else 200)

    def work(page):
        following = {"/a": "/b", "/c": "/d"}.get(page.title)
        return page.title, following is None or asked[following].wait(250)

    with serve(Handler) as address:
        job = Job(
            sources=tuple(address + path for path in asked), options=bs.RenderOptions(allow_private=True, timeout=300.0)
        )
        results = [result for _, result in job.results(work)]
    assert results == [("/a", True), ("/c", True), ("/d", True)]
    assert job.failures == [f"{address}/b"]


def test_a_page_before_an_address_is_done_without_a_browser(tmp_path):
    saved = tmp_path / "tea.page"
    saved.write_bytes(dumps(bs.parse("<title>Tea</title><p>Boil fresh water.")))
    job = Job(
        sources=(str(saved), "https://example.org/"), options=bs.RenderOptions(), executable=str(tmp_path / "missing")
    )
    results = job.results(attrgetter("title"))
    assert next(results)[1] == "Tea"
    with pytest.raises(BrowserMissing):
        next(results)
