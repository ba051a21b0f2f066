"""Make a corpus of lists, threads and texts with comments, with exact gold: 76 skins in ten languages.

    python tests/generators/list_corpus.py -o OUT [--split dev] [--pages 3] [--seed 0]

Skins (list_skins.toml) follow the structure of forums, mailing lists, shops, search results and timelines, and of
texts with comments, teasers or reviews; some are for training, some for tests only. Names and texts are
invented from list_words.json, the same for the same seed. OUT becomes a corpus (docs/corpora.md), each skin a site,
whose ``gold.jsonl`` also has the ``records`` or ``posts`` of each page as shown.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import tomllib
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

Values = dict[str, str]

HOME = Path(__file__).parent
SKINS: dict[str, dict[str, Any]] = tomllib.loads((HOME / "list_skins.toml").read_text(encoding="utf-8"))
WORDS: dict[str, Values] = json.loads((HOME / "list_words.json").read_text(encoding="utf-8"))
_SYLLABLES = {
    "ru": "ва ле ко на ри мо та се ду ги ли бо",
    "zh": "林 云 海 山 小 明 月 安 文 青 石 川",
    "ja": "田 山 川 木 さく まり たか みず よし 森 はる 中",
    "ar": "سا لي نو را مي با دي كا",
}
_LATIN = "ba den ka ri lo mer ta vin sol ne ju ost fen hal mi dor pel gra tu wyn"
#: Prices by language: pattern, currency, thousands and decimal mark, decimals.
_PRICES = {
    "en": [("${}", "USD", ",", ".", 2), ("£{}", "GBP", ",", ".", 2), ("A${}", "AUD", ",", ".", 2)],
    "de": [("{} €", "EUR", ".", ",", 2), ("CHF {}", "CHF", "'", ".", 2), ("{},– €", "EUR", ".", ",", 0)],
    "fr": [("{} €", "EUR", "\u202f", ",", 2), ("{} €", "EUR", "\xa0", ",", 2)],
    "es": [("{} €", "EUR", ".", ",", 2), ("S/ {}", "PEN", ",", ".", 2)],
    "it": [("€ {}", "EUR", ".", ",", 2), ("{} €", "EUR", ".", ",", 2)],
    "pl": [("{} zł", "PLN", "\xa0", ",", 2)],
    "ru": [("{} ₽", "RUB", "\xa0", ",", 0), ("{} руб.", "RUB", " ", ",", 0)],
    "zh": [("¥{}", "CNY", ",", ".", 2), ("￥{}", "CNY", "", ".", 2)],
    "ja": [("{}円", "JPY", ",", ".", 0), ("¥{}", "JPY", ",", ".", 0)],
    "ar": [("{} ر.س", "SAR", ",", ".", 2), ("{} AED", "AED", ",", ".", 2)],
}  # fmt: skip
_FIELDS = ("title", "link", "image", "price", "old", "date", "author", "rating", "description")
_VALUE, _WHERE = re.compile(r"\{(\$?[a-z_0-9]+)\}"), re.compile(r"\[\[(\w+)\|(.*?)\]\]", re.DOTALL)
_FIRST, _TODAY = date(2003, 2, 1), date(2026, 6, 1)


def plain(markup: str) -> str:
    """Return the text of some markup, a line for each line of it."""
    text = re.sub(r"<(?:br|p|/p|div|/div|hr|tr|/h4|/cite|h4|/small|/b)\b[^>]*>", "\n", markup)
    lines = (" ".join(line.split()) for line in html.unescape(re.sub(r"<[^>]+>", "", text)).split("\n"))
    return "\n".join(line for line in lines if line)


class Maker:
    """Makes one page of a skin in a language."""

    def __init__(self, name: str, language: str, seed: str) -> None:
        self.name, self.skin, self.language, self.chance = name, SKINS[name], language, Random(seed)
        self.words = WORDS[language]
        self.spaced = language not in ("zh", "ja")
        self.format = self.chance.choice(self.skin.get("dates", ["iso"]))
        self.money = self.chance.choice(_PRICES[language])
        self.people = [self.person() for _ in range(self.chance.randrange(3, 8))]
        self.ids = self.chance.randrange(1000, 90000)

    # -- words ------------------------------------------------------------------------------------------------------

    def of(self, kind: str) -> str:
        return self.chance.choice(self.words[kind].split())

    def name_part(self) -> str:
        own = _SYLLABLES.get(self.language, _LATIN) if self.chance.random() < 0.6 else _LATIN
        return "".join(self.chance.choice(own.split()) for _ in range(self.chance.randrange(2, 4)))

    def person(self) -> str:
        name = self.name_part()
        sort = self.chance.random()
        if sort < 0.3:
            return f"{name}{self.chance.randrange(2, 99)}"
        return name.capitalize() if sort < 0.6 else f"{name.capitalize()} {self.name_part().capitalize()}"[:22]

    def sentence(self) -> str:
        kinds = ["small", "large", "doing"] + ["small", "plain", "large", "small"] * self.chance.randrange(1, 4)
        said = [self.of(kind) for kind in kinds]
        if self.spaced:
            text = " ".join(said)
            return f"{text[0].upper()}{text[1:]}{self.chance.choice(('.', '.', '?', '!'))}"
        return "".join(said) + self.chance.choice("。。？")

    def prose(self, least: int, most: int) -> str:
        return (" " if self.spaced else "").join(self.sentence() for _ in range(self.chance.randrange(least, most + 1)))

    def phrase(self, least: int = 2, most: int = 5) -> str:
        said = [
            self.of(self.chance.choice(("plain", "large", "large"))) for _ in range(self.chance.randrange(least, most))
        ]
        text = (" " if self.spaced else "").join([*said, self.of("large")])
        return text[0].upper() + text[1:]

    # -- dates and prices -------------------------------------------------------------------------------------------

    def when(self, day: date) -> tuple[str, str]:
        """Return a day as this page writes it, and as ISO where it says so."""
        clock = (self.chance.randrange(24), self.chance.randrange(60))
        months, week = self.words["months"].split(), self.words["week"].split()
        month, weekday, hour = months[day.month - 1], week[day.weekday()], clock[0] % 12 or 12
        half, short = "am" if clock[0] < 12 else "pm", month if not self.spaced else month[:3]
        at, n = f"{clock[0]:02}:{clock[1]:02}", self.chance.randrange(2, 28)
        english = (date(2000, day.month, 1).strftime("%b"), day.strftime("%a"))
        long = {
            "en": f"{month} {day.day}, {day.year}", "de": f"{day.day}. {month} {day.year}",
            "es": f"{day.day} de {month} de {day.year}",
            "zh": f"{day.year}年{day.month}月{day.day}日", "ja": f"{day.year}年{day.month}月{day.day}日",
        }.get(self.language, f"{day.day} {month} {day.year}")  # fmt: skip
        forms = {
            "week": f"{weekday} {short} {day.day:02}, {day.year} {hour}:{clock[1]:02} {half}",
            "number": f"{day.day:02} {short} {day.year} {at}",
            "usmonth": f"{month} {day.day:02}, {day.year}, {hour:02}:{clock[1]:02}:17 {half.upper()}",
            "long": f"{long}, {at}" if self.skin["kind"] == "forum" else long,
            "dots": f"{day.day:02}.{day.month:02}.{day.year} {at}",
            "isoclock": f"{day.isoformat()} {at}:42", "iso": f"{day.isoformat()} {at}", "isod": day.isoformat(),
            "ymdhm": f"{day.year}-{day.month}-{day.day} {at}",
            "slashclock": f"{day.year}/{day.month:02}/{day.day:02}({week[day.weekday()][-1:]}) {at}:09.12",
            "dashclock": f"{day.month}-{day.day}-{day.year} at {hour:02}:{clock[1]:02} {half.upper()}",
            "us": f"{day.month}/{day.day}/{day.year % 100:02} {hour}:{clock[1]:02} {half.upper()}",
            "usclock": f"{day.day:02}-{day.month:02}-{day.year}, {hour:02}:{clock[1]:02} {half.upper()}",
            "mail": f"{english[1]}, {day.day} {english[0]} {day.year} {at}:05 +0100",
            "mailshort": f"{day.day} {short} {day.year} {at}",
            "md": f"{day.month:02}月{day.day:02}日" if not self.spaced else f"{day.day} {short}",
        }  # fmt: skip
        if not self.spaced and self.format in ("week", "number", "usmonth", "mailshort"):
            forms[self.format] = f"{long}({week[day.weekday()][-1:]}) {at}"
        if self.format in forms:
            return forms[self.format], "" if self.format == "md" else day.isoformat()
        ago = {
            "hours": ("minutes", "hours", "hours", "now"),
            "days": ("hours", "days", "yesterday"),
            "years": ("years", "days"),
        }
        if self.format in ago:
            return self.words[self.chance.choice(ago[self.format])].format(n), ""
        short_forms = (f"{n}h", f"{n}d", f"{n % 12}m") if self.format == "short" else (f"{short} '{day.year % 100:02}",)
        return self.chance.choice(short_forms), ""

    def price(self, amount: float) -> str:
        pattern, _, thousands, mark, decimals = self.money
        whole, _, part = f"{amount:,.{decimals}f}".partition(".")
        return str(pattern).format(whole.replace(",", str(thousands)) + (f"{mark}{part}" if part else ""))

    # -- pages ------------------------------------------------------------------------------------------------------

    def fill(self, template: str, values: Values) -> str:
        chosen = _WHERE.sub(lambda some: some[2] if values.get(some[1]) else "", template)
        return _VALUE.sub(
            lambda some: self.words.get(some[1][1:], some[0]) if some[1][0] == "$" else values.get(some[1], some[0]),
            chosen,
        )

    def links(self, count: int, tag: str = "") -> str:
        made = [f'<a href="/{self.name}/{n}">{html.escape(self.phrase(2, 6))}</a>' for n in range(count)]
        return "".join(f"<{tag}>{one}</{tag}>" for one in made) if tag else " &raquo; ".join(made)

    def page(self) -> tuple[str, dict[str, Any]]:
        """Return the markup of a page and its gold."""
        skin, chance = self.skin, self.chance
        title = self.phrase(2, 5)
        made, gold = self._posts(title) if skin["kind"] in ("forum", "article") else self._records()
        paragraphs = chance.randrange(*skin["length"]) if "length" in skin else 0
        said = [html.escape(self.prose(2, 5)) for _ in range(paragraphs)]
        item = "<li>{}</li>" if "<ul" in skin["around"].split("{menu}")[0][-40:] else " {}"
        keys = ("home", "forum", "search", "profile", "register", "login")
        menu = "".join(item.format(f'<a href="/{key}">{self.words[key]}</a>') for key in keys)
        pager = "".join(f'<a href="?page={n}">{n}</a> ' for n in range(1, chance.randrange(0, 6)))
        row = '<tr><td class="alt1"><a href="/{}">{}</a></td><td>{}</td><td>{}</td></tr>'
        rows = "".join(
            row.format(n, html.escape(self.phrase()), html.escape(chance.choice(self.people)), n)
            for n in range(chance.randrange(0, 5))
        )
        values = {
            "site": f"{self.name_part().capitalize()} {self.of('large')}", "menu": menu, "title": html.escape(title),
            "query": self.of("large"),
            "crumbs": self.links(2), "self": "/self",
            "foot": f"&copy; {self.name_part()} {self.words['rights']} <a href='/c'>{self.words['home']}</a>",
            "pager": f'{pager}<a href="?page=2">{self.words["next"]}</a>' if pager else "",
            "names": ", ".join(f'<a href="u{n}">{html.escape(one)}</a>' for n, one in enumerate(self.people)),
            "n": str(len(made)),
            "views": str(chance.randrange(50, 9000)), "starter": html.escape(self.people[0]), "lead": self.prose(2, 3),
            "relatedrows": rows, "relatedlist": f"<ul>{self.links(chance.randrange(2, 6), 'li')}</ul>",
            "section": html.escape(self.phrase()), "article": "".join(f"<p>{one}</p>" for one in said),
            "records": "\n".join(made), "first": made[0], "rest": "\n".join(made[1:]),
        }  # fmt: skip
        if skin["kind"] == "article":
            values |= {"posted": self.when(_TODAY)[0], "cost": self.price(chance.randrange(5, 900))}
            gold = {"gold_text": "\n".join(map(html.unescape, said) if said else map(plain, made))}
        direction = ' dir="rtl"' if self.language == "ar" else ""
        head = f"<head><meta charset=utf-8><title>{html.escape(title)}</title><style>{skin['css']}</style></head>"
        body = self.fill(skin["around"].replace("{records}", "\0"), values).replace("\0", values["records"])
        opened = f'<!DOCTYPE html>\n<html lang="{self.language}"{direction}>'
        return f"{opened}{head}<body>{body}</body></html>\n", gold | {"title": title}

    def _common(self, number: int, day: date) -> tuple[Values, str]:
        """Return what records and posts of all kinds have, and the date as ISO."""
        chance, odd = self.chance, number % 2
        self.ids += chance.randrange(1, 30)
        shown, iso = self.when(day)
        return {
            "id": str(self.ids), "uid": str(chance.randrange(10, 999)), "number": str(number + 1),
            "number0": str(number),
            "date": shown, "date0": self.when(day - timedelta(1))[0], "iso": day.isoformat(), "odd": f"row{2 - odd}",
            "bg": f"bg{1 + odd}",
            "wind": "windowbg2" if odd else "windowbg", "ab": "ab"[odd], "trn": f"tr{1 + odd}",
            "oddeven": ("even", "odd")[odd],
            "row": "odd" if odd else "", "grey": ("#dededf", "#eeeeee")[odd], "likes": str(chance.randrange(0, 90)),
            "reviews": str(chance.randrange(1, 400)), "views": str(chance.randrange(100, 90000)),
            "from": self.name_part().capitalize(),
            "n": "77", "weekday": self.words["week"].split()[day.weekday()], "day": str(day.day), "onsale": "",
        }, iso  # fmt: skip

    def _posts(self, title: str) -> tuple[list[str], dict[str, Any]]:
        skin, chance = self.skin, self.chance
        cards = {
            one: {
                "count": str(chance.randrange(1, 4000)), "rank": chance.choice(self.words["ranks"].split("|")),
                "joined": self.when(_FIRST + timedelta(chance.randrange(300)))[0] if chance.random() < 0.8 else "",
                "from": self.name_part().capitalize() if chance.random() < 0.5 else "", "initial": one[:1].upper(),
                "sig": self.sentence() if chance.random() < 0.6 and "{sig}" in skin["record"] else "",
            } for one in self.people
        }  # fmt: skip
        day = _FIRST + timedelta(300 + chance.randrange((_TODAY - _FIRST).days - 400))
        made, posts, depth = list[str](), list[dict[str, Any]](), 0
        for number in range(chance.randrange(2, 15)):
            day += timedelta(chance.randrange(0, 4))
            who = self.people[0] if number == 0 else chance.choice(self.people)
            said = [self.prose(1, 4) for _ in range(chance.randrange(1, 4))]
            if number and chance.random() < 0.15:
                said = [self.phrase(1, 3)]
            text, quote = "".join(skin["para"].format(html.escape(one)) for one in said), ""
            if posts and chance.random() < 0.35:
                quote = self.sentence()
                name = html.escape(posts[-1]["author"])
                written = {
                    "said": html.escape(quote),
                    "whoname": name,
                    "who": self.words["wrote"].format(name),
                    "date0": self.when(day)[0],
                }
                text = self.fill(skin["quote"], written) + text
            values, iso = self._common(number, day)
            values |= cards[who]
            depth = 0 if number == 0 else chance.randrange(0 if number > 2 else min(number, 1), depth + 2)
            depth = min(depth, 6) if "step" in skin else 0
            values |= {
                "author": html.escape(who), "text": text, "re": html.escape(title if number == 0 else f"Re: {title}"),
                "depth": str(depth),
                "pad": str(depth * skin.get("step", 0)), "hash": f"{self.words['reply']} #{number} " if number else "",
                "sig": html.escape(values["sig"]),
                "other": html.escape(self.phrase()) if skin["kind"] == "article" else "",
            }  # fmt: skip
            made.append(self.fill(skin["record"], values).replace("\\n", "\n"))
            posts.append({
                "text": plain(text), "author": who, "date": values["date"], "iso": iso, "number": number + 1,
                "depth": depth,
                "quote": quote if "{said}" in skin["quote"] else "", "signature": html.unescape(values["sig"]),
            })  # fmt: skip
        return made, {"posts": posts, "gold_text": "\n".join(post["text"] for post in posts)}

    def _records(self) -> tuple[list[str], dict[str, Any]]:
        skin, chance = self.skin, self.chance
        made, records = list[str](), list[dict[str, Any]]()
        shown = [name for name in _FIELDS if f"{{{name}" in skin["record"].replace("{titlebold", "{title")]
        stars = self.words["stars"]
        for number in range(chance.randrange(5, 25)):
            values, iso = self._common(number, _TODAY - timedelta(chance.randrange(1, 400)))
            amount = round(chance.choice((9, 40, 300, 4000)) * (0.5 + chance.random()), self.money[4])
            price, title = self.price(amount), self.phrase(2, 5)
            bold = re.sub(r"(\S+)$", r"<b>\1</b>", html.escape(title), count=1) if number % 2 else html.escape(title)
            score = f"{chance.randrange(20, 50) / 10}"
            digits = re.sub(r"[^\d.,]", "", price).strip(".,") if self.money[3] == "." else ""
            whole, _, part = digits.partition(".")
            kinds = {"symbol": self.money[0].split("{")[0], "whole": f"{whole}.", "fraction": part or "00"}
            parts = "".join(f'<span class="a-price-{kind}">{text}</span>' for kind, text in kinds.items())
            parts = f'<span class="a-offscreen">{price}</span><span aria-hidden="true">{parts}</span>'
            values |= {
                "title": html.escape(title), "titlebold": bold, "link": f"/{self.name}/{values['id']}-{number}",
                "image": f"/img/{values['id']}.jpg",
                "price": html.escape(price), "amount": str(amount), "amountshown": price.strip("¥￥"), "sign": price[0],
                "score": score,
                "partprice": parts if digits else html.escape(price),
                "old": html.escape(self.price(amount * 1.25)) if "old" in shown and chance.random() < 0.4 else "",
                "author": html.escape(self.person()), "rating": stars.format(score) if chance.random() < 0.7 else "",
                "description": self.prose(1, 3),
                "minutes": f"{chance.randrange(1, 59)}:{chance.randrange(60):02}",
                "host": f"{self.of('large').encode().hex()[:8]}.example",
                "slug": str(number), "portrait": f"/p/{number}.jpg", "other": html.escape(self.phrase()),
                "starter2": html.escape(self.person()),
            }  # fmt: skip
            values["onsale"] = " price--on-sale" if values["old"] else ""
            made.append(self.fill(skin["record"], values))
            own = {name: html.unescape(values[name]) for name in shown if values[name]}
            if "sign" in skin.get("prices", "") or "{partprice}" in skin["record"]:
                own["price"] = price
            if "price" in own:
                own |= {"amount": str(amount), "currency": str(self.money[1])}
            if skin.get("index"):
                own = {name: own[name] for name in ("title", "link", "description") if name in own}
            records.append(own | ({"iso": iso} if iso and "date" in own else {}))
        lines = [[one[name] for name in ("title", "price", "description") if name in one] for one in records]
        return made, {"records": records, "gold_text": "\n".join("\n".join(some) for some in lines)}


def pages(split: str, count: int, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """Return pages of the skins of a split ("" for all) with their gold."""
    made = []
    for place, (name, skin) in enumerate(SKINS.items()):
        languages = skin.get("langs", list(WORDS))
        for number in range(count if split in ("", skin["split"]) else 0):
            language = languages[(place * 3 + number * 7 + seed) % len(languages)]
            maker = Maker(name, language, f"{seed} {name} {number}")
            markup, gold = maker.page()
            address = ("view", "t", "p", "show.php?t=", "topic")[number % 5]
            about = {
                "id": f"{name}-{seed}-{number}", "domain": f"{name}.example",
                "url": f"https://{name}.example/{address}/{maker.ids}", "split": skin["split"], "kind": skin["kind"],
                "lang": language, "skin": name, "exact": True, "licence": "MIT",
            }  # fmt: skip
            made.append((markup, about | gold))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--split", choices=("train", "dev", ""), default="")
    parser.add_argument("--pages", type=int, default=3, help="of each skin")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    made = pages(given.split, given.pages, given.seed)
    (given.out / "pages").mkdir(parents=True, exist_ok=True)
    for markup, gold in made:
        (given.out / "pages" / f"{gold['id']}.html").write_text(markup, encoding="utf-8")
    lines = (json.dumps(gold, ensure_ascii=False) for _, gold in made)
    (given.out / "gold.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(made)} pages in {given.out}")


if __name__ == "__main__":
    main()
