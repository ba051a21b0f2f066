"""Passages along headings: what they hold, where they stand, and the links to them."""

from itertools import pairwise
from urllib.parse import unquote

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.document import document
from hypothesis import given, settings
from hypothesis import strategies as st

URL = "https://gull.example/eels"
HTML = """<title>Eels</title><h1>Eels</h1><p>They come back in spring.</p><h2>Food</h2><h3>Young</h3>
<p>Small worms, mostly.</p>
<ul><li>snails</li><li>flies</li></ul><h2>Rivers</h2><table><tr><th>Name<th>Length</tr><tr><td>Ouse<td>230</tr></table>"""


def made(html, url=URL):
    page = bs.parse(html, url=url)
    return document(page, np.ones(len(page.leaves), dtype=bool))


def test_sections_and_their_headings():
    doc = made(HTML)
    found = doc.chunks(tokens=50)
    assert [chunk.headings for chunk in found] == [("Eels",), ("Eels", "Food", "Young"), ("Eels", "Rivers")]
    assert found[0].text == "Eels\n\nThey come back in spring."
    assert found[1].text == "Food\n\nYoung\n\nSmall worms, mostly.\n\n- snails\n- flies"
    assert all(chunk.text == doc.text[chunk.start : chunk.end] for chunk in found)


def test_what_is_too_long_is_cut_at_the_best_place():
    doc = made("<p>One two three. Four five six. Seven eight.</p><p>Nine.</p>")
    assert [chunk.text for chunk in doc.chunks(tokens=8)] == ["One two three. Four five six.", "Seven eight.\n\nNine."]
    assert [chunk.text for chunk in doc.chunks(tokens=100)] == [doc.text]
    assert [chunk.text for chunk in made("<p>abcdefgh").chunks(tokens=3, count=len)] == ["abc", "def", "gh"]
    assert [chunk.text for chunk in made("<p>一二三。四五。六。").chunks(tokens=5)] == ["一二三。", "四五。六。"]


def test_links_name_words_of_the_page():
    found = made(HTML).chunks(tokens=50)
    assert found[0].link == f"{URL}#:~:text=Eels,They%20come%20back%20in%20spring."
    assert found[1].link == f"{URL}#:~:text=Food,flies"
    assert made("<p>well-known, and so on").chunks()[0].link.endswith("=well%2Dknown%2C%20and%20so%20on")
    assert made("<p>Eels", url=f"{URL}#x").chunks()[0].link == f"{URL}#x:~:text=Eels"
    assert made("<p>Eels", url="about:blank").chunks()[0].link == ""


def test_chunks_no_label_at_an_end():
    words = "eel " * 9
    table = "<table><tr><th>Name<th>Length</tr>" + "<tr><td>Ouse<td>230</tr>" * 9 + "</table>"
    labels = ("<h2>Food</h2>", "<p>Size:</p>", "<p><b>Young ones</b></p>")
    for label in labels:
        for behind in (f"<p>{words}.</p>", f"<p>{(words + '. ') * 5}</p>", table, f"<ul><li>{words}<li>{words}</ul>"):
            found = made(f"<p>{words}.</p>{label}{behind}").chunks(tokens=16)
            named = label.split(">")[-2 if "<b>" not in label else -3].partition("<")[0]
            assert not any(chunk.text.endswith(named) for chunk in found)
            assert all(chunk.size <= 16 or "|" in chunk.markdown for chunk in found)


def test_chunks_picture_with_the_heading_it_leads_to():
    picture = "<a href=/{0}><img src=/{0}.png alt={0} width=300 height=200></a>"
    card = picture + "<h3><a href=/{0}>{0} tale</a></h3><p>Told {0}.</p>"
    found = made("<h1>Tales</h1>" + "".join(card.format(name) for name in ("Ida", "Bo", "Al"))).chunks(tokens=60)
    named = [chunk for chunk in found if " tale" in chunk.text]
    assert len(named) == 3
    for chunk in named:
        name = chunk.text.split()[0] if not chunk.text.startswith("Tales") else "Ida"
        assert f"/{name}.png" in chunk.markdown
        assert chunk.text == chunk.text.strip()


def test_chunks_picture_with_the_heading_it_names():
    part = "<img src=/x1_{0}-small.png alt='{1}' width=300 height=200><h2>{0}: best of all</h2><p>Told {0}.</p>"
    parts = "".join(part.format(name, alt) for name, alt in (("Ida", ""), ("Bolt", "Bolt icon"), ("The", "")))
    found = made(f"<h1>Tales</h1><p>Of three.</p>{parts}").chunks(tokens=60)
    assert [[name in chunk.markdown for name in ("_Ida-", "Bolt icon", "_The-")] for chunk in found[1:]] == [
        [True, False, False],
        [False, True, True],  # an article names nothing
        [False, False, False],
    ]


def test_embed_text_has_the_path():
    found = made(HTML).chunks(tokens=50)
    assert [chunk.embed_text.split("\n")[0] for chunk in found] == ["Eels", "Eels", "Eels"]
    parts = made(f"<title>Eels</title><h2>Food</h2><p>{'One two three. ' * 9}</p>").chunks(tokens=20)
    assert parts[-1].embed_text.startswith("Eels > Food\n\nOne")
    assert parts[-1].to_dict()["embed_text"] == parts[-1].embed_text


