"""Other programs for the same job, under their own names: installed with ``pip install 'blocksight[research]'``.

Each is given the page's HTML and answers with text, which is then found again in the page, so that it can be compared
leaf by leaf. They are imported when they are used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np
from lxml import etree

from ...errors import PageFailed, PeerMissing
from ...lexicon.words import count_unspaced, words
from ...page.arrays import Marks
from ...page.page import Page
from ...page.to_html import to_html
from ..system import Card, Stated
from .text_system import marks_of_text

T = TypeVar("T")

#: Names of jusText's stop lists by language.
STOP_LISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "ta": "Tamil", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip
#: Languages that jusText has no stop list for, as they are written without spaces; else the letters tell.
_UNSPACED = ("zh", "ja", "th", "lo", "km")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another program as a system.

    Attributes
    ----------
    card : Card
    module : str
        What is imported.
    package : str
        What pip installs.
    read : callable
        Takes the imported module and the page, gives the text.
    write, state : callable or None
        The same for Markdown, and for title, authors and date, where the program gives them.
    """

    card: Card
    module: str
    package: str
    read: Callable[[Any, Page], str]
    write: Callable[[Any, Page], str] | None = None
    state: Callable[[Any, Page], Stated] | None = None

    @property
    def installed(self) -> bool:
        """Whether it can be imported here, as far as can be told without doing so."""
        return find_spec(self.module.partition(".")[0]) is not None

    def text(self, page: Page) -> str:
        """Return the text that the program finds on a page.

        Raises
        ------
        PeerMissing
            When it is not installed.
        PageFailed
            When it fails on the page.
        """
        return self._asked(self.read, page)

    def markdown(self, page: Page) -> str | None:
        """Return the Markdown that the program writes, None where it writes none; errors as :meth:`text`."""
        return None if self.write is None else self._asked(self.write, page)

    def stated(self, page: Page) -> Stated | None:
        """Return what the program says of a page, None where it does not look for it; errors as :meth:`text`."""
        return None if self.state is None else self._asked(self.state, page)

    def _asked(self, ask: Callable[[Any, Page], T], page: Page) -> T:
        try:
            with warnings.catch_warnings():
                # Some complain of extras of theirs that are not needed here.
                warnings.simplefilter("ignore")
                module = import_module(self.module)
        except ImportError as error:
            raise PeerMissing(self.card.name, self.package) from error
        try:
            return ask(module, page)
        except Exception as error:
            # Whatever a stranger's program raises is about this one page.
            raise PageFailed(page.url, f"{self.card.name} failed: {error!r}") from error

    def mark(self, page: Page) -> Marks:
        """Mark the leaves that its text was taken from; see :meth:`text` for the errors."""
        text = self.text(page)
        return marks_of_text(page, text) if text.strip() else np.zeros(len(page.leaves), dtype=bool)


def _trafilatura(module: Any, page: Page) -> str:
    return str(module.extract(to_html(page), include_comments=False) or "")


def _trafilatura_precision(module: Any, page: Page) -> str:
    return str(module.extract(to_html(page), include_comments=False, favor_precision=True) or "")


def _trafilatura_recall(module: Any, page: Page) -> str:
    return str(module.extract(to_html(page), include_comments=False, favor_recall=True) or "")


def _trafilatura_markdown(module: Any, page: Page) -> str:
    asked = {"output_format": "markdown", "with_metadata": True, "include_images": True, "include_links": True}
    return str(module.extract(to_html(page), url=_address(page), include_comments=False, **asked) or "")


def _trafilatura_states(module: Any, page: Page) -> Stated:
    found = module.bare_extraction(to_html(page), url=_address(page), with_metadata=True)
    if found is None:
        return Stated()
    authors = tuple(name.strip() for name in (found.author or "").split(";") if name.strip())
    return Stated(title=found.title or "", authors=authors, date=found.date or "")


def _address(page: Page) -> str | None:
    return page.url if page.url.startswith("http") else None


def _readability(module: Any, page: Page) -> str:
    return _text_of(module.Document(to_html(page)).summary(html_partial=True))


def _readability_markdown(module: Any, page: Page) -> str:
    return _as_markdown(module.Document(to_html(page)).summary(html_partial=True))


def _readability_states(module: Any, page: Page) -> Stated:
    return Stated(title=str(module.Document(to_html(page)).short_title()))


def _as_markdown(html: str) -> str:
    try:
        markdownify = import_module("markdownify")
    except ImportError as error:
        raise PeerMissing("markdownify", "markdownify>=1") from error
    return str(markdownify.markdownify(html))


def _markdownify_markdown(module: Any, page: Page) -> str:
    return str(module.markdownify(to_html(page)))


def _resiliparse(module: Any, page: Page) -> str:
    return str(module.extract_plain_text(to_html(page), main_content=True))


