"""Frames on demand, with a page that counts them; and the browser that draws them."""

import asyncio

import blocksight as bs
import pytest
from blocksight.render.chromium.process import launch
from blocksight.render.devtools.channel import FrameControl


class Page:
    """The commands of a page: a frame takes until ``release`` is set, and is refused if ``refuses``."""

    def __init__(self, *, refuses=False):
        self.frames, self.release, self.refuses = [], asyncio.Event(), refuses
        self.release.set()

    async def try_send(self, method, params=None, *, timeout):
        assert method == "HeadlessExperimental.beginFrame"
        self.frames.append(params)
        if self.refuses:
            return None
        await self.release.wait()
        return {"hasDamage": True} | ({"screenshotData": "picture"} if params and len(self.frames) > 1 else {})

    def start(self, work):
        return asyncio.ensure_future(work)


def test_frames_are_drawn_until_the_command_has_its_reply():
    async def run():
        page = Page()

        async def command():
            while len(page.frames) < 3:
                await asyncio.sleep(0)
            return "reply"

        control = FrameControl(page)
        assert await control.during(command) == "reply"
        return len(page.frames)

    assert asyncio.run(run()) == 3


def test_a_command_is_sent_after_the_frame_before_it_and_one_frame_is_drawn_at_a_time():
    async def run():
        page, order = Page(), []
        page.release.clear()
        control = FrameControl(page)
        first = control.demand()
        assert control.demand() is first

        async def command():
            order.append(first.done())

        running = asyncio.ensure_future(control.during(command))
        await asyncio.sleep(0.01)
        assert control.is_drawing
        assert not order
        page.release.set()
        await running
        return order

    assert asyncio.run(run()) == [True]


def test_a_frame_that_does_not_end_holds_no_command_back_for_long():
    async def run():
        page = Page()
        page.release.clear()
        control = FrameControl(page)
        control.demand()

        async def command():
            return "reply"

        assert not await control.finish(0.01)
        return await asyncio.wait_for(control.during(command), 2), len(page.frames)

    assert asyncio.run(run()) == ("reply", 1)


def test_frames_at_intervals_end_with_the_wait():
    async def run():
        page = Page()
        control = FrameControl(page)
        async with control.at_intervals(0.01):
            while len(page.frames) < 3:
                await asyncio.sleep(0.001)
        count = len(page.frames)
        await asyncio.sleep(0.05)
        return len(page.frames) - count

    assert asyncio.run(run()) <= 1


def test_a_screenshot_is_taken_again_if_the_frame_has_none():
    async def run():
        page = Page()
        return await FrameControl(page).screenshot({"format": "png"}, 2), page.frames

    assert asyncio.run(run()) == ("picture", [{"screenshot": {"format": "png"}}] * 2)


@pytest.mark.parametrize("is_drawing", [False, True])
def test_a_screenshot_has_a_limit_of_time_after_which_its_frame_is_still_drawn(is_drawing):
    async def run():
        page = Page()
        page.release.clear()
        control = FrameControl(page)
        if is_drawing:
            control.demand()
        with pytest.raises(TimeoutError):
            await control.screenshot({"format": "png"}, 0.05)
        return len(page.frames), await control.finish(0.0)

    assert asyncio.run(run()) == (1, False)


#: A box that is scrolled by a script, observers, animations on the compositor's thread, and a text over a picture.
LIVELY = """<style>
@keyframes turn{to{transform:rotate(1turn)}} @keyframes fade{from{opacity:1}20%,to{opacity:0}}
#s{height:90px;overflow-y:scroll;scroll-timeline:--t} #f{animation:fade linear both;animation-timeline:--t}
#t{animation:turn 2s linear infinite;width:40px;height:40px;background:red;will-change:transform}
#g{background:linear-gradient(#fff,#eee)}</style>
<div id=t></div>
<div id=s><p>The first sentence in a box.</p><div style='height:400px'></div><p id=f>Never.</p></div>
<div id=r style='height:90px;overflow-y:scroll'><p>Scrolled away.</p><div style='height:400px'></div></div>
<p id=g>A sentence over a gradient.</p><p id=o></p>
<div style='height:3000px'></div><p id=late></p>
<script>
r.scrollTop = 9999;
requestAnimationFrame(() => requestAnimationFrame(() => { o.textContent = 'A sentence after two frames.'; }));
new IntersectionObserver(([{isIntersecting}]) => {
  if (isIntersecting) late.textContent = 'A sentence in view.';
}).observe(late);
</script>"""


@pytest.mark.browser
@pytest.mark.parametrize("on_demand", [True, False])
def test_a_lively_page_has_all_its_text_with_frames_on_demand_and_without(on_demand, monkeypatch):
    if not on_demand:
        monkeypatch.setattr(launch, "has_frame_control", lambda _: False)
    with bs.Browser(pages=1) as browser:
        for _ in range(3):
            text = bs.extract(browser.open(LIVELY.encode()), system="everything").text
            assert "The first sentence in a box." in text
            assert "A sentence over a gradient." in text
            assert "A sentence after two frames." in text
            assert "A sentence in view." in text
            assert "Scrolled away." in text
            assert "Never" not in text
