"""The extracted content of a page, serialised as text, Markdown, HTML or JSON on first access."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..classify.roles import LeafRoles, role_texts, title_text
from ..files.atomic import write_text
from ..page.arrays import Marks
from ..page.lazy import Lazy, Readable
from ..page.metadata.title import title_of
from ..page.overlays import Overlay, find_overlays
from ..page.page import Page
from ..page.urls import address_of, base_of
from .block_scores import BlockScore, BlockVerdict, ParagraphColumns, block_scores, paragraph_columns
from .content.content import Content, TextLink, content_of
from .content.parts.images import UNSEEN, Image
from .content.posts import PostLayout, post_layout
from .formats import format_named, format_of_file
from .headline import first_words
from .hidden_report import HiddenReport, hidden_report

if TYPE_CHECKING:
    from ..classify.model.reasons import LeafReasons
    from ..classify.verdict.verdict import Fact, Verdict
    from ..document.records.record_sets import PageRecords
    from ..page.metadata.metadata import Metadata
    from ..page.metadata.page_metadata import RawMetadata
    from ..records.decided_records import DecidedRecords
    from ..records.page_type import PageType
    from .chunks import Chunk
    from .content.markdown_elements import Spans
    from .difference import BlockChange
    from .excerpt import Excerpt
    from .explain import LeftOut, Region
    from .line_columns import Box
    from .quotations import QuoteCheck, SeenText
    from .records.record import Record, RecordSet


#: Version of the JSON form: a changed meaning of a key, or a key that goes, raises it.
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafPrediction:
    """Prediction of a system, besides the marks."""

    system: str = "blocksight"
    scores: NDArray[np.floating[Any]] | None = None  # (leaves,): probability of content
    reasons: NDArray[np.uint8] | None = None  # (leaves,): Hidden, to be reported for each block
    roles: LeafRoles | None = None  # metadata use the visible title, author and date if markup has none
    confidence: Lazy[float | None] | float | None = None  # expected F1 of the marks, 0 to 1
    against: Lazy[LeafReasons] | None = None  # what speaks most against each leaf
    records: Lazy[DecidedRecords] | None = None  # the decision about the records and the type of the page
    original: Page | None = None  # the page whose hidden text is reported, if that of the document shows all text


# Without slots: serialisations are cached in the instance.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Document:
    """The content of a page. Documents with the same content are equal.

    ``text``, ``markdown``, ``html``, ``blocks``, ``records`` and the metadata are computed on first access and cached;
    the page is held until then. A pickled document has them, without the page.

    Attributes
    ----------
    url, title, language : str
        "" if unknown. Title and language (BCP 47, ``en-US``) are computed on first access.
    system : str
        Name of the system that marked the content.
    partial : bool
        True if the page is not complete.
    partial_reason : str
        Why, in one line; "" for complete pages.
    base : str
        The URL that links are relative to: that of the page, or of a saved file its canonical one or the noted one.
    overlays : tuple of Overlay
        What covered the page: consent notices, dialogs, bars.
    confidence : float or None
        Expected F1 of the text, 0 to 1; a low value is a warning. None if the system has no probabilities.
    content : Content
        The paragraphs and the tree of clean HTML, from which every format is written.
    paragraph_columns : Lazy of ParagraphColumns
        Boxes, scores and roles of the paragraphs.
    declared : Lazy of RawMetadata
        The metadata of the page as declared.
    headline : bool
        Whether Markdown and HTML start with the title if no heading of the content has the same text.
    spans : str
        How Markdown has cells of a table that span columns or rows: "repeat" the text in each, leave the others
        "blank", or write the table as "html".
    verdicts : tuple of BlockVerdict or None
        All blocks of the page, if requested.
    found_records : Lazy of PageRecords, optional
        Records and type of the page.
    hidden : HiddenReport
        What a person does not see on the page, and why; computed on first access.
    judged : Lazy of Verdict, optional
    rest : Lazy of LeftOut, optional
        What was left out of the text.
    route : str
        How the page was opened and why, if that was to be decided: "raw HTML (...)" or "rendered (...)"; and whether
        ``markdown`` is that of the site.
    served : str
        The Markdown that the site offers in place of the page, if ``markdown`` is that; else "".
    """

    url: str
    title: Readable[str] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    language: Readable[str] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    system: str
    partial: bool
    partial_reason: str = ""
    base: str = ""
    overlays: tuple[Overlay, ...]
    confidence: Readable[float | None] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    content: Content
    paragraph_columns: Lazy[ParagraphColumns]
    declared: Lazy[RawMetadata]
    headline: bool = True
    spans: Spans = "blank"
    verdicts: tuple[BlockVerdict, ...] | None = None
    found_records: Lazy[PageRecords] | None = None
    hidden: Readable[HiddenReport] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    seen: Lazy[SeenText] | None = None
    judged: Lazy[Verdict] | None = None
    rest: Lazy[LeftOut] | None = None
    route: str = ""
    served: str = ""

    def written(self, form: str) -> str:
        """Return the document in one of :data:`~blocksight.document.formats.FORMATS`; ValueError for any other name."""
        return format_named(form).write(self)

    @cached_property
    def text(self) -> str:
        """Plain text: every character except white space is verbatim from the page, in its order.

        A blank line separates paragraphs, a newline items and rows, a tab cells. Only the markers of items ("- ",
        "1. "), check boxes, formulas (dollars) and footnotes (brackets) are added.
        """
        return self.written("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark with tables; as it is the Markdown that the site offers (``served``), if it says the same."""
        return self.written("markdown")

    @cached_property
    def html(self) -> str:
        """Clean HTML: headings, lists, tables, code, quotes, links and emphasis."""
        return self.written("html")

    @cached_property
    def blocks(self) -> tuple[BlockScore, ...]:
        """One block for each paragraph."""
        return block_scores(self.content, self.paragraph_columns.value)

    @property
    def all_blocks(self) -> tuple[BlockVerdict, ...]:
        """Every block of the page with its verdict; ValueError if they were not requested."""
        if self.verdicts is None:
            raise ValueError('all blocks are available if they were requested: extract(page, blocks="all")')
        return self.verdicts

    @property
    def records(self) -> tuple[RecordSet, ...]:
        """The record sets of the page, the main one first: posts, products, cards, rows, menus, with their fields."""
        return self.found_records.value.sets if self.found_records else ()

    @property
    def comments(self) -> tuple[Record, ...]:
        """Comments of readers; replies are in the ``records`` of the comment that they reply to."""
        return self.found_records.value.comments if self.found_records else ()

    @property
    def page_type(self) -> PageType | None:
        """The type of the page with its probability: article, thread, listing, product ...; None without a page."""
        return self.found_records.value.page_type if self.found_records else None

    @cached_property
    def metadata(self) -> Metadata:
        """Authors, dates and other metadata, each with its source."""
        from ..page.metadata.metadata import metadata_of

        return metadata_of(self.declared.value)

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures in the content in its order, also those left out as decoration, with the reason."""
        return self.content.images

    @property
    def links(self) -> tuple[TextLink, ...]:
        """The links of the text to other pages, in its order, with text and absolute URL."""
        return self.content.links

    @property
    def verdict(self) -> str:
        """What the page is: content, index, thin, shell, challenge, paywall or error.

        "" for a document that was not made from a page.
        """
        return self.judged.value.name if self.judged else ""

    @property
    def evidence(self) -> tuple[Fact, ...]:
        """The facts from which the verdict follows, each with its value and where it is."""
        return self.judged.value.evidence if self.judged else ()

    @property
    def dropped(self) -> tuple[Region, ...]:
        """The regions of visible text that are not in the document, with the main reason of each, in order."""
        return self.rest.value.regions if self.rest else ()

    @property
    def coverage(self) -> float | None:
        """Share of the visible words of the page that are in the text; None without a page."""
        return self.rest.value.coverage if self.rest else None

    def report(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "route": self.route or None,
            "verdict": self.verdict,
            "evidence": [fact.to_dict() for fact in self.evidence],
            "coverage": self.coverage,
            "dropped": [region.to_dict() for region in self.dropped],
        }

    # -- outputs besides the formats ---------------------------------------------------------------------------------

    def chunks(
        self,
        *,
        tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        timeout: float | None = None,
    ) -> tuple[Chunk, ...]:
        """Split the document at its headings into chunks of Markdown for a search index.

        A chunk never contains parts of two sections. A section that is too long is split between blocks, items of
        lists, lines, sentences or words, whichever is enough. Tables and code blocks stay whole, even if they are
        longer than the limit (``Chunk.size``).

        Parameters
        ----------
        tokens : int, optional
            Most tokens of a chunk's Markdown, by default 256: words, symbols, and characters of scripts without spaces
            (:func:`~blocksight.document.chunks.count_tokens`). A model's tokeniser usually counts some more.
        count : callable, optional
            A model's token count, ``lambda text: len(tokenizer.encode(text))``; ``len`` counts characters.
        timeout : float, optional
            Seconds, after which the process that does the work is killed; ``count`` must be picklable then.

        Raises
        ------
        ValueError
            If the limit is below 1.
        TimedOut
            If it is not done within ``timeout``.
        """
        # Only needed here.
        from .chunks import ChunkSource, chunk_limit

        if timeout is not None:
            from ..processes.workers import run_in_time

            work = partial(Document.chunks, tokens=tokens, count=count)
            return run_in_time(timeout, self.url, work, self)
        source = ChunkSource(
            content=self.content,
            text=self.text,
            blocks=self.blocks,
            lines=self.paragraph_columns.value.lines,
            title=self.title,
            url=self.url,
            authors=self.metadata.authors,
            published=self.metadata.published,
            language=self.metadata.language,
            spans=self.spans,
        )
        return source.chunks(chunk_limit(tokens, count))

    def within(self, tokens: int, *, count: Callable[[str], int] | None = None) -> Excerpt:
        """Return the Markdown of as many blocks from the start as fit in a number of tokens, and what was left out.

        Parameters
        ----------
        tokens : int
            Most tokens of the Markdown, the note about what was left out included.
        count : callable, optional
            A model's token count; by default an estimate: a token for each word and symbol, or for four
            bytes, whichever are more.

        Raises
        ------
        ValueError
            If ``tokens`` is below 1.
        """
        # Only needed here.
        from .excerpt import excerpt

        headline = self.title if self.headline else ""
        return excerpt(self.content, self.text, headline, tokens, spans=self.spans, count=count)

    def front_matter(self) -> str:
        """Return the metadata as YAML front matter for Markdown, with the reason why a page is ``partial``."""
        return self.metadata.to_yaml(partial=self.partial_reason)

    def locate(self, quote: str) -> tuple[Box, ...]:
        """Return the rectangles of the first occurrence of a quotation that the page shows, one a line.

        They are (x, y, width, height) in CSS pixels of the page, for :func:`~blocksight.crop`; () if it is not found as
        :meth:`check` finds it, or the page was not rendered.
        """
        checks = self.check([quote]) if self.seen else ()
        return next((check.boxes for check in checks if check.result == "found"), ())

    def check(self, quotes: Iterable[str], others: Iterable[Document] = ()) -> tuple[QuoteCheck, ...]:
        """Check quotations against what the page shows, content or not; hidden text never counts as found.

        Parameters
        ----------
        quotes : iterable of str
            Case, white space, and the forms of quotation marks and dashes do not matter.
        others : iterable of Document
            Pages that may have what this one has not.

        Raises
        ------
        TypeError
            If ``quotes`` is a single text.
        ValueError
            For a document without its page.
        """
        # Only needed here.
        from .quotations import attributed, check_quote

        if isinstance(quotes, str):
            raise TypeError("check takes a list of quotations: check([quote])")
        checks, wanted = [], [*quotes]
        for one in (self, *others):
            if one.seen is None:
                raise ValueError("this document has no page: check quotations of one that extract(page) returns")
            checks.append([check_quote(quote, one.seen.value, one.hidden, one.url) for quote in wanted])
        return attributed(checks[0], checks[1:])

    def diff(self, new: Document) -> tuple[BlockChange, ...]:
        """Return the blocks that a later document of the page has added, removed or changed, in their order."""
        from .difference import block_changes  # only needed here

        return block_changes(self.blocks, new.blocks)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the document to a file in the format of its suffix: .md, .txt, .html, .json, .jsonl (chunks).

        Raises
        ------
        ValueError
            For any other suffix.
        OSError
            If the file cannot be written; a file that was there is unchanged.
        """
        write_text(path, self.written(format_of_file(Path(path)).name))

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain dicts, lists, strings and numbers, its boxes as ``[x, y, width, height]``."""
        verdicts = {} if self.verdicts is None else {"all_blocks": [block.to_dict() for block in self.verdicts]}
        return verdicts | {
            "schema": SCHEMA_VERSION,
            "url": self.url,
            "title": self.title,
            "language": self.language,
            "system": self.system,
            "confidence": self.confidence,
            "text": self.text,
            "markdown": self.markdown,
            "html": self.html,
            "blocks": [block.to_dict() for block in self.blocks],
            "links": [link._asdict() for link in self.links],
            "images": [image.to_dict() for image in self.images if image.left_out not in UNSEEN],
            "metadata": self.metadata.to_dict(),
            "page_type": None if self.page_type is None else self.page_type.to_dict(),
            "records": [records.to_dict() for records in self.records if records.kind != "navigation"],
            **self.report(),
            "partial": self.partial,
            "partial_reason": self.partial_reason,
            "base": self.base,
            "overlays": [overlay.to_dict() for overlay in self.overlays],
        }

    def __repr__(self) -> str:
        confidence = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        size = f"{len(self.content.paragraphs)} paragraphs"
        return f"<Document {self.title!r} {self.url} {size} by {self.system}{confidence}>"

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the content, then a summary line."""
        return f"<article>{self.html}</article><p><small>{escape(repr(self))}</small></p>"

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.url, self.title, self.system, self.text))


