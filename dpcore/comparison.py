"""The Gaussian bounds side by side: what each asks for, where its theorem holds, and what it really gives.

Frames are tidy (one row a bound and setting), in the units of `dpcore.gaussian`: ε in nats, σ in query units.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import root_scalar

from dpcore import gaussian
from dpcore.accuracy import gaussian_accuracy
from dpcore.checks import Array, number


@dataclass(frozen=True)
class Bound:
    """One way to choose σ from (ε, δ): its name, its formula as a function, its theorem and the notion it promises."""

    key: str
    name: str
    sigma: Callable[..., Array]
    notion: str
    source: str


ANALYTIC = Bound("analytic", "Analytic", gaussian.analytic_sigma, "(ε, δ)-DP", "Balle & Wang 2018, Theorem 8")
CLASSICAL = Bound(
    "classical",
    "Classical",
    gaussian.classical_sigma,
    "(ε, δ)-DP",
    "Dwork & Roth 2014, Theorem A.1; Liu 2019, Eq. 18",
)
CLASSICAL_TIGHT = Bound(
    "classical_tight",
    "Classical, tight constant",
    gaussian.classical_tight_sigma,
    "(ε, δ)-DP",
    "Gaussian Mechanism Accuracy 2020, from Dwork & Roth 2014, p. 264",
)
PDP = Bound("pdp", "pDP", gaussian.pdp_sigma, "(ε, δ)-pDP", "Liu 2019, Proposition 11, Eq. 17")
EXACT_PDP = Bound("exact_pdp", "pDP, exact", gaussian.exact_pdp_sigma, "(ε, δ)-pDP", "definition of pDP, solved for σ")
LOWER = Bound(
    "lower",
    "Lower bound",
    gaussian.lower_bound_sigma,
    "(ε, δ)-DP",
    "Balle & Wang 2018, Theorem 4, with its condition on δ corrected",
)
BOUNDS = (ANALYTIC, CLASSICAL, CLASSICAL_TIGHT, PDP, EXACT_PDP, LOWER)
CALIBRATIONS = BOUNDS[:-1]  # the ones that a release can use

_CURVE_COLUMNS = ("bound", "epsilon", "delta", "sigma", "ratio", "true_delta", "status")
PROVED, WITHIN, FAILS, FLOOR, SILENT, UNDEFINED = "proved", "within target", "fails", "floor", "silent", "undefined"


def against(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: float = 1.0) -> pd.DataFrame:
    """Return every bound at every (ε, δ), for curves.

    Parameters
    ----------
    epsilon : 0, or in [1e-12, 1e6]; broadcast against `delta`.
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    Columns `bound` (key), `epsilon`, `delta`, `sigma`, `ratio` (σ over the analytic σ), `true_delta` (the δ of
    (ε, δ)-DP that σ really gives at ε) and `status`: "proved"; "within target" or "fails" outside the theorem's range;
    "floor" for the lower bound. Rows where a bound is undefined (ε = 0) or silent (lower bound, large δ) are left out.
    """
    both = np.broadcast_arrays(_epsilon(epsilon), number("delta", delta, gaussian.DELTA_RANGE))
    epsilon, delta = (part.ravel() for part in both)
    analytic = gaussian.analytic_sigma(epsilon, delta, l2_sensitivity)
    parts: dict[str, list[Array]] = {name: [] for name in _CURVE_COLUMNS}
    for bound in BOUNDS:
        sigma = analytic if bound is ANALYTIC else _sigma(bound, epsilon, delta, l2_sensitivity)
        status, true_delta = _status(bound, epsilon, delta, sigma, l2_sensitivity)
        shown = (status != SILENT) & (status != UNDEFINED)
        key = np.full(epsilon.shape, bound.key, dtype=object)
        for name, part in zip(
            _CURVE_COLUMNS, (key, epsilon, delta, sigma, sigma / analytic, true_delta, status), strict=True
        ):
            parts[name].append(part[shown])
    return pd.DataFrame({name: np.concatenate(part) for name, part in parts.items()})


def table(epsilon: float, delta: float, l2_sensitivity: float = 1.0, significance: float = 0.05) -> pd.DataFrame:
    """Return one setting's bounds in full, a row for each of `BOUNDS`.

    Returns
    -------
    Columns `bound` (key), `sigma`, `variance`, `accuracy` (half-width at the significance level), `true_delta` (at ε),
    `true_epsilon` (at δ), `mu` and `status`; NaN where a bound is silent or undefined. A proved calibration's true δ
    and ε are never shown above the target, which its theorem guarantees.
    """
    place = _epsilon(epsilon), number("delta", delta, gaussian.DELTA_RANGE)
    sigma = np.array([_sigma(bound, *place, l2_sensitivity) for bound in BOUNDS])
    verdicts = [
        _status(bound, *place, np.asarray(each), l2_sensitivity) for bound, each in zip(BOUNDS, sigma, strict=True)
    ]
    status = np.array([str(verdict) for verdict, _ in verdicts], dtype=object)
    known = (status != SILENT) & (status != UNDEFINED)
    usable = np.where(known, sigma, 1.0)
    true_epsilon = gaussian.epsilon_from_sigma(delta, usable, l2_sensitivity)
    with np.errstate(over="ignore"):
        columns = {
            "sigma": sigma,
            "variance": usable * usable,
            "accuracy": gaussian_accuracy(usable, significance),
            "true_delta": np.array([float(true_delta) for _, true_delta in verdicts]),
            "true_epsilon": np.where(status == PROVED, np.minimum(true_epsilon, epsilon), true_epsilon),
            "mu": l2_sensitivity / usable,
        }
    values = {name: np.where(known, column, np.nan) for name, column in columns.items()}
    return pd.DataFrame({"bound": [bound.key for bound in BOUNDS]} | values | {"status": status})


def profiles(epsilon: ArrayLike, sigma: dict[str, float], l2_sensitivity: float = 1.0) -> pd.DataFrame:
    """Return the privacy profile δ(ε) of each named σ, as columns `bound`, `epsilon`, `true_delta`."""
    epsilon = number("epsilon", epsilon, gaussian.EPSILON_RANGE)
    rows = gaussian.delta_from_sigma(epsilon, np.array(list(sigma.values()))[:, None], l2_sensitivity)
    names = np.repeat(list(sigma), epsilon.size)
    return pd.DataFrame({"bound": names, "epsilon": np.tile(epsilon, len(sigma)), "true_delta": rows.ravel()})


def classical_limit(delta: float) -> float:
    """Return the ε from which the classical σ breaks its promise: where it equals the analytic σ, rounded down.

    At δ = 1e-5 this is about 8.42. The proof covers ε < 1 only; between 1 and this ε the promise holds unproved.
    """
    number("delta", delta, gaussian.DELTA_RANGE)

    def excess(log_epsilon: float) -> float:
        epsilon = min(np.exp(log_epsilon), 1e6)  # e^{ln 1e6} may round beyond the domain
        return float(np.log(gaussian.classical_sigma(epsilon, delta) / gaussian.analytic_sigma(epsilon, delta)))

    root = root_scalar(excess, bracket=(0.0, np.log(1e6)), xtol=1e-12).root
    return float(np.exp(root) * (1 - 1e-11))


def pdp_share(epsilon: ArrayLike, delta: ArrayLike) -> pd.DataFrame:
    """Return the pDP σ over the classical σ ([Liu19] Fig. 3), as columns `epsilon`, `delta`, `ratio`."""
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    ratio = gaussian.pdp_sigma(epsilon, delta) / gaussian.classical_sigma(epsilon, delta)
    return pd.DataFrame({"epsilon": epsilon.ravel(), "delta": delta.ravel(), "ratio": ratio.ravel()})


def _epsilon(epsilon: ArrayLike) -> Array:
    return number("epsilon", epsilon, gaussian.EPSILON_RANGE)


def _sigma(bound: Bound, epsilon: Array, delta: Array, l2_sensitivity: float) -> Array:
    """σ of a bound, NaN at an ε too small for its formula."""
    if bound is ANALYTIC:
        return bound.sigma(epsilon, delta, l2_sensitivity)
    usable = epsilon >= 1e-12
    return np.where(usable, bound.sigma(np.where(usable, epsilon, 1.0), delta, l2_sensitivity), np.nan)


def _status(bound: Bound, epsilon: Array, delta: Array, sigma: Array, l2_sensitivity: float) -> tuple[Array, Array]:
    """Where the bound stands, and the true δ of its σ."""
    shown = sigma > 0
    true_delta = gaussian.delta_from_sigma(epsilon, np.where(shown, sigma, 1.0), l2_sensitivity)
    if bound is LOWER:
        status = np.where(shown, FLOOR, np.where(np.isnan(sigma), UNDEFINED, SILENT))
    elif bound in (CLASSICAL, CLASSICAL_TIGHT):
        outside = np.where(true_delta <= delta, WITHIN, FAILS)
        status = np.where(shown, np.where(epsilon < 1, PROVED, outside), UNDEFINED)
    else:
        status = np.where(shown, PROVED, UNDEFINED)
    return status, np.where(shown, np.where(status == PROVED, np.minimum(true_delta, delta), true_delta), np.nan)
