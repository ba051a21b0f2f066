"""What several tests share: the fixture pages served on 127.0.0.1, and one browser."""

from pathlib import Path

import blocksight as bs
import pytest
from blocksight.render.network.local_server import serve_folder
from hypothesis import HealthCheck, settings

# The same examples each time, so that a change is judged by itself; to search for new ones:
# pytest --hypothesis-profile=search
# A busy machine is no failure.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search")
settings.load_profile("repeatable")

FIXTURES = Path(__file__).parent.parent / "fixtures"


def pytest_addoption(parser):
    """Add the options that write golden files anew."""
    group = parser.getgroup("golden files")
    group.addoption("--update-golden", action="store_true", help="write fixtures/golden/*.tsv and print what changed")
    group.addoption(
        "--render-golden", action="store_true", help="render fixtures/golden/*.page again first (needs a Chromium)"
    )


@pytest.fixture(scope="session")
def fixtures():
    """The folder of fixture pages."""
    return FIXTURES


@pytest.fixture(scope="session")
def address():
    """The address under which the fixture pages are served."""
    with serve_folder(FIXTURES) as served:
        yield served


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests."""
    with bs.Browser(options=bs.RenderOptions(timeout=20.0, allow_private=True)) as running:
        yield running
