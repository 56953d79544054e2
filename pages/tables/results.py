"""The setting of the page, and the result that follows from it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import accuracy, tables, unknown_groups
from dpcore.calibrations import PURE_DP
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.recommendation import Recommendation, recommend
from dpcore.sensitivity import Sensitivity
from dpcore.tables import ReleaseStatistics
from pages.framework.parameters.number_format import format_input_down, format_input_up, plural
from pages.framework.parameters.parameter import Values
from pages.shared.counts.table import Counts, PersonLimits, Upload, cap_text, table_of, with_contribution
from pages.shared.shared_parameters import SharedSetting, and_delta, read_setting
from pages.tables.appearance.results import Appearance
from pages.tables.parameters import APPEARING, CASES, N_DRAWN, THRESHOLD, WANTED


@dataclass(frozen=True)
class TablesSetting(SharedSetting):
    """The parameters of the page; the table itself is not among them."""

    table: str
    cells: float
    per_person: float
    per_cell: float
    per_total: float
    n_periods: float
    neighbours: str
    margins: float
    error: str
    promise: str
    p: float
    mechanism: str


MOST_DRAWS = 300_000  # noisy counts of repeated releases, which take a fraction of a second


@dataclass(frozen=True)
class TablesResult:
    """One setting and what follows from it, each computed once; `pinned` is the result of the pinned setting.

    `problem` is the sentence on why an upload has no table.
    """

    setting: TablesSetting
    values: Values
    table: Counts | None
    pinned: "TablesResult | None" = None
    problem: str = ""

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @property
    def has_cells(self) -> bool:
        """Whether more of the table is known than its size."""
        return self.setting.table != "size"

    @property
    def is_missing(self) -> bool:
        """Whether the user's own table is chosen and there is none: then no other is drawn in its place."""
        return self.is_own and self.table is None

    def confidential_note(self, sentence: str) -> str:
        """Return a sentence on confidential content if the table is the user's own, else an empty one."""
        return sentence if self.is_own else ""

    @property
    def least_per_cell(self) -> int:
        """The least c that the suppressed counts of an uploaded table require, 1 where there are none."""
        return 1 if self.table is None else self.table.least_per_cell

    @property
    def n_cells(self) -> int:
        """The number of cells m: those of the table or, where there is none, as many as were entered."""
        return int(self.setting.cells) if self.table is None else len(self.table.frame)

    @cached_property
    def counts(self) -> Array:
        """The counts of the table, none where only its size is known."""
        return np.empty(0) if self.table is None else self.table.frame["count"].to_numpy()

    @cached_property
    def appearance(self) -> Appearance:
        """Which groups appear: those of the table, or of a Zipf-like list where only its size is known."""
        setting, values = self.setting, self.values
        cases = int(values[CASES.key])
        counts = unknown_groups.zipf_counts(self.n_cells, cases) if self.table is None else self.counts
        arguments = setting.epsilon, setting.delta, setting.per_person, setting.per_cell
        total = math.inf if math.isnan(setting.per_total) else setting.per_total * setting.n_periods
        shown = values[WANTED.key], values[APPEARING.key], values[THRESHOLD.key]
        return Appearance(*arguments, counts, *shown, total)

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """The sensitivity of what is released to one person."""
        return self.sensitivity_at(self.setting.per_person)

    def sensitivity_at(
        self, persons: float, per_cell: float | None = None, margins: float | None = None
    ) -> Sensitivity:
        """Return the sensitivity at another k, and at another c or number of sets of totals."""
        setting = self.setting
        return PersonLimits(
            persons,
            setting.per_cell if per_cell is None else per_cell,
            setting.neighbours,
            setting.margins if margins is None else margins,
            *(self.n_cells, setting.per_total, setting.n_periods),
        ).sensitivity

    @cached_property
    def simultaneous_significance(self) -> float:
        """The significance of each cell at which the level holds for all of them together."""
        return float(accuracy.each_significance(self.setting.significance, self.n_cells))

    @property
    def significance(self) -> float:
        """The significance of each cell for the chosen kind of error."""
        return self.simultaneous_significance if self.setting.error == "all" else self.setting.significance

    @property
    def is_joint(self) -> bool:
        """Whether the error is that of several cells at once."""
        return self.setting.error == "all" and self.n_cells > 1

    @property
    def is_own(self) -> bool:
        """Whether the table is the user's own."""
        return self.setting.table == "own"

    @property
    def is_sample(self) -> bool:
        """Whether the table is one that the program ships."""
        return self.table is not None and not self.is_own

    @cached_property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """Every mechanism that is available at this setting."""
        setting = self.setting
        return tables.mechanisms(setting.epsilon, setting.delta, self.sensitivity, setting.p)

    @cached_property
    def recommendation(self) -> Recommendation | None:
        """The mechanism to use for the chosen guarantee; None where none satisfies it."""
        return recommend(self.mechanisms, self.setting.promise, bool(self.sensitivity.whole), self.significance)

    @cached_property
    def mechanism(self) -> Mechanism | None:
        """The mechanism that is shown: the recommended or the chosen one; None where it is not available."""
        if self.setting.mechanism == "recommended":
            return self.recommendation and self.recommendation.mechanism
        return next((mechanism for mechanism in self.mechanisms if mechanism.key == self.setting.mechanism), None)

    @property
    def mechanism_delta(self) -> float | None:
        """δ; None where the mechanism satisfies pure ε-DP."""
        is_pure = self.mechanism is not None and self.mechanism.guarantee == PURE_DP
        return None if is_pure else self.setting.delta

    @property
    def section_mechanism(self) -> Mechanism | None:
        """The mechanism of the open section: the recommended one where that is the question, else `mechanism`."""
        if self.section == "noise":
            return self.recommendation and self.recommendation.mechanism
        return self.mechanism

    @cached_property
    def half_width(self) -> float:
        """The half-width of the mechanism for the chosen kind of error; NaN where there is none."""
        return np.nan if self.mechanism is None else self.mechanism.half_width(self.significance)

    @cached_property
    def stays_above_zero(self) -> NDArray[np.bool_]:
        """Which cells are above 0 in a share 1 − α of their releases."""
        if self.mechanism is None:
            return np.zeros(self.counts.size, np.bool_)
        return self.counts >= tables.least_visible_count(self.mechanism, self.significance)

    @property
    def bar_is_above_zero(self) -> NDArray[np.bool_]:
        """Which cells have an error bar that ends above 0.

        A bar counts errors in both directions, `stays_above_zero` only those downwards: a cell whose bar ends above 0
        also stays above 0, but a cell that stays above 0 may have a bar that reaches 0.
        """
        return self.counts > self.half_width

    @property
    def drawn_order(self) -> NDArray[np.intp]:
        """The places of the cells that are drawn, the first one on top: at most 40, from the one that was chosen."""
        first = min(int(self.values["first_cell"]), max(self.counts.size, 1))
        return self.order[first - 1 :][:N_DRAWN]

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The places of all cells in their order: the largest first, or as in the table."""
        counts = self.counts
        return np.argsort(-counts, kind="stable") if self.values["cell_order"] == "size" else np.arange(counts.size)

    @property
    def is_usable(self) -> NDArray[np.bool_]:
        """Which cells are told from an empty one in at least half of the releases."""
        return self.visible_share >= 0.5

    @cached_property
    def merged_groups(self) -> NDArray[np.intp]:
        """The group of each cell after the least merge of neighbours that leaves all cells usable."""
        return tables.consecutive_groups(self.counts, self.detection_threshold)

    @cached_property
    def detection_threshold(self) -> float:
        """The least released number that distinguishes a cell from an empty one at the significance."""
        if self.mechanism is None:
            return np.nan
        return float(tables.detection_threshold(self.mechanism, self.significance))

    @cached_property
    def visible_share(self) -> Array:
        """The share of releases in which each cell reaches the detection threshold."""
        if self.mechanism is None:
            return np.full(self.counts.size, np.nan)
        values, places = np.unique(self.counts, return_inverse=True)
        return tables.power(self.mechanism, values, self.detection_threshold)[places]

    @cached_property
    def released(self) -> Array:
        """One release of the table, from the seed in the link; empty where there is no table or no mechanism."""
        if self.mechanism is None:
            return np.empty(0)
        rng = np.random.default_rng(int(self.values["seed"]))
        return self.post_process(self.counts + self.mechanism.sample(rng, (self.counts.size,)))

    @property
    def is_rounded(self) -> bool:
        """Whether the release rounds continuous noise, so that ± is a whole number: counts are whole."""
        is_continuous = self.mechanism is not None and not self.mechanism.whole
        return self.section == "release" and self.values["rounded"] == "on" and is_continuous

    @property
    def is_clipped(self) -> bool:
        """Whether the release has 0 in the place of negative numbers."""
        return self.section == "release" and self.values["clipped"] == "on"

    def published_half_width(self, half_width: float) -> float:
        """Return the half-width of the released numbers, which are rounded or not, from that of the noise."""
        return math.floor(half_width + 0.5) if self.is_rounded else half_width

    def post_process(self, noisy: Array) -> Array:
        """Return noisy counts after post-processing: clipped at 0 and rounded where that is on."""
        clipped = np.maximum(noisy, 0) if self.values["clipped"] == "on" else noisy
        return np.rint(clipped) + 0.0 if self.values["rounded"] == "on" else clipped

    @property
    def n_repeats(self) -> int:
        """The number of repeated releases of the table: 500, fewer of a large one."""
        return int(max(1, min(500, MOST_DRAWS // max(self.counts.size, 1))))

    @cached_property
    def release_statistics(self) -> ReleaseStatistics | None:
        """What repeated releases preserve of each cell; None where there is no table or no mechanism."""
        if self.mechanism is None or not self.counts.size:
            return None
        rng = np.random.default_rng(int(self.values["seed"]))
        return tables.simulate_releases(
            rng, self.counts, self.mechanism.sample, self.detection_threshold, self.n_repeats, self.post_process
        )

    @property
    def mechanism_parameters_text(self) -> str:
        """The same as `parameters_text`, without δ where the mechanism needs none."""
        return self._parameters_text(self.mechanism_delta)

    @property
    def parameters_text(self) -> str:
        """The guarantee and what one person contributes, in words."""
        return self._parameters_text(self.setting.delta)

    def _parameters_text(self, delta: float | None) -> str:
        setting = self.setting
        limit = "" if setting.per_cell == 1 else f" with up to {format_input_down(setting.per_cell)} in each"
        limit += cap_text(setting.per_total, setting.n_periods)
        place = "1 cell" if setting.per_person == 1 else f"up to {format_input_down(setting.per_person)} cells"
        place = f"all {self.n_cells:,} cells" if 1 < self.n_cells <= setting.per_person else place
        guarantee = f"ε = {format_input_up(setting.epsilon)}{and_delta(delta)}"
        return f"{guarantee}, a person in {place}{limit}{self.neighbours_text}"

    @property
    def neighbours_text(self) -> str:
        """The neighbours where a person is replaced, and the sets of totals, each after a comma; else nothing."""
        setting = self.setting
        replaced = ", one person replaced" if setting.neighbours == "replace" else ""
        totals = f", {plural(int(setting.margins), 'set')} of totals"
        return replaced + (totals if setting.margins else "")

    @property
    def csv_header(self) -> dict[str, Any]:
        """The parameters and units for the top of a CSV."""
        setting = self.setting
        table = {
            "table": self.table.source if self.table else f"{self.n_cells} cells",
            "cells": self.n_cells,
            "cells per person": setting.per_person,
            "most in one cell": setting.per_cell,
            **({} if np.isnan(setting.per_total) else {"most in all": setting.per_total, "years": setting.n_periods}),
            "neighbours": setting.neighbours,
            "margins": setting.margins,
            "l1_sensitivity": repr(float(self.sensitivity.l1)),
            "error": setting.error,
        }
        pinned = {} if self.pinned is None else {"pinned": self.pinned.parameters_text}
        shared = {key: value for key, value in setting.csv_header.items() if key != "l2_sensitivity"}
        return shared | {"l2_sensitivity": repr(float(self.sensitivity.l2))} | table | pinned

    @property
    def mechanism_csv_header(self) -> dict[str, Any]:
        """The CSV header with the mechanism."""
        mechanism = self.mechanism
        noise = "none" if mechanism is None else f"{mechanism.name}, {mechanism.symbol} = {mechanism.scale!r}"
        return self.csv_header | {"noise": noise, "accuracy": repr(self.half_width)}


def compute_result(values: Values, upload: Upload | None = None) -> TablesResult:
    """Return the result of the page's parameters, for a shipped table, one in the link, an upload, or a size."""
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, upload)
    values = with_contribution(values)
    table = table_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or table is not None else upload.problem
    return TablesResult(read_setting(TablesSetting, values), values, table, pinned, problem)
