"""Systems of other packages."""

import blocksight as bs
import pytest
from blocksight.classify import systems
from blocksight.classify.systems import system_named
from blocksight.classify.systems.bte import Bte
from blocksight.errors import PluginFailed
from click.testing import CliRunner

MODULE = """
from blocksight.classify.systems.bte import Bte


class Mine(Bte):
    pass


READY = Mine()


def first(html):
    return "Rain is on its way."


def broken():
    1 / 0
"""
POINTS = """[blocksight.systems]
my-class = my_systems:Mine
my-object = my_systems:READY
my-function = my_systems:first
bte = my_systems:first
no-module = my_missing_systems:Mine
no-system = my_systems:__name__
"""
PAGE = "<p>Home</p><p>Rain is on its way.</p>"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with plug-ins into a folder of the path."""
    (tmp_path / "my_systems.py").write_text(MODULE)
    (tmp_path / "my_systems-1.0.dist-info").mkdir()
    (tmp_path / "my_systems-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: my-systems\nVersion: 1\n"
    )
    (tmp_path / "my_systems-1.0.dist-info" / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    systems._plugin.cache_clear()
    yield
    systems._plugin.cache_clear()


@pytest.mark.usefixtures("installed")
def test_a_function_a_class_and_an_object_have_names():
    assert bs.extract(bs.parse(PAGE), system="my-function").text == "Rain is on its way."
    assert isinstance(system_named("my-class"), Bte)
    assert system_named("my-object").card.name == "bte"


@pytest.mark.usefixtures("installed")
def test_the_names_of_blocksight_are_not_taken():
    assert isinstance(system_named("bte"), Bte)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("name", "cause"), [("no-module", "ModuleNotFoundError"), ("no-system", "my-systems")])
def test_one_that_cannot_be_loaded_says_why(name, cause):
    with pytest.raises(PluginFailed, match=cause):
        system_named(name)


@pytest.mark.usefixtures("installed")
def test_an_unknown_name_suggests_plugins():
    with pytest.raises(ValueError, match="my-function"):
        system_named("my-functions")


@pytest.mark.usefixtures("installed")
def test_the_command_lists_them_and_says_which_fail():
    from blocksight.app.cli import main

    result = CliRunner().invoke(main, ["systems"])
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()[-3:]] == ["my-class", "my-function", "my-object"]
    assert "no-module: my_missing_systems:Mine of my-systems is no system" in result.stderr
