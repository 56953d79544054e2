"""The size of the noise that each guarantee requires at the setting: a point of each curve of the section."""

from pages.generalized_gaussian import cached_results
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def required_sizes(result: GeneralizedGaussianResult) -> dict[str, float]:
    """Return the chosen size of the noise at the setting, by guarantee; of several statistics at `required_shape`."""
    setting, p = result.setting.curve_setting, required_shape(result)
    if setting.statistic_sensitivities:
        curves = result.curves("p") if _is_over_shapes(result) else None
        frame = result.several_statistics(p=p) if curves is None else curves["several"]
        return {"several": float(frame.loc[frame["p"] == p, setting.size].to_numpy()[0])}
    fixed = {"sensitivity": setting.l2_sensitivity, "significance": setting.significance}
    frames = {
        calibration.key: cached_results.size_curve(calibration, setting.epsilon, setting.delta, p, **fixed)
        for calibration in setting.calibrations
    }
    return {key: float(frame[setting.size].to_numpy()[0]) for key, frame in frames.items()}


def required_shape(result: GeneralizedGaussianResult) -> float:
    """Return the p of `required_sizes`: 2 where a point of several statistics that is not drawn takes too long."""
    is_slow = result.setting.statistic_sensitivities and result.is_thinned and not _is_over_shapes(result)
    return 2.0 if is_slow else result.setting.p


def _is_over_shapes(result: GeneralizedGaussianResult) -> bool:
    return result.setting.against == "p" and "p" in result.grids
