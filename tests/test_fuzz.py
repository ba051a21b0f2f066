"""Some of the cases of benchmarks/fuzz.py: damaged and odd input ends in a result or in a named error."""

import json
import random
import sys
import warnings
from importlib import import_module
from itertools import cycle
from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import load_model
from blocksight.document.document import document
from blocksight.page.store import loads
from blocksight.render.sources.sources import archive_source

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
FUZZ = import_module("fuzz")
#: Cases of each kind; of so many one is put to all the uses that benchmarks/fuzz.py has, the others are read.
CASES, WHOLE = 2_000, 100
LIMIT = 1_000_000


def _html(dice):
    return FUZZ.odd_html(dice, pieces=(1, 2, 3), depths=(0, 1, 2)).encode(dice.choice(("utf-8", "utf-16")), "replace")


def _page(data, dice):
    page = bs.parse(data)
    json.dumps([*page.leaf_texts, page.title])
    if dice.random() < 0.3:
        json.dumps(document(page, np.ones(len(page.leaves), dtype=bool)).to_dict())


def _model(data, _):
    path = FUZZ._scratch() / "small.npz"
    path.write_bytes(data)
    load_model(path)


MAKE = {"page": [_html]} | {
    name: [FUZZ.KINDS[kind].make for kind in kinds]
    for name, kinds in {"saved page": ["saved"], "model": ["model"], "archive": ["warc", "har", "mhtml"]}.items()
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
                USE[name](data, dice) if seed % WHOLE else FUZZ.KINDS[WHOLE_USE[name]].use(data, dice)
            outcomes["read"] += 1
        except bs.BlocksightError as error:
            str(error).encode()
            outcomes["refused"] += 1
        except Exception as error:
            error.add_note(f"{name} {seed}")
            raise
    assert outcomes["read"] > CASES / 50
    assert outcomes["refused"] > CASES / 50 or name == "page"
