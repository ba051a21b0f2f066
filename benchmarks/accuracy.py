"""Accuracy of the parts, by corpora with gold or by pages of known content.

    python benchmarks/accuracy.py COMMAND --help

CORPUS is a folder in one of the forms of docs/corpora.md; unless a command says otherwise, only pages of the split
``dev`` are measured, and ``--limit`` takes a sample that is the same on each run. ``--rendered`` names the folder where
``blocksight render`` or a training keeps pages (CORPUS/ID.page). The exit code is 2 if there is nothing to measure.
"""

from __future__ import annotations

import click
from commands.cut_fitting import fit_cut
from commands.cuts import cuts
from commands.fields import metadata
from commands.leaderboards import article_extraction, corpus, trafilatura, wcxb
from commands.literature import in_domain
from commands.miniwob import miniwob
from commands.posts import posts
from commands.rules import contradictions, rules
from commands.visibility import visibility
from common import run

#: Sub-commands, each of a module of commands/.
COMMANDS = (
    rules, contradictions,
    wcxb, article_extraction, trafilatura, corpus, metadata, miniwob, posts, cuts, fit_cut, in_domain,
    visibility,
)  # fmt: skip

if __name__ == "__main__":
    run(click.Group(commands=COMMANDS, help=__doc__))
