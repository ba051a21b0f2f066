"""The scripts of a page's clock, in a page whose own clock is set by hand."""

import json

import pytest
from blocksight.render.chromium.page_clock import PageClock
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.devtools.scripts import call, joined, script
from blocksight.render.render_options import RenderOptions

pytestmark = pytest.mark.browser

#: A clock of milliseconds, and tasks that are run by hand: ``run`` runs those that are due, and returns their delays.
STILL = """
globalThis.time = 100;
Object.defineProperty(Date, "now", {value: () => 1000 + time, configurable: true, writable: true});
Object.defineProperty(Performance.prototype, "now", {value: () => time, configurable: true, writable: true});
const tasks = [];
Object.defineProperty(globalThis, "scheduler",
  {value: {postTask: (work, {delay}) => { tasks.push([time + delay, delay, work]); }}, configurable: true});
globalThis.run = until => {
  time = until;
  const due = tasks.filter(([at]) => at <= time);
  due.forEach(task => tasks.splice(tasks.indexOf(task), 1));
  due.forEach(([,, work]) => work());
  return due.map(([, delay]) => delay);
};
"""
#: What runs in a page before its scripts, and in the isolated world of its document.
PAGE = PageClock(None, None, RenderOptions()).script
ISOLATED = joined(script("finish_animations"), script("isolated_world"))
NEXT_END = "blocksight.finishAnimations(globalThis)"
STILL_TIME = 'globalThis.time = 100; Object.defineProperty(Performance.prototype, "now", {value: () => time})'


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=str(find_browser(None).path), args=["--no-sandbox"] if is_root() else []
        )
        yield launched
        launched.close()


class Tab:
    """A page with the scripts, and its isolated world; the page's clock is set by hand if it is ``still``."""

    def __init__(self, browser, markup, *, still):
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.page.add_init_script(STILL + PAGE if still else PAGE)
        body = f"<!doctype html>{markup}"
        self.page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))
        self.page.goto("http://127.0.0.1/")
        self.evaluate, self.wait_for_function = self.page.evaluate, self.page.wait_for_function
        self._session = self.page.context.new_cdp_session(self.page)
        frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self._session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "blocksight"})
        self._context = world["executionContextId"]
        self.isolated(f"{STILL_TIME};{ISOLATED}" if still else ISOLATED)

    def isolated(self, expression):
        """Evaluate an expression in the isolated world."""
        query = {"expression": expression, "contextId": self._context, "awaitPromise": True, "returnByValue": True}
        reply = self._session.send("Runtime.evaluate", query)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def step(self, *arguments):
        """Take a step of the clock."""
        return self.isolated(f"blocksight.step(...{json.dumps(arguments)})")


@pytest.fixture
def page(browser):
    """Return a function that opens a document."""
    opened = []

    def load(markup, *, still=True):
        opened.append(Tab(browser, markup, still=still))
        return opened[-1]

    yield load
    for tab in opened:
        tab.page.close()


READ_OFTEN = "(() => { let last; for (let i = 0; i < %d; i++) last = %s; return last })()"


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        (1001, 100.0),  # the first read and a thousand more
        (1002, 100.01),
        (2000, 100 + 999 * 0.01),
        (2001, 100 + 999 * 0.01 + 0.02),
        (3001, 100 + 999 * 0.01 + 1000 * 0.02 + 0.04),
        (4002, 100 + 999 * 0.01 + 1000 * 0.02 + 1000 * 0.04 + 2 * 0.05),
    ],
)
def test_a_clock_that_is_read_often_advances(page, reads, expected):
    found = page("").evaluate(READ_OFTEN % (reads, "performance.now()"))
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_clock_follows_the_browser_when_that_is_later(page):
    tab = page("")
    assert tab.evaluate(READ_OFTEN % (2000, "performance.now()")) == pytest.approx(109.99)
    assert tab.evaluate("time = 105, performance.now()") == pytest.approx(109.99 + 0.02)
    assert tab.evaluate("time = 120, performance.now()") == 120


