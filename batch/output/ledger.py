"""The state of every input, in an SQLite file with a write-ahead log (WAL).

A row is stored in the ledger from the end of its page until it is in a shard; the move is one transaction after the
shard is complete. So a run may be killed at any moment: no row is lost, and none is in two shards.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ...errors import RunStopped
from ..sources.inputs import Input, read_input

NAME = "ledger.sqlite"
#: Pages of 4 KiB in the log until they are written to the file, and the cache in KiB.
_CHECKPOINT_PAGES, _CACHE_KIB = 16_384, 65_536

_TABLES = """
CREATE TABLE IF NOT EXISTS inputs (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    tries INTEGER NOT NULL DEFAULT 0,
    error_kind TEXT,
    finished REAL,
    shard INTEGER,
    row BLOB,
    host TEXT NOT NULL DEFAULT '',
    content INTEGER
);
CREATE INDEX IF NOT EXISTS waiting_by_host ON inputs (host) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS by_state ON inputs (state, error_kind);
CREATE INDEX IF NOT EXISTS not_in_a_shard ON inputs (id) WHERE row IS NOT NULL;
CREATE INDEX IF NOT EXISTS by_content ON inputs (content) WHERE content IS NOT NULL;
CREATE TABLE IF NOT EXISTS shards (number INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
"""
_COLUMNS = {
    "inputs": {"id", "source", "state", "tries", "error_kind", "finished", "shard", "row", "host", "content"},
    "shards": {"number", "rows"},
}
# The hosts that are in no queue yet: a temporary table, counted anew by each run, in an index of the waiting inputs.
_QUEUE_TABLES = (
    "DROP TABLE IF EXISTS temp.unqueued",
    "CREATE TEMP TABLE unqueued (host TEXT PRIMARY KEY, waiting INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX temp.by_waiting ON unqueued (waiting)",
    "INSERT INTO unqueued SELECT host, count(*) FROM inputs INDEXED BY waiting_by_host"
    " WHERE state = 'waiting' GROUP BY host",
)
_COUNTS = "SELECT state, error_kind, count(*) FROM inputs GROUP BY state, error_kind ORDER BY 3 DESC, 2"
_UNWRITTEN = "FROM inputs WHERE row IS NOT NULL AND state != 'waiting'"


class Ledger:
    """The ledger of one folder, made if it is missing; RunStopped if the file is not one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            # Identities are random, so each input changes another page of the index: these are written once for many.
            self._file.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
            self._file.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
            if self._file.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise ValueError("its pages are not whole")
            _make_tables(self._file)
        except sqlite3.OperationalError as error:
            self._file.close()
            raise RunStopped(_explained(path, error)) from error
        except (sqlite3.DatabaseError, ValueError) as error:
            self._file.close()
            raise RunStopped(damaged_ledger(path, error)) from error

    def sync(self) -> None:
        """Wait until all is on the disk, also after a power failure."""
        self.query("PRAGMA wal_checkpoint(FULL)")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run statements that are done together or not at all; RunStopped if the file cannot be used."""
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
            raise RunStopped(_explained(self.path, error)) from error

    def query(self, query: str, *arguments: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; RunStopped if the file cannot be used."""
        try:
            return self._file.execute(query, arguments).fetchall()
        except sqlite3.DatabaseError as error:
            raise RunStopped(_explained(self.path, error)) from error

    def add(self, inputs: Iterable[Input]) -> list[Input]:
        """Note inputs; return the new ones. A page that is named again is the same input."""
        insert = "INSERT OR IGNORE INTO inputs (id, source, host) VALUES (?, ?, ?)"
        with self.transaction() as file:
            return [entry for entry in inputs if file.execute(insert, (entry.id, entry.to_json(), entry.host)).rowcount]

    def finish(
        self, identity: str, row: bytes, *, error_kind: str | None, tries: int, content: int | None = None
    ) -> None:
        """Store the row of an input, which is then done; ``content`` is the number of a text that no other row has."""
        with self.transaction() as file:
            file.execute(
                "UPDATE inputs SET state = ?, row = ?, error_kind = ?, tries = ?, finished = ?, content = ?"
                " WHERE id = ?",
                ("done" if error_kind is None else "failed", row, error_kind, tries, time.time(), content, identity),
            )

    def with_content(self, content: int, other: str) -> str | None:
        """Return the first input, apart from an ``other`` one, whose row has a content; None if there is none."""
        query = "SELECT id FROM inputs WHERE content = ? AND id != ? AND state = 'done' LIMIT 1"
        rows = self.query(query, content, other)
        return str(rows[0][0]) if rows else None

    def reset(self, *, failed: bool = False, kinds: Iterable[str] = (), before: float | None = None) -> int:
        """Make inputs wait again that failed (with some kinds) or were done before a time; return their number."""
        chosen: list[tuple[str, object]] = [("state = 'failed' AND error_kind = ?", kind) for kind in kinds]
        if failed:
            chosen.append(("state = ?", "failed"))
        if before is not None:
            chosen.append(("state != 'waiting' AND finished < ?", before))
        with self.transaction() as file:
            update = "UPDATE inputs SET state = 'waiting' WHERE"
            return sum(file.execute(f"{update} {condition}", (value,)).rowcount for condition, value in chosen)

    def tries(self, identity: str) -> int:
        """Return the number of earlier attempts of an input."""
        rows = self.query("SELECT tries FROM inputs WHERE id = ?", identity)
        return int(rows[0][0]) if rows else 0

    def unwritten(self, most: int) -> list[tuple[str, int | None, bytes]]:
        """Return at most ``most`` rows that are in no shard yet.

        Each is the identity of its input, the number of the shard with an older row of it, and the row.
        """
        return self.query(f"SELECT id, shard, row {_UNWRITTEN} LIMIT ?", most)

    def unwritten_count(self) -> int:
        """Return the number of rows that are in no shard yet."""
        return int(self.query(f"SELECT count(*) {_UNWRITTEN}")[0][0])

    def list_shard(self, shard: int, identities: Sequence[str]) -> None:
        """Record that a complete shard holds stored rows."""
        with self.transaction() as file:
            file.execute("INSERT INTO shards (number, rows) VALUES (?, ?)", (shard, len(identities)))
            file.executemany(
                "UPDATE inputs SET row = NULL, shard = ? WHERE id = ?", [(shard, name) for name in identities]
            )

    def shards(self) -> list[int]:
        """Return the numbers of the listed shards."""
        return [number for (number,) in self.query("SELECT number FROM shards ORDER BY number")]

    def counts(self) -> tuple[int, int, dict[str, int]]:
        """Return the number of inputs that are done, that wait, and that failed by kind."""
        return _counts(self.query(_COUNTS))


class WaitingInputs:
    """The hosts that are in no queue yet, and the waiting inputs of each host, for a queue that keeps few in memory."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        with ledger.transaction() as file:
            for statement in _QUEUE_TABLES:
                file.execute(statement)

    def add(self, counts: Mapping[str, int]) -> None:
        """Add numbers of new inputs by host."""
        query = (
            "INSERT INTO unqueued VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET waiting = waiting + excluded.waiting"
        )
        with self._ledger.transaction() as file:
            file.executemany(query, list(counts.items()))

    def take_hosts(self, most: int) -> list[tuple[str, int]]:
        """Return hosts with the number of their waiting inputs, the largest first; each is returned once."""
        found: list[tuple[str, int]] = self._ledger.query(
            "SELECT host, waiting FROM unqueued ORDER BY waiting DESC LIMIT ?", most
        )
        with self._ledger.transaction() as file:
            file.executemany("DELETE FROM unqueued WHERE host = ?", [(host,) for host, _ in found])
        return found

    def inputs(self, host: str, after: int, most: int) -> list[tuple[int, Input]]:
        """Return waiting inputs of a host with their numbers, in the order in which they were noted."""
        rows = self._ledger.query(
            "SELECT rowid, id, source FROM inputs INDEXED BY waiting_by_host"
            " WHERE state = 'waiting' AND host = ? AND rowid > ?"
            " ORDER BY rowid LIMIT ?",
            host,
            after,
            most,
        )
        try:
            return [(number, read_input(identity, source)) for number, identity, source in rows]
        except ValueError as error:
            raise RunStopped(damaged_ledger(self._ledger.path, error)) from error


def content_number(content_hash: str | None) -> int | None:
    """Return the number of a content in the ledger: the first 64 bits of its digest."""
    return None if not content_hash else int(content_hash[:16], 16) - (1 << 63)


def read_counts(path: Path) -> tuple[int, int, dict[str, int]]:
    """Return the counts of a ledger (:meth:`Ledger.counts`) that another run may use; RunStopped if there is none."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            return _counts(file.execute(_COUNTS).fetchall())
    except sqlite3.DatabaseError as error:
        raise RunStopped(f"{path}: there is no ledger of a batch that can be read ({error})") from error


def _counts(rows: list[tuple[Any, ...]]) -> tuple[int, int, dict[str, int]]:
    done, waiting = (sum(count for state, _, count in rows if state == name) for name in ("done", "waiting"))
    failed = {str(kind): count for state, kind, count in rows if state == "failed"}
    return done, waiting, failed


def _make_tables(file: sqlite3.Connection) -> None:
    """Make the tables, or check those that exist; ValueError if they are not those of a ledger."""
    for table, columns in _COLUMNS.items():
        found = {name for _, name, *_ in file.execute(f"PRAGMA table_info({table})")}
        if found and not found >= columns:
            raise ValueError(f"the table {table} has no {', '.join(sorted(columns - found))}")
    file.executescript(_TABLES)
    if file.execute("SELECT 1 FROM inputs WHERE state NOT IN ('waiting', 'done', 'failed') LIMIT 1").fetchone():
        raise ValueError("an input has an unknown state")


def damaged_ledger(path: Path, error: object) -> str:
    """Return what to do with a ledger whose content is damaged."""
    return f"{path}: damaged ({error}), so this run cannot go on; its rows stay: do the other pages in another folder"


def _explained(path: Path, error: sqlite3.Error) -> str:
    if "full" in str(error):
        why = "the disk is full; free some space"
    elif "locked" in str(error):
        why = "another program has locked it; end that"
    else:
        why = f"it cannot be used ({error})"
    return f"{path}: {why}, then call the same command again: it continues this run"
