"""The command ``blocksight doctor``: checks of the installation."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import click

from ...errors import BlocksightError, BrowserMissing
from ...render.browser import Browser
from ...render.chromium.process.executable import find_browser
from ..command_options import browser as browser_option
from ..console import Failed
from .setup import described

#: Required libraries, each with the argument of pip that installs it.
_PACKAGES = {
    **dict.fromkeys(("numpy", "lxml", "turbohtml", "shapely"), "blocksight"),
    **dict.fromkeys(("playwright", "psutil", "pillow"), "'blocksight[browser]'"),
}
#: A language of each script, as fontconfig names it.
SCRIPTS = {
    "Latin": "en", "Cyrillic": "ru", "Greek": "el", "Arabic": "ar", "Hebrew": "he", "Chinese": "zh-cn",
    "Japanese": "ja", "Korean": "ko", "Devanagari": "hi", "Thai": "th", "Bengali": "bn", "Tamil": "ta",
    "emoji": "und-zsye",
}  # fmt: skip
_LIST_SECONDS = 10.0
_WORDS = "The doctor's page was put together by a script, and a browser has laid it out in lines to be read."
_TEST_PAGE = f"""<!DOCTYPE html><title>Self-test</title><body><nav><a href="/">Home</a> <a href="/a">About</a></nav>
<main></main><script>
const p = document.createElement("p"); p.textContent = "{_WORDS}"; document.querySelector("main").append(p);
</script>"""


class Finding(NamedTuple):
    """The result of one check."""

    what: str
    good: bool
    found: str


@click.command(epilog="Example: blocksight doctor")
@browser_option
def doctor(browser: str | None) -> None:
    """Check the installation, and render one page as a test.

    The exit code is 1 if a check fails; its line says what to do.
    """
    findings = examine(browser)
    for finding in findings:
        click.echo(f"{'ok ' if finding.good else 'BAD'} {finding.what}: {finding.found}")
    if not all(finding.good for finding in findings):
        raise Failed


def examine(executable: str | None = None) -> list[Finding]:
    """Check everything that rendering and extraction need."""
    findings = [Finding("Python", True, f"{platform.python_version()} on {platform.platform()}")]
    findings += [_package(name, installed) for name, installed in _PACKAGES.items()]
    findings += [_model("visual"), _model("DOM")]
    try:
        found = find_browser(executable)
    except BrowserMissing as error:
        return [*findings, Finding("browser", False, str(error))]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    sandbox = "off: this is root (run as another user to have it)" if root else "on"
    return [
        *findings,
        Finding("browser", True, described(found)),
        Finding("sandbox", True, sandbox),
        _fonts(),
        _self_test(executable),
    ]


def _fonts() -> Finding:
    """Check that common scripts have fonts: pages in others show boxes, and their lines have another size."""
    program, missing = shutil.which("fc-list"), []
    try:
        for script, language in SCRIPTS.items() if program else ():
            command = [str(program), f":lang={language}", "family"]
            listed = subprocess.run(command, capture_output=True, check=True, timeout=_LIST_SECONDS).stdout
            missing += [] if listed.strip() else [script]
    except (OSError, subprocess.SubprocessError):
        program = None
    if program is None:
        return Finding("fonts", True, "not checked: there is no fontconfig (fc-list)")
    remedy = "pages in them show boxes; install fonts, such as fonts-noto-core and fonts-noto-cjk of Debian"
    found = f"none for {', '.join(missing)}: {remedy}" if missing else f"for all of {', '.join(SCRIPTS)}"
    # Pages in other scripts are rendered as they should be.
    return Finding("fonts", "Latin" not in missing, found)


def _package(name: str, installed: str) -> Finding:
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, f"missing; pip install {installed}")


def _model(name: str) -> Finding:
    from ...classify.model.model import shipped_model

    what = f"model ({name})"
    try:
        about = shipped_model(visual=name == "visual").about
    except BlocksightError as error:
        return Finding(what, False, f"{error}; install blocksight again")
    pages = sum(about.get("corpora", {}).values())
    return Finding(what, True, f"trained on {pages} pages of {about.get('sites')} sites")


def _self_test(executable: str | None) -> Finding:
    from ...document.extract import extract

    try:
        with Browser(executable) as browser:
            found = extract(browser.open(_TEST_PAGE.encode()))
    except BlocksightError as error:
        return Finding("self-test", False, str(error))
    if _WORDS not in found.text:
        return Finding("self-test", False, f"read {found.text!r} instead")
    return Finding("self-test", True, "a page made by JavaScript was rendered and read")
