"""CleanEval's scores: words aligned with the annotator's text, without and with the marks ``<h>``, ``<p>``, ``<l>``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from .overlap import Overlap, common_words, overlap, word_tuple

_ADDRESS = re.compile(r"\A\s*URL:?[^\n]*")
_MARK = re.compile(r"<([phl])>", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]+")


def text_only(found: str, gold: str) -> float:
    """Return CleanEval's "text only" score: 1 - edits / length of the alignment (Pasternack, Roth 2009, section 7.7).

    Edits are insertions and removals of words, there are no substitutions; the alignment has one step a word that is
    inserted, removed or aligned. With a longest common subsequence of L words that is L / (n + m - L).

    >>> text_only("the dog", "the dog barked")
    0.6666666666666666
    """
    return _aligned_share(word_tuple(found), word_tuple(gold))


def _aligned_share(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    aligned = common_words(one, other)
    steps = len(one) + len(other) - aligned
    return aligned / steps if steps else 1.0


def text_and_markup(found: str, gold: str) -> float:
    """Return the same score with each mark counted as a word: what must be aligned is text and segments together.

    CleanEval's own "text and markup" score was an average with one for segments whose formula is not published; this
    is our reading of it.

    >>> text_and_markup("<p> the dog <p> barked", "<h> the dog <p> barked")
    0.6666666666666666
    """
    return _aligned_share(tokens(found), tokens(gold))


def tokens(text: str, *, labelled: bool = True) -> tuple[str, ...]:
    r"""Cut a marked text at white space, each mark a token of its own; a first line with the address is left out.

    Parameters
    ----------
    text : str
    labelled : bool
        Whether ``<h>``, ``<p>`` and ``<l>`` differ.

    Examples
    --------
    >>> tokens("URL: http://a.b\n<H>Tea<p>Boil  water.")
    ('<h>', 'Tea', '<p>', 'Boil', 'water.')
    """
    text = _CONTROL.sub(" ", _ADDRESS.sub("", text))
    return tuple(_MARK.sub(lambda mark: f" <{mark[1].lower()}> " if labelled else " <p> ", text).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """Tokens and marks that are aligned.

    Attributes
    ----------
    tokens : Overlap
        Of words and marks together.
    marks : Overlap
        Of the marks alone: how well segments are found, and called by the right name.
    """

    tokens: Overlap
    marks: Overlap


def evert_counting(found: str, gold: str, *, labelled: bool = True) -> Counting:
    """Count as Evert's ``cleaneval.py`` does (2008): precision, recall and F1 of aligned tokens, and of marks.

    It differs from that script in the alignment, which here is a longest common subsequence. The script's
    (Python's ``difflib``) sets tokens aside that make up more than 1 % of a text of 200 or more, such as "the" and
    ``<p>``, and extends the longest common run first; both find less. White space at the ends is no token here. Text
    in scripts without spaces has few tokens, one a run, as there.

    Parameters
    ----------
    found, gold : str
        Texts with ``<h>``, ``<p>``, ``<l>`` before their segments.
    labelled : bool
        Whether the names of the marks count (the script's option ``-u`` is False).

    Examples
    --------
    >>> counting = evert_counting("<p> the dog <p> barked", "<h> the dog <p> barked")
    >>> counting.tokens.f1, counting.marks.f1
    (0.8, 0.5)
    """
    one, other = tokens(found, labelled=labelled), tokens(gold, labelled=labelled)
    steps = [step for step in LCSseq.opcodes(one, other) if step.tag == "equal"]
    aligned = [one[place] for step in steps for place in range(step.src_start, step.src_end)]
    return Counting(
        tokens=overlap(len(aligned), len(one), len(other)),
        marks=overlap(_marks(aligned), _marks(one), _marks(other)),
    )


def _marks(some: list[str] | tuple[str, ...]) -> int:
    return sum(bool(_MARK.fullmatch(token)) for token in some)
