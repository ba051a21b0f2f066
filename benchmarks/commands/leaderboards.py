"""Published benchmarks by the rules of their own scorers: predictions in their formats, and tables with intervals."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import numpy as np
from blocksight.compare.measures.measures import best_of, difference, interval, word_bag
from blocksight.files.atomic import create_folder, write_text
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import read_page
from blocksight.page.arrays import FloatArray
from blocksight.page.parse import decode
from common import FOLDER, List, limit_option, rendered_option, skip
from peer_programs import ALL_PEERS, Extractor, extractors, peer_options

from .published import ARTICLE_EXTRACTION, TRAFILATURA, WCXB, PublishedBenchmark

#: The whole text of a page: the baseline that does nothing.
BASELINE = "everything"
OURS = ("blocksight-dom", BASELINE)
#: Types of pages with fewer pages have no column.
FEWEST_PAGES = 10


def _word_bag(prediction: str, gold: GoldPage) -> Sequence[float]:
    measured = best_of(word_bag, prediction, gold.texts)
    return measured.f1, measured.precision, measured.recall


#: Any corpus with gold texts, by the measure of ``blocksight evaluate``.
CORPUS = PublishedBenchmark(
    name="corpus",
    source="words as a multiset, the best of the gold texts",
    needs="texts",
    page_scores=_word_bag,
    figures=("F1", "precision", "recall"),
    summary=lambda scores: np.moveaxis(scores.mean(axis=-2), -1, 0),
    page_type=lambda gold: gold.kind or gold.language,
    predictions=lambda texts, _: texts,
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a program returned for a page."""

    text: str
    seconds: float  # CPU and waiting: programs in their own process are not measured by CPU
    error: str = ""


def code_version() -> str:
    """Return a checksum of the package and its models: answers of other code are computed anew."""
    root = Path(bs.__file__).parent
    folders = ("page", "segment", "features", "document", "classify", "lexicon")
    files = sorted(
        path for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".py", ".npz", ".js")
    )
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def commit() -> str:
    """Return the commit of the repository, with a mark if files differ from it."""
    try:
        command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=8"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def read_answers(path: Path, version: str) -> dict[str, Answer]:
    """Read stored answers by page; none if they are of another version, or the file is damaged."""
    answers: dict[str, Answer] = {}
    try:
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        if json.loads(head) != {"version": version}:
            return {}
        for line in lines:
            entry = json.loads(line)
            page = entry.pop("page")
            answers[page] = Answer(**entry)
    except (OSError, ValueError, TypeError, KeyError):
        # The last line of an interrupted run may be cut off; the pages before it count.
        return answers
    return answers


def answer_pages(
    extractor: Extractor, golds: Sequence[GoldPage], path: Path, rendered: Path | None, seconds: float
) -> dict[str, Answer]:
    """Return the answers of a program by page; pages of an earlier run are not asked for again."""
    version = extractor.version if extractor.name in ALL_PEERS else f"{extractor.version} {code_version()}"
    answers = read_answers(path, version)
    missing = [gold for gold in golds if gold.id not in answers]
    create_folder(path.parent)
    lines = [json.dumps({"version": version})]
    lines += [_line(page, answer) for page, answer in answers.items()]
    write_text(path, "\n".join(lines) + "\n")
    with path.open("a", encoding="utf-8") as out:
        for gold in missing:
            answers[gold.id] = _answer(extractor, gold, rendered, seconds)
            print(_line(gold.id, answers[gold.id]), file=out, flush=True)
    extractor.stop()
    return {gold.id: answers[gold.id] for gold in golds}


def _line(page: str, answer: Answer) -> str:
    return json.dumps({"page": page} | asdict(answer))


def _answer(extractor: Extractor, gold: GoldPage, rendered: Path | None, seconds: float) -> Answer:
    """Ask for a page; a program that fails has found nothing, as the scorers count it."""
    if gold.error:
        return Answer(text="", seconds=0.0, error=gold.error)
    try:
        html = decode(gold.raw(), gold.encoding)
        page = read_page(gold, rendered if extractor.visual else None)
        start = time.perf_counter()
        text = extractor.text(html, page, seconds)
    except Exception as error:
        return Answer(text="", seconds=0.0, error=f"{type(error).__name__}: {error}"[:300])
    return Answer(text=text, seconds=round(time.perf_counter() - start, 4))


# -- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Scored:
    """A program with the scores of all pages."""

    name: str
    version: str
    scores: FloatArray  # float64 (pages, scores)
    answers: list[Answer]


