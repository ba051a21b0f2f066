"""Protection against SSRF: pages may connect to public addresses only, in any spelling, unless others are allowed.

Pages are hostile: one that is rendered on a server or behind a firewall could otherwise send requests to the services
there. The IP address is checked, not the name, and the checked address is the one that is connected to: a name that
resolves differently between check and use (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import tomllib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ...errors import NameUnresolved, Refused
from ..render_options import RenderOptions
from ..sources.sources import PageSource, is_network_blocked

_LOG = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address
#: Returns the addresses of a name, or raises OSError.
Resolve = Callable[[str], Awaitable[list[str]]]

_NON_PUBLIC = tomllib.loads(Path(__file__).with_name("non_public.toml").read_text(encoding="utf-8"))
_NON_PUBLIC_4 = {IPv4Network(network): str(kind) for network, kind in _NON_PUBLIC["ipv4"].items()}
_NON_PUBLIC_6 = {IPv6Network(network): str(kind) for network, kind in _NON_PUBLIC["ipv6"].items()}
_GLOBAL_6 = IPv6Network("2000::/3")
#: Networks whose addresses represent the IPv4 address in their last 32 bits: mapped (RFC 4291) and NAT64 (RFC 6052).
_IPV4_IN_IPV6 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

_HINT = "pages may reach public addresses only (allow_private opens the others)"
_RESOLVE_TIMEOUT = 10.0


def non_public_kind(address: Address) -> str | None:
    """Return the kind of a non-public address as article and adjective (``"a private"``); None for a public one."""
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _NON_PUBLIC_4.items() if address in network), None)
    if any(address in network for network in _IPV4_IN_IPV6):
        return non_public_kind(IPv4Address(int(address) & 0xFFFFFFFF))
    kind = next((kind for network, kind in _NON_PUBLIC_6.items() if address in network), None)
    return kind or (None if address in _GLOBAL_6 else "a reserved")


def ip_literal(host: str) -> Address | None:
    """Parse a host that is an address rather than a name, in every spelling that browsers accept.

    IPv4 addresses may have one to four parts, each decimal, octal (``0177``) or hexadecimal (``0x7f``), the last of
    which fills the remaining bytes (WHATWG URL Standard, "IPv4 parser").

    >>> ip_literal("0x7f.1")
    IPv4Address('127.0.0.1')
    >>> ip_literal("[::ffff:7f00:1]")
    IPv6Address('::ffff:127.0.0.1')
    >>> ip_literal("example.org") is None
    True
    """
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return ip_address(bare)
    except ValueError:
        return _legacy_ipv4(bare.removesuffix("."))


def _legacy_ipv4(host: str) -> IPv4Address | None:
    parts = host.split(".")
    try:
        numbers = [_parse_number(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    leading = sum(number << (24 - 8 * index) for index, number in enumerate(numbers[:-1]))
    return IPv4Address(leading + numbers[-1])


def _parse_number(part: str) -> int:
    if not part.isascii() or not part.isalnum():
        raise ValueError(part)
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8 if part[0] == "0" else 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The addresses that one page may connect to."""

    #: All addresses, not only public ones.
    allow_private: bool = False
    #: The only hosts (as the page spells them) and ports, public or not.
    only: frozenset[tuple[str, int]] | None = None
    #: Allowed addresses and ports in non-public ranges.
    exceptions: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def for_page(cls, options: RenderOptions, target: str | PageSource) -> Policy:
        """Return the policy for one page: without network access, an address may still connect to its own origin."""
        document = target if isinstance(target, PageSource) else None
        only: frozenset[tuple[str, int]] | None = None
        if is_network_blocked(document, options):
            only = frozenset({host_and_port(target)}) if isinstance(target, str) else frozenset()
        return cls(allow_private=options.allow_private, only=only)

    def refusal(self, address: Address, port: int) -> str | None:
        """Return why an address may not be connected to, or None."""
        kind = None if self.allow_private or (str(address), port) in self.exceptions else non_public_kind(address)
        return f"{address} is {kind} address; {_HINT}" if kind else None


def host_and_port(url: str) -> tuple[str, int]:
    """Return the host (in lower case) and the port of an http(s) or ws(s) address."""
    parts = urlsplit(url)
    host = unquote(parts.hostname or "").removesuffix(".")
    return host, parts.port or (443 if parts.scheme in {"https", "wss"} else 80)


class Guard:
    """Resolves the hosts of one page to the addresses that it may connect to, each host once."""

    def __init__(self, policy: Policy, resolve: Resolve | None = None) -> None:
        self._policy = policy
        self._resolve = resolve or _system_resolve
        self._resolved: dict[str, asyncio.Task[list[Address]]] = {}

    async def addresses(self, host: str, port: int) -> list[Address]:
        """Return the allowed addresses of a host, at least one; raise Refused if none is, PageFailed if it has none."""
        name = host.lower().removesuffix(".")
        if self._policy.only is not None and (name, port) not in self._policy.only:
            raise Refused(host, "this page is rendered offline")
        refusals = {address: self._policy.refusal(address, port) for address in await self._addresses(name)}
        if allowed := [address for address, refusal in refusals.items() if refusal is None]:
            return allowed
        first = next(refusal for refusal in refusals.values() if refusal is not None)
        _LOG.info("refused: %s, port %d: %s", host, port, first)
        raise Refused(host, first if ip_literal(name) else f"of {host}, {first}")

    async def _addresses(self, name: str) -> list[Address]:
        if (address := ip_literal(name)) is not None:
            return [address]
        if name not in self._resolved:
            self._resolved[name] = asyncio.ensure_future(self._look_up(name))
        # A cancelled request must not cancel the lookup for the others that await it.
        return await asyncio.shield(self._resolved[name])

    async def _look_up(self, name: str) -> list[Address]:
        if name == "localhost" or name.endswith(".localhost"):  # RFC 6761
            return [IPv4Address("127.0.0.1"), IPv6Address("::1")]
        try:
            texts = await asyncio.wait_for(self._resolve(name), _RESOLVE_TIMEOUT)
        except TimeoutError as error:
            raise NameUnresolved(name, "the name server did not answer") from error
        except (OSError, UnicodeError) as error:
            raise NameUnresolved(name, "no such host") from error
        if not texts:
            raise NameUnresolved(name, "no such host")
        return list(dict.fromkeys(ip_address(text) for text in texts))

    def close(self) -> None:
        """Cancel all lookups."""
        for task in self._resolved.values():
            if task.done() and not task.cancelled():
                task.exception()
            task.cancel()


async def _system_resolve(name: str) -> list[str]:
    loop = asyncio.get_running_loop()
    results = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(sockaddr[0]) for _, _, _, _, sockaddr in results]
