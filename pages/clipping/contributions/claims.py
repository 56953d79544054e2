"""The guarantee of the noise at the best limit, which "Verify" proves."""

from collections.abc import Iterator

from dpcore.sensitivity import table_sensitivity
from pages.clipping.results import ClippingResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target

_SEVERAL = "For several cells its guarantee is composed over the cells, each step rounded up."
_ERROR = "The error depends on the records, of which the page knows a distribution or the user’s own."


def claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    limits, setting = result.contributions, result.setting
    if limits is None:
        return
    apart = setting.spread == "cells" and limits.best_limit <= setting.cells
    person = (limits.best_limit, 1) if apart else (1, limits.best_limit)
    sensitivity = table_sensitivity(*person)
    scale = format_up(float(limits.best.noise_scale))
    targets = {"gaussian": sensitivity.l2, "laplace": sensitivity.l1, "geometric": sensitivity.l1}
    if setting.noise in targets:
        size = exact_text(float(targets[setting.noise]))
        target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), size)
        claim_by_noise = {
            "laplace": guarantee_claims.laplace,
            "geometric": guarantee_claims.geometric,
            "gaussian": guarantee_claims.gaussian,
        }
        yield claim_by_noise[setting.noise](target, scale)
    else:
        yield Claim("The guarantee of the noise in all cells of a person", reason=_SEVERAL)
    yield Claim("The error under the limit", reason=_ERROR)
