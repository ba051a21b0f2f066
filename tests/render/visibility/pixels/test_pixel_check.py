"""Screenshots and fonts, without a browser."""

import asyncio
import base64
import io
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.devtools.channel import Channel
from blocksight.render.render_options import RenderOptions
from blocksight.render.visibility.pixels import pixel_check, window_capture
from blocksight.render.visibility.pixels.blank_fonts import blank_words
from blocksight.render.visibility.pixels.pixel_check import PATIENCE, PixelCheck, TextInView, _WindowLine
from PIL import Image

NONE = np.zeros(1, dtype=bool)
FULL = ("Emulation.setDeviceMetricsOverride", {"scale": 1})


class Drowsy(Channel):
    """A channel that answers about pictures only after the page's clock has been let go, or never."""

    def __init__(self, *, wakes: bool) -> None:
        self.wakes, self.awake = wakes, False
        self.asked: list[tuple[str, Any]] = []
        self.waited: list[float] = []

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        given = params or {}
        self.asked.append((method, next(iter(given.values()), None)))
        if method == "Emulation.setVirtualTimePolicy":
            self.awake = self.awake or (self.wakes and given["policy"] == "advance")
        if method == "Page.captureScreenshot":
            self.waited.append(timeout)
        if method in ("Page.captureScreenshot", "Runtime.evaluate") and not self.awake:
            raise TimeoutError
        return {"data": given.get("format", "")}

    async def evaluate(self, expression: str, *, timeout: float, draws: bool = False) -> Any:
        await self.send("Runtime.evaluate", timeout=timeout)


def test_a_missing_screenshot_times_out():
    channel = Drowsy(wakes=False)
    check = PixelCheck(channel, SimpleNamespace(), {}, lines=NONE, window=(800, 600), scale=1, seconds=60, full=FULL)  # type: ignore[arg-type]
    with pytest.raises(TimeoutError):
        asyncio.run(check._shoot({"format": "png"}))
    assert channel.waited[0] == window_capture.PATIENCE
    assert sum(channel.waited) <= PATIENCE + window_capture.PATIENCE
    assert channel.asked[-1] == ("Emulation.setVirtualTimePolicy", "pause")


@pytest.mark.parametrize(("seconds", "stretch", "given"), [(60, 1.0, 12), (60, 2.0, 24), (30, 2.0, 15)])
def test_a_busy_machine_has_more_time_for_as_many_pictures(seconds, stretch, given, monkeypatch):
    times = list[float]()

    class Check(PixelCheck):
        async def run(self, *, held):
            times.append(self._deadline - self._start)
            return pixel_check.PixelResult()

    monkeypatch.setattr(pixel_check, "PixelCheck", Check)
    visibility = SimpleNamespace(reason=np.full(1, Hidden.COVER), uncertain=~NONE)
    page: Any = SimpleNamespace(visibility=visibility, geometry=SimpleNamespace(line_node=np.zeros(1, dtype=int)))
    check = pixel_check.check_pixels(
        Drowsy(wakes=False), page, {}, set(), options=RenderOptions(), seconds=seconds, stretch=stretch, held=False,
        full=FULL,
    )  # fmt: skip
    asyncio.run(check)
    assert times == [pytest.approx(given)]


def test_missing_frames_are_not_waited_for_again():
    channel = Drowsy(wakes=False)
    frames = window_capture.Frames(channel)  # type: ignore[arg-type]
    for _ in range(5):
        asyncio.run(frames.draw())
    assert frames.missing
    assert len(channel.asked) == window_capture.MOST_MISSED


def test_one_late_frame_is_no_missing_frame():
    channel = Drowsy(wakes=True)
    frames = window_capture.Frames(channel)  # type: ignore[arg-type]
    for awake in (False, True, False):
        channel.awake = awake
        asyncio.run(frames.draw())
    assert not frames.missing
    assert len(channel.asked) == 3


