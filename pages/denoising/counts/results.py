"""Counts that are released with Gaussian noise and denoised: every number that the section on counts shows."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import denoise
from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS, Repeated
from pages.shared.counts.table import Counts

MOST_SIGMA = 1e60  # more noise than the estimators are asked to take here
MOST_TREND_COUNTS = 1024  # numbers of a series of which graph trend filtering is made in a moment
_MOST_REPEATS, _MOST_REPEATED_NUMBERS = 200, 300_000  # releases, and numbers in all of them
MOST_RANKED_COUNTS = 20_000  # of more the ranking is not tried again and again
_LEAST_RANKING_REPEATS, _MOST_RANKING_REPEATS, _RANKING_NUMBERS = (
    10,
    50,
    2**17,
)  # releases, and numbers drawn for all of them
_MOST_PAIRS, _PAIR_NUMBERS = 10, 2**16


@dataclass(frozen=True)
class Outcome:
    """What one estimator makes of this release: its tuning, SURE, the RMSE expected by it, and the true one.

    Of a negative estimate there is no RMSE: it is NaN then.
    """

    tuning: float
    sure: float
    rmse_by_sure: float
    rmse: float


@dataclass(frozen=True)
class CountsRelease:
    """Counts with their noise: a table in no order or a series, and what is known of it beforehand."""

    counts: Counts
    sigma: float
    is_series: bool
    is_trial: bool
    table_is_own: bool
    prior_sd: float
    public_total: bool
    neighbours: str
    seed: int
    estimator: str

    @cached_property
    def count(self) -> Array:
        """The true counts."""
        return self.counts.frame["count"].to_numpy(np.float64)

    @property
    def size(self) -> int:
        """How many counts there are."""
        return self.count.size

    @property
    def is_own(self) -> bool:
        """Whether the counts are those of the user's own table."""
        return self.table_is_own and not self.is_trial

    @property
    def is_drowned(self) -> bool:
        """Whether there is more noise than is computed with."""
        return self.sigma > MOST_SIGMA

    @property
    def structure(self) -> str | None:
        """What `dpcore.denoise` is told of the order of the counts."""
        return "series" if self.is_series else None

    @property
    def total(self) -> float | None:
        """The public total; None for that of the release."""
        return float(self.count.sum()) if self.public_total else None

    @cached_property
    def noisy_counts(self) -> Array:
        """One release, from the seed in the link."""
        return self.count + self.sigma * self._rng(0).standard_normal(self.size)

    @cached_property
    def ranked_keys(self) -> tuple[str, ...]:
        """The estimators that are ranked: of James–Stein's two the positive part, which is never the worse."""
        applied = denoise.estimator_keys(self.size, self.structure, self.prior_sd, repeatable=True)
        return tuple(key for key in applied if key != "james_stein")

    @property
    def rivals(self) -> tuple[str, ...]:
        """Those of them that change the release."""
        return tuple(key for key in self.ranked_keys if key != "none")

    @cached_property
    def table_keys(self) -> tuple[str, ...]:
        """The estimators in the table: the ranked ones, and plain James–Stein."""
        return denoise.estimator_keys(self.size, self.structure, self.prior_sd, repeatable=True)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """What each estimator in the table makes of this release."""
        return {key: self._outcome(key) for key in self.table_keys}

    @property
    def choice_applies(self) -> bool:
        """Whether the estimator that is chosen to be drawn applies to these counts, and takes but a moment."""
        if self.estimator == "trend_filtering":
            return self.is_series and self.size <= MOST_TREND_COUNTS
        return self.estimator in ("first", *self.table_keys)

    @property
    def displayed_key(self) -> str:
        """The estimator that is drawn: the chosen one, or what the ranking puts first."""
        return self.estimator if self.choice_applies and self.estimator != "first" else self.first_in_ranking

    @cached_property
    def denoised_counts(self) -> Array:
        """What the drawn estimator makes of this release."""
        return self._estimate(self.displayed_key).value

    def true_rmse(self, value: Array) -> float:
        """The true RMSE of what was made of this release, in counts."""
        return _rmse(float(np.sum((value - self.count) ** 2)), self.size)

    @property
    def n_pairs(self) -> int:
        """Of draws for the ranking; fewer for more counts, over which its noise averages out."""
        return max(1, min(_MOST_PAIRS, _PAIR_NUMBERS // self.size))

    @cached_property
    def ranking_rmse(self) -> dict[str, float]:
        """What the ranking goes by: the RMSE of each estimator at a noise of √1.3 σ, NaN where it came out below 0."""
        return {key: _rmse(risk, self.size) for key, risk in self._coupled_risk.items()}

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The estimators, the best first, by the release alone."""
        return tuple(sorted(self.ranked_keys, key=lambda key: self._coupled_risk[key]))

    @property
    def first_in_ranking(self) -> str:
        """What the ranking puts first."""
        return self.ranking[0]

    @property
    def first_by_sure(self) -> str:
        """What SURE puts first."""
        return min(self.ranked_keys, key=lambda key: self.outcomes[key].sure)

    @property
    def n_repeats(self) -> int:
        """Over how many releases the mean errors are taken: 200, fewer of many counts."""
        return max(2, min(_MOST_REPEATS, _MOST_REPEATED_NUMBERS // self.size))

    @cached_property
    def repeats(self) -> Repeated:
        """The errors over many releases."""
        arguments = self.structure, self.prior_sd, self.total, self.table_keys
        return denoise.repeated(self.count, self.sigma, self._rng(2), self.n_repeats, *arguments)

    @cached_property
    def ranking_repeats(self) -> Repeated | None:
        """How good the ranking is, over fewer releases, as each is ranked by draws of its own; None of many counts."""
        if self.size > MOST_RANKED_COUNTS:
            return None
        n_repeats = max(
            _LEAST_RANKING_REPEATS, min(_MOST_RANKING_REPEATS, _RANKING_NUMBERS // (2 * self.n_pairs * self.size))
        )
        arguments = self.structure, self.prior_sd, self.total, self.ranked_keys
        return denoise.repeated(self.count, self.sigma, self._rng(3), n_repeats, *arguments, n_pairs=self.n_pairs)

    @cached_property
    def rmse_shares(self) -> dict[str, float]:
        """The mean RMSE of each estimator as a share of the release's own."""
        repeats = self.repeats
        return {
            key: math.sqrt(error / repeats.release_error)
            for key, error in zip(repeats.keys, repeats.error, strict=True)
        }

    @cached_property
    def rmse_cuts(self) -> dict[str, float]:
        """The share of the RMSE that each estimator takes off, two standard errors to the safe side.

        Of two bounds the closer: what was gained on the same releases, sharp where little was, or the error over dσ².
        """
        repeats = self.repeats
        by_gain = 1 - (repeats.gain - 2 * repeats.gain_standard_error) / repeats.release_error
        by_error = (repeats.error + 2 * repeats.error_standard_error) / (self.size * self.sigma**2)
        return {
            key: 1 - math.sqrt(share) for key, share in zip(repeats.keys, np.minimum(by_gain, by_error), strict=True)
        }

    @property
    def best_on_average(self) -> str:
        """The estimator of the least mean error, which nobody knows without the true counts."""
        return min(self.rivals, key=lambda key: self.rmse_shares[key])

    @property
    def zeros_rmse(self) -> float:
        """The RMSE of a table of zeros, in counts."""
        return self.true_rmse(np.zeros(self.size))

    def mean_rmse(self, key: str) -> float:
        """The mean RMSE of an estimator, in counts."""
        repeats = self.repeats
        return _rmse(repeats.error[repeats.keys.index(key)], self.size)

    @property
    def frame(self) -> pd.DataFrame:
        """Every estimator in numbers."""
        rows = [
            {
                "estimator": ESTIMATORS[key].name,
                "rank": self.ranking.index(key) + 1 if key in self.ranking else None,
                "tuning": outcome.tuning,
                "rmse_ranked_by": self.ranking_rmse.get(key),
                "rmse_by_sure": outcome.rmse_by_sure,
                "rmse_of_this_release": outcome.rmse,
                "mean_rmse": self.mean_rmse(key),
            }
            for key, outcome in self.outcomes.items()
        ]
        return pd.DataFrame(rows).astype({"rank": "Int64"})

    @cached_property
    def _coupled_risk(self) -> dict[str, float]:
        arguments = self.structure, self.prior_sd, self.total, self.ranked_keys
        risks = denoise.coupled_risk(self.noisy_counts, self.sigma, self._rng(1), *arguments, n_pairs=self.n_pairs)
        return {key: float(risk) for key, risk in risks.items()}

    def _estimate(self, key: str) -> denoise.Estimate:
        arguments = self.structure, self.prior_sd, self.total, (key,)
        return denoise.estimates(self.noisy_counts, self.sigma, *arguments)[key]

    def _outcome(self, key: str) -> Outcome:
        estimate = self._estimate(key)
        sure = float(estimate.sure)
        return Outcome(float(estimate.tuning), sure, _rmse(sure, self.size), self.true_rmse(estimate.value))

    def _rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, purpose))


def _rmse(squares: float, size: int) -> float:
    return math.sqrt(squares / size) if squares >= 0 else math.nan
