import json
import time

import pytest
from blocksight.page.metadata.json_ld import read_scripts


@pytest.mark.parametrize(
    "script",
    [
        ";" * 300_000 + "x",
        '{"@type": "Article", "name": "' + " " * 300_000 + '"}',
        '{"@type": "Article", "name": "A"}' + " ;\n" * 100_000,
        "[" * 300_000,
    ],
    ids=["semicolons", "white space inside", "white space behind", "brackets"],
)
def test_read_scripts_linear_time(script):
    start = time.process_time()
    read_scripts((script,))
    assert time.process_time() - start < 2


def test_read_scripts_circular_references():
    circle = {"@id": "x", "name": [{"@id": "x"}] * 50}
    start = time.process_time()
    read = read_scripts((json.dumps({"@type": "Article", "name": "Tides", "author": {"@id": "x"}, "hasPart": circle}),))
    assert time.process_time() - start < 5
    assert ("name", "Tides") in read


def test_read_scripts_wrappers():
    said = '{"@type": "Article", "name": "a --> b ]]> c"}'
    for script in (said, f"<!-- {said} -->", f"//<![CDATA[\n{said}\n//]]>\n;", f"{said};"):
        assert ("name", "a --> b ]]> c") in read_scripts((script,)), script


def test_given_and_family_names_and_wrappers_within_wrappers():
    data = '{"@type":"Article","author":{"@type":"Person","givenName":"Ada","familyName":"Leaf"}}'
    for script in (data, f"//<![CDATA[\n<!--\n{data}\n-->\n//]]>"):
        assert ("author", "Ada Leaf") in read_scripts((script,))


def test_a_product_is_what_the_page_is_about_if_nothing_else_is():
    tea, article = {"@type": "Product", "name": "Tea", "image": "/tea.png"}, {"@type": "Article", "name": "On tea"}
    assert {("@type", "Product"), ("name", "Tea"), ("image", "/tea.png")} <= {*read_scripts((json.dumps(tea),))}
    for data in ([tea, article], [tea, tea | {"name": "Milk"}]):
        assert ("name", "Tea") not in read_scripts((json.dumps(data),))
