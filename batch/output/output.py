"""The folder of a run: the ledger, the files of rows, and what is kept beside them.

::

    OUT/settings.json           what the rows depend on
    OUT/ledger.sqlite           what is done and what is left
    OUT/rows/part-000001.parquet
    OUT/arriving/…              rows that other computers write, until they stand in a file above
    OUT/pages/ab/ab12….page     rendered pages, where they are kept
    OUT/warc/part-000001.warc.gz
    OUT/markdown/….md
    OUT/summary.json            what became of everything
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

import orjson

from ...errors import RunStopped
from ...files.atomic import write_text
from ..row_schema import Row
from ..sources.inputs import ID_LENGTH, Input, input_of
from .incoming import ARRIVING, IncomingShards
from .ledger import NAME, Damaged, Ledger
from .shards import ROWS, Form, ShardFolder, disk_named
from .warc_output import WarcOutput

PAGES, WARC, MARKDOWN = "pages", "warc", "markdown"

_LONGEST_SLUG = 80
#: Bytes of rows that are put into one file at most, whatever their number.
_MOST_BYTES = 64_000_000


class Output:
    """The output of a run, from the moment when its folder is held.

    Parameters
    ----------
    folder : Path
    form : str
        Of the files of rows.
    part_rows : int
        Rows of one file.

    Attributes
    ----------
    ledger : Ledger
    mended : str
        What was wrong with the ledger, "" for nothing: it was made anew from the files of rows.
    """

    def __init__(self, folder: Path, *, form: Form, part_rows: int) -> None:
        self.folder = folder
        self._part_rows = part_rows
        self._parts = ShardFolder(folder=folder / ROWS, form=form)
        self._warcs = WarcOutput(folder / WARC)
        self.mended = ""
        self.ledger = self._open_ledger()
        self._parts.sweep(self.ledger.parts())
        self._warcs.sweep(self.ledger.parts())
        self._unfiled = self.ledger.unfiled_count()
        self._bytes = 0
        self.arrivals = IncomingShards(folder / ARRIVING)
        self.adopt()
        self.arrivals.sweep()

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    def _open_ledger(self) -> Ledger:
        path = self.folder / NAME
        there = path.exists()
        try:
            ledger = Ledger(path)
        except Damaged:
            self.mended = f"{path} was damaged"
            self._put_aside(path)
            return self._restored(path)
        if there or not self._parts.numbers():
            return ledger
        ledger.close()
        self.mended = f"{path} was missing"
        self._put_aside(path)
        return self._restored(path)

    def _put_aside(self, path: Path) -> None:
        with disk_named(path):
            for ending in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.replace(f"{path}{ending}", f"{path}.damaged-{int(time.time())}{ending}")

    def _restored(self, path: Path) -> Ledger:
        """Make a ledger out of the files of rows; it takes its place when it is whole."""
        fresh = path.with_name(f"{path.name}.unfinished")
        for ending in ("", "-wal", "-shm"):
            Path(f"{fresh}{ending}").unlink(missing_ok=True)
        try:
            ledger = Ledger(fresh)
        except Damaged as error:
            raise RunStopped(f"{fresh}: cannot be made; take another folder") from error
        for number in self._parts.numbers():
            told = [
                (_input_of(row), row["error_kind"], row["tries"], row["finished"]) for row in self._parts.read(number)
            ]
            ledger.restore(told, number)
        ledger.close()
        os.replace(fresh, path)
        return Ledger(path)

    def keep(self, found: Input, row: Row) -> None:
        """Keep a row: from now on its input is done, whatever happens."""
        written = orjson.dumps(row)
        self.ledger.finish(found.id, written, error_kind=row["error_kind"], tries=row["tries"])
        self._unfiled += 1
        self._bytes += len(written)
        if self._unfiled >= self._part_rows or self._bytes >= _MOST_BYTES:
            self.file()

    def file(self) -> None:
        """Put all rows that are in no file yet into files.

        Raises
        ------
        RunStopped
            When they cannot be written; they stay in the ledger.
        """
        while waiting := self.ledger.unfiled(self._part_rows):
            number = max([0, *self.ledger.parts()]) + 1
            older: dict[int, set[str]] = {}
            for one in waiting:
                if one.part is not None:
                    older.setdefault(one.part, set()).add(one.id)
            # First out of the old file, then into the new one: between the two the ledger has them, even without power.
            if older:
                self.ledger.sync()
            for part, names in older.items():
                self._parts.without(part, frozenset(names))
            self._parts.write(number, [orjson.loads(one.row) for one in waiting])
            filed = [one.id for one in waiting]
            self._warcs.join(number, filed)
            self.ledger.filed(number, filed)
            self._warcs.drop(filed)
        self._unfiled = self._bytes = 0

    def adopt(self) -> list[Row]:
        """Take the files of rows that have arrived, as far as they are whole; return the rows that count.

        Rows of inputs that are done already do not: work that is spread may be done twice.
        """
        found: list[Row] = []
        for path in self.arrivals.whole():
            found += self._adopted(path)
            path.unlink()
        return found

    def _adopted(self, path: Path) -> list[Row]:
        rows = self.arrivals.read(path)
        fresh = list({row["id"]: row for row in rows if self.ledger.is_waiting(row["id"])}.values())
        if not fresh:
            return []
        number, names = max([0, *self.ledger.parts()]) + 1, [row["id"] for row in fresh]
        for part, older in self.ledger.older_parts(names).items():
            self._parts.without(part, frozenset(older))
        # What has arrived goes when the ledger has it: a run that is killed in between does this once more.
        if len(fresh) == len(rows) and self._parts.form == "parquet":
            self._parts.take(number, path)
        else:
            self._parts.write(number, fresh)
        self._warcs.join(number, names)
        self.ledger.adopted(number, [(row["id"], row["error_kind"], row["tries"], row["finished"]) for row in fresh])
        self._warcs.drop(names)
        return fresh

    def write_markdown(self, row: Row) -> None:
        """Write the Markdown of a row into a file of its own."""
        if row["markdown"] is None:
            return
        path = self.folder / MARKDOWN / f"{slug(row['url'] or row['source'])}-{row['id'][:16]}.md"
        with disk_named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, row["markdown"])


def slug(name: str) -> str:
    """Return a name as a file can be called everywhere.

    Examples
    --------
    >>> slug("https://Example.org/a/Über uns?b=1")
    'example-org-a-ber-uns-b-1'
    """
    bare = re.sub(r"^[a-z]+://", "", name.lower())
    return re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:_LONGEST_SLUG].strip("-") or "page"


def _input_of(row: Row) -> Input:
    """Return the input that a row came of, as far as the row tells."""
    plain = input_of(row["source"])
    url = "" if plain.id == row["id"] or row["url"] is None else row["url"]
    return Input(id=str(row["id"])[:ID_LENGTH], source=row["source"], url=url)
