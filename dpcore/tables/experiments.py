"""The experiments of [Liu19] §4: a table released many times by each mechanism, and how far the releases are from it.

Every cell is released with noise for a sensitivity of 1: one person is in one cell, and neighbours have that person or
not. [Liu19] then clips at the true total n and scales to it, "assuming n itself is public"; between such neighbours n
is not the same, so the guarantee that the mechanisms are calibrated to does not cover that step. With n public the
neighbours are those of a replaced record, for whom Δ₁ = 2 and Δ₂ = √2, and every scale here is too small.

The noises of one shape p are the same standard draws times each setting's scale (common random numbers): settings are
compared on the same luck, and their means are not independent of each other.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. [HS] Hausser & Strimmer, R package entropy.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, generalized_gaussian, laplace
from dpcore.calibrations import ANALYTIC, CLASSICAL, PDP
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    SHAPE_RANGE,
    Array,
    generator,
    leave_out,
    number,
    option,
    or_default,
    scalar,
    scalar_integer,
)
from dpcore.tables.release import Post, Progress, chunks, table_counts

_FIRST = ("laplace", "pdp", "classical")  # in every experiment of the paper
MECHANISMS = (*_FIRST, "generalized", "analytic")
_GAUSSIANS = {rule.key: rule for rule in (PDP, CLASSICAL, ANALYTIC)}


@dataclass(frozen=True)
class Setting:
    """A mechanism at one (ε, δ): noise of density ∝ e^{−(|x|/b)^p} with b = `scale` in counts; δ = 0 for Laplace."""

    mechanism: str
    epsilon: float
    delta: float
    p: float
    scale: float


@dataclass(frozen=True)
class PublishedExperiment:
    """The experiment of [Liu19] §4 on one data set, and its figures."""

    data: str
    n_records: int
    n_cells: int
    mechanisms: tuple[str, ...]
    figures: tuple[int, ...]
    epsilon: tuple[float, ...] = (0.5, 1.0, 2.0)
    delta: tuple[float, ...] = (0.01, 0.05, 0.1, 0.25)
    n_repeats: int = 500


PAPER = (
    PublishedExperiment("mildew", 70, 64, (*_FIRST, "generalized"), (6, 7)),
    PublishedExperiment("czech", 1841, 64, _FIRST, (8, 9)),
    PublishedExperiment("adult", 20_009, 17_985, _FIRST, (10, 11, 12)),
)


def experiment_settings(
    epsilon: ArrayLike, delta: ArrayLike, mechanisms: Iterable[str] = MECHANISMS, p: float | None = None
) -> tuple[Setting, ...]:
    """Return every mechanism at every (ε, δ), Laplace at every ε, with its scale for a sensitivity of 1.

    Parameters
    ----------
    epsilon, delta : numbers or lists of them, each taken once, the smallest first; ε in [1e-12, 1e6], δ in [1e-300, 1).
    mechanisms : of `MECHANISMS`. "laplace" is ε-DP with b = 1/ε; "pdp" Gaussian noise of (ε, δ)-probabilistic DP by Eq.
        17; "classical" Gaussian noise of σ by Eq. 18, which is proved to be (ε, δ)-DP for ε < 1 only; "generalized"
        noise of (ε, δ)-probabilistic DP by Cor. 9; "analytic" Gaussian noise of the least σ of (ε, δ)-DP, not in
        [Liu19]. The δ of the two guarantees are different quantities.
    p : shape of the generalized Gaussian noise alone, in [1, 100]; 3 by default, as in [Liu19].

    Examples
    --------
    >>> [(setting.mechanism, round(setting.scale, 3)) for setting in experiment_settings(0.5, 0.01, ("laplace", "pdp"))]
    [('laplace', 2.0), ('pdp', 7.55)]
    """
    chosen = tuple(mechanisms)
    for mechanism in chosen:
        option("mechanism", mechanism, MECHANISMS)
    if "generalized" not in chosen:
        leave_out("mechanisms without generalized", p=p)
    shape = scalar("p", or_default(p, 3.0), SHAPE_RANGE)
    epsilons = np.unique(number("epsilon", epsilon, POSITIVE_EPSILON_RANGE))
    deltas = np.unique(number("delta", delta, DELTA_RANGE))
    for name, values in (("epsilon", epsilons), ("delta", deltas)):
        scalar_integer(f"number of values of {name}", values.size, "[1, 10000]")
    return tuple(setting for mechanism in chosen for setting in _settings(mechanism, epsilons, deltas, shape))


def _settings(mechanism: str, epsilon: Array, delta: Array, p: float) -> list[Setting]:
    """Return a mechanism's settings at every pair of ε and δ; Laplace noise has δ = 0 alone."""
    epsilon, delta = epsilon[:, None], delta if mechanism != "laplace" else np.zeros(1)
    shape, scale = _mechanism_scales(mechanism, epsilon, delta, p)
    pairs = np.broadcast_arrays(epsilon, delta, scale)
    return [Setting(mechanism, e, d, shape, b) for e, d, b in np.stack(pairs, axis=-1).reshape(-1, 3).tolist()]


