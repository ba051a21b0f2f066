"""The data dictionary: name, group, meaning, unit, range and source of every column, from the catalogue itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf

import pandas as pd

from ..papers import fiasco, genieknows, krdwrd, victor
from ..table import CATALOGUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Unit of a column and the least and greatest value that it can have."""

    unit: str
    low: float = 0.0
    high: float = inf


FLAG = Scale(unit="0 or 1", high=1.0)
SHARE = Scale(unit="share", high=1.0)
RATIO = Scale(unit="ratio")

#: How a meaning begins tells its scale. The first pattern that fits counts; every column must have one (or an entry in
#: :data:`SCALES`).
OPENINGS: tuple[tuple[re.Pattern[str], Scale], ...] = tuple(
    (re.compile(pattern), scale)
    for pattern, scale in (
        (r"1 (where|for|after|before|inside|on|within)\b", FLAG),
        (r"ln\(1 \+ blocks between", Scale(unit="ln(1 + blocks), signed", low=-inf)),
        (r"ln\(1 \+ height", Scale(unit="ln(1 + lines)")),
        (r"ln\(1 \+ ", Scale(unit="ln(1 + n)")),
        (r"ln\(", Scale(unit="ln(n)")),
        (r"share of|their link density|.*as a share of|likeness|difference in lightness", SHARE),
        (r"number of words a sentence", Scale(unit="words a sentence")),
        (r"(number|levels) (of|from)", Scale(unit="count")),
        (r"square pixels", Scale(unit="square CSS pixels")),
        (r"pixels", Scale(unit="CSS pixels", low=-inf)),
        (r"ratio|distance|white space|horizontal offset", RATIO),
    )
)
SCALES: dict[str, Scale] = {
    "word_length": Scale(unit="characters a word"),
    "comma_density": Scale(unit="commas a word"),
    "text_density": Scale(unit="words a tag"),
    "links_a_word": Scale(unit="links a word"),
    "depth": Scale(unit="tens of levels"),
    "scored_tree_distance": Scale(unit="levels", high=10.0),
    "scored_parent": SHARE,
    "x": Scale(unit="page widths", low=-inf),
    "y": Scale(unit="page heights", low=-inf),
    "width": Scale(unit="page widths"),
    "area_share": RATIO,
    "center_offset": Scale(unit="half page widths", low=-inf),
    "solidity3": RATIO,
    "convexity": SHARE,
    "line_words": SHARE,
    "last_line": RATIO,
    "ink": Scale(unit="ratio", high=1.5),
    "line_difference": Scale(unit="shares of the page", low=-1.0, high=1.0),
    "first_line_y": Scale(unit="window heights", low=-inf, high=10.0),
    "font_size": Scale(unit="body font sizes", high=4.0),
    "box_width": Scale(unit="page widths"),
    "box_x": Scale(unit="page widths", low=-inf),
    "gap_before": Scale(unit="lines", low=-5.0, high=10.0),
    "gap_after": Scale(unit="lines", low=-5.0, high=10.0),
    "beside": Scale(unit="ln(1 + blocks)"),
    "element_x": Scale(unit="page widths", low=-inf),
    "element_width": Scale(unit="page widths"),
    "element_center": Scale(unit="half page widths", low=-inf),
} | {f"make{level}_spread": Scale(unit="ratio", high=3.0) for level in range(4)}

SOURCES = {
    "text": "blocksight; text_density after CETD (Sun, Song, Liao, SIGIR 2011)",
    "link": "blocksight",
    "structure": "blocksight",
    "keyword": "blocksight",
    "region": "blocksight; after Readability (Arc90, 2009) and MSS (Pasternack, Roth, WWW 2009)",
    "neighbour": "blocksight",
    "section": "blocksight",
    "page": "blocksight",
    "visual": "blocksight; outlines after FIASCO (Bauer et al., WAC3 2007)",
    "proportion": "blocksight",
    "linguistic": "blocksight; after FIASCO (Bauer et al., WAC3 2007); word lists and tagger ours",
    "fiasco": fiasco.SOURCE,
    "krdwrd": krdwrd.SOURCE,
    "genieknows": genieknows.SOURCE,
    "victor": victor.SOURCE,
}

_NEIGHBOUR = re.compile(r"at[+-]\d+_(.+)")


def scale_of(name: str, meaning: str) -> Scale:
    """Return the scale of a column.

    Raises
    ------
    LookupError
        When neither its name nor the beginning of its meaning tells; add it to :data:`SCALES`.
    """
    if name in SCALES:
        return SCALES[name]
    if neighbour := _NEIGHBOUR.fullmatch(name):
        return scale_of(neighbour[1], _meanings()[neighbour[1]])
    for opening, scale in OPENINGS:
        if opening.match(meaning):
            return scale
    raise LookupError(f"the scale of {name} ({meaning}) is not known: add it to SCALES")


def dictionary(*groups: str) -> pd.DataFrame:
    """Describe the feature columns of some groups, or of all.

    Returns
    -------
    DataFrame
        One row a column: ``name``, ``group``, ``meaning``, ``unit``, ``low``, ``high`` (infinite where there is no
        bound) and ``source``.
    """
    rows = []
    for group in groups or CATALOGUE:
        for name, meaning in CATALOGUE[group].items():
            scale = scale_of(name, meaning)
            rows.append((name, group, meaning, scale.unit, scale.low, scale.high, SOURCES[group]))
    return pd.DataFrame(rows, columns=["name", "group", "meaning", "unit", "low", "high", "source"])


def _meanings() -> dict[str, str]:
    return {name: meaning for docs in CATALOGUE.values() for name, meaning in docs.items()}
