"""Find a Chromium to render with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ....errors import BrowserMissing

#: The environment variable that names a browser's program.
VARIABLE = "BLOCKSIGHT_BROWSER"

#: Programs of Linux distributions. The headless shell costs a half to a seventh of a full browser's CPU time; Debian's
#: /usr/bin/chromium is a wrapper that adds flags, so the program behind it is preferred.
_LINUX = tuple(
    """
    /usr/lib/chromium/chromium-headless-shell chromium-headless-shell headless_shell chrome-headless-shell
    /usr/lib/chromium/chromium /usr/lib/chromium-browser/chromium-browser chromium chromium-browser
    google-chrome-stable google-chrome /opt/google/chrome/chrome microsoft-edge
    """.split()
)
_MAC = (
    "chrome-headless-shell",
    "chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
    "chrome-headless-shell.exe",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)

_VERSION_SECONDS = 10.0

_INSTALL_HELP = (
    "no browser to render with. Do one of the following:\n"
    "  blocksight setup                                 (fetches Playwright's headless Chromium)\n"
    "  sudo apt-get install chromium-headless-shell     (Debian; elsewhere the package is called chromium)\n"
    "  brew install --cask chromium                     (macOS)\n"
    f"  export {VARIABLE}=/path/to/chrome\n"
    "Raw HTML can be read without a browser: blocksight extract --no-browser page.html"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBrowser:
    """A browser's program and how it was found."""

    path: str
    how: str


def find_browser(executable: str | os.PathLike[str] | None = None) -> FoundBrowser:
    """Find the browser: the named one, else ``BLOCKSIGHT_BROWSER``, Playwright's, the system's; else BrowserMissing."""
    if executable is not None:
        return _named(os.fspath(executable), "named by the caller")
    if os.environ.get(VARIABLE):
        return _named(os.environ[VARIABLE], f"named by {VARIABLE}")
    for path in _playwright_programs():
        return FoundBrowser(path=path, how="Playwright's own")
    for path in _system_programs():
        return FoundBrowser(path=path, how="the system's")
    raise BrowserMissing(_INSTALL_HELP)


@cache
def read_version(found: FoundBrowser) -> str:
    """Return the version that a browser's program prints; "" for none, and on Windows, where it would open a window."""
    if sys.platform == "win32":
        return ""
    with suppress(OSError, subprocess.SubprocessError):
        printed = subprocess.run(
            [found.path, "--version"],
            capture_output=True,
            check=True,
            timeout=_VERSION_SECONDS,
            stdin=subprocess.DEVNULL,
        ).stdout
        if match := re.search(rb"\b(\d+(?:\.\d+){3})\b", printed):
            return match[1].decode()
    return ""


def _named(name: str, how: str) -> FoundBrowser:
    program = shutil.which(name)
    if program is None:
        raise BrowserMissing(f"{name} ({how}) is not an executable program. Give the path of a Chromium or Chrome.")
    return FoundBrowser(path=program, how=how)


def _system_programs() -> Iterator[str]:
    names = {"darwin": _MAC, "win32": _WINDOWS}.get(sys.platform, _LINUX)
    return filter(None, (shutil.which(name) for name in names))


def _playwright_programs() -> Iterator[str]:
    """Yield the browsers that ``playwright install`` has installed for this version of Playwright."""
    kinds = (
        ("chromium-headless-shell", ("headless_shell", "chrome-headless-shell", "chrome-headless-shell.exe")),
        ("chromium", ("chrome", "Chromium", "Google Chrome for Testing", "chrome.exe")),
    )
    revisions = _playwright_revisions()
    for kind, programs in kinds:
        folder = _playwright_cache() / f"{kind.replace('-', '_')}-{revisions.get(kind, '')}"
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.name in programs and path.is_file() and os.access(path, os.X_OK):
                yield str(path)


def _playwright_revisions() -> dict[str, str]:
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        return {}
    listing = Path(spec.origin).parent / "driver" / "package" / "browsers.json"
    if not listing.is_file():
        return {}
    browsers = json.loads(listing.read_text(encoding="utf-8"))["browsers"]
    return {browser["name"]: browser["revision"] for browser in browsers}


def _playwright_cache() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named and named != "0":
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"
