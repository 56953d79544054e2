"""The answers as code, with dpcore and the libraries that have the shape, and the guarantees that "Verify" proves."""

from collections.abc import Iterator

from dpcore import verify
from dpcore.calibrations import PROBABILISTIC_DP
from dpcore.generalized_gaussian.bounded_comparison import BIT, TRUNCATED
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.generalized_gaussian.cached_results import BoundedResult
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared import guarantee_claims
from pages.shared.bounded_noise import NO_BOUNDS, UNPROVED_TEXT, bounds_assignment
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP, gaussian_sigma

_FORMULA = {"adp": "adp_scale", "exact_pdp": "exact_pdp_scale", "disjoint": "pdp_scale_disjoint"}
_GUARANTEE = {"adp": "ADP", "exact_pdp": "EXACT_PDP", "disjoint": "DISJOINT"}
_NO_SHAPE = {
    OPENDP: "It has Laplace and Gaussian noise, p = 1 and p = 2, and no other p.",
    DP_ACCOUNTING: "It accounts for Laplace and Gaussian noise, p = 1 and p = 2, and for no other p.",
    DIFFPRIVLIB: "It has Laplace and Gaussian noise, p = 1 and p = 2, and no other p.",
    OPACUS: "It has Gaussian noise only, p = 2.",
}
_NO_PDP = "It guarantees (ε, δ)-DP, not probabilistic DP."


def noise_snippets(result: GeneralizedGaussianResult) -> tuple[Snippet, ...]:
    """Return the code of the noise of the chosen shape; nothing where it has no answer."""
    if result.noise is None or result.best is None:
        return ()
    return _noise_snippet(result), *_other_library_snippets(result)


def optimal_shape_snippets(result: GeneralizedGaussianResult) -> tuple[Snippet, ...]:
    """Return the code of the best shape; nothing where it has no answer."""
    if result.noise is None or result.best is None:
        return ()
    return _best_shape_snippet(result), *unavailable(_NO_SHAPE)


def bounded_snippets(result: GeneralizedGaussianResult) -> tuple[Snippet, ...]:
    """Return the code of the noise within bounds; nothing where it has no answer."""
    return () if result.bounded is None else (_bounded_snippet(result.bounded), *unavailable(NO_BOUNDS))


def _noise_snippet(result: GeneralizedGaussianResult) -> Snippet:
    setting, noise = result.setting, result.noises[result.setting.p]
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, setting.p, setting.l2_sensitivity))
    code = program(
        "from dpcore import generalized_gaussian",
        "",
        f"epsilon, delta, p, sensitivity = {numbers}",
        f"b = generalized_gaussian.{_FORMULA[setting.guarantee]}(epsilon, delta, p, sensitivity)",
        "print(b)",
        "print(generalized_gaussian.variance(b, p) ** 0.5)",
        f"print(generalized_gaussian.half_width({number(setting.significance)}, b, p))",
    )
    note = "The scale b, the standard deviation, and ± at the confidence."
    return Snippet(DPCORE, code, note, (noise.scale, noise.deviation, noise.half_width))


def _other_library_snippets(result: GeneralizedGaussianResult) -> tuple[Snippet, ...]:
    """Return Gaussian noise in every library, and Laplace noise with a δ in the only library that has it."""
    setting, noise = result.setting, result.noises[result.setting.p]
    if setting.guarantee != "adp":
        return unavailable(dict.fromkeys(_NO_SHAPE, _NO_PDP))
    if setting.p == 2:
        return gaussian_sigma(setting.epsilon, setting.delta, setting.l2_sensitivity, noise.deviation)
    if setting.p == 1:
        before, after = unavailable(_NO_LAPLACE), unavailable({OPACUS: _NO_SHAPE[OPACUS]})
        return *before, _diffprivlib_snippet(setting, noise.scale), *after
    return unavailable(_NO_SHAPE)


_NO_LAPLACE = {
    OPENDP: "Its Laplace noise satisfies pure ε-DP; it has no smaller noise for a δ.",
    DP_ACCOUNTING: "It has the privacy profile of Laplace noise of a scale, and no scale for a guarantee.",
}


