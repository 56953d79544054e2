"""The Gaussian bounds at one setting."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpcore import comparison
from dpcore.calibrations import CLASSICAL, CLASSICAL_TIGHT, UNDEFINED
from dpcore.checks import EPSILON_RANGE, interval_bounds
from dpcore.comparison import BoundRow
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared.formulas import share
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.status_lines import limits_over_epsilon, status_limits

EPSILON_ENDS = -3, 2
EPSILONS = np.logspace(*EPSILON_ENDS, 161)
DELTAS = np.union1d(np.logspace(-12, 0, 161)[:-1], np.logspace(-0.75, -0.075, 28))  # near 1 the noise falls fast
_N_PROFILE_EPSILONS = 241


@dataclass(frozen=True)
class GaussianBoundsResult:
    """The bounds at one setting, each property computed once; `pinned` is the result at the pinned setting."""

    section: str
    setting: SharedSetting
    view: str
    pinned: "GaussianBoundsResult | None" = None

    @cached_property
    def rows(self) -> dict[str, BoundRow]:
        """Every bound in full, by key; its σ is a formula of `dpcore.gaussian`, such as `gaussian.analytic_sigma`."""
        return kept(_bound_rows, self.setting)

    @property
    def has_one_classical(self) -> bool:
        """Whether both classical formulas have the same verdict, so that they differ in the fourth digit only."""
        plain, tight = (self.rows[bound.key].mechanism.status for bound in (CLASSICAL, CLASSICAL_TIGHT))
        return plain == tight != UNDEFINED

    def along(self, key: str) -> pd.DataFrame:
        """Return every bound over ε ("epsilon") or over δ."""
        epsilon, sensitivity = self.setting.epsilon, self.setting.l2_sensitivity
        if key == "epsilon":
            return kept(_along_epsilon, self.setting.delta, sensitivity)
        limits = status_limits(DELTAS, lambda delta: CLASSICAL.verdict(epsilon, delta).status)
        return comparison.against(epsilon, np.union1d(DELTAS, limits), sensitivity)

    @property
    def profile_ends(self) -> tuple[float, float]:
        """The decimal logarithms of the ends of the decade of ε about the setting's, which moves by half a decade."""
        middle = round(2 * math.log10(max(self.setting.epsilon, 10.0 ** EPSILON_ENDS[0]))) / 2
        return middle - 0.5, middle + 0.5

    def profiles(self, ends: tuple[float, float]) -> pd.DataFrame:
        """Return the privacy profile of every σ, and its δ over the target, from one ε to another."""
        sigma = {key: row.mechanism.scale for key, row in self.rows.items() if row.mechanism.scale > 0}
        epsilons = np.minimum(np.logspace(*ends, _N_PROFILE_EPSILONS), interval_bounds(EPSILON_RANGE)[1])
        frame = comparison.profiles(epsilons, sigma, self.setting.l2_sensitivity)
        return frame.assign(delta_over_target=frame["true_delta"] / self.setting.delta)

    @property
    def description(self) -> str:
        """The four parameters in a line, as they were entered."""
        return f"{self.setting.description}, confidence {share(self.setting.significance)}"

    @property
    def csv_header(self) -> dict[str, Any]:
        """The parameters for the top of a CSV, with those of the pinned setting, if there is one."""
        return self.setting.csv_header | ({} if self.pinned is None else {"pinned": self.pinned.description})


def compute_result(values: Values) -> GaussianBoundsResult:
    """Return the bounds at the values of the parameters."""
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    return GaussianBoundsResult(values["section"], read_setting(SharedSetting, values), values["view"], pinned)


def _bound_rows(setting: SharedSetting) -> dict[str, BoundRow]:
    rows = comparison.rows(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)
    return {row.calibration.key: row for row in rows}


def _along_epsilon(delta: float, sensitivity: float) -> pd.DataFrame:
    limits = limits_over_epsilon((CLASSICAL,), EPSILONS, delta)
    return comparison.against(np.union1d(EPSILONS, limits), delta, sensitivity)
