"""Rules of robots.txt (RFC 9309), read by the browser through the same guard as every page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..errors import BrowserMissing, ExtraMissing, HttpFailed, PageFailed, PageUnreadable, TimedOut, TooLarge
from ..render.browser import Browser

_SECONDS = 20.0
#: Bytes that are parsed of a long file: the minimum of RFC 9309 (section 2.5).
_PARSED_BYTES = 500 * 1024
#: A user-agent line, in all spellings that the library accepts.
_AGENT_LINE = re.compile(r"user(?:[- ]?agent\s*:|(?:-|\s+)?agent\s)(.*)", re.IGNORECASE)
#: A longer file is not loaded: it is no list of rules.
_MAX_BYTES = 5_000_000


class RobotsRules:
    """The rules of one host: those of a ``robots.txt``, or the same ``refusal`` for every address.

    Without both, all is allowed. ExtraMissing if there is a text, and its parser is not installed.
    """

    def __init__(self, text: str = "", *, refusal: str = "") -> None:
        self._refusal = refusal
        self._parsed: Any = robots_parser().parse(text) if text else None

    def forbids(self, address: str, agent: str) -> str:
        """Return why an address is forbidden, "" if it is allowed."""
        if self._parsed is None or self._parsed.can_fetch(address, agent):
            return self._refusal
        return "the site's robots.txt forbids it"

    def delay(self, agent: str) -> float:
        """Return the seconds between two pages: their ``Crawl-delay``, else 0."""
        return float(self._parsed.crawl_delay(agent) or 0.0) if self._parsed is not None else 0.0


ALLOW_ALL = RobotsRules()


def robots_parser() -> Any:
    """Return the class that parses rules; ExtraMissing if it is not installed."""
    try:
        from protego import Protego
    except ImportError as error:
        raise ExtraMissing("reading robots.txt", "scale") from error
    return Protego


def rules_of(browser: Browser, host: str, agent: str) -> RobotsRules:
    """Read the rules of a host; if they cannot be read for any reason, all is forbidden."""
    try:
        return read_rules(browser, host, agent)
    except (BrowserMissing, ExtraMissing):
        raise
    except Exception as error:  # one host must not end the batch
        return _refusal(f"could not be read ({type(error).__name__}: {error})")


def _refusal(why: str) -> RobotsRules:
    return RobotsRules(refusal=f"robots.txt {why}, so nothing may be requested")


def read_rules(browser: Browser, host: str, agent: str) -> RobotsRules:
    """Read the rules of a host for one agent; without a ``robots.txt``, all is allowed.

    A server that fails (5xx) or times out allows nothing (RFC 9309, section 2.3.1.4).
    """
    options = replace(
        browser.options,
        javascript=False,
        scroll=0,
        settle=0.0,
        timeout=min(_SECONDS, browser.options.timeout),
        reveal=False,
        wait_for="",
        screenshot="",
        mhtml=False,
        any_status=False,
        max_bytes=_MAX_BYTES,
    )
    try:
        page = browser.open(f"{host}/robots.txt", options=options)
        if page.partial:
            raise TimedOut(page.url, "only a part of robots.txt arrived in time")
    except HttpFailed as error:
        if error.status >= 500:
            return _refusal(f"could not be read (HTTP {error.status})")
        return ALLOW_ALL
    except TimedOut:
        return _refusal("did not arrive in time")
    except TooLarge:
        return _refusal(f"has more than {_MAX_BYTES / 1e6:g} MB")
    except (PageFailed, PageUnreadable):
        return ALLOW_ALL  # empty, no text, or an unknown host: its page reports that
    return RobotsRules(rules_for_agent(truncate_rules("".join(page.leaf_texts)), agent))


def truncate_rules(text: str) -> str:
    """Return the lines of a ``robots.txt`` that lie wholly within the bytes that are parsed."""
    data = text.encode()
    if len(data) <= _PARSED_BYTES:
        return text
    lines, _, _ = data[:_PARSED_BYTES].rpartition(b"\n")
    return lines.decode()


def rules_for_agent(text: str, agent: str) -> str:
    """Return a ``robots.txt`` in which all agents that cannot match ``agent`` have one name.

    The library copies each rule of a group for each of its agents: half a megabyte with ten thousand agents and as many
    rules would take minutes.
    """
    lines, group, other = list[str](), set[str](), f"User-agent: {agent}-and-another"
    for line in text.splitlines():
        code = line.partition("#")[0].strip()
        match = _AGENT_LINE.match(code)
        if match is None:
            lines.append(line)
            group = set() if code else group
            continue
        name = match[1].strip().lower()
        could_match = name == "*" or name.replace("*", "") in agent.lower()
        agent_line = f"User-agent: {name}" if could_match else other
        if agent_line not in group:
            group.add(agent_line)
            lines.append(agent_line)
    return "\n".join(lines)
