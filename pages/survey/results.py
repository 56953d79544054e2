"""The setting of the page, and the errors of a survey, of a trusted office, and of sampling."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, isnan, sqrt

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace, local
from dpcore.checks import Array, interval_bounds
from pages.framework.chart.theme import decades
from pages.framework.parameters.number_format import rounded_up
from pages.framework.parameters.parameter import Values
from pages.shared.conditions import CURATOR, condition_values
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.survey.parameters import LARGEST_EPSILON, LEAST_EPSILON, N_PEOPLE, NAMES, OFFICE

PHONES = "phones"
LEAST_SIGNIFICANCE = 1e-290  # of which the noise of an office has a part
FEW_PEOPLE = 1_000
"""Below it the normal approximation is rough: at 100 people the estimate was within ± in 91 %, not in 95 %."""
SAMPLING = "sampling"
LINES = NAMES | {OFFICE: "a trusted office", SAMPLING: "sampling alone"}
_PER_DECADE = 100
_ROUNDING = 1 + 1e-14
MOST_TRIAL_OPTIONS = 30
"""Of more options a trial survey is not drawn: its bars would be thinner than their labels."""
_USUAL = ("subset_selection", "randomized_response")  # the second, in dashes, is drawn on top of the first
_OTHER = "optimized_unary"  # the third line, where none other is chosen


@dataclass(frozen=True)
class SurveySetting(SharedSetting):
    """The parameters of the page."""

    n_people: float
    n_options: float
    option_share: float
    method: str
    known: str
    wanted_points: float
    mechanisms: str
    seed: float

    @property
    def wanted_error(self) -> float:
        """The error that is wanted, as a share of 1."""
        return self.wanted_points / 100

    @property
    def is_error_known(self) -> bool:
        """Whether ε follows from the error that is wanted."""
        return self.known == "accuracy"

    @property
    def are_people_sought(self) -> bool:
        """Whether the number of people follows from ε and the error that is wanted."""
        return self.known == "people"


@dataclass(frozen=True)
class Trial:
    """A survey for trial: the true shares, what the reports say, and the ± of each, all as shares of 1."""

    truth: Array
    estimate: Array
    half_width: Array

    @property
    def n_within(self) -> int:
        """How many estimates are within their ± of the truth."""
        return int(np.sum(abs(self.estimate - self.truth) <= self.half_width))

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each option, with the nearest shares that are not negative and sum to 1."""
        rows = {"option": np.arange(1, self.truth.size + 1), "truth": self.truth, "estimate": self.estimate}
        return pd.DataFrame(rows | {"half_width": self.half_width, "adjusted": local.consistent_shares(self.estimate)})


@dataclass(frozen=True)
class Side:
    """What phones or a trusted office have at ε: that of the setting, or the one that the wanted error requires.

    `error` is ± about those who answer, `population_error` about all people of whom they are a random sample, both as
    shares of 1. `wanted_epsilon` and `wanted_population_epsilon` are enough for the wanted error, and `people` and
    `population_people` are enough for it at `epsilon`. NaN stands for what does not exist.
    """

    epsilon: float
    error: float
    population_error: float
    wanted_epsilon: float
    wanted_population_epsilon: float
    people: float
    population_people: float


