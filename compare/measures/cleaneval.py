"""CleanEval's scores: words aligned with the annotator's text, without and with the tags ``<h>``, ``<p>``, ``<l>``."""

from __future__ import annotations

import re
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from .overlap import Overlap, common_words, overlap, word_tuple

_ADDRESS = re.compile(r"\A\s*URL:?[^\n]*")
_TAG = re.compile(r"<([phl])>", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]+")


def text_only(prediction: str, reference: str) -> float:
    """Return CleanEval's "text only" score: 1 - edits / length of the alignment (Pasternack, Roth 2009, section 7.7).

    Edits are insertions and deletions of words, there are no substitutions; the alignment has one step for each word
    that is inserted, deleted or aligned. With a longest common subsequence of L words that is L / (n + m - L).

    >>> text_only("the dog", "the dog barked")
    0.6666666666666666
    """
    return _aligned_share(word_tuple(prediction), word_tuple(reference))


def _aligned_share(prediction: tuple[str, ...], reference: tuple[str, ...]) -> float:
    aligned = common_words(prediction, reference)
    steps = len(prediction) + len(reference) - aligned
    return aligned / steps if steps else 1.0


def text_and_markup(prediction: str, reference: str) -> float:
    """Return the same score with each tag counted as a word: text and segments are aligned together.

    CleanEval's own "text and markup" score was an average with a score of segments whose formula is not published; this
    is our interpretation of it.

    >>> text_and_markup("<p> the dog <p> barked", "<h> the dog <p> barked")
    0.6666666666666666
    """
    return _aligned_share(tokens(prediction), tokens(reference))


def tokens(text: str, *, labelled: bool = True) -> tuple[str, ...]:
    r"""Split a tagged text at white space, each tag its own token, without a first line that holds the address.

    If not ``labelled``, ``<h>``, ``<p>`` and ``<l>`` are the same token.

    >>> tokens("URL: http://a.b\n<H>Tea<p>Boil  water.")
    ('<h>', 'Tea', '<p>', 'Boil', 'water.')
    """
    text = _CONTROL.sub(" ", _ADDRESS.sub("", text))
    return tuple(_TAG.sub(lambda tag: f" <{tag[1].lower()}> " if labelled else " <p> ", text).split())


class AlignmentScores(NamedTuple):
    """Overlap of the aligned tokens (words and tags), and of the aligned tags alone: whether segments are right."""

    tokens: Overlap
    tags: Overlap


def evert_scores(prediction: str, reference: str, *, labelled: bool = True) -> AlignmentScores:
    """Score as Evert's ``cleaneval.py`` does (2008): precision, recall and F1 of aligned tokens, and of tags.

    It differs from that script in the alignment, which here is a longest common subsequence. The script's
    (Python's ``difflib``) ignores tokens that make up more than 1 % of a text of 200 or more, such as "the" and
    ``<p>``, and extends the longest common run first; both align less. White space at the ends is no token here. Text
    in scripts without spaces has few tokens, one for each run, as there.

    If not ``labelled``, the names of the tags are ignored (``-u`` of the script sets this).

    >>> scores = evert_scores("<p> the dog <p> barked", "<h> the dog <p> barked")
    >>> scores.tokens.f1, scores.tags.f1
    (0.8, 0.5)
    """
    predicted, expected = tokens(prediction, labelled=labelled), tokens(reference, labelled=labelled)
    steps = [step for step in LCSseq.opcodes(predicted, expected) if step.tag == "equal"]
    aligned = [predicted[index] for step in steps for index in range(step.src_start, step.src_end)]
    return AlignmentScores(
        tokens=overlap(len(aligned), len(predicted), len(expected)),
        tags=overlap(_count_tags(aligned), _count_tags(predicted), _count_tags(expected)),
    )


def _count_tags(sequence: list[str] | tuple[str, ...]) -> int:
    return sum(bool(_TAG.fullmatch(token)) for token in sequence)
