"""The Gaussian bounds at one setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpcore import comparison
from dpcore.calibrations import CLASSICAL, CLASSICAL_TIGHT, UNDEFINED
from dpcore.comparison import BoundRow
from pages.framework.parameters.number_format import format_input_up
from pages.framework.parameters.parameter import Values
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.status_lines import limits_over_epsilon, status_limits

EPSILONS, DELTAS = np.logspace(-3, 2, 161), np.logspace(-12, 0, 161)[:-1]


@dataclass(frozen=True)
class GaussianBoundsResult:
    """The bounds at one setting, each property computed once; `pinned` is the result at the pinned setting."""

    section: str
    setting: SharedSetting
    view: str
    pinned: "GaussianBoundsResult | None" = None

    @property
    def pinned_setting(self) -> SharedSetting | None:
        """The pinned setting, if there is one."""
        return self.pinned and self.pinned.setting

    @cached_property
    def rows(self) -> dict[str, BoundRow]:
        """Every bound in full, by key; its σ is a formula of `dpcore.gaussian`, such as `gaussian.analytic_sigma`."""
        return _bound_rows(self.setting)

    @property
    def has_one_classical(self) -> bool:
        """Whether both classical formulas have the same verdict, so that they differ in the fourth digit only."""
        plain, tight = (self.rows[bound.key].mechanism.status for bound in (CLASSICAL, CLASSICAL_TIGHT))
        return plain == tight != UNDEFINED

    @cached_property
    def along_epsilon(self) -> pd.DataFrame:
        """Every bound over ε."""
        return _along_epsilon(self.setting.delta, self.setting.l2_sensitivity)

    @cached_property
    def along_delta(self) -> pd.DataFrame:
        """Every bound over δ."""
        epsilon = self.setting.epsilon
        limits = status_limits(DELTAS, lambda delta: CLASSICAL.verdict(epsilon, delta).status)
        return comparison.against(epsilon, np.union1d(DELTAS, limits), self.setting.l2_sensitivity)

    @cached_property
    def profiles(self) -> pd.DataFrame:
        """The privacy profile of every σ."""
        sigma = {key: row.mechanism.scale for key, row in self.rows.items() if row.mechanism.scale > 0}
        return comparison.profiles(EPSILONS, sigma, self.setting.l2_sensitivity)

    @property
    def description(self) -> str:
        """The four parameters in a line, as they were entered."""
        return f"{self.setting.description}, significance level {format_input_up(self.setting.significance)}"

    @property
    def csv_header(self) -> dict[str, Any]:
        """The parameters for the top of a CSV, with those of the pinned setting, if there is one."""
        return self.setting.csv_header | ({} if self.pinned is None else {"pinned": self.pinned.description})


def compute_result(values: Values) -> GaussianBoundsResult:
    """Return the bounds at the values of the parameters; a pinned setting has neither a section nor a view."""
    pinned = values["pinned"] and compute_result(values["pinned"])
    setting = read_setting(SharedSetting, values)
    return GaussianBoundsResult(values.get("section", "bounds"), setting, values.get("view", "ratio"), pinned)


@lru_cache(64)  # the start page requires the rows twice, and an export or "Verify" those of the page
def _bound_rows(setting: SharedSetting) -> dict[str, BoundRow]:
    rows = comparison.rows(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)
    return {row.calibration.key: row for row in rows}


@lru_cache(256)  # what does not depend on ε is shared by every session, and never changed: a class has a δ each
def _along_epsilon(delta: float, sensitivity: float) -> pd.DataFrame:
    limits = limits_over_epsilon((CLASSICAL,), EPSILONS, delta)
    return comparison.against(np.union1d(EPSILONS, limits), delta, sensitivity)
