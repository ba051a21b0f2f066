"""Blind pairwise judging of two systems by a person, as NewsFeed's authors did it (thesis, section 2.4.4.1).

The person sees two outputs for a page, unnamed and in random order, chooses the better one or a tie, and may grade
both. A separate key file assigns the sides to the systems.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from ..classify.system import System
from ..errors import BlocksightError, JudgingUnreadable
from ..gold.pages import GoldPage, shuffled
from ..gold.rendered import read_page
from ..lexicon.writing_systems import script_of
from ..page.page import Page
from ..page.visibility import invisible_leaves
from .measures.grading import Grade, PagewiseComparison, compare_pagewise, grade_rates
from .outputs import system_output, try_marks

#: Share of pages without content, if the corpus has some: "intentionally chosen" in the thesis.
EMPTY_SHARE = 0.05
#: A part of an output, and whether the other output lacks it.
Part = tuple[str, bool]
BETTER = ("left", "tie", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page to be judged."""

    page: GoldPage
    script: str  # Of the gold text, else of the page; "" without letters
    left: int  # The system on the left side, 0 or 1
    texts: tuple[str, str]  # The outputs, the left one first
    page_text: str  # All visible text of the page
    picture: str = ""  # URL of its picture, "" for none

    @property
    def parts(self) -> tuple[list[Part], list[Part]]:
        """The outputs in parts, each with whether the other output lacks it."""
        return differences(*self.texts)


def differences(one: str, other: str) -> tuple[list[Part], list[Part]]:
    r"""Return two texts in parts of whole lines, each with whether the other text lacks it.

    >>> differences("Tea\nMenu", "Tea")
    ([('Tea\n', False), ('Menu', True)], [('Tea', False)])
    """
    lines = [text.splitlines(keepends=True) for text in (one, other)]
    keys = [["".join(line.split()) for line in side] for side in lines]
    parts: tuple[list[Part], list[Part]] = ([], [])
    for kind, *ends in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        for side, (first, last) in enumerate((ends[:2], ends[2:])):
            if first < last:
                parts[side].append(("".join(lines[side][first:last]), kind != "equal"))
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """A person's judgement of a page."""

    page: str
    script: str
    content: bool  # Whether the page has content, by its gold
    better: int | None  # 1 for the first system, -1 for the second, 0 for a tie, None if not judged
    #: Grades of the first system and the second (:class:`~blocksight.compare.measures.grading.Grade`), "" for none.
    grades: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceSummary:
    """The judgements of a group of pages: those of a script, "no content", or "all"."""

    group: str
    comparison: PagewiseComparison  # Pages on which the first system is better, as good, and worse
    #: Precision and recall by the grades, for each system; NaN without grades.
    rates: tuple[tuple[float, float], tuple[float, float]]
    #: Share of each grade, for each system; empty without grades.
    shares: tuple[Mapping[str, float], Mapping[str, float]]


def sample_pages(golds: Sequence[GoldPage], limit: int) -> list[GoldPage]:
    """Sample at most ``limit`` pages with gold texts, reproducibly, as the thesis does.

    Scripts are balanced, and one page in twenty has no content.
    """
    groups: dict[str, list[GoldPage]] = defaultdict(list)
    empty: list[GoldPage] = []
    for gold in shuffled(golds):
        if gold.texts and not gold.error:
            (groups[str(script_of(gold.text) or "")] if gold.text.strip() else empty).append(gold)
    without = empty[: ceil(EMPTY_SHARE * limit)]
    sampled: list[GoldPage] = []
    # The smallest group first: the remaining groups share what it lacks.
    for remaining, pages in zip(range(len(groups), 0, -1), sorted(groups.values(), key=len), strict=True):
        sampled += pages[: ceil((limit - len(without) - len(sampled)) / remaining)]
    return sorted([*sampled[: limit - len(without)], *without], key=lambda gold: gold.id)


