"""Folds by site, and the probability of decisions on sites that were not seen."""

import numpy as np
import pytest
from blocksight.classify.systems.learning.unseen_sites import TooFewSites, fit_platt, folds_by_site


def test_folds_by_site_keeps_sites_whole():
    sites = np.array(["a", "b", "a", "c", "d", "a", "b"])
    fold = folds_by_site(sites, 3)
    assert set(fold.tolist()) == {0, 1, 2}
    assert all(len(np.unique(fold[sites == site])) == 1 for site in sites)
    # The largest site is a fold of its own.
    assert [np.sum(fold == fold[0]), np.sum(fold == fold[1])] == [3, 2]


def test_names_and_numbers_of_sites_give_the_same_folds():
    sites = np.array(["b", "a", "c", "a", "b", "b"])
    assert folds_by_site(sites, 2).tolist() == folds_by_site(np.unique(sites, return_inverse=True)[1], 2).tolist()


def test_folds_by_site_at_most_one_a_site():
    assert set(folds_by_site(["a", "b"], 4).tolist()) == {0, 1}


def test_folds_by_site_refuses_one_site():
    for sites in ([], ["a", "a"]):
        with pytest.raises(TooFewSites, match="two sites"):
            folds_by_site(sites, 3)


def test_probabilities_are_calibrated():
    random = np.random.default_rng(0)
    decisions = random.normal(size=4000)
    labels = random.random(4000) < 1 / (1 + np.exp(-(2 * decisions + 0.5)))
    found = fit_platt(decisions, labels)
    assert (found.slope, found.offset, found.spread) == (pytest.approx(2, abs=0.15), pytest.approx(0.5, abs=0.15), 0)
    assert fit_platt(decisions, labels, np.ones(4000)) == found
    # What weighs nothing says nothing.
    half = np.where(decisions > 0, 2.0, 0.0)
    other = fit_platt(np.where(decisions > 0, decisions, -decisions), labels ^ (decisions < 0), half)
    assert other == fit_platt(np.where(decisions > 0, decisions, decisions * 0), labels & (decisions > 0), half)
