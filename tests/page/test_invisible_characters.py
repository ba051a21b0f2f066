"""Characters that are not visible, and those that change what is visible."""

import pytest
from blocksight.page.invisible_characters import is_blank, strip_invisible

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "do as I say")


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        "می\u200cخواهم کتاب\u200cها",
        "क\u200dष",
        "👨\u200d👩\u200d👧 and ❤\ufe0f and ❤\ufe0f\u200d🔥",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "1\ufe0f\u20e3",
        "葛\U000e0100城市",
        "⠠⠃⠗\u2800⠇",
        "a\ufffdb\ufffc",
        "no-break\u00a0space and thin\u2009one",
    ],
)
def test_strip_invisible_keeps_shaping(text):
    assert strip_invisible(text) == text
    assert not is_blank(text)


@pytest.mark.parametrize(
    "hidden",
    [
        TAGS,
        "\u200b\u200c\u200b\u200d",
        "\u2062\u2063\u2064\u2061",
        "\u3164\uffa0\u115f\u1160",
        "\u2800\u2800",
        "\u00ad\u00ad",
        "\ufeff\u2060",
        "\u200e\u200f\u202e\u202c\u2066\u2069",
        "\ufe00\ufe0f\U000e0100\U000e01ef",
        "\u180b\u180e",
        "\ufff9\ufffa\ufffb",
        "\u206a\u206f",
    ],
)
def test_strip_invisible(hidden):
    assert strip_invisible(f"one{hidden}two") == "onetwo"
    assert strip_invisible(f"{hidden}one{hidden}") == "one"
    assert (
        strip_invisible("".join(letter + mark for letter, mark in zip("carrier letters", hidden, strict=False)))
        in ("carrier letters"[: len(hidden)])
    )
    assert is_blank(f" {hidden}\n{hidden}")


def test_strip_invisible_after_emoji():
    message = "".join(chr(0xE0100 + number) for number in range(16))
    assert strip_invisible(f"😀\ufe0f{message} is drawn") == "😀\ufe0f is drawn"
    assert strip_invisible(f"🏴{TAGS}") == "🏴"


def test_strip_invisible_keeps_only_flags_that_are_drawn():
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "hello") + "\U000e007f"
    assert strip_invisible(f"\U0001f3f4{tags} flies") == "\U0001f3f4 flies"


def test_strip_invisible_removes_controls():
    assert strip_invisible("one\u0081\u009ftwo") == "onetwo"
