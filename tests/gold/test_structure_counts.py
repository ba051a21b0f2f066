"""Structure as facts: the same from Markdown and HTML, and gold of it in every form."""

from collections import Counter

import pytest
from blocksight.gold.corpora import read_corpus
from blocksight.gold.structure_counts import KINDS, html_items, markdown_items, read_stated_structure, structure_of

BASE = "https://gull.example/eels"
MARKDOWN = """---
title: Eels
---

## Food of *eels*

1. worms
   - small ones
2. [snails](/snails)

| Name | Length |
| --- | --- |
| Ouse | 230 |
| Trent |  |

```python
def eel():
    return 1
```

An eel costs $5 or $6, and $l=\\alpha w$ holds. ![An eel](/img/eel.jpg?w=600)[^1]

[^1]: Mostly.
"""
HTML = """<h2>Food of <em>eels</em> <a href="#food">¶</a></h2><nav><ul><li>Home</ul></nav>
<ol><li>worms<ul><li>small ones</li></ul></li><li><a href="snails">snails</a></li></ol>
<ul><li><a href="#food">Food of eels</a></li></ul>
<table><tr><th>Name<th>Length</tr><tr><td>Ouse<td>230</tr><tr><td>Trent<td></tr></table>
<table><tr><td><pre>1\n2</pre><td><pre><code>def eel():<br>    return 1</code></pre></table>
<p>An eel <img src="/img/blank.gif" data-src="/img/eel.jpg"> <span class="math inline">l=\\alpha w</span></p>"""


@pytest.mark.parametrize("facts", [markdown_items(MARKDOWN, BASE), html_items(HTML, BASE)])
def test_the_same_facts_from_markdown_and_html(facts):
    assert set(facts) == set(KINDS)
    assert facts["headings"] == Counter([("food of eels",)])
    assert facts["lists"] == Counter([(1, True, "worms"), (2, False, "small ones"), (1, True, "snails")])
    cells = [(1, 1, "name"), (1, 2, "length"), (2, 1, "ouse"), (2, 2, "230"), (3, 1, "trent")]
    assert facts["tables"] == Counter(cells)
    assert facts["grids"] == Counter([(3, 2)])
    assert facts["code"] == Counter([("def eel():\n    return 1",)])
    assert facts["links"] == Counter([("gull.example/snails", "snails")])
    assert facts["pictures"] == Counter([("eel.jpg",)])
    assert facts["formulas"] == Counter([(r"l=\alphaw",)])


def test_cells_keep_their_columns():
    spans = "<table><tr><th>a<th colspan=2>b</tr><tr><td rowspan=2>c<td>d<td>e</tr><tr><td>f<td>g</tr></table>"
    assert (3, 2, "f") in html_items(spans)["tables"]
    empty = "|  |  |\n|---|---|\n| a | b |\n| c | d |\n"
    assert markdown_items(empty)["grids"] == Counter([(2, 2)])


def test_what_is_no_fact():
    facts = html_items(
        "<h2></h2><table><tr><td>alone</table><a href='javascript:x'>y</a><a href='/z'></a><img alt='⛵' src='/e.png'>"
        "<pre>1\n2\n3</pre><button>Copy</button>"
    )
    assert not any(facts.values())


@pytest.fixture
def corpus(tmp_path):
    """A corpus whose gold of structure has every form."""
    import json

    (tmp_path / "pages").mkdir()
    inside = "<h2>Food</h2><p>Eels eat worms, snails and flies, and they like $x_1$.</p><h2>Share this</h2>"
    stated = {"tables": [[["a", "b"], ["c", ""]]], "pictures": ["/img/Eel.jpg"], "lists": [[1, False, "worms"]]}
    text = "Food\nEels eat worms, snails and flies, and they like $x_1$."
    entries = [
        {"id": "markdown", "gold_markdown": "## Food"},
        {"id": "element", "gold_xpath": "//main", "gold_text": text},
        {"id": "xhtml", "gold_xpath": "//main", "gold_text": text},
        {"id": "elsewhere", "gold_xpath": "//nav", "gold_text": text},
        {"id": "stated", "gold_structure": stated},
        {"id": "wrong", "gold_structure": {"spoons": []}},
        {"id": "shown", "gold_text": "", "title": "Eels", "title_in_page": True, "author": "Ada", "date": "2021-03-05"},
    ]
    for entry in entries:
        declared = '<?xml version="1.0" encoding="utf-8"?>' if entry["id"] == "xhtml" else ""
        (tmp_path / "pages" / f"{entry['id']}.html").write_text(f"{declared}<nav>Home</nav><main>{inside}</main>")
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return {page.id: page for page in read_corpus(tmp_path)}


def test_gold_in_every_form(corpus):
    for name in ("markdown", "element", "xhtml"):
        assert structure_of(corpus[name])["headings"] == Counter([("food",)]), name
    # TeX in a sentence is a formula; what is not in the gold text is no gold.
    assert structure_of(corpus["element"])["formulas"] == Counter([("x_1",)])
    assert structure_of(corpus["elsewhere"]) == {}
    stated = structure_of(corpus["stated"])
    assert set(stated) == {"tables", "grids", "pictures", "lists"}
    assert (stated["grids"], stated["pictures"]) == (Counter([(2, 2)]), Counter([("eel.jpg",)]))
    assert "spoons" in corpus["wrong"].error


def test_fields_count_where_the_page_shows_them(corpus):
    shown = corpus["shown"]
    assert (shown.metadata.title, shown.metadata.authors, shown.metadata.date) == ("Eels", (), "2021-03-05")
    assert not corpus["markdown"].metadata.title


def test_facts_that_make_no_sense():
    with pytest.raises(ValueError, match="malformed items"):
        read_stated_structure({"lists": [["worms"]]})
