"""Tasks of MiniWoB++ (Liu et al. 2018), solved by the names of controls on the map and nothing else."""

from __future__ import annotations

import calendar
import re
import statistics
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import blocksight as bs
import click
from blocksight.document.chunks import estimate_tokens
from blocksight.document.map.controls import Control
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.network.local_server import serve_folder
from common import FOLDER, skip, table_head, table_row

#: Tasks whose words name what is to be done, by clicks and text: not by colour, shape, place, synonyms.
TASKS = """
    choose-date choose-date-easy choose-date-medium choose-date-nodelay choose-list click-button click-button-sequence
    click-checkboxes click-checkboxes-large click-checkboxes-transfer click-collapsible click-collapsible-2
    click-collapsible-2-nodelay click-collapsible-nodelay click-dialog click-dialog-2 click-link click-menu-2
    click-option click-pie click-pie-nodelay click-scroll-list click-tab click-tab-2 click-tab-2-easy click-tab-2-hard
    click-tab-2-medium click-test click-test-2 click-test-transfer click-widget copy-paste copy-paste-2 email-inbox
    email-inbox-delete email-inbox-forward email-inbox-important email-inbox-noscroll email-inbox-reply
    email-inbox-star-reply enter-date enter-password enter-text enter-text-2 enter-text-dynamic enter-time focus-text
    focus-text-2 form-sequence-2 form-sequence-3 login-user login-user-popup multi-layouts multi-orderings
    navigate-tree read-table read-table-2 search-engine unicode-test use-autocomplete use-autocomplete-nodelay
    use-spinner
""".split()
_STEPS = 15
_FIELDS = ("textbox", "searchbox", "date", "time", "spinbutton")
_MONTHS = calendar.month_name[1:]
_ORDER = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_PRESSED = re.compile(
    r"(?:click|press|hit)(?: the button labeled)? \"?(submit|search|login|ok|yes|no|maybe)\b", re.IGNORECASE
)
_CALLED = re.compile(r"(?:button (?=[A-Z])|on (?=Tab))([\w #]+?)(?=[.,])")


class Ended(Exception):
    """The task has a result."""


