"""A training with DP-SGD: its numbers, with the open one solved for, the curves of its figures, and the map."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import composition
from dpcore.checks import EPSILON_RANGE, Array, interval_bounds
from dpcore.composition import Release, sampled_release
from pages.framework.chart.theme import round_axis_end
from pages.framework.rendering.uploaded_files import kept
from pages.shared.releases import MAX_COUNT

_MAX_NOISE, _MAX_TARGET = 1e6, interval_bounds(EPSILON_RANGE)[1]
MIN_EXACT_NOISE = 0.05  # with less noise the contour integral takes most of a second
_MIN_EXACT_EPOCHS, _EXACT_DELTAS = 1.0, (1e-15, 0.1)  # beyond these the exact noise takes seconds
_MAX_FAILURES = 3  # integrals of a figure that do not converge; each takes up to .2 s
_POINTS = 10  # of a smooth curve over epochs


@dataclass(frozen=True)
class TrainingNumbers:
    """The numbers of a training with noise on the gradients of each batch."""

    records: float
    batch: float
    epochs: float
    noise: float
    steps: int
    delta: float

    @classmethod
    def of_epochs(cls, records: float, batch: float, epochs: float, noise: float, delta: float) -> "TrainingNumbers":
        """Return a training with the steps of so many epochs."""
        steps = int(composition.steps_of_epochs(epochs, records, batch))
        return TrainingNumbers(records, batch, epochs, noise, steps, delta)

    @property
    def rate(self) -> float:
        """Return the probability that a record takes part in a step."""
        return self.batch / self.records

    @property
    def release(self) -> Release:
        """Return the training as a release."""
        return sampled_release(self.noise, self.rate, self.steps)


@dataclass(frozen=True)
class Training(TrainingNumbers):
    """A training, in which `solve` names the number that is solved for; `target` is the page's ε.

    `is_solved` is whether there is a solution. Without one, the number stands at its most private end.
    """

    solve: str
    target: float
    is_solved: bool = True

    @cached_property
    def epsilon(self) -> float:
        """Return the certified ε of the training."""
        return epsilon_of_training(self.release, self.delta)

    @property
    def rdp(self) -> float:
        """Return ε by RDP."""
        return float(composition.epsilon((self.release,), self.delta, "rdp").value)

    @cached_property
    def exact(self) -> float:
        """Return an estimate of ε to about nine digits; NaN where exact integration fails or takes too long."""
        if self.epsilon == 0:
            return 0.0
        if self.noise < MIN_EXACT_NOISE:
            return math.nan
        integral = composition.exact_epsilon((self.release,), self.delta)
        return float(integral.value) if integral.converged else math.nan

    @property
    def best_epsilon(self) -> float:
        """Return the best value of ε: the exact one or, where there is none, the certified one."""
        return self.epsilon if math.isnan(self.exact) else self.exact

    @cached_property
    def clt(self) -> float:
        """Return ε by the central limit theorem, which is no bound; NaN for too little noise."""
        return float(_finite_or_nan(composition.dp_sgd_epsilon(self.delta, self.noise, self.rate, self.steps, "clt")))

    @cached_property
    def rdp_answer(self) -> float:
        """Return the number that is solved for, by RDP; inf or 0 if RDP has no solution."""
        return _answer_by(self, "rdp")

    @property
    def reference_epsilon(self) -> float:
        """Return the ε of all trainings in a figure: the target, or the ε of this training."""
        return min(self.epsilon, _MAX_TARGET) if self.solve == "epsilon" else self.target


def solve_training(solve: str, asked: TrainingNumbers, target: float) -> Training:
    """Return a training whose number `solve` ("epsilon", "noise", "steps" or "rate") follows from the others."""
    records, batch, epochs = asked.records, asked.batch, asked.epochs
    training = Training(records, batch, epochs, asked.noise, asked.steps, asked.delta, solve, target)
    if solve == "epsilon":
        return training
    answer = _answer_by(training, "certified")
    if solve == "noise":
        return replace(training, noise=min(answer, _MAX_NOISE), is_solved=math.isfinite(answer))
    if solve == "steps":
        steps = max(int(answer), 1)
        return replace(training, steps=steps, epochs=steps * batch / records, is_solved=answer > 0)
    size = answer or max(1.0, math.ceil(epochs * records / MAX_COUNT))
    steps = int(composition.steps_of_epochs(epochs, records, min(size, records)))
    return replace(training, batch=min(size, records), steps=min(steps, MAX_COUNT), is_solved=answer > 0)


def _answer_by(training: Training, accountant: str) -> float:
    """Return the number that `training.solve` names by an accountant: the noise, the steps or the batch."""
    target = training.target, training.delta
    if training.solve == "noise":
        return float(composition.dp_sgd_noise_multiplier(*target, training.rate, training.steps, accountant))
    if training.solve == "steps":
        return float(composition.dp_sgd_steps(*target, training.noise, training.rate, accountant))
    return float(composition.dp_sgd_batch(*target, training.noise, training.epochs, training.records, accountant))


def epsilon_of_training(release: Release, delta: float) -> float:
    """Return the certified ε of a training, as `composition.dp_sgd_epsilon` does."""
    return float(composition.epsilon((release,), delta, "certified").value)


def exact_epsilons(noise: ArrayLike, rate: ArrayLike, steps: ArrayLike, delta: float) -> Array:
    """Return ε by the contour integral of each training.

    It is NaN where the integral does not converge fast, and for all trainings after a few of these. Trainings that
    differ in their steps alone are computed at once.
    """
    noise, rate, steps = np.broadcast_arrays(noise, rate, steps)
    epsilons, n_failures = np.full(steps.shape, np.nan), 0
    mechanisms = np.unique(np.stack([noise.ravel(), rate.ravel()], axis=1), axis=0)
    for z, q in mechanisms[mechanisms[:, 0] >= MIN_EXACT_NOISE]:
        rows = (noise == z) & (rate == q)
        integral = composition.exact_epsilon((sampled_release(float(z), float(q)),), delta, steps[rows])
        epsilons[rows] = np.where(integral.converged, integral.value, np.nan)
        n_failures += np.count_nonzero(~integral.converged)
        if n_failures > _MAX_FAILURES:
            break
    return epsilons


def _finite_or_nan(values: ArrayLike) -> Array:
    """Return the values, with NaN for those that are not finite."""
    return np.where(np.isfinite(values), values, np.nan)


def epoch_curves(training: Training) -> dict[str, Array]:
    """Return ε over epochs: by `composition.exact_epsilon`, and by RDP and the CLT of `composition.dp_sgd_epsilon`."""
    return kept(_epoch_curves, training.noise, training.rate, training.delta, epochs_axis_end(training))


def epochs_axis_end(training: Training) -> float:
    """Return the number of epochs at which the axis ends."""
    return min(round_axis_end(1.6 * training.epochs), MAX_COUNT * training.rate)


def _epoch_curves(noise: float, rate: float, delta: float, axis_end: float) -> dict[str, Array]:
    """Return the curves at points that lie close where the curves bend, like those of a square root."""
    steps = np.unique(np.ceil(np.linspace(0, 1, _POINTS + 1)[1:] ** 2 * axis_end / rate)).clip(1, MAX_COUNT)
    rdp, clt = (composition.dp_sgd_epsilon(delta, noise, rate, steps, name) for name in ("rdp", "clt"))
    exact = exact_epsilons(noise, rate, steps, delta)
    return {"epochs": steps * rate, "steps": steps, "exact": exact, "rdp": rdp, "clt": _finite_or_nan(clt)}


def has_exact_noise(epochs: float, delta: float) -> bool:
    """Return whether the figure has the exact noise over the batch."""
    return epochs >= _MIN_EXACT_EPOCHS and _EXACT_DELTAS[0] <= delta <= _EXACT_DELTAS[1]


def batch_curves(training: Training) -> dict[str, Array]:
    """Return the noise over the batch that satisfies the ε of a training, exactly and by RDP."""
    target, delta = training.reference_epsilon, training.delta
    return kept(_batch_curves, training.records, training.epochs, target, delta, batch_decades(training))


def batch_decades(training: Training) -> tuple[int, int]:
    """Return the decades of the batch axis, from four below N."""
    high = math.ceil(math.log10(training.records))
    return min(max(high - 4, 0), math.floor(math.log10(training.batch))), max(high, 1)


def _batch_curves(
    records: float, epochs: float, target: float, delta: float, ends: tuple[int, int]
) -> dict[str, Array]:
    least = max(10.0 ** ends[0], epochs * records / MAX_COUNT)
    batch = np.geomspace(min(least, records), records, 2 * (ends[1] - ends[0]) + 1)
    steps = composition.steps_of_epochs(epochs, records, batch).clip(1, MAX_COUNT)
    rate = np.minimum(batch / records, 1)
    rdp = composition.dp_sgd_noise_multiplier(target, delta, rate, steps, "rdp")
    exact = np.full(batch.size, np.nan)
    for place in reversed(range(batch.size if has_exact_noise(epochs, delta) else 0)):
        if place + 2 < batch.size:  # the logarithms of the batch are evenly spaced, those of the noise nearly so
            near = max(exact[place + 1] ** 2 / exact[place + 2], MIN_EXACT_NOISE / 2)
            if math.isnan(float(exact_epsilons(near, rate[place], steps[place], delta))):
                break  # the search would take long, as for smaller batches
        exact[place] = composition.dp_sgd_noise_multiplier(target, delta, rate[place], steps[place], "exact")
        if not MIN_EXACT_NOISE <= exact[place] < math.inf:
            break
    return {"batch": batch, "exact": _finite_or_nan(exact), "rdp": _finite_or_nan(rdp)}


RATES, NOISES = np.geomspace(1e-4, 1, 9), np.geomspace(0.4, 10, 8)


@dataclass(frozen=True, eq=False)
class RatioMap:
    """RDP and the CLT over the exact ε, with a row for each noise and a column for each rate.

    The ratios are NaN where there is no exact ε. `is_too_long` marks the rates at which the epochs take more than a
    million steps, for which nothing is computed.
    """

    exact: Array
    rdp: Array
    clt: Array
    is_too_long: NDArray[np.bool_]


def ratio_map(epochs: float, delta: float) -> RatioMap:
    """Return the ratios over rate and noise for a number of epochs, which take epochs ÷ rate steps."""
    is_feasible = np.ceil(epochs / RATES) <= MAX_COUNT
    noise, rate, steps = NOISES[:, None], RATES[is_feasible], np.ceil(epochs / RATES[is_feasible])
    epsilons = np.full((3, NOISES.size, RATES.size), np.nan)
    epsilons[0, :, is_feasible] = exact_epsilons(noise, rate, steps, delta).T
    for row, name in ((1, "rdp"), (2, "clt")):
        epsilons[row, :, is_feasible] = composition.dp_sgd_epsilon(delta, noise, rate, steps, name).T
    exact = np.where(epsilons[0] > 0, epsilons[0], np.nan)
    return RatioMap(exact, epsilons[1] / exact, epsilons[2] / exact, ~is_feasible)
