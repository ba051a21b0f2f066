"""One meaning of content: labels of many corpora, made to agree about titles, by-lines, captions and teasers.

Golds contradict each other about these: some hold the headline, some the date, some neither. What a gold says of a role
counts only where it agrees with the default; elsewhere such a row teaches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..classify.roles import KEPT
from ..features.role_names import CONTENT_ROLES, ROLE, ROLES
from ..gold.pages import CONTENT, UNCERTAIN
from ..render.arrays import BoolColumn

#: Roles of which nothing is known but what the gold says.
AS_GOLD = ("other",)
#: Roles that are never content; where a gold says they are, they teach nothing.
NEVER = tuple(role for role in ROLES if role not in CONTENT_ROLES and role not in AS_GOLD)


def agreed(label: NDArray[np.int8], role: NDArray[np.int8]) -> tuple[BoolColumn, BoolColumn]:
    """Return which rows are content by the default, and which of them say so reliably.

    Parameters
    ----------
    label : int8 (rows,)
        By the gold.
    role : int8 (rows,)
        By witnesses, -1 where nothing is known.

    Returns
    -------
    content, counted : bool (rows,)
    """
    content = label == CONTENT
    never, usual = _of(role, NEVER), _of(role, KEPT)
    counted = (label != UNCERTAIN) & ~(never & content) & ~(usual & ~content)
    return content & ~never, counted


def _of(role: NDArray[np.int8], names: Iterable[str]) -> BoolColumn:
    return np.isin(role, [ROLE[name] for name in names])
