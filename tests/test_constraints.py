"""constraints.txt: one version of every dependency, with hashes, from no particular index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "constraints.txt").read_text(encoding="utf-8")
ENTRIES = re.findall(r"(?m)^([a-z0-9][^\n]*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n?)+)", TEXT)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def wanted():
    extras = PROJECT["optional-dependencies"]
    listed = [*PROJECT["dependencies"], *(one for name in extras if name not in ("all", "dev") for one in extras[name])]
    return [requirement for requirement in map(Requirement, listed) if requirement.name != "blocksight"]


def test_every_line_belongs_to_a_version_with_hashes():
    lines = [line for line in TEXT.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(lines) == sum(1 + hashes.count("--hash=") for _, hashes in ENTRIES)
    assert all(re.match(r"[a-z0-9.-]+==\S+(?: ; .+)?$", name) for name, _ in ENTRIES)


def test_no_index_is_named():
    assert not re.search(r"://|--(?:extra-)?index-url|--find-links|--trusted-host", TEXT)


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_every_dependency_has_a_version_that_fits(requirement):
    pinned = [Requirement(name) for name, _ in ENTRIES]
    versions = [
        next(iter(one.specifier)).version
        for one in pinned
        if canonicalize_name(one.name) == canonicalize_name(requirement.name)
    ]
    assert versions, f"{requirement.name} is missing: make constraints"
    assert all(requirement.specifier.contains(version, prereleases=True) for version in versions)
