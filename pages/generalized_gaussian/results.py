"""What follows from one setting of the page on generalized Gaussian noise, each part computed once."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpcore import gaussian
from dpcore.calibrations import GENERALIZED_DISJOINT, Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from dpcore.generalized_gaussian.optimal_shape import Best
from dpcore.mechanism import Mechanism, calibrated_shapes
from dpcore.sensitivity import statistics_sensitivity
from pages.generalized_gaussian import figures, work_limits
from pages.generalized_gaussian.bounded_results import Bounded
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.work_limits import Place


@dataclass(frozen=True)
class GeneralizedGaussianResult:
    """One setting, and what follows from it; `pinned` is the kept setting beside it.

    Where the promise has no answer at this ε, what needs its b is None.
    """

    setting: GeneralizedGaussianSetting
    pinned: "GeneralizedGaussianResult | None" = None

    @cached_property
    def noises(self) -> dict[float, Mechanism]:
        """The noise of each shape of the list and of the chosen one; none where the promise has no answer."""
        setting = self.setting
        if not setting.has_answer:
            return {}
        return _noises(setting.promise, setting.epsilon, setting.delta, setting.every_shape, setting.l2_sensitivity)

    @property
    def noise(self) -> Mechanism | None:
        """The noise of the chosen shape."""
        return self.noises.get(self.setting.p)

    @cached_property
    def best(self) -> Best | None:
        """The best shape beside the chosen one."""
        setting = self.setting
        if not setting.has_answer:
            return None
        return _best(setting.promise, setting.measure, setting.epsilon, setting.delta, setting.p, setting.best_level)

    @cached_property
    def rival_scale(self) -> float | None:
        """The b of the rival for the chosen shape, if it has one."""
        rival = self._scales(self.setting.rival, (self.setting.p,))
        return None if rival is None else float(rival[0])

    @cached_property
    def paper_scales(self) -> Array | None:
        """Corollary 9's b for each shape of the list, if it has one."""
        return self._scales(GENERALIZED_DISJOINT, self.setting.every_shape)

    def _scales(self, promise: Calibration, shapes: tuple[float, ...]) -> Array | None:
        setting = self.setting
        if setting.epsilon < promise.least_epsilon:
            return None
        return promise.scale(setting.epsilon, setting.delta, np.array(shapes), setting.l2_sensitivity)

    @cached_property
    def matched(self) -> Array:
        """The b of each shape that shares with the chosen noise what is asked for."""
        setting = self.setting
        if setting.match == "guarantee":
            return np.array([noise.scale for noise in self.noises.values()])
        return optimal_shape.matched_scales(
            setting.match,
            setting.promise,
            setting.epsilon,
            setting.delta,
            setting.p,
            setting.every_shape,
            setting.l2_sensitivity,
        )

    @cached_property
    def grids(self) -> dict[str, Array]:
        """The points of the scale curves over p, ε and δ; those over which they would take too long are left out."""
        now = self.setting.solved
        if not now.together:
            return figures.grids(now.epsilon, now.delta)
        return work_limits.affordable(self._every_point, now.delta, now.p, len(now.together))

    @property
    def is_thinned(self) -> bool:
        """Whether the curves of several statistics have fewer points than they should."""
        now = self.setting.solved
        weight = work_limits.curves_weight(self._every_point, now.delta, now.p, len(now.together))
        return weight > work_limits.MOST_WEIGHT

    @property
    def _every_point(self) -> dict[str, Array]:
        now = self.setting.solved
        return figures.coarse_grids(now.epsilon, now.delta, now.p)

    def curves(self, x: str) -> dict[str, pd.DataFrame] | None:
        """How much noise each promise needs over p, ε or δ (`x`), by promise; None where that takes too long."""
        now, grid = self.setting.solved, self.grids.get(x)
        if grid is None:
            return None
        if now.together:
            return {"several": self._several(**{x: tuple(grid)})}
        at = {key: getattr(now, key) for key in ("epsilon", "delta", "p")} | {x: tuple(grid)}
        fixed = {"sensitivity": now.l2_sensitivity, "significance": now.significance}
        return {each.key: _along(each, **at, **fixed) for each in now.drawn}

    def _several(self, **varied: Any) -> pd.DataFrame:
        now = self.setting.solved
        at = {"epsilon": now.epsilon, "delta": now.delta, "p": now.p} | varied
        return _several(**at, sensitivities=now.together, significance=now.significance)

    @cached_property
    def several_gaussian(self) -> float:
        """The b of several statistics at p = 2 by Proposition 8."""
        return float(self._several(p=2.0)["scale"].to_numpy()[0])

    @cached_property
    def signed_gaussian(self) -> float:
        """The same by Proposition 11, which keeps the signs of the noise: √2 σ."""
        now = self.setting.solved
        return float(np.sqrt(2) * gaussian.pdp_sigma(now.epsilon, now.delta, 1.0)) * self.together_norm

    @property
    def together_norm(self) -> float:
        """Δ₂ of several statistics."""
        return float(statistics_sensitivity(self.setting.together).l2)

    @cached_property
    def places(self) -> list[Place]:
        """Where the paper's Monte Carlo is drawn."""
        setting = self.setting
        return work_limits.drawn_places(setting.places, setting.draws, len(setting.together))

    def simulated(self, x: str) -> pd.DataFrame | None:
        """The points of the paper's Monte Carlo over p, ε or δ (`x`), if any are drawn."""
        now = self.setting.solved
        points = [
            _simulated(
                *(place.epsilon, place.delta, place.p, now.together, now.significance),
                *(int(now.draws), int(now.seed)),
            )
            for place in self.places
            if place.varied == x
        ]
        return pd.concat(points) if points else None

    @cached_property
    def best_map(self) -> pd.DataFrame:
        """The best p over the map."""
        return _best_map(self.setting.promise, self.setting.measure, self.setting.best_level)

    def best_along(self, *deltas: float) -> pd.DataFrame:
        """The best p over ε, for one δ below the other."""
        setting, grid = self.setting, figures.best_grid(self.setting.epsilon)
        return pd.concat(
            [_best_along(setting.promise, setting.measure, delta, grid, setting.best_level) for delta in deltas]
        )

    @cached_property
    def bounded(self) -> Bounded | None:
        """What noise on a statistic with bounds needs; None where ε is too small for it."""
        return Bounded(self.setting) if self.setting.bounded_answer else None


