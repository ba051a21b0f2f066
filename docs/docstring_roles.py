"""An extension of the API reference: Sphinx roles in docstrings become code, with a link where the name is public."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:func|class|data|attr|meth|mod|exc|obj):`(~?)([^`]+)`")


class DocstringRoles(griffe.Extension):
    """Replaces roles such as ``:func:`~blocksight.extract``` in docstrings."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the roles in the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(_as_code, obj.docstring.value)


def _as_code(role: re.Match[str]) -> str:
    short, name = role.groups()
    return f"`{name.rpartition('.')[2] if short else name.lstrip('.')}`"
