"""Preferences about the use of a page: those of robots.txt, headers, ``meta`` elements and tdmrep.json.

``Content-Usage`` (draft-ietf-aipref-attach-05, with the vocabulary of draft-ietf-aipref-vocab), ``Content-Signal``
(contentsignals.org), ``noai`` and ``noimageai`` of ``X-Robots-Tag``, and the TDM Reservation Protocol (W3C Community
Group, 2024). This module needs nothing else of the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from string import ascii_letters, digits, punctuation
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

#: Uses, as commands name them: search results, input of models, training, training with pictures, text and data mining.
USES = ("search", "ai-input", "ai-train", "ai-image", "tdm")
#: Uses that a reservation of another use includes.
_INCLUDED_IN = {"ai-train": ("tdm",), "ai-image": ("ai-train", "tdm")}
#: Keys of Content-Usage and of Content-Signal, and their uses.
_CATEGORIES = {"train-ai": "ai-train", "search": "search"}
_SIGNALS = ("search", "ai-input", "ai-train")
_DIRECTIVES = {"noai": "ai-train", "noimageai": "ai-image"}
#: Fields of responses that state preferences.
FIELDS = ("content-usage", "content-signal", "x-robots-tag", "tdm-reservation")
#: Those of the lines of robots.txt.
_RULES = ("content-usage", "content-signal")
#: The ``meta`` elements that state preferences.
_META = ("tdm-reservation", "robots")
#: A longer statement is cut off, which is invalid for Content-Usage.
_MOST_CHARACTERS, _MOST_STATEMENTS = 2000, 50
#: Directives of X-Robots-Tag with a value after a colon, where others have the name of a robot before it.
_VALUED = re.compile(r"\s*(?:unavailable_after|max-[a-z-]+)\s*:", re.IGNORECASE)
#: A member of a dictionary (RFC 9651, section 4.2.2): key, value, parameters.
_KEY = r"[a-z*][a-z0-9_.*-]*+"
_ITEM = (
    r'(?:%?"(?:[ !#-\[\]-~]|\\["\\])*+"|[a-zA-Z*][a-zA-Z0-9!#$%&\'*+.^_`|~:/-]*+|@?-?[0-9]++(?:\.[0-9]++)?'
    r"|:[a-zA-Z0-9+/=]*+:|\?[01])"
)
_PARAMETERS = rf"(?:; *+{_KEY}(?:={_ITEM})?)*+"
_LIST = rf"\( *+(?:{_ITEM}{_PARAMETERS} *+)*+\)"
_MEMBER = re.compile(rf"({_KEY})(?:=({_ITEM}|{_LIST}))?{_PARAMETERS}[ \t]*+(,[ \t]*+(?=[a-z*])|$)")
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset(ascii_letters + digits + "-._~")


class Statement(NamedTuple):
    """A statement about use: its source (robots.txt, tdmrep.json, header, meta), field in lower case, and value."""

    source: str
    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.source} {self.name}: {self.value}"


class UsageRule(NamedTuple):
    """A line of robots.txt: its field in lower case, the pattern of its paths ("" for all), and its value."""

    name: str
    pattern: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Preferences about the use of a page: True if it is allowed, False if it is reserved, None if nothing is stated.

    Of several statements the most restrictive applies; of ``tdm``, the last of tdmrep.json, header and ``meta``.

    Attributes
    ----------
    search : bool, optional
        Search results with a link.
    ai_input : bool, optional
        Input of models, such as for answers.
    ai_train : bool, optional
        Training of models.
    ai_image : bool, optional
        Training with pictures of the page.
    tdm : bool, optional
        Text and data mining (Directive (EU) 2019/790, article 4).
    sources : mapping of str to str
        The statement that decided each use, with its source.
    """

    search: bool | None = None
    ai_input: bool | None = None
    ai_train: bool | None = None
    ai_image: bool | None = None
    tdm: bool | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sources)

    def __str__(self) -> str:
        """Return the preferences as ``search=y, ai-train=n``."""
        stated = ((use, getattr(self, attribute_of(use))) for use in USES)
        return ", ".join(f"{use}={'y' if allowed else 'n'}" for use, allowed in stated if allowed is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return what is stated as plain values."""
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in known.items() if value not in (None, {})}

    def reserved(self, use: str) -> str:
        """Return the statement that reserves a use of :data:`USES`, "" if none does.

        Training is text and data mining, and training with pictures is training: a reservation of one reserves the
        other. Raises ValueError for an unknown use.
        """
        if use not in USES:
            raise ValueError(f"{use!r} is no use; there are {', '.join(USES)}")
        names = map(attribute_of, (use, *_INCLUDED_IN.get(use, ())))
        return next((self.sources[name] for name in names if getattr(self, name) is False), "")


def attribute_of(use: str) -> str:
    """Return the attribute of :class:`Usage` for a use."""
    return use.replace("-", "_")


def usage_of(statements: Iterable[Statement], *, agent: str = "blocksight") -> Usage:
    """Combine statements, those of tdmrep.json first and those of ``meta`` last; invalid ones state nothing.

    ``agent`` is the product token whose statements of ``X-Robots-Tag`` apply, besides those for all robots.

    >>> str(usage_of([Statement("header", "content-usage", "train-ai=n, search=y")]))
    'search=y, ai-train=n'
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for statement in statements:
        for use, allowed in _preferences(statement, agent.lower()):
            name = attribute_of(use)
            if name == "tdm" or values.get(name) is None or (values[name] and not allowed):
                values[name], sources[name] = allowed, str(statement)
    return Usage(**values, sources=sources)


def _preferences(statement: Statement, agent: str) -> list[tuple[str, bool]]:
    """Return the uses that a statement allows or reserves."""
    name, value = statement.name, statement.value[:_MOST_CHARACTERS]
    if name == "content-usage":
        known = {"y": True, "n": False}
        members = _dictionary(value)
        return [(_CATEGORIES[key], known[one]) for key, one in members.items() if key in _CATEGORIES and one in known]
    if name == "content-signal":
        pairs = [[part.strip().lower() for part in pair.split("=", 1)] for pair in value.split(",")]
        known = {"yes": True, "no": False}
        return [(pair[0], known[pair[1]]) for pair in pairs if pair[0] in _SIGNALS and pair[-1] in known]
    if name in ("x-robots-tag", "robots"):
        return [(_DIRECTIVES[one], False) for one in _directives(value, agent) if one in _DIRECTIVES]
    known = {"0": True, "1": False}
    return [("tdm", known[value])] if name == "tdm-reservation" and value in known else []


def _dictionary(value: str) -> dict[str, str]:
    """Parse a dictionary of structured fields (RFC 9651): the last value of each key; {} if it is invalid."""
    members, position, value = dict[str, str](), 0, value.strip(" ")
    while position < len(value):
        member = _MEMBER.match(value, position)
        if member is None:
            return {}
        members[member[1]] = member[2] or ""
        position = member.end()
    return members


def _directives(value: str, agent: str) -> Iterable[str]:
    """Yield the directives of X-Robots-Tag for one robot: those after the name of another one are for that."""
    robot = ""
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and not _VALUED.match(part):
            robot = name.strip()
        else:
            rest = part
        if robot in ("", "*", agent):
            yield rest.strip()


def header_statements(headers: Mapping[str, str]) -> str:
    """Return the statements of headers with names in lower case, one a line, as :func:`parse_statements` reads them."""
    lines = [Statement("header", name, one) for name in FIELDS if name in headers for one in headers[name].split("\n")]
    return written_statements(lines)


def meta_statements(named: Iterable[tuple[str, str]]) -> list[Statement]:
    """Return the statements of ``meta`` elements, given by name in lower case and content."""
    return [Statement("meta", name, value[:_MOST_CHARACTERS].strip()) for name, value in named if name in _META]


def written_statements(statements: Iterable[Statement]) -> str:
    """Return statements as text, one a line."""
    lines = [" ".join(str(one)[:_MOST_CHARACTERS].split()) for one in statements]
    return "\n".join(lines[:_MOST_STATEMENTS]).encode("utf-8", "replace").decode()


def parse_statements(lines: str) -> list[Statement]:
    """Parse what :func:`written_statements` has written; other lines are ignored."""
    parsed = (re.fullmatch(r"(\S+) ([a-z-]+): ?(.*)", line) for line in lines.split("\n"))
    return [Statement(match[1], match[2], match[3]) for match in parsed if match]


def robots_rules(text: str, agent: str) -> tuple[UsageRule, ...]:
    """Return the rules of a robots.txt about use for one product token, else those for ``*``.

    Rules before the first group are for ``*``.
    """
    agent = agent.lower()
    groups: dict[str, list[UsageRule]] = {}
    names, is_start = {"*"}, False
    for line in text.replace("\r", "\n").split("\n"):
        name, colon, value = line.partition("#")[0].partition(":")
        name, value = name.strip(" \t").lower(), value.strip(" \t")
        if not colon:
            continue
        if name == "user-agent":
            names = {*(names if is_start else ()), *({value.lower()} & {agent, "*"})}
            if agent in names:
                groups.setdefault(agent, [])
        elif name in _RULES:
            path, _, rest = value.replace("\t", " ").partition(" ") if value.startswith("/") else ("", "", value)
            rule = UsageRule(name, path, rest.strip(" \t"))
            for each in names:
                groups.setdefault(each, []).append(rule)
        is_start = name == "user-agent"
    return tuple(groups.get(agent, groups.get("*", ())))


def robots_statements(rules: Iterable[UsageRule], address: str) -> list[Statement]:
    """Return the statements of robots.txt for an address: of each field, those of the longest matching pattern."""
    path = _path_of(address)
    lengths = ((len(pattern), rule) for rule in rules if matches_path(pattern := _normal(rule.pattern), path))
    matching = sorted(lengths, key=lambda one: one[0])
    longest = {rule.name: length for length, rule in matching}
    found = [rule for length, rule in matching if length == longest[rule.name]]
    return [Statement("robots.txt", rule.name, rule.value) for rule in found[:_MOST_STATEMENTS]]


def tdmrep_statements(text: str, address: str) -> list[Statement]:
    """Return the statements of a /.well-known/tdmrep.json for an address: those of the first rule that matches."""
    try:
        rules = json.loads(text)
    except (ValueError, RecursionError):
        return []
    path = _path_of(address)
    for rule in rules if isinstance(rules, list) else ():
        if not isinstance(rule, dict) or not isinstance(location := rule.get("location"), str):
            continue
        if matches_path(_normal("/" + location.lstrip("/")), path):
            value = rule.get("tdm-reservation")
            return [Statement("tdmrep.json", "tdm-reservation", str(value))] if isinstance(value, int | str) else []
    return []


def matches_path(pattern: str, path: str) -> bool:
    """Return whether a pattern of RFC 9309 matches the beginning of a path; "*" is any text, a last "$" the end.

    >>> matches_path("/tea/*.html$", "/tea/green.html"), matches_path("/tea/*.html$", "/tea/green.html?a")
    (True, False)
    """
    first, *parts = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    position = len(first)
    last = parts.pop() if parts and pattern.endswith("$") else ""
    for part in parts:
        found = path.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    if not pattern.endswith("$"):
        return True
    return len(path) - len(last) >= position and path.endswith(last) if "*" in pattern else path == first


def _path_of(address: str) -> str:
    """Return path and query of an address, escaped as patterns are; "/" if it is no address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return _normal(path).replace("$", "%24").replace("*", "%2A")


def _normal(path: str) -> str:
    """Escape what is not ASCII, and nothing that needs no escape (RFC 3986, section 2.3)."""

    def once(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if character in _UNRESERVED else match[0].upper()

    return _ESCAPE.sub(once, quote(path, safe=punctuation, errors="replace"))