# What follows is shared by every session, and never changed.
@lru_cache(1024)
def _noises(
    promise: Calibration, epsilon: float, delta: float, shapes: tuple[float, ...], sensitivity: float
) -> dict[float, Mechanism]:
    return dict(zip(shapes, calibrated_shapes(promise, epsilon, delta, shapes, sensitivity), strict=True))


@lru_cache(1024)
def _best(promise: Calibration, measure: str, epsilon: float, delta: float, p: float, level: float) -> Best:
    return optimal_shape.best_against(promise, measure, epsilon, delta, p, level)


@lru_cache(256)
def _along(
    promise: Calibration, epsilon: Any, delta: Any, p: Any, sensitivity: float, significance: float
) -> pd.DataFrame:
    return optimal_shape.along(promise, epsilon, delta, p, sensitivity, significance)


@lru_cache(64)
def _best_map(promise: Calibration, measure: str, level: float) -> pd.DataFrame:
    return optimal_shape.best_map(promise, measure, *figures.map_grid(), level)


@lru_cache(256)
def _best_along(
    promise: Calibration, measure: str, delta: float, epsilons: tuple[float, ...], level: float
) -> pd.DataFrame:
    return optimal_shape.best_frame(promise, measure, np.array(epsilons), delta, level)


@lru_cache(256)
def _several(epsilon: Any, delta: Any, p: Any, sensitivities: tuple[float, ...], significance: float) -> pd.DataFrame:
    return optimal_shape.along_several(epsilon, delta, p, sensitivities, significance)


@lru_cache(1024)
def _simulated(
    epsilon: float, delta: float, p: float, sensitivities: tuple[float, ...], significance: float, n: int, seed: int
) -> pd.DataFrame:
    return optimal_shape.simulated(epsilon, delta, p, sensitivities, np.random.default_rng(seed), n, significance)
