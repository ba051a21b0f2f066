"""Measures of readings: what each set of blocks of a page is like, one column each."""

from __future__ import annotations

import re

import numpy as np

from ...features.sections import FAMILIES
from ...lexicon.word_lists import entries
from ...page.arrays import TINY, BoolColumn, FloatArray, prefix_sums
from ...page.role_names import ROLE, ROLES
from ...records.candidates import SET_COLUMNS
from .calibration import Calibration
from .readings import PageReadings

#: Roles whose share of a reading, and the share of whose text is in it, are columns.
ROLES_OF = ("body", "post", "standfirst", "comment", "related", "navigation", "promotion", "form", "footer", "other")
#: Measures of the largest series of a reading, in proportion to its share of the reading.
SERIES_MEASURES = (
    "records", "prose", "free", "linked", "dates", "prices", "pictures", "headings", "even", "after_heading",
    "links_each", "in_nav", "in_header", "in_footer", "in_aside", "in_main", "in_article", "share", "free_share",
)  # fmt: skip
PAGE_MEASURES = ("prose", "index_address", "deep_address", "outside")
COLUMNS = (
    "expected_f1", "expected_f1_unshifted", "likelihood", "likelihood_rows", "mean", "mean_rows", "lowest",
    "highest_outside", "words_log", "rows_log", "share", "linked", "long_share", "long_held",
    *(f"{role}_share" for role in ROLES_OF), *(f"{role}_held" for role in ROLES_OF),
    *(f"below_{family}" for family in FAMILIES), *(f"says_{family}" for family in FAMILIES),
    "runs_log", "before_title", "title_gap_log", "gaps_share",
    "series_share", "broken", "largest_share", "series_held",
    *(f"largest_{name}" for name in SERIES_MEASURES),
    *(f"series_{name}" for name in PAGE_MEASURES), *(f"largest_{name}_page" for name in PAGE_MEASURES),
)  # fmt: skip
#: Those that are logarithms.
_LOGS = [COLUMNS.index(name) for name in ("words_log", "rows_log", "runs_log", "title_gap_log")]
_ROLE_OF = np.asarray([ROLE[name] for name in ROLES_OF], dtype=np.int32)
_SERIES_OF = [SET_COLUMNS.index(name) for name in SERIES_MEASURES]
#: Least probability of a block in the likelihood of a reading, and that it is none.
_LEAST_LIKELY = 0.02
_INDEX = re.compile("|".join(entries("markup")["INDEX_ADDRESS"]), re.IGNORECASE)
_ORIGIN = re.compile(r"^[a-z]+://[^/]*", re.IGNORECASE)


