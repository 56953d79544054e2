"""How far the mean of a simulated sample is from the value that it should have."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def standard_errors(excess: NDArray[Any]) -> float:
    """Return how many standard errors the mean of a sample is away from 0."""
    return float(abs(excess.mean()) / (excess.std() / np.sqrt(excess.size)))


def assert_unbiased(estimated: NDArray[Any], errors: NDArray[Any], scale: float) -> None:
    """Check that an estimate of errors has their mean, by a sample that knows it to 1 % of a scale."""
    excess = estimated - errors
    assert standard_errors(excess) < 5
    assert excess.std() / np.sqrt(excess.size) < 0.01 * scale  # so that the test can fail


def assert_frequencies(places: NDArray[np.integer], chance: NDArray[np.float64]) -> None:
    """Check that each of several outcomes was drawn as often as it should be, within 4 standard errors of its count."""
    counts = np.bincount(places.ravel(), minlength=chance.size)
    deviation = np.sqrt(places.size * chance * (1 - chance))
    assert np.all(abs(counts - places.size * chance) <= 4 * deviation + 1e-9)
    assert counts.size == chance.size
