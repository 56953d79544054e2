"""What is computed at one setting of the page, each part once, and the least noise of any shape beside the shapes."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpcore import gaussian, optimal_noise, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP, GENERALIZED_DISJOINT, GENERALIZED_EXACT_PDP, Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian import optimal_shape
from dpcore.generalized_gaussian.optimal_shape import Best
from dpcore.sensitivity import statistics_sensitivity
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import cached_results, grids
from pages.generalized_gaussian.cached_results import BoundedResult, NoiseSize
from pages.generalized_gaussian.grids import SimulatedPoint
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.shared.shared_parameters import read_setting
from pages.shared.status_lines import refined

_FINE_ROWS = 2000  # of the linear program at the setting, if it needs one: mostly δ > 0.001
_COARSE_ROWS, _NARROW_ROWS = 450, 750  # of each of a curve, below and from an ε on
_LEAST_NARROW = 3.0


def _curve_rows(epsilon: float) -> int:
    return _NARROW_ROWS if epsilon >= _LEAST_NARROW else _COARSE_ROWS


@dataclass(frozen=True)
class GeneralizedGaussianResult:
    """What is computed at one setting; `section` is the open section, `pinned` the result of a pinned setting.

    Where the guarantee has no answer at this ε, everything that requires its b is None.
    """

    setting: GeneralizedGaussianSetting
    section: str
    pinned: "GeneralizedGaussianResult | None" = None

    @cached_property
    def noises(self) -> dict[float, NoiseSize]:
        """The noise of each shape of the list and of the chosen one; none where the guarantee has no answer."""
        setting, scales = self.setting, self._scales(self.setting.calibration)
        return {} if scales is None else cached_results.noise_sizes(setting.all_shapes, scales, setting.significance)

    @property
    def noise(self) -> NoiseSize | None:
        """The noise of the chosen shape."""
        return self.noises.get(self.setting.p)

    @cached_property
    def best(self) -> Best | None:
        """The best shape beside the chosen one."""
        setting = self.setting
        if not setting.has_answer:
            return None
        return cached_results.best_shape(
            setting.calibration, setting.measure, setting.epsilon, setting.delta, setting.p, setting.best_level
        )

    @property
    def compared_scale(self) -> float | None:
        """The b of Corollary 9 for the chosen shape or, where that is chosen, of exact pDP; None where it has none."""
        is_paper = self.setting.calibration is GENERALIZED_DISJOINT
        rival = self._scales(GENERALIZED_EXACT_PDP if is_paper else GENERALIZED_DISJOINT)
        return None if rival is None else float(rival[self.setting.all_shapes.index(self.setting.p)])

    @cached_property
    def published_scales(self) -> Array | None:
        """Corollary 9's b for each shape of the list, if it has one."""
        return self._scales(GENERALIZED_DISJOINT)

    def _scales(self, guarantee: Calibration) -> Array | None:
        at = self.setting.epsilon, self.setting.delta, self.setting.all_shapes, self.setting.l2_sensitivity
        return kept(cached_results.scales, guarantee, *at)

    @cached_property
    def matched_scales(self) -> Array:
        """The b with which each shape has the same guarantee, variance or scale as the chosen noise."""
        setting = self.setting
        if setting.match == "guarantee":
            return np.array([noise.scale for noise in self.noises.values()])
        noise = setting.epsilon, setting.delta, setting.p, setting.all_shapes, setting.l2_sensitivity
        return optimal_shape.matched_scales(setting.match, setting.calibration, *noise)

    @cached_property
    def profile_epsilons(self) -> Array:
        """The ε of the privacy profiles; those of Laplace noise, also of a pinned setting, and of truncated end."""
        setting, pinned = self.setting, self.pinned
        noises = zip(setting.all_shapes, setting.l2_sensitivity / self.matched_scales, strict=True)
        ends = [end for p, end in noises if p == 1]
        if pinned is not None and pinned.noise is not None and pinned.setting.p == 1:
            ends.append(pinned.setting.l2_sensitivity / pinned.noise.scale)
        return grids.profile_grid(setting.epsilon, np.append(ends, setting.epsilon))

    @cached_property
    def profiles(self) -> Array | None:
        """The δ of the noise of each shape, a row each, over `profile_epsilons`."""
        setting = self.setting
        at = tuple(self.matched_scales.tolist()), setting.all_shapes, setting.l2_sensitivity, self.profile_epsilons
        return cached_results.privacy_profiles(setting.calibration, *at)

    @cached_property
    def grids(self) -> dict[str, Array]:
        """The points of the scale curves over p, ε and δ; those over which they would take too long are left out."""
        setting = self.setting.curve_setting
        if not setting.statistic_sensitivities:
            return grids.curve_grids(setting.epsilon, setting.delta)
        return grids.affordable_grids(self._full_grids, setting.delta, setting.p, len(setting.statistic_sensitivities))

    @property
    def is_thinned(self) -> bool:
        """Whether the curves of several statistics have fewer points than they should."""
        setting = self.setting.curve_setting
        weight = grids.curves_weight(self._full_grids, setting.delta, setting.p, len(setting.statistic_sensitivities))
        return weight > grids.MOST_WEIGHT

    @property
    def _full_grids(self) -> dict[str, Array]:
        setting = self.setting.curve_setting
        return grids.coarse_grids(setting.epsilon, setting.delta, setting.p)

    def curves(self, x: str) -> dict[str, pd.DataFrame] | None:
        """Return how much noise a guarantee needs over p, ε or δ (`x`), by guarantee; None if that takes too long."""
        setting, grid = self.setting.curve_setting, self.grids.get(x)
        if grid is None:
            return None
        if setting.statistic_sensitivities:
            return {"several": self.several_statistics(**{x: tuple(grid)})}
        at = {key: getattr(setting, key) for key in ("epsilon", "delta", "p")} | {x: tuple(grid)}
        fixed = {"sensitivity": setting.l2_sensitivity, "significance": setting.significance}
        return {rule.key: cached_results.size_curve(rule, **at, **fixed) for rule in setting.calibrations}

    def several_statistics(self, **varied: Any) -> pd.DataFrame:
        """Return how much noise several statistics need at the setting, with some of its values replaced."""
        setting = self.setting.curve_setting
        at = {"epsilon": setting.epsilon, "delta": setting.delta, "p": setting.p} | varied
        return cached_results.several_statistics_curve(
            **at, sensitivities=setting.statistic_sensitivities, significance=setting.significance
        )

    @property
    def several_gaussian(self) -> float:
        """The b of several statistics at p = 2 by Proposition 8."""
        return float(self.several_statistics(p=2.0)["scale"].to_numpy()[0])

    @property
    def signed_gaussian(self) -> float:
        """The same by Proposition 11, which keeps the signs of the noise: √2 σ."""
        setting = self.setting.curve_setting
        return float(np.sqrt(2) * gaussian.pdp_sigma(setting.epsilon, setting.delta, 1.0)) * self.l2_sensitivity

    @property
    def l2_sensitivity(self) -> float:
        """Δ₂ of several statistics."""
        return float(statistics_sensitivity(self.setting.statistic_sensitivities).l2)

    @cached_property
    def simulated_points(self) -> list[SimulatedPoint]:
        """Where the paper's Monte Carlo is drawn."""
        setting = self.setting
        return grids.affordable_points(setting.simulated_points, setting.draws, len(setting.statistic_sensitivities))

    def simulated_sizes(self, x: str) -> pd.DataFrame | None:
        """Return the points of the paper's Monte Carlo over p, ε or δ (`x`), if any are drawn."""
        setting = self.setting.curve_setting
        points = [
            optimal_shape.simulated(
                *(np.random.default_rng(int(setting.seed)), place.epsilon, place.delta, place.p),
                *(setting.statistic_sensitivities, int(setting.draws), setting.significance),
            )
            for place in self.simulated_points
            if place.varied == x
        ]
        return pd.concat(points) if points else None

    @cached_property
    def best_map(self) -> pd.DataFrame:
        """The best p over the map."""
        return kept(cached_results.best_map, self.setting.calibration, self.setting.measure, self.setting.best_level)

    def best_shapes(self, *deltas: float) -> pd.DataFrame:
        """Return the best p over ε, for one δ below the other."""
        setting, grid = self.setting, grids.best_grid(self.setting.epsilon)
        rule, level = (setting.calibration, setting.measure), (grid, setting.best_level)
        return pd.concat([kept(cached_results.best_shape_curve, *rule, delta, *level) for delta in deltas])

    @property
    def floor_measure(self) -> str:
        """The measure by which noise of any shape is compared: the variance where the error at a level is minimised."""
        return "mean_error" if self.setting.measure == "mean_error" else "variance"

    @cached_property
    def floor(self) -> dict[str, float] | None:
        """The least noise of any shape at the setting, beside the best p of its measure; None where it is not known."""
        setting = self.setting
        best = cached_results.best_shape(
            GENERALIZED_ADP, self.floor_measure, setting.epsilon, setting.delta, setting.p, setting.best_level
        )
        row = optimal_noise.floor_beside(best, setting.epsilon, setting.delta, _FINE_ROWS)
        return None if np.isnan(row["lower"]) else row

    def floor_over(self, varied: str) -> pd.DataFrame:
        """Return the least noise of any shape over ε or δ."""
        epsilon, delta = (tuple(grid) for grid in grids.floor_grids())
        if varied == "delta":
            rows = _curve_rows(self.setting.epsilon)
            return cached_results.floor(self.setting.epsilon, delta, self.floor_measure, rows)
        parts = [
            cached_results.floor(tuple(part), self.setting.delta, self.floor_measure, rows)
            for rows, part in groupby(epsilon, _curve_rows)
        ]
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def bounded(self) -> BoundedResult | None:
        """What noise on a statistic with bounds needs; None where ε is too small for it."""
        return BoundedResult(self.setting) if self.setting.has_bounded_answer else None


