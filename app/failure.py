"""How a command tells that something failed."""

from __future__ import annotations

from typing import Any

import click


class Failed(click.ClickException):
    """Some page failed; the reasons are on standard error already."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Say nothing more."""


def complain(source: str, why: str) -> None:
    """Name a page that failed, and the reason, on standard error."""
    click.echo(f"{source}: {why}", err=True)
