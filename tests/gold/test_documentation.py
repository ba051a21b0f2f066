"""What docs/corpora.md and docs/reference/gold.md say is what there is."""

import inspect
import re
from pathlib import Path

import pytest
from blocksight.gold import entries
from blocksight.gold.corpora import FORMS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "corpora.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_is_described(form):
    section = TEXT.split("## Forms of corpora")[1].split("## ")[0]
    assert len(re.findall(r"^\| [a-zA-Z]", section, re.MULTILINE)) == len(FORMS) + 1
    assert form.name.split("'")[0].split(" ")[0] in section


def test_every_key_is_described():
    section = (DOCS / "reference" / "gold.md").read_text(encoding="utf-8")
    source = inspect.getsource(entries)
    words = re.findall(r"_word\(entry((?:, \"\w+\")+)\)", source)
    asked = set(re.findall(r'entry\.get\("(\w+)"', source)) | set(re.findall(r'"(\w+)"', " ".join(words)))
    described = {
        name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    }
    assert described == asked | {"id", "path"}
