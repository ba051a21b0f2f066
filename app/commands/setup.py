"""The command ``blocksight setup``: a browser, found or installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import click

from ...errors import BrowserMissing
from ...render.browser import Browser
from ...render.chromium.process.executable import FoundBrowser, find_browser, read_version
from ..command_options import browser as browser_option
from ..console import Failed, complain, say

_INSTALL_SECONDS = 900


@click.command(epilog="Example: blocksight setup")
@browser_option
def setup(browser: str | None) -> None:
    """Find a browser or install one, and print which one and how."""
    try:
        click.echo(found_or_installed(browser))
    except BrowserMissing as error:
        complain("blocksight setup", str(error))
        raise Failed from error


def found_or_installed(executable: str | None) -> str:
    """Find a browser or install one, and return its description; BrowserMissing says what to do if both fail."""
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
        return described(found)


def described(browser: FoundBrowser) -> str:
    """Return a browser's program, how it was found, and its version."""
    return f"{browser.path} ({browser.how}; {read_version(browser) or 'version unknown'})"


def _installers() -> list[tuple[str, list[list[str]]]]:
    """Return the installers: Playwright's download, then, as root, the system's packages."""
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
