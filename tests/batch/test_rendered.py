"""Addresses in a batch: rendered, spared, kept, and read again without a browser."""

import threading
from dataclasses import replace

import blocksight as bs
import pytest
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.robots import read_rules
from blocksight.render.network.local_server import serve
from opening import Answering

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>Tea</title><link rel=stylesheet href=/style.css>
<article><h1>Tea</h1><p id=p></p></article>
<script>document.getElementById("p").textContent = "Fresh water is boiled, the pot is warmed, and the leaves " +
"draw for three minutes or four, as everybody likes it, and then the tea is poured."</script>"""


LONG = "User-agent: *\nDisallow: /early\n" + f"# {'tea ' * 2500}\n" * 55 + "Disallow: /late\n"


class Site(Answering):
    """A page made by a script, a redirect, one that is forbidden, one that is busy once, one that is not there."""

    asked: list[str] = []  # noqa: RUF012
    lock = threading.Lock()

    def do_GET(self):
        with self.lock:
            first = self.path not in self.asked
            self.asked.append(self.path)
        if self.path == "/robots.txt":
            self.answer("User-agent: *\nDisallow: /private\n", kind="text/plain")
        elif self.path == "/old":
            self.answer("", ("Location", "/tea"), status=302)
        elif self.path == "/busy" and first:
            self.answer("later", ("Retry-After", "0"), status=429)
        elif self.path == "/style.css":
            self.answer("p { color: #123456 }", kind="text/css")
        elif self.path == "/none":
            self.answer("<p>none", status=404)
        else:
            self.answer(PAGE)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder of a run over the site, and its rows by path."""
    out = tmp_path_factory.mktemp("rendered")
    options = BatchOptions(
        render=bs.RenderOptions(allow_private=True, timeout=120.0),
        save_pages=True,
        workers=2,
        limits=RateLimits(delay=0.0),
    )
    with serve(Site) as address:
        sources = [f"{address}/{name}" for name in ("tea", "old", "private", "busy", "none")]
        rows = list(bs.run_batch(sources, out, options=options))
    return out, {row["source"].rpartition("/")[2]: row for row in rows}


def test_rows_have_the_result_of_each_address(done):
    _, rows = done
    assert "Fresh water is boiled" in rows["tea"]["text"]
    assert rows["tea"]["status"] == 200
    assert rows["old"]["final_address"].endswith("/tea")
    assert rows["old"]["url"].endswith("/old")
    assert (rows["private"]["error_kind"], rows["private"]["status"]) == ("robots", None)
    assert rows["busy"]["error"] is None
    assert rows["busy"]["tries"] == 2
    assert (rows["none"]["error_kind"], rows["none"]["status"]) == ("http", 404)
    assert rows["tea"]["model"].startswith("blocksight.npz ")
    assert rows["tea"]["seconds_render"] > 0


def test_the_rules_are_asked_for_first_and_what_they_forbid_never(done):
    assert Site.asked[0] == "/robots.txt"
    assert Site.asked.count("/robots.txt") == 1
    assert "/private" not in Site.asked
    assert Site.asked.count("/busy") == 2


def test_kept_pages_are_read_again_without_a_browser(done, tmp_path):
    out, rows = done
    options = BatchOptions(workers=1, executable=str(tmp_path / "none"))
    again = list(bs.run_batch([out / "pages"], tmp_path / "again", options=options))
    assert {row["text"] for row in again} == {rows["tea"]["text"]}
    names = {row["source"].rpartition("/")[2] for row in again}
    assert names == {f"{rows[name]['id']}.page" for name in ("tea", "old", "busy")}
    assert {row["error"] for row in again} == {None}
    assert {row["url"].rpartition("/")[2] for row in again} == {"tea", "old", "busy"}
    assert replace(options, workers=2).settings() == options.settings()


class Wordy(Site):
    """Its rules are longer than what is read of them."""

    def do_GET(self):
        self.answer(LONG, kind="text/plain")


class Endless(Site):
    """Its rules are longer than what is loaded."""

    def do_GET(self):
        self.answer(LONG * 10, kind="text/plain")


@pytest.mark.parametrize(("site", "forbidden"), [(Wordy, ["early"]), (Endless, ["early", "late", "tea"])])
def test_long_rules_do_not_open_a_site(browser, site, forbidden, monkeypatch):
    monkeypatch.setattr("blocksight.batch.robots._SECONDS", 120.0)  # on a busy machine
    with serve(site) as address:
        rules = read_rules(browser, address, "blocksight")
        assert [name for name in ("early", "late", "tea") if rules.forbids(f"{address}/{name}", "x")] == forbidden


class Mixed(Answering):
    """A page made by a script, and an article that needs none; ``shots`` has the paths that were asked for."""

    shots: list[str] = []  # noqa: RUF012

    def do_GET(self):
        self.shots.append(self.path)
        known = self.path in ("/app", "/article")
        sentence = "Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes or four. "
        text = 6 * f"<p>{3 * sentence}</p>"
        made = f"<div id=root></div><script>document.getElementById('root').innerHTML = '{text}'</script>"
        body = {"/app": made, "/article": f"<article><h1>Tea</h1>{text}</article>"}.get(self.path, "")
        self.answer(f"<!doctype html><title>Tea</title>{body}", status=200 if known else 404)


def test_auto_renders_only_what_asks_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(Mixed, "shots", [])
    options = BatchOptions(
        render=bs.RenderOptions(allow_private=True, timeout=120.0),
        browser="auto",
        workers=1,
        limits=RateLimits(delay=0.0, robots=False),
    )
    with serve(Mixed) as address:
        sources = [f"{address}/{name}" for name in ("app", "article")]
        done = bs.run_batch(sources, tmp_path / "out", options=options)
        rows = {row["source"].rpartition("/")[2]: row for row in done}
    assert [rows[name]["text"].count("Fresh water is boiled") for name in ("app", "article")] == [18, 18]
    assert Mixed.shots.count("/app") == 2
    assert Mixed.shots.count("/article") == 1
    assert [rows[name]["rendered"] for name in ("app", "article")] == [True, False]


def test_a_rendered_page_that_shows_no_text_is_empty(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, body in (
        ("blank", "<div></div>"),
        ("picture", "<img alt='A pot of tea' width=100 height=100>"),
        ("spaces", "<p> &nbsp; </p>"),
        ("undisplayed", "<p style='display:none'>Fresh water is boiled.</p>"),
        ("invisible", "<p style='visibility:hidden'>Fresh water is boiled.</p>"),
        ("menu", "<nav><a href=/>Home</a></nav>"),
        ("tea", "<p>Fresh water is boiled, and the pot is warmed.</p>"),
    ):
        (folder / f"{name}.html").write_text(f"<!doctype html><title>Tea</title>{body}")
    rows = list(bs.run_batch([folder], tmp_path / "out", options=BatchOptions(workers=1)))
    assert {row["source"].rpartition("/")[2].partition(".")[0]: row["error_kind"] for row in rows} == {
        **dict.fromkeys(("blank", "picture", "spaces", "undisplayed", "invisible"), "empty"),
        **dict.fromkeys(("menu", "tea")),
    }
    kept = BatchOptions(workers=1, hidden="keep")
    rows = list(bs.run_batch([folder / "invisible.html"], tmp_path / "kept", options=kept))
    assert [row["error_kind"] for row in rows] == [None]
