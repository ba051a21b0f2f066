"""Entries of the lexicon: words and patterns by language, in the TOML files of this folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path


@cache
def by_language(file: str) -> dict[str, dict[str, list[str]]]:
    """Return the entries of a file, such as "labels", by table and language.

    A key of a table is the language of its entries (ISO 639-1), several of these with spaces between, or "any".
    """
    return tomllib.loads(Path(__file__).with_name(f"{file}.toml").read_text(encoding="utf-8"))


@cache
def entries(file: str) -> dict[str, tuple[str, ...]]:
    """Return the entries of all languages by table of a file.

    >>> entries("labels")["SHARE"]
    ('share', 'tweet', '分享', 'シェア')
    """
    return {table: tuple(chain.from_iterable(words.values())) for table, words in by_language(file).items()}


def alternatives(*words: Iterable[str], end: str = "") -> str:
    """Return words as alternatives of a regular expression, each followed by ``end``.

    >>> alternatives(("by", "von"), ("par",), end="!")
    'by!|von!|par!'
    """
    return "|".join(f"{word}{end}" for word in dict.fromkeys(chain(*words)))
