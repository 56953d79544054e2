"""The numbers of the section on where each estimator wins; σ is 1 here, and the release's risk is 1 for each number."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from scipy.interpolate import RectBivariateSpline

from dpcore import denoise
from dpcore.checks import Array
from dpcore.denoise import Simulated
from pages.denoising.found import Found
from pages.shared.theme import decades

DRAWN = ("soft_sure", "soft_universal", "james_stein_plus", "james_stein", "non_negative", "posterior_mean", "none")
RIVALS = ("soft_sure", "soft_universal", "james_stein_plus", "non_negative")  # without an oracle, none dominated
GAIN = 0.01  # a share of the squared error below which nothing is said to win
_POINTS = 33  # of a curve
_NUMBERS, _NUMBERS_HERE = 8_000, 40_000  # that are simulated for a point of a curve, and at the setting
_NORM_ENDS, _NONZERO_LOW = (-1.0, 1.5), -3
_LEAST_NORM = 1e-3
_MAP_NORMS, _MAP_FILLED = 14, 9  # places of the map that are simulated
_MAP_COLUMNS, _MAP_ROWS = 81, 41


@dataclass(frozen=True)
class Where:
    """The vector that is asked for: d numbers, as many of them not 0 as `nonzero` says, with a root mean square."""

    dimension: int
    norm: float
    nonzero: float
    against: str
    seed: int

    @property
    def filled(self) -> int:
        """How many numbers are not 0."""
        return 0 if self.norm == 0 else _filled(self.dimension, self.nonzero)

    @property
    def size(self) -> float:
        """How large each of them is, in units of σ."""
        return self.norm * math.sqrt(self.dimension / self.filled) if self.filled else 0.0

    @cached_property
    def sure(self) -> Simulated:
        """Soft thresholding by SURE at the setting."""
        return _simulated(self.dimension, self.filled, self.size, self.seed, _NUMBERS_HERE)

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of the squared error that each estimator leaves at the setting."""
        exact = denoise.sparse_shares(self.dimension, self.filled, self.size)
        return {key: self.sure.share if key == "soft_sure" else float(exact[key]) for key in DRAWN}

    @property
    def claimed(self) -> dict[str, float]:
        """The shares of the rivals, the best first; a simulated one is two standard errors up."""
        shares = {key: self.shares[key] for key in RIVALS}
        shares["soft_sure"] += 2 * self.sure.standard_error
        return dict(sorted(shares.items(), key=lambda each: each[1]))

    @property
    def ends(self) -> tuple[float, float]:
        """The decades of the axis of sizes."""
        inside = self.norm if self.norm >= _LEAST_NORM else 1.0  # what is smaller has no place on the axis
        low, high = _NORM_ENDS
        return min(low, decades(0, 0, inside)[0]), high if inside <= 10**high else 3.0

    @property
    def low(self) -> int:
        """The lowest decade of the axis of shares not 0."""
        return decades(_NONZERO_LOW, 0, self.nonzero)[0]

    @property
    def curves(self) -> pd.DataFrame:
        """The shares along the axis that is drawn."""
        if self.against == "norm":
            return _along_norm(self.dimension, self.filled or 1, self.ends, self.seed)
        return _along_nonzero(self.dimension, self.norm, self.low, self.seed)

    @property
    def winners(self) -> pd.DataFrame:
        """The map of who leaves the least of the squared error."""
        return _winners(self.dimension, self.ends, self.seed)


def where(found: Found) -> Where:
    """What the section asks."""
    return _kept(*(found.values[key] for key in ("dimension", "norm", "nonzero", "risk_against", "seed")))


def kept(found: Found) -> Where | None:
    """What the pinned setting asks, against the same axis and from the same seed."""
    if found.pinned is None:
        return None
    return where(found.pinned)


def place_of_table(found: Found) -> tuple[float, float] | None:
    """The root mean square of the table's counts in units of σ, and the share that is not 0; None without any."""
    if not np.any(found.count):
        return None
    size = float(np.sqrt(np.mean((found.count / found.sigma) ** 2)))
    return size, float(np.mean(found.count != 0))


