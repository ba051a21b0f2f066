"""Redirects of a batch: another host is asked for its rules first, and at its pace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..errors import PageFailed
from .robots import RobotsRules
from .sources.inputs import Input, host_of

#: Hosts that one input may be redirected to.
_MAX_HOSTS = 10


class Redirected(PageFailed):
    """A page redirects to an address at another host, which was not requested."""

    _arguments = ("url", "target")

    def __init__(self, url: str, target: str) -> None:
        super().__init__(url, f"it redirects to {target}")
        self.target = target


class RedirectFilter:
    """Decides for one page which redirects are followed: those to hosts with known rules that allow the address.

    Use it as ``RenderOptions.follow``, then :meth:`error` returns the error of a redirect that was not followed.
    """

    def __init__(self, rules: Mapping[str, RobotsRules], agent: str) -> None:
        self._rules = rules
        self._agent = agent
        self._target = ""
        self.forbidden = ""

    def __call__(self, address: str) -> str:
        """Return why an address must not be requested, "" if it may be."""
        host = host_of(address)
        if not host:  # no request of a host, such as of a blob
            return ""
        rules = self._rules.get(host)
        if rules is None:
            self._target = address
            return "it is at another host"
        self.forbidden = rules.forbids(address, self._agent)
        return self.forbidden

    def error(self, url: str) -> Redirected | None:
        """Return the error of a page that redirects to another host, None if it does not."""
        return Redirected(url, self._target) if self._target else None


class RedirectHistory:
    """The hosts that each redirected input has visited, with their rules."""

    def __init__(self) -> None:
        self._visited: dict[str, dict[str, RobotsRules]] = {}

    def rules(self, entry: Input, rules: RobotsRules) -> Mapping[str, RobotsRules]:
        """Return the hosts whose pages an input may request now, with their rules; ``rules`` are those of its own."""
        visited = self._visited.get(entry.id, {}) if not entry.target else {}
        return {**visited, entry.host: rules}

    def next_input(self, entry: Input, rules: RobotsRules, target: str) -> Input | None:
        """Return the input to process for one that redirects to another host; None after too many.

        It is opened there. If it returns to a host, it may need the cookies of its way: then it is opened from its
        start again, and follows redirects to all hosts that it has visited.
        """
        visited, host = self._visited.setdefault(entry.id, {}), host_of(target)
        visited[entry.host] = rules
        if len(visited) > _MAX_HOSTS or not host:
            return None
        return replace(entry, target="" if host in visited else target)

    def forget(self, entry: Input) -> None:
        """Forget an input that is done."""
        self._visited.pop(entry.id, None)
