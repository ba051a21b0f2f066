"""Shards in a bucket: each is one object, which is there whole or not at all; the ledger stays on this computer."""

from __future__ import annotations

import platform
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import orjson

from ...errors import RunStopped
from ...files.atomic import write_text
from ...files.buckets import bucket_files, delete_bucket_file, open_bucket_file, read_bucket_file, write_bucket_file
from .shards import Shards

#: The object that names the run to which a place belongs; readers of tables leave out names with an underscore.
OWNER = "_run.json"
#: The file of the run's own name.
_RUN_ID = "run-id"
_MAX_OWNER_BYTES = 10_000
_CONTINUE = "the rows so far are in the ledger; call the same command again to continue this run"


class BucketShards(Shards):
    """Shards in a bucket; RunStopped if another run writes there, or it cannot be used."""

    def __init__(self, url: str, format: str, folder: Path) -> None:  # noqa: A002
        super().__init__(url.rstrip("/"), format)
        path = folder / _RUN_ID
        if not path.exists():
            write_text(path, uuid.uuid4().hex)
        self._run = path.read_text(encoding="utf-8")
        with self._errors():
            # An empty object is that of a run which was interrupted while it wrote its name.
            if OWNER not in self.names() or not read_bucket_file(self._url(OWNER), 1):
                owner = {"run": self._run, "computer": platform.node(), "folder": str(folder.absolute())}
                write_bucket_file(self._url(OWNER), orjson.dumps(owner))
        self._check_owner()

    def _check_owner(self) -> None:
        """Raise RunStopped if the place belongs to another run: two that start at once both see it empty."""
        url = self._url(OWNER)
        try:
            with self._errors():
                owner = dict(orjson.loads(read_bucket_file(url, _MAX_OWNER_BYTES)))
        except RunStopped as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            why = "is gone: the bucket was emptied, or another run is to take this place"
            raise RunStopped(f"{url} {why}; {_CONTINUE}") from error
        except (ValueError, TypeError):
            owner = {}
        if owner.get("run") != self._run:
            raise RunStopped(
                f"{self.place} has the rows of the run in {owner.get('folder', '?')} on {owner.get('computer', '?')}: "
                f"choose another place. If that run is gone for good, delete {url}: its rows then count as done by "
                "this one"
            )

    def names(self) -> list[str]:
        """Return the names of the objects."""
        with self._errors():
            return [url.rpartition("/")[2] for url in bucket_files(self.place, below=False, is_optional=True)]

    def _store(self, name: str, data: bytes) -> None:
        self._check_owner()
        with self._errors():
            write_bucket_file(self._url(name), data)

    def _opened(self, name: str) -> IO[bytes]:
        return open_bucket_file(self._url(name))

    def _delete(self, name: str) -> None:
        with self._errors():
            delete_bucket_file(self._url(name))

    def _url(self, name: str) -> str:
        return f"{self.place}/{name}"

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn an OSError into a RunStopped that says what to do."""
        try:
            yield
        except OSError as error:
            raise RunStopped(f"{error}; {_CONTINUE}") from error