def _values(self: Document) -> tuple[object, ...]:
    """Return the values that decide equality; the formats follow from the clean HTML."""
    about = (self.url, self.title, self.language, self.system, self.partial_reason, self.overlays, self.confidence)
    content = (self.content.xml(), self.blocks, self.images, self.verdicts)
    return (*about, self.declared.value, self.headline, self.spans, *content)


def document(
    page: Page,
    marks: Marks,
    predicted: LeafPrediction | None = None,
    *,
    title: str | None = None,
    images: bool = True,
    headline: bool = True,
    captions: bool = True,
) -> Document:
    r"""Build the document of the marked text of a page; ``marks``, bool (leaves,), are True for content.

    ``title`` is by default :func:`~blocksight.page.metadata.title.title_of` the page. ``headline`` is whether Markdown
    and HTML start with the title, ``captions`` whether to include those of pictures that are not marked. Raises
    ValueError if a column does not have one entry for each leaf.

    >>> from blocksight.page.parse import parse
    >>> page = parse("<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><p>Share this</p>")
    >>> document(page, np.array([True, True, True, True, False])).markdown
    '# Tea\n\nBoil **fresh** water.\n'
    """
    predicted = predicted or LeafPrediction()
    for name, column in (("marks", marks), ("scores", predicted.scores), ("reasons", predicted.reasons)):
        if column is not None and np.shape(column) != page.leaves.shape:
            raise ValueError(f"{name}: {np.shape(column)}, but the page has {len(page.leaves)} text leaves")
    marks = np.asarray(marks, dtype=bool)
    groups = predicted.records or Lazy(partial(_decided, page, marks))
    posts = _posts(page, groups) if predicted.records else None
    content = content_of(page, marks, images=images, captions=captions, posts=posts)
    declared_title = Lazy(partial(_title, page, title, predicted.roles, groups))
    found_records = Lazy(partial(_records, page, groups))
    declared = Lazy(partial(_declared, page, declared_title, predicted.roles, groups))
    return Document(
        url=page.url,
        language=Lazy(partial(_language, declared)),
        system=predicted.system,
        partial=page.partial,
        partial_reason=page.partial_reason,
        base=base_of(page, address_of(page)),
        overlays=find_overlays(page),
        confidence=predicted.confidence,
        content=content,
        paragraph_columns=Lazy(
            partial(paragraph_columns, page, content, predicted.scores, predicted.reasons, predicted.roles)
        ),
        title=Lazy(lambda: declared_title.value or first_words(content)),
        declared=declared,
        headline=headline,
        found_records=found_records,
        judged=Lazy(partial(_verdict, page, marks, groups)),
        rest=Lazy(partial(_left_out, page, marks, predicted)),
        hidden=Lazy(partial(hidden_report, predicted.original or page)),
        seen=Lazy(partial(_seen, predicted.original or page)),
    )


