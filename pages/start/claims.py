"""What the answer of the start page promises, to be proved."""

from collections.abc import Iterator

from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_up
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared import guarantee_claims
from pages.shared.shared_parameters import SharedSetting


def claims(setting: SharedSetting) -> Iterator[Claim]:
    """The σ of the answer, as it is shown and as it was computed."""
    given, sigma = (
        (setting.epsilon, setting.delta, setting.l2_sensitivity),
        rows_of(setting)["analytic"].mechanism.scale,
    )
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*given), format_up(sigma))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*given), exact_text(sigma))
