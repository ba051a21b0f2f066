"""A page as it is painted: the order of its nodes, and the backgrounds of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn
from ...page.geometry import Geometry
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of
from .computed_styles import Styles
from .css_values import has_image
from .effects import creates_stacking_context, is_below, rotated
from .paint_colors import ANY_COLOR, image_interval, rgb_of, without_failed_images

#: Level of the background that Chromium paints for a page with a dark color scheme.
DARK = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintFacts:
    """Facts about painting that computed styles do not contain."""

    #: First lines may have a style of their own.
    first_lines: bool = False
    #: Text is selected, or highlighted by a script.
    repainted: bool = False
    #: An open dialog has an opaque backdrop.
    backdrop: bool = False
    #: Lower-case names of the fonts that the page has loaded.
    web_fonts: frozenset[str] = frozenset()
    #: Those of them whose letters have colors of their own.
    colored_fonts: frozenset[str] = frozenset()
    #: Addresses of images that failed to load, without fragments.
    failed_images: frozenset[str] = frozenset()
    #: The number of closed details whose content no style sheet shows.
    hiding_details: int = 0


NO_FACTS = PaintFacts()


@dataclass(frozen=True, kw_only=True, eq=False)
class Canvas:
    """The background of a document: the interval of its color, and the node that it belongs to.

    ``row`` is -1 for a transparent document; ``owner`` is the frame element, -1 for the page's own document.
    """

    low: FloatArray
    high: FloatArray
    row: int
    owner: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Painting:
    """Inputs of the paint order."""

    page: Page
    geometry: Geometry
    styles: Styles
    rects: ClipRects
    frames: Sequence[PageFrame]
    #: float32 (nodes,): With that of the ancestors.
    opacity: FloatColumn
    failed_images: frozenset[str] = frozenset()

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it may be painted in other colors or at another place, or not at all."""
        return self.page.below(self.styles.altered | self.styles.where(rotated))

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): painted later is greater; within one layer in document order.

        The browser numbers layers with negative stack levels as if they came after their parent; they are painted right
        after the background of the stacking context around them (CSS 2, appendix E).
        """
        page, styles = self.page, self.styles
        size = len(page)
        plain = self.geometry.paint_order.astype(np.int64) * size + np.arange(size)
        below = np.flatnonzero(styles.where(is_below))
        keys = plain * (size + 1)
        contexts = page.nearest(styles.where(creates_stacking_context)) if len(below) else np.zeros(0, dtype=np.int32)
        for row in below.tolist():
            parent = int(page.parent[row])
            context = int(contexts[parent]) if parent >= 0 else -1
            inside = np.arange(row, page.end[row])
            rank = np.argsort(np.argsort(plain[inside], kind="stable"))
            base = keys[context] if context >= 0 else -size - 1
            keys[inside] = base + 1 + np.minimum(rank, size - 1)
        return keys

    @cached_property
    def canvases(self) -> list[Canvas]:
        """The background of each document."""
        return [self.canvas_of(frame) for frame in self.frames]

    def canvas_of(self, frame: PageFrame) -> Canvas:
        """Return the background of a document (CSS Backgrounds 3, section 2.11.2)."""
        styles = self.styles
        for row in (frame.row, body_of(self.page, frame.row)):
            if row < 0:
                continue
            color = int(self.geometry.background[row])
            background = styles.of_node(row).get("background", "none")
            image = has_image(without_failed_images(background, self.failed_images))
            if not (color & 0xFF or image):
                continue
            # The background of a contained root is not that of the canvas.
            contained = styles.of_node(frame.row).get("contain", "none") != "none" or styles.holds[frame.row]
            interval = [0.0] * 3 + [255.0] * 3
            if not contained:
                shown = without_failed_images(background, self.failed_images) if image else "none"
                interval = self._canvas_interval(frame, row, color, shown)
            return Canvas(low=np.asarray(interval[:3]), high=np.asarray(interval[3:]), row=row, owner=frame.owner)
        dark = self._is_dark(frame.row)
        base = np.full(3, DARK if dark else 255.0)
        # A frame with another color scheme than the page around it is not transparent.
        opaque = frame.owner >= 0 and dark != self._is_dark(frame.owner)
        return Canvas(low=base, high=base, row=frame.row if opaque else -1, owner=frame.owner)

    def _canvas_interval(self, frame: PageFrame, row: int, color: int, images: str) -> list[float]:
        """Return the lowest and the highest red, green and blue of a canvas with a color and images."""
        blended = self.styles.of_node(row).get("background-blend-mode", "normal").strip("normal, ")
        if color & 0xFF == 0xFF:
            base = rgb_of(np.asarray([color], dtype=np.uint32))[0]
        elif color & 0xFF or frame.owner >= 0:
            return ANY_COLOR[:6]
        else:
            base = np.full(3, DARK if self._is_dark(frame.row) else 255.0)
        if blended:
            return ANY_COLOR[:6]
        *bounds, thin, thick = image_interval(images)
        mixed = [
            base * (1 - alpha) + np.asarray(bounds[at : at + 3]) * alpha for alpha in (thin, thick) for at in (0, 3)
        ]
        return [*np.min(mixed, axis=0).tolist(), *np.max(mixed, axis=0).tolist()]

    def _is_dark(self, row: int) -> bool:
        """Return whether a node has a dark color scheme, by its style or, for a root, by a meta element."""
        page = self.page
        scheme = self.styles.of_node(row).get("color-scheme", "normal").split()
        if scheme == ["normal"] and page.tag_of(row) == "html":
            for meta in (np.flatnonzero(page.has_tag("meta")[row : page.end[row]]) + row).tolist():
                attributes = page.attributes_of(meta)
                if attributes.get("name", "").strip().lower() == "color-scheme":
                    scheme = attributes.get("content", "").lower().split()
        return "dark" in scheme and "light" not in scheme