@pytest.mark.parametrize(
    "read",
    [
        "Date.now()", "+new Date", "new Date().getTime()", "+Reflect.construct(Date, [])", "+new Date(Date())",
        "Temporal.Now.instant().epochMilliseconds", "+new Date(Temporal.Now.zonedDateTimeISO('UTC').epochMilliseconds)",
    ],
)  # fmt: skip
def test_all_dates_advance(page, read):
    tab = page("")
    # 999 steps of .01, 1000 each of .02 and .04, and .05 from then on: 70 milliseconds, and 1,000 after 18,600 more.
    tab.evaluate(READ_OFTEN % (22_601, "Date.now()"))
    assert 2000 <= tab.evaluate(read) <= 2101


def test_a_date_is_what_it_was(page):
    tab = page("")
    assert tab.evaluate("[new Date(5).getTime(), new Date(5) instanceof Date, Date.UTC(1970, 0, 2), Date.name]") == [
        5, True, 86_400_000, "Date"
    ]  # fmt: skip
    assert tab.evaluate("typeof Date()") == "string"
    assert tab.evaluate("new (class extends Date {})(7).getTime()") == 7


def test_marks_and_events_have_the_time_of_the_clock(page):
    tab = page("")
    tab.evaluate(READ_OFTEN % (2000, "performance.now()"))
    assert tab.evaluate("performance.mark('a').startTime") == pytest.approx(110.01)
    assert tab.evaluate("performance.mark('b', {startTime: 3}).startTime") == 3
    # The browser's time of an event is later than the time set by hand: this is an old one for the clock.
    stamps = tab.evaluate("(() => { const event = new Event('a'); return [event.timeStamp, event.timeStamp] })()")
    assert stamps[0] == stamps[1]


def test_a_frame_comes_at_the_next_sixtieth_of_a_second(page):
    tab = page("")
    tab.evaluate("globalThis.times = []; requestAnimationFrame(time => times.push(time)) && 0")
    # Frames are at multiples of 16.67: the next one after 100 would be at 100 exactly, which has just been.
    assert tab.evaluate("run(116)") == []
    assert tab.evaluate("run(117)") == [pytest.approx(1000 / 60)]
    assert tab.evaluate("times") == [117]


def test_frames_can_be_cancelled_and_have_one_time(page):
    tab = page("")
    tab.evaluate("""globalThis.seen = []; const note = name => () => seen.push(name);
      const first = requestAnimationFrame(() => { seen.push("a"); cancelAnimationFrame(third) });
      const second = requestAnimationFrame(note("b")), third = requestAnimationFrame(note("c"));
      cancelAnimationFrame(second); 0""")
    assert len(tab.evaluate("run(200)")) == 1
    assert tab.evaluate("seen") == ["a"]


def test_an_error_in_a_frame_does_not_stop_the_others(page):
    tab = page("")
    tab.evaluate(
        "globalThis.seen = 0; requestAnimationFrame(() => { throw 1 }); requestAnimationFrame(() => seen++); 0"
    )
    tab.evaluate("run(200)")
    assert tab.evaluate("seen") == 1


def test_an_animation_is_finished_at_its_end_by_the_clock(page):
    tab = page("<p id=p>text</p>")
    tab.evaluate("globalThis.motion = p.animate([{opacity: 0}, {opacity: 1}], 60000); 0")
    first = tab.isolated(NEXT_END)
    assert 59_000 < first <= 60_000
    assert tab.isolated(f"time += {first} - 2, {NEXT_END}") == pytest.approx(2)
    assert tab.evaluate("motion.playState") == "running"
    tab.isolated(f"time += 1.5, {NEXT_END}")
    assert tab.evaluate("motion.playState") == "finished"


def test_the_animations_of_a_drawing_follow_the_clock(page):
    tab = page("<svg id=d><rect width=9 height=9><set attributeName=x to=5 begin=50s /></rect></svg>")
    assert tab.isolated(NEXT_END) == 500
    tab.isolated(f"time += 40000, {NEXT_END}")
    assert 40 <= tab.evaluate("d.getCurrentTime()") < 50
    tab.evaluate("d.pauseAnimations()")
    tab.isolated(f"time += 40000, {NEXT_END}")
    assert tab.evaluate("d.getCurrentTime()") < 50


