"""Files of a run that are deleted or overwritten while it runs: the next call completes it, or says why it cannot."""

import os
from collections import Counter
from contextlib import nullcontext, suppress

import blocksight as bs
import pytest
from blocksight.batch.output.ledger import NAME
from blocksight.errors import RunStopped, SettingsMismatch

from .conftest import filed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows does not delete open files")

SOURCES = [f"page{number}" for number in range(40)]


def delete(*names):
    def damage(out):
        for name in names:
            for path in out.glob(name):
                path.unlink()

    return damage


def overwrite(name, data):
    def damage(out):
        for path in out.glob(name):
            with path.open("r+b") as file:
                file.write(data)

    return damage


def truncate(name):
    def damage(out):
        for path in out.glob(name):
            os.truncate(path, 100)

    return damage


DAMAGES = {
    "ledger deleted": delete(NAME),
    "ledger and its log deleted": delete(f"{NAME}*"),
    "log deleted": delete(f"{NAME}-wal", f"{NAME}-shm"),
    "ledger overwritten": overwrite(NAME, b"no ledger " * 1000),
    "log overwritten": overwrite(f"{NAME}-wal", b"no log " * 1000),
    "ledger truncated": truncate(NAME),
    "settings deleted": delete("settings.json"),
    "settings overwritten": overwrite("settings.json", b"{{{{"),
    "a file of rows deleted": delete("rows/*"),
    "lock deleted": delete("*lock*", ".lock*"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_no_row_is_lost_or_doubled(quick, plain, tmp_path, name):
    out, yielded = tmp_path / "out", []
    with suppress(RunStopped):
        for row in bs.run_batch(SOURCES, out, options=plain):
            yielded.append(row["id"])
            if len(yielded) == 5:
                DAMAGES[name](out)
    assert len(yielded) >= 5
    if name == "settings overwritten":
        with pytest.raises(SettingsMismatch, match="cannot be read"):
            list(bs.run_batch(SOURCES, out, options=plain))
        (out / "settings.json").unlink()
    is_complete = not name.startswith(("ledger", "log", "a file of rows"))
    with nullcontext() if is_complete else suppress(RunStopped):
        list(bs.run_batch(SOURCES, out, options=plain))
    found = Counter(row["source"] for row in filed(out))
    assert found == Counter(SOURCES) if is_complete else found <= Counter(SOURCES)
