"""Clean markup to Markdown: markdownify, with what CommonMark and GitHub's tables want done differently."""

from __future__ import annotations

# ruff: noqa: ARG002  (markdownify passes every rule the same three arguments)
import re
from collections import Counter
from typing import Any

from markdownify import BACKSLASH, MarkdownConverter

_CELL_END = "\x1f"  # no page text holds it: control characters are dropped before

_BLOCKS = frozenset("h1 h2 h3 h4 h5 h6 p li ul ol dl dt dd table thead tbody tfoot tr td th caption".split())
_BLOCKS |= {"pre", "blockquote", "figure", "figcaption", "hr"}
_ESCAPES = (
    (re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)"), r"\\\\"),
    (re.compile(r"`|(?<!\s)\*|\*(?!\s)"), r"\\\g<0>"),
    (re.compile(r"(?<![^\W_])_+|_+(?![^\W_])"), lambda found: r"\_" * len(found[0])),
    (re.compile(r"~~"), r"\~~"),
    (re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[])"), r"\\\g<0>"),
)
#: What would begin a heading, a list, a quote, a rule or a definition at the start of a line.
_LINE_START = re.compile(r"\A(?=(?:#{1,6}|[-+*])(?:\s|$)|>|[-=]{2,}\s*$|~~~|\[[^\]]*\]:|:\s)")
_NUMBER_START = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
_FENCE = re.compile(r"`{3,}")
#: Marks at the ends of emphasised text; next to a letter outside they keep CommonMark from seeing the emphasis.
_MARKS_FIRST, _MARKS_LAST = re.compile(r"\A(?:\\?[^\w\s\\])+"), re.compile(r"(?:\\?[^\w\s\\])+\Z")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")


def to_markdown(html: str) -> str:
    """Turn clean markup into Markdown, "" or ending with a newline.

    Parameters
    ----------
    html : str
        As :func:`~blocksight.classify.document.clean_markup.clean_markup` builds it: few tags, no deep nesting. Empty
        elements are closed (``<br/>``): the parser behind markdownify searches a list of those that are not.
    """
    converter = _Converter(
        heading_style="atx",
        bullets="-",
        newline_style=BACKSLASH,
        strip_pre=None,
        sub_symbol="<sub>",
        sup_symbol="<sup>",
        code_language_callback=_language,
    )
    text = converter.convert(html)
    lines = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    return f"{lines}\n" if lines else ""


def _language(pre: Any) -> str:
    code = pre.find("code")
    classes = code.get("class", []) if code else []
    return classes[0].removeprefix("language-") if classes else ""


