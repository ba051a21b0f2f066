"""What holds for the repository as a whole: who imports whom, what is installed, what is promised."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.app.cli import main

ROOT = Path(__file__).parent.parent
FLOORS = ("render", "segment", "features", "gold", "classify", "train", "compare", "app")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: Heavy libraries, and the only folders that may import them.
ROOMS = {
    "playwright": {"render"},
    "turbohtml": {"render"},
    "websockets": {"render"},
    "pandas": {"features", "train", "compare", "app"},
    "sklearn": {"classify", "compare"},
    "click": {"app"},
    "rich": {"app"},
}


def modules(folder):
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path):
    """Yield (absolute top-level module or None, floor or None) for each import of a module."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").split(".")[0], None
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1]
            target = (*above, *(node.module or "").split(".")) if node.module else above
            names = [alias.name for alias in node.names] if len(target) == 0 else [target[0]]
            yield from ((None, name) for name in names)


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_go_upward_only(floor):
    allowed = set(FLOORS[: FLOORS.index(floor) + 1])
    for path in modules(floor):
        for absolute, other in imported(path):
            assert absolute != "blocksight", f"{path}: imports inside are relative"
            assert other is None or other in allowed, f"{path} imports {other}"


@pytest.mark.parametrize("library", ROOMS)
def test_heavy_libraries_stay_in_their_rooms(library):
    users = {floor for floor in FLOORS for path in modules(floor) for name, _ in imported(path) if name == library}
    assert users
    assert users <= ROOMS[library]


def test_every_package_is_listed():
    found = {"blocksight"}
    for init in ROOT.glob("**/__init__.py"):
        parts = init.relative_to(ROOT).parts[:-1]
        if parts and parts[0] in FLOORS:
            found.add("blocksight." + ".".join(parts))
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found


def test_the_wheel_holds_what_it_should(tmp_path):
    # Built from a copy: a build leaves folders behind.
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, files):
        if (ROOT / name).is_file():
            copy = tmp_path / "source" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path / "dist"), str(tmp_path / "source")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = {f"blocksight/{path.relative_to(ROOT).as_posix()}" for floor in FLOORS for path in modules(floor)}
    data = {"blocksight/py.typed", "blocksight/app/commands/demo/index.html", "blocksight/segment/overlay.html"}
    data |= {f"blocksight/classify/model/{name}.npz" for name in ("blocksight", "blocksight-dom")}
    data |= {
        f"blocksight/compare/report/templates/{path.name}" for path in (ROOT / "compare/report/templates").iterdir()
    }
    systems = (ROOT / "classify" / "systems" / "models").glob("*.npz")
    data |= {f"blocksight/classify/systems/models/{path.name}" for path in systems}
    assert inside == sources | data | {"blocksight/__init__.py", "blocksight/__main__.py"}


def test_the_package_is_imported_once():
    twice = [name for name in sys.modules if name.endswith("render.page") and name != "blocksight.render.page"]
    assert twice == []


def test_the_face():
    assert sorted(bs.__all__) == list(dict.fromkeys(sorted(bs.__all__)))
    public = {name for name in vars(bs) if not name.startswith("_")} - set(FLOORS)
    assert public - {"VERSION"} == set(bs.__all__)
    assert not set(bs.__all__) & set(FLOORS), "a name that shadows a folder"
    assert all(getattr(bs, name).__doc__ for name in bs.__all__)


def readme_examples():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def numbered_examples():
    """Examples by number; those that open a page are marked."""
    marks = [[pytest.mark.browser] if "Browser()" in example else [] for example in readme_examples()]
    return [pytest.param(number, marks=mark) for number, mark in enumerate(marks)]


@pytest.mark.parametrize("number", numbered_examples())
def test_readme_examples_run(number, tmp_path, monkeypatch, request):
    example = readme_examples()[number]
    monkeypatch.chdir(tmp_path)
    if "https://example.org/app" in example:
        served = request.getfixturevalue("address") + "/news/page.html"
        example = example.replace("https://example.org/app", served)
        example = example.replace("Browser()", "Browser(options=bs.RenderOptions(allow_private=True))")
    exec(compile(example, f"README.md, example {number}", "exec"), {})


def test_there_are_readme_examples():
    assert len(readme_examples()) >= 3


def test_readme_commands_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    used = set(re.findall(r"^(?:.*\| )?blocksight (\w+)", text, re.MULTILINE))
    assert used <= set(main.commands)
    assert {"setup", "doctor", "extract", "render", "segment", "features", "evaluate", "compare", "systems"} <= set(
        main.commands
    )


def test_no_path_of_a_machine_is_in_the_repository():
    home = re.compile(rb"/(?:home|Users|root|work)/\w")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.split(b"\0")):
        path = ROOT / name.decode()
        if path.is_file() and path != Path(__file__) and path.suffix in {".py", ".md", ".toml", ".html", "", ".json"}:
            assert not home.search(path.read_bytes()), path
