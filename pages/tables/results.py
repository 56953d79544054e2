"""One setting of the page, and what follows from it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import accuracy, tables
from dpcore.calibrations import PURE_DP
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.recommendation import Recommendation, recommend
from dpcore.sensitivity import Sensitivity
from dpcore.tables import Kept
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.shared.counts.table import Counts, Upload, counts_of, table_sensitivity
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.tables.experiments.results import Experiment, Held, experiment

MOST_DRAWS = 300_000  # of repeated releases, which a page makes in a moment


@dataclass(frozen=True)
class TablesSetting(SharedSetting):
    """The parameters of the page; the table itself is not among them."""

    table: str
    cells: float
    per_person: float
    per_cell: float
    neighbours: str
    margins: float
    error: str
    promise: str
    p: float
    mechanism: str


@dataclass(frozen=True)
class TablesResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it.

    `problem` is the sentence why there is no table in what the user brought.
    """

    setting: TablesSetting
    values: Values
    counts: Counts | None
    pinned: "TablesResult | None" = None
    held: Held | None = None
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
    def missing(self) -> bool:
        """Whether the user's own table is asked for and there is none: then nothing is drawn in its place."""
        return self.setting.table == "own" and self.counts is None

    def confidential(self, sentence: str) -> str:
        """A sentence on what an exhibit shows of the user's own table; empty for any other table."""
        return sentence if self.setting.table == "own" else ""

    @property
    def n_cells(self) -> int:
        """Number of cells m: those of the table or, where there is none, as many as were typed."""
        return int(self.setting.cells) if self.counts is None else len(self.counts.frame)

    @cached_property
    def count(self) -> Array:
        """The counts of the table, none where only its size is known."""
        return np.empty(0) if self.counts is None else self.counts.frame["count"].to_numpy()

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """How far one person moves what is released."""
        setting = self.setting
        return table_sensitivity(
            setting.per_person, setting.per_cell, setting.neighbours, setting.margins, self.n_cells
        )

    @cached_property
    def together(self) -> float:
        """The significance of each cell at which the level holds for all of them together."""
        return float(accuracy.each_significance(self.setting.significance, self.n_cells))

    @property
    def significance(self) -> float:
        """The significance of each cell, for the error that is meant."""
        return self.together if self.setting.error == "all" else self.setting.significance

    @cached_property
    def noises(self) -> tuple[Mechanism, ...]:
        """Every noise that has an answer."""
        setting = self.setting
        return tables.mechanisms(setting.epsilon, setting.delta, self.sensitivity, setting.p)

    @cached_property
    def recommended(self) -> Recommendation | None:
        """The one noise to use for the promise that is wanted; None where none keeps it."""
        return recommend(self.noises, self.setting.promise, bool(self.sensitivity.whole), self.significance)

    @cached_property
    def noise(self) -> Mechanism | None:
        """The noise that is drawn: the recommended one or the one that is chosen; None where it has no answer."""
        if self.setting.mechanism == "recommended":
            return self.recommended and self.recommended.mechanism
        return next((noise for noise in self.noises if noise.key == self.setting.mechanism), None)

    @property
    def section_noise(self) -> Mechanism | None:
        """The noise of the open section: the recommended one where it asks which noise to use, else the drawn one."""
        if self.section == "noise":
            return self.recommended and self.recommended.mechanism
        return self.noise

    @cached_property
    def half_width(self) -> float:
        """The ± of the drawn noise, for the error that is meant; NaN where there is no noise."""
        return np.nan if self.noise is None else self.noise.half_width(self.significance)

    @cached_property
    def stays(self) -> NDArray[np.bool_]:
        """Which cells are above 0 in the share of their releases that the level asks for."""
        if self.noise is None:
            return np.zeros(self.count.size, np.bool_)
        return self.count >= tables.stays_above(self.noise, self.significance)

    @property
    def bar_above_zero(self) -> NDArray[np.bool_]:
        """Which cells have an error bar that ends above 0.

        A bar counts errors in both directions, `stays` only those downwards: a cell whose bar ends above 0 also stays
        above 0, but a cell that stays above 0 may have a bar that reaches 0.
        """
        return self.count > self.half_width

    @cached_property
    def threshold(self) -> float:
        """The release from which on a cell is told from an empty one at the significance that is meant."""
        return np.nan if self.noise is None else float(tables.seen_from_empty(self.noise, self.significance))

    @cached_property
    def told(self) -> Array:
        """How often each cell is released at the threshold or above."""
        if self.noise is None:
            return np.full(self.count.size, np.nan)
        values, places = np.unique(self.count, return_inverse=True)
        return tables.power(self.noise, values, self.threshold)[places]

    @cached_property
    def released(self) -> Array:
        """One release of the table, from the seed in the link; empty where there is no table or no noise."""
        if self.noise is None:
            return np.empty(0)
        rng = np.random.default_rng(int(self.values["seed"]))
        return self.processed(self.count + self.noise.sample(rng, (self.count.size,)))

    def processed(self, noisy: Array) -> Array:
        """What is made of noisy counts: clipped at 0 and rounded, as far as that is asked for."""
        clipped = np.maximum(noisy, 0) if self.values["clipped"] == "on" else noisy
        return np.rint(clipped) + 0.0 if self.values["rounded"] == "on" else clipped

    @property
    def n_repeats(self) -> int:
        """How many releases are drawn of the table: 500, fewer of a large one."""
        return int(max(1, min(500, MOST_DRAWS // max(self.count.size, 1))))

    @cached_property
    def kept(self) -> Kept | None:
        """What of the table releases keep; None where there is no table or no noise."""
        if self.noise is None or not self.count.size:
            return None
        rng = np.random.default_rng(int(self.values["seed"]))
        return tables.kept(self.count, self.noise.sample, rng, self.threshold, self.n_repeats, self.processed)

    @cached_property
    def experiment(self) -> Experiment | None:
        """Liu's experiment on the table or on Adult; None without one."""
        frame, source = (None, "") if self.counts is None else (self.counts.frame, self.counts.source)
        return experiment(self.values, frame, source, self.held)

    @property
    def drawn_place(self) -> str:
        """As `place`, without the δ that the drawn noise does not need."""
        pure = self.noise is not None and self.noise.guarantee == PURE_DP
        return self._place("" if pure else f", δ = {format_input_up(self.setting.delta)}")

    @property
    def place(self) -> str:
        """The promise and what one person moves, in words."""
        return self._place(f", δ = {format_input_up(self.setting.delta)}")

    def _place(self, delta: str) -> str:
        setting = self.setting
        each = "" if setting.per_cell == 1 else f" with up to {format_input_down(setting.per_cell)} in each"
        where = "1 cell" if setting.per_person == 1 else f"up to {format_input_down(setting.per_person)} cells"
        where = f"all {self.n_cells:,} cells" if 1 < self.n_cells <= setting.per_person else where
        return f"ε = {format_input_up(setting.epsilon)}{delta}, a person in {where}{each}{self.neighbours_said}"

    @property
    def neighbours_said(self) -> str:
        """That a person is replaced and that totals are released too, each after a comma; else nothing."""
        setting = self.setting
        replaced = ", one person replaced" if setting.neighbours == "replace" else ""
        totals = (
            f", {setting.margins:.0f} set{'' if setting.margins == 1 else 's'} of totals" if setting.margins else ""
        )
        return replaced + totals

    @property
    def header(self) -> dict[str, Any]:
        """The parameters and units for the top of a CSV."""
        setting = self.setting
        own = {
            "table": self.counts.source if self.counts else f"{self.n_cells} cells",
            "cells": self.n_cells,
            "cells per person": setting.per_person,
            "most in one cell": setting.per_cell,
            "neighbours": setting.neighbours,
            "margins": setting.margins,
            "l1_sensitivity": repr(float(self.sensitivity.l1)),
            "error": setting.error,
        }
        pinned = {} if self.pinned is None else {"pinned": self.pinned.place}
        shared = {key: value for key, value in setting.header.items() if key != "l2_sensitivity"}
        return shared | {"l2_sensitivity": repr(float(self.sensitivity.l2))} | own | pinned

    @property
    def noise_header(self) -> dict[str, Any]:
        """The header with the drawn noise."""
        noise = "none" if self.noise is None else f"{self.noise.name}, {self.noise.symbol} = {self.noise.scale!r}"
        return self.header | {"noise": noise, "accuracy": repr(self.half_width)}

    @property
    def trial_header(self) -> dict[str, Any]:
        """The header of a release for trial."""
        return self.noise_header | {key: self.values[key] for key in ("seed", "clipped", "rounded")}


def compute_result(values: Values, upload: Upload | None = None, held: Held | None = None) -> TablesResult:
    """What the page's parameters ask for, of a shipped table, one in the link, one that was uploaded, or a size."""
    kept = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, upload, held)
    counts = counts_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or counts is not None else upload.problem
    return TablesResult(read_setting(TablesSetting, values), values, counts, kept, held, problem)
