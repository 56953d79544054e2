"""What the noise of each shape promises, to be proved."""

from collections.abc import Iterator

from dpcore.calibrations import PROBABILISTIC_DP
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.generalized_gaussian.found import Found
from pages.shared import guarantee_claims

_BOUNDED = (
    "That is a maximum over every true value between the bounds, of which no formula here tells where it lies: b is "
    "solved for it in doubles and rounded up."
)


def claims(found: Found) -> Iterator[Claim]:
    """The b of the answer as it is shown and as it was computed, its ±, then the b of the other shapes as shown."""
    now, noise = found.setting, found.noise
    if now.section in ("bounded", "exponential"):
        if found.bounded is not None:
            yield Claim("The pure ε of noise within bounds", reason=_BOUNDED)
        return
    if now.section == "best":
        yield Claim("The best p", reason="It is the end of a search over shapes, and no promise: each noise’s b is.")
    if noise is None:
        return
    notion = "pDP δ" if now.promise.promise == PROBABILISTIC_DP else "δ"
    given, b = (now.epsilon, now.delta, now.l2_sensitivity), exact_text(noise.scale)
    yield guarantee_claims.generalized_gaussian(
        guarantee_claims.displayed_target(*given), format_up(noise.scale), format_input_up(now.p), notion
    )
    yield guarantee_claims.generalized_gaussian(guarantee_claims.computed_target(*given), b, exact_text(now.p), notion)
    reach, level = format_up(noise.half_width(now.significance)), format_input_up(now.significance)
    yield guarantee_claims.within("generalized_gaussian", "b", b, reach, level, p=exact_text(now.p))
    for p, other in found.noises.items():
        if p != now.p:
            yield guarantee_claims.generalized_gaussian(
                guarantee_claims.displayed_target(*given), format_up(other.scale), format_input_up(p), notion
            )
    if now.together and now.section == "size":
        why = "It is a convolution of losses on a grid, each step of which is rounded up."
        yield Claim("The b of several statistics", reason=why)
