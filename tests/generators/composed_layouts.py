"""Pages composed at random from common parts, each part with the name of the block that a person would see.

The rules are those of fixtures/layouts: a bar, a hero, a form, an article with all that is in it, a list or table or
conversation with its title, a framed card, a teaser with a picture, and a column of a large footer are one block each.
"""

import random
from collections.abc import Callable

WORDS = (
    "harbour ferry tide quay lantern rope market bakery orchard bridge tram river valley mill garden lighthouse storm "
    "museum library bench engine pump wire roof stone glass paper winter spring morning evening neighbour teacher "
    "baker farmer sailor quiet narrow early open heavy broken useful common green slow repair measure carry lend"
).split()
PICTURE = (
    "<img src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='8' height='8'%3E%3Crect width='8'"
    " height='8' fill='%23{color}'/%3E%3C/svg%3E\" width={width} height={height} alt=''>"
)


class Composer:
    """Parts of one page in one style."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.blocks = 0
        self.gap = self.random.choice((12, 16, 24, 32, 48))
        self.pad = self.random.choice((10, 16, 24))
        self.semantic = self.random.random() < 0.5
        self.size = self.random.choice((13, 14, 15, 16, 16, 18))
        self.frame = self.random.choice(("border:1px solid #ccc", "background:#f3f3f0", "box-shadow:0 1px 4px #999"))

    def block(self, tag: str, style: str, content: str) -> str:
        """Return an element that is one block."""
        self.blocks += 1
        return f'<{self.tag(tag)} data-block="b{self.blocks}" style="{style}">{content}</{self.tag(tag)}>'

    def tag(self, name: str) -> str:
        """Return a tag, or div on pages without semantic ones."""
        return name if self.semantic or name in ("ul", "table", "form") else "div"

    def some(self, least: int, most: int) -> range:
        """Return a range of random length."""
        return range(self.random.randint(least, most))

    def words(self, least: int, most: int) -> str:
        """Return a phrase."""
        return " ".join(self.random.choice(WORDS) for _ in self.some(least, most)).capitalize()

    def sentences(self, least: int, most: int) -> str:
        """Return sentences."""
        return " ".join(self.words(6, 18) + "." for _ in self.some(least, most))

    def links(self, least: int, most: int, separator: str = " ") -> str:
        """Return links in a row."""
        return separator.join(f'<a href="#">{self.words(1, 2)}</a>' for _ in self.some(least, most))

    def picture(self, width: int, height: int) -> str:
        """Return a picture of one colour."""
        return PICTURE.format(color=self.random.choice(("8aa", "a86", "68a", "595")), width=width, height=height)

    def bar(self) -> str:
        """Return a header with a name and links, a search field or a button."""
        grounds = ("", "background:#123;color:#fff;", "border-bottom:1px solid #ccc;", "background:#eef;")
        ground = self.random.choice(grounds)
        more = self.random.choice(("", "<input placeholder=Search>", "<button>Log in</button>"))
        apart = self.random.choice(("space-between", "flex-start"))
        inner = f"<b style='font-size:1.3em'>{self.words(1, 2)}</b><span>{self.links(3, 7, ' &nbsp; ')}</span>{more}"
        style = f"{ground}display:flex;gap:24px;justify-content:{apart};padding:{self.pad}px {self.pad * 2}px"
        return self.block("header", style, inner)

    def hero(self) -> str:
        """Return a large heading with a sentence and a button."""
        ground = self.random.choice(("", "background:#246;color:#fff;", "background:#f6efe0;"))
        button = self.random.choice(("", "<p><button>Start</button></p>"))
        style = f"{ground}padding:{self.gap * 2}px;text-align:{self.random.choice(('center', 'left'))}"
        title = f"<h1 style='font-size:2.4em'>{self.words(3, 7)}</h1>"
        return self.block("section", style, f"{title}<p>{self.sentences(1, 2)}</p>{button}")

    def article(self) -> str:
        """Return an article with headings, and now and then a picture, a list, code or a quotation."""
        parts = [f"<h1>{self.words(3, 8)}</h1>"]
        if self.random.random() < 0.6:
            parts.append(f"<p style='color:#777;font-size:.85em'>By {self.words(2, 2)}, 4 May</p>")
        for _ in self.some(1, 5):
            if self.random.random() < 0.6:
                parts.append(f"<h2>{self.words(1, 4)}</h2>")
            parts += [f"<p>{self.sentences(2, 6)}</p>" for _ in self.some(1, 4)]
            parts.append(self.random.choice(self.insets())())
        return self.block("article", "", "".join(parts))

    def insets(self) -> tuple[Callable[[], str], ...]:
        """Return the makers of what may be inside an article."""
        quote = "<blockquote style='border-left:4px solid #999;padding-left:16px'>"
        return (
            str,
            lambda: self.picture(480, self.random.choice((160, 280))),
            lambda: "<ul>" + "".join(f"<li>{self.words(3, 12)}</li>" for _ in self.some(3, 6)) + "</ul>",
            lambda: f"<pre style='background:#eee;padding:12px'>{self.words(3, 6)}\n{self.words(2, 5)}</pre>",
            lambda: f"{quote}{self.sentences(1, 2)}</blockquote>",
        )

    def cards(self) -> str:
        """Return framed cards, or teasers with pictures, in a grid or below each other; each is a block."""
        wide = self.random.choice((1, 2, 3, 3, 4))
        framed = self.random.random() < 0.65
        pictured = not framed or self.random.random() < 0.4
        in_row = wide == 1 and pictured
        style = f"{self.frame};padding:{self.pad}px" if framed else ""
        made = []
        for _ in self.some(2 if wide == 1 else wide, 9):
            picture = self.picture(180 if in_row else 220, 120) if pictured else ""
            more = self.random.choice(("", self.links(1, 1)))
            text = f"<h3>{self.words(2, 6)}</h3><p>{self.sentences(1, 2)}</p>{more}"
            inner = f"<div style='display:flex;gap:16px'>{picture}<div>{text}</div></div>" if in_row else picture + text
            made.append(self.block("article", style, inner))
        tracks = f"display:grid;grid-template-columns:repeat({wide},1fr);gap:{self.gap}px"
        return f"<div style='{tracks}'>{''.join(made)}</div>"

    def listing(self) -> str:
        """Return a list of links or short entries with its title, or a table, as one block."""
        title = f"<h2>{self.words(1, 3)}</h2>" if self.random.random() < 0.8 else ""
        space = self.random.choice((2, 6, 12))
        ruled = self.random.choice(("", "border-bottom:1px solid #ddd;"))
        kind = self.random.choice(("links", "entries", "table", "terms"))
        if kind == "links":
            rows = "".join(f"<li style='{ruled}padding:{space}px 0'>{self.links(1, 1)}</li>" for _ in self.some(4, 14))
            return self.block("section", "", f"{title}<ul>{rows}</ul>")
        if kind == "table":
            cell = f"<td style='{ruled}padding:{space}px 10px'>"
            rows = "".join("<tr>" + "".join(cell + self.words(1, 2) for _ in range(4)) for _ in self.some(4, 12))
            return self.block("section", "", f"{title}<table>{rows}</table>")
        row = f"<div style='{ruled}padding:{space}px 0'><a href='#'>"
        small = "</a><div style='color:#777;font-size:.85em'>"
        rows = "".join(f"{row}{self.words(2, 7)}{small}{self.words(2, 9)}</div></div>" for _ in self.some(4, 12))
        return self.block("section", "", f"{title}{rows}")

    def form(self) -> str:
        """Return a form with its title."""
        fields = "".join(f"<p><label>{self.words(1, 2)}<br><input size=30></label></p>" for _ in self.some(2, 5))
        style = self.random.choice(("", f"{self.frame};padding:{self.pad}px"))
        return self.block("form", style, f"<h2>{self.words(1, 3)}</h2>{fields}<button>Send</button>")

    def widget(self) -> str:
        """Return a part of a side column."""
        style = self.random.choice(("", f"{self.frame};padding:{self.pad}px"))
        rows = "".join(f"<li>{self.links(1, 1)}</li>" for _ in self.some(3, 8))
        contents = (f"<ul>{rows}</ul>", f"<p>{self.sentences(1, 2)}</p>", f"<p>{self.links(4, 12)}</p>")
        content = self.random.choice(contents)
        return self.block("section", style, f"<h3>{self.words(1, 2)}</h3>{content}")

    def footer(self) -> str:
        """Return a line of links, or columns of links above it."""
        ground = self.random.choice(("", "background:#222;color:#ccc;", "border-top:1px solid #ccc;"))
        line = self.block("div", "padding:12px 0;font-size:.85em", f"© {self.words(1, 2)} {self.links(2, 5, ' · ')}")
        columns = ""
        if self.random.random() < 0.4:
            made = []
            for _ in self.some(3, 5):
                links = "".join(f"<p>{self.links(1, 1)}</p>" for _ in self.some(3, 6))
                made.append(self.block("div", "", f"<b>{self.words(1, 1)}</b>{links}"))
            columns = f"<div style='display:flex;gap:{self.gap * 2}px'>{''.join(made)}</div>"
        tag = self.tag("footer")
        return f"<{tag} style='{ground}padding:{self.pad}px {self.pad * 2}px'>{columns}{line}</{tag}>"

    def main(self) -> str:
        """Return one to four main parts below each other."""
        makers = (self.article, self.cards, self.cards, self.listing, self.form)
        first = self.random.choice(makers)
        rest = [self.random.choice((self.cards, self.listing, self.form)) for _ in self.some(0, 3)]
        apart = f"<div style='height:{self.gap}px'></div>"
        return apart.join(make() for make in (first, *rest))

    def page(self) -> str:
        """Return the page."""
        space = f"height:{self.gap}px"
        parts = [self.bar()]
        if self.random.random() < 0.35:
            parts.append(self.hero())
        parts.append(f"<div style='{space}'></div>")
        side = self.random.choice((0, 0, 1, 1, 2))
        main, aside = self.tag("main"), self.tag("aside")
        columns = [f"<{main} style='flex:1;min-width:0'>{self.main()}</{main}>"]
        for number in range(side):
            inner = f"<div style='{space}'></div>".join(self.widget() for _ in self.some(1, 4))
            column = f"<{aside} style='width:{self.random.choice((180, 240, 300))}px'>{inner}</{aside}>"
            columns.insert(0 if number else len(columns), column)
        wide = self.random.choice((860, 1000, 1180))
        row = f"display:flex;gap:{self.gap}px;max-width:{wide}px;margin:0 auto"
        parts.append(f"<div style='{row}'>{''.join(columns)}</div>")
        parts.append(f"<div style='{space}'></div>{self.footer()}")
        font = self.random.choice(("sans-serif", "serif", "Helvetica,Arial,sans-serif"))
        height = self.random.choice((1.3, 1.5, 1.7))
        style = f"body{{margin:0;font:{self.size}px/{height} {font}}}ul{{padding-left:18px}}"
        head = f"<meta charset=utf-8><title>{self.words(1, 3)}</title><style>{style}</style>"
        return f"<!DOCTYPE html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>"


def composed(seed: int) -> str:
    """Return the page of a seed."""
    return Composer(seed).page()
