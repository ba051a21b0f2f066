"""What the machine has for rendering, whether it works, and the cure where it does not."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from ...classify.extract import extract
from ...classify.model.model import shipped_model
from ...render.browser import Browser
from ...render.chromium.find import FoundBrowser, find_browser
from ...render.errors import BlocksightError, BrowserMissing

_PACKAGES = ("playwright", "shapely", "turbohtml", "lxml", "scikit-learn", "pandas", "numpy")
_INSTALL_SECONDS = 900
_VERSION_SECONDS = 20
_WORDS = "The doctor's page was put together by a script, and a browser has laid it out in lines to be read."
_TEST_PAGE = f"""<!DOCTYPE html><title>Self-test</title><body><nav><a href="/">Home</a> <a href="/a">About</a></nav>
<main></main><script>
const p = document.createElement("p"); p.textContent = "{_WORDS}"; document.querySelector("main").append(p);
</script>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    what: str
    good: bool
    found: str


def setup(executable: str | None, say: Callable[[str], None]) -> str:
    """Find a browser or install one; give the words for which and how.

    Raises
    ------
    BrowserMissing
        When there is none and none could be installed; the message is the cure.
    """
    try:
        return _started(executable)
    except BrowserMissing as missing:
        if executable is not None or os.environ.get("BLOCKSIGHT_BROWSER"):
            raise
        say(str(missing).splitlines()[0])
    for what, commands in _installers():
        say(what)
        if all(_run(command) for command in commands):
            try:
                return _started(None)
            except BrowserMissing as missing:
                say(str(missing).splitlines()[0])
        else:
            say("that did not work")
    return _started(None)


def _started(executable: str | None) -> str:
    """Find the browser, start it once, and describe it."""
    found = find_browser(executable)
    with Browser(found.path):
        return _described(found)


def _described(found: FoundBrowser) -> str:
    return f"{found.path} ({found.how}; {_program_version(found.path)})"


def _installers() -> list[tuple[str, list[list[str]]]]:
    """Return the ways to a browser: Playwright's download, then, as root, the system's packages."""
    playwright = [sys.executable, "-m", "playwright"]
    shell = [*playwright, "install", "--only-shell", "chromium"]
    ways = [("fetching Playwright's headless Chromium", [shell])]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        libraries = [*playwright, "install-deps", "chromium"]
        ways.append(("installing the libraries that it needs", [shell, libraries]))
        update = ["apt-get", "update", "-q"]
        for package in ("chromium-headless-shell", "chromium"):
            install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", package]
            ways.append((f"installing the system's package {package}", [update, install]))
    return ways


def _run(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, stdout=sys.stderr, timeout=_INSTALL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _program_version(path: str) -> str:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "version unknown"
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "version unknown"


def examine(executable: str | None = None) -> list[Finding]:
    """Look at everything that rendering and judging need."""
    findings = [Finding(what="Python", good=True, found=f"{platform.python_version()} on {platform.platform()}")]
    findings += [_package(name) for name in _PACKAGES]
    findings += [_model(visual=True), _model(visual=False)]
    try:
        found = find_browser(executable)
    except BrowserMissing as error:
        return [*findings, Finding(what="browser", good=False, found=str(error))]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    sandbox = "off: this is root (run as another user to have it)" if root else "on"
    return [
        *findings,
        Finding(what="browser", good=True, found=_described(found)),
        Finding(what="sandbox", good=True, found=sandbox),
        _self_test(executable),
    ]


def _package(name: str) -> Finding:
    try:
        return Finding(what=name, good=True, found=version(name))
    except PackageNotFoundError:
        return Finding(what=name, good=False, found=f"missing; pip install {name}")


def _model(*, visual: bool) -> Finding:
    what = "model (visual)" if visual else "model (DOM)"
    try:
        about = shipped_model(visual=visual).about
    except BlocksightError as error:
        return Finding(what=what, good=False, found=f"{error}; install blocksight again")
    pages = sum(about.get("corpora", {}).values())
    return Finding(what=what, good=True, found=f"trained on {pages} pages of {about.get('sites')} sites")


def _self_test(executable: str | None) -> Finding:
    try:
        with Browser(executable) as browser:
            found = extract(browser.open(_TEST_PAGE.encode()))
    except BlocksightError as error:
        return Finding(what="self-test", good=False, found=str(error))
    good = _WORDS in found.text
    return Finding(
        what="self-test",
        good=good,
        found="a page made by JavaScript was rendered and read" if good else f"read {found.text!r} instead",
    )
