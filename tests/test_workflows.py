"""The workflows of continuous integration: least rights, all supported Pythons, nothing from requests in commands."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".github"
FLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("workflows/*.yml")}
JOBS = [(flow, name, job) for flow, content in FLOWS.items() for name, job in content["jobs"].items()]
IDS = [f"{flow}-{name}" for flow, name, _ in JOBS]


def steps(job):
    return job.get("steps", [])


def test_every_supported_python_and_system_is_tested():
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    supported = [one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    matrix = FLOWS["tests"]["jobs"]["fast"]["strategy"]["matrix"]
    assert matrix["python"] == supported
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


@pytest.mark.parametrize(("flow", "name", "job"), JOBS, ids=IDS)
def test_a_job_has_least_rights_and_an_end(flow, name, job):
    assert FLOWS[flow]["permissions"] == {"contents": "read"}
    assert "uses" in job or job["timeout-minutes"] <= 60
    writing = {right for right, value in job.get("permissions", {}).items() if value == "write"}
    assert writing <= ({"id-token", "attestations"} if flow == "release" else set())


@pytest.mark.parametrize(("flow", "name", "job"), JOBS, ids=IDS)
def test_actions_have_a_version_and_commands_no_text_of_requests(flow, name, job):
    for step in [job, *steps(job)]:
        used = step.get("uses", "./")
        assert used.startswith("./") or re.search(r"@(v\d+(\.\d+)*|[0-9a-f]{40})$", used), used
        assert "${{" not in step.get("run", "")
        if used.startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}
    # Requests from forks must not run with the rights of this repository. YAML reads "on" as true.
    assert "pull_request_target" not in FLOWS[flow][True]


def test_targets_of_make_exist():
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    commands = [step.get("run", "") for _, _, job in JOBS for step in steps(job)] + [hook["entry"] for hook in hooks]
    used = {name for command in commands for line in re.findall(r"\bmake ([a-z -]+)", command) for name in line.split()}
    assert used == {"lint", "types", "docs"}
    assert used <= targets


def test_what_is_published_was_tested_and_signed():
    jobs = FLOWS["release"]["jobs"]
    assert (jobs["sign"]["needs"], jobs["publish"]["needs"]) == ("tests", "sign")
    assert jobs["publish"]["environment"] == "pypi"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    (upload,) = (step for step in steps(jobs["publish"]) if "publish" in step["uses"])
    assert upload["with"] == {"attestations": True}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("ISSUE_TEMPLATE/*.yml")), ids=lambda path: path.stem)
def test_forms_of_issues_are_complete(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem == "config":
        return
    assert {"name", "description", "body"} <= form.keys()
    assert len({field["id"] for field in form["body"]}) == len(form["body"])
    assert all(field["attributes"]["label"] for field in form["body"])


def test_the_citation_is_complete():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "license", "type"} <= citation.keys()
