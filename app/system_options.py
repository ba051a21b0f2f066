"""The options --system, --model and --images, for every command that extracts pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .command_options import FILE_THERE, OneOf
from .console import report_errors

if TYPE_CHECKING:
    from ..classify.system import System

F = TypeVar("F", bound=Callable[..., Any])

_SYSTEM = click.option("--system", default="blocksight", help="One of `blocksight systems`.")
_MODEL = click.option(
    "--model", type=FILE_THERE, help="A model of `blocksight train dataset` instead of the shipped one."
)
images = click.option("--images", type=OneOf(("keep", "none")), default="keep", help="Images.")


def system_options(command: F) -> F:
    """Add ``--system`` and ``--model`` to a command, for :func:`chosen_system`."""
    return _SYSTEM(_MODEL(command))


def chosen_system(system: str, model: Path | None) -> System:
    """Return the system of ``--system`` and ``--model``."""
    from ..classify.systems import system_named

    if model is not None:
        return _with_model(system, model)
    try:
        return system_named(system)
    except ValueError as error:
        raise click.BadParameter(f"{error} (`blocksight systems` lists all)", param_hint="--system") from error


def _with_model(system: str, path: Path) -> System:
    from ..classify.model.model import load_model
    from ..classify.systems.blocksight import Blocksight, BlocksightDom

    kinds: dict[str, type[Blocksight | BlocksightDom]] = {"blocksight": Blocksight, "blocksight-dom": BlocksightDom}
    if system not in kinds:
        raise click.UsageError(f"--model is for blocksight and blocksight-dom, not for {system}")
    with report_errors():
        return kinds[system](model=load_model(path))
