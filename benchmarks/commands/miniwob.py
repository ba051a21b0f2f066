"""Tasks of MiniWoB++ (Liu et al. 2018), solved by the names of controls on the map and nothing else."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
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
    click-button click-button-sequence click-checkboxes click-checkboxes-large click-checkboxes-transfer
    click-collapsible click-collapsible-nodelay click-collapsible-2 click-collapsible-2-nodelay click-dialog
    click-dialog-2 click-link click-menu-2 click-option click-scroll-list click-tab click-tab-2 click-tab-2-easy
    click-tab-2-medium click-tab-2-hard click-test click-test-2 click-test-transfer click-widget choose-list
    enter-date enter-password enter-text enter-text-2 enter-text-dynamic enter-time focus-text focus-text-2
    form-sequence-3 login-user login-user-popup multi-layouts multi-orderings navigate-tree search-engine unicode-test
""".split()
_STEPS = 15
_FIELDS = ("textbox", "searchbox", "date", "time", "spinbutton")
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

    def named(self, name: str, controls: Iterable[Control]) -> Control | None:
        """Return the control with a name, else the one with the shortest name that has it."""
        key = name.casefold().strip()
        found = [one for one in controls if key in one.name.casefold()]
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
            self.used.add(closed[0].number)
            self.act("click", closed[0].number)
        if buttons := self.controls("button"):
            self.act("click", buttons[-1].number)

    def opens(self, control: Control) -> bool:
        """Return whether a click may show more."""
        closed = control.state.get("expanded") is False or "popup" in control.state
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

    def solve(self) -> None:
        """Follow the words."""
        words, pressed = self.words, _PRESSED.search(self.words)
        if found := re.match(r"Search for (.+) movies directed by (.+) from year (.+?)\.?$", words):
            for name, value in zip(("genre", "director", "year"), found.groups(), strict=True):
                if field := self.named(name, self.controls(*_FIELDS)):
                    self.act("fill", field.number, value)
            self.press("search" if self.named("search", self.controls("button")) else "submit")
        elif found := re.match(r"(?:Select|Choose) (.+?)(?: from the .*?)?,? (?:and|then) click", words):
            self.choose([item for item in found[1].split(", ") if item != "nothing"])
            self.press(pressed[1] if pressed else "submit")
        elif re.match(r"(?:Enter|Type|Use the textbox)", words):
            self.write()
            self.press((self.quoted[1] if "search result" in words else pressed[1]) if pressed else "submit")
            if "search result" in words and (place := _ORDER.search(words)):
                self.result(int(place[1]))
        elif words.startswith("Focus"):
            place = _ORDER.search(words)
            self.act("click", self.controls(*_FIELDS)[int(place[1]) - 1 if place else 0].number)
        elif words.startswith("Close"):
            self.press("close")
        elif words.startswith("Expand the section below"):
            self.act("click", self.controls("tab")[0].number)
            self.press("submit")
        elif "widget" in words:
            tag = {"text": "input", "textarea": "textarea"}.get(self.quoted[0], self.quoted[0])
            self.act("click", next(one for one in self.controls() if one.role == tag or tag in one.selector).number)
        else:
            for name in self.quoted or _CALLED.findall(words) or ["click"]:
                self.press("close" if name == "x" else name)

    def result(self, place: int) -> None:
        """Click a result of a search, on a later page if it is not on the first."""
        for _ in range(_STEPS):
            results = [one for one in self.controls("link", "clickable") if not re.fullmatch(r"[<>\d]*", one.name)]
            chosen = results[place - 1] if place <= len(results) else self.named(">", self.controls())
            if chosen is None:
                return
            self.act("click", chosen.number)
            place -= len(results)


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
                session = bs.Session(page, seconds=3.0, system="everything")
                sizes.append(estimate_tokens(session.show()))
                words = " ".join(page.inner_text("#query").split())
                with suppress(Ended, bs.BlocksightError, Error, IndexError, StopIteration, ValueError):
                    Solver(session, words).solve()
                failures += [] if page.evaluate("WOB_RAW_REWARD_GLOBAL") > 0 else [words]
                page.close()
            solved, total = solved + episodes - len(failures), total + episodes
            table_row(task, f"{episodes - len(failures)} of {episodes}", " | ".join(failures)[:200])
        program.close()
    click.echo(
        f"\nsolved {solved} of {total}; tokens of a map: median {statistics.median(sizes):.0f}, most {max(sizes)}"
    )
