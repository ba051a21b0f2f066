"""The command line as a whole: what is called, what is misspelt, what help says."""

import subprocess
import sys

import click
import pytest
from blocksight.app.cli import COMMANDS, main

pytestmark = pytest.mark.usefixtures("in_the_repository")
NEWS = "fixtures/news/page.html"


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract",),
        ("extract", "--demo", NEWS),
        ("extract", NEWS, "--format", "pdf"),
        ("extract", NEWS, "--system", "none"),
        ("extract", "-", "-"),
        ("extract", NEWS, "--viewport", "wide"),
        ("extract", NEWS, "--timeout", "0"),
        ("features", NEWS, "-o", "blocks.xls"),
        ("features", NEWS, "-o", "blocks.csv", "--no-browser", "--method", "vips"),
        ("render", NEWS),
        ("segment", NEWS, "--pdoc", "11"),
        ("nonsense",),
        ("train", "nonsense"),
    ],
)
def test_wrong_calls(run, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "Error" in done.stderr


def test_help_shows_an_example(run, commands):
    assert len(commands) > len(COMMANDS)
    for words in commands:
        done = run(*words.split(), "--help")
        assert done.exit_code == 0
        assert f"Example: blocksight {words}" in done.stdout


def test_every_option_has_a_line_in_the_help(commands):
    silent = [
        (words, option.name)
        for words, command in commands.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_called_as_its_module_and_has_its_line_in_the_help(run, name):
    command = main.get_command(None, name)
    assert command.name == name
    module = command.callback.__module__
    assert module.startswith("blocksight.app.commands.")
    assert module.rpartition(".")[2] == name
    assert COMMANDS[name] == command.get_short_help_str(limit=1000)


def test_rare_options_are_in_the_help_of_all_options(run):
    some, every = run("extract", "--help").stdout, run("extract", "--help-all").stdout
    for name, is_common in (("--timeout", True), ("--device-scale", False), ("--any-certificate", False)):
        assert f"  {name} " in every
        assert (f"  {name} " in some) is is_common
    assert some.count("\n  -") == 12  # ten, and those of help
    assert [line for line in every.splitlines() if line.endswith(":") and line[0] != " "][1:4] == [
        "Opening pages:", "Network:", "What pages see:"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("render", NEWS, "-o", "a.png"), "its name should end in .page"),
        (("render", NEWS, "--picture", "a.jpg"), "its name should end in .png"),
        (("segment", NEWS, "--overlay", "a.jpg"), "its name should end in .html or .htm"),
        (("extract", NEWS, "--encoding", "foo"), "should be an encoding of pages"),
    ],
)
def test_what_cannot_be_meant_is_refused(run, arguments, why):
    done = run(*arguments)
    assert done.exit_code == 2
    assert why in " ".join(done.stderr.split())


def test_help_of_all(run):
    done = run("--help")
    assert done.exit_code == 0
    assert "\\b" not in done.stdout
    assert "Example: blocksight extract https://example.org/app" in done.stdout
    for name, line in COMMANDS.items():
        assert f"  {name}" in done.stdout
        assert " ".join(line.split()[:4]) in done.stdout


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("extrakt", NEWS), "'extract'"),
        (("train", "data-set"), "'dataset'"),
        (("extract", NEWS, "--sytem", "bte"), "--system"),
        (("extract", NEWS, "--system", "cetdd"), "'cetd'"),
        (("extract", NEWS, "--system", "BTE"), "'bte'"),
        (("extract", NEWS, "--format", "markdwon"), "'markdown'"),
        (("extract", NEWS, "--hidden", "kepe"), "'keep'"),
        (("compare", NEWS, "--systems", "bte,reedability-lxml"), "'readability-lxml'"),
        (("segment", NEWS, "--method", "paragraph"), "'paragraphs'"),
        (("features", NEWS, "-o", "b.csv", "--groups", "text,visaul"), "'visual'"),
        (("features", NEWS, "-o", "b.csv", "--groups", "structurall"), "'structural'"),
    ],
)
def test_what_is_misspelt_is_answered_with_what_was_meant(run, arguments, meant):
    done = run(*arguments)
    assert done.exit_code == 2
    assert "did you mean" in done.stderr.lower() or "possible options" in done.stderr.lower()
    assert meant in done.stderr


@pytest.mark.parametrize("word", ["--help", "corpus"])
def test_help_of_a_command_without_its_libraries(word):
    program = (
        f"import sys; sys.modules['pandas'] = None; from blocksight.app.cli import main; main(['dataset', '{word}'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert ("Make a data set of blocks" in done.stdout) == (word == "--help")
    assert "blocksight[research]" in done.stderr


def test_as_a_module(run):
    done = subprocess.run(
        [sys.executable, "-m", "blocksight", "--version"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0


def test_what_cannot_be_written_is_named_without_a_traceback(run, tmp_path, monkeypatch, in_this_process):
    def full(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "a.csv"))

    monkeypatch.setattr("blocksight.features.block_table.block_features", full)
    done = run("features", "--no-browser", NEWS, "-o", tmp_path / "a.csv")
    assert done.exit_code == 1
    assert done.stderr == f"{tmp_path / 'a.csv'}: No space left on device\n"


def test_a_path_is_printed_once(run, tmp_path):
    (tmp_path / "a.page").write_bytes(b"PK\x03\x04 head.json")
    done = run("extract", "--no-browser", tmp_path / "a.page")
    assert done.exit_code == 1
    assert done.stderr.count("a.page") == 1


def test_what_was_not_written_is_not_announced(run, tmp_path):
    done = run("features", "--no-browser", NEWS, "-o", tmp_path / "none" / "a.csv")
    assert done.exit_code == 1
    assert done.stderr.endswith(f"{tmp_path / 'none' / 'a.csv'}: cannot be written: No such file or directory\n")


def test_interrupted(run, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("blocksight.app.commands.extract.start_job", interrupt)
    done = run("extract", "--no-browser", NEWS)
    assert done.exit_code == 130
    assert done.stderr == "blocksight: interrupted\n"
