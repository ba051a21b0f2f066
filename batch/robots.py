"""What a site's robots.txt allows (RFC 9309); read by the browser, through the same guard as every page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..errors import ExtraMissing, HttpFailed, PageFailed, PageUnreadable, TimedOut, TooLarge
from ..render.browser import Browser

#: Seconds for it.
_SECONDS = 20.0
#: Of a long one, the beginning counts: what RFC 9309 (section 2.5) asks for at least.
_READ_BYTES = 500 * 1024
#: A line that names a robot, in all the spellings that the library takes.
_AGENT_LINE = re.compile(r"user(?:[- ]?agent\s*:|(?:-|\s+)?agent\s)(.*)", re.IGNORECASE)
#: One that is longer than this is not loaded: it is no list of rules.
_MOST = 5_000_000


class RobotsRules(Protocol):
    """The rules of one host."""

    def forbids(self, address: str, agent: str) -> str:
        """Return why an address may not be asked for, "" where it may."""
        ...

    def delay(self, agent: str) -> float:
        """Return the seconds that should be between two pages."""
        ...


@dataclass(frozen=True, slots=True)
class Always:
    """The same answer for every address: "" allows it."""

    why: str

    def forbids(self, address: str, agent: str) -> str:
        """Return the answer."""
        del address, agent
        return self.why

    def delay(self, agent: str) -> float:
        """Return none."""
        del agent
        return 0.0


OPEN = Always("")


class RuleGroup:
    """RobotsRules as they are written.

    Raises
    ------
    ExtraMissing
        When there is nothing to read them with.
    """

    def __init__(self, text: str) -> None:
        self._rules: Any = _protego().parse(text)

    def forbids(self, address: str, agent: str) -> str:
        """Ask the rules."""
        return "" if self._rules.can_fetch(address, agent) else "the site's robots.txt forbids it"

    def delay(self, agent: str) -> float:
        """Return what they ask for."""
        return float(self._rules.crawl_delay(agent) or 0.0)


def check_robots() -> None:
    """Raise ExtraMissing when no rules can be read here."""
    _protego()


def _protego() -> Any:
    try:
        from protego import Protego
    except ImportError as error:
        raise ExtraMissing("reading robots.txt", "batch") from error
    return Protego


def read_rules(browser: Browser, host: str, agent: str) -> RobotsRules:
    """Read the rules of a host as far as they count for ``agent``; where there are none, all is allowed.

    A server that fails (5xx) or does not answer in time allows nothing (RFC 9309, section 2.3.1.4).
    """
    options = replace(
        browser.options,
        javascript=False,
        scroll=0,
        settle=0.0,
        timeout=min(_SECONDS, browser.options.timeout),
        wait_for="",
        screenshot="",
        mhtml=False,
        warc=False,
        any_status=False,
        max_bytes=_MOST,
    )
    try:
        page = browser.open(f"{host}/robots.txt", options=options)
    except HttpFailed as error:
        if error.status >= 500:
            return Always(f"robots.txt could not be read (HTTP {error.status}), so nothing may be asked for")
        return OPEN
    except TimedOut:
        return Always("robots.txt did not come in time, so nothing may be asked for")
    except TooLarge:
        return Always(f"robots.txt has more than {_MOST / 1e6:g} MB, so nothing may be asked for")
    except (PageFailed, PageUnreadable):
        return OPEN  # empty, no text, or a host that is not there: its page will say so
    return RuleGroup(for_agent(beginning("".join(page.leaf_texts)), agent))


def beginning(text: str) -> str:
    """Return the lines that are read of a long ``robots.txt``; one that is cut in two is none of them."""
    data = text.encode()
    if len(data) <= _READ_BYTES:
        return text
    whole, _, _ = data[:_READ_BYTES].rpartition(b"\n")
    return whole.decode()


def for_agent(text: str, agent: str) -> str:
    """Return a ``robots.txt`` in which all robots that are neither ``agent`` nor any are one.

    The library puts each rule of a group down for each of its robots: a file of half a megabyte that names ten thousand
    of them, and then as many rules, would take minutes.
    """
    lines, named, another = list[str](), set[str](), f"User-agent: {agent}-and-another"
    for line in text.splitlines():
        found = _AGENT_LINE.match(line.partition("#")[0].strip())
        if found is None:
            lines.append(line)
            named = named if not line.partition("#")[0].strip() else set()
            continue
        name = found[1].strip().lower()
        kept = f"User-agent: {name}" if _could_be(name, agent.lower()) else another
        if kept not in named:
            named.add(kept)
            lines.append(kept)
    return "\n".join(lines)


def _could_be(name: str, agent: str) -> bool:
    return name == "*" or name.replace("*", "") in agent
