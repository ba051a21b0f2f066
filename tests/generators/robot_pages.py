"""Pages that have one sentence for robots and another for persons: ``fixtures/robots/signs.toml``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from blocksight.render.network.local_server import QuietHandler

FIXTURES = Path(__file__).parents[2] / "fixtures"
SIGNS = tomllib.loads((FIXTURES / "robots" / "signs.toml").read_text(encoding="utf-8"))
ROBOT, PERSON = "The grey ferry of {} leaves for robots at noon.", "The brown chapel of {} opens for persons at noon."

_TOOLS = (FIXTURES / "robots" / "tools.js").read_text(encoding="utf-8")
_FRAME = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{0}</title>{1}<p>The page {0}.</p>{2}'
    '<div style="height:3000px"></div>'
)


def robot_page(kind: str, name: str, head: str) -> str:
    """Return the page of a sign for the header of a request (lines in lower case)."""
    condition, robot, person = SIGNS[kind][name], ROBOT.format(name), PERSON.format(name)
    if kind == "headers":
        is_robot = re.search(f"(?s)^{condition}" if condition.startswith("(?!") else f"(?m)^{condition}", head)
        return _FRAME.format(name, "", f"<p>{robot if is_robot else person}</p>")
    if kind == "styles":
        rules = ".robot { display: block } .person { display: none }"
        style = f"<style>.robot {{ display: none }} @media {condition} {{ {rules} }}</style>"
        return _FRAME.format(name, style, f'<p class="robot">{robot}</p><p class="person">{person}</p>')
    script = f"""<script>{_TOOLS}
addEventListener("DOMContentLoaded", async () => {{
  let robot = true;
  try {{ robot = await ({condition}); }} catch (error) {{ console.log(error); }}
  const shown = document.createElement("p");
  shown.textContent = robot ? "{robot}" : "{person}";
  document.querySelector("p").after(shown);
}});
</script>"""
    return _FRAME.format(name, "", script)


class RobotPages(QuietHandler):
    """Serves ``/KIND/NAME``."""

    def do_GET(self) -> None:
        """Answer a request."""
        parts = self.path.strip("/").split("/")
        kind, status = parts[0], 200
        if len(parts) == 2 and parts[1] in SIGNS.get(kind, {}):
            lines = "".join(f"{name}: {value}\n".lower() for name, value in self.headers.items())
            body = robot_page(kind, parts[1], f"\n{lines}")
        else:
            body, status = "nothing here", 404
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