@lru_cache(256)
def _kept(dimension: float, norm: float, nonzero: float, against: str, seed: float) -> Where:
    return Where(int(dimension), norm, nonzero, against, int(seed))


def _filled(dimension: int, nonzero: float) -> int:
    return max(1, round(nonzero * dimension))


def _simulated(dimension: int, filled: int, size: float, seed: int, numbers: int) -> Simulated:
    rng = np.random.default_rng(seed)
    return denoise.simulated_sure_soft(rng, dimension, filled, size, max(4, numbers // dimension))


@lru_cache(256)
def _along_norm(dimension: int, filled: int, ends: tuple[float, float], seed: int) -> pd.DataFrame:
    norm = np.logspace(*ends, _POINTS)
    size = norm * math.sqrt(dimension / filled)
    return _curves(dimension, np.full(_POINTS, filled), size, seed).assign(norm=norm)


@lru_cache(256)
def _along_nonzero(dimension: int, norm: float, low: int, seed: int) -> pd.DataFrame:
    filled = np.unique([_filled(dimension, share) for share in np.logspace(low, 0, _POINTS)])
    made = _curves(dimension, filled, norm * np.sqrt(dimension / filled), seed).assign(norm=norm)
    return pd.concat([made.iloc[:1].assign(nonzero=10.0**low), made]) if 10.0**low < 1 / dimension else made


def _curves(dimension: int, filled: Array, size: Array, seed: int) -> pd.DataFrame:
    """The shares of each estimator and of the bound, a row for each number not 0 and its size."""
    found = [_simulated(dimension, int(k), a, seed, _NUMBERS) for k, a in zip(filled, size, strict=True)]
    mean = np.where(np.arange(dimension) < filled[:, None], size[:, None], 0)
    return pd.DataFrame(
        {"dimension": dimension, "n_nonzero": filled, "nonzero": filled / dimension, "size": size}
        | denoise.sparse_shares(dimension, filled, size)
        | {"soft_sure": [each.share for each in found], "standard_error": [each.standard_error for each in found]}
        | {"soft_universal_bound": denoise.soft_threshold_bound(mean, 1) / dimension}
    )


@lru_cache(32)
def _winners(dimension: int, ends: tuple[float, float], seed: int) -> pd.DataFrame:
    """Who leaves the least, over sizes (fast) and numbers not 0; "none" where nobody takes 1 % off."""
    norm = np.logspace(*ends, _MAP_COLUMNS)
    share = np.logspace(-min(3.0, math.log10(dimension)), 0, _MAP_ROWS)
    filled = np.maximum(np.rint(share * dimension), 1)[:, None]
    shares = denoise.sparse_shares(dimension, filled, norm * np.sqrt(dimension / filled))
    shares["soft_sure"] = _sure_over(dimension, norm, filled[:, 0], seed)
    values = np.array([shares[key] for key in RIVALS])
    best, least = np.argmin(values, axis=0), np.min(values, axis=0)
    return pd.DataFrame(
        {
            "norm": np.tile(norm, _MAP_ROWS),
            "nonzero": np.repeat(share, _MAP_COLUMNS),
            "n_nonzero": np.repeat(filled[:, 0], _MAP_COLUMNS),
            "winner": np.where(least > 1 - GAIN, "none", np.array(RIVALS)[best]).ravel(),
            "share": least.ravel(),
        }
    )


def _sure_over(dimension: int, norm: Array, filled: Array, seed: int) -> Array:
    """The share left by SURE's threshold: simulated at some places, and between them a spline of its logarithm."""
    norms = np.logspace(*np.log10(norm[[0, -1]]), _MAP_NORMS)
    numbers = np.unique(np.rint(np.geomspace(filled[0], filled[-1], _MAP_FILLED)))
    share = np.array(
        [
            [_simulated(dimension, int(k), n * math.sqrt(dimension / k), seed, _NUMBERS).share for n in norms]
            for k in numbers
        ]
    )
    logarithm = np.log(np.maximum(share, 1e-9))  # an unbiased mean of few releases may be below 0
    spline = RectBivariateSpline(np.log(numbers), np.log(norms), logarithm, kx=min(3, len(numbers) - 1))
    return np.exp(spline(np.log(filled), np.log(norm)))
