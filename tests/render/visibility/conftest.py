"""Pages laid out by hand, without screenshots."""

from dataclasses import dataclass

import pytest
from blocksight.page.geometry import Geometry
from blocksight.page.page import Page
from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.visibility.clipping import LineClips, PageFrame
from blocksight.render.visibility.computed_styles import Styles
from blocksight.render.visibility.decide import geometry_reasons
from blocksight.render.visibility.line_paint import Grounds, Painting

LINE = (10, 10, 100, 17)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What Chromium reports of a page."""

    page: Page
    geometry: Geometry
    styles: Styles
    frames: tuple[PageFrame, ...]

    def clips(self, **motion):
        """The clips of its lines; ``motion`` as ``row_3=(left, up, right, down)``."""
        by_row = {int(name.removeprefix("row_")): distances for name, distances in motion.items()}
        return LineClips(page=self.page, geometry=self.geometry, styles=self.styles, frames=self.frames, motion=by_row)

    def reasons(self):
        """The results of the geometry tests."""
        return geometry_reasons(self.clips())

    def painting(self):
        """What painting depends on."""
        return Painting(self.clips())

    def layers(self):
        """The rectangles that it paints."""
        return self.painting().layers

    def grounds(self):
        """What is painted behind and over its lines."""
        clips = self.clips()
        return Grounds(self.painting(), clips.row, clips.reached)


@pytest.fixture
def layout(reply):
    """Lay out elements ``(depth, tag, box, style, attributes)`` and texts ``(depth, text, *lines, style)``.

    Names of elements are in capitals. Row 0 is the root, row n the nth of these. A text without lines has one at
    :data:`LINE`; lines of one text share its characters evenly.
    """

    def made(*nodes, size=(800, 600), html=None, root="HTML"):
        rows = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, root, None, (0, 0, *size), html or {}, ())]
        above, attributes = {0: 1}, [{}, {}]
        for depth, name, *more in nodes:
            boxes = [part for part in more if isinstance(part, tuple)]
            style, given, *_ = [part for part in more if isinstance(part, dict)] + [{}, {}]
            attributes.append(given)
            above[depth] = len(rows)
            if name.isupper():
                rows.append((above[depth - 1], name, None, boxes[0] if boxes else None, style, ()))
                continue
            lines = boxes or [LINE]
            share = len(name) // len(lines)
            spans = tuple((number * share, share, line) for number, line in enumerate(lines))
            rows.append((above[depth - 1], None, name, lines[0], style, spans))
        built = reply().document(rows)
        document = built.documents[0]
        document |= {"contentWidth": size[0], "contentHeight": size[1]}
        document["nodes"]["attributes"] = [
            [built.code(part) for pair in given.items() for part in pair] for given in attributes
        ]
        snapshot = {"strings": built.strings, "documents": built.documents}
        draft = decode_snapshot(snapshot, url="http://x/", viewport=(800.0, 600.0))
        return Layout(page=draft.plain, geometry=draft.geometry, styles=draft.styles, frames=draft.frames)

    return made
