"""Blind judging of two systems side by side, as NewsFeed's authors did it (thesis, section 2.4.4.1).

A person sees two answers to a page without names and in random order, says which is better if either is, and may grade
both. What stands on which side is in a file of its own, which the person need not open.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from ..classify.system import System
from ..errors import BlocksightError, JudgingUnreadable
from ..gold.pages import GoldPage, shuffled
from ..gold.rendered import read_page
from ..lexicon.scripts import script_of
from ..page.visibility import invisible_leaves
from .measures.grading import Duel, Grade, duel, grade_rates
from .outputs import answer, attempt

#: Share of pages without content, where the corpus has some: "intentionally chosen" in the thesis.
EMPTY_SHARE = 0.05
BETTER = ("left", "tie", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page that is to be judged.

    Attributes
    ----------
    page : GoldPage
    script : str
        Of the gold text, else of the page; "" where there is no letter.
    left : int
        Which of the two systems, 0 or 1, stands on the left.
    texts : tuple of str
        The answers, the left one first.
    seen : str
        All text of the page that a person sees.
    """

    page: GoldPage
    script: str
    left: int
    texts: tuple[str, str]
    seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a person says of a page.

    Attributes
    ----------
    page, script : str
    content : bool
        Whether the page has any, by its gold.
    better : int or None
        1 for the first system, -1 for the second, 0 for a tie, None where nothing was said.
    grades : tuple of str
        Of the first system and the second, as :class:`~blocksight.compare.measures.grading.Grade`; "" for none.
    """

    page: str
    script: str
    content: bool
    better: int | None
    grades: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceSummary:
    """What was said of a group of pages.

    Attributes
    ----------
    group : str
        A script, "no content", or "all".
    duel : Duel
        On how many pages the first system is better, as good, and worse.
    rates : tuple of tuple
        Precision and recall by the grades, for each system; NaN without grades.
    shares : tuple of mapping
        Share of each grade among those given, for each system; empty without grades.
    """

    group: str
    duel: Duel
    rates: tuple[tuple[float, float], tuple[float, float]]
    shares: tuple[Mapping[str, float], Mapping[str, float]]


def chosen_pages(golds: Sequence[GoldPage], limit: int) -> list[GoldPage]:
    """Choose pages as the thesis does: as many of each script, and one in twenty of each without content.

    Parameters
    ----------
    golds : sequence of GoldPage
        Those with gold texts are chosen from.
    limit : int
        So many at most; the same ones every time.
    """
    groups: dict[str, list[GoldPage]] = defaultdict(list)
    empty: list[GoldPage] = []
    for gold in shuffled(golds):
        if gold.texts and not gold.error:
            (groups[str(script_of(gold.text) or "")] if gold.text.strip() else empty).append(gold)
    without = empty[: ceil(EMPTY_SHARE * limit)]
    chosen: list[GoldPage] = []
    # The smallest group first: what it cannot give is shared by the others.
    for left, pages in zip(range(len(groups), 0, -1), sorted(groups.values(), key=len), strict=True):
        chosen += pages[: ceil((limit - len(without) - len(chosen)) / left)]
    return sorted([*chosen[: limit - len(without)], *without], key=lambda gold: gold.id)


def cases(
    golds: Sequence[GoldPage],
    systems: tuple[System, System],
    *,
    rendered: Path | None = None,
    seed: int | None = None,
    failed: Callable[[str, str], object] = lambda *_: None,
) -> list[Case]:
    """Let two systems answer, and toss a coin for each page as to which stands on the left.

    Parameters
    ----------
    golds : sequence of GoldPage
    systems : tuple of System
    rendered : Path, optional
        The folder that keeps rendered pages; raw HTML is read without one.
    seed : int, optional
        Of the coin and of the order of pages; by default nobody knows it.
    failed : callable
        Told of pages that cannot be read and of systems that fail (the name, the reason).
    """
    random = Random(secrets.randbits(64) if seed is None else seed)
    found = []
    for gold in random.sample(list(golds), len(golds)):
        try:
            page = read_page(gold, rendered)
        except BlocksightError as error:
            failed(gold.id, str(error))
            continue
        texts = []
        for system in systems:
            marks, why = attempt(system, page)
            if why:
                failed(gold.id, f"{system.card.name}: {why}")
            texts.append(answer(page, marks).text)
        left = random.randrange(2)
        seen = answer(page, ~invisible_leaves(page)).text
        script = str(script_of(gold.text) or script_of(seen) or "")
        found.append(Case(page=gold, script=script, left=left, texts=(texts[left], texts[1 - left]), seen=seen))
    return found


def key_of(run: str, corpus: str, systems: tuple[System, System], found: Sequence[Case]) -> dict[str, Any]:
    """Return what :func:`read_judged` must know beside a person's choices."""
    return {
        "run": run,
        "corpus": corpus,
        "systems": [system.card.name for system in systems],
        "cases": [
            {"page": case.page.id, "script": case.script, "content": bool(case.page.text.strip()), "left": case.left}
            for case in found
        ],
    }


def read_judged(choices: Path, key: Path) -> tuple[tuple[str, str], list[Preference]]:
    """Read what a person has saved, and whose answers they were.

    Returns
    -------
    tuple of str
        Names of the two systems.
    list of Preference
        Every page of the key, in its order.

    Raises
    ------
    JudgingUnreadable
        When a file cannot be read, or the choices are of another page than the key.
    """
    said, known = _read(choices), _read(key)
    try:
        if said["run"] != known["run"]:
            raise JudgingUnreadable(f"{choices} was saved from another page than the one that {key} belongs to")
        first, second = known["systems"]
        found = [_judged(case, said["choices"].get(str(place), {})) for place, case in enumerate(known["cases"])]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JudgingUnreadable(f"{choices} or {key} is not as it was written ({error!r})") from error
    return (str(first), str(second)), found


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise JudgingUnreadable(f"{path} cannot be read: {error}") from error


def _judged(case: Mapping[str, Any], said: Mapping[str, str]) -> Preference:
    side = 1 if case["left"] == 0 else -1
    better = said.get("better", "")
    grades = [str(Grade(said[name])) if said.get(name) else "" for name in ("left", "right")]
    return Preference(
        page=str(case["page"]),
        script=str(case["script"]),
        content=bool(case["content"]),
        better=side * (1 - BETTER.index(better)) if better else None,
        grades=(grades[0], grades[1]) if side == 1 else (grades[1], grades[0]),
    )


def verdicts(judged: Sequence[Preference]) -> list[PreferenceSummary]:
    """Count what was said: all pages, those of each script, and those without content."""
    groups: dict[str, list[Preference]] = {"all": list(judged)}
    for one in judged:
        groups.setdefault(one.script if one.content else "no content", []).append(one)
    return [_verdict(name, some) for name, some in groups.items() if name]


def _verdict(group: str, judged: Sequence[Preference]) -> PreferenceSummary:
    said = [one.better for one in judged if one.better is not None]
    grades = [[one.grades[system] for one in judged if one.grades[system]] for system in (0, 1)]
    shares = [{str(one): given.count(one) / len(given) for one in Grade} if given else {} for given in grades]
    return PreferenceSummary(
        group=group,
        duel=duel(said, [0] * len(said)),
        rates=(grade_rates(grades[0]), grade_rates(grades[1])),
        shares=(shares[0], shares[1]),
    )
