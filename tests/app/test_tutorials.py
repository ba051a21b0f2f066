"""The tutorials run from their first line to their last, as a reader types them."""

import re
import shlex
import subprocess
import sys
from typing import NamedTuple

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    language: str
    info: str
    text: str


def blocks_of(name, fixtures):
    text = (fixtures.parent / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
    return [Block(*found) for found in FENCE.findall(text)]


def run(command, folder, *, fails=False):
    """Return what a command prints; it must end as the tutorial says."""
    words = shlex.split(command)
    program = {"blocksight": ["-m", "blocksight"], "python": []}[words[0]]
    done = subprocess.run(
        [sys.executable, *program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["javascript", "visual-or-dom", "own-model"])
def test_a_tutorial_runs(name, fixtures, tmp_path):
    printed = ""
    blocks = blocks_of(name, fixtures)
    assert {"sh", "text"} <= {block.language for block in blocks}
    if name == "own-model":  # it goes on with the script of the tutorial before
        blocks.insert(0, next(block for block in blocks_of("visual-or-dom", fixtures) if "make_pages" in block.info))
    for block in blocks:
        if title := re.search(r'title="([\w.]+)"', block.info):
            (tmp_path / title[1]).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            commands = block.text.splitlines()
            printed = "".join(run(command, tmp_path, fails="fails" in block.info) for command in commands)
        elif block.language == "python":
            (tmp_path / "example.py").write_text(block.text, encoding="utf-8")
            printed = run("python example.py", tmp_path)
            assert printed.strip()
        else:
            assert block.language == "text"
            place = 0
            for line in block.text.splitlines():
                assert line in printed[place:], (line, printed)
                place = printed.index(line, place) + len(line)
