"""The guarantees of both noises, which "Verify" proves."""

from collections.abc import Iterator
from dataclasses import replace

from dpcore.calibrations import FAILS, PROBABILISTIC_DP, UNDEFINED
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared import guarantee_claims
from pages.shared.formulas import truncated_laplace_texts
from pages.shared.guarantee_claims import Target


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
        "laplace", "b", exact_text(noises.laplace.scale), format_up(result.errors[0]["accuracy"]), level
    )
    yield from _gaussian_claims(result, target)
    yield guarantee_claims.half_width_claim(
        "gaussian", "σ", exact_text(noises.gaussian.scale), format_up(result.errors[1]["accuracy"]), level
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
    gaussian_target = replace(
        target,
        sensitivity=exact_text(setting.l2),
        epsilon=target.epsilon if same else format_up(noises.gaussian.epsilon),
    )
    sigma = format_up(noises.gaussian.scale) if same else exact_text(noises.gaussian.scale)
    notion = "pDP δ" if setting.calibration.guarantee == PROBABILISTIC_DP else "δ"
    yield guarantee_claims.gaussian(gaussian_target, sigma, notion, violated=noises.gaussian.status == FAILS)
    if same:
        exact = guarantee_claims.computed_target(setting.epsilon, setting.delta, setting.l2)
        yield guarantee_claims.gaussian(
            exact, exact_text(noises.gaussian.scale), notion, violated=noises.gaussian.status == FAILS
        )
