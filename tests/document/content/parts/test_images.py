"""Pictures: where they come from, which are decoration, and what is said of them."""

import numpy as np
import pytest
from blocksight.document.document import document
from blocksight.page.parse import parse

TEXT = "<p>Some words that are the content of the page.</p>"
SIZE = "width=640 height=480"


def _pictures(written, html, keep=lambda text: True):
    return written(f"{TEXT}{html}{TEXT.replace('Some', 'More')}", keep).images


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        ("<img src=/a.jpg>", "a.jpg"),
        ("<img src='data:image/gif;base64,R0' data-src=/b.jpg>", "b.jpg"),
        ("<img src=/small.jpg data-original=/c.jpg>", "c.jpg"),
        ("<img src=/img/spacer.gif srcset='/d-1.jpg 320w, /d-2.jpg 1024w'>", "d-2.jpg"),
        ("<picture><source srcset='/e.webp 2x, /e1.webp'><img></picture>", "e.webp"),
        ("<img class=lazy data-hero='/f.png?w=3'>", "f.png?w=3"),
        ("<img class=lazy><noscript><img src=/g.jpg></noscript>", "g.jpg"),
        ("<img data-src=/h.jpg><noscript><img src=/h-large.jpg></noscript>", "h.jpg"),
        ("<amp-img src=/i.jpg></amp-img>", "i.jpg"),
    ],
)
def test_find_images_address(markup, address, written):
    (found,) = _pictures(written, markup)
    assert (found.address, found.left_out) == (f"https://example.org/{address}", "")


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<img src=/a.gif width=1 height=1>", "tracker"),
        ("<img src=https://b.scorecardresearch.com/p?c1=2>", "tracker"),
        ("<img src=/a.png width=24 height=24>", "icon"),
        ("<img class=wp-smiley src=/a.png>", ""),
        ("<img class=icon src=/a.png width=64 height=64>", "icon"),
        ("<img class=avatar src=/a.png>", "avatar"),
        ("<img src=/p-post-share-line.svg>", "icon"),
        ("<img src='/file?avatar=2.gif' width=105 height=105>", "avatar"),
        ("<a href=/><img src=/site-logo.png width=640 height=100></a>", "logo"),
        ("<a href=../index.php.html><img src=/logo.png></a>", "logo"),
        ("<a href=https://example.org/><img src=/logo@2x.png></a>", "logo"),
        ("<a href=https://acme.example/><img src=/acme-logo.png></a>", ""),
        ("<a href=/acme><img src=/acme-logo.png></a>", ""),
        ("<img src=/logo.png width=640 height=480>", ""),
        ("<div class=author-box><img src=/a.png width=96 height=96></div>", "avatar"),
        (f"<img class=avatar src=/a.png {SIZE}>", ""),
        (f"<div class=ad-slot><img src=/a.png {SIZE}></div>", "advertisement"),
        (f"<div class=adventure><img src=/a.png {SIZE}></div>", ""),
        ("<img>", "no address"),
        ("<img src='data:image/png;base64,AAAA'>", "no address"),
        ("<img src=/a.jpg hidden>", "hidden"),
        ("<aside><img src=/a.jpg></aside>", "place"),
    ],
)
def test_find_images_left_out(markup, reason, written):
    (found,) = _pictures(written, markup)
    assert found.left_out == reason


def test_find_images_repeated(written):
    assert [one.left_out for one in _pictures(written, "<img src=/a.jpg><p>words in between</p><img src=/a.jpg>")] == [
        "", "repeated",
    ]  # fmt: skip
    assert [one.left_out for one in _pictures(written, "<img src=/a.jpg>" * 3)] == ["repeated"] * 3


def test_find_images_lazy_placeholders(written):
    lazy = "".join(f"<img src=/wait.gif data-src=/{name}.jpg>" for name in "abc")
    assert [one.left_out for one in _pictures(written, lazy)] == ["", "", ""]


def test_find_images_outside_of_content(written):
    html = "<div class=card><a href=/x><img src=/a.jpg></a><a href=/x>Other story</a></div>"
    assert _pictures(written, html, lambda text: "words" in text) == ()
    assert written(f"<header><img src=/l.png><a>Home</a></header>{TEXT}", lambda text: text != "Home").images == ()


def test_find_images_captions(written):
    html = f"{TEXT}<figure><img src=/a.jpg><figcaption>A cat <b>sleeps</b></figcaption></figure>{TEXT}"
    found = written(html, lambda text: "content" in text)
    assert found.images[0].caption == "A cat sleeps"
    assert "![](https://example.org/a.jpg)\n\nA cat **sleeps**\n" in found.markdown
    assert '<figcaption class="caption">A cat <b>sleeps</b></figcaption>' in found.html
    # Plain text shows no pictures; what the system marked itself stays.
    assert "A cat sleeps" not in found.text
    assert "A cat sleeps" in written(html).text
    named = "<div class=wp-caption><img src=/a.jpg><p class=wp-caption-text>A dog</p></div>"
    assert _pictures(written, named, lambda text: "content" in text)[0].caption == "A dog"


