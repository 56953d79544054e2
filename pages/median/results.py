"""The setting of the page and its values; the results of quantiles and of the largest of several; and conditions."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan

import numpy as np
import pandas as pd

from dpcore import linear_queries, quantiles, selection
from dpcore.checks import Array
from dpcore.readers import PersonValues
from pages.framework.chart.theme import decades, round_axis_end
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.framework.parameters.parameter import Values
from pages.median.parameters import MOST_PEOPLE, PER_TOTAL_FIELD
from pages.median.quantile.results import QuantileRelease, QuantileResult
from pages.shared.conditions import CONTRIBUTION, LIMITED, Subject, condition_values, release_conditions
from pages.shared.counts.table import PER_TOTAL
from pages.shared.shared_parameters import read_setting
from pages.shared.values.parameters import (
    SOURCE_FIELD,
    ValuesSetting,
    ValuesUpload,
    amount,
    entered_amount,
    quantile_name,
    used_values,
)

_N_LEADS, _N_FEW_LEADS = 81, 13  # the second where several are chosen, which takes longer
_MOST_LEADS, _MOST_FEW_LEADS = 30, 10  # up to which each whole number is drawn
_PER_DECADE = 8
_N_HALVINGS = 30
_LEAST_LEAD = 10.0  # the end of the axis of leads


@dataclass(frozen=True)
class LargestResult:
    """The largest m of several counts, each chosen privately; a person is added or removed where it is `monotone`."""

    epsilon: float
    counts: tuple[float, ...]
    n_chosen: int
    wanted: float
    mechanism: str
    monotone: bool

    @cached_property
    def ordered(self) -> Array:
        """The counts, the largest first."""
        return np.sort(self.counts)[::-1]

    @property
    def lead(self) -> float:
        """By how much the last one that should be chosen exceeds the next."""
        return float(self.ordered[self.n_chosen - 1] - self.ordered[self.n_chosen])

    def probability(self, scores: Array, epsilon: float | Array, mechanism: str = "") -> Array:
        """Return the probability that the right ones are published, for lists of scores or several ε."""
        chosen = mechanism or self.mechanism
        if self.n_chosen == 1:
            return selection.winner_probability(scores, epsilon, 1.0, chosen, self.monotone)
        rows = np.broadcast_to(scores, (np.size(epsilon), scores.shape[-1])) if scores.ndim == 1 else scores
        losses = np.broadcast_to(epsilon, len(rows))
        options = 1.0, chosen, self.monotone
        found = [
            selection.top_probability(row, self.n_chosen, loss, *options)
            for row, loss in zip(rows, losses.tolist(), strict=True)
        ]
        return np.array(found)

    @cached_property
    def right(self) -> float:
        """The probability that the right ones are published."""
        return float(np.ravel(self.probability(self.ordered, self.epsilon))[0])

    @cached_property
    def expected_gap(self) -> float:
        """By how much the first one that is chosen is below the largest, on average."""
        own = self.epsilon / self.n_chosen
        return float(selection.expected_gap(self.ordered, own, 1.0, self.mechanism, self.monotone))

    @cached_property
    def least_epsilon(self) -> float | None:
        """The ε that is enough for the wanted probability; None where none is, as the chart over ε has it."""
        if self.n_chosen == 1:
            try:
                return selection.least_epsilon(self.ordered, self.wanted, 1.0, self.mechanism, self.monotone)
            except ValueError:
                return None
        frame = self.over_epsilon
        enough = frame[self.mechanism].to_numpy() >= self.wanted
        if not enough[-1]:
            return None
        if enough.all():
            return float(frame["epsilon"].iloc[0])
        last = int(np.flatnonzero(~enough)[-1])
        too_small, high = frame["epsilon"].to_numpy()[[last, last + 1]]
        for _ in range(_N_HALVINGS):
            middle = float(np.sqrt(too_small * high))
            is_enough = float(self.probability(self.ordered, middle)[0]) >= self.wanted
            too_small, high = (too_small, middle) if is_enough else (middle, high)
        return float(high)

    @cached_property
    def over_lead(self) -> pd.DataFrame:
        """The probability over the lead of the right ones, which all move with it, by mechanism."""
        last = round_axis_end(max(_LEAST_LEAD, 2 * self.lead))
        n, most = (_N_LEADS, _MOST_LEADS) if self.n_chosen == 1 else (_N_FEW_LEADS, _MOST_FEW_LEADS)
        leads = np.unique(np.rint([*np.arange(1, min(most, last) + 1), *np.linspace(1, last, n)]))
        moved = np.arange(self.ordered.size) < self.n_chosen
        rows = self.ordered + np.multiply.outer(leads - self.lead, moved)
        frame = {name: self.probability(rows, self.epsilon, name) for name in selection.MECHANISMS}
        return pd.DataFrame({"lead": leads} | frame)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """The probability over ε, by mechanism."""
        first, last = decades(-2, 1, self.epsilon)
        losses = np.logspace(first, last, _PER_DECADE * (last - first) + 1)
        frame = {name: self.probability(self.ordered, losses, name) for name in selection.MECHANISMS}
        return pd.DataFrame({"epsilon": losses} | frame)

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The probability of each count to be the first that is chosen, by mechanism."""
        own = self.epsilon / self.n_chosen
        sensitivity = 0.5 if self.monotone else 1.0
        noisy = self.ordered, own, 1.0, self.monotone
        frame = {
            "count": self.ordered,
            "permute_and_flip": selection.permute_and_flip(self.ordered, own, sensitivity),
            "exponential": selection.exponential(*noisy),
            "report_noisy_max": selection.report_noisy_max(*noisy),
        }
        return pd.DataFrame(frame)


