"""A training with DP-SGD: its numbers, with what was left open solved for, and what is drawn of it."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore import composition
from dpcore.checks import EPSILON_RANGE, Array, ends
from dpcore.composition import Release, sampled_release
from pages.composition.parameters import MOST_RUNS
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import round_axis_end

_MOST_NOISE, _MOST_TARGET = 1e6, ends(EPSILON_RANGE)[1]
LEAST_NOISE = 0.05  # for less the contour takes most of a second
_LEAST_EPOCHS, _DELTAS = 1.0, (1e-15, 0.1)  # beyond them the exact noise would take seconds
_MOST_FAILED = 3  # integrals of a picture that do not converge, each of which takes up to a fifth of a second
_POINTS = 13  # of a curve over epochs, drawn smoothly


@dataclass(frozen=True)
class Training:
    """A training, of which `solve` names what was solved for; `target` is the page's ε.

    `kept` is whether there is an answer. Where there is none, what was solved for stands at its most private end.
    """

    solve: str
    records: float
    batch: float
    epochs: float
    noise: float
    steps: int
    target: float
    delta: float
    kept: bool = True

    @property
    def rate(self) -> float:
        """The chance of a record to take part in a step."""
        return self.batch / self.records

    @property
    def release(self) -> Release:
        """The training as a release."""
        return sampled_release(self.noise, self.rate, self.steps)

    @property
    def epsilon(self) -> float:
        """ε of the training, certified."""
        return certified(self.release, self.delta)

    @property
    def rdp(self) -> float:
        """ε by RDP."""
        return float(composition.epsilon((self.release,), self.delta, "rdp").value)

    @property
    def exact(self) -> float:
        """ε to about nine digits, an estimate; NaN where exact integration fails or takes too long."""
        return 0.0 if self.epsilon == 0 else _exact(self.release, self.delta)

    @property
    def least(self) -> float:
        """The best value of ε there is: exact or, where that has none, certified."""
        return self.epsilon if math.isnan(self.exact) else self.exact

    @property
    def clt(self) -> float:
        """ε by the central limit theorem, without a promise; NaN for noise so little that it says nothing."""
        return _clt(self.release, self.delta)

    @cached_property
    def by_rdp(self) -> float:
        """What was solved for, by RDP; inf or 0 if RDP has no answer."""
        return _solved_for(self, "rdp")

    @property
    def wanted(self) -> float:
        """The ε that other trainings are to keep in a picture: the target, or the ε of this one."""
        return min(self.epsilon, _MOST_TARGET) if self.solve == "epsilon" else self.target


@dataclass(frozen=True, eq=False)
class Along:
    """ε over epochs by each account."""

    epochs: Array
    steps: Array
    exact: Array
    rdp: Array
    clt: Array


def training(result: CompositionResult) -> Training:
    """The training that the page's parameters ask for, with what they leave open."""
    values, setting = result.values, result.setting
    records, batch, epochs, noise = (values[key] for key in ("records", "batch", "epochs", "noise_multiplier"))
    return training_of(values["solve"], records, batch, epochs, noise, setting.epsilon, setting.delta)


def solve(result: CompositionResult) -> str:
    """What is asked for: "epsilon", "noise", "steps" or "rate"."""
    return result.values["solve"]


def view(result: CompositionResult) -> str:
    """What is drawn: "steps", "batch" or "map"."""
    return result.values["training_view"]


@lru_cache(1024)
def training_of(
    solve: str, records: float, batch: float, epochs: float, noise: float, target: float, delta: float
) -> Training:
    """A training whose number `solve` ("epsilon", "noise", "steps" or "rate") follows from the others."""
    steps = int(composition.steps_of_epochs(epochs, records, batch))
    asked = Training(solve, records, batch, epochs, noise, steps, target, delta)
    if solve == "epsilon":
        return asked
    answer = _solved_for(asked, "certified")
    if solve == "noise":
        return _with(asked, noise=min(answer, _MOST_NOISE), kept=math.isfinite(answer))
    if solve == "steps":
        taken = max(int(answer), 1)
        return _with(asked, steps=taken, epochs=taken * batch / records, kept=answer > 0)
    size = answer or max(1.0, math.ceil(epochs * records / MOST_RUNS))
    steps = int(composition.steps_of_epochs(epochs, records, min(size, records)))
    return _with(asked, batch=min(size, records), steps=min(steps, MOST_RUNS), kept=answer > 0)


def _with(asked: Training, **changed: float) -> Training:
    return Training(**{**vars(asked), **changed})


