// Records the texts in view, and scrolls a box to another position (scroll_looks.js).
((index, top) => globalThis[Symbol.for("blocksight.looks")].scroll(index, top))
