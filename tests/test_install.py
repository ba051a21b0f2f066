"""The wheel in a fresh environment with the libraries of the base only."""

import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = PROJECT["dependencies"]
PAGE = "<title>Tides</title><h1>Tides</h1><p>High water at the bridge comes forty minutes after high water at the bar."


def needed(lines, found):
    """Collect the distributions that some requirements name, and what these need without their extras."""
    for line in lines:
        name = re.match(r"[\w.-]+", line)[0]
        if name in found or "extra ==" in line or "python_version <" in line or "platform" in line:
            continue
        found[name] = distribution(name)
        needed(found[name].requires or (), found)
    return found


@pytest.fixture(scope="module")
def fresh(tmp_path_factory, distributions):
    """The programs of a fresh environment: the base's libraries are links, blocksight is installed from its wheel."""
    folder = tmp_path_factory.mktemp("install")
    (wheel,) = distributions.glob("*.whl")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for library in needed(BASE, {}).values():
        for top in {file.parts[0] for file in library.files if ".." not in file.parts}:
            if top != "__pycache__" and not (site / top).exists():
                (site / top).symlink_to(library.locate_file(top))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "venv")]
    command = [*pip, "install", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "venv" / "bin"


def test_there_is_one_source_archive(distributions):
    assert len(list(distributions.glob("*.tar.gz"))) == 1


def called(fresh, *arguments):
    command, folder = [str(fresh / "blocksight"), *map(str, arguments)], fresh.parents[1]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=folder, env={})


@pytest.mark.parametrize("form", ["markdown", "text", "html", "json", "chunks"])
def test_the_base_reads_raw_html(fresh, tmp_path, form):
    (tmp_path / "page.html").write_text(PAGE)
    done = called(fresh, "extract", "--no-browser", tmp_path / "page.html", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "High water at the bridge" in done.stdout


@pytest.mark.browser
def test_the_base_reads_saved_pages(fresh, tmp_path, browser):
    import blocksight as bs

    bs.save(browser.open(PAGE.encode()), tmp_path / "tides.page")
    done = called(fresh, "extract", tmp_path / "tides.page")
    assert done.returncode == 0, done.stderr
    assert "High water at the bridge" in done.stdout
    assert called(fresh, "metadata", tmp_path / "tides.page").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("extract", "http://127.0.0.1:9/"), "browser"),
        (("features", "--no-browser", "page.html", "-o", "blocks.csv"), "research"),
        (("evaluate", ".", "-o", "results"), "research"),
        (("train", "dataset", ".", "-o", "model.npz"), "research"),
        (("serve",), "scale"),
        (("inspect", "--demo"), "inspect"),
    ],
)
def test_a_command_that_lacks_an_extra_names_it(fresh, arguments, extra):
    (fresh.parents[1] / "page.html").write_text(PAGE)
    done = called(fresh, *arguments)
    assert done.returncode == 1
    assert f"pip install 'blocksight[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
