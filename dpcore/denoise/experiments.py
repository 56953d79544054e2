"""Experiments 5.1 and 5.2 of [BW18]: what exact calibration saves of the variance, and private means with denoising.

`variance_ratio` and what follows it are Experiment 5.1: what exact calibration saves of the classical Gaussian
mechanism's variance.

Experiment 5.2 has private means of records in a box, with and without denoising. The records are
x_i = v + U[−½, ½]^d. The sensitivities Δ₂ = √d/n and Δ₁ = d/n of their mean are those of one record replaced by
another of the same box, with n public; the box has to be public as well. In the experiment its centre v is drawn with
the data, and no mechanism uses it. But whoever knows the box knows v, which is √(d/(12n)) from y in root
mean square: nearer than any release here with d ≥ 10, n = 500 and ε ≤ 1. And whoever centres a box at the records
themselves uses what the noise is to hide. So this compares mechanisms, and is no example to follow with real data.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import root_scalar

from dpcore import gaussian, laplace
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, Verdict
from dpcore.checks import DELTA_RANGE, POSITIVE_EPSILON_RANGE, Array, generator, integer, number, scalar, scalar_integer
from dpcore.comparison import classical_limit
from dpcore.denoise.projection import Estimate
from dpcore.denoise.shrinkage import james_stein
from dpcore.denoise.thresholding import universal_soft
from dpcore.sensitivity import Sensitivity, query_sensitivity, table_sensitivity
from dpcore.tables.release import Progress, chunks

MEAN_DIMENSION_RANGE = "[1, 10000]"
MEAN_RECORDS_RANGE = "[1, 100000]"
MEAN_REPEATS_RANGE = "[2, 10000]"
_CHUNK = 2**19  # numbers of an array held at a time, unless one data set is longer
_MOST_HELD = "[1, 1e7]"  # numbers of `MeanDraws`


@dataclass(frozen=True, eq=False)
class MeanDraws:
    """Data sets of Experiment 5.2 in one dimension, with noise of scale 1 for each; see `mean_draws`.

    Attributes
    ----------
    n_records : records of each data set.
    truth : their means y, in the shape (repeats, d).
    normal : standard normal noise, in the same shape.
    laplace_norm : ‖·‖₂ of Laplace noise of scale 1, in the shape (repeats,).
    """

    n_records: int
    truth: Array
    normal: Array
    laplace_norm: Array


def mean_draws(
    rng: np.random.Generator,
    dimension: int,
    n_records: int = 500,
    n_repeats: int = 100,
    progress: Progress | None = None,
) -> MeanDraws:
    """Return the data sets and the noise of Experiment 5.2, which take nearly all its time, to be met with any (ε, δ).

    Parameters
    ----------
    dimension : d, a whole number in [1, 10,000].
    rng : the source of randomness.
    n_records : n in [1, 100,000].
    n_repeats : data sets, in [2, 10,000], with d·n_repeats ≤ 1e7.
    progress : called with the finished share now and then; an exception that it raises ends the drawing.

    Examples
    --------
    >>> draws = mean_draws(np.random.default_rng(1), 1000, n_repeats=10)
    >>> draws.truth.shape, draws.laplace_norm.shape
    ((10, 1000), (10,))
    """
    generator("rng", rng)
    dimension = scalar_integer("dimension", dimension, MEAN_DIMENSION_RANGE)
    n_records = scalar_integer("n_records", n_records, MEAN_RECORDS_RANGE)
    n_repeats = scalar_integer("n_repeats", n_repeats, MEAN_REPEATS_RANGE)
    scalar_integer("dimension times n_repeats", dimension * n_repeats, _MOST_HELD)
    parts = []
    for part in _mean_draw_batches(rng, dimension, n_records, n_repeats):
        parts.append(part)
        if progress is not None:
            progress(sum(len(data_set.truth) for data_set in parts) / n_repeats)
    return MeanDraws(
        n_records,
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.normal for part in parts]),
        np.concatenate([part.laplace_norm for part in parts]),
    )


def _mean_draw_batches(rng: np.random.Generator, dimension: int, n_records: int, n_repeats: int) -> Iterator[MeanDraws]:
    """Yield the data sets in parts, as many at a time as `_CHUNK` allows."""
    for _, n_rows in chunks(n_repeats, n_records * dimension, _CHUNK):
        size = (n_rows, dimension)
        truth = rng.standard_normal(size) + _box_means(rng, size, n_records)
        yield MeanDraws(n_records, truth, rng.standard_normal(size), norms(laplace.sample(rng, 1.0, size)))


def norms(rows: Array) -> Array:
    """‖·‖₂ of each row."""
    return np.linalg.norm(rows, axis=-1)


def _box_means(rng: np.random.Generator, size: tuple[int, int], n_records: int) -> Array:
    """Return means of n draws of U[−½, ½]^d, one in each row."""
    total = np.zeros(size)
    for _, n_drawn in chunks(n_records, size[0] * size[1], _CHUNK):
        total += rng.random((size[0], n_drawn, size[1])).sum(axis=1)
    return total / n_records - 0.5


_DENOISED = ("james_stein", "james_stein_plus", "soft_universal")  # of the analytic Gaussian
MEAN_MECHANISMS = ("classical", "analytic", *_DENOISED, "laplace")
_OTHERS = tuple(key for key in MEAN_MECHANISMS if key not in _DENOISED)


def mean_errors(draws: MeanDraws, epsilon: ArrayLike, delta: float) -> pd.DataFrame:
    """Return the rows of `mean_estimation` for these data sets, with ε and δ as there.

    Examples
    --------
    >>> from dpcore.denoise import mean_draws
    >>> draws = mean_draws(np.random.default_rng(1), 1000, n_repeats=10)
    >>> mean_errors(draws, 0.1, 1e-4)["error_mean"].round(0).tolist()  # in the order of MEAN_MECHANISMS
    [87.0, 49.0, 26.0, 26.0, 32.0, 900.0]
    """
    epsilons, delta = _guarantees(epsilon, delta)
    noises = _noises(draws.truth.shape[1], epsilons, delta, draws.n_records)
    return _summary(draws.truth.shape[1], epsilons, noises, _errors(draws, noises))


def mean_sensitivity(dimension: ArrayLike, n_records: ArrayLike) -> Sensitivity:
    """Δ₁ = d/n and Δ₂ = √d/n of the mean of n records in a box of side 1 in d dimensions, one of them replaced.

    Parameters
    ----------
    dimension : d, a whole number in [1, 1e15].
    n_records : n, a whole number in [1, 1e12].

    Returns
    -------
    The sensitivity, rounded up, in the unit of the records; see `dpcore.sensitivity`.

    References
    ----------
    [BW18] §5.2.

    Examples
    --------
    >>> sensitivity = mean_sensitivity(500, 100)
    >>> print(f"{sensitivity.l1:.4f}, {sensitivity.l2:.4f}")
    5.0000, 0.2236
    """
    per_number = query_sensitivity("mean", "replace", low=-0.5, high=0.5, n_records=n_records).l1
    return table_sensitivity(dimension, per_number, "replace", n_cells=dimension)


def mean_estimation(
    rng: np.random.Generator,
    dimension: ArrayLike,
    epsilon: ArrayLike,
    delta: float,
    n_records: int = 500,
    n_repeats: int = 100,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Experiment 5.2: how far private means of n records fall from the true mean, in Euclidean distance.

    Each repeat draws v ~ N(0, I_d), n records v + U[−½, ½]^d, whose mean is y, and releases of y: with Gaussian noise
    of the classical or the analytic σ of (ε, δ) and Δ₂ = √d/n, the analytic one also denoised, and with Laplace noise
    of scale Δ₁/ε, Δ₁ = d/n, for ε-DP. Neighbours differ by one replaced record; n and the box are public.

    Parameters
    ----------
    dimension : d, whole numbers in [1, 10,000].
    epsilon : in [1e-12, 1e6]. The classical σ is proved for ε < 1 only: see `status`.
    rng : the source of randomness. The data sets of a dimension do not depend on the other dimensions.
    n_records : n in [1, 100,000].
    delta : in [1e-300, 1).
    n_repeats : data sets for each dimension, in [2, 10,000].
    progress : called with the finished share now and then; an exception that it raises ends the experiment.

    Returns
    -------
    A row for every dimension, mechanism of `MEAN_MECHANISMS` and ε, without James–Stein below d = 3. Columns
    `dimension`, `epsilon`, `mechanism`, `scale` (σ, or Laplace's b), `status` (of `Calibration.verdict`),
    `error_mean` and `error_sd` of ‖released − y‖₂ over the repeats, `standard_error` of that mean, `gain_mean`, by how
    much the error is below the analytic Gaussian's on the same data set, with `gain_standard_error`, `norm_mean`, the
    mean of ‖y‖₂, and `n_repeats`. To answer 0, without any data, has the error ‖y‖₂: where a denoised mean is no nearer
    than that, the noise has buried y.

    The Gaussian releases of one data set share their standard noise, and all ε share data sets and noise, so that
    settings are compared on the same luck and their means are not independent.

    Examples
    --------
    >>> frame = mean_estimation(np.random.default_rng(1), 1000, 0.1, 1e-4, n_repeats=10)
    >>> frame["error_mean"].round(1).tolist()  # in the order of MEAN_MECHANISMS
    [87.4, 49.3, 26.9, 26.9, 31.8, 888.9]
    """
    generator("rng", rng)
    dimensions = integer("dimension", dimension, MEAN_DIMENSION_RANGE).ravel().astype(int)
    scalar_integer("number of dimensions", dimensions.size, "[1, 1000]")
    epsilons, delta = _guarantees(epsilon, delta)
    n_records = scalar_integer("n_records", n_records, MEAN_RECORDS_RANGE)
    n_repeats = scalar_integer("n_repeats", n_repeats, MEAN_REPEATS_RANGE)
    seed, tables, n_simulated = int(rng.integers(2**63)), [], 0
    for size in dimensions.tolist():
        source, noises, errors = np.random.default_rng([seed, size]), _noises(size, epsilons, delta, n_records), []
        for draws in _mean_draw_batches(source, size, n_records, n_repeats):
            errors.append(_errors(draws, noises))
            n_simulated += draws.truth.size
            if progress is not None:
                progress(n_simulated / (n_repeats * int(dimensions.sum())))
        tables.append(_summary(size, epsilons, noises, np.concatenate(errors, axis=-1)))
    return pd.concat(tables, ignore_index=True)


