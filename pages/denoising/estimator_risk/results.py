"""The risks of the section on where each estimator wins, in units of σ² for each number."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import denoise
from dpcore.checks import Array
from dpcore.denoise import SimulatedRisk
from pages.framework.chart.theme import decades
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared.status_lines import refined

RIVALS = ("soft_sure", "soft_universal", "james_stein_plus", "non_negative")  # without an oracle, none dominated
CURVE_KEYS = (*RIVALS[:3], "james_stein", "non_negative", "posterior_mean", "none")
LEAST_GAIN = 0.01  # an estimator that removes a smaller share of the squared error gains nothing
_CURVE_POINTS = 29
_CURVE_SIMULATION, _SETTING_SIMULATION = (6_000, 4), (40_000, 16)  # the least numbers and releases
_NORM_ENDS, _NONZERO_LOW = (-1.0, 1.5), -3
_LEAST_NORM = 1e-3
_MAP_COLUMNS, _MAP_ROWS = 61, 41


@dataclass(frozen=True)
class EstimatorRisk:
    """The risks for a vector of d numbers, a share `nonzero` of them not 0, with the root mean square `norm`."""

    dimension: int
    norm: float
    nonzero: float
    along: str
    seed: int

    @property
    def n_nonzero(self) -> int:
        """The number of entries that are not 0."""
        return 0 if self.norm == 0 else self.n_nonzero_of_curve

    @property
    def n_nonzero_of_curve(self) -> int:
        """The number of entries that are not 0 along the axis of sizes."""
        return max(1, round(self.nonzero * self.dimension))

    @property
    def nonzero_size(self) -> float:
        """The size of each entry that is not 0, in units of σ."""
        return self.norm * math.sqrt(self.dimension / self.n_nonzero) if self.n_nonzero else 0.0

    @property
    def sure_releases(self) -> int:
        """The number of releases that are simulated at the setting."""
        return _n_releases(self.dimension, _SETTING_SIMULATION)

    @cached_property
    def sure(self) -> SimulatedRisk:
        """Soft thresholding by SURE at the setting."""
        return _simulated_sure(self.dimension, self.n_nonzero, self.nonzero_size, self.seed, _SETTING_SIMULATION)

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of the squared error that each estimator leaves at the setting."""
        exact = denoise.sparse_shares(self.dimension, self.n_nonzero, self.nonzero_size)
        return {key: self.sure.share if key == "soft_sure" else float(exact[key]) for key in CURVE_KEYS}

    @property
    def frame(self) -> pd.DataFrame:
        """The shares at the setting, with a standard error of 0 where they are exact."""
        errors = [self.sure.standard_error if key == "soft_sure" else 0.0 for key in CURVE_KEYS]
        shares = [self.shares[key] for key in CURVE_KEYS]
        return pd.DataFrame({"estimator": CURVE_KEYS, "share_of_squared_error": shares, "standard_error": errors})

    @property
    def safe_rival_shares(self) -> dict[str, float]:
        """The shares of the rivals, the least first; a simulated one plus two standard errors."""
        shares = {key: self.shares[key] for key in RIVALS}
        shares["soft_sure"] += 2 * self.sure.standard_error
        return dict(sorted(shares.items(), key=lambda item: item[1]))

    @property
    def norm_ends(self) -> tuple[float, float]:
        """The decades of the axis of sizes."""
        inside = self.norm if self.norm >= _LEAST_NORM else 1.0  # a smaller norm has no place on the axis
        low, high = _NORM_ENDS
        return min(low, decades(0, 0, inside)[0]), high if inside <= 10**high else 3.0

    @property
    def nonzero_low(self) -> int:
        """The lowest decade of the axis of shares not 0."""
        return decades(_NONZERO_LOW, 0, self.nonzero)[0]

    @property
    def curves(self) -> pd.DataFrame:
        """The shares along the axis of the picture."""
        if self.along == "norm":
            return kept(_curves_along_norm, self.dimension, self.n_nonzero_of_curve, self.norm_ends, self.seed)
        return kept(_curves_along_nonzero, self.dimension, self.norm, self.nonzero_low, self.seed)

    @property
    def winners(self) -> pd.DataFrame:
        """The map of the estimators that leave the least of the squared error."""
        return kept(_winner_frame, self.dimension, self.norm_ends, self.seed)


def estimator_risk(values: Values) -> EstimatorRisk:
    """Return the risks of the estimators at the setting of the parameters."""
    vector = int(values["dimension"]), values["norm"], values["nonzero"]
    return kept(EstimatorRisk, *vector, values["risk_against"], int(values["seed"]))


