"""What holds for the repository as a whole: who imports whom, what is installed, what is promised."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.app.cli import COMMANDS
from blocksight.inspector.items import DEMO_PAGES
from blocksight.page import arrays

ROOT = Path(__file__).parent.parent
GROUND = ("files", "processes", "lexicon")
FLOORS = (
    *GROUND,
    "page",
    "render",
    "segment",
    "features",
    "records",
    "classify",
    "document",
    "gold",
    "train",
    "compare",
    "batch",
    "inspector",
    "app",
)
#: Floors of the same level: none imports another.
INDEPENDENT = ("train", "compare", "batch")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: Heavy libraries, and the only folders that may import them.
ROOMS = {
    "turbohtml": {"page", "render"},
    "pandas": {"features", "train", "compare", "app"},
    "sklearn": {"classify", "train"},
    "click": {"app"},
    "starlette": {"inspector", "app"},
    "rich": {"app"},
}


def modules(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def parsed(path):
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def import_statements(path):
    """Return the import statements of a module, also those in functions."""
    return [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(path):
    """Yield (absolute top-level module or None, floor or None) for each import of a module."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], None) for alias in node.names)
        elif node.level == 0:
            yield (node.module or "").split(".")[0], None
        else:
            above = package[: len(package) - node.level + 1]
            target = (*above, *(node.module or "").split(".")) if node.module else above
            names = [alias.name for alias in node.names] if len(target) == 0 else [target[0]]
            yield from ((None, name) for name in names)


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_go_upward_only(floor):
    allowed = {"errors", "version", *FLOORS[: FLOORS.index(floor) + 1]}
    for path in modules(floor):
        for absolute, other in imported(path):
            assert absolute != "blocksight", f"{path}: imports inside are relative"
            assert other is None or other in allowed, f"{path} imports {other}"


@pytest.mark.parametrize("floor", INDEPENDENT)
def test_floors_of_the_same_level_are_independent(floor):
    others = set(INDEPENDENT) - {floor}
    assert modules(floor)
    for path in modules(floor):
        for _, other in imported(path):
            assert other not in others, f"{path} imports {other}"


def module_imports():
    """Yield (module, module that it imports) for all modules of the floors, as paths without their ending."""
    paths = {path.relative_to(ROOT).with_suffix("").parts: path for floor in FLOORS for path in modules(floor)}
    names = {parts[:-1] if parts[-1] == "__init__" else parts: path for parts, path in paths.items()}
    for name, path in names.items():
        package = name if path.name == "__init__.py" else name[:-1]
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = (*package[: len(package) - node.level + 1], *(node.module or "").split("."))
                base = tuple(filter(None, base))
                for alias in node.names:
                    target = (*base, alias.name) if (*base, alias.name) in names else base
                    if target in names and target != name:
                        yield name, target


def test_modules_have_no_import_cycle():
    above = {}
    for module, other in module_imports():
        above.setdefault(module, set()).add(other)
    while above:
        done = [module for module in above if not above[module] & above.keys()]
        assert done, f"import cycle among {sorted('/'.join(module) for module in above)}"
        for module in done:
            del above[module]


def first_difference(module, other):
    """Return how many parts the paths of two modules have in common."""
    return next((depth for depth, (one, two) in enumerate(zip(module, other, strict=False)) if one != two), None)


def test_what_a_folder_holds_has_no_import_cycle():
    """Files and folders alike, at every depth: each folder's entries can be put in an order of imports."""
    imports = {}
    for module, other in module_imports():
        depth = first_difference(module, other)
        if depth is not None:
            imports.setdefault(module[: depth + 1], set()).add(other[: depth + 1])
    assert imports
    while imports:
        done = [entry for entry in imports if not imports[entry] & imports.keys()]
        assert done, f"import cycle among {sorted('/'.join(entry) for entry in imports)}"
        for entry in done:
            del imports[entry]


def parsed_modules():
    """Yield (path, syntax tree) of all modules of the floors."""
    for path in [path for floor in FLOORS for path in modules(floor)]:
        yield path, parsed(path)


def test_names_of_modules_and_classes_are_unique():
    """One name, one idea. A command's module is called as the command, whatever else is called so."""
    homes = {}
    for path, tree in parsed_modules():
        if path.name != "__init__.py" and "commands" not in path.parts:
            homes.setdefault(path.name, []).append(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.lstrip("_"), []).append(path)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_docstrings_do_not_begin_with_a_question_word():
    """The first word says what a function does or what a module is."""
    question = re.compile(r"(?:[a-z_.]+: )?(?:what|where|how|which|who|why|whether|from)\b", re.IGNORECASE)
    questions = []
    for path, tree in parsed_modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                docstring = ast.get_docstring(node) or ""
                is_column = any("property" in ast.unparse(mark) for mark in getattr(node, "decorator_list", ()))
                if question.match(docstring) and not is_column:
                    questions.append(f"{path.relative_to(ROOT)}: {docstring.splitlines()[0]}")
    assert questions == []


@pytest.mark.parametrize("library", ROOMS)
def test_heavy_libraries_stay_in_their_rooms(library):
    users = {floor for floor in FLOORS for path in modules(floor) for name, _ in imported(path) if name == library}
    assert users
    assert users <= ROOMS[library]


