"""CleanEval's scores: words aligned with the annotator's text, without and with the tags ``<h>``, ``<p>``, ``<l>``."""

from __future__ import annotations

import re

from .overlap import common_words, word_tuple

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


def tokens(text: str) -> tuple[str, ...]:
    r"""Split a tagged text at white space, each tag its own token, without a first line that holds the address.

    >>> tokens("URL: http://a.b\n<H>Tea<p>Boil  water.")
    ('<h>', 'Tea', '<p>', 'Boil', 'water.')
    """
    text = _CONTROL.sub(" ", _ADDRESS.sub("", text))
    return tuple(_TAG.sub(lambda tag: f" <{tag[1].lower()}> ", text).split())