class Solver:
    """Follows the words of a task on a page."""

    def __init__(self, session: bs.Session, words: str) -> None:
        self.session, self.words = session, words
        self.quoted = re.findall(r"[\"“]\s*(.+?)\s*[\"”]", words)
        self.used: set[int] = set()

    def controls(self, *roles: str) -> list[Control]:
        """Return the controls that can be clicked."""
        assert self.session.map is not None
        return [one for one in self.session.map.controls if one.clickable and (not roles or one.role in roles)]

    def act(self, action: str, number: int, *arguments: str) -> None:
        """Act on a control; Ended if the task then has a result."""
        getattr(self.session, action)(number, *arguments)
        if self.session.page.evaluate("WOB_DONE_GLOBAL"):
            raise Ended

    def type(self, place: int, value: str) -> None:
        """Write into a field."""
        self.act("fill", self.controls(*_FIELDS)[place].number, value)

    def nth(self, place: str, *roles: str) -> None:
        """Click a control by its place among those of some roles."""
        self.act("click", self.controls(*roles)[int(place or 1) - 1].number)

    def sequence(self, button: str, field: str) -> None:
        """Choose a button and write into a field, each by its place."""
        self.nth(button, "radio")
        self.type(int(field) - 1, self.quoted[0])

    def named(self, name: str, controls: Iterable[Control]) -> Control | None:
        """Return the control with a name, else the one with the shortest name that has it."""
        key = name.casefold().strip()
        hinted = [(one, f"{one.name} {one.state.get('hint', '')}".casefold()) for one in controls]
        found = [one for one in controls if key in one.name.casefold()] or [
            one for one, hint in hinted if key in re.split(r"[^a-z]+", hint)
        ]
        return min(found, key=lambda one: (one.name.casefold() != key, one.role == "tab", len(one.name)), default=None)

    def press(self, name: str) -> None:
        """Click the control of a name; what is closed is opened until it appears."""
        for _ in range(_STEPS):
            if (control := self.named(name, self.controls())) and (name != "submit" or control.role != "tab"):
                self.act("click", control.number)
                return
            closed = [one for one in self.controls() if one.number not in self.used and self.opens(one)]
            if not closed:
                break
            first = min(closed, key=lambda one: not one.name)
            self.used.add(first.number)
            self.act("click", first.number)
        if buttons := self.controls("button"):
            self.act("click", buttons[-1].number)

    def opens(self, control: Control) -> bool:
        """Return whether a click may show more."""
        closed = control.state.get("expanded") is False or "popup" in control.state or control.name == "+"
        return closed or (control.role == "clickable" and ("tree" in self.words or not control.name))

    def choose(self, items: list[str]) -> None:
        """Choose options of a list, or tick boxes."""
        lists = [one for one in self.controls("combobox", "listbox") if set(items) <= set(one.state.get("options", ()))]
        if lists:
            self.act("select", lists[0].number, *items)
            return
        for item in items:
            if control := self.named(item, self.controls("checkbox", "radio", "option")):
                self.act("click", control.number)
            else:
                self.press(item)

    def write(self) -> None:
        """Write what is quoted into the fields."""
        fields = self.controls(*_FIELDS)
        values = self.quoted or re.findall(r"Enter (.+?) as the", self.words)
        if "username" not in self.words:
            values = [values[0]] * (len(fields) if "both" in self.words else 1)
        for field, value in zip(fields, values, strict=False):
            self.act("fill", field.number, self.written(value, field.role))

    def written(self, value: str, role: str) -> str:
        """Return a value as a field takes it."""
        if role in ("date", "time"):
            form, result = ("%m/%d/%Y", "%Y-%m-%d") if role == "date" else ("%I:%M %p", "%H:%M")
            return datetime.strptime(value, form).strftime(result)
        return value.lower() if "lower case" in self.words else value.upper() if "upper" in self.words else value

    def lines(self) -> list[str]:
        """Return the lines of the map."""
        assert self.session.map is not None
        return self.session.map.to_text(tokens=5000).splitlines()

    def date(self, month: str, day: str, year: str) -> None:
        """Choose a day in a calendar."""
        self.act("click", self.controls("textbox")[0].number)
        for _ in range(_STEPS):
            shown = re.search(rf"({'|'.join(_MONTHS)})\W+(\d{{4}})", " ".join(self.lines()))
            now = (int(shown[2]), _MONTHS.index(shown[1]) + 1) if shown else (int(year), int(month))
            if now == (int(year), int(month)):
                break
            self.press("Prev" if now > (int(year), int(month)) else "Next")
        self.press(str(int(day)))

    def mail(self, sender: str, task: str) -> None:
        """Open a message and do with it what its words say."""
        self.press(sender)
        action = next(action for action in ("reply", "forward", "trash", "star") if action in task)
        self.press(action)
        if action in ("reply", "forward"):
            self.type(0, self.quoted[0] if self.quoted else task.rpartition(" to ")[2].rstrip("."))
            self.press("send")

    def search(self, *values: str) -> None:
        """Search for a film by genre, director and year."""
        for name, value in zip(("genre", "director", "year"), values, strict=True):
            if field := self.named(name, self.controls(*_FIELDS)):
                self.act("fill", field.number, value)
        self.press("search" if self.named("search", self.controls("button")) else "submit")

    def copy(self, place: str) -> None:
        """Copy the text of a field into the empty one."""
        fields = self.controls(*_FIELDS)
        full = [field for field in fields if field.state.get("value")]
        self.type(
            next(at for at, one in enumerate(fields) if one not in full), full[int(place or 1) - 1].state["value"]
        )

    def read(self, key: str) -> None:
        """Write values of a table into the fields."""
        for field in self.controls(*_FIELDS):
            name = (key or field.name).rstrip(":")
            line = next(line for line in self.lines() if line.startswith(f"  - {name} "))
            self.act("fill", field.number, line.partition(name)[2].strip())

    def item(self) -> None:
        """Write the start of an item and choose what is then proposed."""
        start, *end = self.quoted
        self.type(0, start)
        found = [one for one in self.controls() if one.name.startswith(start) and one.name.endswith(*end or ("",))]
        self.act("click", found[0].number)

    def entry(self) -> None:
        """Write, press, and click a result if one is asked for."""
        self.write()
        pressed = _PRESSED.search(self.words)
        self.press((self.quoted[1] if "search result" in self.words else pressed[1]) if pressed else "submit")
        if "search result" in self.words and (place := _ORDER.search(self.words)):
            self.result(int(place[1]))

    def widget(self, kind: str) -> None:
        """Click an element of a kind."""
        tag = "input" if kind == "text" else kind
        self.act("click", next(one for one in self.controls() if one.role == tag or tag in one.selector).number)

    def rest(self) -> None:
        """Press what is quoted or called by its name."""
        for name in self.quoted or _CALLED.findall(self.words) or ["click"]:
            self.press("close" if name == "x" else name)

    def solve(self) -> None:
        """Follow the words: the first pattern that they have, then the button that ends the task."""
        for pattern, method in _WORDS.items():
            if found := re.search(pattern, self.words):
                method(self, *(group or "" for group in found.groups()))
                break
        pressed = _PRESSED.search(self.words)
        self.press(pressed[1] if pressed else "submit")

    def result(self, place: int) -> None:
        """Click a result of a search, on a later page if it is not on the first."""
        for _ in range(_STEPS):
            results = [one for one in self.controls("link", "clickable") if not re.fullmatch(r"[<>\d]*", one.name)]
            chosen = results[place - 1] if place <= len(results) else self.named(">", self.controls())
            if chosen is None:
                return
            self.act("click", chosen.number)
            place -= len(results)


