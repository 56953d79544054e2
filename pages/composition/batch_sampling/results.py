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

    `solve` is "noise" or "steps" where that is solved for the ε that is the `target`, else "epsilon".
    """

    loader: str
    solve: str = "epsilon"
    target: float = math.inf

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


def solved_number(result: CompositionResult) -> str:
    """Return which number is solved for: ε instead of the batch, on which it depends with Poisson batches alone."""
    solve = str(result.values["solve"])
    return "epsilon" if solve == "rate" and result.values["loader"] != "poisson" else solve


def batching_at(result: CompositionResult) -> Batching:
    """Return the training of the page, with its loader; noise and epochs are solved for with the batches of that.

    Noise is rounded up as it is shown. Where none is enough, or one epoch is too much, the training has the most noise,
    or one epoch.
    """
    values, target, solve = result.values, result.setting.epsilon, solved_number(result)
    if values["loader"] == "poisson":
        training = result.training
        numbers = training.records, training.batch, training.epochs, training.noise, training.steps, training.delta
        given = Batching(*numbers, "poisson")
        is_noise = solve == "noise"
        return replace(given, noise=_shown_noise(given.noise), solve=solve, target=target) if is_noise else given
    records, batch, epochs, noise = (values[key] for key in ("records", "batch", "epochs", "noise_multiplier"))
    asked = TrainingNumbers.of_epochs(records, batch, epochs, noise, result.setting.delta)
    given = Batching(**vars(asked), loader=values["loader"])
    if solve == "noise":
        noise = _shown_noise(unamplified_noise(target, given.delta, given.uses))
        return replace(given, noise=noise, solve=solve, target=target)
    if solve == "steps":
        epochs = max(unamplified_epochs(given, target), 1)
        steps = int(composition.steps_of_epochs(epochs, given.records, given.batch))
        return replace(given, epochs=epochs, steps=steps, solve=solve, target=target)
    return given


def _shown_noise(noise: float) -> float:
    return min(float(number(format_up(min(noise, MOST_NOISE)))), MOST_NOISE)


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
    """Return the noise with which Poisson sampling satisfies a target; inf if none does."""
    numbers = TrainingNumbers.of_epochs(batching.records, batching.batch, batching.epochs, 1.0, batching.delta)
    training = kept(solve_training, "noise", numbers, target)
    return training.noise if training.is_solved else math.inf


def poisson_epochs(batching: Batching, target: float) -> float:
    """Return the epochs that Poisson sampling allows within a target; 0 if not one step."""
    numbers = TrainingNumbers.of_epochs(batching.records, batching.batch, 1.0, batching.noise, batching.delta)
    training = kept(solve_training, "steps", numbers, target)
    return training.epochs if training.is_solved else 0.0


def unamplified_epochs(batching: Batching, target: float) -> int:
    """Return the most whole epochs within a target without amplification, of at most as many steps as are computed.

    It is the largest number of uses of a record, (z ÷ σ)², with σ that of one release.
    """
    most, noise, delta = max(MAX_COUNT // batching.batches, 1), batching.noise, batching.delta
    epochs = min(int((noise / float(gaussian.analytic_sigma(target, delta))) ** 2 * (1 + 1e-9)), most)
    while epochs and float(composition.unamplified_epsilon(delta, noise, epochs)) > target:
        epochs -= 1
    return epochs


def unamplified_noise(target: float, delta: float, uses: int) -> float:
    """Return the noise that satisfies a target without amplification: √uses times that of one release."""
    return float(gaussian.analytic_sigma(target, delta)) * math.sqrt(uses) * (1 + 1e-15)