MOST_DRAWN = 2_000
"""The number of people up to which the recursive method is tried: its errors are estimated from draws."""
N_DRAWS, SEED = 400, 1
_OTHER_SEED = 2  # so that the number of parts is not chosen by the draws of which the ± is
_PARTS = 16, 32, 64, 128  # of the range, whose people are counted
METHODS = ("single", "recursive", "histogram")


@dataclass(frozen=True)
class SeveralResult:
    """Several quantiles of some values, which are sorted, within the ε of the release."""

    release: QuantileRelease
    significance: float
    ordered: Array
    levels: tuple[float, ...]

    @property
    def has_draws(self) -> bool:
        """Whether draws are enough to estimate a ±."""
        return bool(self.significance * N_DRAWS >= np.log(100))

    @property
    def is_recursive_drawn(self) -> bool:
        """Whether the recursive method is tried: for few people who are added or removed."""
        return self.has_draws and self.ordered.size <= MOST_DRAWN and self.release.neighbours == "add_remove"

    @cached_property
    def n_parts(self) -> int:
        """The number of parts of the range whose histogram has the least ± of the quantile that is farthest off."""
        return min(_PARTS, key=lambda parts: float(self._histogram_errors(parts, _OTHER_SEED).max()))

    def _histogram_errors(self, n_parts: int, seed: int) -> Array:
        options = n_parts, 0.0, self.release.neighbours, N_DRAWS
        return self._drawn_errors(quantiles.sample_histogram(np.random.default_rng(seed), *self._known, *options))

    def _drawn_errors(self, draws: Array) -> Array:
        values, levels, _, outputs = self._known
        return quantiles.drawn_half_widths(draws, values, levels, outputs, self.significance)

    @property
    def _known(self) -> tuple[Array, list[float], float, quantiles.Range]:
        """The values, the quantiles, the ε of one value and what can be released."""
        release = self.release
        return self.ordered, list(self.levels), release.epsilon_of_one, quantiles.Range(release.low, release.high)

    @cached_property
    def strategy(self) -> linear_queries.Errors:
        """Which sums of the parts get the noise of the histogram."""
        neighbours = self.release.neighbours
        return linear_queries.error("running_totals", "best", self.n_parts, neighbours=neighbours, noise="laplace")

    @property
    def noise_scale(self) -> float:
        """The scale of the noise of the histogram."""
        return linear_queries.noise_scale(self.strategy, self.release.epsilon_of_one)

    @cached_property
    def truths(self) -> Array:
        """The quantiles of the values."""
        return np.quantile(self.ordered, self.levels)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The ± of each quantile, by method, and of each alone with all of ε."""
        values, levels, epsilon, outputs = known = self._known
        of_each, options = quantiles.single_epsilon(epsilon, len(levels)), (self.significance, self.release.neighbours)
        errors = {
            "single": quantiles.half_width(values, levels, of_each, outputs, *options),
            "alone": quantiles.half_width(*known, *options),
        }
        if self.is_recursive_drawn:
            draws = quantiles.sample_recursive(np.random.default_rng(SEED), *known, N_DRAWS)
            errors["recursive"] = self._drawn_errors(draws)
        if self.has_draws:
            errors["histogram"] = self._histogram_errors(self.n_parts, SEED)
        return pd.DataFrame({"quantile": self.levels, "truth": self.truths} | errors)

    @cached_property
    def largest_errors(self) -> dict[str, float]:
        """The ± of the quantile that is farthest off, by method."""
        return {name: float(self.frame[name].to_numpy().max()) for name in METHODS if name in self.frame}

    @cached_property
    def epsilon_each(self) -> float:
        """The ε of one value for each quantile that is released by itself, or for a level of halves; rounded down."""
        divide = quantiles.single_epsilon if self.best_method == "single" else quantiles.recursive_epsilon
        return divide(self.release.epsilon_of_one, len(self.levels))

    @cached_property
    def best_method(self) -> str:
        """The method whose largest ± is the least."""
        return min(self.largest_errors, key=self.largest_errors.__getitem__)


@dataclass(frozen=True)
class MedianSetting(ValuesSetting):
    """The parameters of the page."""

    quantile: float
    low: float
    high: float
    step: float
    accuracy: float
    neighbours: str
    quantiles: tuple[float, ...]
    counts: tuple[float, ...]
    chosen: float
    wanted: float
    chooser: str
    per_total: float

    @property
    def n_own(self) -> int:
        """The most values of a person."""
        return int(self.per_total)

    @property
    def quantile_release(self) -> QuantileRelease:
        """What is released: from which values, with which guarantee."""
        step = None if isnan(self.step) else float(self.step)
        return QuantileRelease(self.epsilon, self.quantile, self.low, self.high, step, self.neighbours, self.n_own)

    @property
    def figures_text(self) -> str:
        """The public figures in words."""
        return f"median {format_input_down(self.median)}, 90th percentile {format_input_up(self.p90)}"

    def range_problem(self, quantile: float, truth: float) -> str:
        """Return the sentence on a quantile outside the range; empty for one within it."""
        if self.low <= truth <= self.high:
            return ""
        ends = f"{entered_amount(self.low)} to {entered_amount(self.high)}"
        name = f"The {quantile_name(quantile)}, {amount(truth)},"
        return f"{name} is outside the range of what can be released, {ends}; widen the range."


@dataclass(frozen=True)
class MedianResult:
    """The page at one setting, each part computed once; `problem` is the sentence on why there are no values.

    `section` is the key of the open section, `conditions` are the values of the parameters of the conditions, and
    `pinned` is the page at the pinned setting.
    """

    setting: MedianSetting
    values: PersonValues | None
    problem: str = ""
    section: str = "quantile"
    conditions: Values = field(default_factory=dict)
    pinned: "MedianResult | None" = None

    @property
    def has_no_values(self) -> bool:
        """Whether the user's own values are chosen and there are none."""
        return self.setting.is_own and self.values is None

    @property
    def values_problem(self) -> str:
        """The sentence on values that are missing, or too many; empty where they can be used."""
        if self.has_no_values:
            return self.problem or "Your own values are missing: the link does not contain them."
        if self.values is not None and self.ordered.size > MOST_PEOPLE:
            return f"This page takes at most {MOST_PEOPLE:,} values."
        return ""

    @cached_property
    def problem_text(self) -> str:
        """The sentence on why one quantile has no answer; empty where it has one."""
        return self.values_problem or self.setting.range_problem(self.setting.quantile, self.quantile.truth)

    @property
    def limit_fields(self) -> tuple[Field, ...]:
        """The field of the most values of a person, where a person can have several."""
        return (PER_TOTAL_FIELD,) if self.conditions[CONTRIBUTION.key] in LIMITED else ()

    @property
    def is_missing(self) -> bool:
        """Whether the open section has no answer."""
        return self.section != "largest" and bool(
            self.values_problem or (self.section == "quantile" and self.problem_text)
        )

    @cached_property
    def ordered(self) -> Array:
        """The values, sorted: the user's own, of a person one or all that count, or a sample of the public figures."""
        setting = self.setting
        if self.values is not None:
            return np.sort(self.values.values if setting.n_own == 1 else self.values.rows)
        people = setting.distribution
        return np.asarray(people.quantile((np.arange(people.n) + 0.5) / people.n))

    @cached_property
    def quantile(self) -> QuantileResult:
        """The release of one quantile; public figures are values that are recorded in its steps."""
        setting = self.setting
        is_known = self.values is not None
        ordered = self.ordered if is_known else setting.quantile_release.recorded(self.ordered)
        people = None if setting.is_own else setting.distribution
        return QuantileResult(setting.quantile_release, setting.significance, ordered, people)

    @cached_property
    def several(self) -> SeveralResult:
        """The release of several quantiles, as any numbers of the range."""
        setting = self.setting
        levels = tuple(sorted(setting.quantiles))
        release = replace(setting.quantile_release, step=None)
        return SeveralResult(release, setting.significance, self.ordered, levels)

    @cached_property
    def largest(self) -> LargestResult:
        """The largest of several counts."""
        setting = self.setting
        count, monotone = int(setting.chosen), setting.neighbours == "add_remove"
        return LargestResult(setting.epsilon, setting.counts, count, setting.wanted, setting.chooser, monotone)

    @property
    def compared(self) -> "MedianResult | None":
        """The page at the pinned setting, where the open section has an answer there; None without one."""
        return None if self.pinned is None or self.pinned.is_missing else self.pinned