def report_lines(
    benchmark: PublishedBenchmark, golds: Sequence[GoldPage], programs: Sequence[Scored], title: str
) -> Iterator[str]:
    """Yield a report in Markdown: all figures, the main one by type, and what the first program is ahead by."""

    def figure(scores: FloatArray) -> FloatArray:
        main: FloatArray = benchmark.summary(scores)[0]
        return main

    sites = np.asarray([gold.site for gold in golds])
    kinds = np.asarray([benchmark.page_type(gold) for gold in golds])
    types = [kind for kind in np.unique(kinds).tolist() if kind and (kinds == kind).sum() >= FEWEST_PAGES]
    ranked = sorted(programs, key=lambda program: -float(figure(program.scores)))
    parts = {"all pages": np.ones(len(golds), dtype=bool)} | {kind: kinds == kind for kind in types}
    name, *more = benchmark.figures

    def cell(program: Scored, part: str) -> str:
        chosen = parts[part]
        found = interval(program.scores[chosen], figure, sites[chosen].tolist())
        return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"

    def lead(first: Scored, other: Scored, part: str) -> str:
        chosen = parts[part]
        gap = difference(first.scores[chosen], other.scores[chosen], figure, sites[chosen].tolist())
        return f"{gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"

    yield title
    yield ""
    yield f"{len(golds)} pages of {len(set(sites))} sites; 95 % intervals resample sites. Scorer: {benchmark.source}."
    yield ""
    yield from _table("program", "version", f"{name} [95 %]", *more, "empty", "s a page")
    for program in ranked:
        rest = [f"{value:.3f}" for value in benchmark.summary(program.scores)[1:].tolist()]
        empty = sum(not answer.text.strip() for answer in program.answers)
        seconds = np.median([answer.seconds for answer in program.answers])
        yield _row(program.name, program.version, cell(program, "all pages"), *rest, empty, f"{seconds:.3f}")
    if len(types) > 1:
        yield ""
        yield from _table(f"{name} by type [95 %]", *(f"{kind} ({parts[kind].sum()})" for kind in types))
        for program in ranked:
            yield _row(program.name, *(cell(program, kind) for kind in types))
    first, *others = programs
    if others:
        yield ""
        yield from _table(f"{first.name} less", *parts)
        for program in ranked:
            if program is not first:
                yield _row(program.name, *(lead(first, program, part) for part in parts))
    for program in programs:
        errors = [answer.error for answer in program.answers if answer.error]
        if errors:
            yield ""
            yield f"{program.name} failed on {len(errors)} pages, which count as empty answers; the first: {errors[0]}"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(*cells: object) -> Iterator[str]:
    yield _row(*cells)
    yield "|" + "---|" * len(cells)


# -- the commands -----------------------------------------------------------------------------------------------------


def run_benchmark(
    benchmark: PublishedBenchmark, programs: Iterable[Extractor], folder: Path, out: Path, **options: Any
) -> None:
    """Ask all programs for all pages, write their predictions, and print and write the report."""
    pages = [gold for gold in read_corpus(folder) if options["split"] in (gold.split, "all")]
    for gold in pages:
        if gold.error:
            print(f"{gold.name}: {gold.error}", file=sys.stderr)
    # A page without a file counts as an empty answer, as for the scorers, which need an answer for each page.
    golds = sample([gold for gold in pages if benchmark.scores(gold)], options["limit"])
    if not golds:
        skip(f"no page of {folder} has the gold of {benchmark.name}")
    create_folder(out / "output")
    scored = []
    for extractor in programs:
        path = out / "answers" / f"{extractor.name}.jsonl"
        answers = answer_pages(extractor, golds, path, options["rendered"], options["seconds"])
        texts = {page: answer.text for page, answer in answers.items()}
        predictions = benchmark.predictions(texts, golds)
        write_text(out / "output" / f"{extractor.name}.json", json.dumps(predictions, ensure_ascii=False))
        scores = np.asarray([benchmark.page_scores(texts[gold.id], gold) for gold in golds], dtype=np.float64)
        own = [answers[gold.id] for gold in golds]
        scored.append(Scored(name=extractor.name, version=extractor.version, scores=scores, answers=own))
        print(f"{extractor.name}: {benchmark.summary(scores)[0]:.4f}", file=sys.stderr, flush=True)
    if not scored:
        skip("none of the programs is installed")
    write_scores(out / "results.csv", benchmark, scored)
    when = time.strftime("%Y-%m-%d")
    title = f"**{benchmark.name}**, {folder.name}, {when}, commit {commit()}, load {os.getloadavg()[0]:.0f}"
    report = "\n".join(report_lines(benchmark, golds, scored, title)) + "\n"
    write_text(out / "results.md", report)
    print(report)


def write_scores(path: Path, benchmark: PublishedBenchmark, programs: Sequence[Scored]) -> None:
    """Write the figures of all programs as a table: a line for each."""
    with path.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["algorithm", "version", *benchmark.figures])
        for program in programs:
            figures = benchmark.summary(program.scores).tolist()
            table.writerow([program.name, program.version, *(f"{value:.4f}" for value in figures)])


def _command(benchmark: PublishedBenchmark, text: str) -> click.Command:
    """Return the command of a benchmark."""

    @click.command(name=benchmark.name, help=text)
    @click.argument("folder", type=FOLDER)
    @click.option("-o", "--out", type=FOLDER, required=True, help="Folder of predictions and results.")
    @click.option(
        "--systems",
        type=List(str),
        default=",".join((*OURS, *ALL_PEERS)),
        show_default=True,
        help="Systems and peers; the first one is compared with the others.",
    )
    @peer_options
    @rendered_option
    @limit_option
    @click.option("--split", default="all", show_default=True, help="Pages of this split only.")
    @click.option("--seconds", default=30.0, show_default=True, help="What a program may take for a page.")
    def run(systems: list[str], python: str | None, peers: Path | None, **options: Any) -> None:
        try:
            run_benchmark(benchmark, extractors(dict.fromkeys(systems), python, peers), **options)
        except (ValueError, OSError) as error:
            raise click.UsageError(str(error)) from error

    return run


wcxb = _command(
    WCXB,
    "Score programs on WCXB as its evaluate.py does: F1 of words, by type of page, and snippets. OUT/output/NAME.json "
    "is what its --results reads.",
)
article_extraction = _command(
    ARTICLE_EXTRACTION,
    "Score programs on the article-extraction-benchmark: F1 of runs of four words. OUT/output/NAME.json has the format "
    "of its folder output/.",
)
trafilatura = _command(
    TRAFILATURA,
    "Score programs on trafilatura's evaluation: snippets that must and must not be there. OUT/output/NAME.json has "
    "the text of each address, OUT/results.csv the columns of its tables.",
)
corpus = _command(
    CORPUS,
    "Score programs on any corpus with gold texts: F1 of words, by type of page or else by language. "
    "OUT/output/NAME.json has the text of each page.",
)