def compute_result(values: Values) -> GeneralizedGaussianResult:
    """Return what the page shows at the values of its parameters; a pinned setting has the same section and views."""
    pinned = values["pinned"]
    return GeneralizedGaussianResult(
        read_setting(GeneralizedGaussianSetting, values),
        values["section"],
        compute_result(values | pinned) if pinned else None,
    )


LEAST_VARIANCE, TRUNCATED = "least variance", "truncated Laplace"
FLOOR_TABLE = Path(__file__).with_name("floors.csv")
N_ROWS = 2000  # of a linear program


def least_densities(setting: GeneralizedGaussianSetting, end: float) -> tuple[Array, dict[str, Array]] | None:
    """Return places, and there the densities of the noise of least known variance and of truncated Laplace noise.

    There are none where the densities share something else than (ε, δ)-DP, and beyond the ε and δ of linear programs.
    """
    if not _has_least_noise(setting):
        return None
    target = setting.epsilon, setting.delta, setting.l2_sensitivity
    try:
        least = optimal_noise.best_known_noise(*target, "variance", N_ROWS)
    except ValueError:
        return None

    def densities(x: Array) -> Array:
        return np.stack([least.density(x), truncated_laplace.pdf(x, *_truncated_noise(setting))])

    grid = end * np.linspace(-1, 1, 801)
    x = np.union1d(grid, refined(grid, densities, is_log=False, height=float(densities(grid).max())))
    return x, dict(zip((LEAST_VARIANCE, TRUNCATED), densities(x), strict=True))


