"""Draw ``docs/floors.svg``: the folders of the package, with their input and output.

python docs/diagram.py
"""

from __future__ import annotations

from pathlib import Path

#: Folder, input, output, and its description; from the bottom layer to the top.
LAYERS = (
    ("files | processes | lexicon", "bytes, jobs, strings", "basics", "files, workers, words (and errors, version)"),
    ("page", "HTML, saved pages", "Page", "one row per node: tree, texts, geometry, styles"),
    ("render", "address, HTML, archive", "Page", "with geometry and visibility, by Chromium"),
    ("segment", "Page", "Blocks", "trees and lists over the text leaves"),
    ("features", "Page, Blocks", "table", "one row per block, one column per feature"),
    ("records", "Page", "candidates", "series of alike things, their fields, threads, types of page"),
    ("classify", "Page, table, candidates", "Marks", "one decision: content, records, type; other systems"),
    ("document", "Page, Decision", "Document", "text, Markdown, HTML, JSON, chunks, maps"),
    ("gold", "corpora", "GoldPage", "pages with gold texts and labels"),
    ("train | compare | batch", "GoldPage, sources", "models | scores | rows", "independent of each other"),
    ("inspector", "Page, models", "labels", "corrections by a person, models trained on them"),
    ("app", "command lines, requests", "results", "one module per command, the HTTP service"),
)  # fmt: skip
STEP, WIDTH = 52, 800


def drawing() -> str:
    """Return the diagram as SVG."""
    height = STEP * len(LAYERS) + 12
    font = 'font-family="system-ui, sans-serif" font-size="14"'
    title = "<title>The folders of blocksight: each imports only from those above it</title>"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" {font}>', title]
    parts.append(f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>')
    for number, (name, source, output, meaning) in enumerate(LAYERS):
        top = 10 + STEP * number
        small = ' font-size="12"' if len(name) > 12 else ""
        parts.append(
            f'<rect x="10" y="{top}" width="190" height="38" rx="6" fill="#e8f0e9" stroke="#3f7d4e"/>'
            f'<text x="105" y="{top + 24}" text-anchor="middle" font-weight="600"{small}>{name}</text>'
            f'<text x="216" y="{top + 24}" fill="#555">{source}</text>'
            f'<text x="392" y="{top + 24}" fill="#3f7d4e">→</text>'
            f'<text x="416" y="{top + 16}" font-weight="600">{output}</text>'
            f'<text x="416" y="{top + 33}" fill="#555" font-size="12">{meaning}</text>'
        )
        if number + 1 < len(LAYERS):
            parts.append(f'<path d="M105 {top + 38} v12 m-4 -5 l4 5 l4 -5" fill="none" stroke="#3f7d4e"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("floors.svg").write_text(drawing(), encoding="utf-8")
