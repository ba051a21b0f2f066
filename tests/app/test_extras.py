"""What a command says that lacks a library: which extra installs it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.app.console import EXTRAS, name_extras
from blocksight.errors import ExtraMissing

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Names by which libraries are imported that are installed by another one.
NAMES = {"PIL": "pillow", "sklearn": "scikit-learn", "pycrfsuite": "python-crfsuite"}


@pytest.mark.parametrize("module", EXTRAS)
def test_the_extra_installs_the_library(module):
    installed = PROJECT["optional-dependencies"][EXTRAS[module]]
    assert any(line.startswith(NAMES.get(module, module)) for line in installed)


@pytest.mark.parametrize("module", EXTRAS)
def test_the_base_does_without(module):
    assert not any(line.startswith(NAMES.get(module, module)) for line in PROJECT["dependencies"])


def test_the_extra_is_named():
    said = r"a table needs more libraries.*pip install 'blocksight\[research\]'"
    with pytest.raises(ExtraMissing, match=said), name_extras("a table"):
        raise ModuleNotFoundError(name="pandas.core")


def test_other_errors_are_left_alone():
    with pytest.raises(ModuleNotFoundError, match="nonsense"), name_extras("a table"):
        raise ModuleNotFoundError("nonsense", name="nonsense")


def test_functions_name_it_too(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ExtraMissing, match=r"block_features needs.*blocksight\[research\]"):
        bs.block_features(bs.parse("<p>tea"))


@pytest.mark.parametrize("name", ["evaluate", "EvaluationConfig"])
def test_names_whose_module_lacks_it_name_it_too(name):
    code = f"import sys; sys.modules['rapidfuzz'] = None; import blocksight as bs; bs.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert f"blocksight.errors.ExtraMissing: blocksight.{name} needs more libraries" in done.stderr


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="nonsense"):
        bs.nonsense  # noqa: B018
