"""blocksight: the content of a web page by what a person sees.

A page goes one straight way::

    import blocksight as bs

    with bs.Browser() as browser:
        page = browser.open("https://example.org/app")   # rendered by Chromium, kept as columns
    doc = bs.extract(page)                               # doc.title, doc.markdown, doc.text, doc.html, doc.blocks
    frame = bs.table(page)                               # pandas: one row a block, one column a feature

Without a browser, :func:`parse` reads raw HTML, :func:`load` a saved page.
"""

from .classify.document.document import Document
from .classify.extract import extract
from .classify.model.model import load_model
from .classify.system import Card, Judge, Judgement, System
from .classify.systems import PEERS, SYSTEMS
from .classify.systems.blocksight import Blocksight
from .classify.systems.text_system import TextSystem
from .compare.agreement import Agreement, compare_systems
from .compare.evaluate import Evaluation, evaluate
from .features.table import table
from .render.arrays import Marks
from .render.browser import Browser, Opened
from .render.errors import (
    BlocksightError,
    BrowserMissing,
    CorpusUnreadable,
    GeometryMissing,
    ModelMismatch,
    OtherSettings,
    PageFailed,
    PageUnreadable,
    PeerMissing,
    Refused,
)
from .render.options import RenderOptions
from .render.overlays import find_overlays
from .render.page import Page
from .render.static import parse
from .render.store import load, save
from .render.version import VERSION
from .segment.blocks import Blocks, text_blocks
from .segment.targets import target_nodes
from .segment.vips.vips import vips

__version__ = VERSION

__all__ = [
    "PEERS",
    "SYSTEMS",
    "Agreement",
    "Blocks",
    "Blocksight",
    "BlocksightError",
    "Browser",
    "BrowserMissing",
    "Card",
    "CorpusUnreadable",
    "Document",
    "Evaluation",
    "GeometryMissing",
    "Judge",
    "Judgement",
    "Marks",
    "ModelMismatch",
    "Opened",
    "OtherSettings",
    "Page",
    "PageFailed",
    "PageUnreadable",
    "PeerMissing",
    "Refused",
    "RenderOptions",
    "System",
    "TextSystem",
    "compare_systems",
    "evaluate",
    "extract",
    "find_overlays",
    "load",
    "load_model",
    "parse",
    "save",
    "table",
    "target_nodes",
    "text_blocks",
    "vips",
]