@pytest.mark.parametrize(
    ("action", "calls"),
    [
        ("0", 0),
        ("new Blob(['a']).text()", 1),
        ("navigator.locks.query(), navigator.permissions.query({name: 'geolocation'})", 2),
        ("indexedDB.open('a')", 1),
        ("new Image().decode().catch(() => 0)", 1),
        ("new FileReader().readAsText(new Blob(['a']))", 1),
        ("WebAssembly.compile(new Uint8Array(2)).catch(() => 0)", 1),
        ("globalThis.Promise = class extends Promise {}, new Blob(['a']).text()", 1),
        ("new OfflineAudioContext(1, 44100, 44100).startRendering()", 1),
        ("new BroadcastChannel('a')", 1),
        ("new SharedWorker('a')", 1),
        ("history.pushState(0, '', '#a')", 0),
    ],
)
def test_calls_that_the_browser_answers_are_counted(page, action, calls):
    tab = page("<p>text</p>", still=False)
    tab.evaluate(f"() => {{ {action} }}")
    assert tab.isolated("blocksight.ask(globalThis).calls") == calls


def test_a_worker_that_is_ended_is_silent_and_ends_a_second_later(page):
    tab = page("")
    tab.evaluate("""globalThis.heard = []; globalThis.worker = new Worker(URL.createObjectURL(new Blob(
      ["let count = 0; onmessage = () => postMessage(++count)"])));
      worker.onmessage = event => heard.push(event.data);
      worker.postMessage(0)""")
    tab.wait_for_function("heard.length", polling=20)
    tab.evaluate("worker.terminate(), worker.postMessage(0), 0")
    # Another worker answers later than the one that was ended.
    tab.evaluate("""new Promise(done => { const other = new Worker(URL.createObjectURL(new Blob(["postMessage(0)"])));
      other.onmessage = done }).then(() => 0)""")
    assert tab.evaluate("heard") == [1]
    assert tab.evaluate("run(1099)") == []
    assert tab.evaluate("run(1101)") == [1000]
    assert tab.evaluate("worker.constructor === Worker && worker instanceof Worker && Worker.name") == "Worker"
    assert (
        tab.evaluate("(() => { try { Worker.prototype.terminate.call({}) } catch (error) { return error.name } })()")
        == "TypeError"
    )


@pytest.mark.parametrize(
    ("markup", "action", "is_drawn"),
    [
        ("<p>text</p>", "0", False),
        ("<p>text</p>", "new ResizeObserver(() => 0)", True),
        ("<p id=p>text</p>", "p.animate([{opacity: 0}, {opacity: 1}], 60000)", True),
        ("<p>text</p>", "new FileReader().readAsText(new Blob(['a']))", True),
        ("<p id=p>text</p>", "p.attachShadow({mode: 'closed'})", True),
        ("<p><template shadowrootmode=open>text</template></p>", "0", True),
        ("<img loading=lazy src=a>", "0", False),
        ("<iframe id=f></iframe>", "0", False),
        ("<img loading=lazy src=a>", "Object.defineProperty(document.images[0], 'complete', {value: false})", False),
        ("<p style='height: 9000px'></p><img loading=lazy src=a>", "0", False),
        ("<div hidden><img loading=lazy src=a></div>", "0", False),
        ("<style>@scroll-timeline{} p{animation: a linear; animation-timeline: scroll()} @keyframes a{to{top: 1px}}"
         "</style><p>text</p>", "0", True),
    ],
)  # fmt: skip
def test_frames_are_drawn_for_what_only_they_bring(page, markup, action, is_drawn):
    tab = page(markup, still=False)
    # Now the browser has loaded what it loads.
    tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    tab.evaluate(f"{action}, 0")
    assert tab.step(1, False, 1, False, None)[-1] is True
    assert tab.step(1, False, 0, True, None)[-1] is False
    # On a busy machine what is loaded comes late.
    assert any(tab.step(1, False, 1, True, None)[-1] is is_drawn for _ in range(1 if is_drawn else 50))


@pytest.mark.parametrize(
    ("markup", "due"),
    [
        ("<p>text</p><script type=application/json>{}</script>", -2),
        ("<p>text</p><script>var a = 1</script>", -1),
        ("<p onclick='0'>text</p><iframe srcdoc='<p>inner</p>'></iframe>", -2),
        ("<p>text</p><iframe srcdoc='<script>var a = 1</script>'></iframe>", -1),
        ("<p>text</p><meta http-equiv=Refresh content='5; url=a'>", -1),
        ("<style>p {animation: a 60s} @keyframes a {to {color: red}}</style><p>text</p>", 60_000),
    ],
)
def test_time_changes_nothing_where_no_script_has_run(page, markup, due):
    tab = page(markup, still=False)
    assert tab.step(1, False, 1, False, None)[0] == pytest.approx(due, rel=0.5)


