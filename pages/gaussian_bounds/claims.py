"""What each σ of the page promises, to be proved."""

from collections.abc import Iterator
from dataclasses import replace

from dpcore.calibrations import FAILS, FLOOR, PROBABILISTIC_DP, SILENT, UNDEFINED
from dpcore.comparison import BoundRow
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_down, format_input_up, format_up
from pages.gaussian_bounds.exhibits import GaussianBoundsResult
from pages.shared import guarantee_claims
from pages.shared.formulas import short_name
from pages.shared.guarantee_claims import Target


def claims(result: GaussianBoundsResult) -> Iterator[Claim]:
    """The σ of the answer as it is shown and as it was computed, its ±, then every other bound as it is shown."""
    setting, (analytic, *others) = result.setting, result.rows.values()
    given = setting.epsilon, setting.delta, setting.l2_sensitivity
    sigma = exact_text(analytic.mechanism.scale)
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*given), format_up(analytic.mechanism.scale))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*given), sigma)
    yield guarantee_claims.within(
        "gaussian", "σ", sigma, format_up(analytic.accuracy), format_input_up(setting.significance)
    )
    for row in others:
        if row.mechanism.status not in (SILENT, UNDEFINED):
            asked = replace(guarantee_claims.displayed_target(*given), name=f"{short_name(row.calibration)}: ")
            yield from _bound(row, asked)


def _bound(row: BoundRow, asked: Target) -> Iterator[Claim]:
    """What a bound promises: the floor, that less noise keeps nothing, and of what fails what it really gives."""
    notion = "pDP δ" if row.calibration.promise == PROBABILISTIC_DP else "δ"
    sigma = (format_down if row.mechanism.status == FLOOR else format_up)(row.mechanism.scale)
    yield guarantee_claims.gaussian(asked, sigma, notion, broken=row.mechanism.status in (FAILS, FLOOR))
    if row.mechanism.status == FAILS:
        yield guarantee_claims.gaussian(asked, sigma, most=format_up(row.mechanism.true_delta))
