"""The parameters of the page, what is computed at one setting of them, and the points of its curves and maps."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace, laplace_gaussian, optimal_noise, tables, truncated_laplace
from dpcore.calibrations import ANALYTIC, LAPLACE, TRUNCATED_LAPLACE
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism, calibrated
from dpcore.sensitivity import table_sensitivity
from pages.framework.chart.theme import round_axis_end
from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Choice, Pin
from pages.framework.parameters.parameter import Values
from pages.shared.laplace_query import CASE, GAUSSIAN, K, LaplaceQuerySetting, T, query_corrections
from pages.shared.shared_parameters import DRAWN, EPSILON, L1_SENSITIVITY, MEASURE, N_DRAWS, SEED, read_setting


@dataclass(frozen=True)
class ViewChoice(Choice):
    """The parameter that says which picture leads; older links had one more, of densities without draws."""

    former: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: {"density": {"view": "draws"}})


VIEW = ViewChoice("view", "view", {"tails": "Tails", "draws": "Densities"}, "tails", older_default="draws")
FUNCTION = Choice("function", "function", {"pdf": "Density", "cdf": "Distribution"}, "pdf")
HOLD = Choice(
    "hold", "what is equal", {"epsilon": "Same ε", "variance": "Same variance", "tail": "Same tail at t"}, "epsilon"
)
QUERY_FIELDS = (Field(CASE, "Statistic"), Field(GAUSSIAN, "Gaussian calibration"))
COMPARISON_FIELDS = (*QUERY_FIELDS, Field(HOLD, "Held equal"))


@dataclass(frozen=True)
class LaplaceGaussianSetting(LaplaceQuerySetting):
    """The values of the parameters of the page."""

    hold: str
    measure: str
    seed: float
    drawn: float


TAILS_KEYS = "deltas", "cutoff"  # of a section that has moved
PINNED = Pin((CASE, K, L1_SENSITIVITY, GAUSSIAN, HOLD, T), query_corrections, retired_keys=TAILS_KEYS)
PARAMETERS = (VIEW, FUNCTION, CASE, K, GAUSSIAN, HOLD, T, MEASURE, L1_SENSITIVITY, SEED, DRAWN, PINNED)

NOISES = ("laplace", "gaussian")
"""The two noises, by the columns of `dpcore.laplace_gaussian`."""
ErrorPair = tuple[dict[str, float], dict[str, float]]
"""The errors of the Laplace and the Gaussian noise, each by measure."""
_N_BINS = 100
_RECOMMENDED = tuple(family.calibration.key for family in FAMILIES.values() if family.is_sampled_safely)
_N_ROWS = 800  # of a linear program, above δ = 0.001: 1500 are nearer by 1 % at most up to ε = 2, in twice the time


class Draws(NamedTuple):
    """The edges of bins, and, by noise, how many of the first `drawn` draws are in each bin, and beyond the half-width.

    `most` is how many of all draws are in the fullest bin.
    """

    edges: Array
    counts: dict[str, Array]
    beyond: dict[str, int]
    most: dict[str, int]
    drawn: int

    def frame(self) -> pd.DataFrame:
        """Return the numbers as a table."""
        return pd.DataFrame({"low": self.edges[:-1], "high": self.edges[1:]} | self.counts)


@dataclass(frozen=True)
class LaplaceGaussianResult:
    """What is computed at one setting, each number once.

    `section` is the open section, `view` its lead picture, `function` the function that is drawn for the densities,
    and `pinned` the result of a pinned setting. Where ε is too small for Laplace noise (`has_answer` is false), the
    numbers are those of the least ε that is large enough.
    """

    setting: LaplaceGaussianSetting
    section: str
    view: str
    function: str
    pinned: "LaplaceGaussianResult | None" = None

    @property
    def has_answer(self) -> bool:
        """Whether Laplace noise has an answer at this ε."""
        return self.setting.epsilon >= LAPLACE.least_epsilon

    @property
    def has_counts(self) -> bool:
        """Whether there is a number of counts to vary."""
        return self.has_answer and self.setting.case == "counts"

    @property
    def epsilon(self) -> float:
        """ε, or the least for which Laplace noise has an answer."""
        return max(self.setting.epsilon, LAPLACE.least_epsilon)

    @cached_property
    def noises(self) -> NoisePair:
        """Both noises."""
        setting = self.setting
        kind = setting.calibration, setting.hold, self.epsilon, setting.delta
        return laplace_gaussian.calibrate_equal(*kind, setting.norms, setting.t if setting.hold == "tail" else None)

    @cached_property
    def errors(self) -> ErrorPair:
        """The errors of the Laplace and the Gaussian noise, by measure."""
        laplaces, gaussians = (laplace_gaussian.errors(noise, self.setting.significance) for noise in self.noises)
        return laplaces, gaussians

    @property
    def candidates(self) -> tuple[Mechanism, ...]:
        """The mechanisms for the query at this ε and δ that may be recommended: the others are larger or not safe."""
        setting = self.setting
        if setting.case != "own":
            person = table_sensitivity(setting.k if setting.case == "counts" else 1)
            return tables.mechanisms(self.epsilon, setting.delta, person, keys=_RECOMMENDED)
        rules = (LAPLACE, setting.l1), (ANALYTIC, setting.l2)
        return tuple(calibrated(rule, self.epsilon, setting.delta, size) for rule, size in rules)

    @cached_property
    def truncated(self) -> Mechanism | None:
        """Truncated Laplace noise of the page's ε and δ; None for several numbers, and where it is too large."""
        setting = self.setting
        if setting.l1 != setting.l2:
            return None
        mechanism = calibrated(TRUNCATED_LAPLACE, self.epsilon, setting.delta, setting.l1)
        return None if np.isnan(mechanism.scale) else mechanism

    @property
    def truncated_half_width(self) -> float:
        """The half-width of truncated Laplace noise, NaN where there is none."""
        return np.nan if self.truncated is None else self.truncated.half_width(self.setting.significance)

    @cached_property
    def least_errors(self) -> dict[str, float] | None:
        """The errors, by measure, that no noise of the page's ε and δ is below; None for several numbers."""
        setting, numbers = self.setting, (self.epsilon, self.setting.delta, self.setting.l1)
        if setting.l1 != setting.l2:
            return None
        least = {"variance": np.nan, "mean_error": np.nan}  # beyond the ε and δ of the linear programs
        if optimal_noise.has_least_cost(self.epsilon, setting.delta):
            costs = zip(least, ("variance", "mean_absolute_error"), strict=True)
            least = {key: optimal_noise.least_cost(*numbers, cost, most_rows=_N_ROWS).lower for key, cost in costs}
        return least | {"accuracy": float(optimal_noise.least_half_width(setting.significance, *numbers))}

    def tails(self, t: Array) -> pd.DataFrame:
        """Return the tails of both noises along t and, for one number, of truncated Laplace noise and of any noise."""
        setting = self.setting
        frame = laplace_gaussian.tails(t, self.noises.laplace.scale, self.noises.gaussian.scale)
        if self.truncated is None:
            return frame
        least = optimal_noise.least_tail(t, self.epsilon, setting.delta, setting.l1)
        return frame.assign(truncated=self.truncated.tail(t), least=least)

    @property
    def half_widths(self) -> dict[str, float]:
        """The half-width of each noise, by its key in the figures."""
        return {key: errors["accuracy"] for key, errors in zip(NOISES, self.errors, strict=True)}

    @property
    def half_widths_of_steps(self) -> Array:
        """The half-width of Laplace noise at each step of the slider of ε."""
        epsilons = np.array([float(step) for step in EPSILON.scale])
        return laplace.half_width(self.setting.significance, laplace.scale_from_epsilon(epsilons, 0.0, self.setting.l1))

    @property
    def _level(self) -> float | None:
        """The significance of the chosen measure, if it has one."""
        return self.setting.significance if self.setting.measure == "accuracy" else None

    @cached_property
    def crossing(self) -> int:
        """The number of counts from which on the Gaussian is the smaller."""
        setting = self.setting
        numbers = setting.measure, self.epsilon, setting.delta, self._level
        return laplace_gaussian.crossover(setting.calibration, *numbers)

    @cached_property
    def frontier(self) -> float:
        """The δ above which the Gaussian is the smaller."""
        setting = self.setting
        numbers = setting.measure, self.epsilon, setting.norms, self._level
        return float(laplace_gaussian.frontier(setting.calibration, *numbers))

    @cached_property
    def draws(self) -> Draws:
        """The histograms of seeded draws of each noise."""
        seed, drawn, noises = int(self.setting.seed), int(self.setting.drawn), self.noises
        end = axis_end(noises, 1e-3)
        edges = np.linspace(-end, end, _N_BINS + 1)
        scales: dict[str, float] = dict(zip(NOISES, (noises.laplace.scale, noises.gaussian.scale), strict=True))
        ends = {key: np.append(edges, (-half_width, half_width)) for key, half_width in self.half_widths.items()}
        places = {key: values / scales[key] for key, values in ends.items()}
        if self.truncated is not None:
            # A draw is that of uniform noise within ±1 at which both distributions have the same value.
            x = np.append(edges, (-self.truncated_half_width, self.truncated_half_width))
            places["truncated"] = 2 * truncated_laplace.cdf(x, *self.truncated.parameters) - 1
        draws, all_draws = _unit_draws(seed, drawn), _unit_draws(seed, N_DRAWS)
        counts, beyond, most = {}, {}, {}
        for key, values in places.items():
            *n_below, low, high = np.searchsorted(draws[key], values)
            counts[key], beyond[key] = np.diff(n_below), int(low + drawn - high)
            most[key] = int(np.diff(np.searchsorted(all_draws[key], values[:-2])).max())
        return Draws(edges, counts, beyond, most, drawn)

    @property
    def answered_pinned(self) -> "LaplaceGaussianResult | None":
        """The result of the pinned setting, if Laplace noise has an answer there."""
        return self.pinned if self.pinned is not None and self.pinned.has_answer else None

    @property
    def same_epsilon(self) -> "LaplaceGaussianResult":
        """Both noises at the same ε."""
        return replace(self, setting=replace(self.setting, hold="epsilon"), pinned=None)

    @cached_property
    def densities(self) -> pd.DataFrame:
        """Density and distribution of both noises and, for one number, of truncated Laplace noise."""
        end = axis_end(self.noises, 1e-3)  # all but 1 in 1000 of both noises lie within it
        x = np.linspace(-end, end, 401)
        frame = laplace_gaussian.densities(x, self.noises.laplace.scale, self.noises.gaussian.scale)
        if self.truncated is None:
            return frame
        pdf, cdf = (
            function(x, *self.truncated.parameters) for function in (truncated_laplace.pdf, truncated_laplace.cdf)
        )
        return frame.assign(truncated_pdf=pdf, truncated_cdf=cdf)