@dataclass(frozen=True)
class SurveyResult:
    """The page at one setting; `conditions` are the values of the parameters of the conditions.

    The ε of the setting is that of the answer: where an error is wanted, it is the one that follows.
    """

    setting: SurveySetting
    section: str = "shares"
    conditions: Values = field(default_factory=dict)

    @property
    def is_office(self) -> bool:
        """Whether the answer is that of a trusted office, and not of phones."""
        return self.conditions.get(CURATOR.key) == OFFICE

    @property
    def side(self) -> str:
        """Who adds the noise of the answer, as in `sides`."""
        return OFFICE if self.is_office else PHONES

    @property
    def answer_error(self) -> float:
        """± of the answer about those who answer, of phones or of an office."""
        return self.sides[self.side].error

    @property
    def is_binary(self) -> bool:
        """Whether there are two options: an office then needs noise in one count alone."""
        return self.setting.n_options == 2

    @property
    def l1_sensitivity(self) -> float:
        """By how much another answer moves the counts of an office."""
        return 1.0 if self.is_binary else 2.0

    @property
    def scale(self) -> float:
        """The scale b of the noise of an office."""
        return float(laplace.scale_from_epsilon(self.setting.epsilon, 0.0, self.l1_sensitivity))

    @cached_property
    def epsilon_of_phones(self) -> float:
        """The least ε of a report with the wanted error, by the method that is chosen; NaN where none is enough."""
        setting = self.setting
        known = setting.n_options, setting.n_people, setting.method, setting.option_share, setting.significance
        return float(local.epsilon_for_half_width(setting.wanted_error, *known))

    @cached_property
    def epsilon_of_office(self) -> float:
        """The least ε of a trusted office with the wanted error; NaN where none is enough."""
        s = self.setting
        return float(local.curator_epsilon(s.wanted_error, s.n_options, s.n_people, s.significance))

    @cached_property
    def sides(self) -> dict[str, "Side"]:
        """What phones and what a trusted office have."""
        return {PHONES: self._side(PHONES, self.epsilon_of_phones), OFFICE: self._side(OFFICE, self.epsilon_of_office)}

    def _side(self, side: str, enough: float) -> "Side":
        setting = self.setting
        epsilon = used_epsilon(enough) if setting.is_error_known else setting.epsilon
        if isnan(epsilon):
            return Side(epsilon, *[epsilon] * 6)
        wanted, d, n, f = setting.wanted_error, setting.n_options, setting.n_people, setting.option_share
        alpha = setting.significance
        if side == OFFICE:
            error, level = float(self.office_error(epsilon, d)), max(alpha, LEAST_SIGNIFICANCE)
            everybody = float(local.curator_population_half_width(epsilon, d, n, f, level))
            wide = float(local.curator_population_epsilon(wanted, d, n, f, level))
            return Side(epsilon, error, everybody, enough, wide, *self._people_of_office(epsilon))
        known = d, n, setting.method, f, alpha
        error, everybody = (float(local.half_width(epsilon, *known, sampling=every)) for every in (False, True))
        wide = float(local.epsilon_for_half_width(wanted, *known, sampling=True))
        return Side(epsilon, error, everybody, enough, wide, *self._people_of_phones(setting.method, epsilon))

    def _people_of_office(self, epsilon: float) -> tuple[float, float]:
        """Return how many people are enough for the wanted error, about those who answer and about a population."""
        setting, error = self.setting, float(self.office_error(epsilon, self.setting.n_options))
        known = epsilon, setting.n_options, setting.option_share, max(setting.significance, LEAST_SIGNIFICANCE)
        population = local.curator_population_people(setting.wanted_error, *known)
        return self._enough_people(error, 1), float(population)

    def _people_of_phones(self, method: str, epsilon: float) -> tuple[float, float]:
        setting = self.setting
        known = epsilon, setting.n_options, method, setting.option_share, setting.significance
        few, many = (local.least_people(setting.wanted_error, *known, sampling=sampling) for sampling in (False, True))
        return float(few), float(many)

    def _enough_people(self, error: float, power: int) -> float:
        """Return how many people are enough for the wanted error where ± is that error, and n ∝ ±^-power."""
        people = self.setting.n_people * (error / self.setting.wanted_error) ** power
        return max(float(ceil(people * _ROUNDING)), 1.0)

    @cached_property
    def at_any_share(self) -> Side | None:
        """What the answer has of a population whatever the share is, of two options; None of more, or without an ε.

        Only the numbers about a population are other ones than those of `sides`.
        """
        setting, method = self.setting, self.method
        wanted, d, n, alpha = setting.wanted_error, setting.n_options, setting.n_people, setting.significance
        side = self.sides[self.side]
        if not self.is_binary or isnan(side.epsilon):
            return None
        if self.is_office:  # its noise is the same for every share, and sampling has the largest error at ½
            level = max(alpha, LEAST_SIGNIFICANCE)
            error = local.curator_population_half_width(side.epsilon, d, n, 0.5, level)
            enough = local.curator_population_epsilon(wanted, d, n, 0.5, level)
            people = local.curator_population_people(wanted, side.epsilon, d, 0.5, level)
        else:
            error = local.half_width(side.epsilon, d, n, method, None, alpha, sampling=True)
            enough = local.epsilon_for_half_width(wanted, d, n, method, None, alpha, sampling=True)
            people = local.least_people(wanted, side.epsilon, d, method, None, alpha, sampling=True)
        numbers = float(error), float(enough), float(people)
        return replace(
            side, population_error=numbers[0], wanted_population_epsilon=numbers[1], population_people=numbers[2]
        )

    def half_width(self, method: str, epsilon: ArrayLike, n_options: ArrayLike) -> Array:
        """Return ± of the noise alone as a share of 1 at other ε and numbers of options."""
        setting = self.setting
        known = setting.n_people, method, setting.option_share, setting.significance
        return local.half_width(epsilon, n_options, *known)

    @cached_property
    def half_widths(self) -> dict[str, float]:
        """± by each method, of the noise alone."""
        known = self.setting.epsilon, self.setting.n_options
        return {method: float(self.half_width(method, *known)) for method in local.METHODS}

    @cached_property
    def method(self) -> str:
        """The method of the answer: the one that is chosen, or the one of the least error."""
        if self.setting.method != "best":
            return self.setting.method
        return min(self.half_widths, key=lambda method: self.half_widths[method])

    @property
    def error(self) -> float:
        """± by phones at the ε of the setting."""
        return self.half_widths[self.method]

    @cached_property
    def subset_size(self) -> int:
        """How many options a report of subset selection has."""
        setting = self.setting
        return int(local.subset_size(setting.epsilon, setting.n_options, setting.option_share))

    @cached_property
    def report_probabilities(self) -> tuple[float, ...]:
        """p, 1 − p, q, 1 − q and p − q: how probably the report of a device counts for its own and another option."""
        setting = self.setting
        known = setting.epsilon, setting.n_options, self.method, setting.option_share
        return tuple(map(float, local.report_probabilities(*known)))

    @property
    def error_of_all(self) -> float:
        """± within which all shares are at once, whatever these are; of two, one is estimated, the other the rest."""
        setting = self.setting
        known = setting.epsilon, setting.n_options, setting.n_people, self.method
        if self.is_binary:
            return float(local.half_width(*known, None, setting.significance))
        return float(local.simultaneous_half_width(*known, setting.significance))

    @property
    def is_rough(self) -> bool:
        """Whether the answer is that of phones, of so few people that the normal approximation is rough."""
        return self.setting.n_people < FEW_PEOPLE and not self.is_office

    @cached_property
    def exact_error(self) -> float:
        """± of the answer where few people answer: the counts are enumerated."""
        setting = self.setting
        known = setting.epsilon, setting.n_options, setting.n_people, self.method, setting.option_share
        return float(local.exact_half_width(*known, setting.significance))

    def office_error(self, epsilon: ArrayLike, n_options: ArrayLike) -> Array:
        """Return ± of a share that an office publishes, with Laplace noise on its counts."""
        return local.curator_half_width(epsilon, n_options, self.setting.n_people, self.setting.significance)

    @cached_property
    def sampling_error(self) -> float:
        """± of the sampling alone, without any noise."""
        setting = self.setting
        deviation = sqrt(setting.option_share * (1 - setting.option_share) / setting.n_people)
        return float(gaussian.half_width(setting.significance, 1.0)) * deviation

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The methods that are drawn: all, or three of them with that of the answer."""
        if self.setting.mechanisms == "all":
            return local.METHODS
        third = self.method if self.method not in _USUAL else _OTHER
        return (*_USUAL, third)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """± over ε, by method, of the office, and of sampling."""
        first, last = decades(-1, 1, self.setting.epsilon)
        return self._frame("epsilon", np.logspace(first, last, _PER_DECADE * (last - first) + 1))

    @cached_property
    def over_options(self) -> pd.DataFrame:
        """± over the number of options."""
        _, last = decades(0, 3, self.setting.n_options)
        return self._frame("n_options", np.unique(np.rint(np.logspace(np.log10(2), last, _PER_DECADE * last + 1))))

    def _frame(self, name: str, places: Array) -> pd.DataFrame:
        """Return ± over places of ε or of the number of options, by method, of the office, and of sampling."""
        setting = self.setting
        known = (places, setting.n_options) if name == "epsilon" else (setting.epsilon, places)
        columns = {method: np.broadcast_to(self.half_width(method, *known), places.shape) for method in self.lines}
        columns[OFFICE] = np.broadcast_to(self.office_error(*known), places.shape)
        columns[SAMPLING] = np.full(places.shape, self.sampling_error)
        return pd.DataFrame({name: places} | columns)

    @cached_property
    def trial(self) -> Trial | None:
        """A survey for trial, where its options can be drawn."""
        return draw_trial(self.setting, self.method) if self.setting.n_options <= MOST_TRIAL_OPTIONS else None

    @cached_property
    def ways(self) -> pd.DataFrame:
        """± about those who answer, whom sampling alone does not miss, and the people as in `Side`, by every way."""
        setting = self.setting
        people = {method: self._people_of_phones(method, setting.epsilon) for method in local.METHODS}
        people[OFFICE] = self._people_of_office(setting.epsilon)
        people[SAMPLING] = 1.0, self._enough_people(self.sampling_error, 2)
        errors = self.half_widths | {OFFICE: float(self.office_error(setting.epsilon, setting.n_options)), SAMPLING: 0}
        rows = [(way, errors[way], *numbers) for way, numbers in people.items()]
        return pd.DataFrame(rows, columns=["way", "error", "people", "population_people"])


def draw_trial(setting: SurveySetting, method: str) -> Trial:
    """Draw the reports of people of whom the share f has the first option, and the others the rest, like 1/k."""
    n, d = int(setting.n_people), int(setting.n_options)
    others = (1 - setting.option_share) / np.arange(1, d)
    shares = np.concatenate([[setting.option_share], others / np.sum(1 / np.arange(1, d))])
    people = np.diff(np.rint(n * np.concatenate([[0.0], np.cumsum(shares)])))
    counted = local.sample_counts(np.random.default_rng(int(setting.seed)), people, setting.epsilon, method)
    truth = people / n
    size = local.half_width(setting.epsilon, d, n, method, truth, setting.significance)
    return Trial(truth, local.estimated_shares(counted, n, setting.epsilon, method), size)


def used_epsilon(enough: float) -> float:
    """Return the ε that the page uses for a wanted error: it is rounded up as shown, within what the page takes."""
    return enough if isnan(enough) else max(rounded_up(enough), LEAST_EPSILON)


def compute_result(values: Values) -> SurveyResult:
    """Return the page at the values of the parameters."""
    result = SurveyResult(
        read_setting(SurveySetting, values), values.get("section", "shares"), condition_values(values)
    )
    if result.setting.are_people_sought:
        people = max(result.sides[result.side].people, interval_bounds(N_PEOPLE.limits)[0])
        return replace(result, setting=replace(result.setting, n_people=people))
    if not result.setting.is_error_known:
        return result
    enough = used_epsilon(result.epsilon_of_office if result.is_office else result.epsilon_of_phones)
    return replace(result, setting=replace(result.setting, epsilon=min(enough, LARGEST_EPSILON)))
