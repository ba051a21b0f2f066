"""What a rendering depends on beside the page: the browser, the fonts, what the page was told about its reader."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache

from ..render_options import RenderOptions

_LIST_SECONDS = 10.0

#: A clock that stands still (at the start of 2024, a Monday) and random numbers from a seed, for every frame of a page.
#: What is measured with ``performance.now`` and drawn frame by frame goes on: it would never end otherwise.
DETERMINISTIC = """(() => {
  const instant = 1704067200000, Real = Date;
  const Fixed = new Proxy(Real, {
    construct(target, given, made) {
      return Reflect.construct(target, given.length ? given : [instant], made === Fixed ? Real : made); },
    apply() { return new Real(instant).toString(); },
  });
  Real.now = () => instant;
  Real.prototype.constructor = Fixed;
  globalThis.Date = Fixed;
  let state = 0x9e3779b9;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = random;
  const hex = (digits) => Array.from({length: digits}, () => Math.floor(random() * 16).toString(16)).join("");
  Crypto.prototype.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    return array;
  };
  Crypto.prototype.randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
})()"""


def environment(options: RenderOptions, browser: str, *, scripts: str = "ran") -> dict[str, str]:
    """Describe what a rendering depended on; the same description should give the same boxes.

    Parameters
    ----------
    options : RenderOptions
    browser : str
        Name and version.
    scripts : str
        What became of the page's scripts: "ran", "failed" (one at least), "off", or "kept out" (no network for it).
    """
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
    """Count and digest of the fonts that fontconfig knows, "unknown" where there is no fontconfig."""
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
