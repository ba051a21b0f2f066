"""Text that pages show only to browsers without a window, or only in a window: fixtures/robots/signs.toml."""

import re
import tomllib
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.render.network.local_server import serve
from opening import Answering, open_many

pytestmark = pytest.mark.browser
FOLDER = Path(__file__).parents[2] / "fixtures" / "robots"
SIGNS = tomllib.loads((FOLDER / "signs.toml").read_text(encoding="utf-8"))
USUAL = [f"{kind}/{name}" for kind in SIGNS for name in SIGNS[kind]]
#: Pages that answer after a wait that is not on the page's clock: their sentence may be missing.
LATE = {"scripts/user-agent-of-a-shared-worker", "scripts/brands-of-a-shared-worker"}
#: Signs that only a robot has which says so.
OF_A_ROBOT = ["scripts/user-agent", "scripts/webdriver", "headers/user-agent-header"]
ROBOT, PERSON = "The grey ferry leaves for robots at noon.", "The brown chapel opens for persons at noon."
_FRAME = (
    '<!doctype html><html lang="en"><meta charset="utf-8">{}<p id="p">The page.</p><div style="height:3000px"></div>'
)
_STYLE = """<style>.robot {{ display: none }}
@media {} {{ .robot {{ display: block }} .person {{ display: none }} }}</style>
<p class="robot">{}</p><p class="person">{}</p>"""
_SCRIPT = """<script>{}; addEventListener("DOMContentLoaded", async () => {{
  let robot = true;
  try {{ robot = await ({}); }} catch (error) {{ console.log(error); }}
  p.after(robot ? "{}" : "{}");
}});</script>"""


class RobotPages(Answering):
    """Serves ``/KIND/NAME``."""

    def do_GET(self) -> None:
        """Answer a request."""
        kind, _, name = self.path.strip("/").partition("/")
        condition = SIGNS.get(kind, {}).get(name, "")
        lines = "\n" + "".join(f"{header}: {value}\n".lower() for header, value in self.headers.items())
        is_robot = re.search(f"(?s)^{condition}" if condition.startswith("(?!") else f"(?m)^{condition}", lines)
        body = {
            "headers": f"<p>{ROBOT if is_robot else PERSON}</p>",
            "styles": _STYLE.format(condition, ROBOT, PERSON),
            "scripts": _SCRIPT.format((FOLDER / "tools.js").read_text(encoding="utf-8"), condition, ROBOT, PERSON),
        }
        self.answer(_FRAME.format(body.get(kind, "")))


@pytest.fixture(scope="module")
def texts():
    """Return the text of each page by name, by default and for a robot that says so."""
    found = {}
    with serve(RobotPages) as address:
        for identify, names in ((False, USUAL), (True, OF_A_ROBOT)):
            options = bs.RenderOptions(allow_private=True, timeout=30.0, identify=identify)
            with bs.Browser(pages=2, options=options) as browser:
                for one in open_many(browser, [f"{address}/{name}" for name in names]):
                    name = one.source.removeprefix(f"{address}/")
                    found[name, identify] = bs.extract(one.page, system="everything").text
    return found


@pytest.mark.parametrize("name", USUAL)
def test_render_person_text(name, texts):
    text = texts[name, False]
    assert "The page." in text
    assert PERSON in text or name in LATE
    assert ROBOT not in text


@pytest.mark.parametrize("name", OF_A_ROBOT)
def test_render_identified_as_robot(name, texts):
    assert ROBOT in texts[name, True]
