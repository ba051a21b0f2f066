"""Some cases of ``benchmarks/robustness.py fuzz``: damaged and odd input gives a result or a named error."""

import json
import random
import warnings
from itertools import cycle

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import load_model
from blocksight.document.document import document
from blocksight.page.store import loads
from blocksight.render.sources.sources import archive_source
from generators import fuzz_cases

pytestmark = pytest.mark.long

#: Cases of each kind; one in WHOLE is used in all ways, the others are only read.
CASES, WHOLE = 500, 50
LIMIT = 1_000_000


def _html(dice):
    return fuzz_cases.odd_html(dice, pieces=(1, 2, 3), depths=(0, 1, 2)).encode(
        dice.choice(("utf-8", "utf-16")), "replace"
    )


def _page(data, dice):
    page = bs.parse(data)
    json.dumps([*page.leaf_texts, page.title])
    if dice.random() < 0.3:
        json.dumps(document(page, np.ones(len(page.leaves), dtype=bool)).to_dict())


def _model(data, _):
    path = fuzz_cases.scratch_folder() / "small.npz"
    path.write_bytes(data)
    load_model(path)


MAKE = {"page": [_html]} | {
    name: [fuzz_cases.KINDS[kind].make for kind in kinds]
    for name, kinds in {"saved page": ["saved"], "model": ["model"], "archive": ["warc", "mhtml"]}.items()
}
USE = {
    "page": _page,
    "saved page": lambda data, _: loads(data),
    "model": _model,
    "archive": lambda data, _: bs.parse(archive_source(data, name="x", max_bytes=LIMIT).html),
}
WHOLE_USE = {"page": "html", "saved page": "saved", "model": "model", "archive": "warc"}


@pytest.mark.parametrize("name", MAKE)
def test_damaged_and_odd_input(name):
    outcomes = {"read": 0, "refused": 0}
    for seed, make in zip(range(CASES), cycle(MAKE[name])):
        dice = random.Random(f"{name} {seed}")
        data = make(dice)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                USE[name](data, dice) if seed % WHOLE else fuzz_cases.KINDS[WHOLE_USE[name]].use(data, dice)
            outcomes["read"] += 1
        except bs.BlocksightError as error:
            str(error).encode()
            outcomes["refused"] += 1
        except Exception as error:
            error.add_note(f"{name} {seed}")
            raise
    assert outcomes["read"] > CASES / 50
    assert outcomes["refused"] > CASES / 50 or name == "page"