def reading_columns(reading: PageReadings, sets: BoolColumn, calibration: Calibration) -> FloatArray:
    """Compute :data:`COLUMNS` of sets of rows, bool (sets, rows), float64 (sets, columns)."""
    rows, weight, title = reading.rows, reading.weight, reading.title
    shifts, shares = calibration.shifts()
    # Without a shift of all scores, and with each.
    probable = calibration.probability(reading.scores + np.append(0.0, shifts)[:, None])
    sure = np.clip(probable[0], _LEAST_LIKELY, 1 - _LEAST_LIKELY)
    # What a row adds to the logarithm of the likelihood of a set that has it, and of one without.
    gain, base = np.log(sure / (1 - sure)), np.log(1 - sure)
    roles = np.zeros((len(rows), len(ROLES))) if reading.roles is None else reading.roles
    likely = probable[0]
    seen, long = weight > 0, rows.long * (weight > 0)
    inside = reading.inside * weight
    most = inside.max(axis=0, initial=0.0)
    blocks = [
        weight, seen, weight * gain, seen * gain, seen * likely, rows.link_words * seen, weight * long,
        weight * long * likely, weight * base, seen * base, weight * (np.arange(len(weight)) < title), most,
        most * likely,
    ]  # fmt: skip
    parts = [
        np.asarray(blocks, dtype=np.float64), weight * probable, weight * reading.label_matrix,
        weight * roles[:, _ROLE_OF].T, inside,
    ]  # fmt: skip
    values = np.ascontiguousarray(np.concatenate(parts).T)
    sums = np.stack([values.sum(axis=0), *(values[chosen].sum(axis=0) for chosen in sets)], axis=1)
    split = np.split(sums, np.cumsum([*map(len, parts)])[:-1])
    (whole, every, *_, whole_likely, whole_base, every_base, _, _, whole_series), *_ = (part[:, 0] for part in split)
    of_blocks, hit, labelled, held, in_series = (part[:, 1:] for part in split)
    words, count, gained, seen_gained, seen_likely, linked, in_long, likely_long, *rest = of_blocks
    *_, before, anywhere, likely_anywhere = rest
    size, count = np.maximum(words, TINY), np.maximum(count, TINY)
    total, every = max(float(whole), TINY), max(float(every), 1.0)
    reached = words + split[1][:, :1]
    expected = np.where(reached > 0, 2.0 * hit / np.maximum(reached, TINY), 0.0)
    runs, gap, span = _order(sets, weight, title)
    columns = [
        (shares[:, None] * expected[1:]).cumsum(axis=0)[-1],
        expected[0],
        (gained + whole_base) / total,
        (seen_gained + every_base) / every,
        hit[0] / size,
        seen_likely / count,
        np.where(sets & (weight >= 3), likely, 1.0).min(axis=1),
        np.where(~sets & seen, likely, 0.0).max(axis=1),
        size, count, size / total,
        linked / size,
        in_long / size,
        likely_long / max(float(whole_likely), 1.0),
        *(held / size), *(held / np.maximum(split[3][:, :1], 10.0)), *(labelled / size),
        runs, before / size, gap, (span - size) / total,
    ]  # fmt: skip
    anywhere, likely_anywhere = anywhere / size, likely_anywhere / max(float(whole_series), 1.0)
    of_page = page_measures(reading, likely)
    columns += _series_columns(reading, size, in_series, anywhere, likely_anywhere, of_page)
    found = np.stack(columns, axis=1)
    found[:, _LOGS] = np.log1p(found[:, _LOGS])
    return found


def _order(sets: BoolColumn, weight: FloatArray, title: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the number of stretches, the rows from the headline up to the first, and the words from first to last."""
    runs = sets[:, :1].sum(axis=1) + (sets[:, 1:] & ~sets[:, :-1]).sum(axis=1)
    first = sets.argmax(axis=1)
    last = sets.shape[1] - 1 - sets[:, ::-1].argmax(axis=1)
    sums = prefix_sums(weight)
    gap = np.maximum(first - title - 1, 0) if title >= 0 else np.zeros(len(sets))
    return runs.astype(np.float64), gap.astype(np.float64), sums[last + 1] - sums[first]


def _series_columns(
    reading: PageReadings,
    size: FloatArray,
    held: FloatArray,
    anywhere: FloatArray,
    likely_anywhere: FloatArray,
    of_page: tuple[float, ...],
) -> list[FloatArray]:
    """Return the shares of series, whole and broken, and measures of the largest in proportion to its share.

    ``held`` are the words of each series in each set, float64 (series, sets).
    """
    if not len(held):
        zeros = np.zeros(len(size))
        measures = [anywhere * value for value in of_page]
        return [anywhere, zeros, zeros, likely_anywhere, *[zeros] * len(SERIES_MEASURES), *measures, *measures]
    amount = np.maximum((reading.likely * reading.weight).sum(axis=1), TINY)[:, None]
    broken = np.clip(np.minimum(held, amount - held), 0, None).sum(axis=0) / size
    share = held.max(axis=0) / size
    largest = [reading.series[place].number for place in held.argmax(axis=0).tolist()]
    measures_of_it = reading.records.without_names[largest][:, _SERIES_OF] * share[:, None]
    return [
        anywhere, broken, share, likely_anywhere, *measures_of_it.T,
        *(anywhere * value for value in of_page), *(share * value for value in of_page),
    ]  # fmt: skip


def page_measures(reading: PageReadings, likely: FloatArray) -> tuple[float, ...]:
    """Return the share of long text outside of series, whether the address is an index's, and its depth."""
    rows, weight = reading.rows, reading.weight
    outside = ~reading.inside.any(axis=0)
    prose = float((weight * rows.long * outside * likely).sum() / max(float((weight * likely).sum()), 1.0))
    path = _ORIGIN.sub("", rows.page.url)
    words = re.split(r"[-_]", path.rstrip("/").rpartition("/")[2])
    out = float((weight * outside * likely).sum() / max(float((weight * likely).sum()), 1.0))
    return prose, float(bool(_INDEX.search(path)) or path in ("", "/")), float(len(words) >= 4), out
