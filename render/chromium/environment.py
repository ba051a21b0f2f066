"""Environment of a rendering, besides the page: the browser, the fonts and the render options."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache

from ..render_options import RenderOptions

_LIST_SECONDS = 10.0


def environment(options: RenderOptions, browser: str, *, scripts: str = "ran") -> dict[str, str]:
    """Describe what a rendering depends on; ``scripts`` is "ran", "failed", "off" or "kept out" (no network)."""
    width, height = options.viewport
    return {
        "browser": browser,
        "fonts": installed_fonts(),
        "viewport": f"{width}x{height}",
        "device_scale": f"{options.device_scale:g}",
        "locale": options.locale,
        "timezone": options.timezone,
        "javascript": str(options.javascript).lower(),
        "scripts": scripts,
        "deterministic": str(options.deterministic).lower(),
    }


@cache
def installed_fonts() -> str:
    """Return the number and the digest of the fonts that fontconfig lists, "unknown" without fontconfig."""
    program = shutil.which("fc-list")
    if program is None:
        return "unknown"
    try:
        listed = subprocess.run(
            [program, ":", "family", "style", "fontversion"], capture_output=True, check=True, timeout=_LIST_SECONDS
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    lines = sorted(listed.splitlines())
    digest = hashlib.sha256(b"\n".join(lines)).hexdigest()
    return f"{len(lines)} {digest[:16]}"
