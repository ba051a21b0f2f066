"""Body, title, author and date by hand-written rules of the page's site: evidence in addition to the gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import CorpusUnreadable
from .pages import SiteRules

#: The file, in the corpus' folder or the one above it: one object per line.
RULES = "body-gold.jsonl"
_KEYS = {"tier": "tier", "body": "body_only_text", "title": "title_text", "author": "author_text", "date": "date_text"}


def read_site_rules(folder: Path) -> dict[str, SiteRules]:
    """Read the parts that site rules select, by page id; empty without such a file. Raises CorpusUnreadable."""
    listing = next((place for place in (folder / RULES, folder.parent / RULES) if place.is_file()), None)
    if listing is None:
        return {}
    try:
        entries = [json.loads(line) for line in listing.read_bytes().splitlines() if line.strip()]
        own = [entry for entry in entries if entry.get("corpus", folder.name) == folder.name]
        return {str(entry["id"]): _rules_of(entry) for entry in own}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CorpusUnreadable(f"{listing} cannot be read: {error!r}; fix or remove it") from error


def _rules_of(entry: dict[str, Any]) -> SiteRules:
    return SiteRules(**{name: str(entry.get(key) or "") for name, key in _KEYS.items()})
