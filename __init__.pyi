"""The public names, each with its module: read by type checkers, and by ``__init__.py`` for lazy imports."""

from . import errors as errors
from .batch.batch_options import BatchOptions as BatchOptions
from .batch.batch_options import RateLimits as RateLimits
from .batch.run import run_batch as run_batch
from .classify.model.model import load_model as load_model
from .classify.system import Card as Card
from .classify.system import Judgement as Judgement
from .classify.system import System as System
from .classify.systems import SYSTEMS as SYSTEMS
from .compare.agreement import compare_systems as compare_systems
from .compare.evaluate import EvaluationConfig as EvaluationConfig
from .compare.evaluate import evaluate as evaluate
from .document.document import Document as Document
from .document.extract import extract as extract
from .document.map.map_builder import page_map as page_map
from .document.map.map_session import Session as Session
from .errors import BlocksightError as BlocksightError
from .errors import BrowserMissing as BrowserMissing
from .errors import ExtraMissing as ExtraMissing
from .errors import ModelMismatch as ModelMismatch
from .errors import PageFailed as PageFailed
from .errors import PageUnreadable as PageUnreadable
from .errors import Refused as Refused
from .errors import TimedOut as TimedOut
from .features.block_table import block_features as block_features
from .page.arrays import Marks as Marks
from .page.metadata.metadata import Metadata as Metadata
from .page.metadata.metadata import metadata as metadata
from .page.page import Page as Page
from .page.parse import parse as parse
from .page.store import load as load
from .page.store import save as save
from .page.tables import html_tables as html_tables
from .render.browser import Browser as Browser
from .render.chromium.from_playwright import capture as capture
from .render.render_options import RenderOptions as RenderOptions
from .segment.blocks import Blocks as Blocks
from .segment.blocks import text_blocks as text_blocks
from .segment.pictures.crop import crop as crop
from .segment.vips.vips import vips as vips

__version__: str
