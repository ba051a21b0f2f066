"""What the guides promise is there: commands, options, groups, formats."""

import json
import re
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.features.block_table import GROUP_NAMES
from blocksight.features.dataset_files import FORMATS
from blocksight.version import VERSION

GUIDES = ("datasets.md", "training.md")
DOCS = Path(bs.__file__).parent / "docs"
#: Pages whose examples have tests of their own.
TESTED = ("batch.md", "programs.md")


@pytest.fixture(params=GUIDES)
def guide(request, fixtures):
    return (fixtures.parent / "docs" / request.param).read_text(encoding="utf-8")


def options_of(command):
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


def test_options_exist(guide, commands):
    used = set(re.findall(r"--[a-z][a-z-]*", guide))
    assert used
    assert used <= set().union(*map(options_of, commands.values()))


def commands_named(folder):
    """What follows ``blocksight`` in lines and examples of all guides; results name the commands of their commits."""
    guides = [path for path in sorted((folder / "docs").rglob("*.md")) if path.parent.name != "results"]
    for path in (folder / "README.md", folder / "skills" / "blocksight" / "SKILL.md", *guides):
        text = path.read_text(encoding="utf-8")
        yield from re.findall(r"(?:^|`|\| )blocksight ([a-z-]+\b[^`\n#]*)", text, re.MULTILINE)


def test_commands_have_the_options_that_they_are_shown_with(fixtures, commands):
    shown = set()
    for line in commands_named(fixtures.parent):
        words = line.replace("[", " ").replace("]", " ").split()
        called = " ".join(words[:2]) if " ".join(words[:2]) in commands else words[0]
        assert called in commands, line
        assert {word for word in words if re.match("--?[a-z]", word)} <= options_of(commands[called]), line
        shown.add(called)
    assert shown == set(commands)


def test_everything_to_choose_from_is_explained(fixtures):
    text = (fixtures.parent / "docs" / "datasets.md").read_text(encoding="utf-8")
    for name in (*GROUP_NAMES, *FORMATS):
        assert f"`{name}`" in text, name


def test_the_api_reference_has_every_public_name(fixtures):
    pages = (fixtures.parent / "docs" / "reference").glob("*.md")
    named = {name for page in pages for name in re.findall(r"^::: blocksight\.(\w+)$", page.read_text(), re.MULTILINE)}
    public = {name for name in bs.__all__ if not name.startswith("_")}
    errors = {name for name in public if isinstance(value := getattr(bs, name), type) and issubclass(value, Exception)}
    assert named == public - errors


def examples_of_guides():
    """Examples in Python that need no browser, by page and line."""
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            if path.name not in TESTED:
                yield pytest.param(found[1], id=f"{path.name}:{text.count(chr(10), 0, found.start()) + 1}")


@pytest.mark.parametrize("example", list(examples_of_guides()))
def test_examples_of_guides_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {})


def anchors(path):
    """The anchors of the headings of a page, as Markdown readers write them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md"])
def test_links_of_the_root_lead_somewhere(name):
    """Those of docs/ are checked by ``make docs``."""
    text = (DOCS.parent / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if path and not path.startswith(("http:", "https:", "mailto:")):
            assert (DOCS.parent / path).is_file(), target
            assert not anchor or anchor in anchors(DOCS.parent / path), target


def test_figures_are_in_the_results_only():
    """Guides have no intervals; README and the model card have one table each."""
    pages = [path for path in DOCS.glob("*.md") if path.name != "model-card.md"]
    assert pages
    for path in pages:
        assert not re.search(r"\[[-+]?\.\d+, [-+]?\.\d+\]", path.read_text(encoding="utf-8")), path.name


def test_results_say_when_and_how():
    """Each section with a table names its day and its commit."""
    for path in (DOCS / "results").glob("*.md"):
        for section in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            dated = re.search(r"2026-\d\d-\d\d", section) and re.search(r"\b[0-9a-f]{7,8}\b", section)
            assert dated or "|---" not in section, f"{path.name}: {section.splitlines()[0]}"


def test_descriptor_of_the_registry(fixtures, commands):
    described = json.loads((fixtures.parent / "server.json").read_text(encoding="utf-8"))
    package = described["packages"][0]
    assert described["version"] == package["version"] == VERSION
    assert len(described["description"]) <= 100
    assert package["packageArguments"][0]["value"] in commands
    # The registry looks for its name in the description of the package.
    assert f"mcp-name: {described['name']}" in (fixtures.parent / "README.md").read_text(encoding="utf-8")


def test_skill_names_tools_that_exist(fixtures):
    text = (fixtures.parent / "skills" / "blocksight" / "SKILL.md").read_text(encoding="utf-8")
    head, _, body = text.removeprefix("---\n").partition("---\n")
    assert "name: blocksight\n" in head
    assert len(re.search(r"description: (.*)", head)[1]) <= 1024
    source = (fixtures.parent / "app" / "mcp" / "mcp_server.py").read_text(encoding="utf-8")
    tools = set(re.findall(r"async def (\w+)\(", source))
    assert {"open", "click", "fill", "select", "back", "scroll"} <= tools & set(re.findall(r"`(\w+)`", body))