def make_cases(
    golds: Sequence[GoldPage],
    systems: tuple[System, System],
    *,
    rendered: Path | None = None,
    seed: int | None = None,
    failed: Callable[[str, str], object] = lambda *_: None,
    picture: Callable[[Page], str] = lambda _: "",
) -> list[Case]:
    """Run two systems on pages in random order, and assign them to the sides at random.

    ``rendered`` is the folder of rendered pages; by default raw HTML is parsed. The seed is by default random and not
    recorded. ``failed`` is called with the page and the reason for pages that cannot be read and systems that fail,
    ``picture`` returns the URL of a page's picture.
    """
    random = Random(secrets.randbits(64) if seed is None else seed)
    cases = []
    for gold in random.sample(list(golds), len(golds)):
        try:
            page = read_page(gold, rendered)
        except BlocksightError as error:
            failed(gold.id, str(error))
            continue
        texts = []
        for system in systems:
            marks, reason = try_marks(system, page)
            if reason:
                failed(gold.id, f"{system.card.name}: {reason}")
            texts.append(system_output(page, marks).text)
        left = random.randrange(2)
        page_text = system_output(page, ~invisible_leaves(page)).text
        script = str(script_of(gold.text) or script_of(page_text) or "")
        shown = (texts[left], texts[1 - left])
        url = picture(page)
        cases.append(Case(page=gold, script=script, left=left, texts=shown, page_text=page_text, picture=url))
    return cases


def answer_key(run: str, corpus: str, systems: tuple[System, System], cases: Sequence[Case]) -> dict[str, Any]:
    """Return the data that :func:`read_preferences` needs in addition to a person's choices."""
    return {
        "run": run,
        "corpus": corpus,
        "systems": [system.card.name for system in systems],
        "cases": [
            {"page": case.page.id, "script": case.script, "content": bool(case.page.text.strip()), "left": case.left}
            for case in cases
        ],
    }


def read_preferences(choices: Path, key: Path) -> tuple[tuple[str, str], list[Preference]]:
    """Read the saved choices and the key; return the names of the two systems, and a preference for each page.

    JudgingUnreadable if a file cannot be read, or the choices belong to another key.
    """
    saved, answers = _read(choices), _read(key)
    try:
        if saved["run"] != answers["run"]:
            raise JudgingUnreadable(f"{choices} was saved from another page than the one that {key} belongs to")
        first, second = answers["systems"]
        cases = enumerate(answers["cases"])
        preferences = [_preference(case, saved["choices"].get(str(number), {})) for number, case in cases]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JudgingUnreadable(f"{choices} or {key} is damaged ({error!r})") from error
    return (str(first), str(second)), preferences


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise JudgingUnreadable(f"{path} cannot be read: {error}") from error


def _preference(case: Mapping[str, Any], choice: Mapping[str, str]) -> Preference:
    side = 1 if case["left"] == 0 else -1
    better = choice.get("better", "")
    left, right = (str(Grade(choice[name])) if choice.get(name) else "" for name in ("left", "right"))
    return Preference(
        page=str(case["page"]),
        script=str(case["script"]),
        content=bool(case["content"]),
        better=side * (1 - BETTER.index(better)) if better else None,
        grades=(left, right) if side == 1 else (right, left),
    )


def summarise_preferences(preferences: Sequence[Preference]) -> list[PreferenceSummary]:
    """Summarise all pages, those of each script, and those without content."""
    groups: dict[str, list[Preference]] = {"all": list(preferences)}
    for preference in preferences:
        groups.setdefault(preference.script if preference.content else "no content", []).append(preference)
    return [_summary(name, members) for name, members in groups.items() if name]


def _summary(group: str, preferences: Sequence[Preference]) -> PreferenceSummary:
    choices = [preference.better for preference in preferences if preference.better is not None]
    first, second = ([item.grades[system] for item in preferences if item.grades[system]] for system in (0, 1))
    return PreferenceSummary(
        group=group,
        comparison=compare_pagewise(choices, [0] * len(choices)),
        rates=(grade_rates(first), grade_rates(second)),
        shares=(_grade_shares(first), _grade_shares(second)),
    )


def _grade_shares(grades: Sequence[str]) -> dict[str, float]:
    return {str(grade): grades.count(grade) / len(grades) for grade in Grade} if grades else {}
