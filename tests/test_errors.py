"""The errors, and the answer to a wrong name."""

import pickle

import pytest
from blocksight.errors import HttpFailed, unknown_name


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("victr", "did you mean 'victor'?"),
        ("Victor", "did you mean 'victor'?"),
        ("mss-", "did you mean 'mss' or 'mss-hr'?"),
        ("zebra", "there are mss, mss-hr, victor"),
        ("", "there are mss, mss-hr, victor"),
    ],
)
def test_the_nearest_names_or_all(name, error):
    assert (
        str(unknown_name("system", name, iter(("mss", "mss-hr", "victor")))) == f"no system is called {name!r}; {error}"
    )


def test_errors_survive_the_way_between_processes():
    again = pickle.loads(pickle.dumps(HttpFailed("http://x/", "gone", 410, 2.0)))  # noqa: S301
    assert (type(again), again.url, again.reason, again.retry_after) == (HttpFailed, "http://x/", "gone", 2.0)
    assert str(again) == "http://x/: gone"
