"""The options of rendering, the same for every command and the same names as in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..render.options import RenderOptions, Screenshot, upstream

F = TypeVar("F", bound=Callable[..., Any])


def viewport(_: click.Context, __: click.Parameter, value: str) -> tuple[int, int]:
    """Read the size of a window, WIDTHxHEIGHT."""
    width, cross, height = value.lower().partition("x")
    if not (cross and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise click.BadParameter("should look like 1280x800")
    return int(width), int(height)


def _headers(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(_pair(value, "a header should look like Accept-Language: de") for value in values)


def _credentials(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, str] | None:
    return None if value is None else _pair(value, "should look like NAME:PASSWORD")


def _pair(value: str, complaint: str) -> tuple[str, str]:
    name, colon, rest = value.partition(":")
    if not colon or not name.strip():
        raise click.BadParameter(complaint)
    return name.strip(), rest.strip()


def _proxy(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        if value:
            upstream(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


_RENDERING = (
    click.option("--browser", metavar="PROGRAM", help="The browser's program, instead of the one that is found."),
    click.option("--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds a page."),
    click.option(
        "--settle",
        type=click.FloatRange(min=0),
        default=2.0,
        show_default=True,
        help="Seconds of the page's own clock.",
    ),
    click.option(
        "--scroll", type=click.IntRange(min=0), default=5, show_default=True, help="How often to look further down."
    ),
    click.option("--viewport", callback=viewport, default="1280x800", show_default=True, help="Size of the window."),
    click.option(
        "--device-scale",
        type=click.FloatRange(min=0.1, max=8.0),
        default=1.0,
        show_default=True,
        help="Device pixels a CSS pixel.",
    ),
    click.option("--no-javascript", is_flag=True, help="Do not run the page's scripts."),
    click.option("--offline", is_flag=True, help="Let a file load nothing from the network."),
    click.option("--trust-file", is_flag=True, help="Let a file use the files beside it and the network, both."),
    click.option(
        "--allow-private", is_flag=True, help="Let pages reach this machine and private networks, not only public ones."
    ),
    click.option("--wait-for", metavar="SELECTOR", default="", help="Wait until this CSS selector matches something."),
    click.option("--user-agent", default="", help="Instead of the browser's own."),
    click.option(
        "--header",
        "headers",
        metavar="NAME:VALUE",
        multiple=True,
        callback=_headers,
        help="Sent to the page's own origin.",
    ),
    click.option(
        "--user", "credentials", metavar="NAME:PASSWORD", callback=_credentials, help="For the page's own origin."
    ),
    click.option("--send-everywhere", is_flag=True, help="Send --header and --user to every origin."),
    click.option(
        "--storage-state",
        type=click.Path(exists=True, dir_okay=False),
        help="Cookies and local storage of a session, as Playwright saves them.",
    ),
    click.option("--locale", default="en-US", show_default=True, help="Language that the page is told."),
    click.option("--timezone", default="UTC", show_default=True, help="Time zone that the page is told."),
    click.option("--proxy", default="", metavar="URL", callback=_proxy, help="http://[NAME:PASSWORD@]HOST:PORT."),
    click.option("--proxy-resolves", is_flag=True, help="Leave names to that proxy, its own network's as well."),
    click.option(
        "--deterministic",
        is_flag=True,
        help="A clock that stands still, seeded randomness: the same page twice is equal.",
    ),
    click.option("--any-status", is_flag=True, help="Take the page of an HTTP error, too."),
    click.option(
        "--max-bytes", type=click.IntRange(min=1), default=10_000_000, show_default=True, help="Of the document."
    ),
    click.option(
        "--max-nodes", type=click.IntRange(min=1), default=250_000, show_default=True, help="Nodes of the page."
    ),
    click.option(
        "--max-requests", type=click.IntRange(min=1), default=2_000, show_default=True, help="Of one page, in all."
    ),
    click.option("--url", metavar="URL", help="Address a file or standard input is to be taken for."),
    click.option("--encoding", help="Encoding of a file or standard input, where it is known better."),
)


def rendering(command: F) -> F:
    """Add the options of rendering to a command."""
    for option in reversed(_RENDERING):
        command = option(command)
    return command


def render_options(given: dict[str, Any], *, screenshot: Screenshot = "", mhtml: bool = False) -> RenderOptions:
    """Put together what was given on the command line."""
    same = (
        "timeout settle scroll viewport device_scale offline trust_file allow_private any_status max_bytes max_nodes "
        "max_requests wait_for user_agent headers credentials send_everywhere storage_state locale timezone proxy "
        "proxy_resolves deterministic"
    ).split()
    shared = {name: given[name] for name in same}
    try:
        return RenderOptions(javascript=not given["no_javascript"], screenshot=screenshot, mhtml=mhtml, **shared)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
