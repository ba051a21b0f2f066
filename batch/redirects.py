"""Redirects of a batch: another host is asked for its rules first, and at its pace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .robots import RobotsRules
from .sources.inputs import Input, host_of

#: Hosts that one input may be redirected to.
_MAX_HOSTS = 10


class RedirectFilter:
    """Decides for one page which redirects are followed: those to hosts with known rules that allow the address.

    Use it as ``RenderOptions.follow``. Afterwards ``target`` is an address at another host that was not requested, and
    ``forbidden`` the reason why one at a known host was not; "" if there is none.
    """

    def __init__(self, rules: Mapping[str, RobotsRules], agent: str) -> None:
        self._rules = rules
        self._agent = agent
        self.target = ""
        self.forbidden = ""

    def __call__(self, address: str) -> str:
        """Return why an address must not be requested, "" if it may be."""
        host = host_of(address)
        if not host:  # no request of a host, such as of a blob
            return ""
        if host not in self._rules:
            self.target = address
            return "it is at another host"
        self.forbidden = self._rules[host].forbids(address, self._agent)
        return self.forbidden


def rules_by_host(entry: Input, rules: RobotsRules) -> Mapping[str, RobotsRules]:
    """Return the hosts whose pages an input may request now, with their rules; ``rules`` are those of its own."""
    return {**(entry.visited if not entry.target else {}), entry.host: rules}


def redirected(entry: Input, rules: RobotsRules, target: str) -> Input | None:
    """Return the input to process for one that redirects to another host; None after too many.

    It is opened there. If it returns to a host, it may need the cookies of its way: then it is opened from its start
    again, and follows redirects to all hosts that it has visited.
    """
    visited, host = {**entry.visited, entry.host: rules}, host_of(target)
    if len(visited) > _MAX_HOSTS or not host:
        return None
    return replace(entry, target="" if host in visited else target, visited=visited)
