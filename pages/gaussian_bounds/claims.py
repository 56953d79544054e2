"""The guarantees of each σ of the page, which "Verify" proves."""

from collections.abc import Iterator
from dataclasses import replace

from dpcore.calibrations import FAILS, FLOOR, PROBABILISTIC_DP, SILENT, UNDEFINED
from dpcore.comparison import BoundRow
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_down, format_input_up, format_up
from pages.gaussian_bounds.results import GaussianBoundsResult
from pages.shared import guarantee_claims
from pages.shared.formulas import short_name
from pages.shared.guarantee_claims import Target


def claims(result: GaussianBoundsResult) -> Iterator[Claim]:
    """Yield the σ of the answer as it is displayed and as it was computed, its ±, and the other bounds as displayed."""
    setting, (analytic, *others) = result.setting, result.rows.values()
    parameters = setting.epsilon, setting.delta, setting.l2_sensitivity
    sigma = exact_text(analytic.mechanism.scale)
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*parameters), format_up(analytic.mechanism.scale))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*parameters), sigma)
    yield guarantee_claims.half_width_claim(
        "gaussian", "σ", sigma, format_up(analytic.accuracy), format_input_up(setting.significance)
    )
    for row in others:
        if row.mechanism.status not in (SILENT, UNDEFINED):
            target = replace(guarantee_claims.displayed_target(*parameters), name=f"{short_name(row.calibration)}: ")
            yield from _bound_claims(row, target)


def _bound_claims(row: BoundRow, target: Target) -> Iterator[Claim]:
    """Yield the guarantee of a bound: that less noise violates it below the floor, and the true δ where σ fails."""
    notion = "pDP δ" if row.calibration.guarantee == PROBABILISTIC_DP else "δ"
    sigma = (format_down if row.mechanism.status == FLOOR else format_up)(row.mechanism.scale)
    yield guarantee_claims.gaussian(target, sigma, notion, violated=row.mechanism.status in (FAILS, FLOOR))
    if row.mechanism.status == FAILS:
        yield guarantee_claims.gaussian(target, sigma, delta_bound=format_up(row.mechanism.true_delta))
