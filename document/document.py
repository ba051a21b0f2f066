"""What comes out: the content of a page, written as text, Markdown, HTML or JSON when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import IntColumn, Marks
from ..page.overlays import Overlay, find_overlays
from ..page.page import Page
from .block_scores import BlockScore, BlockVerdict, ParagraphColumns, block_scores, paragraph_columns
from .content.content import Content, content_of
from .content.lazy import Lazy, Readable
from .content.parts.images import Image
from .formats import format_named
from .headline import first_words
from .metadata.metadata import Metadata, metadata_of
from .metadata.page_metadata import RawMetadata, read_raw_metadata
from .metadata.title import title_of
from .roles import LeafRoles, role_texts, title_text

if TYPE_CHECKING:
    from .chunks import Chunk
    from .records.page_type import PageType
    from .records.record import Record, RecordSet
    from .records.record_sets import PageRecords


#: Share of the content's leaves that have to be posts for rules between them.
MOSTLY_POSTS = 0.3


# Without slots: what has been written is kept beside the fields.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Document:
    """The content of a page. Two documents that say the same are equal.

    ``text``, ``markdown``, ``html``, ``blocks``, ``records`` and the metadata are made when they are first read, and
    kept. The page is held for these: a pickled document has them without it.

    Attributes
    ----------
    url, title, language : str
        "" where unknown. The title is made when it is first read.
    system : str
        Name of the system that chose the content.
    overlays : tuple of Overlay
        What lay over the page: consent notices, dialogs, bars.
    partial : bool
        True when the page was still loading at its deadline.
    confidence : float or None
        How well the text is expected to hit the content, 0 to 1 (an expected F1); a low value is a warning. None where
        the system cannot say.
    content : Content
        What every format is written from.
    evidence : Lazy of ParagraphColumns
        What is known of its paragraphs.
    said : Lazy of RawMetadata
        What the page says about itself.
    headline : bool
        Whether Markdown and HTML begin with the title, where the content has no heading that says the same.
    verdicts : tuple of BlockVerdict or None
        All blocks of the page, where they were asked for.
    source : Page or None
        What the records are found in; None gives none.
    """

    url: str
    title: Readable[str] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    language: str
    system: str
    partial: bool
    overlays: tuple[Overlay, ...]
    confidence: float | None = None
    content: Content
    evidence: Lazy[ParagraphColumns]
    said: Lazy[RawMetadata]
    headline: bool = True
    verdicts: tuple[BlockVerdict, ...] | None = None
    source: Page | None = None

    def written(self, form: str) -> str:
        """Return the document in one of :data:`~blocksight.document.formats.FORMATS`.

        Raises
        ------
        ValueError
            When no format has that name; the message lists those there are.
        """
        return format_named(form).write(self)

    @cached_property
    def text(self) -> str:
        """Plain text in which every character that is no white space comes verbatim from the page, in its order.

        Paragraphs are parted by a blank line, items and rows by a newline, cells by a tab. Added are the marks of items
        ("- ", "1. "), of check boxes, around formulas (dollars) and of footnotes (brackets).
        """
        return self.written("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark with tables."""
        return self.written("markdown")

    @cached_property
    def html(self) -> str:
        """Clean markup: headings, lists, tables, code, quotes, links and emphasis."""
        return self.written("html")

    @cached_property
    def blocks(self) -> tuple[BlockScore, ...]:
        """One a paragraph."""
        return block_scores(self.content, self.evidence.value)

    def chunks(
        self,
        *,
        tokens: int | None = None,
        characters: int | None = None,
        count: Callable[[str], int] | None = None,
    ) -> tuple[Chunk, ...]:
        """Cut the text into passages along its headings, for an index.

        A passage never holds parts of two sections. One that would be too long is cut between paragraphs, lines,
        sentences or words, whichever is enough.

        Parameters
        ----------
        tokens : int, optional
            The most that a passage may have, 256 where nothing is said; counted are words, signs, and characters of
            scripts without spaces (:func:`~blocksight.document.chunks.count_tokens`). What a model counts is
            mostly some more.
        characters : int, optional
            The most that it may have, instead.
        count : callable, optional
            Counts the tokens of a text as a model does: ``lambda text: len(tokenizer.encode(text))``.

        Raises
        ------
        ValueError
            When both are given, ``count`` with characters, or less than 1.
        """
        # Its patterns are needed here only.
        from .chunks import chunks

        return chunks(
            self.content,
            self.text,
            self.blocks,
            title=self.title,
            url=self.url,
            tokens=tokens,
            characters=characters,
            count=count,
        )

    @property
    def all_blocks(self) -> tuple[BlockVerdict, ...]:
        """Every block of the page with the verdict on it.

        Raises
        ------
        ValueError
            When they were not asked for.
        """
        if self.verdicts is None:
            raise ValueError('all blocks are kept when they are asked for: extract(page, blocks="all")')
        return self.verdicts

    @property
    def clues(self) -> RawMetadata:
        """What the page says about itself."""
        return self.said.value

    @cached_property
    def page_records(self) -> PageRecords | None:
        """Records and type of the page; None for a document without a page."""
        # What finds and reads them is needed by those who ask.
        from .records.record_sets import page_records

        return None if self.source is None else page_records(self.source)

    @property
    def records(self) -> tuple[RecordSet, ...]:
        """The record sets of the page, the main one first: posts, products, cards, rows, menus, with their fields."""
        return self.page_records.sets if self.page_records else ()

    @property
    def comments(self) -> tuple[Record, ...]:
        """What readers say of the text; answers stand in the ``records`` of what they answer."""
        return self.page_records.comments if self.page_records else ()

    @property
    def page_type(self) -> PageType | None:
        """What the page is, with its probability: an article, a thread, a list of products; None without a page."""
        return self.page_records.page_type if self.page_records else None

    @cached_property
    def metadata(self) -> Metadata:
        """Authors, dates and what else is known of the page, each with its source."""
        return metadata_of(self.clues)

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures in the content, in its order; decoration that is left out among them, with the reason."""
        return self.content.images

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain dicts, lists, strings and numbers, its boxes as ``[x, y, width, height]``."""
        every = {} if self.verdicts is None else {"all_blocks": [one.to_dict() for one in self.verdicts]}
        return every | {
            "url": self.url,
            "title": self.title,
            "language": self.language,
            "system": self.system,
            "confidence": self.confidence,
            "text": self.text,
            "markdown": self.markdown,
            "html": self.html,
            "blocks": [block.to_dict() for block in self.blocks],
            "images": [image.to_dict() for image in self.images],
            "metadata": self.metadata.to_dict(),
            "page_type": None if self.page_type is None else self.page_type.to_dict(),
            "records": [one.to_dict() for one in self.records if one.kind != "navigation"],
            "partial": self.partial,
            "overlays": [overlay.to_dict() for overlay in self.overlays],
        }

    def __repr__(self) -> str:
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"<Document {self.title!r} {self.url} {len(self.content.paragraphs)} paragraphs by {self.system}{sure}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the clean HTML, its title above it, and who chose it."""
        return f"<article>{self.html}</article><p><small>{escape(repr(self))}</small></p>"

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.url, self.title, self.system, self.text))

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the records instead of the page."""
        return self.__dict__ | {"page_records": self.page_records, "source": None}

    def _values(self) -> tuple[object, ...]:
        """Return all that a document says; its formats follow from the clean markup."""
        about = (self.url, self.title, self.language, self.system, self.partial, self.overlays, self.confidence)
        return (*about, self.clues, self.headline, self.content.xml(), self.blocks, self.images, self.verdicts)


def document(
    page: Page,
    marks: Marks,
    *,
    title: str | None = None,
    system: str = "blocksight",
    scores: NDArray[np.floating[Any]] | None = None,
    reasons: NDArray[np.uint8] | None = None,
    order: IntColumn | None = None,
    confidence: float | None = None,
    images: bool = True,
    headline: bool = True,
    roles: LeafRoles | None = None,
    captions: bool = True,
) -> Document:
    r"""Write down the marked text of a page.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
        True for content; no mark at all gives an empty document.
    title : str, optional
        By default :func:`~blocksight.document.metadata.title.title_of` the page.
    system : str
        Name of whoever marked.
    scores : float (leaves,), optional
        How sure it was of each leaf.
    reasons : uint8 (leaves,), optional
        Why each leaf is not seen (:class:`~blocksight.page.hidden.Hidden`), to be said block by block.
    order : int32 (leaves,), optional
        The leaves in the order in which their paragraphs are written, such as
        :func:`~blocksight.segment.order.reading_order`; by default the document's.
    confidence : float, optional
        How well the marks are expected to hit the content.
    images : bool
        Whether pictures come along.
    headline : bool
        Whether Markdown and HTML begin with the title.
    roles : LeafRoles, optional
        What each leaf is to a reader: blocks say it, and where markup names no title, author or date, those that a
        person sees are taken.
    captions : bool
        Whether the captions of pictures come along where they are not marked.

    Raises
    ------
    ValueError
        When ``marks`` or ``scores`` have not one entry a leaf, or ``order`` does not name each leaf once.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> page = parse("<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><p>Share this</p>")
    >>> document(page, np.array([True, True, True, True, False])).markdown
    '# Tea\n\nBoil **fresh** water.\n'
    """
    for name, column in (("marks", marks), ("scores", scores), ("reasons", reasons)):
        if column is not None and np.shape(column) != page.leaves.shape:
            raise ValueError(f"{name}: {np.shape(column)}, but the page has {len(page.leaves)} text leaves")
    marks = np.asarray(marks, dtype=bool)
    content = content_of(
        page, marks, order=order, images=images, captions=captions, starts=_post_starts(page, marks, roles)
    )
    named = Lazy(partial(_title, page, title, roles))
    return Document(
        url=page.url,
        language=page.language,
        system=system,
        partial=page.partial,
        overlays=find_overlays(page),
        confidence=confidence,
        content=content,
        evidence=Lazy(partial(paragraph_columns, page, content, scores, reasons, roles)),
        title=Lazy(lambda: named.value or first_words(content)),
        said=Lazy(partial(_clues, page, named, roles)),
        headline=headline,
        source=page,
    )


def _title(page: Page, given: str | None, roles: LeafRoles | None) -> str:
    return (title_of(page) if given is None else given) or ("" if roles is None else title_text(page, roles))


def _clues(page: Page, title: Lazy[str], roles: LeafRoles | None) -> RawMetadata:
    return replace(read_raw_metadata(page, title.value), roles=() if roles is None else role_texts(page, roles))


def _post_starts(page: Page, marks: Marks, roles: LeafRoles | None) -> list[int]:
    """Return the leaves with which posts begin, where most of the content was judged to be posts."""
    if roles is None or not marks.any() or roles.marked(["post"])[marks].mean() < MOSTLY_POSTS:
        return []
    # Other pages have no need of records before somebody asks.
    from .records.threads import post_starts

    return post_starts(page, marks)
