"""The examples of the guide for other programs run as they stand there."""

import re

import pytest
import yaml
from blocksight.render.chromium.process.launch import is_root


def examples(folder):
    text = (folder / "docs" / "programs.md").read_text(encoding="utf-8")
    return re.findall(r"^```python( browser)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_there_are_as_many_as_are_tested(fixtures):
    assert [bool(browser) for browser, _ in examples(fixtures.parent)] == [True, False, True, False]


@pytest.mark.parametrize(
    "number", [pytest.param(0, marks=pytest.mark.browser), 1, pytest.param(2, marks=pytest.mark.browser), 3]
)
def test_they_run(number, fixtures, tmp_path, monkeypatch, request, capsys):
    _, example = examples(fixtures.parent)[number]
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "tea.html").write_text("<title>Tea</title><p>Fresh water is boiled for the pot of tea.</p>")
    monkeypatch.chdir(tmp_path)
    if number == 0:
        example = example.replace("https://example.org/app", request.getfixturevalue("address") + "/news/page.html")
        example = example.replace('    page.get_by_role("button").first.click()\n', "")
        sandbox = ", args=['--no-sandbox']" if is_root() else ""
        assert "launch(executable_path=program)" in example
        example = example.replace("=program)", f"=program{sandbox})")
    exec(compile(example, f"programs.md, example {number}", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_the_image_runs_the_service_as_a_user(fixtures):
    text = (fixtures.parent / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)
    assert text.index("USER reader") > text.index("pip install")
    assert "no-sandbox" not in text


def test_the_service_of_compose_is_for_this_computer_and_needs_a_token(fixtures):
    service = yaml.safe_load((fixtures.parent / "compose.yaml").read_text(encoding="utf-8"))["services"]["blocksight"]
    assert service["ports"] == ["127.0.0.1:8700:8700"]
    assert service["environment"]["BLOCKSIGHT_TOKEN"].startswith("${BLOCKSIGHT_TOKEN:?")
    assert service["init"] is True