def _guarantees(epsilon: ArrayLike, delta: float) -> tuple[Array, float]:
    epsilons = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE).ravel()
    scalar_integer("number of epsilons", epsilons.size, "[1, 1000]")
    return epsilons, scalar("delta", delta, DELTA_RANGE)


def _noises(dimension: int, epsilon: Array, delta: float, n_records: int) -> dict[str, Verdict]:
    """Return the scales of the mechanisms' noise at each ε, and whether they satisfy the guarantee."""
    sensitivity = mean_sensitivity(dimension, n_records)
    analytic = ANALYTIC.verdict(epsilon, delta, sensitivity.l2)
    return {
        "classical": CLASSICAL.verdict(epsilon, delta, sensitivity.l2),
        **dict.fromkeys(("analytic", *_denoisers(dimension)), analytic),
        "laplace": LAPLACE.verdict(epsilon, 0.0, sensitivity.l1),
    }


def _denoisers(dimension: int) -> Mapping[str, Callable[[Array, float], Estimate]]:
    shrinking = {"james_stein": partial(james_stein, positive_part=False), "james_stein_plus": james_stein}
    return (shrinking if dimension >= 3 else {}) | {"soft_universal": universal_soft}


def _errors(draws: MeanDraws, noises: dict[str, Verdict]) -> Array:
    """Return the distances ‖released − y‖₂ in the shape (mechanism, ε, repeats); a last row has ‖y‖₂ instead."""
    truth, denoisers, errors = draws.truth, _denoisers(draws.truth.shape[1]), []
    for key, noise in noises.items():
        if key in denoisers:
            values = (denoisers[key](truth + sigma * draws.normal, sigma).value for sigma in noise.scale)
            errors.append([norms(value - truth) for value in values])
        else:
            errors.append(noise.scale[:, None] * (draws.laplace_norm if key == "laplace" else norms(draws.normal)))
    return np.array([*errors, np.broadcast_to(norms(truth), errors[0].shape)])


