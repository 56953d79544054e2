"""The setting of the page and its result: the rows of the list, the plan for them, and what each costs."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpcore.checks import Array
from dpcore.plan import (
    Candidate,
    Chooser,
    Marginal,
    Mean,
    Plan,
    Query,
    UnknownGroups,
    choose,
    possible_mechanisms,
    scaled_to,
)
from pages.framework.parameters import list_parameter
from pages.framework.parameters.number_format import format_up, rounded_up
from pages.framework.parameters.parameter import Values
from pages.plan.queries import QueryItem, Terms, dpcore_query, names_of, worded
from pages.plan.query_kinds import KINDS
from pages.shared.shared_parameters import SharedSetting, read_setting

EDITOR_KEY = "queries_box"
_THRESHOLD_SHARE = 0.1


@dataclass(frozen=True)
class PlanSetting(SharedSetting):
    """The parameters of the page, which the pinned setting has too."""

    direction: str
    promise: str
    neighbours: str
    periods: float
    queries: tuple[QueryItem, ...]
    factor: float

    @property
    def plan_delta(self) -> float:
        """The δ of the plan, 0 for pure ε-DP."""
        return 0.0 if self.promise == "pure" else self.delta

    @property
    def list_factor(self) -> float:
        """The common factor on the wanted errors of the list; 1 where the total is known, and the factor follows."""
        return 1.0 if self.direction == "total" else self.factor

    @property
    def threshold_delta(self) -> float:
        """The δ of one release of unknown groups: all thresholds together have a tenth of the δ of the page."""
        n = sum(item.n_times for item in self.queries if KINDS[item.kind].has_threshold) * int(self.periods)
        return min(max(self.delta * _THRESHOLD_SHARE / max(n, 1), 1e-290), 0.1)

    @property
    def terms(self) -> Terms:
        """What its rows have in common."""
        common = self.significance, self.neighbours, int(self.periods)
        return Terms(*common, self.list_factor, self.threshold_delta)


@dataclass(frozen=True)
class Row:
    """A row of the list: its place there, its name, and the query that it is, or None with why it is left out."""

    place: int
    item: QueryItem
    name: str
    query: Query | None
    reason: str = ""


@dataclass(frozen=True)
class PlanResult:
    """The result at one setting, each part computed once; `pinned` is the result of the pinned setting."""

    setting: PlanSetting
    section: str
    values: Values
    pinned: "PlanResult | None" = None

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the list, of which those that cannot be planned have a reason."""
        return tuple(self.row_at(place) for place in range(len(self.setting.queries)))

    def row_at(self, place: int) -> Row:
        """Return one row of the list."""
        queries = self.setting.queries
        item, name = queries[place], names_of(queries)[place]
        kind = KINDS[item.kind]
        if kind.most_in_list is not None:
            n_before = sum(KINDS[other.kind].record is kind.record for other in queries[:place])
            if n_before >= kind.most_in_list:
                return Row(place, item, name, None, f"a list has at most {kind.most_in_list} of “{kind.label}”")
        return _row(place, item, name, self.setting)

    @cached_property
    def planned_rows(self) -> tuple[Row, ...]:
        """The rows that are in the plan."""
        return tuple(row for row in self.rows if row.query is not None)

    @property
    def chosen_position(self) -> int:
        """The position of the chosen row."""
        return list_parameter.chosen_position(self.setting.queries)

    @cached_property
    def _plan_and_factor(self) -> tuple[Plan | None, float, str]:
        return _plan_and_factor(self.setting, [row.query for row in self.planned_rows if row.query is not None])

    @property
    def plan(self) -> Plan | None:
        """The plan of the rows; None where there is none."""
        return self._plan_and_factor[0]

    @property
    def factor(self) -> float:
        """The factor on the wanted errors of the list that the plan has."""
        return self._plan_and_factor[1]

    @property
    def problem(self) -> str:
        """Why there is no plan, as a clause; empty where there is one."""
        return self._plan_and_factor[2]

    @cached_property
    def with_delta(self) -> "PlanResult":
        """The result at the same setting under (ε, δ)-DP."""
        return replace(self, setting=replace(self.setting, promise="delta"), pinned=None)

    @property
    def epsilon(self) -> float:
        """The total ε of the plan; ∞ without one."""
        return math.inf if self.plan is None else float(self.plan.total.value)

    @cached_property
    def marginal(self) -> Marginal | None:
        """What each query costs within the plan."""
        return None if self.plan is None else Marginal(self.plan)

    @cached_property
    def cost(self) -> Array:
        """The share of each planned query in the total, as what leaving it out would save, close to two digits."""
        if self.marginal is None:
            return np.zeros(0)
        saved = self.marginal.estimated_cost
        whole = float(np.sum(saved))
        return saved * (self.epsilon / whole) if 0 < whole < math.inf and self.epsilon < math.inf else saved

    @cached_property
    def planned_queries(self) -> tuple["PlannedQuery", ...]:
        """The planned rows with their noise and costs."""
        if self.plan is None:
            return ()
        parts = zip(self.planned_rows, self.plan.queries, self.plan.noises, self.cost.tolist(), strict=True)
        return tuple(PlannedQuery(*part, share_text(part[-1], self.epsilon)) for part in parts)

    @property
    def shown_rows(self) -> tuple[Row, ...]:
        """The rows in the order of the picture, the table and their numbers: that of the list."""
        return self.rows

    @cached_property
    def shown_queries(self) -> tuple["PlannedQuery", ...]:
        """The planned rows in that order."""
        planned = {part.row.place: part for part in self.planned_queries}
        return tuple(planned[row.place] for row in self.shown_rows if row.place in planned)

    @property
    def is_epsilon_set(self) -> bool:
        """Whether the page's ε is the budget of the plan."""
        return self.setting.direction == "total"


