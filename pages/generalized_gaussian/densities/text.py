"""The sentences on the densities of the shapes, and the answer on the noise of one shape."""

import numpy as np

from dpcore.calibrations import GENERALIZED_ADP, GENERALIZED_DISJOINT, GENERALIZED_EXACT_PDP
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.generalized_gaussian.optimal_shape.text import best_shape_text
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import no_answer_text, parameters_text, setting_text, shape_name
from pages.shared.error_text import share, variance_comparison
from pages.shared.formulas import BASIS, SAMPLER

ROUNDING = (
    "Numbers have four digits, rounded up. “The paper’s b” is Corollary 9, its bound for one statistic, at the same ε "
    "and δ: it satisfies probabilistic DP (pDP: the privacy loss exceeds ε with probability at most δ), which implies "
    "(ε, δ)-DP. “Its variance” is compared with that of the noise with the chosen guarantee."
)


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return the noise of the chosen p, its error beside that of the best p, and pinned values."""
    setting, noise, best = result.setting, result.noise, result.best
    if noise is None or best is None:
        return no_answer_text(setting)
    level, half_width = share(setting.significance), format_up(noise.half_width)
    return (
        (
            f"At {parameters_text(setting, without='sensitivity p')}, {_shape_text(setting.p)} has b ="
            f" {format_up(noise.scale)} and standard deviation {format_up(noise.deviation)}."
        ),
        f"{level[0].upper()}{level[1:]} of releases fall within ±{half_width}; {best_shape_text(setting, best)}.",
        *comparison_text(result),
    )


def _shape_text(p: float) -> str:
    """Return the name of a shape in a sentence."""
    name = {1.0: "Laplace noise", 2.0: "Gaussian noise"}.get(p)
    return f"noise of shape p = {format_input_up(p)}" if name is None else f"{name} (p = {format_input_up(p)})"


def paper_text(result: GeneralizedGaussianResult) -> str:
    """Return how the variance by the paper's bound compares with that of the noise."""
    if result.noise is None:
        return ""
    is_paper, compared_scale = result.setting.calibration is GENERALIZED_DISJOINT, result.compared_scale
    if compared_scale is None:
        return "The paper’s bound, Corollary 9, has no answer at this ε."
    change = variance_comparison(float(np.square(np.float64(compared_scale) / result.noise.scale)))
    needed = " than required" if "more" in change else ""
    return f"{'Exact pDP' if is_paper else 'The paper’s bound, Corollary 9,'} would {change}{needed}."


def comparison_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return how the noise has changed since the pinned setting, if there is one."""
    noise, pinned_noise = result.noise, result.pinned and result.pinned.noise
    if noise is None or result.pinned is None:
        return ()
    if pinned_noise is None:
        return (f"Pinned: {setting_text(result.pinned.setting)} has no answer.",)
    changes = (
        f"b {format_up(pinned_noise.scale)} → {format_up(noise.scale)}, "
        f"standard deviation {format_up(pinned_noise.deviation)} → {format_up(noise.deviation)}, "
        f"±{format_up(pinned_noise.half_width)} → {format_up(noise.half_width)}"
    )
    return (f"Compared with the pin ({setting_text(result.pinned.setting)}): {changes}.",)


def subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the parameters of the densities, and what they have in common."""
    how = {GENERALIZED_DISJOINT.key: " by Corollary 9", GENERALIZED_EXACT_PDP.key: ", exact"}
    shared = {
        "scale": f"the scale b of p = {format_input_up(setting.p)}",
        "variance": f"the variance of p = {format_input_up(setting.p)}",
        "guarantee": setting.calibration.guarantee + how.get(setting.guarantee, ""),
    }
    return f"{parameters_text(setting, without='p')}; all with {shared[setting.match]}"


def alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the picture of densities."""
    peaks = (
        f"p = {format_input_up(p)} with b = {format_up(b)}"
        for p, b in zip(result.setting.all_shapes, result.matched_scales.tolist(), strict=True)
    )
    return f"Densities of noise, more flat at the top and with shorter tails the larger p is: {', '.join(peaks)}."


def profile_subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the parameters of the profiles, what their noises have in common, and which δ they show."""
    if setting.match == "guarantee":
        return subtitle(setting)
    return f"{subtitle(setting)}; δ of {setting.calibration.guarantee}"


def profile_alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the picture of profiles."""
    setting = result.setting
    shapes = ", ".join(format_input_up(p) for p in setting.all_shapes)
    at = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"δ over ε of the noise of each shape p = {shapes}, falling as ε grows; the point marks {at}."


def profile_text(result: GeneralizedGaussianResult) -> str:
    """Return how to read the profiles, where there are any."""
    if not result.noises or result.profiles is None:
        return ""
    setting = result.setting
    point = "the point, which can be dragged"
    if setting.calibration is GENERALIZED_DISJOINT:
        return f"Corollary 9 requires more noise than pDP does unless p = 1: its lines pass below {point}."
    if setting.match != "guarantee":
        shape = format_input_up(setting.p)
        return f"The noise of p = {shape} meets {point}; with the same {setting.match} another p has another δ there."
    sentence = (
        f"All noises meet at {point}, but differ at every other ε: Laplace noise (p = 1) soon has δ = 0 beyond it, "
        "and the δ of a larger p falls more slowly"
    )
    return (
        f"{sentence}; that of truncated Laplace noise never falls below its own δ."
        if setting.calibration is GENERALIZED_ADP
        else sentence + "."
    )


def rounding_text(result: GeneralizedGaussianResult) -> str:
    """Return what the paper's bound costs and how the table of shapes is rounded, where there is one."""
    return f"{paper_text(result)} {ROUNDING}\n\n{BASIS}\n\n{SAMPLER}" if result.setting.has_answer else ""


def table_alternative_text(result: GeneralizedGaussianResult) -> str:
    """Return the text alternative of the table of shapes."""
    rows = (
        f"{shape_name(p)} has a standard deviation of {format_up(noise.deviation)}"
        for p, noise in result.noises.items()
    )
    return f"At {parameters_text(result.setting, without='p')}: {'; '.join(rows)}."
