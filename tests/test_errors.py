"""The errors, and the answer to a wrong name."""

import pickle

import pytest
from blocksight import errors
from blocksight.errors import PageFailed, unknown_name


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
    again = pickle.loads(pickle.dumps(PageFailed("http://x/", "gone")))  # noqa: S301
    assert (type(again), again.url, again.reason) == (PageFailed, "http://x/", "gone")


def test_the_tree_of_errors_names_them_all():
    own = {
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert all(name in errors.__doc__ for name in own)
