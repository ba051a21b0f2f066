"""What was labelled in a place is among the reasons."""

from dataclasses import replace

import blocksight as bs
import numpy as np
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.places import Places, row_places
from blocksight.classify.model.reasons import PLACE, reasons
from blocksight.features.role_names import ROLES


def test_a_place_speaks_for_a_block():
    page = bs.parse("<main><p>Fresh water is boiled, the pot is warmed.</p></main>", url="http://a.test/")
    model = shipped_model(visual=False)
    table = model.measure(page)
    owner = table.rows.leaf_row.astype(np.int32)
    assert all(one.column != PLACE for side in reasons(model, table, owner, 1)[0] for one in side)
    key = np.unique(row_places(table.rows)[1])
    places = Places(key=key, content=np.full(len(key), 3.0), roles=np.zeros((len(key), len(ROLES))))
    spoke, _ = reasons(replace(model, places=places), table, owner, 1)[0]
    assert (spoke[0].column, spoke[0].weight) == (PLACE, 12.0)  # p, main, body, html
    assert spoke[0].words == "what was labelled in this place of the site: 12.00"
