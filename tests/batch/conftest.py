"""What the tests of batches share: pages of a few lines, and a stage that does them at once."""

import time

import pytest
from blocksight.batch import run as running
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.output.ledger import WaitingInputs
from blocksight.batch.output.output import Shards
from blocksight.batch.pipeline import Outcome, refused
from blocksight.batch.row_schema import whole_row
from blocksight.errors import PageFailed


class Quick:
    """A substitute for the stage: every input has its row at once; what is called "bad" fails."""

    def __init__(self, options, *, pages=None):
        self.done = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def process(self, found, rules=None):
        self.done.append(found.source)
        if found.error:
            return refused(found, found.error_kind, found.error, "")
        known = {"id": found.id, "source": found.source, "finished": time.time()}
        if "bad" in found.source:
            error = PageFailed(found.source, "it is bad")
            return Outcome(row=whole_row(known | {"error_kind": "failed", "error": error.reason}), error=error)
        return Outcome(row=whole_row(known | {"text": f"text of {found.source}", "markdown": "# Tea\n"}))


def filed(out, form="parquet"):
    """Return the rows in the files of a run."""
    shards = Shards(out / "rows", form)
    return [row for number in shards.numbers() for row in shards.read(number)]


def waiting_in(ledger):
    """Return the waiting inputs of a ledger in the order in which they were noted."""
    waiting, entries = WaitingInputs(ledger), []
    for host, count in waiting.take_hosts(1000):
        entries += waiting.inputs(host, 0, count)
    return [entry for _, entry in sorted(entries, key=lambda numbered: numbered[0])]


@pytest.fixture
def quick(monkeypatch):
    """Runs do nothing with pages but keep their rows."""
    monkeypatch.setattr(running, "Pipeline", Quick)
    return Quick


@pytest.fixture
def plain():
    """Options of a run that needs no browser."""
    return BatchOptions(browser=False, workers=2, shard_rows=3, limits=RateLimits(robots=False, delay=0.0))


@pytest.fixture
def pages(tmp_path):
    """A folder of seven pages."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(7):
        sentence = f"Pot number {number} is filled with fresh water, which boils for a good while before the tea. "
        (folder / f"{number}.html").write_text(
            f"<title>Tea {number}</title><h1>Tea {number}</h1><p>{sentence * 3}</p><p>{sentence * 2}</p>"
        )
    return folder
