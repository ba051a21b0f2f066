"""Data sets in the formats of other programs: Parquet, CSV, JSON Lines, ARFF, LIBSVM, Hugging Face."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ...files.atomic import atomic_path, write_text
from ..block_table import schema_hash
from .dataset_files import Dataset

#: Names of the splits in Hugging Face's programs.
HUGGING_FACE_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
#: Columns that are nominal in ARFF; texts are left out, since Weka does not read them, and so are page, site and split,
#: from which a classifier would learn where a block is from.
_ARFF_NOMINAL = ("tag",)
#: Columns of the file with the groups of the rows.
_GROUPS = ("page", "site", "split")
_ARFF_NUMBERS = ("words", "x_px", "y_px", "width_px", "height_px")


def write_parquet(dataset: Dataset, path: Path) -> None:
    """Write one Parquet file; metadata ``blocksight`` has its description and data dictionary."""
    about = {
        "name": dataset.name,
        "about": dict(dataset.about),
        "schema": schema_hash(dataset.features),
        "dictionary": _records(dataset.dictionary),
    }
    schema = dataset.written_schema.with_metadata({"blocksight": json.dumps(about)})
    with atomic_path(path) as unfinished, pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        for batch in dataset.batches():
            writer.write_table(batch.replace_schema_metadata(schema.metadata))


def write_csv(dataset: Dataset, path: Path) -> None:
    """Write comma-separated values with a header; missing values are empty."""
    with atomic_path(path) as unfinished, pa_csv.CSVWriter(unfinished, dataset.written_schema) as writer:
        for batch in dataset.batches():
            writer.write_table(batch)


def write_jsonl(dataset: Dataset, path: Path) -> None:
    """Write one JSON object per row; missing values are null."""
    with atomic_path(path) as unfinished, unfinished.open("wb") as out:
        for batch in dataset.batches():
            out.writelines(orjson.dumps(row) + b"\n" for row in batch.to_pylist())


def write_arff(dataset: Dataset, path: Path) -> None:
    """Write Weka's format (ARFF, 1999): tags as nominal attribute, no text, the class last, ``?`` if unknown.

    ``NAME.arff.groups.tsv`` has page, site and split of each row.
    """
    groups = path.with_suffix(".arff.groups.tsv")
    names = {name: sorted(_distinct(dataset, name)) for name in _ARFF_NOMINAL}
    numbers = (*_ARFF_NUMBERS, *dataset.features)
    with ExitStack() as stack:
        out, keys = (
            stack.enter_context(stack.enter_context(atomic_path(one)).open("w", encoding="utf-8"))
            for one in (path, groups)
        )
        out.write(f"% Blocks of web pages, made by blocksight; see the data dictionary\n@RELATION {dataset.name!r}\n\n")
        out.writelines(f"@ATTRIBUTE {name} {{{','.join(map(_quoted, names[name]))}}}\n" for name in _ARFF_NOMINAL)
        out.writelines(f"@ATTRIBUTE {name if name.isidentifier() else _quoted(name)} NUMERIC\n" for name in numbers)
        out.write("@ATTRIBUTE class {boilerplate,content}\n\n@DATA\n")
        for batch in dataset.batches():
            nominal = [[_quoted(value) for value in batch[name].to_pylist()] for name in _ARFF_NOMINAL]
            numeric = [map(_number, batch[name].to_pylist()) for name in numbers]
            classes = [{1: "content", 0: "boilerplate"}.get(label, "?") for label in batch["label"].to_pylist()]
            out.writelines(",".join(row) + "\n" for row in zip(*nominal, *numeric, classes, strict=True))
            keys.writelines(_group_lines(batch))


def write_libsvm(dataset: Dataset, path: Path) -> None:
    """Write ``label index:value ...``, indices from 1, for labelled rows, without values that are 0 or missing."""
    # ``NAME.columns.tsv`` has index and name of each feature, ``NAME.groups.tsv`` page, site and split of each row.
    features = dataset.features
    columns = (f"{index}\t{name}\n" for index, name in enumerate(features, 1))
    write_text(path.with_suffix(".columns.tsv"), "".join(columns))
    with ExitStack() as stack:
        out, groups = (
            stack.enter_context(stack.enter_context(atomic_path(one)).open("w", encoding="utf-8"))
            for one in (path, path.with_suffix(".groups.tsv"))
        )
        for batch in dataset.batches():
            labelled = batch.filter(pc.is_valid(batch["label"]))
            matrix = np.nan_to_num(np.stack([labelled[name].to_numpy() for name in features], axis=1))
            for label, row in zip(labelled["label"].to_pylist(), matrix, strict=True):
                nonzero = row.nonzero()[0]
                values = " ".join(
                    f"{index + 1}:{value:.7g}" for index, value in zip(nonzero, row[nonzero], strict=True)
                )
                out.write(f"{'+1' if label else '-1'} {values}\n")
            groups.writelines(_group_lines(labelled))


def _group_lines(batch: pa.Table) -> Iterator[str]:
    rows = zip(*(batch[name].to_pylist() for name in _GROUPS), strict=True)
    return ("\t".join(row) + "\n" for row in rows)


def write_hugging_face(dataset: Dataset, folder: Path) -> None:
    """Write a folder that Hugging Face's ``load_dataset`` reads: one Parquet file per split, and a card."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    rows: dict[str, int] = {}
    with ExitStack() as stack:
        writers: dict[str, pq.ParquetWriter] = {}
        for batch in dataset.batches():
            for split in pc.unique(batch["split"]).to_pylist():
                name = HUGGING_FACE_SPLITS.get(split, split)
                if name not in writers:
                    path = stack.enter_context(atomic_path(folder / "data" / f"{name}-00000-of-00001.parquet"))
                    writers[name] = stack.enter_context(
                        pq.ParquetWriter(path, dataset.written_schema, compression="zstd")
                    )
                part = batch.filter(pc.equal(batch["split"], split))
                writers[name].write_table(part)
                rows[name] = rows.get(name, 0) + len(part)
    write_text(folder / "README.md", _card(dataset, rows))


