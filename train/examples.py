"""The labelled rows of a data set as input of training."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..errors import BlocksightError, ModelMismatch
from ..features.block_table import column_names, groups_of, schema_hash
from ..page.arrays import FloatArray

#: Pages with fewer words of content are treated as if they had this number.
MIN_GOLD_WORDS = 50.0
MIN_WEIGHT, MAX_WEIGHT = 0.0015, 0.4


class NoExamples(BlocksightError):
    """A data set has nothing to learn from."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Examples:
    """Labelled rows of a data set."""

    columns: tuple[str, ...]  # Names of the features
    matrix: NDArray[np.float32]  # float32 (rows, columns): NaN where a value is missing
    label: NDArray[np.bool_]  # bool (rows,)
    words: FloatArray  # float64 (rows,)
    page: NDArray[np.int64]  # int64 (rows,): Number of the page and of the site of each row
    site: NDArray[np.int64]  # int64 (rows,)
    about: Mapping[str, str]  # Name of the data set and how it was made

    def __len__(self) -> int:
        return len(self.label)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of the features."""
        return groups_of(self.columns)

    def weights(self) -> FloatArray:
        """Return the weight of each row by its words, normalised per page."""
        weight = self.row_weights()
        normalised: FloatArray = weight / weight.mean()
        return normalised

    def row_weights(self) -> FloatArray:
        """Return the weight of each row by its words (:func:`row_weights`)."""
        return row_weights(self.words, self.label, self.page)


def row_weights(words: FloatArray, label: NDArray[np.bool_], page: NDArray[np.int64] | None = None) -> FloatArray:
    """Return the weight of each row: its share of the content's words, and so its effect on the page's F1.

    Every page has about the same total weight. Without ``page`` numbers all rows are of one page.
    """
    page = np.zeros(len(words), dtype=np.int64) if page is None else page
    content = np.bincount(page, weights=words * label)
    return np.clip(words / np.maximum(content, MIN_GOLD_WORDS)[page], MIN_WEIGHT, MAX_WEIGHT)


def read_examples(path: Path, *, groups: Collection[str] = (), split: str | None = "train") -> Examples:
    """Read the labelled rows of a Parquet file of ``blocksight dataset``, or of the folder with it.

    ``groups`` selects groups of features, ``split`` the rows of a split (None for all). Raises ModelMismatch if the
    file is no such data set or has outdated features, NoExamples without rows of both labels, and ValueError for a
    missing group.
    """
    path = path / "blocks.parquet" if path.is_dir() else path
    head = _head(path)
    columns = set(pq.read_schema(path).names)
    names = tuple(name for name in column_names() if name in columns)
    if head.get("schema") != schema_hash(names):
        raise ModelMismatch(f"{path}: its features are those of another version; build the data set again")
    absent = [group for group in groups if group not in groups_of(names)]
    if absent:
        raise ValueError(
            f"{path} has no features of the group {', '.join(absent)}; choose from {', '.join(groups_of(names))}"
        )
    names = tuple(name for name in column_names(*(groups or groups_of(names))) if name in names)
    try:
        return _examples(_labelled_rows(path, names, split), names, path, split, head)
    except (OSError, KeyError, ValueError, TypeError, pa.ArrowException) as error:
        raise ModelMismatch(f"{path}: its rows are damaged ({error}); build the data set again") from error


def _labelled_rows(path: Path, names: tuple[str, ...], split: str | None) -> pa.Table:
    rows = pq.read_table(path, columns=["page", "site", "split", "label", "words", *names])
    known = rows["label"].is_valid()
    if split is not None:
        known = pc.and_(known, pc.equal(rows["split"], split))
    return rows.filter(known)


def _examples(
    rows: pa.Table, names: tuple[str, ...], path: Path, split: str | None, head: Mapping[str, object]
) -> Examples:
    label = rows["label"].to_numpy().astype(bool)
    if label.all() or not label.any():
        where = f" of the split {split}" if split else ""
        raise NoExamples(
            f"{path}: needs rows{where} labelled as content and rows labelled as boilerplate (split chooses others)"
        )
    about = head.get("about")
    return Examples(
        columns=names,
        matrix=np.stack([rows[name].to_numpy() for name in names], axis=1).astype(np.float32),
        label=label,
        words=rows["words"].to_numpy().astype(np.float64),
        page=np.unique(rows["page"].to_numpy().astype(str), return_inverse=True)[1].astype(np.int64),
        site=np.unique(rows["site"].to_numpy().astype(str), return_inverse=True)[1].astype(np.int64),
        about=(dict(about) if isinstance(about, dict) else {}) | {"name": str(head.get("name", path.stem))},
    )


def _head(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise ModelMismatch(f"{path}: no such file; build data sets with `blocksight dataset`")
    try:
        metadata = pq.read_schema(path).metadata or {}
        return dict(json.loads(metadata[b"blocksight"]))
    except (OSError, KeyError, TypeError, ValueError, RecursionError, pa.ArrowException) as error:
        raise ModelMismatch(f"{path}: not a data set of blocksight ({error}); see `blocksight dataset`") from error