def _summary(dimension: int, epsilon: Array, noises: dict[str, Verdict], distances: Array) -> pd.DataFrame:
    errors, norms, n_repeats = distances[:-1], distances[-1, 0], distances.shape[-1]
    gain = errors[list(noises).index("analytic")] - errors
    columns = {
        "dimension": np.full(epsilon.size * len(noises), dimension),
        "epsilon": np.tile(epsilon, len(noises)),
        "mechanism": np.repeat(list(noises), epsilon.size),
        "scale": np.concatenate([noise.scale for noise in noises.values()]),
        "status": np.concatenate([noise.status for noise in noises.values()]),
        "error_mean": errors.mean(axis=-1).ravel(),
        "error_sd": errors.std(axis=-1, ddof=1).ravel(),
        "standard_error": errors.std(axis=-1, ddof=1).ravel() / n_repeats**0.5,
        "gain_mean": gain.mean(axis=-1).ravel(),
        "gain_standard_error": gain.std(axis=-1, ddof=1).ravel() / n_repeats**0.5,
        "norm_mean": np.full(epsilon.size * len(noises), norms.mean()),
        "n_repeats": np.full(epsilon.size * len(noises), n_repeats),
    }
    return pd.DataFrame(columns)


def mean_estimation_orderings(results: pd.DataFrame) -> pd.DataFrame:
    """Return whether [BW18]'s orderings came out: denoised means nearer than all others, and James–Stein's the nearest.

    Parameters
    ----------
    results : of `mean_estimation`.

    Returns
    -------
    A row for each dimension, ε and pair of mechanisms: columns `dimension`, `epsilon`, `nearer`, `farther`, the
    `difference` of their mean errors (positive as published), its `standard_error`, and `verdict`: "as published",
    "reversed", or "too close" where the difference is within two standard errors. Against "analytic" the standard error
    is that of the differences on the same data sets, elsewhere as if the two were independent, mostly too large.

    Examples
    --------
    >>> frame = mean_estimation(np.random.default_rng(1), [10, 1000], 0.1, 1e-4, n_repeats=10)
    >>> mean_estimation_orderings(frame)["verdict"].value_counts().to_dict()
    {'as published': 17, 'too close': 4, 'reversed': 1}
    """
    pairs = [(nearer, farther) for nearer in _DENOISED for farther in _OTHERS]
    tables = []
    for nearer, farther in [*pairs, ("james_stein", "soft_universal"), ("james_stein_plus", "soft_universal")]:
        both = [results[results["mechanism"] == key].drop(columns="mechanism") for key in (nearer, farther)]
        pair = both[0].merge(both[1], on=["dimension", "epsilon"], suffixes=("", "_farther"))
        tables.append(_ordering(pair, nearer, farther))
    return pd.concat(tables, ignore_index=True).sort_values(["dimension", "epsilon"], kind="stable", ignore_index=True)