@pytest.mark.parametrize("known", [True, False])
def test_without_frames_one_screenshot_is_tried_and_no_text_checked(known, monkeypatch):
    tried: list[bool] = []

    async def found(*_: Any) -> set[int]:
        return {0}

    async def draws(_: float) -> bool:
        tried.append(True)
        return False

    async def bring(*_: Any) -> bool:
        return True

    async def in_view(_: float) -> list[TextInView]:
        return [TextInView(row=0, boxes=((0, 0, 90, 20),), whole=(True,), shadows=())]

    channel = Drowsy(wakes=False)
    page = SimpleNamespace(
        visibility=SimpleNamespace(uncertain=NONE, ground=np.asarray([-1]), covered_by=np.asarray([-1])),
        geometry=SimpleNamespace(line_node=np.zeros(1, dtype=np.int32), line_box=np.asarray([[0, 0, 90, 20]])),
        is_fixed=lambda _: False,
    )
    check = PixelCheck(channel, page, {}, lines=NONE, window=(800, 600), scale=1, seconds=60, full=FULL)  # type: ignore[arg-type]
    monkeypatch.setattr(check._votes, "chosen", lambda: {0: [0]})
    monkeypatch.setattr(check._votes, "next_text", lambda: 0)
    script = SimpleNamespace(open=found, draws=draws, bring=bring, in_view=in_view)
    monkeypatch.setattr(check, "_script", script)
    check._takes_parts = False
    seen = asyncio.run(check.run(held=known))
    assert not seen.lines
    assert tried == [True] * (not known)
    assert len(channel.waited) == 1
    assert sum(channel.waited) <= window_capture.HELD_SECONDS
    assert channel.asked[-1] == ("Emulation.setVirtualTimePolicy", "pause")


def test_a_line_whose_words_are_not_read_in_time_has_no_result():
    async def late(*_: Any) -> None:
        raise TimeoutError

    page = SimpleNamespace()
    check = PixelCheck(Drowsy(wakes=True), page, {}, lines=NONE, window=(800, 600), scale=1, seconds=60, full=FULL)  # type: ignore[arg-type]
    check._script = SimpleNamespace(words=late)  # type: ignore[assignment]
    line = _WindowLine(line=33, row=0, box=(0, 0, 90, 20))
    with pytest.raises(TimeoutError):
        asyncio.run(check._check_words(line, np.zeros(0), np.zeros(0), (0, 0, 90, 20)))  # type: ignore[arg-type]
    result = check._votes.result()
    assert result.lines == {}
    assert result.words == {}


LOW = frozenset("at the weir send ledger to quiet heron rustic cobbler letters once".split())


def test_of_a_text_the_words_without_ink_are_lost_where_they_are_a_phrase():
    text = "THE HERON STANDS AT THE WEIR send the ledger to OTHERS AT ONCE"
    assert blank_words(text, LOW) == (False,) * 6 + (True,) * 4 + (False,) * 3


def test_one_short_word_without_ink_is_left_where_it_is():
    assert not any(blank_words("THE HERON STANDS AT the WEIR", LOW))


def test_a_text_that_is_mostly_lost_is_lost():
    assert blank_words("A quiet heron AT the weir", LOW) == (True,) * 6
    assert blank_words("one two", frozenset({"one", "two"})) == (True, True)


def test_a_phrase_that_is_drawn_is_read_however_much_is_lost():
    text = "THE HERON STANDS send the ledger to the rustic cobbler"
    assert blank_words(text, LOW) == (False,) * 3 + (True,) * 7


def test_signs_go_with_the_word_before_them():
    assert blank_words("THE OLD HERON STANDS send letters - at once", LOW) == (False,) * 4 + (True,) * 5


class OnlyWhole(Channel):
    """A channel that has pictures of the whole window, white but for a square, and replies to no other."""

    def __init__(self) -> None:
        window = Image.new("RGB", (160, 100), "white")
        window.paste((0, 0, 255), (20, 30, 40, 50))
        with io.BytesIO() as file:
            window.save(file, "png")
            self.data = base64.b64encode(file.getvalue()).decode()
        self.parts = 0
        self.others: list[tuple[str, dict[str, Any] | None]] = []

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        if method == "Page.getLayoutMetrics":
            return {"cssVisualViewport": {"pageX": 0, "pageY": 900}}
        if "clip" in (params or {}):
            self.parts += 1
            raise TimeoutError
        self.others.append((method, params))
        return {"data": self.data}


async def picture_of(check: PixelCheck, crop: tuple[float, float, float, float]) -> Any:
    """Return a picture of a part of the window, which is reduced to it if the browser has such pictures."""
    if check._takes_parts:
        await check._show_only(crop)
    return await (await check._picture(crop))


def test_without_pictures_of_parts_they_are_cut_from_the_whole_window():
    channel = OnlyWhole()
    check = PixelCheck(channel, SimpleNamespace(), {}, lines=NONE, window=(80, 50), scale=2, seconds=60, full=FULL)  # type: ignore[arg-type]
    for _ in range(3):
        picture = asyncio.run(picture_of(check, (10.0, 15.0, 30.0, 25.0)))
        assert picture.shape == (20, 40, 3)
        assert (picture[:, :20] == (0, 0, 255)).all()
        assert (picture[:, 20:] == 255).all()
    # Once, with a second try while the clock runs: the browser is not asked again.
    assert channel.parts == 2
    # The window was reduced to the part, and is whole again.
    assert [params for method, params in channel.others if method == FULL[0]][1:] == [FULL[1]]
