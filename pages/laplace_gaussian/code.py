"""What can be checked: the half-widths of both noises as code, and the guarantees that "Verify" proves."""

from collections.abc import Iterator
from dataclasses import replace

from dpcore import verify
from dpcore.calibrations import FAILS, PROBABILISTIC_DP, UNDEFINED
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared import guarantee_claims
from pages.shared.formulas import truncated_laplace_texts
from pages.shared.guarantee_claims import Target
from pages.shared.other_libraries import DP_ACCOUNTING, DPCORE, OPACUS, gaussian_sigma, laplace_accuracy


def snippets(result: LaplaceGaussianResult) -> tuple[Snippet, ...]:
    """Return the code of the answer; nothing where Laplace noise has no answer."""
    if not result.has_answer:
        return ()
    setting, significance = result.setting, result.setting.significance
    laplace = result.noises.laplace.half_width(significance)
    common_snippets = _dpcore_snippet(result), *laplace_accuracy(setting.epsilon, setting.l1, significance, laplace)
    if setting.gaussian != "analytic" or setting.hold != "epsilon":
        reason = "It has no ± of noise, and its Gaussian noise is the analytic one at the same ε only."
        return *common_snippets, *unavailable({DP_ACCOUNTING: reason, OPACUS: reason})
    sigma = gaussian_sigma(setting.epsilon, setting.delta, setting.l2, result.noises.gaussian.scale)
    return *common_snippets, *(snippet for snippet in sigma if snippet.library in (DP_ACCOUNTING, OPACUS))


def _dpcore_snippet(result: LaplaceGaussianResult) -> Snippet:
    setting, significance = result.setting, result.setting.significance
    laplace, gaussian = (noise.half_width(significance) for noise in result.noises)
    same, tail = setting.hold == "epsilon", (setting.t,) if setting.hold == "tail" else ()
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, setting.l1, setting.l2, *tail))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2{', t' * len(tail)} = {numbers}",
        f"noises = rivals.calibrate_equal(rivals.{setting.gaussian.upper()}, {setting.hold!r}, epsilon, delta, (l1,"
        f" l2){', t' * len(tail)})",
        "for noise in noises:",
        f"    print(noise.half_width({number(significance)}))",
        *([] if same else ["print(noises.gaussian.epsilon)"]),
    )
    note = "± of Laplace noise and of the Gaussian" + ("." if same else ", and the Gaussian’s ε at this δ.")
    more = () if same else (result.noises.gaussian.epsilon,)
    return Snippet(DPCORE, code, note, (laplace, gaussian, *more))


def claims(result: LaplaceGaussianResult) -> Iterator[Claim]:
    """Yield the scale of each noise as shown and as computed, and its half-width."""
    if not result.has_answer:
        return
    setting, noises, level = result.setting, result.noises, format_input_up(result.setting.significance)
    target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), exact_text(setting.l1))
    yield guarantee_claims.laplace(target, format_up(noises.laplace.scale))
    yield guarantee_claims.laplace(
        guarantee_claims.computed_target(setting.epsilon, setting.delta, setting.l1), exact_text(noises.laplace.scale)
    )
    yield guarantee_claims.half_width_claim(
        verify.laplace_tail, {"b": exact_text(noises.laplace.scale)}, format_up(result.errors[0]["accuracy"]), level
    )
    yield from _gaussian_claims(result, target)
    yield guarantee_claims.half_width_claim(
        verify.gaussian_tail, {"σ": exact_text(noises.gaussian.scale)}, format_up(result.errors[1]["accuracy"]), level
    )
    if result.truncated is not None:
        yield guarantee_claims.truncated_laplace(
            target, *truncated_laplace_texts(result.epsilon, setting.delta, setting.l1)
        )


def _gaussian_claims(result: LaplaceGaussianResult, target: Target) -> Iterator[Claim]:
    """Yield the guarantee of σ at the common ε; without a common ε that of the displayed ε at the computed σ."""
    setting, noises = result.setting, result.noises
    if noises.gaussian.status == UNDEFINED:
        return
    same = setting.hold == "epsilon"
    epsilon = target.epsilon if same else format_up(noises.gaussian.epsilon)
    gaussian_target = replace(target, sensitivity=exact_text(setting.l2), epsilon=epsilon)
    notion = "pDP δ" if setting.calibration.guarantee == PROBABILISTIC_DP else "δ"
    fails, sigma = noises.gaussian.status == FAILS, exact_text(noises.gaussian.scale)
    shown = format_up(noises.gaussian.scale) if same else sigma
    yield guarantee_claims.gaussian(gaussian_target, shown, notion, violated=fails)
    if same:
        exact = guarantee_claims.computed_target(setting.epsilon, setting.delta, setting.l2)
        yield guarantee_claims.gaussian(exact, sigma, notion, violated=fails)
