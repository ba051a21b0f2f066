"""blocksight: the content of a web page by what a person sees.

A page goes one straight way::

    import blocksight as bs

    with bs.Browser() as browser:
        page = browser.open("https://example.org/app")   # rendered by Chromium, kept as columns
    doc = bs.extract(page)                               # doc.title, doc.markdown, doc.text, doc.html, doc.blocks
    frame = bs.table(page)                               # pandas: one row a block, one column a feature

Without a browser, :func:`parse` reads raw HTML, :func:`load` a saved page.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import VERSION

if TYPE_CHECKING:
    from .batch.aiter import awaited
    from .batch.batch_options import BatchOptions, Politeness
    from .batch.run import run_batch
    from .classify.extract import extract
    from .classify.model.model import load_model
    from .classify.system import Card, Judge, Judgement, System
    from .classify.systems import PEERS, SYSTEMS
    from .classify.systems.blocksight import Blocksight
    from .classify.systems.memory.remembering import Remembering
    from .classify.systems.memory.site_memory import SiteMemory
    from .classify.systems.text_system import TextSystem
    from .compare.agreement import Agreement, compare_systems
    from .compare.evaluate import Evaluation, evaluate
    from .compare.segmentation.bcubed import BCubed, compare_blocks
    from .compare.segmentation.content_fit import content_fit
    from .document.document import Document
    from .document.metadata.metadata import Metadata, metadata
    from .errors import (
        BlocksightError,
        BrowserMissing,
        CorpusUnreadable,
        ExtraMissing,
        GeometryMissing,
        HttpFailed,
        ModelMismatch,
        OtherSettings,
        PageFailed,
        PageUnreadable,
        PeerMissing,
        Refused,
        RunStopped,
        RunUnderWay,
        TimedOut,
    )
    from .features.block_table import table
    from .page.arrays import Marks
    from .page.overlays import find_overlays
    from .page.page import Page
    from .page.parse import parse
    from .page.store import load, save
    from .page.tables import tables
    from .render.browser import Browser, Opened
    from .render.chromium.from_playwright import capture
    from .render.render_options import RenderOptions
    from .segment.blocks import Blocks, text_blocks
    from .segment.order import reading_order
    from .segment.semantic import relations, semantic_blocks
    from .segment.targets import target_nodes
    from .segment.vips.vips import vips

__version__ = VERSION

__all__ = [
    "PEERS",
    "SYSTEMS",
    "Agreement",
    "BCubed",
    "BatchOptions",
    "Blocks",
    "Blocksight",
    "BlocksightError",
    "Browser",
    "BrowserMissing",
    "Card",
    "CorpusUnreadable",
    "Document",
    "Evaluation",
    "ExtraMissing",
    "GeometryMissing",
    "HttpFailed",
    "Judge",
    "Judgement",
    "Marks",
    "Metadata",
    "ModelMismatch",
    "Opened",
    "OtherSettings",
    "Page",
    "PageFailed",
    "PageUnreadable",
    "PeerMissing",
    "Politeness",
    "Refused",
    "Remembering",
    "RenderOptions",
    "RunStopped",
    "RunUnderWay",
    "SiteMemory",
    "System",
    "TextSystem",
    "TimedOut",
    "awaited",
    "capture",
    "compare_blocks",
    "compare_systems",
    "content_fit",
    "evaluate",
    "extract",
    "find_overlays",
    "load",
    "load_model",
    "metadata",
    "parse",
    "reading_order",
    "relations",
    "run_batch",
    "save",
    "semantic_blocks",
    "table",
    "tables",
    "target_nodes",
    "text_blocks",
    "vips",
]

#: Where each name is at home. It is imported when it is first asked for, so that importing blocksight costs nothing.
_HOMES = {
    "Agreement": "compare.agreement",
    "BCubed": "compare.segmentation.bcubed",
    "BatchOptions": "batch.batch_options",
    "Blocks": "segment.blocks",
    "Blocksight": "classify.systems.blocksight",
    "BlocksightError": "errors",
    "Browser": "render.browser",
    "BrowserMissing": "errors",
    "Card": "classify.system",
    "CorpusUnreadable": "errors",
    "Document": "document.document",
    "Evaluation": "compare.evaluate",
    "ExtraMissing": "errors",
    "GeometryMissing": "errors",
    "HttpFailed": "errors",
    "Judge": "classify.system",
    "Judgement": "classify.system",
    "Marks": "page.arrays",
    "Metadata": "document.metadata.metadata",
    "ModelMismatch": "errors",
    "Opened": "render.browser",
    "OtherSettings": "errors",
    "PEERS": "classify.systems",
    "Page": "page.page",
    "PageFailed": "errors",
    "PageUnreadable": "errors",
    "PeerMissing": "errors",
    "Politeness": "batch.batch_options",
    "Refused": "errors",
    "Remembering": "classify.systems.memory.remembering",
    "RenderOptions": "render.render_options",
    "RunStopped": "errors",
    "RunUnderWay": "errors",
    "SYSTEMS": "classify.systems",
    "SiteMemory": "classify.systems.memory.site_memory",
    "System": "classify.system",
    "TextSystem": "classify.systems.text_system",
    "TimedOut": "errors",
    "awaited": "batch.aiter",
    "capture": "render.chromium.from_playwright",
    "compare_blocks": "compare.segmentation.bcubed",
    "compare_systems": "compare.agreement",
    "content_fit": "compare.segmentation.content_fit",
    "evaluate": "compare.evaluate",
    "extract": "classify.extract",
    "find_overlays": "page.overlays",
    "load": "page.store",
    "load_model": "classify.model.model",
    "metadata": "document.metadata.metadata",
    "parse": "page.parse",
    "reading_order": "segment.order",
    "relations": "segment.semantic",
    "run_batch": "batch.run",
    "save": "page.store",
    "semantic_blocks": "segment.semantic",
    "table": "features.block_table",
    "tables": "page.tables",
    "target_nodes": "segment.targets",
    "text_blocks": "segment.blocks",
    "vips": "segment.vips.vips",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Types come from the imports above: to a type checker every name would be there.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
