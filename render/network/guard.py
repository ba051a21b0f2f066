"""What a page may reach: public addresses, however they are spelt, and nothing else unless it is allowed.

Pages are hostile: one that is rendered on a server or behind a firewall could otherwise ask the services there in its
reader's name. The address is what is judged, not the name, and the address judged is the one connected to: a name that
changes its meaning between the check and the use ("DNS rebinding") gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote, urlsplit

from ...errors import PageFailed, Refused
from ..render_options import RenderOptions
from ..sources.sources import PageSource, is_network_blocked

Address = IPv4Address | IPv6Address
Resolve = Callable[[str], Awaitable[list[str]]]

#: Source: IANA, IPv4 Special-Purpose Address Registry, and RFC 5771 (multicast).
_CLOSED_4 = {
    IPv4Network("0.0.0.0/8"): "an unspecified",
    IPv4Network("10.0.0.0/8"): "a private",
    IPv4Network("100.64.0.0/10"): "a provider's internal",
    IPv4Network("127.0.0.0/8"): "a loopback",
    IPv4Network("168.63.129.16/32"): "a cloud's internal",  # public by number, but Azure's own service inside it
    IPv4Network("169.254.0.0/16"): "a link-local",
    IPv4Network("172.16.0.0/12"): "a private",
    IPv4Network("192.0.0.0/24"): "a reserved",
    IPv4Network("192.0.2.0/24"): "a reserved",
    IPv4Network("192.88.99.0/24"): "a reserved",
    IPv4Network("192.168.0.0/16"): "a private",
    IPv4Network("198.18.0.0/15"): "a reserved",
    IPv4Network("198.51.100.0/24"): "a reserved",
    IPv4Network("203.0.113.0/24"): "a reserved",
    IPv4Network("224.0.0.0/4"): "a multicast",
    IPv4Network("240.0.0.0/4"): "a reserved",
}
#: Source: IANA, IPv6 Special-Purpose Address Registry. What is not global unicast (2000::/3) is closed anyway; the
#: names are for the message. Of the tunnels, 6to4 and Teredo are obsolete and lead to IPv4 addresses: closed as well.
_CLOSED_6 = {
    IPv6Network("::/128"): "an unspecified",
    IPv6Network("::1/128"): "a loopback",
    IPv6Network("fc00::/7"): "a private",
    IPv6Network("fe80::/10"): "a link-local",
    IPv6Network("fec0::/10"): "a private",
    IPv6Network("ff00::/8"): "a multicast",
    IPv6Network("2001::/23"): "a reserved",
    IPv6Network("2001:db8::/32"): "a reserved",
    IPv6Network("2002::/16"): "a reserved",
    IPv6Network("3fff::/20"): "a reserved",
}
_GLOBAL_6 = IPv6Network("2000::/3")
#: Addresses that stand for the IPv4 address in their last 32 bits: mapped (RFC 4291) and NAT64 (RFC 6052).
_CARRIERS = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

_OPENS = "pages may reach public addresses only (--allow-private opens the others)"
_RESOLVE_SECONDS = 10.0


def non_public_kind(address: Address) -> str | None:
    """Say what kind of address it is when it is no public one.

    Returns
    -------
    str or None
        An article and an adjective (``"a private"``); None for a public address.
    """
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _CLOSED_4.items() if address in network), None)
    if any(address in carrier for carrier in _CARRIERS):
        return non_public_kind(IPv4Address(int(address) & 0xFFFFFFFF))
    kind = next((kind for network, kind in _CLOSED_6.items() if address in network), None)
    return kind or (None if address in _GLOBAL_6 else "a reserved")


def ip_literal(host: str) -> Address | None:
    """Read a host that is an address rather than a name, in every spelling that browsers take.

    IPv4 addresses may have one to four parts, each decimal, octal (``0177``) or hexadecimal (``0x7f``), the last of
    which fills what is left (WHATWG URL Standard, "IPv4 parser").

    Examples
    --------
    >>> literal("0x7f.1")
    IPv4Address('127.0.0.1')
    >>> literal("[::ffff:7f00:1]")
    IPv6Address('::ffff:127.0.0.1')
    >>> literal("example.org") is None
    True
    """
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return ip_address(bare)
    except ValueError:
        return _odd_ipv4(bare.removesuffix("."))


def _odd_ipv4(host: str) -> IPv4Address | None:
    parts = host.split(".")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    leading = sum(number << (24 - 8 * index) for index, number in enumerate(numbers[:-1]))
    return IPv4Address(leading + numbers[-1])


def _number(part: str) -> int:
    if not part.isascii() or not part.isalnum():
        raise ValueError(part)
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8 if part[0] == "0" else 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What one page may reach.

    Attributes
    ----------
    allow_private : bool
        Everything, not only public addresses.
    only : frozenset of (str, int) or None
        Hosts (as the page spells them) and ports beyond which nothing is reached, public or not.
    exceptions : frozenset of (str, int)
        Addresses and ports that are open although their range is closed.
    """

    allow_private: bool = False
    only: frozenset[tuple[str, int]] | None = None
    exceptions: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def of(cls, options: RenderOptions, target: str | PageSource) -> Policy:
        """Make the policy for one page: without the network, an address may still reach its own origin."""
        document = target if isinstance(target, PageSource) else None
        only: frozenset[tuple[str, int]] | None = None
        if is_network_blocked(document, options):
            only = frozenset({host_and_port(target)}) if isinstance(target, str) else frozenset()
        return cls(allow_private=options.allow_private, only=only)

    def objection(self, address: Address, port: int) -> str | None:
        """Say why an address may not be connected to, or None."""
        kind = None if self.allow_private or (str(address), port) in self.exceptions else non_public_kind(address)
        return f"{address} is {kind} address; {_OPENS}" if kind else None