def test_find_images_alt_in_caption(written):
    html = f"{TEXT}<figure><img src=/a.jpg alt='A cat'><figcaption>A cat{{}}</figcaption></figure>"
    assert written(html.format("")).images[0].alt == "A cat"
    assert "![](https://example.org/a.jpg)" in written(html.format("")).markdown
    assert "![A cat](https://example.org/a.jpg)" in written(html.format(" sleeps")).markdown


def test_sources_largest_of_a_set(written):
    source = "<source srcset='/a-3.avif 300w, /a-9.avif 900w'><source srcset='/a-3.jpg 300w'>"
    (first,) = _pictures(written, f"<picture>{source}<img src=/tiny.gif></picture>")
    (other,) = _pictures(written, "<img src=/b-1.jpg srcset='/b-1.jpg 50w,/b-9.jpg 900w'>")
    assert (first.address, other.address) == ("https://example.org/a-9.avif", "https://example.org/b-9.jpg")


def test_find_images_preview_of_a_picture(written):
    html = "<div><img class={} src=/30/a.jpg><canvas></canvas><img data-src=/800/{}.jpg></div>"
    assert [one.address for one in _pictures(written, html.format("thumbnail", "a"))] == [
        "https://example.org/800/a.jpg"
    ]
    assert len(_pictures(written, html.format("thumbnail", "b"))) == len(_pictures(written, html.format("x", "a"))) == 2


def test_find_images_background(written):
    html = "<div role={} aria-label='A plan' style='width:9em; background-image: url(\"/a.png\")'></div>"
    (found,) = _pictures(written, html.format("img"))
    assert (found.address, found.alt) == ("https://example.org/a.png", "A plan")
    assert not _pictures(written, html.format("none"))


def test_no_address_and_no_alt_text_breaks_the_markdown(markdown_of):
    html = f"{TEXT}<img src='/a b(1)|2.jpg' alt='x ] y `'>"
    assert r"![x \] y \`](https://example.org/a%20b%281%29%7C2.jpg)" in markdown_of(html)


def test_a_picture_in_a_line_leaves_one_space(written):
    assert written(f"<p>one <img src=/a.jpg {SIZE}> two three</p>").text == "one two three"


def test_a_picture_in_a_link_is_a_link(markdown_of):
    assert "[![a](https://example.org/s.jpg)](https://example.org/l)" in markdown_of(
        f"{TEXT}<a href=/l><img src=/s.jpg alt=a></a>"
    )


def test_image_to_dict(written):
    (found,) = _pictures(written, f"<img src=/a.jpg alt=' a  b ' {SIZE}>")
    assert found.to_dict() == {
        "address": "https://example.org/a.jpg", "alt": "a b", "caption": "", "size": [640, 480], "box": None,
        "left_out": "",
    }  # fmt: skip


@pytest.mark.parametrize(("captions", "alt"), [(True, ""), (False, "A cat")])
def test_find_images_alt_without_captions(captions, alt):
    page = parse(
        f"{TEXT}<figure><img src=/a.jpg alt='A cat'><figcaption>A cat</figcaption></figure>",
        url="https://example.org/a/page.html",
    )
    marks = np.array(["cat" not in text for text in page.leaf_texts])
    doc = document(page, marks, headline=False, captions=captions)
    assert f"![{alt}](https://example.org/a.jpg)" in doc.markdown
    assert ("\n\nA cat\n" in doc.markdown) == captions


def test_document_to_dict_without_unseen_images(written):
    doc = written(f"{TEXT}<img src=/a.jpg><img src=/b.jpg hidden><img src=/c.gif width=1 height=1><img>")
    assert [image.left_out for image in doc.images] == ["", "hidden", "tracker", "no address"]
    assert [image["address"] for image in doc.to_dict()["images"]] == ["https://example.org/a.jpg"]


DRAWING = "<svg width=400 height=120><title>Levels</title><text x=5>Upper 212</text></svg>"


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        (f"<figure>{DRAWING}<figcaption>At noon</figcaption></figure>", ["Upper 212", "At noon"]),
        (
            f"<figure><div>{DRAWING.replace('Upper 212', '')}</div><figcaption>At noon</figcaption></figure>",
            ["At noon"],
        ),
        (f"<aside><figure>{DRAWING}<figcaption>At noon</figcaption></figure></aside>", []),
        (f"<p>{DRAWING}</p>", []),
        ("<figure><video></video><figcaption>At noon</figcaption></figure>", []),
    ],
)
def test_a_figure_with_a_drawing_keeps_its_caption_and_labels(html, texts, written):
    found = written(f"{TEXT}{html}{TEXT.replace('Some', 'More')}", lambda text: "content" in text)
    assert found.markdown.split("\n\n")[1:-1] == texts
    assert (found.images, "noon" in found.text) == ((), False)