TALL = "<div style='height: 2400px'></div>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>text</p>", False),
        ("<script>addEventListener('scroll', () => 0)</script>", True),
        ("<body onscroll='0'>", True),
        ("<script>for (let i = 0; i < 20; i++) document.documentElement.scrollTop</script>", False),
        ("<div style='content-visibility: auto'>text</div>", True),
        ("<div style='container-type: scroll-state'>text</div>", True),
        ("<iframe></iframe>", False),
        ("<iframe srcdoc='<p>text'></iframe>", False),
        ("<iframe srcdoc='<body onscroll=0>'></iframe>", True),
        ("<iframe srcdoc='<iframe srcdoc=&quot;<script>scrollX</script>&quot;></iframe>'></iframe>", True),
        ("<iframe sandbox srcdoc='<p>text'></iframe>", True),
        ("<iframe loading=lazy></iframe>", 3),
        ("<iframe loading=lazy style='position: fixed'></iframe>", 3),
        ("<div hidden><iframe loading=lazy></iframe><img loading=lazy src=later></div>", False),
        ("<img loading=lazy>", False),
        ("<img loading=lazy src='data:,' alt=''>", False),
        ("<div style='height: 9000px'></div><img loading=lazy src=later>", 3),
    ],
)
def test_what_scrolling_may_change(page, markup, expected):
    tab = page(f"{markup}{TALL}", still=False)
    # The load event does not wait for lazy images: those in the window are requested with a later frame. Pages are
    # asked only when their clock has run, with frames.
    is_done = "image.complete || image.y > innerHeight || !image.offsetParent"
    tab.wait_for_function(f"[...document.images].every(image => {is_done})", polling=20)
    assert tab.isolated(script("reacts_to_scrolling")) == expected


@pytest.mark.parametrize("read", ["d.scrollTop", "d.getBoundingClientRect()", "document.elementFromPoint(1, 1)"])
@pytest.mark.parametrize(("moments", "expected"), [(7, 0), (8, 2)])
def test_a_script_that_reads_often_where_something_is_follows_scrolling(page, read, moments, expected):
    reading = f"const d = document.documentElement; for (let i = 0; i < {moments}; i++) {{ time += 101; {read} }}"
    tab = page(f"{TALL}<script>{reading}</script>")
    assert tab.isolated(script("reacts_to_scrolling")) == expected


def test_a_listener_by_the_functions_of_a_frame_is_one_of_the_page(page):
    borrowed = "f.contentWindow.EventTarget.prototype.addEventListener.call(window, 'scroll', () => 0)"
    tab = page(f"<iframe id=f></iframe><script>{borrowed}</script>", still=False)
    assert tab.isolated("blocksight.ask(globalThis).isLazy")


def scrolled(tab):
    """Scroll through a page as a reader; return the positions."""
    positions = tab.isolated(call("scroll_looks", 0.8, 30, 8, 30000))
    for position in [*positions, [0, 0]]:
        tab.step(1, False, 0, False, position)
    tab.isolated("blocksight.looks.restore()")
    return positions


def test_the_positions_are_four_fifths_of_a_window_apart(page):
    tab = page("<style>*{margin:0}</style><div style='height: 2400px'></div>")
    assert tab.isolated(call("scroll_looks", 0.8, 30, 8, 30000)) == [[0, 640], [0, 1280], [0, 1600]]
    # And four stops to the end.
    far = [[0, offset] for offset in (640, 1280, 1360, 1440, 1520, 1600)]
    assert tab.isolated(call("scroll_looks", 0.8, 2, 8, 30000)) == far