def _mechanism_scales(mechanism: str, epsilon: Array, delta: Array, p: float) -> tuple[float, Array]:
    """Shape and scale of a mechanism's noise."""
    if mechanism == "laplace":
        return 1.0, laplace.scale_from_epsilon(epsilon)
    if mechanism == "generalized":
        return float(p), generalized_gaussian.pdp_scale_disjoint(epsilon, delta, p)
    return 2.0, _GAUSSIANS[mechanism].scale(epsilon, delta) * 2**0.5


MEASURES = ("l1", "kl_original_sanitised", "kl_sanitised_original")
SMOOTHING_RANGE = "[1e-6, 1e6]"
EXPERIMENT_REPEATS_RANGE = "[2, 100000]"
_CHUNK = 2**16  # numbers of an array held at a time, unless one release is longer: what a processor's cache holds


def sanitised(
    rng: np.random.Generator, counts: ArrayLike, settings: Sequence[Setting], post: Post | None = None
) -> Array:
    """Return one release by each setting, shape (settings, cells); settings of one shape p share their draws.

    Parameters
    ----------
    counts : true counts in [0, 1e15], along one axis.
    settings : of `experiment_settings`.
    rng : the source of randomness.
    post : what is made of noisy counts, the cells along the last axis, as `post_process`.

    Examples
    --------
    >>> from dpcore.tables import experiment_settings
    >>> settings = experiment_settings([0.5, 1], 0.1, ["laplace", "analytic"])
    >>> sanitised(np.random.default_rng(1), [3, 0, 12], settings).shape
    (4, 3)
    """
    counts = table_counts(counts)
    released = np.empty((_n_settings(settings), counts.size))
    for index, noisy in _noisy(counts, settings, _sources(settings, rng), 1):
        released[index] = noisy[0] if post is None else post(noisy)[0]
    return released


def _n_settings(settings: Sequence[Setting]) -> int:
    return scalar_integer("number of settings", len(settings), "[1, 10000]")


def _sources(settings: Sequence[Setting], rng: np.random.Generator) -> dict[float, np.random.Generator]:
    """Return a random source for each shape of noise, whose draws do not depend on the other shapes."""
    generator("rng", rng)
    seed = int(rng.integers(2**63))
    return {p: np.random.default_rng([seed, int(p * 1e6)]) for p in sorted({setting.p for setting in settings})}


def _noisy(
    counts: Array, settings: Sequence[Setting], sources: dict[float, np.random.Generator], n_rows: int
) -> Iterator[tuple[int, Array]]:
    """For each setting its index and the counts with its noise, shape (rows, cells)."""
    for p, source in sources.items():
        noise = _standard_noise(source, p, (n_rows, counts.size))
        for index, setting in enumerate(settings):
            if setting.p == p:
                noisy = noise * setting.scale
                noisy += counts
                yield index, noisy


def _standard_noise(rng: np.random.Generator, p: float, size: tuple[int, int]) -> Array:
    if p == 1:
        return laplace.sample(rng, 1.0, size)
    if p == 2:
        return gaussian.sample(rng, 0.5**0.5, size)
    return generalized_gaussian.sample(rng, 1.0, p, size)


