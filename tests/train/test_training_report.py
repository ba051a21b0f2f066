"""The model card of a custom model."""

from blocksight.train.training_report import model_card


def test_model_card(own):
    text = model_card(own, "m.npz")
    assert "| sites | 7 |" in text
    assert f"| unseen sites | {own.best.score.f1:.4f} |" in text
    assert "| 0.1 |" in text
