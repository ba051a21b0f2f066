"""Accuracy of the parts, by corpora with gold or by pages of known content.

    python benchmarks/accuracy.py COMMAND --help

CORPUS is a folder in one of the forms of docs/corpora.md; unless a command says otherwise, only pages of the split
``dev`` are measured, and ``--limit`` takes a sample that is the same on each run. ``--rendered`` names the folder where
``blocksight render`` or a training keeps pages (CORPUS/ID.page). The exit code is 2 if there is nothing to measure.
"""

from __future__ import annotations

import click
from commands.clicks import clicks
from commands.cut_fitting import fit_cut
from commands.cuts import cuts, steady
from commands.fields import metadata, structure
from commands.headed import headed
from commands.inspector import inspector
from commands.labelling import labelling, parsing
from commands.leaderboards import article_extraction, corpus, trafilatura, wcxb
from commands.map_size import map_size, map_tasks
from commands.markup import markup
from commands.papers import mss_articles, mss_tags, scedd
from commands.people import people
from commands.posts import posts
from commands.seen_text import seen_text
from commands.segmentation import oracles, order
from commands.systems import in_domain, mss_semi, mss_sources, site_memory, trained
from commands.visibility import visibility
from common import run

COMMANDS = (
    structure, metadata, posts, oracles, people, cuts, steady, fit_cut, order, trained, mss_sources, mss_semi,
    in_domain, site_memory, mss_tags, mss_articles, scedd, labelling, markup, parsing, visibility, headed, inspector,
    clicks, seen_text, map_size, map_tasks, wcxb, article_extraction, trafilatura,
    corpus,
)  # fmt: skip

if __name__ == "__main__":
    run(click.Group(commands=COMMANDS, help=__doc__))
