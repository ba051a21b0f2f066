"""The command ``blocksight systems``: the names for ``--system``."""

from __future__ import annotations

import click

from ..command_options import OneOf


@click.command(epilog="Example: blocksight systems")
@click.option("--format", "form", type=OneOf(("text", "json")), default="text", help="Lines or JSON.")
def systems(*, form: str) -> None:
    """List all systems by name.

    Each with its input (visual or DOM), whether it is trained, and its source. Other programs come next, with a note if
    they are not installed, and systems of other packages last (entry points of the group blocksight.systems).
    """
    from dataclasses import replace

    import orjson

    from ...classify.systems import PEERS, SYSTEMS, plugin_names, system_named
    from ...errors import PluginFailed

    cards = [(system.card, True) for system in SYSTEMS] + [(peer.card, peer.installed) for peer in PEERS]
    for name in plugin_names():
        try:
            cards.append((replace(system_named(name).card, name=name), True))
        except PluginFailed as error:
            click.echo(str(error), err=True)
    if form == "json":
        fields = ("name", "title", "paper", "year", "visual", "trained")
        rows = [{name: getattr(card, name) for name in fields} | {"installed": here} for card, here in cards]
        click.echo(orjson.dumps(rows).decode())
        return
    for card, here in cards:
        view, kind = "visual" if card.visual else "DOM", "trained" if card.trained else "rules"
        missing = "" if here else ", not installed"
        source = ", ".join(str(part) for part in (card.paper, card.year) if part)
        click.echo(f"{card.name:22} {view:7} {kind:8} {card.title}{f' ({source})' if source else ''}{missing}")
