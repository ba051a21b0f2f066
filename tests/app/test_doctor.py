"""The commands setup and doctor."""

import pytest
from blocksight.app.commands.doctor import _fonts, examine

NEWS = "fixtures/news/page.html"


def test_a_missing_browser_is_named_with_what_to_do(run, monkeypatch, in_the_repository):
    monkeypatch.setenv("BLOCKSIGHT_BROWSER", "/no/such/program")
    for arguments in (("extract", NEWS), ("setup",), ("doctor",)):
        done = run(*arguments)
        assert done.exit_code == 1
        assert "/no/such/program" in done.output
        assert "BLOCKSIGHT_BROWSER" in done.output


@pytest.mark.browser
def test_doctor_finds_everything_well(run):
    findings = {finding.what: finding for finding in examine()}
    assert all(finding.good for finding in findings.values()), findings
    assert "rendered and read" in findings["self-test"].found
    assert run("setup").exit_code == 0


def test_doctor_names_the_scripts_without_fonts(monkeypatch, tmp_path):
    program = tmp_path / "fc-list"
    program.write_text('#!/bin/sh\ncase "$1" in :lang=th|:lang=ta) ;; *) echo Some Sans ;; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert _fonts().good
    assert _fonts().found.startswith("none for Thai, Tamil:")
    program.write_text("#!/bin/sh\n")
    assert not _fonts().good  # pages are empty then
    program.write_text("#!/bin/sh\necho Some Sans\n")
    assert _fonts().found.startswith("for all of Latin")
