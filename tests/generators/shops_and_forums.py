"""Generate pages of shops and forums with known records.

    python tests/generators/shops_and_forums.py OUT [--pages 60] [--seed 0]

OUT becomes a corpus (docs/corpora.md): ``gold.jsonl`` with ``page_type``, ``gold_text`` and, for forums, ``posts``
(text, author, date), for shops ``records`` (title, price, rating, link); ``pages/ID.html``. The pages differ in layout
(flow, floats, flex, grid, tables), in class names (meaningful, generated, none), in the content around the records
(menu, sidebar, related list, footer) and inside them (user cards, signatures, quotes, buttons, counters).
``benchmarks/accuracy.py posts`` measures on them.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from html import escape
from pathlib import Path

_NOUNS = (
    "kettle lamp garden bridge engine river ladder pepper violin carpet window basket copper harbour meadow pocket "
    "ribbon saddle timber walnut anchor barrel candle drawer feather hammer island jacket kitchen "
    "lantern mirror needle oven pillow"
).split()
_VERBS = "turns keeps holds carries finds brings makes leaves takes shows moves opens".split()
_PLAIN = "old quiet green heavy broken careful early narrow simple warm steady distant common bright small".split()
_NAMES = (
    "Arvo Bruna Cemal Delfina Edda Faris Gosia Hyun Iker Jorunn Kofi Liesl Marek Noor Otto Pilar Quim Rosa Sven Tove"
).split()
_MONTHS = "January February March April May June July August September October November December".split()
#: Meaningful class names of the parts.
_MEANINGFUL = {
    "list": "posts", "record": "post", "card": "user-card", "name": "username", "date": "post-date",
    "body": "post-content", "bar": "actions",
    "sig": "signature", "grid": "products", "item": "product-card", "title": "product-title", "price": "price",
    "stars": "rating",
    "side": "sidebar", "more": "related",
}  # fmt: skip
_FORM = "<form><textarea></textarea><button>Reply</button></form>"
LAYOUTS = ("flow", "float", "flex", "grid", "table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A page and its gold entry."""

    html: str
    entry: dict[str, object]


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

    def text(self, most: int) -> list[str]:
        return [
            " ".join(self.sentence() for _ in range(self.random.randint(1, 4)))
            for _ in range(self.random.randint(1, most))
        ]

    def date(self) -> str:
        day, month, year = self.random.randint(1, 28), self.random.choice(_MONTHS), self.random.randint(2009, 2026)
        clock = f"{self.random.randint(0, 23):02}:{self.random.randint(0, 59):02}"
        return self.random.choice(
            (
                f"{month} {day}, {year}",
                f"{day} {month[:3]} {year}, {clock}",
                f"{year}-{_MONTHS.index(month) + 1:02}-{day:02} {clock}",
            )
        )

    def names(self) -> dict[str, str]:
        """Choose how classes are called on a page."""
        style = self.random.randint(0, 2)
        made = {key: f"c{self.random.randint(100, 999)}" for key in _MEANINGFUL}
        return (_MEANINGFUL, made, dict.fromkeys(_MEANINGFUL, ""))[style]

    # -- forums ----------------------------------------------------------------------------------------------------

    def thread(self, name: str) -> Made:
        names, layout = self.names(), self.random.choice(LAYOUTS)
        title = self.sentence().rstrip(".")
        posts: list[dict[str, str]] = []
        written: list[str] = []
        users = self.random.sample(_NAMES, self.random.randint(2, 6))
        for number in range(self.random.randint(3, 14)):
            quoted = self.random.choice(posts) if posts and self.random.random() < 0.3 else None
            post = {"author": self.random.choice(users), "date": self.date()}
            paragraphs = self.text(3)
            quote = quoted["text"].split("\n")[-1] if quoted else ""
            post["text"] = "\n".join([*([quote] if quote else []), *paragraphs])
            posts.append(post)
            written.append(self._post(post, paragraphs, quote, number, names, layout))
        joined = "".join(
            f"<table{_named(names, 'list')}>{''.join(written)}</table>" if layout == "table" else "".join(written)
        )
        body = f"<h1>{escape(title)}</h1><div{_named(names, 'list')}>{joined}</div>{_FORM}"
        text = "\n".join(str(post["text"]) for post in posts)
        entry = _entry(name, "forum", title, text) | {"posts": posts}
        return Made(html=self._page(title, body, names, _post_style(layout, names)), entry=entry)

    def _post(
        self, post: dict[str, str], paragraphs: list[str], quote: str, number: int, names: dict[str, str], layout: str
    ) -> str:
        card = (
            f"<div{_named(names, 'card')}><img src='/faces/{post['author']}.png' width=48 height=48 alt=''>"
            f"<b><a{_named(names, 'name')} href='/members/{post['author']}'>{post['author']}</a></b><br>"
            f"<small>Posts: {len(post['author']) * 37}</small>"
            f"<br><small>Joined: {2001 + len(post['author'])}</small></div>"
        )
        quoted = f"<blockquote>{escape(quote)}</blockquote>" if quote else ""
        text = quoted + "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
        signature = (
            f"<div{_named(names, 'sig')}>My {post['author'].lower()} is my castle</div>"
            if names is _MEANINGFUL and number % 2
            else ""
        )
        links = f"<a href='#p{number}'>Quote</a> <a href='#r{number}'>Reply</a>"
        bar = f"<div{_named(names, 'bar')}>{links} <button>Share</button></div>"
        head = f"<div><time{_named(names, 'date')}>{post['date']}</time></div>"
        inner = f"{head}<div{_named(names, 'body')}>{text}</div>{signature}{bar}"
        if layout == "table":
            return f"<tr{_named(names, 'record')}><td>{card}</td><td>{inner}</td></tr>"
        return f"<div{_named(names, 'record')}>{card}<div>{inner}</div></div>"

    # -- shops -----------------------------------------------------------------------------------------------------

    def shop(self, name: str) -> Made:
        names, layout = self.names(), self.random.choice(LAYOUTS)
        items, written = [], []
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
            items.append(item)
            written.append(self._item(item, number, names))
        if layout == "table":
            rows = ["".join(f"<td>{one}</td>" for one in written[at : at + 4]) for at in range(0, len(written), 4)]
            joined = f"<table{_named(names, 'grid')}>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
        else:
            joined = f"<div{_named(names, 'grid')}>{''.join(written)}</div>"
        title = f"All {self.random.choice(_NOUNS)}s"
        body = f"<h1>{title}</h1><p>{self.sentence()}</p>{joined}"
        text = "\n".join(f"{item['title']}\n{item['price']}" for item in items)
        entry = _entry(name, "collection", title, text) | {"records": items}
        return Made(html=self._page(title, body, names, _item_style(layout, names)), entry=entry)

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


