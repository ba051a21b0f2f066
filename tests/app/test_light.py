"""What starts quickly: libraries that are heavy are imported where they are used, and not before."""

import json
import subprocess
import sys

import pytest
from blocksight.classify import systems

pytestmark = pytest.mark.long

#: Each takes a tenth of a second or more, or is of no use without a browser, a picture, a table or training.
HEAVY = {
    "bs4", "jinja2", "markdownify", "pandas", "PIL", "playwright", "psutil", "pyarrow", "pycrfsuite", "rapidfuzz",
    "rich", "scipy", "shapely", "sklearn", "snowballstemmer", "websockets",
}  # fmt: skip
#: What no page can be read without, and only that.
READING = {"lxml", "numpy", "orjson", "w3lib", "warcio"}
#: Of HEAVY, what writes a page down.
WRITING = {"bs4", "markdownify"}
CALL = """
import json, sys
from contextlib import redirect_stdout, suppress
from io import StringIO
with suppress(SystemExit), redirect_stdout(StringIO()):
    {code}
print(json.dumps(sorted(sys.modules)))
"""
COMMAND = "from blocksight.app.cli import main; main({arguments!r})"


def modules(code):
    """Names of the modules that a program of its own has imported when the code has run."""
    done = subprocess.run([sys.executable, "-c", CALL.format(code=code)], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def imported(code):
    """Names of the libraries that it has imported."""
    return {name.partition(".")[0] for name in modules(code)}


def test_importing_blocksight():
    assert imported("import blocksight") & (HEAVY | READING | {"click"}) == set()


def test_help():
    assert imported(COMMAND.format(arguments=["--help"])) & (HEAVY | READING) == set()


@pytest.mark.parametrize("arguments", [["--format", "json"], ["--system", "bte"], ["--hidden", "mark"]])
def test_reading_a_page_without_a_browser(tmp_path, arguments):
    page = tmp_path / "page.html"
    page.write_text("<title>Tides</title><p>High water at the bridge comes forty minutes after high water at sea.</p>")
    found = imported(COMMAND.format(arguments=["extract", "--no-browser", str(page), *arguments]))
    assert "numpy" in found
    assert found & HEAVY <= WRITING


@pytest.mark.parametrize(("system", "module"), [("blocksight", "blocksight"), ("bte", "bte"), ("mss", "mss.trained")])
def test_the_system_that_is_named_is_imported_and_no_other(system, module):
    """The command reads pages in a process of its own; this is what it imports. What another is built on comes too."""
    found = modules(
        f"import blocksight as bs; print(bs.extract(bs.parse('<p>High water'), system={system!r}).markdown)"
    )
    assert {"numpy", "turbohtml", f"blocksight.classify.systems.{module}"} <= found
    assert {name.partition(".")[0] for name in found} & HEAVY <= WRITING | {"snowballstemmer"}
    others = {name for name, _ in systems._HOMES.values()} - {module, "mss.simple"}
    assert not {f"blocksight.classify.systems.{name}" for name in (*others, "peers")} & found
    assert not {"blocksight.page.metadata.metadata", "blocksight.render.archives.warc"} & found


def test_help_of_commands_needs_no_training_and_no_browser():
    names = ("extract", "render", "segment", "features", "compare", "evaluate", "systems", "setup", "doctor")
    # standalone_mode=False: it returns after the help of each, in one process.
    calls = "; ".join(f"main([{name!r}, '--help'], standalone_mode=False)" for name in names)
    found = imported(f"from blocksight.app.cli import main; {calls}; import this")
    assert "this" in found, "all were called"
    assert found & {"pandas", "playwright", "pyarrow", "sklearn", "scipy", "shapely", "rich"} == set()
