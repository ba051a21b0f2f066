"""The inspector's page as one HTML file without external resources, to look at and not to label."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from typing import Any

import orjson

from ..classify.systems.blocksight import Blocksight
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLES
from ..segment.blocks import Pdoc
from ..segment.methods import segment_page
from .page_cache import TILE, Tiles
from .page_view import segmentation_view, view

STATIC = Path(__file__).parent / "static"
_DEGREES: tuple[Pdoc, ...] = ("auto", *range(1, 11))
#: The name of the page in the addresses that the scripts ask for.
_PAGE = "page"
#: Only what is in the file is loaded, and text is never parsed as markup.
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">"
)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) ([\w$]+))", re.MULTILINE)


def page_file(page: Page, method: str = "vips", pdoc: Pdoc = "auto", *, color: str = "blocks") -> str:
    """Return the inspector's page of one rendered page as an HTML document.

    Parameters
    ----------
    page : Page
        With geometry. Without a screenshot its lines are drawn as grey bars on white.
    method : str
        Segmentation (:data:`~blocksight.segment.methods.METHODS`); of VIPS the file has all degrees of coherence.
    pdoc : int or "auto"
        The degree of coherence that is shown first.
    color : str
        What the colours of the blocks say at first: "blocks" (neighbours differ), "role" or "verdict" (content or not).

    Raises
    ------
    ValueError
        If the page has no geometry.
    """
    if page.geometry is None:
        raise ValueError("there is no geometry to draw: render the page with Browser().open(...)")
    script, style = _bundle("main", set()), (STATIC / "style.css").read_text(encoding="utf-8")
    mark = f"data:image/svg+xml;base64,{base64.b64encode((STATIC / 'mark.svg').read_bytes()).decode()}"
    # The data must not contain the end tag of its element.
    answers = orjson.dumps(_answers(page, method, pdoc, color)).decode().replace("<", "\\u003c")
    policy = _POLICY.format(script=_digest(script), style=_digest(style))
    parts = {
        '<meta charset="utf-8">': f'<meta charset="utf-8">\n{policy}',
        "<title>blocksight inspect</title>": f"<title>{escape(page.title or page.url)}</title>",
        '<link rel="stylesheet" href="static/style.css">': f"<style>{style}</style>",
        '<script type="module" src="static/main.js"></script>': "",
        "static/mark.svg": mark,
        "<body>": '<body class="read-only">',
        "</body>": f'<script type="application/json" id="answers">{answers}</script>\n'
        f'<script type="module">{script}</script>\n</body>',
    }
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], html)


def _answers(page: Page, method: str, pdoc: Pdoc, color: str) -> dict[str, Any]:
    """Return what the server would answer, by address."""
    system, tiles = Blocksight(), Tiles()
    address, size = f"api/pages/{_PAGE}", tiles.size(page)
    session = {"read_only": True, "page": _PAGE, "roles": ROLES, "content_roles": CONTENT_ROLES, "methods": [method]}
    shown = {"id": _PAGE, "picture": size, "tile": TILE, "model": ""}
    answers: dict[str, Any] = {
        "api/session": session | {"start": {"method": method, "pdoc": pdoc, "color": color}},
        address: view(page, system) | shown,
    }
    for degree in _DEGREES if method == "vips" else (pdoc,):
        blocks, query = segment_page(page, method, degree), f"?method={method}&pdoc={degree}"
        answers[f"{address}/blocks{query}"] = segmentation_view(page, blocks)
    for number in range(-(-size[1] // TILE) if size else 0):
        tile = tiles.tile(page, number) or b""
        answers[f"{address}/tiles/{number}.png"] = f"data:image/png;base64,{base64.b64encode(tile).decode()}"
    return answers


def _bundle(name: str, included: set[str]) -> str:
    """Return a module of the inspector and those that it imports as one script; each is a function of its own."""
    included.add(name)
    source = (STATIC / f"{name}.js").read_text(encoding="utf-8")
    before = [_bundle(used, included) for _, used in _IMPORT.findall(source) if used not in included]
    body = _IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = modules.{found[2]};", source)
    names = ", ".join(_EXPORT.findall(body))
    body = f"modules.{name} = (() => {{\n{_EXPORT.sub('', body)}\nreturn {{ {names} }};\n}})();\n"
    return "".join([*before, body]) if name != "main" else "".join(["const modules = {};\n", *before, body])


def _digest(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
