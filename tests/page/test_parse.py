"""Raw HTML without a browser: what bytes mean, and that no input breaks it (its trees: test_trees.py)."""

from dataclasses import fields, replace
from pathlib import Path

import blocksight as bs
import numpy as np
import pytest
from blocksight import parse
from blocksight.page.geometry import Geometry
from blocksight.page.html import MAX_TITLE
from blocksight.page.parse import decode
from hypothesis import given
from hypothesis import strategies as st


def test_title_language_and_text():
    page = parse('<html lang="de"><title> Ein\n Titel </title><p>Größe</p></html>', url="http://x/")
    assert (page.title, page.language, page.url, page.leaf_texts) == ("Ein Titel", "de", "http://x/", ("Größe",))


def test_text_around_comments_is_kept():
    assert parse("<p>a<!-- no -->b</p>").leaf_texts == ("a", "b")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>é</p>".encode(), "é"),
        ('<meta charset="windows-1251"><p>Привет</p>'.encode("windows-1251"), "Привет"),
        (b'<meta charset="iso-8859-1"><p>' + "naïve".encode() + b"</p>", "naïve"),
        ("\ufeff<p>é</p>".encode("utf-16"), "é"),
        ("<p>Les élèves étaient déjà là, à côté de la fenêtre, où l'été dernier…</p>".encode("cp1252"), "Les élèves"),
    ],
)
def test_encodings(html, text):
    assert parse(html).leaf_texts[0].startswith(text)


def test_the_given_encoding_wins():
    assert decode("é".encode("latin-1"), "latin-1") == "é"


def test_invalid_utf8_keeps_the_rest():
    page = parse(b'<meta charset="utf-8"><p>before \xff\xfe after</p>')
    assert page.leaf_texts[0].startswith("before ")
    assert page.leaf_texts[0].endswith(" after")


@pytest.mark.parametrize("html", [b"", b"   ", "", "<!-- only a comment -->"])
def test_parse_empty(html):
    page = parse(html, url="http://x/")
    assert (page.url, page.title, page.leaf_texts) == ("http://x/", "", ())
    assert (bs.extract(page).text, len(bs.block_features(page)), len(bs.text_blocks(page))) == ("", 0, 0)


@pytest.mark.parametrize("whole", ["http://[", "http://a\0b/", "page.html"])
def test_parse_name_of_a_file(whole):
    with pytest.raises(ValueError, match="is a name"):
        parse(whole)
    assert parse(whole, url="http://x/").leaf_texts == (whole.replace("\0", ""),)


@pytest.mark.parametrize("wrong", [None, Path("page.html"), 7, ["<p>"]])
def test_parse_other_types(wrong):
    with pytest.raises(TypeError, match=r"HTML as str or bytes, not \w+; of a file: path.read_bytes\(\)"):
        parse(wrong)


def test_null_characters_do_not_end_the_page():
    assert parse("<p>a\x00b</p><p title='\x00'>c</p>").leaf_texts == ("ab", "c")


def test_halves_of_surrogate_pairs_are_replaced():
    page = parse("<p title='\ud83d'>\ud83d\ude00 \udfff</p>")
    assert page.leaf_texts == ("😀 \ufffd",)
    "".join(page.strings).encode()


def test_the_byte_order_mark_is_no_text():
    assert parse("\ufeff<!DOCTYPE html><title>t</title><p>x").leaf_texts == ("x",)


def test_a_page_that_is_too_deep_keeps_its_text():
    page = parse("".join(f"<div>{level} " for level in range(5000)))
    assert [int(text) for text in page.leaf_texts] == list(range(5000))
    assert page.depth.max() == 512


def test_pages_without_head_and_body_tags_have_text():
    assert parse("<title>t</title><main><p>Some words.").leaf_texts == ("Some words.",)
    assert parse("<html><head></head></html><body><p>Some words.</body>").leaf_texts == ("Some words.",)


def test_title_outside_of_svg():
    assert parse("<body><svg><title>picture</title></svg><title> The\npage </title>x").title == "The page"
    assert parse("<body><svg><title>picture</title></svg>x").title == ""
    assert parse("<title>a</title><title>b</title>x").title == "a"


def test_the_language_may_be_declared_as_in_xml():
    assert parse('<html xml:lang="de">x').language == "de"
    assert parse('<html xml:lang="de" lang="fr">x').language == "fr"


def test_declared_shadow_trees_stay_in_their_templates():
    page = parse("<div><template ShadowRootMode=open class=shadowrootmode=><p>a</p></template>b</div>")
    assert [page.tag_of(row) for row in range(3, len(page))] == ["div", "template", "p", "#text", "#text"]
    assert page.attributes_of(4) == {"shadowrootmode": "open", "class": "shadowrootmode="}
    assert page.leaf_texts == ("a", "b")


@given(st.text(max_size=200))
def test_any_text_is_a_page(html):
    page = parse(html, url="https://example.org/")  # without an address a name is refused
    assert len(page.parent) == len(page.tag) == len(page.text)
    assert (page.parent < range(len(page))).all()


def test_text_for_readers_without_scripts():
    story = "<noscript><div><p>All of the story is here, since the page is made by a script.</p></div></noscript>"
    assert parse(f"<p>Menu</p>{story}").leaf_texts == (
        "Menu", "All of the story is here, since the page is made by a script.",
    )  # fmt: skip
    # Where the page has its own text, it is the usual image of a counter, or the same again.
    assert parse(f"<p>{'The page itself has its text. ' * 9}</p>{story}").leaf_texts == (
        "The page itself has its text. " * 9,
    )
    # A notice is no text of the page, nor is what a browser with scripts keeps as a string.
    assert parse("<p>Text</p><noscript>Please enable JavaScript to see this page at all</noscript>").leaf_texts == (
        "Text",
    )


def test_leaves_are_the_same_with_and_without_geometry():
    page = parse(f"<p>{'Own text. ' * 30}</p><noscript><p>A few words.</p></noscript>")
    assert len(page.leaves) == 1
    count = len(page)
    box = np.zeros((count, 4), dtype=np.float32)
    empty = np.zeros(count, dtype=np.int32)
    geometry = Geometry(
        **{field.name: empty for field in fields(Geometry)}
        | {"box": box, "viewport": (1.0, 1.0), "size": (1.0, 1.0), "hidden": np.zeros(1, dtype=np.uint8)}
    )
    assert replace(page, geometry=geometry).leaves.tolist() == page.leaves.tolist()


@pytest.mark.parametrize("name", ["hex", "rot13", "idna", "punycode", "undefined", "unicode_escape", "zlib", "x\u0000"])
def test_decode_unsupported_encoding(name):
    html = f"<meta charset='{name}'><p>größe \\u0041"
    assert decode(html.encode()).endswith("größe \\u0041")
    assert decode(html.encode("cp1252")).endswith("größe \\u0041")
    assert decode("<p>größe".encode(), name) == "<p>größe"


def test_title_is_truncated():
    page = bs.parse(f"<title>{'word ' * MAX_TITLE}</title><p>text")
    assert page.title == ("word " * MAX_TITLE)[:MAX_TITLE].strip()