def table_place(count: Array, sigma: float) -> tuple[float, float] | None:
    """Return the table's root mean square in units of σ and its share not 0; None if it has no place."""
    if not np.any(count) or not math.isfinite(sigma):
        return None
    size = float(np.sqrt(np.mean(count**2))) / sigma
    return size, float(np.mean(count != 0))


def _n_releases(dimension: int, least: tuple[int, int]) -> int:
    numbers, releases = least
    return max(releases, numbers // dimension)


def _simulated_sure(dimension: int, n_nonzero: int, size: float, seed: int, least: tuple[int, int]) -> SimulatedRisk:
    n_releases = _n_releases(dimension, least)
    return denoise.simulated_sureshrink(np.random.default_rng(seed), dimension, n_nonzero, size, n_releases)


def _curves_along_norm(dimension: int, n_nonzero: int, ends: tuple[float, float], seed: int) -> pd.DataFrame:
    corner = math.sqrt(n_nonzero / dimension)  # of the bound: the numbers that are not 0 are there as large as σ
    norm = np.logspace(*ends, _CURVE_POINTS)
    norm = np.union1d(norm, corner) if norm[0] < corner < norm[-1] else norm
    size = norm * math.sqrt(dimension / n_nonzero)
    return _curve_frame(dimension, np.full(norm.size, n_nonzero), size, seed).assign(norm=norm)


def _curves_along_nonzero(dimension: int, norm: float, low: int, seed: int) -> pd.DataFrame:
    corner = np.rint(norm**2 * dimension)
    n_nonzero = np.maximum(np.rint(np.append(np.logspace(low, 0, _CURVE_POINTS) * dimension, corner)), 1)
    n_nonzero = np.unique(n_nonzero[n_nonzero <= dimension])

    def shares(n_nonzero: Array) -> Array:
        columns = denoise.sparse_shares(dimension, n_nonzero, norm * np.sqrt(dimension / n_nonzero))
        return np.stack([np.broadcast_to(column, n_nonzero.shape) for column in columns.values()])

    n_nonzero = np.union1d(n_nonzero, refined(n_nonzero, shares, is_whole=True, height=1.0))
    curves = _curve_frame(dimension, n_nonzero, norm * np.sqrt(dimension / n_nonzero), seed).assign(norm=norm)
    return pd.concat([curves.iloc[:1].assign(nonzero=10.0**low), curves]) if 10.0**low < 1 / dimension else curves


def _curve_frame(dimension: int, n_nonzero: Array, size: Array, seed: int) -> pd.DataFrame:
    """Return the shares of each estimator and the bound, a row for each number not 0 and its size."""
    vectors = zip(n_nonzero, size, strict=True)
    simulations = [_simulated_sure(dimension, int(k), a, seed, _CURVE_SIMULATION) for k, a in vectors]
    mean = np.where(np.arange(dimension) < n_nonzero[:, None], size[:, None], 0)
    columns = {"dimension": dimension, "n_nonzero": n_nonzero, "nonzero": n_nonzero / dimension, "size": size}
    columns |= denoise.sparse_shares(dimension, n_nonzero, size)
    columns["soft_sure"] = [simulation.share for simulation in simulations]
    columns["standard_error"] = [simulation.standard_error for simulation in simulations]
    return pd.DataFrame(columns | {"soft_universal_bound": denoise.soft_threshold_bound(mean, 1) / dimension})


def _winner_frame(dimension: int, ends: tuple[float, float], seed: int) -> pd.DataFrame:
    """Return the best estimator over sizes (fast) and numbers not 0; "none" if no one removes 1 %."""
    norm = np.logspace(*ends, _MAP_COLUMNS)
    share = np.logspace(-math.log10(dimension), 0, _MAP_ROWS)
    n_nonzero = np.maximum(np.rint(share * dimension), 1)
    sizes = norm * np.sqrt(dimension / n_nonzero)[:, None]
    shares = denoise.sparse_shares(dimension, n_nonzero[:, None], sizes)
    rng, n_releases = np.random.default_rng(seed), _n_releases(dimension, _CURVE_SIMULATION)
    numbers, rows = np.unique(n_nonzero, return_inverse=True)
    shares["soft_sure"] = denoise.sureshrink_shares(rng, dimension, numbers, norm, n_releases)[rows]
    values = np.array([shares[key] for key in RIVALS])
    best, least = np.argmin(values, axis=0), np.min(values, axis=0)
    return pd.DataFrame(
        {
            "norm": np.tile(norm, _MAP_ROWS),
            "nonzero": np.repeat(share, _MAP_COLUMNS),
            "n_nonzero": np.repeat(n_nonzero, _MAP_COLUMNS),
            "winner": np.where(least > 1 - LEAST_GAIN, "none", np.array(RIVALS)[best]).ravel(),
            "share": least.ravel(),
        }
    )
