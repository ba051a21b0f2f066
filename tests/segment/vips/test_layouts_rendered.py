"""Trees of VIPS for common layouts, rendered; each expected tree was written down before the first run."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.vips.rules import BOX

pytestmark = pytest.mark.browser

HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Boats</title>"
    "<style>body{margin:0;font:16px/24px sans-serif}"
)
SENTENCE = "The tide comes in twice a day, and with it the ferries that bring the post. "
#: A dark picture of 8 by 8 pixels.
IMAGE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR4nGOUs4liwAaYsIoOWgkAkgQAxE+j"
    "EZgAAAAASUVORK5CYII="
)


@pytest.fixture
def rendered(browser):
    """Render a body with its style sheet."""

    def render(body, style=""):
        return browser.open(f"{HEAD}{style}</style>{body}".encode())

    return render


def texts_of(page, blocks):
    """Return the text in each block, joined by spaces."""
    return [" ".join(page.leaf_texts[leaf].strip() for leaf in blocks.leaves_of(row)) for row in range(len(blocks))]


def leaf_texts(page, pdoc=8):
    """Return the texts of the leaf blocks in document order, pictures without text as ""."""
    blocks = bs.vips(page, pdoc=pdoc)
    texts = texts_of(page, blocks)
    outer = np.setdiff1d(np.arange(len(blocks)), blocks.parent)
    return [texts[row] for row in sorted(outer.tolist(), key=lambda row: blocks.node[row])]


def all_texts(page):
    """Return the texts of all blocks of the tree."""
    return texts_of(page, bs.vips(page, pdoc=10))


def subtree(page, text):
    """Return the blocks inside the block with a text: level, text, coherence, and weights of the separators in each."""
    blocks = bs.vips(page, pdoc=10)
    texts = texts_of(page, blocks)
    root = texts.index(text)
    level = {root: 0}
    rows = []
    for row in range(root, len(blocks)):
        if row != root and blocks.parent[row] not in level:
            break
        level[row] = level.get(int(blocks.parent[row]), -1) + 1
        weights = np.round(blocks.separators.weight[blocks.separators.block == row].astype(float), 3)
        rows.append((level[row], texts[row], int(blocks.doc[row]), weights.tolist()))
    return rows


TABLE_STYLE = (
    "th,td{padding:6px 12px;text-align:left;border-bottom:1px solid #ccc}table{border-collapse:collapse}"
    ".note{font-size:12px}.card{border:1px solid #888;padding:12px;margin:12px 0}li{margin:6px 0}"
)
ROWS = "".join(f"<tr><td>Plan {n}<td>{n}0 euro<td>{n} users" for n in range(1, 5))
COMPONENTS = {
    "prices": f"<h2>Plans</h2><p>Pick one.</p><table><tr><th>Plan<th>Price<th>Users{ROWS}</table><p>Without tax.</p>",
    "links": "<h3>Harbour</h3><ul>" + "".join(f"<li><a href={name}>{name}</a>" for name in "abcdef") + "</ul>",
    "cards": "".join(f"<div class=card><h3>Boat {n}</h3><p>{SENTENCE}</p></div>" for n in range(3)),
    "article": f"<h1>Low water</h1><p class=note>By a fisher</p><p>{SENTENCE * 3}</p><h2>Nets</h2><p>{SENTENCE}</p>",
    "small print": f"<div class=note><p>{SENTENCE}</p><p>Address</p><p><a>Terms</a> <a>Privacy</a></p></div>",
}
PARAGRAPHS = f"<p>{SENTENCE * 4}</p>" * 40
SURROUNDINGS = {
    "above": "{}" + f"<article>{PARAGRAPHS}</article>",
    "below": f"<article>{PARAGRAPHS}</article>" + "{}",
    "between in small print": f"<div style='font-size:11px'>{PARAGRAPHS}</div>"
    + "{}"
    + f"<article>{PARAGRAPHS}</article>",
    "below a title": f"<h1 style='font-size:80px;line-height:1'>{SENTENCE}</h1>" + "{}<p>End</p>",
}


def test_what_is_around_a_component_does_not_change_it(rendered):
    for name, content in COMPONENTS.items():
        component = f"<section>{content}</section>"
        alone = rendered(component, TABLE_STYLE)
        text = all_texts(alone)[0]
        expected = subtree(alone, text)
        assert len(expected) > 3
        for place, around in SURROUNDINGS.items():
            assert subtree(rendered(around.format(component), TABLE_STYLE), text) == expected, (name, place)


CONTENTS = "<nav><ul><li><a href=a>Nets</a><li><a href=b>Ropes</a></ul></nav>"
ARTICLE = "".join(f"<h2>{part}</h2><p>{SENTENCE * 2}</p><p>{SENTENCE}</p>" for part in ("Nets", "Ropes", "Sails"))
ARTICLE_TEXT = " ".join(f"{part} {(SENTENCE * 2).strip()} {SENTENCE.strip()}" for part in ("Nets", "Ropes", "Sails"))


@pytest.mark.parametrize(
    ("body", "style", "expected"),
    [
        (
            f"<header>Docs</header><div class=grid>{CONTENTS}<article>{ARTICLE}</article></div><footer>End</footer>",
            ".grid{display:grid;grid-template-columns:200px 1fr;gap:30px}",
            ["Docs", "Nets Ropes", ARTICLE_TEXT, "End"],
        ),
        (
            f"<header>Docs</header>{CONTENTS}<article>{ARTICLE}</article><footer>End</footer>",
            "nav{float:right;width:200px}article{margin-right:230px}footer{clear:both}",
            ["Docs", "Nets Ropes", ARTICLE_TEXT, "End"],
        ),
        (
            f"<div class=grid><main><h1>Guide</h1>{ARTICLE}</main><aside>{CONTENTS}</aside></div>",
            ".grid{display:flex}main{flex:1}aside{width:200px;margin-left:16px}h2{margin-top:60px}",
            [f"Guide {ARTICLE_TEXT}", "Nets Ropes"],
        ),
        (
            f"<div class=grid>{CONTENTS}<article>{ARTICLE}</article></div>",
            ".grid{display:grid;grid-template-columns:200px 1fr;gap:40px}nav{position:sticky;top:0;align-self:start}",
            ["Nets Ropes", ARTICLE_TEXT],
        ),
        (
            f"<div class=page><article>{ARTICLE}</article>{CONTENTS}</div>",
            ".page{position:relative;padding-right:260px}nav{position:absolute;top:20px;right:0;width:200px}",
            [ARTICLE_TEXT, "Nets Ropes"],
        ),
        (
            f"{CONTENTS}<article>{ARTICLE}</article>",
            "nav{position:fixed;left:0;top:0;width:180px}article{margin-left:220px}",
            [ARTICLE_TEXT, "Nets Ropes"],
        ),
    ],
)
def test_elements_next_to_each_other_are_divided_first(rendered, body, style, expected):
    page = rendered(body, style)
    assert set(expected) <= set(all_texts(page))
    coarse = leaf_texts(page, 5)
    assert [text for text in coarse if text in expected] == expected


def test_what_only_sits_on_two_sides_is_one_column(rendered):
    """Bubbles of a chat are left and right of a gap that is wider than the ones between them."""
    bubbles = [(side, f"{side} says {n} {SENTENCE}".strip()) for n in range(3) for side in ("left", "right")]
    chat = "".join(f"<div class={side}><p>{text}</p></div>" for side, text in bubbles)
    page = rendered(
        f"<main>{chat}</main>",
        ".left,.right{display:flex;margin:8px}.right{justify-content:flex-end}p{width:300px;margin:0;padding:8px;background:#eee}",
    )
    blocks = bs.vips(page, pdoc=10)
    assert blocks.separators.horizontal.all()
    assert leaf_texts(page, 10) == [text for _, text in bubbles]


def series(page):
    """Return the parts of the weights of all horizontal separators of the tree that are lighter as part of a series."""
    return [weight for weight in bs.vips(page, pdoc=10).separators.parts[:, 5].tolist() if weight < 0]


@pytest.mark.parametrize("entry", ["<a href=a>{}</a>", "<div><a href=a>{}</a></div>", "<div><p>{}</p></div>"])
def test_lists_weigh_the_same_whatever_wraps_their_texts(rendered, entry):
    names = ("Boats", "Nets", "Ropes", "Tides")
    plain, wrapped = (
        rendered(f"<ul>{''.join(f'<li>{form.format(name)}' for name in names)}</ul>", "li{margin:12px 0}p{margin:0}")
        for form in ("{}", entry)
    )
    expected = subtree(plain, " ".join(names))
    assert len(expected[0][3]) == 3
    assert subtree(wrapped, " ".join(names)) == expected


def test_entries_that_share_a_class_are_a_series(rendered):
    """Menus number their entries by class; messages of two people are of one kind, whoever is next."""
    names = ("Boats", "Nets", "Ropes", "Tides")
    bodies = [
        "<ul>" + "".join(f"<li{kind.format(n)}>{name}" for n, name in enumerate(names)) + "</ul>"
        for kind in ("", " class='entry entry-{0}'", " class='entry-{0} entry'", " class='a{0}'")
    ]
    plain, first, last, unlike = (series(rendered(body, "li{margin:12px 0}")) for body in bodies)
    assert plain == first == last
    assert len(plain) == 3
    assert unlike == []
    turns = "".join(f"<div class='turn {who}'><b>{who}</b><p>{SENTENCE}</p></div>" for who in "ABBABAAB")
    chat = rendered(
        f"<main>{turns}</main>",
        ".turn{display:flex;margin:8px}.A{flex-direction:row-reverse}p{margin:0;padding:8px;background:#eee}"
        ".B p{background:#cdf}",
    )
    assert len(series(chat)) == 7
    assert len(leaf_texts(chat)) == 1


ROW_PAIRS = "".join(f"<tr><td>{n}.<td>Story of boat {n}</tr><tr><td><td class=low>{n} points</tr>" for n in range(1, 5))
BUBBLES = "".join(f"<div class={side}><p>{side} {n}</p></div>" for n in range(4) for side in ("left", "right"))


@pytest.mark.parametrize(
    ("body", "style"),
    [
        (f"<table>{ROW_PAIRS}</table>", ".low{font-size:11px;padding-bottom:10px}"),
        (
            f"<table>{ROW_PAIRS.replace('points</td></tr>', 'points</td></tr><tr style=height:9px></tr>')}</table>",
            ".low{font-size:11px}",
        ),
        (
            "<dl>" + "".join(f"<dt>Word {n}<dd>Meaning of word {n}" for n in range(4)) + "</dl>",
            "dt{font-weight:bold}dd{margin-bottom:16px}",
        ),
        (
            f"<main>{BUBBLES}</main>",
            "div{display:flex;margin:8px}.right{justify-content:flex-end}p{margin:0;padding:8px;background:#eee}"
            ".right p{background:#cdf}",
        ),
        ("".join(f"<details open><summary>Question {n}</summary><p>Answer {n}</p></details>" for n in range(4)), ""),
        (
            "".join(
                f"<div class=entry>{'<div>' * n}<h3>Boat {n}</h3><p>Text {n}</p>{'</div>' * n}</div>" for n in range(4)
            ),
            ".entry{margin-bottom:20px}h3,p{margin:0}",
        ),
    ],
)
def test_units_that_repeat_are_a_series(rendered, body, style):
    page = rendered(f"<p>Before</p>{body}", style)
    assert len(series(page)) >= 3
    whole = " ".join(text.strip() for text in page.leaf_texts[1:])
    assert whole in all_texts(page) or len(leaf_texts(page)) <= 2


def test_two_kinds_of_rows_twice_are_no_series(rendered):
    pairs = "".join(f"<h2>Part {n}</h2><p>{SENTENCE}</p>" for n in range(2))
    assert series(rendered(pairs)) == []


def test_a_rule_below_a_heading_is_part_of_the_heading(rendered):
    entries = "".join(f"<article><h2>Entry {n}</h2>{{}}<p>{SENTENCE}</p></article>" for n in range(3))
    style = "article{margin-bottom:40px}h2{margin:0;padding-bottom:6px}hr,p{margin:6px 0}"
    ruled = "content:'';display:block;height:2px;background:#888"
    for form, border in (
        ("<hr>", ""),
        ("", "h2{border-bottom:1px solid}"),
        ("", f"h2::after{{{ruled}}}"),
        ("", f"h2::after{{{ruled};width:60px}}"),
        ("<i></i>", f"i{{{ruled}}}"),
    ):
        page = rendered(entries.replace("{}", form), style + border)
        assert leaf_texts(page, 9) == [f"Entry {n} {SENTENCE.strip()}" for n in range(3)]
        assert bs.vips(page, pdoc=10).separators.parts[:, 1].tolist() == [0] * 5


@pytest.mark.parametrize(
    "sample",
    [
        "<pre class=box>run\nend</pre>",
        "<div class=box><pre><code><span>run</span> \nend</code></pre></div>",
        "<figure class=box><figcaption>steps.sh</figcaption><pre>run\nend</pre></figure>",
        "<div class=box><button>Copy</button><pre>run\nend</pre></div>",
        "<table class=box><tr><td><pre>1\n2</pre><td><pre>run\nend</pre></table>",
    ],
)
def test_code_is_part_of_the_text_around_it(rendered, sample):
    steps = "".join(f"<p>Step {n}. {SENTENCE}</p>{sample}" for n in range(4))
    page = rendered(
        f"<article>{steps}</article><footer>End</footer>",
        ".box{background:#eee;padding:12px;margin:10px 0;position:relative}pre{margin:0}footer{margin:60px}"
        "button{position:absolute;right:8px;top:8px}",
    )
    assert len(leaf_texts(page)) == 2


@pytest.mark.parametrize(
    "cover",
    [
        ".card::before{content:'';position:absolute;inset:0;background:#eef;z-index:-1}.card{z-index:0}",
        ".card::after{content:'';position:absolute;inset:0;border:1px solid #888;pointer-events:none}",
        ".card i{position:absolute;inset:0;background:#eef;z-index:-1}.card{z-index:0}",
    ],
)
def test_what_covers_a_box_is_its_frame(rendered, cover):
    card = f"<div class=card><i></i><h2>Boats</h2><p>{SENTENCE}</p></div>"
    page = rendered(f"<p>Before</p>{card}<p>After</p>", ".card{position:relative;padding:20px;margin:20px}" + cover)
    blocks = bs.vips(page, pdoc=8)
    assert leaf_texts(page) == ["Before", f"Boats {SENTENCE.strip()}", "After"]
    (box,) = [blocks.box[row].tolist() for row in range(len(blocks)) if blocks.rule[row] == BOX]
    framed = page.geometry.box[np.flatnonzero(page.has_tag("div"))[0]].tolist()
    assert box == framed


def test_a_cover_smaller_than_its_parent_is_a_block_by_itself(rendered):
    style = ".card{position:relative;padding:20px}.card i{position:absolute;inset:0 50% 0 0;background:#eef;z-index:-1}"
    page = rendered(f"<p>Before</p><div class=card style='z-index:0'><i></i><p>{SENTENCE}</p></div>", style)
    blocks = bs.vips(page, pdoc=10)
    assert "i" in {page.tag_of(node) for node in blocks.node.tolist()}


@pytest.mark.parametrize(
    ("card", "style"),
    [
        (f"<a class=card style='background-image:url({IMAGE})'><h3>Boat {{}}</h3></a>", ""),
        (
            f"<a class=card><img src='{IMAGE}' width=300 height=200><h3>Boat {{}}</h3></a>",
            ".card{position:relative}img{display:block}h3{position:absolute;bottom:0}",
        ),
    ],
)
def test_touching_pictures_are_as_many_blocks(rendered, card, style):
    cards = "".join(card.format(n) for n in range(3))
    page = rendered(
        f"<main>{cards}</main>",
        "main{display:flex}.card{display:block;width:300px;height:200px;color:#fff}h3{margin:10px}" + style,
    )
    blocks = bs.vips(page, pdoc=8)
    assert leaf_texts(page) == [f"Boat {n}" for n in range(3)]
    assert blocks.box[blocks.leaf_block].tolist() == [[300 * n, 0, 300, 200] for n in range(3)]


DIALOG = f"<h2>Cookies</h2><p>{SENTENCE}</p>"
ANSWERS = "<div class=act><button>No</button> <button>Yes</button></div>"


@pytest.mark.parametrize(
    ("dialog", "style"),
    [
        (f"<div class=box>{DIALOG}{ANSWERS}</div>", ".act{border-top:1px solid}"),
        (f"<dialog open class=box>{DIALOG}{ANSWERS}</dialog>", ""),
        (f"<div class=box>{DIALOG}<div class=act><a>No</a> <a>Yes</a></div></div>", ""),
        (
            f"<div class=box role=dialog><header>{DIALOG}</header><footer>{ANSWERS}</footer></div>",
            "header{background:#036;color:#fff}footer{background:#eee}",
        ),
        (
            f"<div class=over><div class=box>{DIALOG}{ANSWERS}</div></div>",
            ".over{position:fixed;inset:0;background:#0008}.over .box{position:static;margin:150px auto}",
        ),
    ],
)
def test_a_dialog_is_one_block_with_its_buttons(rendered, dialog, style):
    page = rendered(
        f"<article>{PARAGRAPHS}</article>{dialog}",
        ".box{position:fixed;left:300px;top:150px;width:400px;background:#fff;border:1px solid;padding:30px}"
        ".act{margin-top:40px;padding-top:20px}.act a{display:inline-block;padding:8px 20px;background:#ccc}" + style,
    )
    assert len(leaf_texts(page)) == 2


def test_a_layer_of_several_boxes_is_no_dialog(rendered):
    """Many applications are one fixed element."""
    boxes = f"<div class=box>{DIALOG}<p>{SENTENCE * 12}</p>{ANSWERS}</div>" * 2
    page = rendered(
        f"<div class=over>{boxes}</div>",
        ".over{position:fixed;inset:0}.box{width:900px;background:#eee;padding:30px;margin:30px}"
        ".act{margin-top:40px;padding-top:20px;border-top:1px solid}",
    )
    assert "No Yes" in leaf_texts(page)


def test_what_is_over_a_page_is_never_one_block_with_it(rendered):
    page = rendered(
        f"<p>{SENTENCE}</p><div class=bar><p>Cookies</p><button>Yes</button></div>",
        ".bar{position:fixed;bottom:0;left:0;right:0;background:#fff;border-top:2px solid}",
    )
    blocks = bs.vips(page)
    assert texts_of(page, blocks)[1:] == [SENTENCE.strip(), "Cookies Yes"]