def test_what_is_observed_in_a_part_of_the_window_has_positions_of_its_own(page):
    narrow = "new IntersectionObserver(() => 0, {rootMargin: '-50% 0px'}).observe(p)"
    markup = f"<style>*{{margin:0}}</style>{TALL}<p id=p style='height:20px'>text</p>{TALL}<script>{narrow}</script>"
    # Its middle is at 2,410: at 3, 50 and 97 % of 800.
    positions = page(markup, still=False).isolated(call("scroll_looks", 0.8, 30, 8, 30000))
    assert [[0, offset] for offset in (1634, 2010, 2386)] == [
        one for one in positions if one[1] % 640 and one[1] != 4020
    ]


def test_a_window_that_is_wider_and_a_frame_have_positions(page):
    inner = "<style>*{margin:0}</style><div style=height:300px onscroll=0>"
    frame = f"<iframe style='height:100px;border:0' srcdoc='{inner}'></iframe>"
    markup = f"<style>*{{margin:0}}</style>{frame}<div style='width: 2560px'>text</div>"
    tab = page(markup, still=False)
    # The window by 80 % of 1,280 to the right, the frame by 80 of its 100 pixels downwards.
    assert tab.isolated(call("scroll_looks", 0.8, 30, 8, 30000)) == [
        [1, 1024],
        [1, 1280],
        [100, 80],
        [100, 160],
        [100, 200],
    ]


COLOR = "getComputedStyle(p).color"
ASIDE = "<div id=r><p id=s style='position:relative;left:2000px'>aside</p></div>"
ROW = f"<div style='position:sticky;top:0;overflow:hidden'>{ASIDE}</div>"


@pytest.mark.parametrize(
    ("script_of_page", "read", "expected"),
    [
        ("if (scrollY > 100) p.style.color = 'white'", COLOR, "rgb(255, 255, 255)"),
        # White only where it cannot be seen.
        ("p.style.color = scrollY > 100 && scrollY < 900 ? 'white' : 'black'", COLOR, "rgb(0, 0, 0)"),
        ("p.style.color = scrollY > 1500 ? 'white' : 'black'", COLOR, "rgb(255, 255, 255)"),
        ("p.style.opacity = scrollY > 1500 ? 0 : 1", "getComputedStyle(p).opacity", "0"),
        ("c.style.display = scrollY > 100 ? 'block' : 'none'", "getComputedStyle(p).visibility", "hidden"),
        (
            "p.style.cssText = `position: absolute; top: ${scrollY + 2400}px`",
            "getComputedStyle(p).visibility",
            "hidden",
        ),
        # Hidden when a reader comes back to it.
        ("if (scrollY > 3500) p.style.color = 'white'", COLOR, "rgb(255, 255, 255)"),
        # As far as the page moves it sideways.
        ("r.style.transform = `translateX(${-scrollY / 3}px)`", "s.getBoundingClientRect().left < innerWidth", True),
        # The first words have been read when they go.
        ("q.style.opacity = 0", "getComputedStyle(q).opacity", "1"),
    ],
)
def test_a_text_has_the_look_that_scrolling_brings(page, script_of_page, read, expected):
    cover = "<div id=c style='position:fixed;inset:0;background:white;display:none'></div>"
    tab = page(
        f"<p id=q>first words</p><div style='height:2000px'></div><p id=p>words below</p>{TALL}{cover}{ROW}"
        f"<script>addEventListener('scroll', () => {{ {script_of_page} }})</script>", still=False,
    )  # fmt: skip
    scrolled(tab)
    assert tab.evaluate("scrollY") == 0
    assert tab.evaluate(read) == expected


def test_rows_that_a_list_has_removed_are_put_back(page):
    rows = """const all = [...Array(60).keys()].map(i => `Row with number ${i}`);
      function fill() { const first = Math.floor(scrollY / 100);
        v.innerHTML = all.slice(first, first + 9).map((row, i) =>
          `<p style='position:absolute;margin:0;top:${100 * (first + i)}px'>${row}</p>`).join(''); }
      addEventListener('scroll', fill); fill()"""
    markup = f"<div id=v style='height:6000px;position:relative'></div><script>{rows}</script>"
    tab = page(markup, still=False)
    assert "number 8" in tab.page.inner_text("body")
    assert "number 40" not in tab.page.inner_text("body")
    scrolled(tab)
    found = [line for line in tab.page.inner_text("body").splitlines() if line]
    assert sorted(found) == sorted(f"Row with number {i}" for i in range(60))