def _entry(name: str, page_type: str, title: str, text: str) -> dict[str, object]:
    return {"id": name, "page_type": page_type, "title": title, "gold_text": text}


def _named(names: dict[str, str], key: str) -> str:
    return f' class="{names[key]}"' if names[key] else ""


def _post_style(layout: str, names: dict[str, str]) -> str:
    record = f".{names['record']}" if names["record"] else "main>div>div"
    inner = {
        "flow": "border:1px solid #ccc;margin:12px 0;padding:8px", "float": "overflow:auto;margin:12px 0",
        "flex": "display:flex;gap:16px;margin:12px 0",
        "grid": "display:grid;grid-template-columns:140px 1fr;margin:12px 0", "table": "vertical-align:top",
    }[layout]  # fmt: skip
    return f"{record}{{{inner}}}" + (f"{record}>div:first-child{{float:left;width:140px}}" if layout == "float" else "")


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


def make(out: Path, pages: int, seed: int) -> None:
    (out / "pages").mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(pages):
        maker = Maker(seed * 100_000 + number)
        made = (maker.thread if number % 2 else maker.shop)(f"{'thread' if number % 2 else 'shop'}-{number}")
        (out / "pages" / f"{made.entry['id']}.html").write_text(made.html, encoding="utf-8")
        lines.append(
            json.dumps({**made.entry, "split": "dev", "url": f"https://site{number}.example/page"}, ensure_ascii=False)
            + "\n"
        )
    (out / "gold.jsonl").write_text("".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages of shops and forums with known records.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    make(given.out, given.pages, given.seed)


if __name__ == "__main__":
    main()
