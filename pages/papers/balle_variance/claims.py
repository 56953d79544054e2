"""The guarantee of the analytic σ, with which the classical one is compared."""

from collections.abc import Iterator

from dpcore import gaussian
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_up
from pages.papers.results import PapersResult
from pages.shared import guarantee_claims


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield that the analytic σ satisfies the guarantee, as shown and as computed."""
    epsilon, delta = result.setting.epsilon, result.setting.delta
    analytic = float(gaussian.analytic_sigma(epsilon, delta))
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(epsilon, delta, 1.0), format_up(analytic))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(epsilon, delta, 1.0), exact_text(analytic))
    yield Claim("The ratio of the variances", reason="It is the ratio of two computed numbers, and no guarantee.")
