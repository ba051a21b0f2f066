"""Other extraction programs as systems: imported when used; most are in the extra ``research``.

Each gets the page's HTML and returns text, which is aligned with the page's text leaves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from ...errors import PageFailed, PeerMissing
from ...features.rows import rows_of
from ...lexicon.words import count_unspaced, words
from ...page.arrays import Marks
from ...page.page import Page
from ...page.parse import parse
from ...page.to_html import to_html
from ...segment.blocks import text_blocks
from ..system import Card, SystemMetadata, card_of, system_tables
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
#: Languages without spaces, for which jusText has no stop list; if no language is declared, the script decides.
_UNSPACED = ("zh", "ja", "th", "lo", "km")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another program as a system."""

    card: Card
    #: The name of the module, and its requirement for pip.
    module: str
    package: str
    read_text: Callable[[Any, str, Page], str]  # from the imported module, the HTML and the page to the text
    #: The same for title, authors and date, if supported.
    read_metadata: Callable[[Any, str, Page], SystemMetadata] | None = None

    @property
    def installed(self) -> bool:
        """Whether its top-level module can be found."""
        return find_spec(self.module.partition(".")[0]) is not None

    def text(self, page: Page, html: str | None = None) -> str:
        """Return the text that the program extracts, by default from the page as HTML, else from its own ``html``.

        Raises PeerMissing if it is not installed, PageFailed if it fails.
        """
        return self._run(self.read_text, page, html)

    def metadata(self, page: Page) -> SystemMetadata | None:
        """Return the program's title, authors and date, None if not supported; errors as :meth:`text`."""
        return None if self.read_metadata is None else self._run(self.read_metadata, page)

    def _run(self, function: Callable[[Any, str, Page], T], page: Page, html: str | None = None) -> T:
        try:
            with warnings.catch_warnings():
                # Some warn about optional dependencies that are not needed here.
                warnings.simplefilter("ignore")
                module = import_module(self.module)
        except ImportError as error:
            raise PeerMissing(self.card.name, self.package) from error
        try:
            return function(module, to_html(page) if html is None else html, page)
        except Exception as error:
            # Any error of another program concerns only this page.
            raise PageFailed(page.url, f"{self.card.name} failed: {error!r}") from error

    def mark(self, page: Page) -> Marks:
        """Mark the leaves that its text was extracted from; errors as :meth:`text`."""
        text = self.text(page)
        return marks_of_text(page, text) if text.strip() else np.zeros(len(page.leaves), dtype=bool)


def _trafilatura(module: Any, html: str, _: Page, **options: bool) -> str:
    return str(module.extract(html, include_comments=False, **options) or "")


def _trafilatura_metadata(module: Any, html: str, page: Page) -> SystemMetadata:
    result = module.bare_extraction(html, url=_address(page), with_metadata=True)
    if result is None:
        return SystemMetadata()
    authors = tuple(name.strip() for name in (result.author or "").split(";") if name.strip())
    return SystemMetadata(title=result.title or "", authors=authors, date=result.date or "")


def _address(page: Page) -> str | None:
    return page.url if page.url.startswith("http") else None


def _readability(module: Any, html: str, _: Page) -> str:
    return html_text(module.Document(html).summary(html_partial=True))


def _readability_metadata(module: Any, html: str, _: Page) -> SystemMetadata:
    return SystemMetadata(title=str(module.Document(html).short_title()))


def _markdownify(module: Any, html: str, _: Page) -> str:
    return str(module.markdownify(html))


def _resiliparse(module: Any, html: str, _: Page) -> str:
    return str(module.extract_plain_text(html, main_content=True))


def _justext(module: Any, html: str, page: Page) -> str:
    """Use the stop list of the page's language, and none for languages without spaces."""
    language = page.language.lower()[:2]
    characters = sum(map(len, page.leaf_texts))
    if language in _UNSPACED or 2 * sum(map(count_unspaced, page.leaf_texts)) > characters:
        paragraphs = module.justext(html, frozenset(), stopwords_low=0.0, stopwords_high=0.0)
    else:
        paragraphs = module.justext(html, _stop_list(module, page, language))
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def _stop_list(module: Any, page: Page, language: str) -> frozenset[str]:
    """Return the stop list of the declared language, else the one with most of the page's words."""
    if language in STOP_LISTS:
        return frozenset(module.get_stoplist(STOP_LISTS[language]))
    page_words = words(" ".join(page.leaf_texts))
    return max(_stop_lists(module), key=lambda listed: sum(word in listed for word in page_words))


@cache
def _stop_lists(module: Any) -> tuple[frozenset[str], ...]:
    names = sorted(set(STOP_LISTS.values()), key=lambda name: (name != "English", name))
    return tuple(frozenset(module.get_stoplist(name)) for name in names)


def _boilerpy(extractor: str, module: Any, html: str, _: Page) -> str:
    return str(getattr(module, extractor)(raise_on_failure=False).get_content(html))


def _newspaper(module: Any, html: str, page: Page) -> str:
    return str(_newspaper_article(module, html, page).text)


def _newspaper_metadata(module: Any, html: str, page: Page) -> SystemMetadata:
    article = _newspaper_article(module, html, page)
    date = article.publish_date
    day = date.date().isoformat() if hasattr(date, "date") else str(date or "")
    return SystemMetadata(title=article.title or "", authors=tuple(article.authors or ()), date=day)


def _newspaper_article(module: Any, html: str, page: Page) -> Any:
    # By default it downloads the images of the page.
    article = module.Article(_address(page) or "http://page.invalid/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    return article


def _magic_html(module: Any, html: str, page: Page) -> str:
    return html_text(module.GeneralExtractor().extract(html, base_url=page.url)["html"])


def html_text(html: str) -> str:
    """Return the text of an answer that is HTML, written as the text of our own documents."""
    if not html.strip():
        return ""
    page = parse(html)
    rows = rows_of(page, text_blocks(page))
    breaks = np.cumsum(page.has_tag("br"))[page.leaves]
    texts = [""] * len(rows)
    for leaf, row in enumerate(rows.leaf_row.tolist()):
        if row >= 0:
            space = " " if leaf and breaks[leaf] > breaks[leaf - 1] else ""
            texts[row] += space + page.leaf_texts[leaf]
    return "\n".join(" ".join(text.split()) for text in texts)


def _peer(
    name: str,
    read_text: Callable[[Any, str, Page], str],
    read_metadata: Callable[[Any, str, Page], SystemMetadata] | None = None,
) -> Peer:
    table = system_tables()[name]
    return Peer(
        card=card_of(name),
        module=table["module"],
        package=table["package"],
        read_text=read_text,
        read_metadata=read_metadata,
    )


PEERS: tuple[Peer, ...] = (
    _peer("trafilatura", _trafilatura, _trafilatura_metadata),
    _peer("trafilatura-fast", partial(_trafilatura, fast=True)),
    _peer("trafilatura-precision", partial(_trafilatura, favor_precision=True)),
    _peer("trafilatura-recall", partial(_trafilatura, favor_recall=True)),
    _peer("readability-lxml", _readability, _readability_metadata),
    _peer("resiliparse", _resiliparse),
    _peer("justext", _justext),
    _peer("boilerpy3", partial(_boilerpy, "DefaultExtractor")),
    _peer("boilerpy3-article", partial(_boilerpy, "ArticleExtractor")),
    _peer("newspaper4k", _newspaper, _newspaper_metadata),
    _peer("magic-html", _magic_html),
    _peer("markdownify", _markdownify),
)
