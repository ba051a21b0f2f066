"""Put clutter with known roles into the pages of a corpus of whole sites, and write them as another corpus.

    python tests/generators/clutter.py CORPUS OUT [--sites FILE] [--pages N] [--seed N]

CORPUS is a folder with ``gold.jsonl`` and ``sites/`` that was built from its gold texts. OUT gets the files of the
sites (hard links if possible) and copies of the chosen pages with advertisements, consent bars, comments, related
cards, sticky videos, newsletter forms, paywalls, by-lines, dates, standfirsts and captions, in many designs. Each has
an attribute ``data-role``, which is a label (:func:`blocksight.gold.role_votes.label_roles`) and in no feature column.
All text is generated; class names are meaningful on half of the pages only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from blocksight.gold.split import read_sites
from blocksight.lexicon.words import words
from lxml import html

Element = Any
#: Words of each language: things, places, names, and sentences with placeholders for them.
LANGUAGES: dict[str, dict[str, list[str]]] = json.loads(
    Path(__file__).with_name("clutter_words.json").read_text(encoding="utf-8")
)
LABELS = "advert sign accept settings comments related reply subscribe share playing more by photo minutes".split()
MONTHS = "January February March April May June July August September October November December".split()
#: Usual class names of the parts; on half of the pages, class names are numbers.
USUAL = {
    "advert": "ad-slot", "consent": "cookie-banner", "comments": "comments-area", "comment": "comment-body",
    "related": "related-posts", "card": "card", "video": "sticky-player", "letter": "newsletter-box", "wall": "paywall",
    "share": "share-buttons", "byline": "byline", "date": "published", "deck": "standfirst", "figure": "media",
    "caption": "caption", "note": "editors-note", "inline": "read-more",
}  # fmt: skip


class Design:
    """The style and the words of the clutter of one page, which are consistent on the page."""

    def __init__(self, language: str, seed: str) -> None:
        self.chance = random.Random(seed)
        self.words = LANGUAGES[language]
        self.language = language
        pick = self.chance.choice
        self.usual = self.chance.random() < 0.5
        self.semantic = self.chance.random() < 0.5
        self.colour = f"hsl({self.chance.randrange(360)},{pick((15, 45, 70))}%,{pick((35, 45, 55))}%)"
        self.pale = f"hsl({self.chance.randrange(360)},25%,{pick((93, 96, 98))}%)"
        self.grey = pick(("#555", "#777", "#8a8a8a", "#666"))
        self.small = pick((11, 12, 13, 14))
        self.radius = pick((0, 0, 4, 8, 16))
        self.gap = pick((8, 12, 20, 28))
        self.columns = pick((2, 3, 4))
        self.font = pick(("inherit", "inherit", "Georgia,serif", "Arial,sans-serif"))

    # -- words ------------------------------------------------------------------------------------------------------

    def say(self, kind: str) -> str:
        """Return a sentence of a kind, with its placeholders filled."""
        return self.fill(self.chance.choice(self.words[kind]))

    def label(self, kind: str) -> str:
        """Return the label of a button or a box."""
        return self.fill(self.words["label"][LABELS.index(kind)])

    def fill(self, text: str) -> str:
        """Fill things, places and names into a sentence."""
        return text.format(**{kind: self.chance.choice(self.words[kind]) for kind in ("thing", "place", "name")})

    def name(self) -> str:
        return self.chance.choice(self.words["name"])

    def day(self) -> str:
        """Return a date in a format of the language."""
        year, month, day = self.chance.randrange(2008, 2026), self.chance.randrange(1, 13), self.chance.randrange(1, 29)
        plain = f"{year}-{month:02}-{day:02}"
        if self.language == "zh":
            return self.chance.choice((f"{year}年{month}月{day}日", plain))
        if self.language == "de":
            return f"{day}.{month}.{year}"
        word = MONTHS[month - 1]
        return self.chance.choice((f"{word} {day}, {year}", f"{day} {word[:3]} {year}", plain))

    # -- elements ---------------------------------------------------------------------------------------------------

    def box(self, inside: str, *, part: str = "", role: str = "", tag: str = "div", style: str = "") -> str:
        """Return an element; its class is a number if the class names of the page are meaningless."""
        named = USUAL.get(part, "") if self.usual else f"b{sum(map(ord, part)) % 97}"
        said = {"class": named if part else "", "data-role": role, "style": style}
        written = "".join(f' {name}="{value}"' for name, value in said.items() if value)
        return f"<{tag}{written}>{inside}</{tag}>"

    def tag(self, meant: str, plain: str = "div") -> str:
        """Return a semantic element name or a plain one."""
        return meant if self.semantic else plain

    def picture(self, width: int, height: int) -> str:
        fill = self.colour.replace("%", "%25")
        size = f"width='{width}' height='{height}'"
        svg = f"%3Csvg xmlns='http://www.w3.org/2000/svg' {size}%3E%3Crect {size} fill='{fill}'/%3E%3C/svg%3E"
        return f'<img alt="" src="data:image/svg+xml,{svg}" {size} style="max-width:100%">'

    def button(self, label: str) -> str:
        style = f"background:{self.colour};color:#fff;border:0;padding:8px 16px;border-radius:{self.radius}px"
        return self.box(self.label(label), tag="button", style=style)


# -- pieces: HTML with the role of each part --------------------------------------------------------------------------


def advert(d: Design) -> str:
    size = d.chance.choice(("width:300px;height:250px", "width:100%;height:90px", "width:336px;min-height:140px"))
    style = f"{size};background:{d.pale};border:1px solid #ddd;margin:{d.gap}px auto;padding:8px;overflow:hidden"
    label = d.box(d.label("advert"), style=f"font-size:10px;color:{d.grey}")
    claim = d.box(d.say("advert"), style=f"font-size:{d.small + 4}px;color:{d.colour};font-weight:700")
    return d.box(label + claim, part="advert", role="promotion", style=style)


def consent(d: Design) -> str:
    """Return a bar or a window that asks for consent."""
    places = ("left:0;right:0;bottom:0", "right:20px;bottom:20px;width:360px", "left:20%;right:20%;top:30%")
    style = f"position:fixed;{d.chance.choice(places)};background:#fff;border:1px solid #bbb;padding:16px;z-index:9999"
    inside = f"<p>{d.say('consent')}</p>{d.button('accept')} {d.box(d.label('settings'), tag='button')}"
    return d.box(inside, part="consent", role="notice", style=f"{style};font-size:{d.small}px")


def comment(d: Design, *, reply: bool) -> str:
    """Return one comment with its author and date."""
    face = f"float:left;width:40px;height:40px;border-radius:50%;background:{d.colour};margin-right:10px"
    pale = f"display:block;color:{d.grey};font-size:{d.small - 1}px"
    text = " ".join(d.say("sentence") for _ in range(d.chance.randrange(1, 5)))
    inside = d.box("", tag="span", style=face) + d.box(d.name(), tag="b", role="author", style="display:block")
    inside += d.box(d.day(), tag=d.tag("time", "span"), role="date", style=pale)
    inside += d.box(text, tag="p", part="comment", role="comment")
    inside += d.box(d.label("reply"), role="other", style=pale)
    left = 48 if reply else 0
    return d.box(inside, style=f"margin:{d.gap}px 0 {d.gap}px {left}px;font-size:{d.small + 1}px")


def comments(d: Design) -> str:
    """Return a list of comments, some of them answers, and a form."""
    count = d.chance.randrange(2, 9)
    inside = d.box(f"{d.label('comments')} ({count})", tag="h3", role="other")
    inside += "".join(comment(d, reply=number > 0 and d.chance.random() < 0.3) for number in range(count))
    form = f"<textarea></textarea><p><label>E-Mail</label> {d.button('sign')}</p>"
    inside += d.box(form, tag="form", role="form")
    return d.box(inside, tag=d.tag("section"), part="comments", style="margin-top:40px")


def card(d: Design, width: int) -> str:
    inside = d.picture(220, 124)
    inside += f'<a href="/x">{d.box(d.say("teaser"), style=f"font-weight:700;font-size:{d.small + 3}px")}</a>'
    if d.chance.random() < 0.4:
        inside += d.box(d.say("summary"), tag="p", style=f"color:{d.grey};font-size:{d.small}px")
    if d.chance.random() < 0.5:
        inside += d.box(d.day(), style=f"color:{d.grey};font-size:{d.small - 1}px")
    style = f"display:inline-block;vertical-align:top;width:{width}%;padding:{d.gap / 2}px;box-sizing:border-box"
    return d.box(inside, part="card", style=style)


def related(d: Design) -> str:
    """Return teasers of other texts as cards, or as a list."""
    head = d.box(d.label("related"), tag="h3", style=f"border-top:3px solid {d.colour}")
    if d.chance.random() < 0.6:
        inside = "".join(card(d, 100 // d.columns) for _ in range(d.columns * d.chance.choice((1, 2))))
    else:
        lines = (f'<li><a href="/x">{d.say("teaser")}</a></li>' for _ in range(d.chance.randrange(3, 7)))
        inside = f"<ul>{''.join(lines)}</ul>"
    return d.box(head + inside, part="related", role="related", style=f"margin:{d.gap}px 0;font-family:{d.font}")


def inline(d: Design) -> str:
    inside = f'<b>{d.label("more")}</b> <a href="/x">{d.say("teaser")}</a>'
    style = f"border-left:4px solid {d.colour};padding-left:10px"
    return d.box(inside, tag="p", part="inline", role="related", style=style)


def video(d: Design) -> str:
    """Return a video that stays in a corner of the window."""
    style = "position:fixed;right:16px;bottom:16px;width:320px;background:#000;color:#fff;z-index:99"
    said = d.box(f"{d.label('playing')}: {d.say('teaser')}", style=f"font-size:{d.small}px;padding:6px")
    return d.box(
        d.box("", style=f"height:160px;background:{d.colour}") + said, part="video", role="promotion", style=style
    )


def letter(d: Design) -> str:
    head = d.box(d.label("subscribe"), style=f"font-size:{d.small + 6}px;font-weight:700")
    inside = f'{head}<p>{d.say("call")}</p><input placeholder="name@example.org"> {d.button("sign")}'
    style = f"background:{d.pale};border-radius:{d.radius}px;padding:20px;margin:{d.gap}px 0"
    return d.box(inside, part="letter", role="promotion", style=style)


def wall(d: Design) -> str:
    inside = d.box(d.say("wall"), style=f"font-size:{d.small + 8}px") + d.button("subscribe")
    style = f"border:2px solid {d.colour};padding:24px;text-align:center;margin:{d.gap}px 0"
    return d.box(inside, part="wall", role="notice", style=style)


def share(d: Design) -> str:
    names = ("Facebook", "X", "WhatsApp", "E-Mail")
    links = "".join(f'<a href="#s" style="margin-right:10px">{name}</a>' for name in names)
    style = f"font-size:{d.small}px"
    return d.box(f"{d.label('share')}: {links}", part="share", role="promotion", style=style)


def figure(d: Design) -> str:
    """Return a picture with its caption and sometimes its credit on a separate line."""
    said, credit = d.say("caption"), d.label("photo")
    pale = f"color:{d.grey};font-size:{d.small}px"
    if d.chance.random() < 0.3:
        lines = d.box(said, part="caption", role="caption", style=pale) + d.box(credit, role="caption", style=pale)
    else:
        lines = d.box(f"{said} {credit}", part="caption", role="caption", style=pale)
    inside = d.picture(640, 320) + d.box(lines, tag=d.tag("figcaption"))
    return d.box(inside, tag=d.tag("figure"), part="figure", style=f"margin:{d.gap}px 0")


def head_lines(d: Design) -> str:
    """Return some of standfirst, by-line and date, in one of several orders."""
    weight = d.chance.choice((300, 400, 600))
    large = f"font-size:{d.small + 6}px;line-height:1.4;margin:8px 0;font-weight:{weight}"
    small = f"font-size:{d.small}px"
    written = d.label("by") if d.chance.random() < 0.7 else d.name()
    day = d.box(d.day(), tag=d.tag("time", "span"), part="date")
    parts = [
        (d.box(d.say("summary"), part="deck", role="standfirst", style=large), 0.6),
        (d.box(written, part="byline", role="author", style=small), 0.8),
        (d.box(day, role="date", style=f"{small};color:{d.grey}"), 0.8),
    ]
    chosen = [part for part, odds in parts if d.chance.random() < odds]
    if d.chance.random() < 0.3:
        d.chance.shuffle(chosen)
    return "".join(chosen)


def note(d: Design) -> str:
    """Return a correction, or a note of an agency."""
    return d.box(d.say("note"), tag="p", part="note", role="note", style=f"font-size:{d.small}px;font-style:italic")


Piece = Callable[[Design], str]
#: Pieces by position, with their probability.
BEFORE: Sequence[tuple[Piece, float]] = ((head_lines, 0.85), (share, 0.35), (figure, 0.35))
BETWEEN: Sequence[tuple[Piece, float]] = ((advert, 0.5), (inline, 0.5), (letter, 0.3), (figure, 0.35), (related, 0.15))
AFTER: Sequence[tuple[Piece, float]] = (
    (wall, 0.25), (note, 0.25), (share, 0.3), (letter, 0.3), (related, 0.7), (comments, 0.55), (advert, 0.3)
)  # fmt: skip
OUTSIDE: Sequence[tuple[Piece, float]] = ((consent, 0.6), (video, 0.3), (advert, 0.3))


# -- pages ------------------------------------------------------------------------------------------------------------


def cluttered(source: str, gold: str, design: Design) -> str | None:
    """Return a page with clutter; None if its text is not in one element."""
    tree: Element = html.document_fromstring(source)
    body = tree.find("body")
    home = _home(body, set(words(gold))) if body is not None else None
    if home is None:
        return None
    chance = design.chance
    blocks = [child for child in home if isinstance(child.tag, str) and len(words(child.text_content())) > 15]
    if not blocks:
        return None
    first, last = blocks[0], [child for child in home if isinstance(child.tag, str)][-1]
    for block in blocks[1:]:
        if chance.random() < 0.35:
            _put(
                block.addprevious,
                (chance.choice([piece for piece, odds in BETWEEN if chance.random() < odds] or [inline]),),
                design,
            )
    _put(first.addprevious, _chosen(BEFORE, chance), design)
    _put_after(last, _chosen(AFTER, chance), design)
    _put(body[0].addprevious, _chosen(OUTSIDE, chance), design)
    return f"<!DOCTYPE html>\n{html.tostring(tree, encoding='unicode')}"


#: Elements that hold text, and no other parts of a page.
_PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 pre blockquote ul ol dl table figure".split())


def _home(body: Element, gold: set[str]) -> Element | None:
    """Return the smallest element around paragraphs that contains nearly all words of the gold."""
    home = body
    while True:
        inner = next((child for child in home if isinstance(child.tag, str) and _holds(child, gold)), None)
        # A short text is a single paragraph: the clutter is next to it, not in it.
        if inner is None or inner.tag in _PARAGRAPHS:
            return home if home is not body else None
        home = inner


def _holds(element: Element, gold: set[str]) -> bool:
    return len(gold & set(words(element.text_content()))) >= 0.97 * len(gold)


def _chosen(pieces: Sequence[tuple[Piece, float]], chance: random.Random) -> list[Piece]:
    return [piece for piece, odds in pieces if chance.random() < odds]


def _put(put: Callable[[Any], object], pieces: Sequence[Piece], design: Design) -> None:
    for piece in pieces:
        for element in html.fragments_fromstring(piece(design)):
            put(element)


def _put_after(last: Element, pieces: Sequence[Piece], design: Design) -> None:
    place = last
    for piece in pieces:
        for element in html.fragments_fromstring(piece(design)):
            place.addnext(element)
            place = element


def pages(corpus: Path, sites: dict[str, str], count: int, seed: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield entries of a corpus and the page with clutter, by site in turn, without pages that scripts build."""
    entries = [json.loads(line) for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines() if line]
    by_site: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        site = entry["path"].split("/")[1]
        if not entry.get("js_only") and entry.get("lang") in LANGUAGES and sites.get(site, "train") == "train":
            by_site.setdefault(site, []).append(entry)
    for turn in range(100):
        for own in by_site.values():
            entry = own[(7 * turn + seed) % len(own)]
            made = f"{entry['id']}-clutter-{turn}"
            page = cluttered(
                (corpus / entry["path"]).read_text(encoding="utf-8"),
                entry["gold_text"],
                Design(entry["lang"], f"{seed} {made}"),
            )
            if page is not None:
                yield _entry(entry, made), page
                count -= 1
            if count <= 0:
                return


def _entry(entry: dict[str, Any], made: str) -> dict[str, Any]:
    path = str(Path(entry["path"]).with_name(f"{made}.html"))
    return entry | {"id": made, "path": path, "url_path": f"/{path}", "split": "train"}


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sites", type=Path, help="split of each site: site<TAB>split a line; only train is taken")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for folder in (one for one in given.corpus.iterdir() if one.is_dir()):
        shutil.copytree(folder, given.out / folder.name, copy_function=_link)
    sites = read_sites(given.sites) if given.sites else {}
    lines = []
    for entry, page in pages(given.corpus, sites, given.pages, given.seed):
        (given.out / entry["path"]).write_text(page, encoding="utf-8")
        lines.append(json.dumps(entry, ensure_ascii=False))
    (given.out / "gold.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} pages in {given.out}")


if __name__ == "__main__":
    main()
