"""What the tests of commands share."""

import pytest
from blocksight.app.cli import main
from click.testing import CliRunner


@pytest.fixture(scope="session")
def run():
    """Call a command as from a shell; other errors than the exits of commands are raised."""

    def call(*arguments, **more):
        return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False, **more)

    return call


@pytest.fixture(scope="session")
def commands():
    """Every command that does something, by the words that call it."""

    def below(group, *above):
        for name in group.list_commands(None):
            command = group.get_command(None, name)
            yield from below(command, *above, name) if hasattr(command, "commands") else [((*above, name), command)]

    return {" ".join(words): command for words, command in below(main)}


@pytest.fixture
def in_the_repository(monkeypatch, fixtures):
    """Sources are named from the repository's root."""
    monkeypatch.chdir(fixtures.parent)


@pytest.fixture
def in_this_process(monkeypatch):
    """Work on pages is done in this process, which has what a test puts in place."""
    pool = "blocksight.app.page_runner.WorkerPool"
    monkeypatch.setattr(f"{pool}.__enter__", lambda self: self)
    monkeypatch.setattr(f"{pool}.warm_up", lambda self: None)
    monkeypatch.setattr(f"{pool}.run", lambda _, task, *arguments, **__: task(*arguments))
