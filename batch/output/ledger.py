"""What is done and what is left, in a file that outlives the run: SQLite, with a log written ahead (WAL).

A row is in the ledger from the moment when its page is done until it stands in a file of the output, and the step from
one to the other is one transaction after the file is whole. So a run may be killed at any moment: what was done is
there, and nothing stands in the output twice.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...errors import RunStopped
from ..sources.inputs import Input, read_input

NAME = "ledger.sqlite"
#: Inputs that are read, or written, at once.
_STRIDE = 500

_TABLES = """
CREATE TABLE IF NOT EXISTS inputs (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    tries INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL DEFAULT 0,
    error_kind TEXT,
    finished REAL,
    part INTEGER,
    row BLOB
);
CREATE INDEX IF NOT EXISTS by_state ON inputs (state, error_kind);
CREATE INDEX IF NOT EXISTS not_in_a_file ON inputs (id) WHERE row IS NOT NULL;
CREATE INDEX IF NOT EXISTS by_part ON inputs (part);
CREATE TABLE IF NOT EXISTS parts (number INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
"""

State = Literal["done", "failed"]


class Damaged(Exception):
    """The file is no ledger any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A row that is in no file yet.

    Attributes
    ----------
    id : str
    part : int or None
        The file in which an older row of the same input stands.
    row : bytes
    """

    id: str
    part: int | None
    row: bytes


class Ledger:
    """The ledger of one folder.

    Parameters
    ----------
    path : Path
        Made where it is missing.

    Raises
    ------
    Damaged
        When the file is there and is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            if self._file.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise Damaged(str(path))
            self._file.executescript(_TABLES)
            (last,) = self._file.execute("PRAGMA user_version").fetchone()
            self._run = int(last) + 1
            self._file.execute(f"PRAGMA user_version={self._run}")
        except sqlite3.OperationalError as error:
            self._file.close()
            raise RunStopped(_stopped(path, error)) from error
        except (sqlite3.DatabaseError, Damaged) as error:
            self._file.close()
            raise Damaged(str(path)) from error

    def sync(self) -> None:
        """Wait until all that it says is on the disk: a process that is killed loses nothing, a computer might."""
        self._all("PRAGMA wal_checkpoint(FULL)")

    def close(self) -> None:
        """Close it; what it says is on disk already."""
        self._file.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, whole or not at all."""
        try:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise RunStopped(_stopped(self.path, error)) from error

    def _all(self, query: str, *given: object) -> list[tuple[object, ...]]:
        try:
            return self._file.execute(query, given).fetchall()
        except sqlite3.DatabaseError as error:
            raise RunStopped(_stopped(self.path, error)) from error

    def add(self, inputs: Iterable[Input]) -> int:
        """Note inputs; return how many of them are new."""
        known = [(one.id, one.written()) for one in inputs]
        with self._writing() as file:
            return file.executemany("INSERT OR IGNORE INTO inputs (id, source) VALUES (?, ?)", known).rowcount

    def take(self, inputs: Sequence[Input]) -> list[Input]:
        """Note inputs, and return those that this run is to do: each of them once, however often it is named."""
        self.add(inputs)
        mine = "UPDATE inputs SET run = ? WHERE id = ? AND state = 'waiting' AND run < ?"
        with self._writing() as file:
            return [one for one in inputs if file.execute(mine, (self._run, one.id, self._run)).rowcount]

    def waiting(self) -> Iterator[Input]:
        """Yield what is left to do, in the order in which it was noted; what is added meanwhile comes, too."""
        last = 0
        while found := self._all(
            "SELECT rowid, id, source FROM inputs WHERE state = 'waiting' AND rowid > ? ORDER BY rowid LIMIT ?",
            last,
            _STRIDE,
        ):
            for number, identity, source in found:
                yield self._input(str(identity), str(source))
                last = int(str(number))

    def _input(self, identity: str, written: str) -> Input:
        try:
            return read_input(identity, written)
        except ValueError as error:
            then = "take it away and name the sources again: it is made anew from the files of rows"
            raise RunStopped(f"{self.path}: damaged ({error}); {then}") from error

    def finish(self, identity: str, row: bytes, *, error_kind: str | None, tries: int) -> None:
        """Keep the row of an input; from now on it is done."""
        state: State = "done" if error_kind is None else "failed"
        with self._writing() as file:
            file.execute(
                "UPDATE inputs SET state = ?, row = ?, error_kind = ?, tries = ?, finished = ? WHERE id = ?",
                (state, row, error_kind, tries, time.time(), identity),
            )

    def again(self, *, failed: bool = False, before: float | None = None) -> int:
        """Have inputs done once more: those that failed, those that were done before a time; return how many."""
        with self._writing() as file:
            count = 0
            if failed:
                count += file.execute("UPDATE inputs SET state = 'waiting' WHERE state = 'failed'").rowcount
            if before is not None:
                query = "UPDATE inputs SET state = 'waiting' WHERE state != 'waiting' AND finished < ?"
                count += file.execute(query, (before,)).rowcount
        return count

    def tries(self, identity: str) -> int:
        """Return how often an input has been tried."""
        found = self._all("SELECT tries FROM inputs WHERE id = ?", identity)
        return int(str(found[0][0])) if found else 0

    def unfiled(self, most: int) -> list[Finished]:
        """Return rows that are in no file yet, no more than ``most``."""
        found = self._all("SELECT id, part, row FROM inputs WHERE row IS NOT NULL AND state != 'waiting' LIMIT ?", most)
        return [
            Finished(id=str(name), part=None if part is None else int(str(part)), row=bytes(row))  # type: ignore[call-overload]
            for name, part, row in found
        ]

    def unfiled_count(self) -> int:
        """Return how many there are."""
        return self._count("SELECT count(*) FROM inputs WHERE row IS NOT NULL AND state != 'waiting'")

    def filed(self, part: int, identities: Sequence[str]) -> None:
        """Note that rows stand in a file, which is whole."""
        with self._writing() as file:
            file.execute("INSERT INTO parts (number, rows) VALUES (?, ?)", (part, len(identities)))
            file.executemany(
                "UPDATE inputs SET row = NULL, part = ? WHERE id = ?", [(part, name) for name in identities]
            )

    def is_waiting(self, identity: str) -> bool:
        """Return whether an input is to be done."""
        return bool(self._all("SELECT 1 FROM inputs WHERE id = ? AND state = 'waiting'", identity))

    def older_parts(self, identities: Iterable[str]) -> dict[int, set[str]]:
        """Return the files in which older rows of inputs stand, and which of them."""
        older: dict[int, set[str]] = {}
        for identity in identities:
            for (part,) in self._all("SELECT part FROM inputs WHERE id = ? AND part IS NOT NULL", identity):
                older.setdefault(int(str(part)), set()).add(identity)
        return older

    def adopted(self, part: int, rows: Iterable[tuple[str, str | None, int, float]]) -> None:
        """Note that rows which another program has written stand in a file; each is id, error kind, tries, time."""
        done = [
            ("done" if kind is None else "failed", kind, tries, at, part, identity)
            for identity, kind, tries, at in rows
        ]
        with self._writing() as file:
            file.execute("INSERT INTO parts (number, rows) VALUES (?, ?)", (part, len(done)))
            file.executemany(
                "UPDATE inputs SET state = ?, row = NULL, error_kind = ?, tries = ?, finished = ?, part = ?"
                " WHERE id = ?",
                done,
            )

    def parts(self) -> list[int]:
        """Return the numbers of the files that count."""
        return [int(str(number)) for (number,) in self._all("SELECT number FROM parts ORDER BY number")]

    def restore(self, rows: Iterable[tuple[Input, str | None, int, float]], part: int) -> None:
        """Note what stands in a file, for a ledger that is made anew; each is input, error kind, tries, time."""
        with self._writing() as file:
            count = 0
            for one, error_kind, tries, finished in rows:
                state = "done" if error_kind is None else "failed"
                file.execute(
                    "INSERT OR REPLACE INTO inputs (id, source, state, tries, error_kind, finished, part)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (one.id, one.written(), state, tries, error_kind, finished, part),
                )
                count += 1
            file.execute("INSERT OR REPLACE INTO parts (number, rows) VALUES (?, ?)", (part, count))

    def counts(self) -> tuple[int, int, dict[str, int]]:
        """Return how many inputs are done, how many wait, and how many failed by kind."""
        done = self._count("SELECT count(*) FROM inputs WHERE state = 'done'")
        waiting = self._count("SELECT count(*) FROM inputs WHERE state = 'waiting'")
        failed = self._all(
            "SELECT error_kind, count(*) FROM inputs WHERE state = 'failed' GROUP BY error_kind ORDER BY 2 DESC, 1"
        )
        return done, waiting, {str(kind): int(str(count)) for kind, count in failed}

    def _count(self, query: str) -> int:
        return int(str(self._all(query)[0][0]))


def _stopped(path: Path, error: sqlite3.Error) -> str:
    if "full" in str(error):
        why = "the disk is full; make room"
    elif "locked" in str(error):
        why = "another program holds it; end that"
    else:
        why = f"it cannot be used ({error})"
    return f"{path}: {why}, then call the same command again: it goes on where this run ended"
