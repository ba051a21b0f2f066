"""Generate pages of shops that differ in layout (flow, floats, flex, grid, tables), class names and surroundings."""

from __future__ import annotations

import random
from html import escape

_NOUNS = (
    "kettle lamp garden bridge engine river ladder pepper violin carpet window basket copper harbour meadow pocket "
    "ribbon saddle timber walnut anchor barrel candle drawer feather hammer island jacket kitchen "
    "lantern mirror needle oven pillow"
).split()
_VERBS = "turns keeps holds carries finds brings makes leaves takes shows moves opens".split()
_PLAIN = "old quiet green heavy broken careful early narrow simple warm steady distant common bright small".split()
#: Meaningful class names of the parts.
_MEANINGFUL = {
    "grid": "products", "item": "product-card", "title": "product-title", "price": "price", "stars": "rating",
    "side": "sidebar", "more": "related",
}  # fmt: skip
LAYOUTS = ("flow", "float", "flex", "grid", "table")


class Maker:
    """Generates pages, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def sentence(self) -> str:
        pick = self.random.choice
        parts = [
            f"the {pick(_PLAIN)} {pick(_NOUNS)} {pick(_VERBS)} a {pick(_PLAIN)} {pick(_NOUNS)}"
            for _ in range(self.random.randint(1, 3))
        ]
        text = pick((" and ", " while ", ", but ")).join(parts)
        return f"{text[0].upper()}{text[1:]}."

    def names(self) -> dict[str, str]:
        """Choose how classes are called on a page."""
        style = self.random.randint(0, 2)
        made = {key: f"c{self.random.randint(100, 999)}" for key in _MEANINGFUL}
        return (_MEANINGFUL, made, dict.fromkeys(_MEANINGFUL, ""))[style]

    def shop(self) -> str:
        """Return the HTML of a page of products."""
        names, layout = self.names(), self.random.choice(LAYOUTS)
        written = []
        sign = self.random.choice(("${}", "{} €", "£{}"))
        for number in range(self.random.randint(4, 24)):
            title = (
                f"{self.random.choice(_PLAIN)} {self.random.choice(_NOUNS)} {self.random.randint(2, 99)}".capitalize()
            )
            item = {
                "title": title,
                "price": sign.format(f"{self.random.randint(3, 900)}.{self.random.randint(0, 99):02}"),
                "link": f"/item/{number}",
            }
            item |= {"rating": f"{self.random.randint(10, 50) / 10} out of 5"} if self.random.random() < 0.8 else {}
            written.append(self._item(item, number, names))
        if layout == "table":
            rows = ["".join(f"<td>{one}</td>" for one in written[at : at + 4]) for at in range(0, len(written), 4)]
            joined = f"<table{_named(names, 'grid')}>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
        else:
            joined = f"<div{_named(names, 'grid')}>{''.join(written)}</div>"
        title = f"All {self.random.choice(_NOUNS)}s"
        body = f"<h1>{title}</h1><p>{self.sentence()}</p>{joined}"
        return self._page(title, body, names, _item_style(layout, names))

    def _item(self, item: dict[str, str], number: int, names: dict[str, str]) -> str:
        rating = f"<div{_named(names, 'stars')}>{item['rating']}</div>" if "rating" in item else ""
        sale = "<span>Sale</span>" if number % 5 == 2 else ""
        return (
            f"<div{_named(names, 'item')}>{sale}<a href='{item['link']}'>"
            f"<img src='/pictures/{number}.jpg' width=160 height=120 alt=''></a>"
            f"<h3{_named(names, 'title')}><a href='{item['link']}'>{escape(item['title'])}</a></h3>{rating}"
            f"<div{_named(names, 'price')}>{item['price']}</div><button>Add to cart</button></div>"
        )

    def _page(self, title: str, body: str, names: dict[str, str], style: str) -> str:
        menu = "".join(f"<li><a href='/{noun}'>{noun.capitalize()}</a></li>" for noun in self.random.sample(_NOUNS, 6))
        related = "".join(
            f"<li><a href='/{n}'>{escape(self.sentence())}</a></li>" for n in range(self.random.randint(3, 8))
        )
        side = f"<aside{_named(names, 'side')}><h2>Also read</h2><ul{_named(names, 'more')}>{related}</ul></aside>"
        foot = "<footer><a href='/imprint'>Imprint</a> <a href='/privacy'>Privacy</a> All rights reserved</footer>"
        return (
            f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{escape(title)}</title><style>"
            f"body{{margin:0;font:16px sans-serif}}"
            f".page{{display:flex;gap:24px;max-width:1180px;margin:auto}}.page>main{{flex:1}}aside{{width:240px}}"
            f"nav li{{display:inline;margin:8px}}{style}"
            f"</style></head><body><nav><ul>{menu}</ul></nav>"
            f"<div class=page><main>{body}</main>{side}</div>{foot}</body></html>\n"
        )


def _named(names: dict[str, str], key: str) -> str:
    return f' class="{names[key]}"' if names[key] else ""


def _item_style(layout: str, names: dict[str, str]) -> str:
    grid = f".{names['grid']}" if names["grid"] else "main>div"
    item = f".{names['item']}" if names["item"] else "main>div>div"
    return {
        "flow": f"{item}{{padding:8px;border-bottom:1px solid #ccc}}",
        "float": f"{item}{{float:left;width:200px;height:300px;margin:8px}}",
        "flex": f"{grid}{{display:flex;flex-wrap:wrap;gap:16px}}{item}{{width:200px}}",
        "grid": f"{grid}{{display:grid;grid-template-columns:repeat(4,1fr);gap:16px}}",
        "table": "td{vertical-align:top;padding:8px}",
    }[layout]  # fmt: skip
