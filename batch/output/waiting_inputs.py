"""The waiting inputs of a ledger by host, for a queue that keeps few of them in memory."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import RunStopped
from ..sources.inputs import Input, read_input
from .ledger import Ledger, damaged_ledger

# The table is temporary: it is counted anew by each run, in an index of the waiting inputs.
_TABLES = (
    "DROP TABLE IF EXISTS temp.unqueued",
    "CREATE TEMP TABLE unqueued (host TEXT PRIMARY KEY, waiting INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX temp.by_waiting ON unqueued (waiting)",
    "INSERT INTO unqueued SELECT host, count(*) FROM inputs INDEXED BY waiting_by_host"
    " WHERE state = 'waiting' GROUP BY host",
)


class WaitingInputs:
    """The hosts that are in no queue yet, and the waiting inputs of each host."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        with ledger.transaction() as file:
            for statement in _TABLES:
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
