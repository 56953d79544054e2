"""Counts that are released with Gaussian noise and denoised: every number of the section on counts."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import denoise
from dpcore.checks import Array
from dpcore.denoise import ESTIMATORS, Knowledge, SimulatedErrors
from dpcore.mechanism import Mechanism
from pages.denoising.comparison import Comparison
from pages.shared.counts.table import Counts

MOST_SIGMA = 1e60  # the estimators are not applied to more noise
MOST_TREND_COUNTS = 1024  # graph trend filtering of a longer series is too slow
_MOST_REPEATS, _MOST_REPEATED_NUMBERS = 200, 300_000  # releases, and numbers in all of them
MOST_RANKED_COUNTS = 20_000  # the ranking of more counts is not tried on further releases
_RANKING_REPEATS, _RANKING_NUMBERS = (10, 50), 2**17  # fewest and most releases, and numbers drawn for all of them
_MOST_PAIRS, _PAIR_NUMBERS = 10, 2**16


@dataclass(frozen=True)
class Outcome:
    """One estimator on this release: its tuning, SURE, the RMSE that SURE expects, and the true RMSE.

    The RMSE of a negative estimate is NaN.
    """

    tuning: float
    sure: float
    rmse_by_sure: float
    rmse: float


@dataclass(frozen=True)
class CountsRelease:
    """Counts with their noise: a table without an order or a series, and what is public about it.

    `recommended` is the noise that Tables recommends under the same guarantee, which needs no denoising; None where
    there is none.
    """

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
    recommended: Mechanism | None = None

    @cached_property
    def count(self) -> Array:
        """The true counts."""
        return self.counts.frame["count"].to_numpy(np.float64)

    @property
    def size(self) -> int:
        """The number of counts."""
        return self.count.size

    @property
    def is_own(self) -> bool:
        """Whether the counts are those of the user's own table."""
        return self.table_is_own and not self.is_trial

    @property
    def is_drowned(self) -> bool:
        """Whether σ is larger than the estimators support."""
        return self.sigma > MOST_SIGMA

    @property
    def structure(self) -> str | None:
        """The structure of the counts for `dpcore.denoise`."""
        return "series" if self.is_series else None

    @property
    def total(self) -> float | None:
        """The public total; None where the release's own total is used."""
        return float(self.count.sum()) if self.public_total else None

    @property
    def knowledge(self) -> Knowledge:
        """What is public about the counts."""
        return Knowledge(self.structure, self.prior_sd, self.total)

    @cached_property
    def noisy_counts(self) -> Array:
        """One release, drawn from the seed in the link."""
        return self.count + self.sigma * self._rng(0).standard_normal(self.size)

    @cached_property
    def ranked_keys(self) -> tuple[str, ...]:
        """The estimators that are ranked; James–Stein only as its positive part, which is never worse."""
        applied = denoise.estimator_keys(self.size, self.knowledge, repeatable=True)
        return tuple(key for key in applied if key != "james_stein")

    @property
    def rivals(self) -> tuple[str, ...]:
        """The ranked estimators that change the release, in the order of the ranking."""
        return tuple(key for key in self.ranking if key != "none")

    @cached_property
    def table_keys(self) -> tuple[str, ...]:
        """The estimators in the table: the ranked ones in their order, and plain James–Stein."""
        applied = denoise.estimator_keys(self.size, self.knowledge, repeatable=True)
        return *self.ranking, *(key for key in applied if key not in self.ranking)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """The outcome of each estimator in the table, on this release."""
        return {key: self._outcome(estimate) for key, estimate in self._estimates.items()}

    @property
    def choice_applies(self) -> bool:
        """Whether the chosen estimator applies to these counts and is fast enough."""
        if self.estimator == "trend_filtering":
            return self.is_series and self.size <= MOST_TREND_COUNTS
        return self.estimator in ("first", *self.table_keys)

    @property
    def displayed_key(self) -> str:
        """The estimator in the picture: the chosen one, or the first of the ranking."""
        return self.estimator if self.choice_applies and self.estimator != "first" else self.first_in_ranking

    @cached_property
    def denoised_counts(self) -> Array:
        """The release, denoised by the estimator in the picture."""
        key = self.displayed_key
        estimates = self._estimates
        if key not in estimates:
            estimates = denoise.estimates(self.noisy_counts, self.sigma, Knowledge(self.structure), (key,))
        return estimates[key].value

    def true_rmse(self, value: Array) -> float:
        """Return the RMSE of denoised counts against the true ones, in counts."""
        return _rmse(float(np.sum((value - self.count) ** 2)), self.size)

    @property
    def n_pairs(self) -> int:
        """The number of draws for the ranking; fewer for more counts, over which its noise averages out."""
        return max(1, min(_MOST_PAIRS, _PAIR_NUMBERS // self.size))

    @cached_property
    def ranking_rmse(self) -> dict[str, float]:
        """The RMSE by which estimators are ranked, at a noise of √1.3 σ; NaN where its estimate is negative."""
        return {key: _rmse(risk, self.size) for key, risk in self._coupled_risk.items()}

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The estimators in the order of the ranking, which uses the release alone."""
        return tuple(sorted(self.ranked_keys, key=lambda key: self._coupled_risk[key]))

    @property
    def first_in_ranking(self) -> str:
        """The estimator that the ranking puts first."""
        return self.ranking[0]

    @property
    def n_repeats(self) -> int:
        """The number of releases of which mean errors are taken: 200, fewer for many counts."""
        return max(2, min(_MOST_REPEATS, _MOST_REPEATED_NUMBERS // self.size))

    @cached_property
    def repeats(self) -> SimulatedErrors:
        """The errors over many releases."""
        options = self.n_repeats, self.knowledge, self.table_keys
        return denoise.simulate_errors(self._rng(2), self.count, self.sigma, *options)

    @property
    def ranking_repeats(self) -> SimulatedErrors | None:
        """How good the ranking is, over fewer releases, as it draws anew for each; None for many counts."""
        if self.size > MOST_RANKED_COUNTS:
            return None
        fewest, most = _RANKING_REPEATS
        n_repeats = max(fewest, min(most, _RANKING_NUMBERS // (2 * self.n_pairs * self.size)))
        options = n_repeats, self.knowledge, self.ranked_keys
        return denoise.simulate_errors(self._rng(3), self.count, self.sigma, *options, n_pairs=self.n_pairs)

    @cached_property
    def rmse_shares(self) -> dict[str, float]:
        """The mean RMSE of each estimator as a share of the release's own."""
        shares = np.sqrt(self.repeats.error / self.repeats.release_error)
        return dict(zip(self.repeats.keys, shares.tolist(), strict=True))

    @cached_property
    def rmse_cuts(self) -> dict[str, float]:
        """The share of the RMSE that each estimator removes, two standard errors to the safe side."""
        reductions = self.repeats.rmse_reductions(self.size * self.sigma**2)
        return dict(zip(self.repeats.keys, reductions.tolist(), strict=True))

    @property
    def undenoised_rmse(self) -> float:
        """The RMSE of the recommended noise left as it is, in counts: its standard deviation; σ where there is none."""
        return self.sigma if self.recommended is None else math.sqrt(self.recommended.variance)

    @cached_property
    def comparison(self) -> Comparison:
        """The estimator that ranks first against the recommended noise left as it is, over many releases."""
        first, repeats = self.first_in_ranking, self.repeats
        place = repeats.keys.index(first)
        mean, spread = repeats.error[place], 2 * repeats.error_standard_error[place]
        low, high = (math.sqrt(max(error, 0) / self.size) for error in (mean - spread, mean + spread))
        rmse, other = self.mean_rmse(first), self.undenoised_rmse
        is_gaussian = self.recommended is None or other >= self.sigma
        if is_gaussian:
            most = repeats.rmse_reductions(self.size * self.sigma**2, most=True)
            gain = self.rmse_cuts[first], float(most[place])
        else:
            gain = (1 - high / other, 1 - low / other) if other else (0.0, 0.0)
        return Comparison(first, rmse, high - rmse, None if is_gaussian else self.recommended, other, gain)

    @property
    def best_on_average(self) -> str:
        """The estimator of least mean error, which cannot be known without the true counts."""
        return min(self.rivals, key=lambda key: self.rmse_shares[key])

    @property
    def zeros_rmse(self) -> float:
        """The RMSE of a table of zeros, in counts."""
        return self.true_rmse(np.zeros(self.size))

    def mean_rmse(self, key: str) -> float:
        """Return the mean RMSE of an estimator, in counts."""
        repeats = self.repeats
        return _rmse(repeats.error[repeats.keys.index(key)], self.size)

    @property
    def frame(self) -> pd.DataFrame:
        """The numbers of every estimator."""
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
        options = self.knowledge, self.ranked_keys, self.n_pairs
        risks = denoise.coupled_risk(self._rng(1), self.noisy_counts, self.sigma, *options)
        return {key: float(risk) for key, risk in risks.items()}

    @cached_property
    def _estimates(self) -> dict[str, denoise.Estimate]:
        return denoise.estimates(self.noisy_counts, self.sigma, self.knowledge, self.table_keys)

    def _outcome(self, estimate: denoise.Estimate) -> Outcome:
        sure = float(estimate.sure)
        return Outcome(float(estimate.tuning), sure, _rmse(sure, self.size), self.true_rmse(estimate.value))

    def _rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, purpose))


def _rmse(squares: float, size: int) -> float:
    return math.sqrt(squares / size) if squares >= 0 else math.nan