def compute_result(values: Values, upload: ValuesUpload | None = None) -> MedianResult:
    """Return the page at the values of the parameters; `upload` has the values of the session."""
    values = values | {PER_TOTAL.key: _values_per_person(values)}
    setting = read_setting(MedianSetting, values)
    used, section = used_values(values, upload), values.get("section", "quantile")
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, upload)
    return MedianResult(setting, used.values, used.problem, section, condition_values(values), pinned)


def _values_per_person(values: Values) -> float:
    """Return the most values of a person: 1 unless a limit is stated."""
    limit = values[PER_TOTAL.key]
    return 1.0 if values[CONTRIBUTION.key] == "once" or isnan(limit) else limit


_RANGE = Subject(
    limit="each person has one value",
    unlimited="nobody limits how many values a person has",
    limit_remedy="Add up the values of a person first, or keep at most N of them, chosen at random. If {limit}:",
    fixed="the range is chosen without the data",
    from_data="the range comes from the data",
    question="Were the lowest and the highest value, and the step, chosen without these data?",
    risk="a range that comes from the data reveals the most extreme people",
    remedy="Take it from public knowledge: 0 to 120 for ages, or an older release. With such a range:",
)


_SUMMED, _EACH_ROW = "the values of each person are added up first", "each row of the values is another person"


def range_conditions(result: MedianResult) -> Conditions | None:
    """Return the conditions of one quantile; None without an answer."""
    return None if result.problem_text else conditions_of_range(result)


def conditions_of_range(result: MedianResult) -> Conditions:
    """Return the conditions of quantiles within a range; those of public figures assume that values are like these."""
    is_own, figures = result.setting.is_own, result.setting.figures_text
    subject = _RANGE if is_own else replace(_RANGE, assumption=f"values are like these ({figures})")
    values, n_own = result.values, result.setting.n_own
    is_named = values is not None and bool(values.person)
    if n_own > 1:
        is_exceeded = values is not None and float(values.records.max()) > n_own
        limit = f"no person has more than {n_own:,} {'values' if is_named or not is_own else 'of the rows'}"
        subject = replace(subject, limit=limit, has_limit=True, is_exceeded=is_exceeded)
    elif is_own:
        subject = replace(subject, limit=_SUMMED if is_named else _EACH_ROW)
    known = {"limits": (PER_TOTAL_FIELD,), "data": (SOURCE_FIELD,), "is_own": is_own}
    return release_conditions(result.conditions, subject, **known)
