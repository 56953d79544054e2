"""Experiment 5.1 at one setting: the classical variance over the analytic one, there and along ε or δ."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import comparison, denoise
from dpcore.calibrations import CLASSICAL, UNDEFINED
from dpcore.checks import Array
from pages.framework.rendering.uploaded_files import kept
from pages.papers.results import PapersResult
from pages.shared.status_lines import limits_over_epsilon, status_limits

EPSILONS, DELTAS = np.logspace(-3, 2, 161), np.logspace(-12, 0, 161)[:-1]
TABLE_EPSILONS = (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)
THIRD = 1 / 3  # of the variance, which the paper claims to be removed


@dataclass(frozen=True, eq=False)
class RatioCurve:
    """The ratio along ε at one δ, or along δ at one ε, which is `value`; `status` is that of each point `x`."""

    x: Array
    value: float
    ratio: Array
    status: NDArray[np.str_]

    @property
    def removed(self) -> Array:
        """The share of the classical variance that is removed; below 0 where the classical one is too small."""
        return 1 - 1 / self.ratio


@dataclass(frozen=True)
class VarianceRatio:
    """The classical variance over the analytic one at (ε, δ), NaN if the classical σ is undefined, and its status."""

    epsilon: float
    delta: float
    ratio: float
    status: str

    @property
    def removed(self) -> float:
        """The share of the classical variance that is removed; below 0 where the classical one is too small."""
        return 1 - 1 / self.ratio

    @cached_property
    def removed_at_one(self) -> float:
        """The share removed at ε = 1."""
        return float(1 - 1 / denoise.variance_ratio(1.0, self.delta))

    @cached_property
    def failing_epsilon(self) -> float:
        """The ε above which the classical σ is too small."""
        return comparison.classical_limit(self.delta)


def setting_ratio(result: PapersResult) -> VarianceRatio:
    """Return the ratio at the page's (ε, δ)."""
    return ratio_at(result.setting.epsilon, result.setting.delta)


def curve_axis(result: PapersResult) -> str:
    """Return whether curves run along "epsilon" or "delta"."""
    return result.values["variance_against"]


def table_deltas(result: PapersResult) -> list[float]:
    """Return the page's δ and those of the other curves along ε, the largest first."""
    return sorted({result.setting.delta, *result.values["variance_deltas"]}, reverse=True)


def own_curve_at(along: str, epsilon: float, delta: float) -> RatioCurve | None:
    """Return the curve along ε at this δ, or along δ at this ε."""
    if along == "epsilon":
        return kept(_curve_along_epsilon, delta)
    return None if ratio_at(epsilon, delta).status == UNDEFINED else _curve_along_delta(epsilon)


def other_curves(result: PapersResult) -> list[RatioCurve]:
    """Return the other curves, in the order of their δ or ε."""
    if curve_axis(result) == "epsilon":
        deltas = sorted(result.values["variance_deltas"])
        return [kept(_curve_along_epsilon, delta) for delta in deltas if delta != result.setting.delta]
    epsilons = sorted(result.values["variance_epsilons"])
    return [_curve_along_delta(epsilon) for epsilon in epsilons if epsilon != result.setting.epsilon]


def least_delta() -> float:
    """Return the least δ at which a third is removed at ε = 1."""
    return kept(denoise.least_delta_removing, THIRD, 1.0)


def ratio_at(epsilon: float, delta: float) -> VarianceRatio:
    """Return the ratio at (ε, δ)."""
    status = str(CLASSICAL.verdict(epsilon, delta).status)
    value = np.nan if status == UNDEFINED else float(denoise.variance_ratio(epsilon, delta))
    return VarianceRatio(epsilon, delta, value, status)


def _curve_along_epsilon(delta: float) -> RatioCurve:
    epsilon = np.union1d(EPSILONS, limits_over_epsilon((CLASSICAL,), EPSILONS, delta))
    status = CLASSICAL.verdict(epsilon, delta).status
    return RatioCurve(epsilon, delta, denoise.variance_ratio(epsilon, delta), status)


def _curve_along_delta(epsilon: float) -> RatioCurve:
    limits = status_limits(DELTAS, lambda delta: CLASSICAL.verdict(epsilon, delta).status)
    delta = np.union1d(DELTAS, limits)
    return RatioCurve(delta, epsilon, denoise.variance_ratio(epsilon, delta), CLASSICAL.verdict(epsilon, delta).status)


def ratio_frame(deltas: Sequence[float]) -> pd.DataFrame:
    """Return the ratio at some ε for each δ, with its status."""
    return pd.concat([kept(denoise.variance_ratios, TABLE_EPSILONS, delta) for delta in deltas], ignore_index=True)


def curves_frame(along: str, curves: Sequence[RatioCurve]) -> pd.DataFrame:
    """Return the curves of the picture, with the status of the classical σ at each point."""
    other = "delta" if along == "epsilon" else "epsilon"
    frames = []
    for curve in curves:
        columns = {along: curve.x, other: curve.value, "ratio": curve.ratio}
        frames.append(pd.DataFrame(columns | {"removed": curve.removed, "status": curve.status}))
    return pd.concat(frames, ignore_index=True)
