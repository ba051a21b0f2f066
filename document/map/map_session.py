"""Acting on a page by the numbers of its map: each action answers with what it has changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ...classify.system import System
from ...errors import PageFailed, TimedOut
from ...render.chromium.from_playwright import capture
from ...render.chromium.sync_limit import limited, scripts_stopped
from ..chunks import estimate_tokens
from .controls import Control
from .map_builder import page_map
from .page_map import TOKENS, PageMap

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Locator, Position
    from playwright.sync_api import Page as LivePage

#: The page is at rest once nothing has changed in it for some milliseconds; it is waited for at most some more.
_REST = """() => new Promise((resolve) => {
  const end = performance.now() + 2000;
  let changed = performance.now();
  const observer = new MutationObserver(() => { changed = performance.now(); });
  observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  const look = setInterval(() => {
    if (performance.now() < end && performance.now() - changed < 400) return;
    clearInterval(look);
    observer.disconnect();
    resolve(true);
  }, 25);
})"""
#: Seconds in which a page answers on a busy machine, and in which its scripts can be stopped.
_ANSWER = 5.0
#: Milliseconds of a second.
_MILLISECONDS = 1000
#: What an action answers that has changed nothing on the map.
NOTHING = "nothing on the page changed\n"


class Session:
    """A page of your own Playwright, in Chromium, that is acted on by the numbers of its map.

    It decides nothing and calls no language model. Numbers are stable: what is still there after an action keeps its
    number, also in frames. A page that a click opens in a new tab is followed. Every method has a time limit: a script
    that does not end is stopped then, and ``TimedOut`` says so.

    Parameters
    ----------
    page : playwright.sync_api.Page
    tokens : int
        Most tokens of an answer.
    system : System or str
        Predicts the roles of text outside of landmarks.
    seconds : float
        Most seconds of an action, such as a click or the loading of a document, and of the capture after it.

    Attributes
    ----------
    page : playwright.sync_api.Page
        The page of the last answer.
    map : PageMap or None
        Its map; None before the first answer.
    """

    def __init__(
        self, page: LivePage, *, tokens: int = TOKENS, system: System | str = "blocksight", seconds: float = 15.0
    ) -> None:
        self.page = page
        self.map: PageMap | None = None
        self._tokens, self._system, self._seconds = tokens, system, seconds
        self._milliseconds, self._longest = _MILLISECONDS * seconds, 3 * seconds
        #: Only a session from before a script ran can stop it; a page may run in the process of the one that opened it.
        self._asides: dict[LivePage, CDPSession] = {}
        self._follow(page)
        page.context.on("page", self._follow)

    def _follow(self, opened: LivePage) -> None:
        self.page = opened
        #: Whether a script of it did not end.
        self._busy = False
        if opened not in self._asides:
            self._asides[opened] = opened.context.new_cdp_session(opened)

    def open(self, url: str) -> str:
        """Open an address and return the map; PageFailed if it cannot be loaded."""

        def go() -> str:
            self._leave()
            self._try(lambda: self.page.goto(url, timeout=self._milliseconds), url)
            self.map = None
            return self._show()

        return self._in_time(go, url)

    def show(self, *, within: str = "", only: Literal["", "controls"] = "") -> str:
        """Return the map of the page as it is now, or of a part of it, as :func:`~blocksight.page_map` takes it."""
        return self._in_time(lambda: self._show(within, only))

    def _show(self, within: str = "", only: Literal["", "controls"] = "") -> str:
        self._rest()
        captured = capture(self.page, timeout=self._seconds)
        self.map = page_map(captured, after=self.map, system=self._system)
        shown = self.map
        if within or only:
            shown = page_map(captured, after=self.map, within=within, only=only, system=self._system)
        return shown.to_text(tokens=self._tokens)

    def click(self, number: int) -> str:
        """Click a control and return what has changed."""

        def press(locator: Locator, control: Control) -> None:
            place = control.position
            position: Position | None = None if place is None else {"x": place[0], "y": place[1]}
            # As a person's, the pointer is there before it presses: what hovering shows may have to load.
            locator.hover(position=position, timeout=self._milliseconds)
            self.page.wait_for_timeout(100)
            locator.click(position=position, timeout=self._milliseconds)

        return self._act(number, press)

    def fill(self, number: int, text: str) -> str:
        """Write into a field, in place of what is in it, and return what has changed."""
        return self._act(number, lambda locator, _: locator.fill(text, timeout=self._milliseconds))

    def select(self, number: int, *options: str) -> str:
        """Choose options of a list by their texts and return what has changed."""
        return self._act(
            number, lambda locator, _: locator.select_option(label=list(options), timeout=self._milliseconds)
        )

    def back(self) -> str:
        """Go back to the page before and return what has changed; PageFailed if there is none."""

        def go() -> None:
            if self.page.go_back(timeout=self._milliseconds) is None:
                raise PageFailed(self.page.url, "there is no page before it")

        return self._in_time(lambda: self._changes(go))

    def scroll(self, screens: float = 1.0) -> str:
        """Turn the wheel by heights of the window, up if negative, and return the map of what is in the window."""

        def turn() -> None:
            width, height = self.page.evaluate("[innerWidth, innerHeight]")
            self.page.mouse.move(width / 2, height / 2)
            self.page.mouse.wheel(0, screens * height)

        def work() -> str:
            self._try(turn, self.page.url)
            return self._show("window")

        return self._in_time(work)

    def _act(self, number: int, action: Callable[[Locator, Control], Any]) -> str:
        """Act on a control; PageFailed if it cannot be reached or there is none with this number."""
        return self._in_time(lambda: self._changes(lambda: self._reach(number, action)))

    def _reach(self, number: int, action: Callable[[Locator, Control], Any]) -> None:
        assert self.map is not None
        try:
            control = self.map.control(number)
        except KeyError:
            raise PageFailed(self.page.url, f"there is no control {number}; show the map again") from None
        if not control.selector:
            raise PageFailed(self.page.url, f"no selector reaches control {number}, {control.role} {control.name!r}")
        action(self.page.locator(control.selector), control)

    def _changes(self, action: Callable[[], Any]) -> str:
        """Act and return the difference of the maps before and after, or the new map if that is shorter."""
        if self.map is None:
            self._show()
        before = self.map
        assert before is not None
        self._try(action, self.page.url)
        whole = self._show()
        assert self.map is not None
        changes = self.map.diff(before)
        moved = f"now at {self.map.url}\n" if self.map.url != before.url else ""
        if moved and estimate_tokens(changes) > estimate_tokens(whole):
            return whole
        return moved + changes or NOTHING

    def _try(self, action: Callable[[], Any], url: str) -> None:
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as LateError

        try:
            with limited(self._seconds + _ANSWER):
                action()
        except LateError as error:
            why = " ".join(line.strip("- ") for line in str(error).splitlines()[-2:])
            raise TimedOut(url, f"not done in {self._seconds:g} s: {why}") from error
        except Error as error:
            raise PageFailed(url, error.message.partition("\n")[0]) from error

    def _rest(self) -> None:
        """Wait until the document is loaded and at rest; an action may load a new one meanwhile."""
        from playwright.sync_api import Error

        with suppress(TimeoutError), limited(self._seconds / 2):
            for _ in range(2):
                with suppress(Error):
                    self.page.wait_for_load_state("load", timeout=self._milliseconds)
                    self.page.wait_for_function(_REST, timeout=self._milliseconds)
                    return

    def _in_time(self, work: Callable[[], str], url: str = "") -> str:
        """Return the answer of a command; TimedOut if there is none in time, and scripts without end are stopped."""
        self._follow_open()
        try:
            with limited(self._longest):
                return work()
        except (TimeoutError, TimedOut) as error:
            why = error.reason if isinstance(error, TimedOut) else f"not done in {self._longest:g} s"
            raise TimedOut(url or self.page.url, why + self._freed()) from error

    def _follow_open(self) -> None:
        """Act on the page before if the one that was opened by it is closed."""
        if self.page.is_closed() and (others := self.page.context.pages):
            self._follow(others[-1])

    def _freed(self) -> str:
        """Stop the scripts of a page that does not answer, or close it; return that in words."""
        from playwright.sync_api import Error

        then = "show the map and go on, or open an address"
        ask = partial(self._asides[self.page].send, "Page.getFrameTree")
        with suppress(TimeoutError, Error):
            with suppress(TimeoutError), limited(_ANSWER):
                ask()
                return ""
            with suppress(TimeoutError), limited(_ANSWER), scripts_stopped(*self._asides.values()):
                ask()
                self._busy = True
                return f"; a script that did not end was stopped: {then}"
            with limited(_ANSWER):
                self.page.close()
        self._follow_open()
        return f"; the page was closed, as a script of it could not be stopped: {then}"

    def _leave(self) -> None:
        """Leave a page whose scripts did not end: they may start again, and hold the page that is opened next."""
        if self._busy:
            send = self._asides[self.page].send
            with limited(_ANSWER), scripts_stopped(*self._asides.values()):
                send("Emulation.setScriptExecutionDisabled", {"value": True})
                self.page.goto("about:blank", timeout=self._milliseconds)
            send("Emulation.setScriptExecutionDisabled", {"value": False})
            self._busy = False
