"""The command systems."""

import json

import blocksight as bs
from blocksight.classify.systems import PEERS


def test_systems(run):
    done = run("systems", "--format", "json")
    cards = {card["name"]: card for card in json.loads(done.stdout)}
    assert set(cards) == {system.card.name for system in (*bs.SYSTEMS, *PEERS)}
    assert all(cards[system.card.name]["installed"] for system in bs.SYSTEMS)
    assert cards["blocksight"]["visual"]
    assert not cards["blocksight-dom"]["visual"]
    assert all(name in run("systems").stdout for name in cards)
