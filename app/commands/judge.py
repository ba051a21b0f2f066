"""The commands ``blocksight judge``: blind comparison of two systems, and conventions of corpora."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..command_options import FILE_THERE, FOLDER, FOLDER_THERE, CommandGroup, OneOf, named, spelled
from ..console import complain, report_errors, say

if TYPE_CHECKING:
    from ...classify.system import System
    from ...compare.blind_judging import PreferenceSummary
    from ...page.page import Page


@click.group(cls=CommandGroup)
def judge() -> None:
    """Compare two systems blind, count the preferences, and measure what the gold of corpora contains."""


def _pair(_: click.Context, __: click.Parameter, value: str) -> tuple[System, System]:
    from ...classify.systems import system_named

    systems = named(spelled(value), system_named)
    if len(systems) != 2:
        raise click.BadParameter("should be the names of two systems with a comma between them")
    return systems[0], systems[1]


@judge.command("pages", epilog="Example: blocksight judge pages corpora/news --systems newsfeed-dom,www++ -o judging")
@click.argument("corpus", type=FOLDER_THERE)
@click.option("--systems", callback=_pair, required=True, metavar="NAME,NAME", help="The two systems.")
@click.option("--limit", type=click.IntRange(min=1), default=150, help="Maximum number of pages.")
@click.option("--split", type=OneOf(("dev", "train", "all")), default="dev", help="Pages to choose from.")
@click.option(
    "--rendered", type=FOLDER, help="Folder of rendered pages, for visual systems; by default raw HTML is read."
)
@click.option("--seed", type=int, help="Seed of the random order; random by default.")
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for judge.html and key.json.")
def judge_pages(
    corpus: Path,
    systems: tuple[System, System],
    limit: int,
    split: str,
    rendered: Path | None,
    seed: int | None,
    output: Path,
) -> None:
    """Write a page that shows two answers to each page of a corpus, without names and in random order.

    judge.html needs no network and may be passed on; key.json, in the same folder, has the systems of the answers.
    Pages are balanced by script, and one in twenty has no content, if the corpus has such pages.
    """
    from ...compare.blind_judging import make_cases, sample_pages
    from ...compare.report.report import write_judging
    from ...gold.corpora import read_corpus
    from ...gold.rendered import OFFLINE, render_missing

    visual = [system.card.name for system in systems if system.card.visual]
    if visual and rendered is None:
        raise click.UsageError(f"{visual[0]} looks at rendered pages: name a folder that keeps them (--rendered)")
    with report_errors():
        golds = [
            gold for gold in read_corpus(corpus) if split == "all" or (gold.split == "train") == (split == "train")
        ]
        chosen = sample_pages(golds, limit)
        if not chosen:
            raise click.UsageError(f"{corpus} has no page of the split {split} with a gold text")
        if rendered is not None:
            render_missing(chosen, rendered, options=replace(OFFLINE, screenshot="full"), done=lambda *_: None)
        cases = make_cases(chosen, systems, rendered=rendered, seed=seed, failed=complain, picture=_picture)
        path = write_judging(output, corpus.name, systems, cases)
    say(f"{path}: {len(cases)} pages; open it in a browser, and save the choices when done")


def _picture(page: Page) -> str:
    from ...compare.report.gallery import picture

    found = picture(page)
    return "" if found is None else found.url


@judge.command("count", epilog="Example: blocksight judge count judging/choices.json")
@click.argument("choices", type=FILE_THERE)
@click.option("--key", type=FILE_THERE, help="The key of the page; by default key.json in the folder of the choices.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def judge_count(choices: Path, key: Path | None, *, as_json: bool) -> None:
    """Count the preferences and grades of a person, by script.

    CHOICES is the file that was saved from judge.html. Precision and recall are by pages: perfect and major overlap are
    right, garbage is wrong, missed is missed.
    """
    from ...compare.blind_judging import read_preferences, summarise_preferences
    from ...compare.report.report import KEY

    with report_errors():
        names, judged = read_preferences(choices, key or choices.with_name(KEY))
    summaries = summarise_preferences(judged)
    if as_json:
        rows = [_plain(summary, names) for summary in summaries]
        click.echo(json.dumps({"systems": names, "pages": len(judged), "groups": rows}, ensure_ascii=False))
        return
    first, second = names
    click.echo(f"{'':14}{first + ' better':>26}{'tie':>6}{second + ' better':>26}{'p':>8}")
    for summary in summaries:
        pages = summary.comparison
        click.echo(f"{summary.group:14}{pages.better:>26}{pages.tie:>6}{pages.worse:>26}{pages.p:>8.3f}")
    for name, shares, rates in zip(names, summaries[0].shares, summaries[0].rates, strict=True):
        if shares:
            grades = ", ".join(f"{grade} {share:.1%}" for grade, share in shares.items())
            click.echo(f"{name}: {grades}; precision {rates[0]:.2f}, recall {rates[1]:.2f}")


@judge.command("conventions", epilog="Example: blocksight judge conventions corpora/news corpora/forums")
@click.argument("corpora", nargs=-1, required=True, type=FOLDER_THERE)
@click.option("--limit", type=click.IntRange(min=1), default=200, help="Maximum number of pages per corpus.")
@click.option("--rendered", type=FOLDER, help="Folder of rendered pages; missing ones are parsed from raw HTML.")
@click.option("--write/--no-write", default=True, help="Write it into each corpus' info.json.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def judge_conventions(
    corpora: tuple[Path, ...], limit: int, rendered: Path | None, *, write: bool, as_json: bool
) -> None:
    """Print on how many pages the gold of each corpus holds titles, captions, by-lines, teasers and the like.

    Counted are pages on which such a block is known by the page's own data and markup; a role is "in" from 80 % of
    these pages on, "out" up to 20 %, else mixed. info.json in the folder of the corpus says so from then on.
    """
    from ...gold.convention import convention_table, measure_convention, write_convention
    from ...gold.corpora import read_corpus

    conventions = {}
    for corpus in corpora:
        with report_errors():
            conventions[corpus.name] = measure_convention(read_corpus(corpus), rendered=rendered, limit=limit)
            if write:
                write_convention(corpus, conventions[corpus.name])
    if as_json:
        plain = {
            name: {
                role: {"gold": held.verdict, "share": held.share, "pages": held.pages} for role, held in roles.items()
            }
            for name, roles in conventions.items()
        }
        click.echo(json.dumps(plain, ensure_ascii=False))
        return
    table = convention_table(conventions)
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _plain(summary: PreferenceSummary, names: tuple[str, str]) -> dict[str, Any]:
    known = [[None if isnan(rate) else rate for rate in rates] for rates in summary.rates]
    return {
        "group": summary.group,
        "better": summary.comparison.better,
        "tie": summary.comparison.tie,
        "worse": summary.comparison.worse,
        "p": summary.comparison.p,
        "grades": {
            name: {**shares, "precision": precision, "recall": recall}
            for name, shares, (precision, recall) in zip(names, summary.shares, known, strict=True)
            if shares
        },
    }
