"""Answers of a Python package that is installed for this interpreter: a line of JSON for each line of JSON.

Run by ``benchmarks/peer_programs.py`` with the interpreter that has the package; needs nothing of blocksight.
A line asks for ``{"html", "url"}`` and is answered by ``{"text"}``, ``{"html"}`` (with a title if the package has one)
or ``{"error"}``. The first line that is written is ``{"version"}``.
"""

import json
import os
import sys
from importlib import import_module
from importlib.metadata import version


def rs_trafilatura(module, page):
    """Return the main content as text."""
    return {"text": module.extract(page["html"], url=page["url"]).main_content or ""}


def magic_html(module, page):
    """Return the article as HTML."""
    found = module.GeneralExtractor().extract(page["html"], base_url=page["url"] or "")
    return {"html": found["html"], "title": found.get("title") or ""}


PACKAGES = {"rs_trafilatura": ("rs-trafilatura", rs_trafilatura), "magic_html": ("magic-html", magic_html)}


def main():
    """Answer until standard input ends."""
    name = sys.argv[1]
    package, answer = PACKAGES[name]
    module = import_module(name)
    # What the package prints must not come between the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    print(json.dumps({"version": version(package)}), file=out, flush=True)
    for line in sys.stdin.buffer:
        try:
            reply = answer(module, json.loads(line))
        except Exception as error:
            reply = {"error": repr(error)}
        print(json.dumps(reply), file=out, flush=True)


if __name__ == "__main__":
    main()