def _seen(page: Page) -> SeenText:
    # Imported late: most documents are written without checks.
    from .quotations import seen_text

    return seen_text(page)


def _verdict(page: Page, marks: Marks, groups: Lazy[DecidedRecords]) -> Verdict:
    # Imported late: most documents are written without their verdict.
    from ..classify.verdict.verdict import decide

    return decide(page, marks, lambda: groups.value)


def _left_out(page: Page, marks: Marks, predicted: LeafPrediction) -> LeftOut:
    from .explain import left_out

    against = None if predicted.against is None else predicted.against.value
    return left_out(page, marks, predicted.roles, predicted.scores, against)


def _title(page: Page, title: str | None, roles: LeafRoles | None, groups: Lazy[DecidedRecords]) -> str:
    if title:
        return title
    cards = groups.value.cards
    own = title_of(page, cards) if title is None else ""
    return own or ("" if roles is None else title_text(page, roles.outside(cards[page.leaves])))


def _declared(page: Page, title: Lazy[str], roles: LeafRoles | None, groups: Lazy[DecidedRecords]) -> RawMetadata:
    from ..page.metadata.metadata import has_declared_author
    from ..page.metadata.page_metadata import read_raw_metadata
    from ..records.decided_records import first_author

    cards = groups.value.cards
    of_roles = () if roles is None else role_texts(page, roles.outside(cards[page.leaves]))
    raw = replace(read_raw_metadata(page, title.value, cards), roles=of_roles)
    if has_declared_author(raw):
        return raw
    # The first post of a thread is by the author of the page.
    return replace(raw, page_type=groups.value.page_type.name, first_post=first_author(groups.value))


def _decided(page: Page, marks: Marks) -> DecidedRecords:
    # Imported late: most documents are written without their records.
    from ..records.candidates import find_records
    from ..records.decided_records import decide_records

    return decide_records(find_records(page), marks)


def _language(declared: Lazy[RawMetadata]) -> str:
    from ..page.metadata.metadata import language_of_page

    return language_of_page(declared.value)


def _records(page: Page, groups: Lazy[DecidedRecords]) -> PageRecords:
    from ..document.records.record_sets import records_of

    return records_of(groups.value, page.geometry)


def _posts(page: Page, groups: Lazy[DecidedRecords]) -> PostLayout | None:
    """Return the posts of the page if they are its content."""
    decided = groups.value
    if not decided.posts:
        return None
    readings = [decided.reading(group) for group in (decided.opening, decided.main_group) if group is not None]
    signature = np.zeros(len(page.leaves), dtype=bool)
    signature[[leaf for one in readings for role in ("author", "date") for leaf in one.leaves_of(role)]] = True
    return post_layout(
        page,
        [cells.span for reading in readings for cells in reading.aligned.cells],
        [text for reading in readings for text in reading.texts],
        signature,
        [row for one in readings for cells in one.aligned.cells for row, _, _ in cells.quotes],
    )
