"""What the page shows: every chart and table of the Gaussian bounds as a function of one setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpcore import comparison
from dpcore.calibrations import FAILS
from dpcore.comparison import BoundRow
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.kinds import Values
from pages.gaussian_bounds import figures, text
from pages.shared.shared_parameters import SharedSetting, read_setting

EPSILONS, DELTAS = np.logspace(-3, 2, 161), np.logspace(-12, 0, 161)[:-1]


@dataclass(frozen=True)
class GaussianBoundsResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it."""

    setting: SharedSetting
    view: str
    pinned: "GaussianBoundsResult | None" = None

    @property
    def kept(self) -> SharedSetting | None:
        """The pinned setting, if there is one."""
        return self.pinned and self.pinned.setting

    @cached_property
    def rows(self) -> dict[str, BoundRow]:
        """Every bound in full, by key."""
        return rows_of(self.setting)

    @cached_property
    def along_epsilon(self) -> pd.DataFrame:
        """Every bound over ε."""
        return _along_epsilon(self.setting.delta, self.setting.l2_sensitivity)

    @cached_property
    def along_delta(self) -> pd.DataFrame:
        """Every bound over δ."""
        return comparison.against(self.setting.epsilon, DELTAS, self.setting.l2_sensitivity)

    @cached_property
    def profiles(self) -> pd.DataFrame:
        """What every σ really gives."""
        sigma = {key: row.mechanism.scale for key, row in self.rows.items() if row.mechanism.scale > 0}
        return comparison.profiles(EPSILONS, sigma, self.setting.l2_sensitivity)

    def exhibit(self, name: str, figure: Figure, numbers: pd.DataFrame, alternative: str = "") -> Exhibit:
        """A picture of this setting."""
        return Exhibit(name, figure, alternative or text.alternative(self.rows, self.setting), numbers, self.header)

    @property
    def header(self) -> dict[str, Any]:
        """The parameters for the top of a CSV, with the kept setting's, if there is one."""
        kept = {} if self.pinned is None else {"pinned": text.described(self.pinned.setting)}
        return self.setting.header | kept


@lru_cache(64)  # the start page asks twice for the same, and an export or an offer for what was drawn
def rows_of(setting: SharedSetting) -> dict[str, BoundRow]:
    """Every bound in full at a setting, by key."""
    found = comparison.rows(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)
    return {row.calibration.key: row for row in found}


@lru_cache(256)  # what does not depend on ε is shared by every session, and never changed: a class has a δ each
def _along_epsilon(delta: float, sensitivity: float) -> pd.DataFrame:
    return comparison.against(EPSILONS, delta, sensitivity)


_limit = lru_cache(256)(comparison.classical_limit)  # of δ alone


def compute_result(values: Values) -> GaussianBoundsResult:
    """What the page's parameters ask for."""
    kept = values["pinned"] and compute_result(values["pinned"])
    return GaussianBoundsResult(read_setting(SharedSetting, values), values.get("view", "ratio"), kept)


def ratio(result: GaussianBoundsResult, colour: Colours) -> Exhibit:
    """How much each bound asks for, over what is needed."""
    limit = _limit(result.setting.delta)
    ghosts = result.pinned and result.pinned.along_epsilon
    figure = figures.ratio_figure(result.along_epsilon, limit, result.setting, colour, ghosts, result.kept)
    return result.exhibit("ratio", figure, result.along_epsilon)


def profile(result: GaussianBoundsResult, colour: Colours) -> Exhibit:
    """The privacy profile that each σ really gives."""
    failing = {key for key, row in result.rows.items() if row.mechanism.status == FAILS}
    ghosts = result.pinned and result.pinned.profiles
    figure = figures.profile_figure(result.profiles, failing, result.setting, colour, ghosts)
    return result.exhibit("profile", figure, result.profiles)


def sigma_delta(result: GaussianBoundsResult, colour: Colours) -> Exhibit:
    """σ over δ."""
    ghosts = result.pinned and result.pinned.along_delta
    figure = figures.sigma_figure(result.along_delta, "delta", result.setting, colour, ghosts, result.kept)
    return result.exhibit("sigma_delta", figure, result.along_delta)


def sigma_epsilon(result: GaussianBoundsResult, colour: Colours) -> Exhibit:
    """σ over ε."""
    ghosts = result.pinned and result.pinned.along_epsilon
    figure = figures.sigma_figure(result.along_epsilon, "epsilon", result.setting, colour, ghosts, result.kept)
    return result.exhibit("sigma_epsilon", figure, result.along_epsilon)


def pdp_share(result: GaussianBoundsResult, colour: Colours) -> Exhibit:
    """Liu's Fig. 3."""
    share = comparison.pdp_share(*figures.pdp_share_grid())
    return result.exhibit("pdp_share", figures.pdp_share_figure(share, result.setting, colour), share, text.SHARE_ALT)


def bounds(result: GaussianBoundsResult, _: Colours) -> Exhibit:
    """The bounds in numbers, each with its verdict."""
    setting = result.setting

    def numbers() -> pd.DataFrame:
        return comparison.table(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)

    html = text.table_html(result.rows, setting, result.pinned and result.pinned.rows)
    return Exhibit("bounds", html, text.alternative(result.rows, setting), numbers, result.header)


ALL = (ratio, profile, sigma_delta, sigma_epsilon, pdp_share, bounds)
