"""The numbers of the items of an ordered list, as a browser draws them."""

from __future__ import annotations

from lxml import etree

Element = etree._Element

#: Values of ``type`` of lists with letters or Roman numbers.
KINDS = ("a", "A", "i", "I")
_ROMAN = tuple(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
                   "m cm d cd c xc l xl x ix v iv i".split(), strict=True))  # fmt: skip


class ListNumbers:
    """Counts the items of a list in clean HTML; ``gaps`` is the number of items that do not follow the one before."""

    def __init__(self, element: Element) -> None:
        self.ordered, self.kind = element.tag == "ol", element.get("type", "")
        self.step = -1 if element.get("reversed") else 1
        self.last, self.gaps = int(element.get("start", "1")) - self.step, 0

    def next(self, item: Element) -> str:
        """Return the number of the next item, "" in a list without numbers."""
        value = item.get("value")
        self.gaps += value is not None or self.step < 0
        self.last = self.last + self.step if value is None else int(value)
        return _drawn(self.last, self.kind) if self.ordered else ""

    def marker(self, item: Element) -> str:
        """Return the Markdown before the next item.

        A list with another sign behind its numbers is a new one, which begins with its own number; letters and negative
        numbers are text.
        """
        number = self.next(item)
        if not number.isdecimal():
            return f"- {number}. " if number else "- "
        return f"{number}{')' if self.gaps % 2 else '.'} "


def _drawn(number: int, kind: str) -> str:
    """Return a number as a browser draws it: zero, negative and large ones are always decimal."""
    if kind.lower() not in KINDS or not 0 < number < 4000:
        return str(number)
    written = ""
    if kind in "aA":
        while number:
            number, letter = divmod(number - 1, 26)
            written = chr(ord("a") + letter) + written
    else:
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            written += letters * count
    return written.upper() if kind.isupper() else written
