"""Pages with geometry, written down by hand."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from blocksight.page.geometry import Geometry, Paint, Position
from blocksight.page.html import TEXT
from blocksight.page.page import Page
from blocksight.page.tree import unique_names

DISPLAYS = dict.fromkeys(("b", "i", "a", "span", "em", "img", TEXT), "inline") | {
    "table": "table",
    "tr": "table-row",
    "td": "table-cell",
}


@dataclass
class Builder:
    """Collects rows: an element is (tag, box, children, look), a text is (string, box, look)."""

    parent: list = field(default_factory=list)
    tag: list = field(default_factory=list)
    text: list = field(default_factory=list)
    box: list = field(default_factory=list)
    look: list = field(default_factory=list)

    def add(self, node, above=-1, inherited=None):
        look = {name: (inherited or {"size": 16, "weight": 400})[name] for name in ("size", "weight")} | {"ground": 0}
        row = len(self.parent)
        self.parent.append(above)
        self.box.append(node[1])
        if len(node) > 2 and isinstance(node[2], list):
            tag, _, children, *own = node
            look |= own[0] if own else {}
            self.tag.append(tag)
            self.text.append(None)
            self.look.append(look)
            for child in children:
                self.add(child, row, look)
        else:
            look |= node[2] if len(node) > 2 else {}
            self.tag.append(TEXT)
            self.text.append(node[0])
            self.look.append(look)

    def page(self, size):
        displays = [
            look.get("display", DISPLAYS.get(tag, "block")) for tag, look in zip(self.tag, self.look, strict=True)
        ]
        names, index = unique_names([*self.tag, *displays])
        strings, string_index = unique_names([text for text in self.text if text is not None])
        count = len(self.parent)
        lines = [row for row in range(count) if self.text[row] is not None]
        box = np.asarray(self.box, dtype=np.float32)
        page = Page(
            url="made",
            title="",
            language="",
            names=names,
            strings=strings,
            parent=np.asarray(self.parent, dtype=np.int32),
            tag=np.asarray([index[tag] for tag in self.tag], dtype=np.int32),
            text=np.asarray([-1 if t is None else string_index[t] for t in self.text], dtype=np.int32),
            attribute_node=np.zeros(0, dtype=np.int32),
            attribute_name=np.zeros(0, dtype=np.int32),
            attribute_value=np.zeros(0, dtype=np.int32),
        )
        geometry = Geometry(
            viewport=(800.0, 600.0),
            size=size,
            box=box,
            paint_order=np.asarray([look.get("order", 0) for look in self.look], dtype=np.int32),
            display=np.asarray([index[display] for display in displays], dtype=np.int32),
            position=np.asarray([look.get("position", Position.STATIC) for look in self.look], dtype=np.uint8),
            opacity=np.ones(count, dtype=np.float32),
            invisible=np.zeros(count, dtype=bool),
            clips=np.asarray([[look.get("clips", False)] * 2 for look in self.look], dtype=bool),
            font_size=np.asarray([look["size"] for look in self.look], dtype=np.float32),
            font_weight=np.asarray([look["weight"] for look in self.look], dtype=np.int16),
            color=np.full(count, 0x000000FF, dtype=np.uint32),
            background=np.asarray([look["ground"] for look in self.look], dtype=np.uint32),
            line_node=np.asarray(lines, dtype=np.int32),
            line_box=box[lines].reshape(-1, 4),
            line_start=np.zeros(len(lines), dtype=np.int32),
            line_length=np.asarray([len(self.text[row]) for row in lines], dtype=np.int32),
            hidden=np.zeros(len(page.leaves), dtype=np.uint8),
            paint=Paint(
                fill=np.full(count, 0x000000FF, dtype=np.uint32),
                image=np.asarray([look.get("image", False) for look in self.look], dtype=bool),
                border=np.asarray([look.get("border", (0, 0, 0, 0)) for look in self.look], dtype=np.float32),
                radius=np.zeros(count, dtype=np.float32),
                shadow=np.asarray([look.get("shadow", False) for look in self.look], dtype=bool),
                holds=np.zeros(count, dtype=bool),
                scrolls=np.zeros((count, 2), dtype=bool),
            ),
        )
        return Page(**{name: getattr(page, name) for name in page.__dataclass_fields__} | {"geometry": geometry})


@pytest.fixture(scope="session")
def boxed():
    """Make a page of 800 by 1000 pixels from nested tuples."""

    def make(body, size=(800.0, 1000.0)):
        builder = Builder()
        builder.add(body)
        return builder.page(size)

    return make
