"""How many guesses about a training are right at most, by dpcore alone."""

from math import sqrt

from dpcore import composition, tradeoff
from pages.composition.batch_sampling.results import batching_at
from tests.programs import at


def share_of_training(setting: str, bound: float) -> tuple[float, float]:
    """Return the exact share of right guesses by the curve of a training, and at most what is proved of it.

    The certified δ is within 2 % of the exact one; `bound` is the share by (ε, δ) alone, which no proof exceeds.
    """
    _, result = at(setting)
    if "loader=fixed" in setting:
        batching = batching_at(result)
        of_all = float(tradeoff.bayes_accuracy(tradeoff.gaussian_curve(sqrt(batching.uses) / batching.noise), 0.5))
        return of_all, of_all
    delta = float(composition.exact_delta((result.training.release,), 0.0).value)
    return (1 + delta) / 2, min((1 + 1.02 * delta) / 2, bound)
