"""The formats of a document: each is one value in a tuple."""

import json

import numpy as np
import pytest
from blocksight.app.cli import main
from blocksight.document.document import document
from blocksight.document.formats import FORMATS, format_named
from blocksight.page.parse import parse

PAGE = parse("<title>T</title><h1>Tea</h1><p>Boil <b>fresh</b> water.</p>", url="https://example.org/")
FOUND = document(PAGE, np.ones(len(PAGE.leaves), dtype=bool))
WRITTEN = {
    "markdown": "# Tea\n\nBoil **fresh** water.\n",
    "text": "Tea\n\nBoil fresh water.",
    "html": "<h1>Tea</h1>\n<p>Boil <b>fresh</b> water.</p>",
}


def test_names_suffixes_and_media_are_unique():
    assert [form.name for form in FORMATS] == ["markdown", "text", "html", "json", "chunks", "records"]
    for values in ([form.suffix for form in FORMATS], [form.media for form in FORMATS]):
        assert len(set(values)) == len(FORMATS)


@pytest.mark.parametrize("name", WRITTEN)
def test_each_is_an_attribute_and_can_be_asked_for_by_name(name):
    assert FOUND.written(name) == getattr(FOUND, name) == format_named(name).write(FOUND) == WRITTEN[name]


def test_json_holds_all():
    found = json.loads(FOUND.written("json"))
    assert found == FOUND.to_dict()
    assert {name: found[name] for name in WRITTEN} == WRITTEN


def test_a_name_that_is_not_there():
    with pytest.raises(ValueError, match="no format is called 'pdf'; there are markdown, text, html, json"):
        FOUND.written("pdf")


def test_the_command_offers_them_all():
    (option,) = [one for one in main.get_command(None, "extract").params if one.name == "format"]
    assert list(option.type.choices) == [form.name for form in FORMATS]


def test_the_guide_explains_them_all(fixtures):
    guide = (fixtures.parent / "docs" / "documents.md").read_text(encoding="utf-8")
    for form in FORMATS:
        assert f"| `{form.name}` | `{form.suffix}` | `{form.media}` | {form.title} |" in guide


def test_names_of_pages_do_no_harm_in_comments():
    assert format_named("html").heading("a--b-->c") == "<!-- a- -b- ->c -->"
    assert format_named("text").heading("page.html") == "=== page.html"
    assert format_named("json").heading("page.html") == ""
