"""Acting on a page by the numbers of its map: each action answers with what it has changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from ...classify.system import System
from ...errors import PageFailed, TimedOut
from ...render.chromium.from_playwright import capture
from ..chunks import estimate_tokens
from .controls import Control
from .map_builder import page_map
from .page_map import PageMap

if TYPE_CHECKING:
    from playwright.sync_api import Locator
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
#: What an action answers that has changed nothing on the map.
NOTHING = "nothing on the page changed\n"


class Session:
    """A page of your own Playwright, in Chromium, that is acted on by the numbers of its map.

    It decides nothing and calls no language model. Numbers are stable: what is still there after an action keeps its
    number, also in frames. A page that a click opens in a new tab is followed.

    Parameters
    ----------
    page : playwright.sync_api.Page
    tokens : int
        Most tokens of an answer.
    system : System or str
        Predicts the roles of text outside of landmarks.
    seconds : float
        Most seconds of an action of Playwright, such as a click or the loading of a document.

    Attributes
    ----------
    page : playwright.sync_api.Page
        The page of the last answer.
    map : PageMap or None
        Its map; None before the first answer.
    """

    def __init__(
        self, page: LivePage, *, tokens: int = 1500, system: System | str = "blocksight", seconds: float = 15.0
    ) -> None:
        self.page = page
        self.map: PageMap | None = None
        self._tokens, self._system, self._milliseconds = tokens, system, 1000 * seconds
        page.context.on("page", self._follow)

    def _follow(self, opened: LivePage) -> None:
        self.page = opened

    def open(self, url: str) -> str:
        """Open an address and return the map; PageFailed if it cannot be loaded."""
        self._try(lambda: self.page.goto(url, timeout=self._milliseconds), url)
        self.map = None
        return self.show()

    def show(self, *, within: str = "", only: Literal["", "controls"] = "") -> str:
        """Return the map as the page is now, or of a part of it, as :func:`~blocksight.page_map` takes it."""
        self._rest()
        captured = capture(self.page)
        self.map = page_map(captured, after=self.map, system=self._system)
        shown = self.map
        if within or only:
            shown = page_map(captured, after=self.map, within=within, only=only, system=self._system)
        return shown.to_text(tokens=self._tokens)

    def click(self, number: int) -> str:
        """Click a control and return what has changed."""
        return self._act(
            number,
            lambda locator, control: locator.click(
                position=None if control.position is None else {"x": control.position[0], "y": control.position[1]},
                timeout=self._milliseconds,
            ),
        )

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

        return self._changes(go)

    def scroll(self, screens: float = 1.0) -> str:
        """Turn the wheel by heights of the window, up if negative, and return the map of what is in the window."""
        size = self.page.viewport_size or {"width": 1280, "height": 800}

        def turn() -> None:
            self.page.mouse.move(size["width"] / 2, size["height"] / 2)
            self.page.mouse.wheel(0, screens * size["height"])

        self._try(turn, self.page.url)
        return self.show(within="window")

    def _act(self, number: int, action: Callable[[Locator, Control], Any]) -> str:
        """Act on a control; PageFailed if it cannot be reached or there is none with this number."""
        if self.map is None:
            self.show()
        assert self.map is not None
        try:
            control = self.map.control(number)
        except KeyError:
            raise PageFailed(self.page.url, f"there is no control {number}; show the map again") from None
        if not control.selector:
            raise PageFailed(self.page.url, f"no selector reaches control {number}, {control.role} {control.name!r}")
        return self._changes(lambda: action(self.page.locator(control.selector), control))

    def _changes(self, action: Callable[[], Any]) -> str:
        """Act and return the difference of the maps before and after, or the new map if that is shorter."""
        if self.map is None:
            self.show()
        before = self.map
        assert before is not None
        self._try(action, self.page.url)
        whole = self.show()
        assert self.map is not None
        changes = self.map.diff(before)
        moved = f"now at {self.map.url}\n" if self.map.url != before.url else ""
        if moved and estimate_tokens(changes) > estimate_tokens(whole):
            return whole
        return moved + changes or NOTHING

    def _try(self, action: Callable[[], Any], url: str) -> None:
        from playwright.sync_api import Error, TimeoutError  # noqa: A004 (Playwright's name)

        try:
            action()
        except TimeoutError as error:
            why = " ".join(line.strip("- ") for line in str(error).splitlines()[-2:])
            raise TimedOut(url, f"not done in {self._milliseconds / 1000:g} s: {why}") from error
        except Error as error:
            raise PageFailed(url, error.message.partition("\n")[0]) from error

    def _rest(self) -> None:
        """Wait until the document is loaded and at rest; an action may load a new one meanwhile."""
        from playwright.sync_api import Error

        for _ in range(2):
            with suppress(Error):
                self.page.wait_for_load_state("load", timeout=self._milliseconds)
                self.page.wait_for_function(_REST, timeout=self._milliseconds)
                return
