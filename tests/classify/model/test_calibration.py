"""What scores mean, by hand."""

import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration


def test_the_probability():
    found = Calibration(slope=2.0, offset=1.0).probability(np.array([-0.5, 0.5, 1e9, -1e9]))
    assert found.tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-2)), 1.0, 0.0])


def test_the_shifts_of_a_page():
    places, weight = Calibration(slope=1.0, offset=0.0).shifts()
    assert (places.tolist(), weight.tolist()) == ([0.0], [1.0])
    places, weight = Calibration(slope=1.0, offset=0.0, spread=0.5).shifts()
    assert weight.sum() == pytest.approx(1)
    assert weight @ places == pytest.approx(0)
    assert weight @ places**2 == pytest.approx(0.25)


def test_the_points_are_those_of_gauss_and_hermite():
    places, weight = np.polynomial.hermite_e.hermegauss(9)
    shifts, share = Calibration(slope=1.0, offset=0.0, spread=1.0).shifts()
    np.testing.assert_allclose(shifts, places, rtol=1e-12)
    np.testing.assert_allclose(share, weight / weight.sum(), rtol=1e-12)
