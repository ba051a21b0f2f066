"""The reading model: the probability of each of a page's readings, and the choice of the content by them.

A log-linear model of the whole reading: the probabilities of blocks are one column of many, the expected F1 of the set.
The others say what blocks do not: how much of it is comments, teasers or menus, how much of the likely text it leaves
out, whether it breaks a series, whether it starts at the headline.

The content is the reading with the largest expected F1 (minimum Bayes risk): by the probabilities of the blocks where
these are sure; the less sure they are, the more by the F1 against all other readings, weighted by their probability.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...document.records.group_features import SET_COLUMNS, measures_without_groups
from ...errors import ModelMismatch
from ...features.sections import FAMILIES
from ...files.npz import FileKind, read_npz, write_npz
from ...page.arrays import ONE_THREAD, BoolColumn, FloatArray
from ...page.role_names import ROLE
from .calibration import Calibration
from .readings import PageReadings
from .selection import Selection
from .svm import standardise

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

#: Weight of the other readings, relative to what the expected F1 by blocks lacks to 1.
DOUBT = 0.6
KIND = FileKind(
    format="blocksight-readings",
    version=1,
    title="model of readings",
    remedy="pass an .npz file that `blocksight train` has written",
)
_INDEX = re.compile(
    r"(?:^|/)(?:tags?|category|categories|archives?|page|search|blog|news|collections?|topics?|section|index|docs|events"
    r"|archive|label|author|products?|shop|courses)(?:/\d+)?/?(?:index\.\w+)?$|[?&](?:q|s|query|search|page|p)=|/page/\d+"
    r"|/(?:tag|category|collections?|label|author|topic)s?/",
    re.IGNORECASE,
)
_ORIGIN = re.compile(r"^[a-z]+://[^/]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadingModel:
    """A log-linear model of the readings of a page: softmax of ``((x - mean) / deviation, clipped) · weight``.

    ``mean``, ``deviation`` and ``weight`` are float64 (:data:`COLUMNS`,).
    """

    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray

    def probability(self, columns: FloatArray) -> FloatArray:
        """Return the probability of each reading of a page to be its content, float64 (readings,)."""
        worth = standardise(columns, self.mean, self.deviation) @ self.weight
        likely = np.exp(worth - worth.max())
        probability: FloatArray = likely / likely.sum()
        return probability

    def best(self, columns: FloatArray, overlaps: FloatArray) -> int:
        """Return the index of the reading with the largest expected F1; ``overlaps`` are the F1 of each two of them."""
        by_blocks = columns[:, COLUMNS.index("expected_f1")]
        doubt = min(DOUBT * (1.0 - float(by_blocks.max())), 1.0)
        return int(np.argmax((1.0 - doubt) * by_blocks + doubt * (overlaps @ self.probability(columns))))

    def save(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        """Write the model to an ``.npz`` file of plain numbers, with what it was fitted to."""
        parts = {part.name: getattr(self, part.name).astype(np.float32) for part in fields(self)}
        write_npz(path, KIND, {"columns": COLUMNS, "about": dict(about)}, parts)


def load_readings(path: str | os.PathLike[str]) -> ReadingModel:
    """Read a saved reading model; ModelMismatch if it is damaged or has other columns, ModelMissing without one."""
    head, arrays = read_npz(path, KIND)
    parts = {part.name: arrays.get(part.name, np.zeros(0)).astype(np.float64) for part in fields(ReadingModel)}
    whole = all(values.shape == (len(COLUMNS),) and np.isfinite(values).all() for values in parts.values())
    if tuple(head.get("columns", ())) != COLUMNS or not whole or not (parts["deviation"] > 0).all():
        raise ModelMismatch(f"{os.fsdecode(path)}: this model of readings is damaged, or of another version")
    return ReadingModel(**parts)


@cache
def shipped_readings() -> ReadingModel:
    """Return the reading model of the package, for models of blocks and roles that have none of their own."""
    return load_readings(Path(__file__).with_name("readings.npz"))


def choose_reading(model: ReadingModel, reading: PageReadings, calibration: Calibration) -> Selection:
    """Return the best reading of a page, and its expected F1 by the probabilities of its blocks."""
    sets = reading.sets()
    if not sets:
        return Selection(rows=np.zeros(len(reading.rows), dtype=bool), expected_f1=0.0)
    stacked = np.stack(sets).astype(np.float64)
    columns = reading_columns(reading, stacked, calibration)
    best = model.best(columns, overlaps_of(stacked, reading.weight))
    return Selection(rows=sets[best], expected_f1=float(columns[best, COLUMNS.index("expected_f1")]))


def overlaps_of(sets: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the F1 of each two sets, float64 (sets, sets), by the weights of their rows."""
    common = _sums(sets, sets.T * weight[:, None])
    size = common.diagonal()
    f1: FloatArray = 2 * common / np.maximum(size[:, None] + size[None], 1e-9)
    return f1


