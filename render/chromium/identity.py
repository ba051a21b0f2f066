"""Set the user agent, client hints, languages and window of a page, consistently, in frames and workers too.

By default they are those of the same browser on a desktop; a robot that identifies itself adds its name.
"""

from __future__ import annotations

import platform
import sys
from typing import Any

from ...version import VERSION
from ..render_options import RenderOptions

#: Width and height of the screen in CSS pixels.
SCREEN = (1920, 1080)
#: A window of which no picture is taken is painted at this scale, which the page cannot observe.
_SMALL = 0.05
#: Height of the tabs and of the toolbar over the viewport.
_TOOLBARS = 87
#: Position of the window on the screen, in pixels from the left and from the top. The mouse pointer, at the corner of
#: the screen, is outside of it: inside, it would hover over what is at the corner of the page.
_POSITION = 10
#: The product token for which robots.txt is read, too.
PRODUCT = "blocksight"
#: Operating system as in user agents, whose parts are frozen since Chrome 107 (the "reduced" user agent), and its name.
_SYSTEMS = {
    "win32": ("Windows NT 10.0; Win64; x64", "Windows"),
    "darwin": ("Macintosh; Intel Mac OS X 10_15_7", "macOS"),
}
_LINUX = ("X11; Linux x86_64", "Linux")
_USER_AGENT = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko{}) Chrome/{}.0.0.0 Safari/537.36"

Command = tuple[str, dict[str, Any]]


def user_agent(options: RenderOptions, version: str) -> str:
    """Return the user agent that a page gets: the one given, or that of the browser in a window, perhaps with our name.

    >>> user_agent(RenderOptions(), "156.0.8078.79").partition(") Chrome")[2]
    '/156.0.0.0 Safari/537.36'
    """
    contact = f"; +{options.contact}" if options.contact else ""
    name = f"; compatible; {PRODUCT}/{VERSION}{contact}" if options.identify else ""
    return options.user_agent or _USER_AGENT.format(_system()[0], name, _major(version))


def identity_commands(options: RenderOptions, version: str) -> list[Command]:
    """Return the commands that set user agent, client hints, languages and window of a page."""
    agent: dict[str, Any] = {"userAgent": user_agent(options, version), "acceptLanguage": languages(options.locale)}
    if not options.user_agent:
        agent |= {"platform": "", "userAgentMetadata": _client_hints(options, version)}
    return [
        window_command(options, options.viewport[1]),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ("Emulation.setLocaleOverride", {"locale": options.locale}),
        ("Emulation.setTimezoneOverride", {"timezoneId": options.timezone}),
        ("Emulation.setUserAgentOverride", agent),
    ]


def window_command(options: RenderOptions, height: int, *, is_painted: bool = False) -> Command:
    """Return the command that gives a viewport a height in CSS pixels; pictures need one that ``is_painted`` fully."""
    width = options.viewport[0]
    metrics = {
        "width": width,
        "height": height,
        "deviceScaleFactor": options.device_scale,
        "mobile": False,
        "screenWidth": max(SCREEN[0], width),
        "screenHeight": max(SCREEN[1], height + _TOOLBARS),
        "scale": 1 if is_painted else _SMALL,
    }
    return "Emulation.setDeviceMetricsOverride", metrics


def window_bounds(options: RenderOptions) -> dict[str, int]:
    """Return place and size of the window around a viewport."""
    return {
        "left": _POSITION,
        "top": _POSITION,
        "width": options.viewport[0],
        "height": options.viewport[1] + _TOOLBARS,
    }


def languages(locale: str) -> str:
    """Return the languages of a reader: the locale, then its language alone.

    >>> languages("en-US")
    'en-US,en'
    """
    language = locale.partition("-")[0]
    return locale if language == locale else f"{locale},{language}"


def brands(version: str) -> list[tuple[str, str]]:
    """Return the brands of a Chromium's client hints with their versions, in its order.

    One brand is made up, so that sites do not rely on the list; name and order depend on the major version only
    (``components/embedder_support/user_agent_utils.cc``).
    """
    major = int(_major(version))
    characters, versions = " (:-./);=?_", ("8", "99", "24")
    made_up = f"Not{characters[major % 11]}A{characters[(major + 1) % 11]}Brand", versions[major % 3]
    found = [made_up, ("Chromium", str(major))]
    return found if major % 2 == 0 else found[::-1]


def _client_hints(options: RenderOptions, version: str) -> dict[str, Any]:
    listed = brands(version)
    full = [(name, version if name == "Chromium" else f"{number}.0.0.0") for name, number in listed]
    if options.identify:
        listed.append((PRODUCT, VERSION.partition(".")[0]))
        full.append((PRODUCT, VERSION))
    machine = platform.machine().lower()
    return {
        "brands": [{"brand": name, "version": number} for name, number in listed],
        "fullVersionList": [{"brand": name, "version": number} for name, number in full],
        "fullVersion": version,
        "platform": _system()[1],
        "platformVersion": _system_version(),
        "architecture": "arm" if machine.startswith(("arm", "aarch")) else "x86",
        "bitness": "64" if sys.maxsize > 2**32 else "32",
        "model": "",
        "mobile": False,
        "wow64": False,
        "formFactors": ["Desktop"],
    }


def _system() -> tuple[str, str]:
    return _SYSTEMS.get(sys.platform, _LINUX)


def _system_version() -> str:
    if sys.platform == "darwin":
        return platform.mac_ver()[0]
    # Windows 11 and 10; Chrome on Linux gives none.
    return {"win32": "15.0.0" if platform.release() == "11" else "10.0.0"}.get(sys.platform, "")


def _major(version: str) -> str:
    return version.partition(".")[0]
