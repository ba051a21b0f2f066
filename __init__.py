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

from .render.version import VERSION

if TYPE_CHECKING:
    from .batch.awaited import awaited
    from .batch.options import BatchOptions, Politeness
    from .batch.run import run_batch
    from .classify.document.document import Document
    from .classify.extract import extract
    from .classify.metadata.metadata import Metadata, metadata
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
    from .features.table import table
    from .render.arrays import Marks
    from .render.browser import Browser, Opened
    from .render.chromium.borrowed.capture import capture
    from .render.errors import (
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
    from .render.options import RenderOptions
    from .render.overlays import find_overlays
    from .render.page import Page
    from .render.saved.store import load, save
    from .render.static import parse
    from .render.tables import tables
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
    "BatchOptions": "batch.options",
    "Blocks": "segment.blocks",
    "Blocksight": "classify.systems.blocksight",
    "BlocksightError": "render.errors",
    "Browser": "render.browser",
    "BrowserMissing": "render.errors",
    "Card": "classify.system",
    "CorpusUnreadable": "render.errors",
    "Document": "classify.document.document",
    "Evaluation": "compare.evaluate",
    "ExtraMissing": "render.errors",
    "GeometryMissing": "render.errors",
    "HttpFailed": "render.errors",
    "Judge": "classify.system",
    "Judgement": "classify.system",
    "Marks": "render.arrays",
    "Metadata": "classify.metadata.metadata",
    "ModelMismatch": "render.errors",
    "Opened": "render.browser",
    "OtherSettings": "render.errors",
    "PEERS": "classify.systems",
    "Page": "render.page",
    "PageFailed": "render.errors",
    "PageUnreadable": "render.errors",
    "PeerMissing": "render.errors",
    "Politeness": "batch.options",
    "Refused": "render.errors",
    "Remembering": "classify.systems.memory.remembering",
    "RenderOptions": "render.options",
    "RunStopped": "render.errors",
    "RunUnderWay": "render.errors",
    "SYSTEMS": "classify.systems",
    "SiteMemory": "classify.systems.memory.site_memory",
    "System": "classify.system",
    "TextSystem": "classify.systems.text_system",
    "TimedOut": "render.errors",
    "awaited": "batch.awaited",
    "capture": "render.chromium.borrowed.capture",
    "compare_blocks": "compare.segmentation.bcubed",
    "compare_systems": "compare.agreement",
    "content_fit": "compare.segmentation.content_fit",
    "evaluate": "compare.evaluate",
    "extract": "classify.extract",
    "find_overlays": "render.overlays",
    "load": "render.saved.store",
    "load_model": "classify.model.model",
    "metadata": "classify.metadata.metadata",
    "parse": "render.static",
    "reading_order": "segment.order",
    "relations": "segment.semantic",
    "run_batch": "batch.run",
    "save": "render.saved.store",
    "semantic_blocks": "segment.semantic",
    "table": "features.table",
    "tables": "render.tables",
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