@lru_cache(1024)
def _solved_for(now: Training, accountant: str) -> float:
    """What `now.solve` names, by an accountant: the noise, the steps or the batch."""
    target = now.target, now.delta
    if now.solve == "noise":
        return float(composition.dp_sgd_noise_multiplier(*target, now.rate, now.steps, accountant))
    if now.solve == "steps":
        return float(composition.dp_sgd_steps(*target, now.noise, now.rate, accountant))
    return float(composition.dp_sgd_batch(*target, now.noise, now.epochs, now.records, accountant))


@lru_cache(4096)
def certified(release: Release, delta: float) -> float:
    """ε of a training, certified."""
    return float(composition.epsilon((release,), delta, "certified").value)


@lru_cache(4096)
def _clt(release: Release, delta: float) -> float:
    noise, rate = release.numbers
    return float(_finite(composition.dp_sgd_epsilon(delta, noise, rate, release.count, "clt")))


@lru_cache(4096)
def _exact(release: Release, delta: float) -> float:
    """ε as `dp_sgd_epsilon` integrates it exactly; NaN where that fails or takes too long."""
    if release.numbers[0] < LEAST_NOISE:
        return math.nan
    found = composition.exact_epsilon((release,), delta)
    return float(found.value) if found.converged else math.nan


def exactly(noise: ArrayLike, rate: ArrayLike, steps: ArrayLike, delta: float) -> Array:
    """ε by the contour integral of each training, NaN where it does not converge fast, and after some of these."""
    every = np.broadcast(noise, rate, steps)
    found = np.full(every.size, np.nan)
    for place, (z, q, t) in enumerate(every):
        found[place] = _exact(sampled_release(float(z), float(q), int(t)), delta)
        if np.count_nonzero(np.isnan(found[: place + 1])) > _MOST_FAILED:
            break
    return found.reshape(every.shape)


def _finite(values: ArrayLike) -> Array:
    """The values, with NaN for what says nothing."""
    return np.where(np.isfinite(values), values, np.nan)


def along(now: Training) -> Along:
    """ε over epochs, with the noise and the batch of a training."""
    return _along(now.noise, now.rate, now.delta, reach(now))


def reach(now: Training) -> float:
    """How many epochs are drawn."""
    return min(round_axis_end(1.6 * now.epochs), MOST_RUNS * now.rate)


@lru_cache(64)
def _along(noise: float, rate: float, delta: float, most: float) -> Along:
    """Points that lie close where the curves bend, like those of a square root."""
    steps = np.unique(np.ceil(np.linspace(0, 1, _POINTS + 1)[1:] ** 2 * most / rate)).clip(1, MOST_RUNS)
    rdp, clt = (composition.dp_sgd_epsilon(delta, noise, rate, steps, name) for name in ("rdp", "clt"))
    return Along(steps * rate, steps, exactly(noise, rate, steps, delta), rdp, _finite(clt))


def drawn_exactly(epochs: float, delta: float) -> bool:
    """Whether the exact noise over the batch is drawn."""
    return epochs >= _LEAST_EPOCHS and _DELTAS[0] <= delta <= _DELTAS[1]


@dataclass(frozen=True, eq=False)
class Batches:
    """The noise over the batch at which a target is kept, exactly and by RDP."""

    batch: Array
    exact: Array
    rdp: Array


def over_batches(now: Training) -> Batches:
    """The noise over the batch with which a training keeps its ε, epochs and records as they are."""
    return _over_batches(now.records, now.epochs, now.wanted, now.delta, batch_decades(now))


def batch_decades(now: Training) -> tuple[int, int]:
    """The decades of batches that are drawn: from four below N."""
    high = math.ceil(math.log10(now.records))
    return min(max(high - 4, 0), math.floor(math.log10(now.batch))), max(high, 1)


@lru_cache(64)
def _over_batches(records: float, epochs: float, target: float, delta: float, ends: tuple[int, int]) -> Batches:
    least = max(10.0 ** ends[0], epochs * records / MOST_RUNS)
    batch = np.geomspace(min(least, records), records, 2 * (ends[1] - ends[0]) + 1)
    steps = composition.steps_of_epochs(epochs, records, batch).clip(1, MOST_RUNS)
    rate = np.minimum(batch / records, 1)
    rdp = composition.dp_sgd_noise_multiplier(target, delta, rate, steps, "rdp")
    exact = np.full(batch.size, np.nan)
    for place in reversed(range(batch.size if drawn_exactly(epochs, delta) else 0)):
        exact[place] = composition.dp_sgd_noise_multiplier(target, delta, rate[place], steps[place], "exact")
        if math.isinf(exact[place]) or math.isnan(float(exactly(exact[place], rate[place], steps[place], delta))):
            break  # what is sparser still would take long
    return Batches(batch, _finite(exact), _finite(rdp))
