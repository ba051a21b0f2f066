"""The argument ``timeout`` of the library's verbs."""

import re
import time

import blocksight as bs
import pytest

PAGE = bs.parse("<title>Tea</title><h1>Tea</h1>" + "<p>Fresh water is boiled, and the pot is warmed.</p>" * 9)
VERBS = {
    "extract": lambda page, **more: bs.extract(page, system="bte", **more),
    "metadata": bs.metadata,
    "block_features": lambda page, **more: bs.block_features(page, groups=("text",), **more),
    "chunks": lambda page, **more: bs.extract(page, system="bte").chunks(**more),
}
#: Seconds for a process to start and to be killed on a busy machine, most of which no limit counts.
SLACK = 30.0


@pytest.mark.parametrize("name", VERBS)
def test_the_result_is_the_same(name):
    limited, plain = VERBS[name](PAGE, timeout=60.0), VERBS[name](PAGE)
    assert limited.equals(plain) if name == "block_features" else limited == plain


class Endless:
    """A system that never answers, in a loop that no signal of Python's ends."""

    card = bs.Card(name="endless", title="Endless", paper="", year=2026, visual=False)

    def mark(self, page):
        re.match(r"(a*)*b", "a" * 60)


def test_an_endless_verb_is_ended():
    began = time.monotonic()
    with pytest.raises(bs.TimedOut, match=r"not done within 0\.5 s \(timeout sets it\)"):
        bs.extract(PAGE, system=Endless(), timeout=0.5)
    assert time.monotonic() - began < SLACK
    with pytest.raises(ValueError, match="timeout must be above 0"):
        bs.metadata(PAGE, timeout=0)
