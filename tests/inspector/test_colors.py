"""The colours of the inspector differ for people who lack one kind of cones, too."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

PAINT = Path(__file__).parents[2] / "inspector" / "static" / "paint.js"
#: Full dichromacy on linear RGB: Machado, Oliveira and Fernandes (2009), table 1, severity 1.0.
VISION = {
    "all cones": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
#: Linear sRGB to CIE XYZ, D65 (IEC 61966-2-1), and its white.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = XYZ.sum(axis=1)
CONTENT = {"body", "post", "standfirst", "note"}


def colors(name):
    block = re.search(rf"const {name} = {{(.*?)}};", PAINT.read_text(), re.DOTALL)[1]
    return dict(re.findall(r'(\w+): "([^"]+)"', block))


def linear(color):
    values = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(color, vision):
    """CIELAB of a colour as a person with a kind of vision sees it."""
    ratio = XYZ @ np.clip(np.asarray(VISION[vision]) @ linear(color), 0, 1) / WHITE
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), ratio * 24389 / 27 / 116 + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def least_distance(pairs, vision):
    return min(float(np.linalg.norm(lab(one, vision) - lab(other, vision))) for one, other in pairs)


@pytest.mark.parametrize("vision", VISION)
def test_role_colors_differ_for_all_vision(vision):
    roles = colors("ROLE_COLORS")
    assert least_distance(combinations(roles.values(), 2), vision) > 10
    across = [(roles[one], roles[other]) for one in roles for other in roles if one in CONTENT and other not in CONTENT]
    assert least_distance(across, vision) > 13


@pytest.mark.parametrize("vision", VISION)
def test_verdict_colors_differ_for_all_vision(vision):
    assert least_distance(combinations(colors("VERDICT_COLORS").values(), 2), vision) > 15


def test_role_letters_differ():
    letters = colors("ROLE_LETTERS")
    assert letters.keys() == colors("ROLE_COLORS").keys()
    assert len(set(letters.values())) == len(letters)


def test_role_colors_contrast_with_white():
    # Contrast of WCAG 2.2: 4.5 for small text.
    for color in colors("ROLE_COLORS").values():
        assert 1.05 / (float(XYZ[1] @ linear(color)) + 0.05) >= 4.5
