"""Labels of many corpora that follow one convention about titles, bylines, captions and teasers.

Corpora contradict each other: some include the headline, some the date, some neither. A row of such a role is used only
if its label agrees with the default convention.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..gold.convention import disputed_rows
from ..gold.pages import CONTENT, UNCERTAIN
from ..page.arrays import BoolColumn
from ..page.role_names import ROLES

#: Roles for which the gold decides. For all others it must agree with the default, for menus and forms, too: no corpus
#: includes them on purpose.
AS_GOLD = ("body", "post", "other")
JUDGED = tuple(role for role in ROLES if role not in AS_GOLD)


def reliable_labels(label: NDArray[np.int8], role: NDArray[np.int8]) -> tuple[BoolColumn, BoolColumn]:
    """Return the rows that are content by the default convention, and those with a reliable label.

    ``label`` is that of the gold, ``role`` an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown. All
    are columns of rows.
    """
    in_gold = label == CONTENT
    disputed = disputed_rows(role, in_gold, roles=JUDGED)
    return in_gold & ~disputed, (label != UNCERTAIN) & ~disputed
