"""Snapshots written by hand."""

from blocksight.render.chromium.snapshot.capture import decode_snapshot
from blocksight.render.devtools.messages import STYLES

#: Initial values of the properties; all others are "none".
PLAIN = dict.fromkeys(STYLES, "none") | {
    "display": "block",
    "visibility": "visible",
    "opacity": "1",
    "position": "static",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "color": "rgb(0, 0, 0)",
    "background-color": "rgba(0, 0, 0, 0)",
    "font-size": "16px",
    "font-weight": "400",
    "font-style": "normal",
    "font-family": "serif",
    "font": "16px serif",
    "-webkit-text-fill-color": "rgb(0, 0, 0)",
    "-webkit-text-stroke-width": "0px",
    "text-decoration-thickness": "auto",
    "direction": "ltr",
    "writing-mode": "horizontal-tb",
    "border-width": "0px",
    "border-color": "rgb(0, 0, 0)",
    "border-radius": "0px",
    "corner-shape": "round",
    "outline-width": "3px",
    "mix-blend-mode": "normal",
    "clip": "auto",
    "backface-visibility": "visible",
    "background-blend-mode": "normal",
    "content": "normal",
    "font-variant": "normal",
    "font-feature-settings": "normal",
    "font-variation-settings": "normal",
    "will-change": "auto",
    "content-visibility": "visible",
    "container-type": "normal",
    "overflow-clip-margin": "0px",
    "flex-direction": "row",
    "z-index": "auto",
    "isolation": "auto",
    "color-scheme": "normal",
    "pointer-events": "auto",
    "cursor": "auto",
}


class Reply:
    """Builds the reply of DOMSnapshot.captureSnapshot from nested tuples."""

    def __init__(self):
        self.strings = []
        self.documents = []

    def code(self, string):
        if string not in self.strings:
            self.strings.append(string)
        return self.strings.index(string)

    def document(self, rows, frames=()):
        """Each row: (parent, tag or None, text, box or None, style changes, lines)."""
        nodes = {name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "attributes")}
        layout = {name: [] for name in ("nodeIndex", "bounds", "text", "styles", "paintOrders")}
        boxes = {name: [] for name in ("layoutIndex", "bounds", "start", "length")}
        for index, (parent, tag, text, box, style, lines) in enumerate(rows):
            nodes["parentIndex"].append(parent)
            nodes["nodeType"].append(9 if tag == "#document" else 3 if tag is None else 8 if tag == "#comment" else 1)
            nodes["nodeName"].append(self.code("#text" if tag is None else tag))
            nodes["nodeValue"].append(self.code(text) if text is not None else -1)
            nodes["attributes"].append([])
            if box is None:
                continue
            row = len(layout["nodeIndex"])
            layout["nodeIndex"].append(index)
            layout["bounds"].append(box)
            layout["text"].append(self.code(text) if tag is None else -1)
            layout["paintOrders"].append(row)
            values = [(PLAIN | style)[name] for name in STYLES]
            layout["styles"].append([-1 if value is None else self.code(value) for value in values])
            for start, length, line in lines:
                boxes["layoutIndex"].append(row)
                boxes["bounds"].append(line)
                boxes["start"].append(start)
                boxes["length"].append(length)
        nodes["backendNodeId"] = list(range(len(rows)))
        nodes["contentDocumentIndex"] = {
            "index": [owner for owner, _ in frames],
            "value": [inner for _, inner in frames],
        }
        self.documents.append(
            {
                "title": self.code("T"),
                "contentWidth": 800,
                "contentHeight": 600,
                "nodes": nodes,
                "layout": layout,
                "textBoxes": boxes,
            }
        )
        return self

    def page(self, **more):
        reply = {"strings": self.strings, "documents": self.documents}
        return decode_snapshot(reply, url="http://x/", viewport=(800.0, 600.0), **more).finish()
