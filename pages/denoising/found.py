"""One setting of the page, and what follows from it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dpcore import gaussian
from dpcore.checks import Array
from dpcore.tables import Moves
from pages.denoising.counts_release import Released
from pages.denoising.counts_source import released
from pages.shared.common import Setting, setting
from pages.shared.counts.table import Counts, Upload, counts_of, moves
from pages.shared.parameters import Values


@dataclass(frozen=True)
class DenoisingSetting(Setting):
    """The parameters of the page that a kept setting has too; the table itself is not among them."""

    table: str
    per_person: float
    per_cell: float
    neighbours: str


@dataclass(frozen=True)
class Found:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it.

    `problem` is the sentence why there is no table in what the user brought. `means` and `places` are what the session
    holds of the experiment on means and of the user's own points.
    """

    setting: DenoisingSetting
    values: Values
    counts: Counts | None
    pinned: "Found | None" = None
    problem: str = ""
    means: Any = None
    places: Any = None

    @property
    def missing(self) -> bool:
        """Whether the user's own table is asked for and there is none: then nothing is drawn in its place."""
        return self.counts is None

    @cached_property
    def count(self) -> Array:
        """The counts of the table; empty where there is none."""
        return np.empty(0) if self.counts is None else self.counts.frame["count"].to_numpy(np.float64)

    @cached_property
    def moves(self) -> Moves:
        """How far one person moves the table."""
        now = self.setting
        return moves(now.per_person, now.per_cell, now.neighbours, 0, max(self.count.size, 1))

    @cached_property
    def sigma(self) -> float:
        """Standard deviation of the analytic Gaussian noise of the table, in counts."""
        return float(gaussian.analytic_sigma(self.setting.epsilon, self.setting.delta, self.moves.l2))

    @cached_property
    def released(self) -> Released | None:
        """The release of the section on counts; None where there is no table."""
        return released(self.values, self.counts)


def found(values: Values, upload: Upload | None = None, means: Any = None, places: Any = None) -> Found:
    """What the page's parameters ask for, with what the session holds."""
    kept = values["pinned"] and found(values | values["pinned"] | {"pinned": None}, upload, means, places)
    counts = counts_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or counts is not None else upload.problem
    return Found(setting(DenoisingSetting, values), values, counts, kept, problem, means, places)
