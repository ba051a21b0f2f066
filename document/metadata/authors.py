"""Names of authors in bylines."""

from __future__ import annotations

import re
from itertools import takewhile

from ...lexicon.phrases import BY, alternatives

#: What an author has done, before "by".
_DONE = (
    "written|posted|published|story|words|text|article|review|submitted|asked|started|created|contributed|uploaded"
    "|shared|reported|recipe"
)
#: The start of a byline, before the name, in languages of the web.
_BY = re.compile(
    rf"^\W*(?:(?:{_DONE})\s+)?"
    rf"(?:{alternatives(BY)}|przez|autore?s?|autor(?:es|a)?|auteurs?|author|автор|текст|(?:文章|本文)?作者|文|撰文|記者|记者|글|投稿者|著者)"
    r"(?:\s*[:：/]\s*|\s+(?=\S)|(?<=[作文记記글著])[者]?\s*[:：]?\s*)",
    re.IGNORECASE,
)
#: The same in a line, at its start or behind a mark ("May 3, 2021 · by Ada Leaf · 4 min").
_BY_LINE = re.compile(
    rf"(?:^\W*|[-–—|·•,»]\s*|\d\s+)(?:(?P<done>{_DONE})\s+)?"
    rf"(?:{alternatives(BY)}|(?:author|autore?|auteur|verfasser)(?=:)|автор|(?:文章|本文)?作者|撰文)(?:\s*[:：]\s*|\s+|(?<=[者文]))"
    r"@?(?P<name>[^\W\d_][^|·•–—@»]{1,60}?)\s*(?:$|[|·•–—,(»]|\s-\s|\b(?:on|at|am|le|el|in|dans)\b|(?=\d{1,4}[ ./-]))",
    re.IGNORECASE,
)
#: Start of a date, which often follows a name; or of a day of the week.
_DATE = re.compile(
    r"\s*[,·|»-]?\s*\b(?:on|at)\s+(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b.*$"
    r"|\s*[,·|»-]?\s*(?:\b(?:on|am|le|el)\s+)?(?:\b\d{1,2}\.?\s+[^\W\d_]{3,14}\.?,?\s+(?:19|20)\d\d|\b[^\W\d_]{3,14}\.?\s+\d{1,2},?\s+(?:19|20)\d\d"
    r"|(?:19|20)\d\d[-/.年]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d).*$",
    re.DOTALL | re.IGNORECASE,
)
#: Separators of names; a comma only between two names.
_BETWEEN = re.compile(r"\s*(?:;|\s[|/&·•]\s|、|，|\s(?:and|und|et|y|e|en|och|og|и)\s|,\s(?=\S+\s\S))\s*")
#: Degrees and certificates behind a name.
_DEGREES = re.compile(
    r"(?:,\s*(?:[MB]\.?(?:A|S|Sc|BA|D|Ed|PH)\.?|Ph\.?\s?D\.?|MPH|RDN?|RN|LDN|CHN|CPA|CFA|CFP|M\.?D\.?|J\.?D\.?|Esq\.?)(?=\s*(?:[,;&]|$)))+"
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|^\W*$|^(?:admin(?:istrator)?|author|unknown|anonymous|none|null|undefined|staff|editor|guest"
    r"|authors?|by|home|about|no author|discuz!?(?: team)?|comsenz.*)$",
    re.IGNORECASE,
)
NAME_CHARACTERS = 80
#: Most words and characters of the name of a person in visible text.
PERSON_WORDS, PERSON_CHARACTERS = 5, 40
#: Words in lower case within names.
_PARTICLES = frozenset(
    "a af al ap av bar ben bin bint d da das de degli dei del della den der des di do dos du e el et i ibn ij la las le"
    " los mac na nic o of op 't ten ter und van ven vom von y zu zum zur af".split()
)
#: Words of labels, buttons and sentences: a text with one of them is no name.
_NO_PERSON = frozenset(
    "about account ad add admin advertisement advertising affiliate all also alle an and anonymous answer answers any"
    " are article articles articolo as ask at author authors autor autore autoren back be blog browse but buy by cart"
    " categories category check click comment comments commentaires community con cons contact content continue"
    " cookie cookies copyright create credit credits date description details die discussion discussions download edit"
    " editor editorial editors email everyone facebook faq featured file files find follow followers for forum free"
    " from full gallery get guest guide hello help here home how if image images in info instagram introduction is it"
    " join kommentar kommentare last latest learn leave like likes link links linkedin list live log login logout mail"
    " main manufacturer member members menu message messages min minute minutes more my name new news newsletter next"
    " no not of offer on online open or order our page pages photo photos pinterest please popular post posted posts"
    " premium press previous price privacy product products profile profiles pros published question questions quick"
    " rate rating read recent recipe recipes redaktion register related replies reply report review reviewed reviewer"
    " reviews rights rss search see sell send settings share shipping shop show sign signup site sitemap skip sort"
    " source sources staff start statistics subscribe submit subscriber subscribers summary support tag tags team"
    " terms thanks that the these this thread threads tip tips to today top topic topics translate tweet twitter und"
    " unknown update updated updates upload user users video videos view views visit vote votes was watch we webmaster"
    " website welcome what when where which who why widget wiki wikipedia will wishlist with work write writer youtube"
    " you your zur".split()
)
#: Words of offices that sign texts.
_OFFICES = frozenset(
    "staff team editors editorial editor newsroom desk office board redazione redaktion redactie redacción redacao"
    " redação rédaction redakcja redakce redaksjonen редакция редакції webmaster admin администрация".split()
)
#: What follows a name in brackets, and elided particles before one.
_BEHIND, _ELIDED = re.compile(r"\s*[(\[（].*$", re.DOTALL), re.compile(r"^(?:d|l|o)['’]", re.IGNORECASE)
_MARKS = re.compile(r"[?!:;…<>{}\[\]()=+#%$€£*\\\"“”„«»|]|\.\s*$(?<!\b\w\.)(?<!Jr\.)(?<!Sr\.)|\.\w+\.|/")


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a declared author or byline.

    >>> names_in("By Ada Lovelace and Charles Babbage")
    ('Ada Lovelace', 'Charles Babbage')
    >>> names_in("https://example.org/ada")
    ()
    """
    text = _DEGREES.sub("", _DATE.sub("", _BY.sub("", text.strip(), count=1)))
    names = [_once(name.strip(" ,;:|·•-–—\u200b")) for name in _BETWEEN.split(text)]
    return tuple(dict.fromkeys(name for name in names if _is_name(name)))


def _once(name: str) -> str:
    """Return a name that was written twice, for a portrait and for readers, once."""
    words = name.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half > 1 and words[:half] == words[half:] else name


def persons_in(text: str, *, single: bool = False) -> tuple[str, ...]:
    """Return the names of persons in a visible text that is only a byline, else none.

    A single word is a name only with ``single``, or after a word like "by".

    >>> persons_in("Ada Lovelace"), persons_in("Ask Question"), persons_in("by zaxter"), persons_in("CONS")
    (('Ada Lovelace',), (), ('zaxter',), ())
    """
    announced = _BY.match(text.strip()) is not None
    names = names_in(_BEHIND.sub("", text))
    # Offices and departments follow the names.
    return tuple(takewhile(lambda name: is_person(name, single=single or announced), names))


def is_person(name: str, *, single: bool = True) -> bool:
    """Return whether a text can be the name of a person, or with ``single`` the one word that a user calls himself.

    Names have few words, with capitals if their script has them, and none of labels and sentences.
    """
    parts = name.split()
    if len(name) > PERSON_CHARACTERS or len(parts) > PERSON_WORDS or _MARKS.search(name) or not _is_name(name):
        return False
    if {part.casefold().strip(".,'’") for part in parts} & (_NO_PERSON - _PARTICLES):
        return False
    if len(parts) == 1:
        # Scripts without spaces write names as one word.
        return single or (not name.isascii() and name == name.upper() == name.lower())
    cased = [part for part in parts if part.casefold() not in _PARTICLES]
    capitals = [_ELIDED.sub("", part)[:1] for part in cased]
    return bool(cased) and all(first == first.upper() and not first.isdigit() for first in capitals)


def is_office(name: str, site: str) -> bool:
    """Return whether a name is that of an office of the site: "Food Republic Staff", "Redazione ANSA".

    >>> is_office("Gull Staff", "The Gull"), is_office("Ada Gull", "The Gull"), is_office("Staff", "The Gull")
    (True, False, True)
    """
    own = {part.casefold() for part in re.findall(r"\w+", name)}
    offices = own & _OFFICES
    rest = own - offices - set(re.findall(r"\w+", site.casefold()))
    return bool(offices) and not rest


def named_in_line(line: str) -> tuple[str, ...]:
    """Return the names in a line of text if it is a byline, else none."""
    match = _BY_LINE.search(line)
    if not match or len(match["name"].split()) > 6:
        return ()
    # A sentence may start with the same word; names have capitals, if their script has them.
    names = names_in(match["name"])
    capital = all(name[0].isalpha() and name[0].upper() == name[0] for name in names)
    user = match["done"] is not None and not any(" " in name for name in names)
    return names if (capital or user) and all(map(is_person, names)) else ()


def _is_name(name: str) -> bool:
    return 2 <= len(name) <= NAME_CHARACTERS and not _NO_NAME.search(name) and any(map(str.isalpha, name))