def experiment(
    rng: np.random.Generator,
    counts: ArrayLike,
    settings: Sequence[Setting],
    n_repeats: int = 500,
    post: Post | None = None,
    smoothing: float = 0.5,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Mean and standard deviation, over repeated releases, of the ℓ₁ distance and the KL divergences ([Liu19] §4).

    The ℓ₁ distance is Σ|release − count|, of the release after `post`. The divergences compare the smoothed shares
    p = (count + a)/Σ(count + a) and q = (release + a)/Σ(release + a), where a released count below 0 is taken as 0:
    KL(original‖sanitised) = Σ p ln(p/q) and KL(sanitised‖original) = Σ q ln(q/p), in nats. That is KL.Dirichlet of the
    R package entropy [HS] with the same pseudocount in both; [Liu19] uses it but prints neither pseudocount nor order.

    Parameters
    ----------
    counts : true counts in [0, 1e15], along one axis.
    settings : of `experiment_settings`.
    rng : the source of randomness.
    n_repeats : releases by each setting, in [2, 100,000].
    post : what is made of noisy counts of shape (releases, cells), as `post_process`.
    smoothing : the pseudocount a in [1e-6, 1e6]; 1/2 is Jeffreys' prior.
    progress : called with the finished share now and then; an exception that it raises ends the experiment.

    Returns
    -------
    A row for each setting: its fields, and of each of `MEASURES` the columns `…_mean` and `…_sd`.

    Examples
    --------
    >>> from dpcore.tables import experiment_settings
    >>> settings = experiment_settings([0.5, 2], 0.1, ["laplace"])
    >>> experiment(np.random.default_rng(1), [3, 0, 12], settings)["l1_mean"].round(1).tolist()
    [5.8, 1.4]
    """
    counts = table_counts(counts)
    n_repeats = scalar_integer("n_repeats", n_repeats, EXPERIMENT_REPEATS_RANGE)
    smoothing = scalar("smoothing", smoothing, SMOOTHING_RANGE)
    measured = np.empty((len(MEASURES), _n_settings(settings), n_repeats))
    sources, truth = _sources(settings, rng), _Truth.of(counts, smoothing)
    for start, n_rows in chunks(n_repeats, counts.size, _CHUNK):
        for index, noisy in _noisy(counts, settings, sources, n_rows):
            released = noisy if post is None else post(noisy)
            measured[:, index, start : start + n_rows] = truth.distances(released)
        if progress is not None:
            progress((start + n_rows) / n_repeats)
    summary = {}
    for name, values in zip(MEASURES, measured, strict=True):
        summary |= {f"{name}_mean": values.mean(axis=1), f"{name}_sd": values.std(axis=1, ddof=1)}
    return pd.DataFrame(settings).assign(n_repeats=n_repeats, **summary)


@dataclass(frozen=True)
class _Truth:
    """The true counts, the pseudocount, the smoothed true shares, their logarithms and Σ p ln p."""

    counts: Array
    smoothing: float
    shares: Array
    logs: Array
    negative_entropy: float

    @classmethod
    def of(cls, counts: Array, smoothing: float) -> "_Truth":
        shares = (counts + smoothing) / np.sum(counts + smoothing)
        logs = np.log(shares)
        return cls(counts, smoothing, shares, logs, float(shares @ logs))

    def distances(self, released: Array) -> tuple[Array, Array, Array]:
        """Return the `MEASURES` of each row: with t = Σ weights and q = weights/t, one logarithm for each number."""
        gap = released - self.counts
        np.abs(gap, out=gap)
        weights = np.maximum(released, 0.0)
        weights += self.smoothing
        total = weights.sum(axis=1)
        log_total, log_weights = np.log(total), np.log(weights)
        # einsum, since the threads that BLAS wakes for so little work cost more than they save
        forward = self.negative_entropy - np.einsum("ij,j->i", log_weights, self.shares) + log_total
        log_weights -= self.logs
        backward = np.einsum("ij,ij->i", weights, log_weights) / total - log_total
        return gap.sum(axis=1), np.maximum(forward, 0), np.maximum(backward, 0)


def paper_ordering(results: pd.DataFrame) -> pd.DataFrame:
    """Return whether [Liu19]'s order came out: Laplace nearest to the table, then pDP Gaussian, then classical.

    Parameters
    ----------
    results : of `experiment`, with these three mechanisms.

    Returns
    -------
    A row for each ε, δ, measure and neighbouring pair of mechanisms: columns `epsilon`, `delta`, `measure`, `nearer`,
    `farther`, the `difference` of their means (positive as published), its `standard_error` as if the two were
    independent, which is too large where they share their draws, and `verdict`: "as published", "reversed", or "too
    close" where the difference is within two standard errors.

    Examples
    --------
    >>> from dpcore.tables import experiment_settings
    >>> settings = experiment_settings([0.5, 2], 0.1)
    >>> ordering = paper_ordering(experiment(np.random.default_rng(1), [3, 0, 12, 40], settings))
    >>> ordering["verdict"].value_counts().to_dict()
    {'as published': 10, 'too close': 2}
    """
    rows = results.to_dict("records")
    by_setting = {(row["mechanism"], row["epsilon"], row["delta"]): row for row in rows}
    places = [(row["epsilon"], row["delta"]) for row in rows if row["mechanism"] == "pdp"]
    try:
        pairs = [(by_setting["laplace", e, 0.0], by_setting["pdp", e, d], e, d) for e, d in places]
        pairs += [(by_setting["pdp", e, d], by_setting["classical", e, d], e, d) for e, d in places]
    except KeyError as missing:
        raise ValueError(
            f"results must have laplace, pdp and classical at every setting, got none of {missing}"
        ) from None
    return pd.DataFrame([_compared(*pair, measure) for measure in MEASURES for pair in pairs])


def _compared(
    nearer: dict[Any, Any], farther: dict[Any, Any], epsilon: float, delta: float, measure: str
) -> dict[str, float | str]:
    difference = farther[f"{measure}_mean"] - nearer[f"{measure}_mean"]
    deviation = np.hypot(farther[f"{measure}_sd"], nearer[f"{measure}_sd"])
    error = deviation / np.sqrt(nearer["n_repeats"])
    close = abs(difference) <= 2 * error
    return {
        "epsilon": epsilon,
        "delta": delta,
        "measure": measure,
        "nearer": nearer["mechanism"],
        "farther": farther["mechanism"],
        "difference": difference,
        "standard_error": error,
        "verdict": "too close" if close else "as published" if difference > 0 else "reversed",
    }