def test_scikit_learn_is_imported_at_once_in_training_only():
    for path in modules("classify"):
        at_once = [node for node in parsed(path).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert not [node for node in at_once if "sklearn" in ast.unparse(node)], path


def test_every_package_is_listed():
    found = {"blocksight"}
    for init in ROOT.glob("**/__init__.py"):
        parts = init.relative_to(ROOT).parts[:-1]
        if parts and parts[0] in FLOORS:
            found.add("blocksight." + ".".join(parts))
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found


@pytest.mark.long
def test_the_wheel_holds_what_it_should(distributions):
    (wheel,) = distributions.glob("*.whl")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = {f"blocksight/{path.relative_to(ROOT).as_posix()}" for floor in FLOORS for path in modules(floor)}
    data = {
        "blocksight/py.typed",
        "blocksight/__init__.pyi",
        "blocksight/app/commands/demo/index.html",
    }
    data |= {f"blocksight/lexicon/{path.name}" for path in (ROOT / "lexicon").glob("*.toml")}
    tables = ("batch/rows", "classify/systems/systems", "render/network/non_public")
    data |= {f"blocksight/{name}.toml" for name in tables}
    data |= {f"blocksight/inspector/static/{path.name}" for path in (ROOT / "inspector/static").iterdir()}
    data |= {f"blocksight/render/scripts/{path.name}" for path in (ROOT / "render/scripts").iterdir()}
    demo = [path for name in DEMO_PAGES for path in (ROOT / "fixtures" / name).iterdir()]
    data |= {f"blocksight/{path.relative_to(ROOT).as_posix()}" for path in demo}
    models = ("blocksight", "blocksight-dom", "readings", "threads")
    data |= {f"blocksight/classify/model/{name}.npz" for name in models}
    data |= {"blocksight/records/page-types.npz", "blocksight/segment/vips/cut.npz"}
    data |= {
        f"blocksight/compare/report/templates/{path.name}" for path in (ROOT / "compare/report/templates").iterdir()
    }
    systems = (ROOT / "classify" / "systems" / "models").glob("*.npz")
    data |= {f"blocksight/classify/systems/models/{path.name}" for path in systems}
    compiled = {name for name in inside if name.startswith("blocksight/page/_flat.")}
    assert len(compiled) <= 1  # none without a compiler
    assert compiled or arrays.compiled is None
    assert inside - compiled == sources | data | {
        f"blocksight/{name}.py" for name in ("__init__", "__main__", "errors", "version")
    }
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]


C_SOURCES = sorted((ROOT / "page").glob("*.[ch]"))


def test_the_source_archive_holds_the_loops_in_c(distributions):
    (archive,) = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed_names = packed.getnames()
    for source in C_SOURCES:
        assert any(name.endswith(f"/page/{source.name}") for name in packed_names)


def test_the_package_is_imported_once():
    twice = [name for name in sys.modules if name.endswith("render.page") and name != "blocksight.page.page"]
    assert twice == []


def test_the_face():
    assert sorted(bs.__all__) == list(dict.fromkeys(sorted(bs.__all__)))
    assert set(bs.__all__) <= set(dir(bs))
    assert all(getattr(bs, name).__doc__ for name in bs.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        bs.nonsense  # noqa: B018


def test_the_face_shows_public_names_only():
    shown = {name for name in dir(bs) if not name.startswith("_")}
    assert shown == set(bs.__all__)
    assert len(shown) <= 40


def test_no_name_of_the_face_is_that_of_a_folder():
    """Python puts a folder's module over a name that is looked up when it is used."""
    there = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert there >= set(FLOORS)
    assert there & set(bs.__all__) == {"errors"}  # the one module that is public as such


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
    assert len(readme_examples()) == 1


def test_readme_is_short_and_its_commands_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    used = set(re.findall(r"^(?:.*\| )?blocksight (\w+)", text, re.MULTILINE))
    assert used < set(COMMANDS)
    assert len(text.split()) <= 700


def test_names_in_the_contributors_guide_exist():
    """Each name in backticks is a file or a word of the code; ``NAME`` is a placeholder."""
    text = re.sub(
        r"^ *```.*?```", "", (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.M | re.S
    )
    names = set(re.findall(r"`([A-Za-z_][\w./]*?)(?:\(.*?\))?`", text))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    files = [Path(name) for name in filter(None, listed.split("\0")) if (ROOT / name).is_file()]
    code = [ROOT / path for path in files if path.suffix in {".py", ".toml"} or path.name == "Makefile"]
    words = {word for path in code for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    words |= {part for path in files for part in path.parts}
    unknown = {name for name in names if "NAME" not in name and not (ROOT / name).exists()}
    assert {
        name for name in unknown if re.split(r"[./]", name.rstrip("/"))[-1] not in words | {"py", "md", "npz"}
    } == set()
    assert {name for name in unknown if name.endswith(".py") and name.split("/")[-1] not in words} == set()


def test_no_path_of_a_machine_is_in_the_repository():
    home = re.compile(rb"/(?:home|Users|root|work)/\w")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.split(b"\0")):
        path = ROOT / name.decode()
        if path.is_file() and path != Path(__file__) and path.suffix in {".py", ".md", ".toml", ".html", "", ".json"}:
            assert not home.search(path.read_bytes()), path
