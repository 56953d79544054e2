"""The guarantee of the noise at the best limit, which "Verify" proves."""

from collections.abc import Iterator

from dpcore.families import FAMILIES
from dpcore.sensitivity import table_sensitivity
from pages.clipping.results import ClippingResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared.guarantee_claims import Target
from pages.shared.looks import guarantee_claim

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
    if FAMILIES[setting.noise].pure or setting.noise == "gaussian":
        size = exact_text(float(sensitivity.l1 if FAMILIES[setting.noise].pure else sensitivity.l2))
        target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), size)
        yield guarantee_claim(setting.noise, target, scale)
    else:
        yield Claim("The guarantee of the noise in all cells of a person", reason=_SEVERAL)
    yield Claim("The error under the limit", reason=_ERROR)