def _card(dataset: Dataset, rows: dict[str, int]) -> str:
    files = "".join(f"  - split: {name}\n    path: data/{name}-*.parquet\n" for name in rows)
    size = next(name for bound, name in _SIZES if sum(rows.values()) < bound)
    table = "\n".join(
        f"| `{row['name']}` | {row['group']} | {str(row['meaning']).replace('|', 'or')} | {row['unit']} |"
        for row in _records(dataset.dictionary)
    )
    counts = "\n".join(f"- {name}: {count} blocks" for name, count in rows.items())
    return f"""---
pretty_name: {json.dumps(dataset.name)}
task_categories:
- tabular-classification
tags:
- web
- boilerplate-removal
- blocksight
size_categories:
- {size}
configs:
- config_name: default
  data_files:
{files}---
# {dataset.name}

Visual blocks of web pages, one per row, with features and, if known, a label: 1 for content, 0 for boilerplate.
Made by blocksight. The pages belong to their authors: check their licences, and that of the corpus, before you
distribute this data.

{counts}

| column | group | meaning | unit |
|---|---|---|---|
{table}
"""


_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (float("inf"), "10M<n<100M"),
)

#: File name and writer of each format.
FORMATS: dict[str, tuple[str, Callable[[Dataset, Path], None]]] = {
    "parquet": ("blocks.parquet", write_parquet),
    "csv": ("blocks.csv", write_csv),
    "jsonl": ("blocks.jsonl", write_jsonl),
    "arff": ("blocks.arff", write_arff),
    "libsvm": ("blocks.libsvm", write_libsvm),
    "huggingface": ("huggingface", write_hugging_face),
}


def _records(frame: pd.DataFrame) -> list[dict[Hashable, object]]:
    finite = frame.astype(object).where(frame.notna() & ~frame.isin([np.inf, -np.inf]), None)
    return finite.to_dict("records")


def _distinct(dataset: Dataset, name: str) -> Iterator[str]:
    return iter(set(chain.from_iterable(pc.unique(part[name]).to_pylist() for part in dataset.parts())))


def _quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:.7g}"
