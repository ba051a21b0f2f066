"""What the guides promise is there: commands, options, groups, formats."""

import re

import blocksight as bs
import pytest
from blocksight.features.block_table import GROUP_NAMES
from blocksight.gold.leaf_labels import ALIGNMENTS
from blocksight.train.build_dataset import DATASET_FORMATS

GUIDES = ("datasets.md", "training.md")


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
    """What stands behind ``blocksight`` in lines and examples of all guides."""
    for path in (folder / "README.md", *sorted((folder / "docs").rglob("*.md"))):
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
    for name in (*GROUP_NAMES, *DATASET_FORMATS, *ALIGNMENTS):
        assert f"`{name}`" in text, name


def test_the_api_reference_has_every_public_name(fixtures):
    pages = (fixtures.parent / "docs" / "reference").glob("*.md")
    named = {name for page in pages for name in re.findall(r"^::: blocksight\.(\w+)$", page.read_text(), re.MULTILINE)}
    public = {name for name in bs.__all__ if not name.startswith("_")}
    errors = {name for name in public if isinstance(value := getattr(bs, name), type) and issubclass(value, Exception)}
    assert named == public - errors
