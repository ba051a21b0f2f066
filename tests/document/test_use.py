"""What users build on: links, places of quotations, files."""

import io
from pathlib import Path

import blocksight as bs
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
URL = "https://gull.example/a/page.html"
HTML = """<title>Eels</title><p>The <a href=/eels>eels  are</a> back, say <a href=b.html>those</a> who
<a href=#x>know</a>.</p><p>They are many.</p>"""


def made(html=HTML, url=URL):
    return bs.extract(bs.parse(html, url=url), system="everything", headline=False)


def test_links_have_text_and_address():
    assert made().links == (("eels are", "https://gull.example/eels"), ("those", "https://gull.example/a/b.html"))
    assert made("<p>None.</p>").links == ()


@pytest.mark.parametrize(
    "head", [f"<link rel=canonical href={URL}>", f"<meta property=og:url content={URL}>", f"<base href={URL}>"]
)
def test_links_of_a_saved_file_are_those_of_its_canonical_address(head):
    assert made(head + HTML, url="file:///pages/page.html").links == made().links


def test_other_links_of_a_saved_file_stay_as_they_are():
    html = "<link rel=canonical href=/relative><link rel=alternate href=https://gull.example/feed>" + HTML
    assert [link.url for link in made(html, url="about:blank").links] == ["/eels", "b.html"]
    pictures = "<p>Some words.</p><img src=a.jpg>"
    assert made(f"<link rel=canonical href={URL}>{pictures}", url="file:///p.html").images[0].address == "a.jpg"


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.md", "The [eels are]"), ("a.txt", "The eels are"), ("a.html", "<p>The "), ("a.json", "{"), ("a.jsonl", "{")],
)
def test_a_document_is_saved_by_the_suffix(name, start, tmp_path):
    made().save(tmp_path / name)
    assert (tmp_path / name).read_text("utf-8").startswith(start)


def test_a_suffix_of_no_format(tmp_path):
    with pytest.raises(ValueError, match=r"'\.pdf'; there are \.md"):
        made().save(tmp_path / "a.pdf")


def test_without_geometry_nothing_has_a_place():
    assert made().locate("They are") == ()


@pytest.mark.browser
def test_places_of_quotations(browser):
    style = "<style>body{margin:0}p{margin:0;height:40px;width:26ch}</style>"  # two lines in any font
    doc = bs.extract(browser.open(f"{style}{HTML}".encode(), url=URL), system="everything", headline=False)
    assert doc.locate("They  are many")[0][1] == 40
    first, second = doc.locate("know. They are")  # the second line of its paragraph, and the next one
    assert 0 < first[1] < second[1] == 40
    assert doc.locate("They are few") == doc.locate(" ") == ()


@pytest.mark.browser
def test_rectangles_of_lines_and_their_picture(browser):
    style = "<style>body{margin:0}p{margin:0;font:20px/40px serif}b{font-weight:400}</style>"
    words = "<p>nnn <b>uuu</b><br>nnnnn uuuu"  # both letters are equally wide in any font
    options = bs.RenderOptions(screenshot="full")
    page = browser.open(f"<title>One</title>{style}{words}".encode(), options=options)
    doc = bs.extract(page, system="everything", headline=False)
    (first, second) = doc.locate("nnn uuu nnnnn uuuu")
    assert (first[0], second[0]) == (0, 0)
    assert second[1] - first[1] == 40
    (two,) = doc.locate("uuu")
    letter = (second[2] - first[2]) / 3
    assert abs(two[0] + 3 * letter - first[2]) < 1
    assert abs(two[2] - 3 * letter) < 1
    assert [chunk.boxes for chunk in doc.chunks()] == [(first, second)]
    picture = Image.open(io.BytesIO(bs.crop(page, [two], margin=0)))
    assert abs(picture.width - two[2]) <= 2
    with pytest.raises(ValueError, match="no box"):
        bs.crop(page, doc.locate("five"))
    with pytest.raises(ValueError, match="screenshot"):
        bs.crop(bs.parse(words), [two])


def test_why_a_page_is_partial_is_in_the_document():
    page = bs.parse(HTML, url=URL).replace(partial=True, environment={"partial": "scripts did not end"})
    doc = bs.extract(page, system="everything")
    assert doc.to_dict()["partial_reason"] == doc.partial_reason == "scripts did not end"
    assert 'partial: "scripts did not end"' in doc.front_matter()
    assert "partial" not in made().front_matter()
    assert bs.extract(page.replace(environment={}), system="everything").partial_reason.startswith(
        "it was still loading"
    )


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"html": "<p>x", "url": None}, TypeError, "leave it out"),
        ({"html": "page.html"}, ValueError, "read_bytes"),
        ({"html": "https://gull.example/"}, ValueError, "Browser"),
    ],
)
def test_what_is_no_html_is_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        bs.parse(**arguments)


@pytest.mark.parametrize("html", ["", "Eels", "<p>page.html", "see page.html", b"page.html"])
def test_text_is_html(html):
    assert bs.parse(html).url == "about:blank"


def test_the_values_of_a_document_are_in_the_reference():
    """They are not names of ``blocksight`` itself: the reference says where annotations find them."""
    posts = "".join(f"<li><h3>Eel {n}</h3><p>Seen by Ida on the pier, {n} May 2024.</p></li>" for n in range(4))
    page = bs.parse(
        f"<nav>Home</nav><p>{'The eels are back. ' * 9}</p><img src=a.jpg><a href=b>c</a><ul>{posts}</ul>", url=URL
    )
    doc = bs.extract(page, system="blocksight-dom")
    more = (doc.evidence, doc.dropped, doc.blocks, doc.links, doc.images, doc.records, doc.chunks(tokens=50))
    values = [*(value for some in more for value in some[:1]), doc.page_type]
    text = (ROOT / "docs/reference/extraction.md").read_text(encoding="utf-8")
    for kind in {type(value) for value in values}:
        assert f"::: {kind.__module__}.{kind.__qualname__}\n" in text
    assert {"Fact", "Region"} <= {type(value).__name__ for value in values}
