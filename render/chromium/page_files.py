"""Save a live page as files: the screenshot and the MHTML archive that the options ask for."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import Any

from ..devtools.channel import Channel
from ..render_options import RenderOptions
from ..visibility.pixels.window_capture import shoot

#: Tallest screenshot in device pixels; Chromium's own limit is 16,384.
_TALLEST = 16_000
#: Share of the remaining time for the screenshot: visibility is checked after it.
_SCREENSHOT_SHARE = 0.6


async def screenshot(channel: Channel, options: RenderOptions, reply: dict[str, Any], seconds: float) -> bytes | None:
    """Return a PNG of the page, or of its window; None if there is none in time.

    ``reply`` is the snapshot, which has the size of the document.
    """
    parameters: dict[str, Any] = {"format": "png"}
    if options.screenshot == "full":
        root, scale = reply["documents"][0], options.device_scale
        width = max(float(root.get("contentWidth", 0)), 1.0)
        height = max(float(root.get("contentHeight", 0)), float(options.viewport[1]))
        height = min(height, _TALLEST / scale)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        parameters |= {"clip": clip, "captureBeyondViewport": True}
    with suppress(TimeoutError):
        return base64.b64decode(await shoot(channel, parameters, seconds * _SCREENSHOT_SHARE))
    return None


async def mhtml(channel: Channel, seconds: float) -> bytes:
    """Return the page as an MHTML archive."""
    # The browser writes archives only while the clock runs; the page's scripts must not use that.
    await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=seconds)
    await channel.send("Emulation.setVirtualTimePolicy", {"policy": "advance"}, timeout=seconds)
    archive = await channel.send("Page.captureSnapshot", {"format": "mhtml"}, timeout=seconds)
    data: str = archive["data"]
    return data.encode()
