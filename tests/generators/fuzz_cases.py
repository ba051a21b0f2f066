"""Fuzzing: cases of damaged and hostile input, and what is done with each kind of file.

Each case is generated from its seed alone: a page of a grammar of odd HTML, or a valid file that is damaged in one to
eight ways: bits, cuts, splices, and values of JSON fields and ZIP members replaced by ones that look valid. It is read,
and the result is used: blocks, features, systems, documents.
"""

from __future__ import annotations

import json
import random
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import blocksight as bs
from blocksight.classify.model.model import load_model
from blocksight.classify.systems import SYSTEMS
from blocksight.classify.systems.blocksight import Blocksight, BlocksightDom
from blocksight.classify.systems.learning.trainable import load_learned
from blocksight.document.extract import HiddenText
from blocksight.features.block_table import measure
from blocksight.gold.corpora import read_corpus
from blocksight.page.overlays import find_overlays
from blocksight.page.store import dumps, loads
from blocksight.render.sources.sources import archive_source, html_source
from blocksight.segment.outlines import outline_measures
from blocksight.segment.targets import target_nodes
from blocksight.train.examples import read_examples
from blocksight.train.train_system import trainable

from .odd_input import (
    CODED,
    VALID_HTML,
    damaged,
    damaged_json,
    damaged_zip,
    data_sets,
    golds,
    laid_out,
    learned_files,
    mhtmls,
    model_files,
    odd_html,
    saved_pages,
    warcs,
)

MOST_BYTES = 10_000_000
#: The pages of the fixtures up to this size are mutated.
_LARGEST_FIXTURE = 20_000


class Slow(Exception):
    """A case took too long."""


# -- uses of each kind of file ----------------------------------------------------------------------------------------


def use_page(page: bs.Page, dice: random.Random) -> None:
    hidden: HiddenText = dice.choice(("drop", "keep", "mark"))
    rendered = page.geometry is not None
    fitting = [system for system in SYSTEMS if rendered or not system.card.visual]
    doc = bs.extract(page, system=dice.choice((fitting[0], dice.choice(fitting))), hidden=hidden)
    json.dumps(doc.to_dict()).encode()
    match dice.randrange(5):
        case 0:
            measure(page)
        case 1:
            loads(dumps(page))
        case 2:
            find_overlays(page)
            bs.text_blocks(page)
        case 3 if rendered:
            blocks = bs.vips(page, pdoc=dice.randrange(1, 11))
            outline_measures(page, blocks.leaf_block, len(blocks))
        case 4 if rendered:
            target_nodes(page)


def use_html(data: bytes, dice: random.Random) -> None:
    source = html_source(data, name="x", max_bytes=MOST_BYTES)
    use_page(bs.parse(source.html, url=source.address), dice)


def use_saved(data: bytes, dice: random.Random) -> None:
    use_page(loads(data), dice)


def use_archive(data: bytes, dice: random.Random) -> None:
    source = archive_source(data, name="x", max_bytes=MOST_BYTES)
    use_page(bs.parse(source.html, url=source.address), dice)


def use_model(data: bytes, dice: random.Random) -> None:
    """Load a model and classify a page with it."""
    path = scratch_folder() / "model.npz"
    path.write_bytes(data)
    model = load_model(path)
    system = Blocksight(model=model) if dice.random() < 0.5 else BlocksightDom(model=model)
    json.dumps(bs.extract(laid_out(), system=system).to_dict())


def use_learned(data: bytes, dice: random.Random) -> None:
    """Load the model of a trained system and mark a page with it."""
    path = scratch_folder() / "learned.npz"
    path.write_bytes(data)
    learned = load_learned(path)
    fitting = [name for name, system in trainable().items() if system.model_name == learned.system]
    system: Any = trainable()[dice.choice(fitting or list(learned_files()))]
    replace(system, model=learned).mark(laid_out())


def use_data_set(data: bytes, dice: random.Random) -> None:
    """Read the training rows of a data set."""
    path = scratch_folder() / "blocks.parquet"
    path.write_bytes(data)
    read_examples(path, split=dice.choice(("train", None))).weights()