def share_text(cost: float, total: float) -> str:
    """Return a part of a total, rounded up as every ε that is spent; one below a thousandth is no more than that.

    >>> share_text(0.14609, 1.926), share_text(1e-9, 1.926)
    ('0.1461', 'below 0.001926')
    """
    least = bound_of_share(cost, total)
    return f"below {format_up(least)}" if cost < least else format_up(cost)


def bound_of_share(cost: float, total: float) -> float:
    """Return what a part of a total is not above: itself, or a thousandth of the total, to which it is known.

    >>> bound_of_share(0.14609, 1.926), round(bound_of_share(1e-9, 1.926), 9), bound_of_share(0.0, 1.926)
    (0.14609, 0.001926, 0.0)
    """
    return max(cost, total / 1000) if cost else 0.0


def _row(place: int, item: QueryItem, name: str, setting: PlanSetting) -> Row:
    """Return a row with its query, if noise of its error can be released."""
    try:
        query = dpcore_query(item, name, setting.terms)
    except ValueError as error:
        return Row(place, item, name, None, worded(error))
    if not possible_mechanisms(query, setting.plan_delta):
        return Row(place, item, name, None, _no_noise_reason(item, setting))
    return Row(place, item, name, query)


def _no_noise_reason(item: QueryItem, setting: PlanSetting) -> str:
    if setting.plan_delta == 0 and KINDS[item.kind].has_threshold:
        return "a threshold requires δ: choose (ε, δ)-DP as the guarantee, under “More settings”"
    if setting.plan_delta == 0 and "gaussian" in item.lock:
        return "its noise is fixed as Gaussian, which does not satisfy pure ε-DP"
    target = "noise" if item.is_fixed else "error"
    return f"no noise that can be accounted for has this {target}"


def _plan_and_factor(setting: PlanSetting, queries: list[Query]) -> tuple[Plan | None, float, str]:
    """Return the plan, its factor, and the reason for no plan."""
    if not queries:
        return None, 1.0, "no query of the list can be planned"
    if setting.direction == "errors" or all(query.is_fixed for query in queries):
        return choose(queries, setting.plan_delta), setting.list_factor, ""
    if setting.epsilon <= 0:
        return None, 1.0, "ε = 0 allows no release"
    try:
        scaled = scaled_to(queries, setting.epsilon, setting.plan_delta)
    except ValueError:
        return None, 1.0, "no noise within its limits meets this total; fixed noise may cost more alone"
    return scaled.plan, scaled.factor, ""


@dataclass(frozen=True)
class PlannedQuery:
    """A row that is planned: its noise, the errors that it reaches, and what it costs."""

    row: Row
    query: Query
    noise: Candidate | Chooser
    cost: float
    share: str

    @cached_property
    def half_width(self) -> float:
        """The error that is reached, as it is meant: of one cell, or of all cells at once."""
        return self.noise.error_of(self.query)

    def half_width_of_cells(self, significance: float, *, joint: bool) -> float:
        """Return the error of one cell, or of all cells at once."""
        if self.is_choice or self.query.width or (self.query.spread != 1 and self.threshold is None):
            return self.half_width  # a mean whose number of records is not public has one error, of both of its numbers
        return self.noise.half_width(significance, self.row.item.n_cells if joint else 1)

    @cached_property
    def threshold(self) -> float | None:
        """The threshold of unknown groups beside the scale that is displayed, which is rounded up; None of others."""
        if not isinstance(self.query.statistic, UnknownGroups):
            return None
        displayed = rounded_up(self.noise.scale)
        return float(self.query.statistic.threshold(self.noise.family, displayed).threshold)

    @cached_property
    def hidden_sum(self) -> tuple[float, float] | None:
        """The middle of the range of a mean whose number of records is not public, and the scale of the noise of the
        sum of distances from it; None of others. Their number has noise of the scale itself.
        """
        if not self.query.width:
            return None
        half = self.query.width / 2
        low = self.query.statistic.low if isinstance(self.query.statistic, Mean) else 0.0
        return low + half, self.noise.scale * half

    @property
    def count_size(self) -> str:
        """The ± of the counts of unknown groups, which is less than the size from which on they appear."""
        return format_up(self.noise.half_width(self.query.significance))

    @property
    def reached_text(self) -> str:
        """The error that is reached, in few words, as a column has it."""
        size = format_up(self.half_width)
        return size if self.threshold is None else f"from {size} on; ±{self.count_size}"

    @property
    def is_choice(self) -> bool:
        """Whether it is chosen, and has no noise."""
        return self.query.statistic.is_choice

    @property
    def error_words(self) -> str:
        """The error that is reached, as it is meant, without the name of the query."""
        size = format_up(self.half_width)
        if self.threshold is not None:
            return f"groups appear from {size} on, their counts are within ±{self.count_size}"
        return KINDS[self.row.item.kind].error_words.format(size)

    @property
    def relative(self) -> float | None:
        """The reached error over the expected answer; None where that is not given."""
        return None if self.row.item.expected is None else self.half_width / self.row.item.expected


def compute_result(values: Values) -> PlanResult:
    """Return the result of the page at the values of its parameters."""
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    return PlanResult(read_setting(PlanSetting, values), values["section"], values, pinned)
