"""Shared fixtures: the fixture pages served on 127.0.0.1, one browser, and the built distributions."""

import os
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

# Small matrices on several threads cost four times as much: threads that wait for others keep a core busy, and each
# process of pytest-xdist and each command of a test would have threads of its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import blocksight as bs
import numpy as np
import pytest
from blocksight.page.geometry import Geometry, Paint
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


def equal_pages(one, other):
    """Return whether every column of two pages is the same, bit for bit."""
    if isinstance(one, bs.Page | Geometry | Paint):
        names = [member.name for member in fields(one) if member.compare]
        return type(one) is type(other) and all(equal_pages(getattr(one, n), getattr(other, n)) for n in names)
    if isinstance(one, np.ndarray):
        kind = (other.dtype, other.shape) if isinstance(other, np.ndarray) else None
        return (one.dtype, one.shape) == kind and one.tobytes() == other.tobytes()
    return bool(one == other)


def pytest_addoption(parser):
    """Add the options that write golden files anew."""
    group = parser.getgroup("golden files")
    group.addoption("--update-golden", action="store_true", help="write fixtures/golden/*.tsv and print what changed")
    group.addoption(
        "--render-golden", action="store_true", help="render fixtures/golden/*.page again first (needs a Chromium)"
    )
    parser.addoption("--installed-fonts", action="store_true", help="render in the fonts of this machine")


def pytest_configure(config):
    """Give browsers the font of the tests alone: layouts are then the same on each machine."""
    if not config.option.installed_fonts:
        os.environ["FONTCONFIG_FILE"] = str(FIXTURES / "fonts" / "fonts.conf")


def pytest_ignore_collect(collection_path, config):
    """Leave out files without a test of a browser if only those are asked for: to collect a file is to import it."""
    if config.option.markexpr == "browser" and collection_path.suffix == ".py":
        return "mark.browser" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_collection_modifyitems(items):
    """Begin with the files that are marked as long: at the end, one process would run for itself."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def fixtures():
    """The folder of fixture pages."""
    return FIXTURES


@pytest.fixture(scope="session")
def reply():
    """The class that builds the reply of DOMSnapshot.captureSnapshot."""
    from generators.snapshots import Reply

    return Reply


@pytest.fixture(scope="session")
def address():
    """The address under which the fixture pages are served."""
    with serve_folder(FIXTURES) as served:
        yield served


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests."""
    with bs.Browser(options=bs.RenderOptions(timeout=60.0, allow_private=True)) as running:
        yield running


@pytest.fixture(scope="session")
def distributions(tmp_path_factory):
    """The folder of the source archive and the wheel: built once, also if several processes of pytest-xdist need it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "distributions", shared / "distributions-done"
    try:
        folder.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + 400
        while not done.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
    else:
        done.write_text(_build(shared / "source", folder))
    assert done.read_text() == ""
    return folder


def _build(source, folder):
    """Build from a copy, as a build leaves folders behind; return the error, "" for none."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=FIXTURES.parent, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (FIXTURES.parent / name).is_file():
            copy = source / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((FIXTURES.parent / name).read_bytes())
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(source)]
    build = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return "" if build.returncode == 0 else build.stdout + build.stderr