def use_gold(data: bytes, _: random.Random) -> None:
    folder = scratch_folder() / "corpus"
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    (folder / "pages" / "1.html").write_text(VALID_HTML, encoding="utf-8")
    (folder / "gold.jsonl").write_bytes(data)
    for case in read_corpus(folder):
        if not case.error:
            bs.parse(case.raw(), encoding=case.encoding, url=case.url or "")


@cache
def scratch_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="blocksight-fuzz-"))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of input: the generator of a case, and its use."""

    make: Callable[[random.Random], bytes]
    use: Callable[[bytes, random.Random], None]


def _from(
    valid: Callable[[], tuple[bytes, ...]], damage: Callable[[bytes, bytes, random.Random], bytes]
) -> Callable[[random.Random], bytes]:
    return lambda dice: damage(dice.choice(valid()), dice.choice(valid()), dice)


def _html(dice: random.Random) -> bytes:
    if dice.random() < 0.3:
        return damaged(VALID_HTML.encode(), odd_html(dice).encode("utf-8", "replace"), dice)
    return odd_html(dice).encode(dice.choice(("utf-8", "utf-8", "utf-16", "cp1252", "big5")), "replace")


@cache
def fixture_pages() -> tuple[bytes, ...]:
    """Return the smaller pages of the fixtures."""
    folder = Path(__file__).parents[2] / "fixtures"
    found = sorted(path for path in folder.rglob("*.html") if path.stat().st_size <= _LARGEST_FIXTURE)
    return tuple(path.read_bytes() for path in found)


def _bytes(dice: random.Random) -> bytes:
    """Return random bytes, all values or those of markup only, as they are or within a page."""
    length = dice.choice((0, 1, 3, 40, 400, 4_000))
    drawn = dice.randbytes(length) if dice.random() < 0.5 else bytes(dice.choices(b"<>/!-='\" &;#ab0\n\0", k=length))
    match dice.randrange(3):
        case 0:
            return drawn
        case 1:
            return dice.choice(CODED) + drawn
        case _:
            return b"<!doctype html><body><p>" + drawn + b"<p>words after it</p>"


def _gold(dice: random.Random) -> bytes:
    return b"\n".join(damaged_json(dice.choice(golds()), dice) for _ in range(dice.choice((1, 3))))


def _learned(dice: random.Random) -> bytes:
    files = tuple(learned_files().values())
    return damaged_zip(dice.choice(files), dice.choice(files), dice)


KINDS = {
    "html": Kind(_html, use_html),
    "fixture": Kind(_from(fixture_pages, damaged), use_html),
    "bytes": Kind(_bytes, use_html),
    "saved": Kind(_from(saved_pages, damaged_zip), use_saved),
    "model": Kind(_from(model_files, damaged_zip), use_model),
    "warc": Kind(_from(warcs, damaged), use_archive),
    "mhtml": Kind(_from(mhtmls, damaged), use_archive),
    "gold": Kind(_gold, use_gold),
    "learned": Kind(_learned, use_learned),
    "dataset": Kind(_from(data_sets, damaged), use_data_set),
}


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise Slow if the block takes more CPU time."""

    def ring(*_: object) -> None:
        raise Slow(f"over {seconds:g} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run_case(kind: str, seed: int, seconds: float = 30.0) -> tuple[str, str]:
    """Run one case; return "read" or the name of the error, and the trace of an error that is not blocksight's."""
    dice = random.Random(f"{kind} {seed}")
    data = KINDS[kind].make(dice)
    try:
        with cpu_limit(seconds), warnings.catch_warnings():
            warnings.simplefilter("error")
            KINDS[kind].use(data, dice)
    except bs.BlocksightError as error:
        try:
            str(error).encode()
        except UnicodeEncodeError:
            return "! message", traceback.format_exc()
        return type(error).__name__, ""
    except Exception as error:  # the error that fuzzing searches for
        return f"! {type(error).__name__}", traceback.format_exc()
    return "read", ""