def _sums(sets: FloatArray, columns: FloatArray) -> FloatArray:
    """Return the sums of columns, float64 (rows, columns), over each set: ``sets @ columns``, in one thread.

    As :func:`~blocksight.page.arrays.product`, but there are few sets, so that some rows of the columns are taken at a
    time.
    """
    at_once = max(ONE_THREAD // max(len(sets) * columns.shape[1], 1), 1)
    sums = np.zeros((len(sets), columns.shape[1]))
    for first in range(0, len(columns), at_once):
        sums += sets[:, first : first + at_once] @ columns[first : first + at_once]
    return sums


def reading_columns(reading: PageReadings, sets: FloatArray, calibration: Calibration) -> FloatArray:
    """Compute :data:`COLUMNS` of sets of rows, float64 (sets, rows) of 0 and 1."""
    rows, weight = reading.rows, reading.weight
    shifts, shares = calibration.shifts()
    probable = calibration.probability(reading.scores + np.append(0.0, shifts)[:, None])
    likely, hit = probable[0], weight * probable
    seen = weight > 0
    total, every = max(float(weight.sum()), 1e-9), max(float(seen.sum()), 1.0)
    marks = sets > 0
    sure = np.clip(likely, 0.02, 0.98)
    gain = np.log(sure / (1 - sure))
    base = np.log(1 - sure)
    long = rows.long * seen
    # The sums over each set of all columns are one product.
    blocks = np.stack(
        [
            weight, seen, weight * gain, seen * gain, seen * likely, rows.link_words * seen, weight * long,
            weight * long * likely,
        ]
    )  # fmt: skip
    labels = np.stack([reading.labels[f"{kind}_{family}"] for kind in ("below", "says") for family in FAMILIES])
    mass = _role_mass(reading)
    parts = [blocks, hit, weight * labels, mass, *_series_mass(reading, likely)]
    sums = iter(np.split(_sums(sets, np.concatenate(parts).T).T, np.cumsum([*map(len, parts)])[:-1]))
    words, count, gained, seen_gained, seen_likely, linked, in_long, likely_long = next(sums)
    size, count = np.maximum(words, 1e-9), np.maximum(count, 1e-9)
    found = next(sums)
    reached = words + hit.sum(axis=1)[:, None]
    expected = np.where(reached > 0, 2.0 * found / np.maximum(reached, 1e-12), 0.0)
    columns = [
        shares @ expected[1:],
        expected[0],
        (gained + (weight * base).sum()) / total,
        (seen_gained + (seen * base).sum()) / every,
        found[0] / size,
        seen_likely / count,
        np.where(marks & (weight >= 3), likely, 1.0).min(axis=1),
        np.where(~marks & seen, likely, 0.0).max(axis=1),
        np.log1p(size), np.log1p(count), size / total,
        linked / size,
        in_long / size,
        likely_long / max(float((weight * long * likely).sum()), 1.0),
    ]  # fmt: skip
    labelled, held = next(sums), next(sums)
    columns += [*(held / size), *(held / np.maximum(mass.sum(axis=1), 10.0)[:, None]), *(labelled / size)]
    columns += _order_columns(reading, marks, size, total)
    columns += _series_columns(reading, likely, size, *sums)
    return np.stack(columns, axis=1)


def _role_mass(reading: PageReadings) -> FloatArray:
    """Return the words of each row by their roles, float64 (:data:`ROLES_OF`, rows)."""
    if reading.roles is None:
        return np.zeros((len(ROLES_OF), len(reading.rows)))
    return reading.weight * reading.roles[:, [ROLE[name] for name in ROLES_OF]].T


def _order_columns(reading: PageReadings, marks: BoolColumn, size: FloatArray, total: float) -> list[FloatArray]:
    """Return the number of stretches, what is before the headline, the rows up to the first, and what is between."""
    weight, index = reading.weight, np.arange(marks.shape[1])
    starts = marks[:, :1].sum(axis=1) + (marks[:, 1:] & ~marks[:, :-1]).sum(axis=1)
    first = marks.argmax(axis=1)
    last = marks.shape[1] - 1 - marks[:, ::-1].argmax(axis=1)
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    span = sums[last + 1] - sums[first]
    before = (marks * (weight * (index < reading.title))).sum(axis=1) / size
    gap = np.maximum(first - reading.title - 1, 0) if reading.title >= 0 else np.zeros(len(marks))
    return [np.log1p(starts), before, np.log1p(gap), (span - size) / total]


def _series_mass(reading: PageReadings, likely: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the words of each row in each series, and in any of them with those that are likely, (..., rows)."""
    inside = reading.inside * reading.weight
    most = inside.max(axis=0, initial=0.0)
    return inside, np.stack([most, most * likely])


def _series_columns(
    reading: PageReadings, likely: FloatArray, size: FloatArray, held: FloatArray, any_series: FloatArray
) -> list[FloatArray]:
    """Return the shares of series, whole and broken, and measures of the largest in proportion to its share.

    ``held`` and ``any_series`` are the sums of :func:`_series_mass` over each set.
    """
    page = page_measures(reading, likely)
    if not reading.series:
        return [np.zeros(len(size))] * (4 + len(SERIES_MEASURES) + 2 * len(PAGE_MEASURES))
    amount = np.maximum((reading.likely * reading.weight).sum(axis=1), 1e-9)[:, None]
    broken = np.clip(np.minimum(held, amount - held), 0, None).sum(axis=0) / size
    largest = held.argmax(axis=0)
    share = held.max(axis=0) / size
    measures = _series_measures(reading)[largest] * share[:, None]
    anywhere = any_series[0] / size
    mass = float(_series_mass(reading, likely)[1][1].sum())
    return [
        anywhere, broken, share, any_series[1] / max(mass, 1.0), *measures.T,
        *(anywhere * value for value in page), *(share * value for value in page),
    ]  # fmt: skip


def _series_measures(reading: PageReadings) -> FloatArray:
    page = reading.rows.page
    groups = [one.group for one in reading.series]
    matrix = measures_without_groups(page).with_groups(groups).without_names
    return matrix[:, [SET_COLUMNS.index(name) for name in SERIES_MEASURES]]


def page_measures(reading: PageReadings, likely: FloatArray) -> tuple[float, ...]:
    """Return the share of long text outside of series, whether the address is an index's, and its depth."""
    rows, weight = reading.rows, reading.weight
    outside = ~reading.inside.any(axis=0)
    prose = float((weight * rows.long * outside * likely).sum() / max(float((weight * likely).sum()), 1.0))
    path = _ORIGIN.sub("", rows.page.url)
    words = re.split(r"[-_]", path.rstrip("/").rpartition("/")[2])
    out = float((weight * outside * likely).sum() / max(float((weight * likely).sum()), 1.0))
    return prose, float(bool(_INDEX.search(path)) or path in ("", "/")), float(len(words) >= 4), out