def test_wrong_arguments():
    doc = made(HTML)
    with pytest.raises(ValueError, match="room for 1"):
        doc.chunks(tokens=0)


def test_no_text_no_chunks():
    assert made("<p> </p>").chunks() == ()


PIECES = st.sampled_from(
    ["<h2>Head</h2>", "<p>One two. Three</p>", "<ul><li>a<li>b b</ul>", "<p>一二。三", "<pre>x\n\n y</pre>",
     "<p>a<br>b",
     "<table><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>", "<iframe src=https://x.example/ title='a film'></iframe>"]
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(PIECES, max_size=8), st.integers(4, 12), st.booleans())
def test_chunks_hold_all_of_the_text_in_order_and_have_room(pieces, most, by_characters):
    doc = made("".join(pieces))
    found = doc.chunks(tokens=most, count=len if by_characters else None)
    assert "".join("".join(chunk.text.split()) for chunk in found) == "".join(doc.text.split())
    assert all(one.end <= other.start for one, other in pairwise(found))
    for chunk in found:
        assert chunk.text == doc.text[chunk.start : chunk.end]
        assert chunk.size <= most or any(mark in chunk.markdown for mark in ("|", "```", "](", "## "))
        for said in unquote(chunk.link.partition(":~:text=")[2]).split(","):
            assert said in " ".join(doc.text.split())


def test_tokens_are_counted_by_whoever_knows():
    doc = made(HTML)
    found = doc.chunks(tokens=40, count=len)
    assert all(len(chunk.markdown) == chunk.size for chunk in found)


TABLE = "<table><tr><th>Name<th>Length</tr>" + "<tr><td>Ouse<td>230</tr>" * 5 + "</table>"


def test_chunks_are_markdown_with_whole_tables_and_fences():
    code = "<pre><code class=language-sh>boil water\n\npour it</code></pre>"
    doc = made(f"<h1>Tea</h1><p>Some <b>fresh</b> <a href=/w>water</a>.</p>{TABLE}{code}<p>The end.</p>")
    found = doc.chunks(tokens=12)
    table = "| Name | Length |\n| --- | --- |\n" + "\n".join(["| Ouse | 230 |"] * 5)
    assert table in [chunk.markdown for chunk in found]
    assert any("```sh\nboil water\n\npour it\n```" in chunk.markdown for chunk in found)
    whole = "\n\n".join(chunk.markdown for chunk in doc.chunks(tokens=1000))
    assert whole == doc.markdown.rstrip("\n")
    assert found[0].size <= 12 < next(chunk.size for chunk in found if "| Ouse" in chunk.markdown)


def test_lists_are_divided_between_items_and_keep_their_numbers():
    doc = made("<ol><li>one two<ul><li>three</ul><li>four five<li>six seven</ol>")
    assert [chunk.markdown for chunk in doc.chunks(tokens=8)] == [
        "1. one two\n   - three",
        "2. four five\n3. six seven",
    ]


def test_emphasis_and_links_are_in_both_parts_of_a_text():
    doc = made("<p>One <b>two three four. Five six</b> <a href=https://x.example/>seven eight</a></p>")
    parts = [chunk.markdown for chunk in doc.chunks(tokens=24, count=len)]
    assert parts[:2] == ["One **two three four.**", "**Five six**"]
    # An address that takes more than all of the room is not cut.
    assert parts[2:] == ["[seven](https://x.example/)", "[eight](https://x.example/)"]


def test_a_part_of_a_paragraph_has_its_own_link_and_place():
    found = made("<p>One two three. Four five six.</p>").chunks(tokens=4)
    assert [chunk.link.partition("=")[2] for chunk in found] == ["One%20two%20three.", "Four%20five%20six."]


def test_the_start_of_a_document_within_some_tokens():
    doc = made(
        "<title>Tea</title><h2>Water</h2><p>Some fresh water.</p><h2>Leaves</h2><p>" + "A green leaf. " * 20 + "</p>"
    )
    cut = doc.within(40, count=lambda text: len(text.split()))
    assert cut.markdown == (
        "# Tea\n\n## Water\n\nSome fresh water.\n\n"
        "<!-- 2 of 4 blocks left out; tokens counted by the given function -->\n"
    )
    assert (cut.left_out, cut.blocks, cut.headings, cut.tokens) == (2, 4, ("Leaves",), 21)
    assert cut.all_tokens == 9 + 60  # "# Tea ## Water Some fresh water. ## Leaves" and twenty leaves
    assert doc.within(1000).markdown == doc.markdown
    assert doc.within(1).left_out == 4
    with pytest.raises(ValueError, match="1 or more"):
        doc.within(0)


def test_each_chunk_has_author_date_language_and_number():
    head = '<html lang="en"><meta name=author content="Ada Leaf"><meta name=date content="2024-05-20">'
    found = made(f"{head}{HTML}").chunks(tokens=50)
    assert [chunk.number for chunk in found] == [0, 1, 2]
    assert {(chunk.authors, chunk.published, chunk.language) for chunk in found} == {
        (("Ada Leaf",), "2024-05-20", "en")
    }
    assert found[-1].to_dict()["authors"] == ["Ada Leaf"]