def _ordering(pair: pd.DataFrame, nearer: str, farther: str) -> pd.DataFrame:
    difference = pair["error_mean_farther"] - pair["error_mean"]
    apart = np.hypot(pair["standard_error"], pair["standard_error_farther"])
    error = pair["gain_standard_error"] if farther == "analytic" else apart
    verdict = np.where(abs(difference) <= 2 * error, "too close", np.where(difference > 0, "as published", "reversed"))
    columns = {"nearer": nearer, "farther": farther, "difference": difference, "standard_error": error}
    return pair[["dimension", "epsilon"]].assign(**columns, verdict=verdict)


def variance_ratio(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """(classical σ/analytic σ)²: how many times the variance that (ε, δ)-DP asks of Gaussian noise ([BW18] §5.1).

    Parameters
    ----------
    epsilon : in [1e-12, 1e6]. The classical σ is proved for ε < 1 only. A ratio below 1, which large ε has, is no
        saving: there the classical σ is too small for its guarantee.
    delta : in [1e-300, 1).

    Returns
    -------
    The ratio, which does not depend on the sensitivity. The share of the variance removed is 1 − 1/ratio.

    Examples
    --------
    >>> variance_ratio([0.01, 1, 10], 1e-5).round(3).tolist()
    [3.949, 1.687, 0.939]
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    return (gaussian.classical_sigma(epsilon, delta) / gaussian.analytic_sigma(epsilon, delta)) ** 2


def variance_ratios(epsilon: ArrayLike, delta: ArrayLike) -> pd.DataFrame:
    """Experiment 5.1, a row for every pair of an ε and a δ.

    Parameters
    ----------
    epsilon : in [1e-12, 1e6], any number of them.
    delta : in [1e-300, 1), likewise.

    Returns
    -------
    Columns `epsilon`, `delta`, `classical_sigma` and `analytic_sigma` of Δ₂ = 1, `ratio` as `variance_ratio`, `removed`
    = 1 − 1/ratio, `status` of the classical σ, by `Calibration.verdict`: "proved" for ε < 1, "within target" or
    "fails" beyond; and `fails_from`, the ε from which it fails at this δ, rounded down.

    Examples
    --------
    >>> frame = variance_ratios([0.5, 1, 10], 1e-5)
    >>> frame["status"].tolist(), frame["removed"].round(2).tolist(), frame["fails_from"].round(2).tolist()
    (['proved', 'within target', 'fails'], [0.47, 0.41, -0.06], [8.42, 8.42, 8.42])
    """
    epsilons = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE).ravel()
    deltas = number("delta", delta, DELTA_RANGE).ravel()
    epsilon, delta = np.tile(epsilons, deltas.size), np.repeat(deltas, epsilons.size)
    ratio = variance_ratio(epsilon, delta)
    columns = {
        "epsilon": epsilon,
        "delta": delta,
        "classical_sigma": gaussian.classical_sigma(epsilon, delta),
        "analytic_sigma": gaussian.analytic_sigma(epsilon, delta),
        "ratio": ratio,
        "removed": 1 - 1 / ratio,
        "status": CLASSICAL.verdict(epsilon, delta).status,
        "fails_from": np.repeat([classical_limit(float(column_delta)) for column_delta in deltas], epsilons.size),
    }
    return pd.DataFrame(columns)


def least_delta_removing(share: float = 1 / 3, epsilon: float = 1.0) -> float:
    """Return the least δ at which exact calibration removes this share of the classical variance.

    The share is 1 − 1/`variance_ratio`.

    [BW18] §5.1 says that even for ε close to 1 the variance falls by at least a constant factor, more at larger δ. With
    a third that holds at ε = 1 from δ ≈ 1.26e-7 on, and not below.

    Parameters
    ----------
    share : in (0, 0.9], of the variance.
    epsilon : in [1e-12, 1].

    Returns
    -------
    δ in [1e-300, 1), rounded up, so that at it and above it at least this share is removed; 1e-300, the least that
    is allowed, where the share is removed even there.

    Examples
    --------
    >>> f"{least_delta_removing():.3g}"
    '1.26e-07'
    """
    share, epsilon = scalar("share", share, "(0, 0.9]"), scalar("epsilon", epsilon, "[1e-12, 1]")

    def excess(log_delta: float) -> float:
        return float(np.log1p(-share) + np.log(variance_ratio(epsilon, np.exp(log_delta))))

    least = float(np.log(1e-300)) + 1e-12  # since e^{ln 1e-300} may round below the domain
    if excess(least) >= 0:
        return 1e-300
    return float(np.exp(root_scalar(excess, bracket=(least, np.log(0.99)), xtol=1e-12).root) * (1 + 1e-11))