def _justext(module: Any, page: Page) -> str:
    """By the stop list of the page's language, and without one where there is none for it."""
    language = page.language.lower()[:2]
    written = sum(map(len, page.leaf_texts))
    if language in _UNSPACED or 2 * sum(map(count_unspaced, page.leaf_texts)) > written:
        found = module.justext(to_html(page), frozenset(), stopwords_low=0.0, stopwords_high=0.0)
    else:
        found = module.justext(to_html(page), _stop_list(module, page, language))
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def _stop_list(module: Any, page: Page, language: str) -> frozenset[str]:
    """Return the stop list of the declared language; where none is declared, the one with most of the page's words."""
    if language in STOP_LISTS:
        return frozenset(module.get_stoplist(STOP_LISTS[language]))
    said = words(" ".join(page.leaf_texts))
    lists = _stop_lists(module)
    return max(lists, key=lambda listed: sum(word in listed for word in said))


@cache
def _stop_lists(module: Any) -> tuple[frozenset[str], ...]:
    """All stop lists, English first."""
    names = sorted(set(STOP_LISTS.values()), key=lambda name: (name != "English", name))
    return tuple(frozenset(module.get_stoplist(name)) for name in names)


def _boilerpy(module: Any, page: Page) -> str:
    return str(module.DefaultExtractor(raise_on_failure=False).get_content(to_html(page)))


def _boilerpy_article(module: Any, page: Page) -> str:
    return str(module.ArticleExtractor(raise_on_failure=False).get_content(to_html(page)))


def _newspaper(module: Any, page: Page) -> str:
    return str(_newspaper_article(module, page).text)


def _newspaper_states(module: Any, page: Page) -> Stated:
    article = _newspaper_article(module, page)
    date = article.publish_date
    day = date.date().isoformat() if hasattr(date, "date") else str(date or "")
    return Stated(title=article.title or "", authors=tuple(article.authors or ()), date=day)


def _newspaper_article(module: Any, page: Page) -> Any:
    # It would load the pictures of the page.
    article = module.Article(page.url if page.url.startswith("http") else "http://page.invalid/", fetch_images=False)
    article.download(input_html=to_html(page))
    article.parse()
    return article


def _magic_html(module: Any, page: Page) -> str:
    return _text_of(module.GeneralExtractor().extract(to_html(page), base_url=page.url)["html"])


def _text_of(html: str) -> str:
    """Return all text of a piece of HTML."""
    root = etree.fromstring(html, etree.HTMLParser()) if html.strip() else None
    return "" if root is None else " ".join(map(str, root.itertext("*")))


def _peer(
    name: str,
    title: str,
    paper: str,
    year: int,
    module: str,
    package: str,
    read: Callable[[Any, Page], str],
    write: Callable[[Any, Page], str] | None = None,
    state: Callable[[Any, Page], Stated] | None = None,
) -> Peer:
    card = Card(name=name, title=title, paper=paper, year=year, visual=False, trained=False)
    return Peer(card=card, module=module, package=package, read=read, write=write, state=state)


_TRAFILATURA = ("Barbaresi: Trafilatura (ACL)", 2021, "trafilatura", "trafilatura>=2.0")
_BOILERPY = (
    "Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features (WSDM)",
    2010,
    "boilerpy3.extractors",
    "boilerpy3>=1.0.7",
)

PEERS: tuple[Peer, ...] = (
    _peer(
        "trafilatura", "trafilatura, as it comes, without comments", *_TRAFILATURA, _trafilatura,
        _trafilatura_markdown, _trafilatura_states,
    ),
    _peer("trafilatura-precision", "trafilatura, favouring precision", *_TRAFILATURA, _trafilatura_precision),
    _peer("trafilatura-recall", "trafilatura, favouring recall", *_TRAFILATURA, _trafilatura_recall),
    _peer(
        "readability-lxml", "Arc90's Readability for Python", "readability-lxml, after Arc90", 2009,
        "readability", "readability-lxml>=0.9", _readability, _readability_markdown, _readability_states,
    ),
    _peer(
        "resiliparse", "Resiliparse's main content by rules", "Bevendorff et al.: Resiliparse (ECIR)", 2018,
        "resiliparse.extract.html2text", "resiliparse>=2.0", _resiliparse,
    ),
    _peer(
        "justext", "jusText, by stop words and neighbours", "Pomikálek: Removing Boilerplate (thesis, Brno)", 2011,
        "justext", "justext>=3.0.2", _justext,
    ),
    _peer("boilerpy3", "boilerpipe's default extractor", *_BOILERPY, _boilerpy),
    _peer("boilerpy3-article", "boilerpipe's article extractor", *_BOILERPY, _boilerpy_article),
    _peer(
        "newspaper4k", "newspaper's article text", "newspaper4k, after Ou-Yang's newspaper", 2013,
        "newspaper", "newspaper4k>=0.9.6", _newspaper, None, _newspaper_states,
    ),
    _peer(
        "magic-html", "magic-html's article text", "magic-html, OpenDataLab", 2024,
        "magic_html", "magic-html>=0.1.8", _magic_html,
    ),
    _peer(
        "markdownify", "the whole page as Markdown", "markdownify, Matthew Dapena-Tretter", 2012,
        "markdownify", "markdownify>=1", _markdownify_markdown, _markdownify_markdown,
    ),
)  # fmt: skip