def truncated_profile(setting: GeneralizedGaussianSetting, epsilon: Array) -> Array | None:
    """Return the δ of truncated Laplace noise over ε; None where the noises share something else than (ε, δ)-DP."""
    if not _has_least_noise(setting):
        return None
    return truncated_laplace.delta_from_bound(epsilon, *_truncated_noise(setting), setting.l2_sensitivity)


def _has_least_noise(setting: GeneralizedGaussianSetting) -> bool:
    return setting.match == "guarantee" and setting.calibration is GENERALIZED_ADP


def _truncated_noise(setting: GeneralizedGaussianSetting) -> tuple[float, float]:
    """Return the bound and the scale of truncated Laplace noise of the setting's guarantee."""
    bound = truncated_laplace.bound_from_epsilon(setting.epsilon, setting.delta, setting.l2_sensitivity)
    return float(bound), float(truncated_laplace.scale_from_epsilon(setting.epsilon, setting.l2_sensitivity))


def remaining_map(measure: str) -> pd.DataFrame:
    """Return a frame over the map with the bounds on the least noise of any shape, in percent of the best p's size."""
    table = pd.read_csv(FLOOR_TABLE)
    table = pd.DataFrame(table[table["measure"] == measure])
    frame = optimal_noise.closed_form_frame(*np.meshgrid(*grids.remaining_grid(), indexing="ij"), measure)
    bounds = {key: table[key].to_numpy() for key in ("lower", "upper")}
    shares = {key: 100 * bound / frame["best"] for key, bound in bounds.items()}
    return frame.assign(**bounds, share=shares["lower"], reached=shares["upper"])


def floor_table() -> pd.DataFrame:
    """Return the bounds on the least noise of any shape over the map, at 5 digits, by some 900 linear programs."""
    epsilon, delta = np.meshgrid(*grids.remaining_grid(), indexing="ij")
    frames = []
    for measure in ("variance", "mean_error"):
        frame = optimal_noise.floor_frame(epsilon, delta, measure, N_ROWS)
        roundings = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}
        rounded = {key: frame[key].map(partial(_rounded, rounding=mode)) for key, mode in roundings.items()}
        frames.append(frame[["epsilon", "delta"]].assign(measure=measure, **rounded))
    return pd.concat(frames)


def _rounded(value: float, rounding: str) -> float:
    """Return a value with five digits, rounded by a mode of `decimal`."""
    with localcontext(prec=5, rounding=rounding):
        return float(+Decimal(value))


if __name__ == "__main__":
    floor_table().to_csv(FLOOR_TABLE, index=False, float_format="%.6g")
