"""Pictures of a window whose browser does not always draw."""

import asyncio
from typing import Any

import pytest
from blocksight.render.chromium.looking import pictures
from blocksight.render.chromium.looking.pictures import Looking


class Drowsy:
    """A channel that answers nothing about pictures until somebody wants to see each frame."""

    def __init__(self, *, awake: bool) -> None:
        self.awake = awake
        self.asked: list[str] = []

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        self.asked.append(method)
        if method == "Page.startScreencast":
            self.awake = True
        if method == "Page.captureScreenshot" and not self.awake:
            async with asyncio.timeout(min(timeout, 0.01)):
                await asyncio.Event().wait()
        return {"data": "picture"}


def shot(channel: Drowsy) -> str:
    looking = Looking(channel, None, {}, window=(800, 600), scale=1, seconds=5)  # type: ignore[arg-type]
    return asyncio.run(looking._shoot({"format": "png"}))


def test_a_picture_that_comes_is_asked_for_once():
    channel = Drowsy(awake=True)
    assert shot(channel) == "picture"
    assert channel.asked == ["Page.captureScreenshot"]


def test_a_browser_that_draws_nothing_is_woken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "WAKING", 0.0)
    channel = Drowsy(awake=False)
    assert shot(channel) == "picture"
    assert channel.asked == [
        "Page.captureScreenshot", "Page.startScreencast", "Page.stopScreencast", "Page.captureScreenshot",
    ]  # fmt: skip
