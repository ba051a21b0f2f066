"""The numbers of the items of an ordered list, as a browser draws them."""

from __future__ import annotations

from string import ascii_lowercase

from lxml import etree

Element = etree._Element

#: Values of ``type`` of lists with letters or Roman numbers.
KINDS = ("a", "A", "i", "I")
#: The digits 0 to 9 in signs of one, five and ten, and these signs of ones, tens, hundreds and thousands.
_ROMAN_DIGITS, _ROMAN_SIGNS = " a aa aaa ab b ba baa baaa ac".split(" "), ("ivx", "xlc", "cdm", "m")


#: The first number whose Roman digits have lines above them.
_FIRST_OVERLINED = 4000


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
    if kind.lower() not in KINDS or not 0 < number < _FIRST_OVERLINED:
        return str(number)
    written = ""
    if kind in "aA":
        while number:
            number, letter = divmod(number - 1, len(ascii_lowercase))
            written = ascii_lowercase[letter] + written
    else:
        for digit, signs in zip(reversed(str(number)), _ROMAN_SIGNS, strict=False):
            written = _ROMAN_DIGITS[int(digit)].translate(str.maketrans("abc"[: len(signs)], signs)) + written
    return written.upper() if kind.isupper() else written