def _diffprivlib_snippet(setting: GeneralizedGaussianSetting, scale: float) -> Snippet:
    code = program(
        "from diffprivlib.mechanisms import Laplace",
        "",
        f"epsilon, delta, sensitivity = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.l2_sensitivity)}",
        "noise = Laplace(epsilon=epsilon, delta=delta, sensitivity=sensitivity)",
        "print((noise.variance(0.0) / 2) ** 0.5)",
    )
    note = "b = Δ/(ε − ln(1 − δ)), where Δ/(ε − 2 ln(1 − δ)) is enough."
    limits = Limit("ε", setting.epsilon, 0.01, 10), Limit("δ", setting.delta, 1e-12, 0.5)
    return within(Snippet(DIFFPRIVLIB, code, note, (scale,), 1 - 1e-12, 2.0), *limits)


def _best_shape_snippet(result: GeneralizedGaussianResult) -> Snippet:
    setting, best = result.setting, result.best
    level = "" if setting.best_level is None else f", significance={number(setting.best_level)}"
    code = program(
        "from dpcore.generalized_gaussian import optimal_shape",
        "",
        f"epsilon, delta, p = {number(setting.epsilon)}, {number(setting.delta)}, {number(setting.p)}",
        f"measure = {setting.measure!r}",
        f"guarantee = optimal_shape.{_GUARANTEE[setting.guarantee]}",
        f"best = optimal_shape.best_against(guarantee, measure, epsilon, delta, p{level})",
        "print(best.p)",
        "print(best.saved_of_laplace)",
        "print(best.saved_of_gaussian)",
    )
    note = "The best p, and the shares that it saves of Laplace and of Gaussian noise."
    values = () if best is None else (best.p, best.saved_of_laplace, best.saved_of_gaussian)
    return Snippet(DPCORE, code, note, values)


def _bounded_snippet(bounded: BoundedResult) -> Snippet:
    code = program(
        "from dpcore import generalized_gaussian",
        "",
        bounds_assignment(bounded.setting),
        "print(generalized_gaussian.exact_truncated_scale(epsilon, p, high - low, sensitivity))",
        "print(generalized_gaussian.exact_boundary_inflated_scale(epsilon, p, high - low, sensitivity))",
    )
    values = bounded.scale[TRUNCATED.key], bounded.scale[BIT.key]
    return Snippet(DPCORE, code, "The scale b of truncated noise and of BIT.", values)


def bounded_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the claim on noise within bounds, which nothing here proves."""
    if result.bounded is not None:
        yield Claim("The pure ε of noise within bounds", reason=UNPROVED_TEXT)


def optimal_shape_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the claims on the noise of each shape, after the best p itself, which nothing here proves."""
    why = "It is the end of a search over shapes, not a guarantee; the b of each noise is one."
    yield Claim("The best p", reason=why)
    yield from noise_claims(result)


def scale_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the claims on the noise of each shape, and the b of several statistics, which nothing here proves."""
    yield from noise_claims(result)
    if result.noise is not None and result.setting.statistic_sensitivities:
        why = "It is a convolution of losses on a grid, each step of which is rounded up."
        yield Claim("The b of several statistics", reason=why)


def noise_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the b of the answer as shown and as computed, its half-width, and the b of the other shapes as shown."""
    setting, noise = result.setting, result.noise
    if noise is None:
        return
    notion = "pDP δ" if setting.calibration.guarantee == PROBABILISTIC_DP else "δ"
    target, b = (setting.epsilon, setting.delta, setting.l2_sensitivity), exact_text(noise.scale)
    shown, computed = guarantee_claims.displayed_target(*target), guarantee_claims.computed_target(*target)
    claim, p = guarantee_claims.generalized_gaussian, exact_text(setting.p)
    yield claim(shown, format_up(noise.scale), format_input_up(setting.p), notion)
    yield claim(computed, b, p, notion)
    half_width, level = format_up(noise.half_width), format_input_up(setting.significance)
    tail = verify.generalized_gaussian_tail
    yield guarantee_claims.half_width_claim(tail, {"p": p, "b": b}, half_width, level)
    for shape, shape_noise in result.noises.items():
        if shape != setting.p:
            yield claim(shown, format_up(shape_noise.scale), format_input_up(shape), notion)
