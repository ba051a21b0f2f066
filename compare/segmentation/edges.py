"""Edges in the screenshot of a page, on which Kiesel et al. (CIKM 2020) compare segmentations."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage
from skimage.feature import canny

#: Canny's sigma in pixels, and his two thresholds as shares of the steepest gradient in the picture.
FINE = (1.0, 0.01, 0.02)
COARSE = (5.0, 0.01, 0.16)


def edges(picture: bytes, settings: tuple[float, float, float] = FINE) -> NDArray[np.bool_]:
    """Return the edges in a screenshot (Canny 1986), bool (height, width).

    ``settings`` are :data:`FINE` (outlines of letters) or :data:`COARSE` (of larger parts).
    """
    sigma, low, high = settings
    light = np.asarray(Image.open(io.BytesIO(picture)).convert("L"), dtype=np.float64) / 255
    smooth = ndimage.gaussian_filter(light, sigma)
    steepest = float(np.hypot(ndimage.sobel(smooth, 0), ndimage.sobel(smooth, 1)).max(initial=0.0))
    result: NDArray[np.bool_] = canny(  # type: ignore[no-untyped-call]
        light, sigma, low_threshold=low * steepest, high_threshold=high * steepest
    )
    return result & (steepest > 0)
