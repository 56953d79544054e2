"""The guarantees of the answer of the start page, which "Verify" proves."""

from collections.abc import Iterator

from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_up
from pages.shared import guarantee_claims
from pages.start.results import StartResult


def claims(result: StartResult) -> Iterator[Claim]:
    """Yield the σ of the answer, as it is displayed and as it was computed."""
    setting, sigma = result.setting, result.analytic_sigma
    parameters = setting.epsilon, setting.delta, setting.l2_sensitivity
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*parameters), format_up(sigma))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*parameters), exact_text(sigma))
