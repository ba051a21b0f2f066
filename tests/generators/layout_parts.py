"""Further parts of composed pages: stories, conversations, lists with pictures, and grids of small pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .composed_layouts import Composer


def story(composer: Composer) -> str:
    """Return an article with pictures as wide as its text or wider, pairs of them, tables and steps, as one block."""
    chance = composer.random.random
    wide = composer.random.choice((560, 680, 760, 900))
    parts = [f"<h1>{composer.words(3, 8)}</h1>"] if chance() < 0.7 else []
    headings = chance() < 0.7
    for number in composer.some(3, 8):
        if headings and chance() < 0.7:
            parts.append(f"<h2>{composer.words(1, 4)}</h2>")
        parts += [f"<p>{composer.sentences(1, 6)}</p>" for _ in composer.some(1, 3)]
        kind = composer.random.choice(("", "", "figure", "pair", "table", "step"))
        if kind == "figure":
            caption = f"<figcaption style='color:#777;font-size:.85em'>{composer.words(3, 9)}</figcaption>"
            parts.append(f"<figure style='margin:24px 0'>{composer.picture(wide, 320)}{caption}</figure>")
        elif kind == "pair":
            pictures = composer.picture(wide // 2 - 10, 240) * 2
            parts.append(f"<div style='display:flex;gap:20px;margin:24px 0'>{pictures}</div>")
        elif kind == "table":
            rows = "".join(f"<tr><td>{composer.words(1, 3)}<td>{number + row} kg" for row in composer.some(2, 7))
            parts.append(f"<table style='width:100%;margin:20px 0'>{rows}</table>")
        elif kind == "step":
            parts.append(f"<h3>{number + 1}. {composer.words(2, 4)}</h3>{composer.picture(wide, 260)}")
    return composer.block("article", f"max-width:{wide}px;margin:0 auto", "".join(parts))


def posts(composer: Composer) -> str:
    """Return posts below each other, each a block: a heading, a date, some text, and a link to the whole."""
    space = composer.random.choice((32, 44, 64))
    ruled = composer.random.choice(("", "border-bottom:1px solid #ddd"))
    pictured = composer.random.random() < 0.4
    made = []
    for _ in composer.some(3, 7):
        picture = composer.picture(600, 220) if pictured else ""
        date = f"<small style='color:#777'>{composer.words(1, 2)}, 3 June</small>"
        text = f"<h2>{composer.words(3, 7)}</h2>{date}<p>{composer.sentences(2, 4)}</p><p>{composer.links(1, 1)}</p>"
        made.append(composer.block("article", f"padding:{space // 2}px 0;{ruled}", picture + text))
    return "".join(made)


def episodes(composer: Composer) -> str:
    """Return a list whose entries have a small picture or a round mark, as one block with its title."""
    size = composer.random.choice((32, 40, 48, 64))
    mark = f"<i style='width:{size}px;height:{size}px;border-radius:50%;background:#1a5;flex:none'></i>"
    pictured, ruled = composer.random.random() < 0.6, composer.random.choice(("", "border-top:1px solid #ccc;"))
    end = composer.random.random() < 0.5
    space = composer.random.choice((6, 10, 16))
    title = f"<h2>{composer.words(2, 3)}</h2>" if composer.random.random() < 0.8 else ""
    rows = []
    for number in composer.some(4, 11):
        text = f"<div style='flex:1'><b>{composer.words(2, 6)}</b><br><small>{composer.words(4, 26)}.</small></div>"
        time = f"<small>{20 + number} min</small>" if end else ""
        first = composer.picture(size, size) if pictured else mark
        style = f"display:flex;gap:14px;{ruled}padding:{space}px 0;align-items:center"
        rows.append(f"<div style='{style}'>{first}{text}{time}</div>")
    return composer.block("section", "", title + "".join(rows))


def thread(composer: Composer) -> str:
    """Return comments with answers to them, as one block with its title."""
    avatar, framed = composer.random.random() < 0.5, composer.random.choice(("", "border-left:2px solid #ccc;"))
    indent = composer.random.choice((16, 24, 48))

    def comment(depth: int) -> str:
        face = composer.picture(36, 36) if avatar else ""
        text = (
            f"<b>{composer.words(1, 2)}</b> <small>2 May</small><p>{composer.sentences(1, 4)}</p><small>Answer</small>"
        )
        below = "".join(comment(depth + 1) for _ in composer.some(0, 2 if depth < 2 else 0))
        inner = f"<div style='display:flex;gap:12px'>{face}<div>{text}</div></div>{below}"
        return f"<div style='{framed}padding-left:12px;margin:14px 0 14px {indent * bool(depth)}px'>{inner}</div>"

    style = composer.random.choice(("", f"{composer.frame};padding:{composer.pad}px"))
    title = composer.random.choice((f"<h2>{composer.words(1, 2)}</h2>", "<small>Sorted by date</small>"))
    return composer.block("section", style, title + "".join(comment(0) for _ in composer.some(2, 5)))


def chat(composer: Composer) -> str:
    """Return a conversation from both sides, or the entries of a timeline beside a line, as one block."""
    rows = []
    if composer.random.random() < 0.5:
        for _ in composer.some(5, 12):
            side = composer.random.choice(("margin-left:auto;background:#cde", "background:#eee"))
            style = f"max-width:60%;width:fit-content;padding:8px 14px;margin-bottom:10px;border-radius:10px;{side}"
            rows.append(f"<div style='{style}'>{composer.sentences(1, 2)}</div>")
        return composer.block("section", "", "".join(rows))
    for number in composer.some(4, 9):
        rows.append(f"<h3>{1900 + 7 * number}</h3><p>{composer.sentences(1, 3)}</p>")
    return composer.block("section", "border-left:2px solid #a86;padding-left:24px", "".join(rows))


def people(composer: Composer) -> str:
    """Return persons or goods in a grid, each a block of a picture with one or two lines; their title is a block."""
    size, align = composer.random.choice((110, 150, 200)), composer.random.choice(("center", "left"))
    style = f"text-align:{align}"
    cells = [
        composer.block("div", style, f"{composer.picture(size, size)}<h3>{composer.words(2, 3)}</h3>{more}")
        for more in [f"<small>{composer.words(1, 3)}</small>"] * composer.random.randint(4, 12)
    ]
    return titled(composer, f"display:grid;grid-template-columns:repeat(4,1fr);gap:{composer.gap}px", cells)


def tiles(composer: Composer) -> str:
    """Return framed tiles with a number or a quotation, each a block, in a grid or in columns of unequal heights."""
    style = f"{composer.frame};padding:{composer.pad}px;break-inside:avoid;margin-bottom:{composer.gap}px"
    number = composer.random.random() < 0.5
    cells = []
    for row in range(composer.random.randint(3, 9)):
        figure = f"<b style='font-size:1.8em'>{row * 7 + 3}</b><br><small>{composer.words(1, 3)}</small>"
        cells.append(composer.block("div", style, figure if number else composer.sentences(1, 4)))
    grid = f"display:grid;grid-template-columns:repeat(3,1fr);column-gap:{composer.gap}px"
    return titled(composer, composer.random.choice((grid, f"columns:3;column-gap:{composer.gap}px")), cells)


def titled(composer: Composer, style: str, cells: list[str]) -> str:
    """Return cells in one element, below a title of their own now and then."""
    above = composer.block("h2", "", composer.words(1, 4)) if composer.random.random() < 0.4 else ""
    return f"{above}<div style='{style}'>{''.join(cells)}</div>"


def tiny(composer: Composer) -> str:
    """Return a page of few words with a frame around it; each of its parts is a block."""
    title = composer.block("h1", "", composer.words(1, 3))
    links = composer.block("nav", "padding:6px 0;border-bottom:2px solid #a86", composer.links(3, 5))
    text = composer.block("div", "", "".join(f"<p>{composer.sentences(1, 2)}</p>" for _ in composer.some(1, 2)))
    box = composer.block(
        "div", f"{composer.frame};padding:{composer.pad}px", f"<b>{composer.words(1, 1)}</b><br>Monday"
    )
    end = composer.block("div", "font-size:.8em;padding-top:12px", f"{composer.words(2, 3)} 3")
    frame = composer.random.choice(("border:6px double #a86", "background:#fdf6e3", composer.frame))
    style = f"width:{composer.random.choice((420, 560, 680))}px;margin:30px auto;padding:24px;{frame}"
    return f"<div style='{style}'>{title}{links}{text}{box}{end}</div>"


def notice(composer: Composer) -> str:
    """Return a bar or a box with text and buttons over the page, as one block."""
    place = composer.random.choice(("left:0;right:0;bottom:0", "right:24px;bottom:24px;width:320px"))
    style = f"position:fixed;{place};background:#fff;border:1px solid #999;padding:{composer.pad}px"
    buttons = "<button>Accept</button> <button>Choose</button>"
    return composer.block("div", style, f"<b>{composer.words(2, 4)}</b><p>{composer.sentences(1, 2)}</p>{buttons}")
