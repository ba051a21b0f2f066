"""The model card of a custom model, and its numbers."""

import json

from blocksight.train.training_report import model_card, numbers_json


def test_model_card_and_numbers(own):
    text = model_card(own, "m.npz")
    assert "| sites | 7 |" in text
    assert f"| unseen sites | {own.best.score.f1:.4f} |" in text
    assert "| linear, C = 0.1 |" in text
    numbers = json.loads(numbers_json(own))
    assert [trial["setting"] for trial in numbers["settings"]] == [str(trial.setting) for trial in own.trials]
