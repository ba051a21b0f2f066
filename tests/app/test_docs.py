"""What the guides promise is there: commands, options, groups, formats."""

import re

import pytest
from blocksight.app.cli import main
from blocksight.classify.dataset import DATASET_FORMATS
from blocksight.classify.gold import ALIGNMENTS
from blocksight.features.table import CATALOGUE

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


def test_commands_exist(guide):
    used = set(re.findall(r"^blocksight (\w+)", guide, re.MULTILINE))
    assert used
    assert used <= set(main.commands)


def test_everything_to_choose_from_is_explained(fixtures):
    text = (fixtures.parent / "docs" / "datasets.md").read_text(encoding="utf-8")
    for name in (*CATALOGUE, *DATASET_FORMATS, *ALIGNMENTS):
        assert f"`{name}`" in text, name
