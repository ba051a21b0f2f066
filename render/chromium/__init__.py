"""render.chromium: Chromium started, driven, waited for and read."""
