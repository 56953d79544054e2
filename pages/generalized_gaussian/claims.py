"""The guarantees of the noise of each shape, which "Verify" proves."""

from collections.abc import Iterator

from dpcore.calibrations import PROBABILISTIC_DP
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared import guarantee_claims
from pages.shared.bounded_noise import UNPROVED_TEXT


def bounded_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the claim on noise within bounds, which nothing here proves."""
    if result.bounded is not None:
        yield Claim("The pure ε of noise within bounds", reason=UNPROVED_TEXT)


def optimal_shape_claims(result: GeneralizedGaussianResult) -> Iterator[Claim]:
    """Yield the claims on the noise of each shape, after the best p itself, which nothing here proves."""
    yield Claim(
        "The best p", reason="It is the end of a search over shapes, not a guarantee; the b of each noise is one."
    )
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
    yield guarantee_claims.generalized_gaussian(
        guarantee_claims.displayed_target(*target), format_up(noise.scale), format_input_up(setting.p), notion
    )
    yield guarantee_claims.generalized_gaussian(
        guarantee_claims.computed_target(*target), b, exact_text(setting.p), notion
    )
    half_width, level = format_up(noise.half_width), format_input_up(setting.significance)
    yield guarantee_claims.half_width_claim("generalized_gaussian", "b", b, half_width, level, p=exact_text(setting.p))
    for p, shape_noise in result.noises.items():
        if p != setting.p:
            yield guarantee_claims.generalized_gaussian(
                guarantee_claims.displayed_target(*target), format_up(shape_noise.scale), format_input_up(p), notion
            )
