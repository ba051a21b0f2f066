"""Patterns of by-lines and of lines that look like them: English, some German, French, Polish, Russian, Chinese."""

from __future__ import annotations

import re

from .phrases import BY, alternatives

#: Addresses, copyright, and calls to action.
BOILERPLATE_LINE = re.compile(
    r"https?:|©|\(c\)|copyright|版权|rights reserved|powered by|subscribe|abonni|more (?:from|by|stories|posts)"
    r"|facebook|on twitter|\bview\b|read more|updates from|all (?:posts|articles)|^\W*about\b|^\W*try\b"
    r"|newsletter|[>›]|。$|:\W*$|^[\w-]+(?:\.[\w-]+)+$",
    re.IGNORECASE,
)
#: Words at the end or start of lines in elements named like bylines that contain no name.
NO_NAME = re.compile(
    r"\b(?:e-?mail|print|music|editors?|share|comments?|follow|more|read|about|subscribe|authors?|ago|categor\w*|news"
    r"|tags?|posts?|blog|view|reply|member|messages?|joined|location|updated?|minutes?|min)\s*:?\W*$"
    r"|^\W*(?:about|more|read|view|follow|subscribe|share)\b",
    re.IGNORECASE,
)
BY_ANYWHERE = re.compile(
    rf"(?:^|\W)(?:{alternatives(BY)}|przez|autore?|author|auteur|text|words|written|автор|текст)\b"
    r"|作者|撰文|記者|记者|文[|｜／/:：]|기자|투고",
    re.IGNORECASE,
)
#: The same at the start of a line, with more text after it.
BY_NAME = re.compile(
    r"^\W*(?:(?:posted|written|published|text|words|story|photos?)\s+)?"
    rf"(?:{alternatives(BY)}|autor\w*|author)\b\W*\S"
    r"|(?:作者|撰文|記者|记者|文[|｜／/:：]).*\w|\w\s*기자",
    re.IGNORECASE,
)
_WORD = r"(?:[^\W\d_a-z][\w.'’-]+|[A-Z]\.)"
NAME = re.compile(rf"^\W*{_WORD}(?:[\s,]+(?:(?:de|van|von|der|la|di|del|and|und|y|et|&)\s+)*{_WORD}){{1,5}}\W*$")
STARTS_WITH_DATE = re.compile(r"\W*(?:19|20)\d\d[-/.年]")
#: Words of bylines and dates that are not part of a name.
OTHER_WORDS = re.compile(
    r"\b(?:by|von|par|por|di|av|door|written|posted|published|updated|in|on|at|und|and|et|y|the|am|um|le|el)\b"
    r"|作者|撰文|記者|记者|编辑|来源|[\d\W_]+",
    re.IGNORECASE,
)
