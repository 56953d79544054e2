"""The ε of a training whose batches are Poisson samples, shuffled, or in a fixed order, over the noise."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpcore import composition, gaussian
from dpcore.checks import Array, interval_bounds
from dpcore.composition import NOISE_RANGE
from pages.composition.dp_sgd.results import TrainingNumbers, epsilon_of_training, exact_epsilons, solve_training
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_up
from pages.framework.rendering.uploaded_files import kept
from pages.shared.guarantee_claims import number
from pages.shared.releases import MAX_COUNT
from pages.shared.status_lines import refined

MOST_NOISE = interval_bounds(NOISE_RANGE)[1]
_PER_DECADE, _MAX_POINTS = 18, 30


@dataclass(frozen=True)
class Batching(TrainingNumbers):
    """A training whose batches are drawn in one of three ways: `rate` and `release` are those of Poisson sampling.

    `solve` names the number that is solved for with the batches of the loader, as in `Training`; `target` is the page's
    ε. Where no number satisfies it, `is_solved` is False, and the number stands at its most private end. Without
    amplification ε is that of any batch size, so that none is solved for: `batch` is then the one that was entered.
    """

    loader: str
    solve: str
    target: float
    is_solved: bool = True

    @property
    def batches(self) -> int:
        """Return the number of batches in an epoch where records are used in turn; the last may be smaller."""
        return int(composition.steps_of_epochs(1, self.records, self.batch))

    @property
    def uses(self) -> int:
        """Return the largest number of batches that a record can be in where records are used in turn."""
        return math.ceil(self.epochs)

    @property
    def complete_epochs(self) -> int:
        """Return the number of complete epochs, to which the bound for shuffled batches applies."""
        return math.floor(self.epochs)

    @property
    def reported(self) -> float:
        """Return the ε to report: for Poisson batches theirs, for others the one without amplification."""
        return self.poisson if self.loader == "poisson" else self.at_most

    @property
    def poisson(self) -> float:
        """Return the certified ε under Poisson sampling."""
        return epsilon_of_training(self.release, self.delta)

    @property
    def at_least(self) -> float:
        """Return a lower bound on the ε of shuffled batches; 0 for less than one epoch."""
        return float(_shuffled_lower_bound(self.delta, self.noise, self.batches, self.complete_epochs))

    @property
    def at_most(self) -> float:
        """Return ε without amplification: that of a fixed order, and an upper bound for shuffled batches."""
        return float(composition.unamplified_epsilon(self.delta, self.noise, self.uses))


def batching_at(result: CompositionResult) -> Batching:
    """Return the training of the page, with its loader.

    What is asked is solved for with the batches of the loader; noise is rounded up as it is shown.
    """
    training, loader, solve = result.training, result.values["loader"], result.values["solve"]
    if loader == "poisson" or solve == "epsilon":
        given = _batching(training, loader, solve, training.target)
        given = replace(given, is_solved=training.is_solved)
        return _with_shown_noise(given, training.noise) if solve == "noise" else given
    given = _batching(result.asked_training, loader, solve, training.target)
    if solve == "noise":
        return _with_shown_noise(given, unamplified_noise(given.target, given.delta, given.uses))
    if solve == "rate":
        return replace(given, is_solved=given.at_most <= given.target)
    epochs = unamplified_epochs(given.target, given.delta, given.noise)
    return replace(_with_epochs(given, max(epochs, 1)), is_solved=epochs > 0)


def _batching(training: TrainingNumbers, loader: str, solve: str, target: float) -> Batching:
    """Return a training with the batches of a loader."""
    numbers = training.records, training.batch, training.epochs, training.noise, training.steps, training.delta
    return Batching(*numbers, loader, solve, target)


def _with_shown_noise(batching: Batching, noise: float) -> Batching:
    """Return a training with this noise, rounded up as it is shown, if that satisfies its target."""
    shown = replace(batching, noise=min(float(number(format_up(min(noise, MOST_NOISE)))), MOST_NOISE))
    return replace(shown, is_solved=shown.reported <= shown.target)


def _with_epochs(batching: Batching, epochs: int) -> Batching:
    """Return a training of so many epochs, or of as many as the most steps of the page are."""
    lasting = min(float(epochs), MAX_COUNT * batching.rate)
    steps = min(int(composition.steps_of_epochs(lasting, batching.records, batching.batch)), MAX_COUNT)
    return replace(batching, epochs=lasting, steps=steps)


def ribbon_around(batching: Batching) -> dict[str, Array]:
    """Return ε over the noise: under Poisson sampling, the lower bound for shuffled batches, and unamplified."""
    in_turn = batching.batches, batching.complete_epochs, batching.uses
    return kept(_ribbon, batching.rate, batching.steps, in_turn, batching.delta, noise_decades(batching.noise))


def noise_decades(noise: float) -> tuple[float, float]:
    """Return the range of noise in powers of ten: .3 to 10, and whole decades more for settings beyond it."""
    low, high = math.log10(0.3), 1.0
    while noise < 10**low * (1 - 1e-9):
        low -= 1
    while noise > 10**high * (1 + 1e-9):
        high += 1
    lower_end, upper_end = (math.log10(end) for end in interval_bounds(NOISE_RANGE))
    return max(low, lower_end), min(high, upper_end)


def _ribbon(
    rate: float, steps: int, in_turn: tuple[int, int, int], delta: float, ends: tuple[float, float]
) -> dict[str, Array]:
    (batches, whole, uses), n_points = in_turn, min(round(_PER_DECADE * (ends[1] - ends[0])), _MAX_POINTS)
    noise = np.logspace(*ends, n_points)
    if whole:
        noise = np.union1d(noise, refined(noise, lambda at: _shuffled_lower_bound(delta, at, batches, whole)))
    return {
        "noise": noise,
        "poisson": exact_epsilons(noise, rate, steps, delta),
        "at_least": np.asarray(_shuffled_lower_bound(delta, noise, batches, whole)),
        "at_most": np.asarray(composition.unamplified_epsilon(delta, noise, uses)),
    }


def _shuffled_lower_bound(delta: float, noise: Array | float, batches: int, whole: int) -> Array:
    if not whole:
        return np.zeros(np.shape(noise))
    return composition.shuffled_batches_epsilon_at_least(delta, noise, batches, whole)


def poisson_noise(batching: Batching, target: float) -> float:
    """Return the noise with which Poisson sampling satisfies a target: that of the training if it does; inf if none."""
    numbers = TrainingNumbers.of_epochs(batching.records, batching.batch, batching.epochs, 1.0, batching.delta)
    training = kept(solve_training, "noise", numbers, target)
    noise = training.noise if training.is_solved else math.inf
    return min(noise, batching.noise) if batching.poisson <= target else noise


def unamplified_epochs(target: float, delta: float, noise: float) -> int:
    """Return the most whole epochs that satisfy a target without amplification, up to 1e6; 0 if not even one does."""
    epochs = math.floor(min((noise / float(gaussian.analytic_sigma(target, delta))) ** 2 * (1 + 1e-12), MAX_COUNT))
    is_safe = epochs > 0 and composition.unamplified_epsilon(delta, noise, epochs) <= target
    return epochs if is_safe else max(epochs - 1, 0)


def unamplified_noise(target: float, delta: float, uses: int) -> float:
    """Return the noise that satisfies a target without amplification: √uses times that of one release."""
    return float(gaussian.analytic_sigma(target, delta)) * math.sqrt(uses) * (1 + 1e-15)