class _Converter(MarkdownConverter):
    """The rules of markdownify that are replaced."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._items: Counter[int] = Counter()

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Escape only what would be read as markup."""
        for pattern, replacement in _ESCAPES:
            text = pattern.sub(replacement, text)
        return _BRACKET.sub(r"\\\g<0>", text) if "a" in parent_tags else text

    def process_text(self, el: Any, parent_tags: set[str] | None = None) -> str:
        """Escape also what means something at the start of a line only."""
        text: str = super().process_text(el, parent_tags=parent_tags)  # type: ignore[misc]
        if not text or {"_noformat", "_inline"} & (parent_tags or set()) or not _begins_line(el):
            return text
        return _NUMBER_START.sub(r"\1\\", _LINE_START.sub(r"\\", text))

    def convert_a(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write a link whose address holds no bracket or space."""
        el["href"] = _address(el["href"])
        result: str = super().convert_a(el, text, parent_tags)  # type: ignore[misc]
        return result

    def convert_b(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write bold text; marks that would keep it from being seen as such stand outside of it."""
        return text if "_noformat" in parent_tags else _emphasised(el, text, "**")

    convert_strong = convert_b

    def convert_em(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write emphasised text, as bold text."""
        return text if "_noformat" in parent_tags else _emphasised(el, text, "*")

    convert_i = convert_em

    def convert_li(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write an item, its further lines indented by the width of its bullet."""
        text = text.strip()
        parent = el.parent
        bullet = "- "
        if parent.name == "ol":
            bullet = f"{int(parent.get('start', 1)) + self._items[id(parent)]}. "
            self._items[id(parent)] += 1
        return _indented(text, bullet) + "\n"

    def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Fence code with more backticks than stand in it."""
        longest = max((len(run) for run in _FENCE.findall(text)), default=2)
        fence = "`" * (longest + 1)
        return f"\n\n{fence}{_language(el)}\n{text}\n{fence}\n\n"

    def convert_q(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write the quotation marks that a browser would generate, unless the text brings its own."""
        return text if text[:1] in "\"'“„«‚‘" else f'"{text}"'

    def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write a cell; the table is put together when it ends."""
        return " ".join(text.split()).replace("|", "\\|") + _CELL_END

    convert_th = convert_td

    def convert_tr(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write a row on a line."""
        return text.replace("\n", " ") + "\n"

    def convert_table(self, el: Any, text: str, parent_tags: set[str]) -> str:
        """Write a table with the header that Markdown asks for, empty where there is none."""
        lines = text.strip("\n").split("\n")
        caption = [line for line in lines if _CELL_END not in line and line]
        rows = _grid(el, [line.split(_CELL_END)[:-1] for line in lines if _CELL_END in line])
        first = el.find("tr")
        if first.parent.name != "thead" and any(cell.name == "td" for cell in first.find_all(["td", "th"])):
            rows.insert(0, [""] * len(rows[0]))
        rows.insert(1, ["---"] * len(rows[0]))
        table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
        return "\n\n" + "\n\n".join([*caption, table]) + "\n\n"


def _grid(table: Any, rows: list[list[str]]) -> list[list[str]]:
    """Return rows of equal length in which spans are filled with empty cells."""
    below: Counter[int] = Counter()
    grid = []
    most = max(len(row) for row in rows)  # a span over more columns than there are cells means "all the rest"
    for tags, texts in zip(table.find_all("tr"), rows, strict=True):
        line: list[str] = []
        for cell, text in zip(tags.find_all(["td", "th"]), texts, strict=True):
            _skip_spanned(line, below)
            width, height = min(int(cell.get("colspan", 1)), most), int(cell.get("rowspan", 1))
            for column in range(len(line), len(line) + width):
                below[column] = max(height - 1, 0)
            line.extend([text, *[""] * (width - 1)])
        _skip_spanned(line, below)
        grid.append(line)
    widest = max(len(line) for line in grid)
    return [line + [""] * (widest - len(line)) for line in grid]


def _skip_spanned(line: list[str], below: Counter[int]) -> None:
    while below[len(line)] > 0:
        below[len(line)] -= 1
        line.append("")


def _indented(text: str, bullet: str) -> str:
    lines = text.split("\n")
    return bullet + "\n".join([lines[0], *(" " * len(bullet) + line if line else "" for line in lines[1:])])


def _emphasised(el: Any, text: str, sign: str) -> str:
    inner, before, after = text.strip(), "", ""
    if isinstance(el.previous_sibling, str) and el.previous_sibling[-1:].isalnum() and isinstance(el.contents[0], str):
        marks = _MARKS_FIRST.search(inner)
        before, inner = (marks[0], inner[marks.end() :]) if marks else ("", inner)
    if isinstance(el.next_sibling, str) and el.next_sibling[:1].isalnum() and isinstance(el.contents[-1], str):
        marks = _MARKS_LAST.search(inner)
        after, inner = (marks[0], inner[: marks.start()]) if marks else ("", inner)
    return f"{before}{sign}{inner}{sign}{after}" if inner else before + after


def _begins_line(el: Any) -> bool:
    while el.previous_sibling is None and el.parent is not None and el.parent.name not in _BLOCKS:
        el = el.parent
    before = el.previous_sibling
    return before is None or before.name == "br" or before.name in _BLOCKS


def _address(href: str) -> str:
    for character, code in ((" ", "%20"), ("(", "%28"), (")", "%29"), ("<", "%3C"), (">", "%3E")):
        href = href.replace(character, code)
    return href
