"""The text of a document follows from the marks of the decision alone, on all fixture pages as raw HTML."""

from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight.document import extract as module
from blocksight.document.content.parts.all_parts import find_parts

FIXTURES = Path(__file__).parents[2] / "fixtures"
FOLDERS = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir() and any(path.rglob("*.html")))


def _solid(text):
    return "".join(text.split())


@pytest.mark.parametrize("folder", FOLDERS)
def test_text_has_marked_leaves_and_no_others(folder, monkeypatch):
    write, given = module.document, []

    def noted(page, marks, *more, **form):
        given[:] = page, marks
        return write(page, marks, *more, **form)

    monkeypatch.setattr(module, "document", noted)
    for path in sorted((FIXTURES / folder).rglob("*.html")):
        found = bs.extract(bs.parse(path.read_bytes(), url="https://example.org/"))
        page, marks = given
        parts = find_parts(page, marks)
        written, along = (np.zeros(len(page.leaves), dtype=bool) for _ in range(2))
        written[[leaf for paragraph in found.content.paragraphs for leaf in paragraph.leaves]] = True
        along[list(parts.captions)] = True
        for note in parts.notes:
            along[slice(*page.leaf_range[note])] = True
        assert not (written & ~marks & ~along).any(), path
        replaced = parts.omitted[page.leaves]
        # Marks of headings, line numbers, labels and buttons of code, links back from notes.
        signs = marks & ~parts.marks & ~replaced
        assert not (marks & ~written & ~signs & ~replaced).any(), path
        assert all(len(page.leaf_texts[leaf].split()) <= 2 for leaf in np.flatnonzero(signs)), path
        text = _solid(found.text)
        verbatim = [
            leaf for leaf in np.flatnonzero(marks & parts.marks) if int(page.leaves[leaf]) not in parts.formulas
        ]
        assert [page.leaf_texts[leaf] for leaf in verbatim if _solid(page.leaf_texts[leaf]) not in text] == [], path
