"""Rules of robots.txt (RFC 9309) and what a site states about use, read through the same guard as every page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Any

from ..errors import BrowserMissing, ExtraMissing, HttpFailed, PageFailed, PageUnreadable, TimedOut, TooLarge
from ..page.metadata import usage as statements
from ..page.page import Page
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

    Without both, all is allowed. ``usage`` are the rules about use, ``tdmrep`` is the text of a tdmrep.json.
    ExtraMissing if there is a text, and its parser is not installed.
    """

    def __init__(self, text: str = "", *, refusal: str = "", usage: tuple[statements.UsageRule, ...] = ()) -> None:
        self._refusal, self._usage = refusal, usage
        self.tdmrep = ""
        self._parsed: Any = robots_parser().parse(text) if text else None

    def forbids(self, address: str, agent: str) -> str:
        """Return why an address is forbidden, "" if it is allowed."""
        if self._parsed is None or self._parsed.can_fetch(address, agent):
            return self._refusal
        return "the site's robots.txt forbids it"

    def reserved(self, address: str, uses: Iterable[str]) -> str:
        """Return the statement of robots.txt that reserves one of some uses of an address, "" if there is none."""
        usage = statements.usage_of(statements.robots_statements(self._usage, address))
        return next(filter(None, map(usage.reserved, uses)), "")

    def with_usage(self, page: Page) -> Page:
        """Return a page with what its site states about its use."""
        address = page.environment.get("address", page.url)
        stated = [
            *statements.tdmrep_statements(self.tdmrep, address),
            *statements.robots_statements(self._usage, address),
        ]
        lines = "\n".join(filter(None, (statements.written_statements(stated), page.environment.get("usage"))))
        return page.replace(environment={**page.environment, "usage": lines}) if stated else page

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


def rules_of(browser: Browser, host: str, agent: str, *, tdmrep: bool = False) -> RobotsRules:
    """Read the rules of a host; if they cannot be read for any reason, all is forbidden.

    With ``tdmrep``, its /.well-known/tdmrep.json is read, too, if it has one.
    """
    try:
        rules, address = read_rules(browser, host, agent), f"{host}/.well-known/tdmrep.json"
        if tdmrep and not rules.forbids(address, agent):
            rules = copy(rules)  # all hosts without a robots.txt have the same
            with suppress(PageFailed, PageUnreadable):
                rules.tdmrep = _text_at(browser, address)
        return rules
    except (BrowserMissing, ExtraMissing):
        raise
    except Exception as error:  # one host must not end the batch
        return _refusal(f"could not be read ({type(error).__name__}: {error})")


def _refusal(why: str) -> RobotsRules:
    return RobotsRules(refusal=f"robots.txt {why}, so nothing may be requested")


def _text_at(browser: Browser, address: str) -> str:
    """Return the text at an address; PageFailed or PageUnreadable if there is none."""
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
    page = browser.open(address, options=options)
    if page.partial:
        raise TimedOut(page.url, "only a part of it arrived in time")
    return "".join(page.leaf_texts)


def read_rules(browser: Browser, host: str, agent: str) -> RobotsRules:
    """Read the rules of a host for one agent; without a ``robots.txt``, all is allowed.

    A server that fails (5xx) or times out allows nothing (RFC 9309, section 2.3.1.4).
    """
    try:
        text = truncate_rules(_text_at(browser, f"{host}/robots.txt"))
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
    return RobotsRules(rules_for_agent(text, agent), usage=statements.robots_rules(text, agent))


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
