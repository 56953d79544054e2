"""The guarantee of the noise at the chosen bound, which "Verify" proves."""

from collections.abc import Iterator

from dpcore import truncated_laplace
from pages.clipping.results import ClippingResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.shared.looks import guarantee_claim

_ERROR = "The error depends on the values, of which the page knows a distribution or the user’s own."

_COUNTED = "It is that of two releases, of a sum and of a count: open each in Accuracy to have it proved."


def claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    bounds, setting = result.bounds, result.setting
    if bounds is None:
        return
    if bounds.count_share is not None:
        yield Claim("The guarantee of the mean", reason=_COUNTED)
        yield Claim("The error of the clipped mean", reason=_ERROR)
        return
    sensitivity = float(bounds.chosen.sensitivity) * bounds.unit_count
    scale = format_up(float(bounds.chosen.noise_scale) * bounds.unit_count)
    target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), exact_text(sensitivity))
    if setting.noise == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(setting.epsilon, setting.delta, sensitivity)
        b = truncated_laplace.scale_from_epsilon(setting.epsilon, sensitivity)
        yield guarantee_claims.truncated_laplace(target, exact_text(float(bound)), exact_text(float(b)))
    else:
        yield guarantee_claim(setting.noise, target, scale)
    yield Claim("The error of the clipped sum", reason=_ERROR)
