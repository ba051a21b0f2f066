"""One meaning of content: labels of many corpora, made to agree about titles, by-lines, captions and teasers.

Golds contradict each other about these: some hold the headline, some the date, some neither. What a gold says of a role
counts only where it agrees with the default; elsewhere such a row teaches nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..gold.convention import disputed_rows
from ..gold.pages import CONTENT, UNCERTAIN
from ..page.arrays import BoolColumn
from ..page.role_names import ROLES

#: Roles of which the gold says what they are: the text itself, and what is nothing of all that. About the others it is
#: believed only where it agrees with the default, about menus and forms, too: no corpus means to keep these.
AS_GOLD = ("body", "post", "other")
JUDGED = tuple(role for role in ROLES if role not in AS_GOLD)


def reliable_labels(label: NDArray[np.int8], role: NDArray[np.int8]) -> tuple[BoolColumn, BoolColumn]:
    """Return the rows that are content by the default convention, and those with a reliable label.

    ``label`` is that of the gold, ``role`` an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown. All
    are columns of rows.
    """
    held = label == CONTENT
    doubted = disputed_rows(role, held, roles=JUDGED)
    return held & ~doubted, (label != UNCERTAIN) & ~doubted