def host_and_port(url: str) -> tuple[str, int]:
    """Return the host (in lower case) and the port of an http(s) or ws(s) address."""
    parts = urlsplit(url)
    host = unquote(parts.hostname or "").removesuffix(".")
    return host, parts.port or (443 if parts.scheme in {"https", "wss"} else 80)


class Guard:
    """Turns the names that one page uses into addresses that it may reach, each name once.

    Parameters
    ----------
    policy : Policy
    resolve : callable, optional
        Gives the addresses of a name; raises OSError when there are none. The system's resolver by default.
    """

    def __init__(self, policy: Policy, resolve: Resolve | None = None) -> None:
        self._policy = policy
        self._resolve = resolve or _system_resolve
        self._known: dict[str, asyncio.Task[list[Address]]] = {}

    async def addresses(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host that may be connected to, at least one.

        Raises
        ------
        Refused
            When there are only others.
        PageFailed
            When there is no such host.
        """
        name = host.lower().removesuffix(".")
        if self._policy.only is not None and (name, port) not in self._policy.only:
            raise Refused(host, "this page is rendered offline")
        found = await self._find(name)
        objections = {address: self._policy.objection(address, port) for address in found}
        if open_ones := [address for address, objection in objections.items() if objection is None]:
            return open_ones
        first = next(why for why in objections.values() if why is not None)
        raise Refused(host, first if ip_literal(name) else f"of {host}, {first}")

    async def _find(self, name: str) -> list[Address]:
        if (address := ip_literal(name)) is not None:
            return [address]
        if name not in self._known:
            self._known[name] = asyncio.ensure_future(self._ask(name))
        # One request that is given up must not take the answer from the others that wait for it.
        return await asyncio.shield(self._known[name])

    async def _ask(self, name: str) -> list[Address]:
        if name == "localhost" or name.endswith(".localhost"):  # RFC 6761
            return [IPv4Address("127.0.0.1"), IPv6Address("::1")]
        try:
            texts = await asyncio.wait_for(self._resolve(name), _RESOLVE_SECONDS)
        except TimeoutError as error:
            raise PageFailed(name, "the name server did not answer") from error
        except (OSError, UnicodeError) as error:
            raise PageFailed(name, "no such host") from error
        if not texts:
            raise PageFailed(name, "no such host")
        return list(dict.fromkeys(ip_address(text) for text in texts))

    def close(self) -> None:
        """Wait for no name any longer."""
        for task in self._known.values():
            if task.done() and not task.cancelled():
                task.exception()
            task.cancel()


async def _system_resolve(name: str) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(sockaddr[0]) for _, _, _, _, sockaddr in found]