def compute_result(values: Values) -> LaplaceGaussianResult:
    """Return what the page shows at the values of its parameters, beside the result of a pinned setting."""
    pinned = values["pinned"] and compute_result(values | values["pinned"])
    setting = read_setting(LaplaceGaussianSetting, values)
    if values["section"] == "wins":  # which has no field for what is equal
        setting = replace(setting, hold="epsilon")
    return LaplaceGaussianResult(setting, values["section"], values["view"], values["function"], pinned)


@lru_cache(8)
def _unit_draws(seed: int, drawn: int) -> dict[str, Array]:
    """Return the first draws of each noise of scale 1, sorted; truncated noise of infinite scale is uniform."""
    rng = np.random.default_rng(seed)
    draws = {key: FAMILIES[key].functions.sample(rng, 1.0, N_DRAWS) for key in NOISES}
    draws["truncated"] = truncated_laplace.sample(np.random.default_rng(seed), 1.0, np.inf, N_DRAWS)
    return {key: np.sort(noise[:drawn]) for key, noise in draws.items()}


def axis_end(noises: NoisePair, share: float) -> float:
    """Return the end of an axis that holds all but a share of both noises."""
    half_widths = laplace.half_width(share, noises.laplace.scale), gaussian.half_width(share, noises.gaussian.scale)
    return round_axis_end(float(max(half_widths)))