#: What words ask for, by a pattern: the first one that fits.
_WORDS: dict[str, Callable[..., None]] = {
    r"^Select (\d+)/(\d+)/(\d+) as the date": Solver.date,
    r"^Find the email by (\S+) and (.+)": Solver.mail,
    r"^Select (-?\d+) with the spinner": lambda solver, value: solver.type(0, value),
    r"^Copy the text (?:from the (\d+))?": Solver.copy,
    r"^Enter the value (?:of (.+?) into)?": Solver.read,
    r"^Enter an item": Solver.item,
    r"^Check the (\d+)\w+ radio .* into the (\d+)": Solver.sequence,
    r"^Search for (.+) movies directed by (.+) from year (.+?)\.?$": Solver.search,
    r"^(?:Select|Choose) (.+?)(?: from the .*?)?,? (?:and|then) click": lambda solver, items: solver.choose(
        [item for item in items.split(", ") if item != "nothing"]
    ),
    r"^(?:Enter|Type|Use the textbox)": Solver.entry,
    r"^Focus(?:.*?(\d+))?": lambda solver, place: solver.nth(place, *_FIELDS),
    r"^(Close)": Solver.press,
    r"^Expand the section below": lambda solver: solver.nth("1", "tab"),
    r"\"(.+?)\" widget": Solver.widget,
    "": Solver.rest,
}


@click.command
@click.argument("folder", type=FOLDER)
@click.option("--episodes", default=3, show_default=True, help="Episodes of each task.")
def miniwob(folder: Path, episodes: int) -> None:
    """Solve tasks of MiniWoB++ by the names of controls; FOLDER is ``miniwob/html`` of its repository."""
    from playwright.sync_api import Error, sync_playwright

    if not (folder / "miniwob").is_dir():
        skip(f"{folder} has no folder miniwob")
    sizes: list[int] = []
    table_head("task", "solved", "failures")
    solved = total = 0
    with serve_folder(folder) as address, sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=not is_root())
        for task in TASKS:
            failures = []
            for seed in range(1, episodes + 1):
                page = program.new_page()
                page.goto(f"{address}/miniwob/{task}.html")
                page.evaluate(f"Math.seedrandom('{seed}'); core.EPISODE_MAX_TIME = 6e5; core.startEpisodeReal()")
                session = bs.Session(page, seconds=15.0, system="everything")
                words = " ".join(page.inner_text("#query").split())
                with suppress(Ended, bs.BlocksightError, Error, LookupError, StopIteration, ValueError):
                    sizes.append(estimate_tokens(session.show()))
                    Solver(session, words).solve()
                failures += [] if page.evaluate("WOB_RAW_REWARD_GLOBAL") > 0 else [words]
                page.close()
            solved, total = solved + episodes - len(failures), total + episodes
            table_row(task, f"{episodes - len(failures)} of {episodes}", " | ".join(failures)[:200])
        program.close()
    click.echo(
        f"\nsolved {solved} of {total}; tokens of a map: median {statistics.median(sizes):.0f}, most {max(sizes)}"
    )
