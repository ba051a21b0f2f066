"""No page, system or setting ends with an error."""

from itertools import product

import blocksight as bs
import pytest
from blocksight.classify.systems import SYSTEMS
from blocksight.document.formats import FORMATS

PAGES = (
    "<p></p>",
    "<h1>Eels</h1><p hidden>They swim.</p><p>They swim.<blockquote>They swim.</blockquote><table><tr><td>1</table>",
    "<script>1</script><div style=opacity:0><p>They swim.<img src=a.png alt=Eel></p><p> </p><dl><dt>a<dd>b</dl></div>",
)


@pytest.mark.parametrize("html", PAGES)
@pytest.mark.parametrize("hidden", ["drop", "keep", "mark"])
def test_extract_every_system_and_format(html, hidden):
    page = bs.parse(html, url="https://river.example/a")
    for system in SYSTEMS:
        if system.card.visual:
            continue
        document = bs.extract(page, system=system, hidden=hidden)
        for some in FORMATS:
            document.written(some.name)


def test_extract_every_keep():
    for html, keep, hidden in product(PAGES, ("comments", "everything"), ("drop", "keep")):
        for some in FORMATS:
            bs.extract(bs.parse(html), keep=(keep,) if keep != "everything" else (), hidden=hidden).written(some.name)
