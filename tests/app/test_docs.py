"""What the guides promise is there: commands, options, groups, formats."""

import re

import pytest
from blocksight.app.cli import main
from blocksight.features.table import GROUP_NAMES
from blocksight.gold.labels import ALIGNMENTS
from blocksight.train.dataset import DATASET_FORMATS

GUIDES = ("datasets.md", "training.md")
PARAMETERS = [parameter for command in main.commands.values() for parameter in command.params]
OPTIONS = {option for parameter in PARAMETERS for option in (*parameter.opts, *parameter.secondary_opts)}


@pytest.fixture(params=GUIDES)
def guide(request, fixtures):
    return (fixtures.parent / "docs" / request.param).read_text(encoding="utf-8")


def test_options_exist(guide):
    used = set(re.findall(r"--[a-z][a-z-]*", guide))
    assert used
    assert used <= OPTIONS


def commands_named(folder):
    """What stands behind ``blocksight`` in lines and examples of all guides."""
    for path in (folder / "README.md", folder / "CONTRIBUTING.md", *sorted((folder / "docs").glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        yield from re.findall(r"(?:^|`|\| )blocksight ([a-z-]+\b[^`\n#]*)", text, re.MULTILINE)


def test_commands_have_the_options_that_they_are_shown_with(fixtures):
    found = list(commands_named(fixtures.parent))
    assert {line.split()[0] for line in found} == set(main.commands)
    for line in found:
        name, *words = line.replace("[", " ").replace("]", " ").split()
        options = {option for parameter in main.commands[name].params for option in parameter.opts}
        assert {word for word in words if re.match("--?[a-z]", word)} <= options, line


def test_everything_to_choose_from_is_explained(fixtures):
    text = (fixtures.parent / "docs" / "datasets.md").read_text(encoding="utf-8")
    for name in (*GROUP_NAMES, *DATASET_FORMATS, *ALIGNMENTS):
        assert f"`{name}`" in text, name
