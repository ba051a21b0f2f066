"""A page of an evaluation corpus, and its gold."""

from __future__ import annotations

import gzip
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

_WRAPPER = re.compile(rb"\A\s*<text\b[^>]*>|</text>\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What a corpus says of a page's content; parts that it does not have are empty.

    Attributes
    ----------
    texts : tuple of str
        Extractions that are all acceptable, the corpus' own first.
    markup : str
        The text with ``<h>``, ``<p>``, ``<l>`` before its segments.
    must_have, must_not : tuple of str
        Snippets.
    leaves : tuple of (str, bool)
        Text nodes in document order, and whether each is content.
    """

    texts: tuple[str, ...] = ()
    markup: str = ""
    must_have: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    leaves: tuple[tuple[str, bool], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.texts or self.must_have or self.must_not or self.leaves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One page of a corpus.

    Attributes
    ----------
    corpus, id : str
    path : Path
        The file with the raw bytes, packed by gzip where its name says so.
    gold : Gold
    url : str or None
    url_path : str or None
        For sites kept as a whole: the address within the folder, when that is served.
    encoding : str or None
        To read the bytes with, where the corpus knows.
    kind, language : str
        Type and language of the page where the corpus knows them, else "".
    split : str
        "train" or "dev"; "" where the corpus does not say.
    error : str
        Why the page cannot be used, "" if it can.
    """

    corpus: str
    id: str
    path: Path
    gold: Gold = Gold()
    url: str | None = None
    url_path: str | None = None
    encoding: str | None = None
    kind: str = ""
    language: str = ""
    split: str = ""
    error: str = ""

    def raw(self) -> bytes:
        """Read the page's bytes; a ``<text>`` around the page, as CleanEval has it, is left out.

        Raises
        ------
        OSError
            When the file cannot be read or unpacked.
        """
        data = self.path.read_bytes()
        return _WRAPPER.sub(b"", gzip.decompress(data) if self.path.suffix == ".gz" else data)


def sample(cases: list[Case], limit: int | None) -> list[Case]:
    """Choose so many pages, the same ones every time, in turn from each kind."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in sorted(cases, key=lambda case: zlib.crc32(case.id.encode())):
        groups[case.kind].append(case)
    spread = [case for turn in zip_longest(*(groups[kind] for kind in sorted(groups))) for case in turn if case]
    return spread[:limit]
