"""What the noise below the denoising promises, to be proved; what denoising wins back is estimated."""

from collections.abc import Iterator

from pages.denoising.map.results import map_release
from pages.denoising.parameters import SECTION
from pages.denoising.results import DenoisingResult
from pages.denoising.variance import results
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.counts.table import table_sensitivity
from pages.shared.guarantee_claims import Target

_ESTIMATE = "It is a mean over simulated releases of these numbers: an estimate, and no promise."
_WON = "What the denoising wins back"


def claims(result: DenoisingResult) -> Iterator[Claim]:
    """The noise of the open section, and that the rest is estimated."""
    section = result.values.get("section", SECTION.default)
    if section == "counts" and result.released is not None and not result.released.drowned:
        yield from _noise(result, result.released.sigma, _counts_moved(result))
    if section == "map" and (made := map_release(result)) is not None:
        yield from _noise(result, made.sigma, made.sensitivity)
    if section == "variance":
        yield from _variance(result)
    else:
        yield Claim(_WON, reason=_ESTIMATE)


def _counts_moved(result: DenoisingResult) -> float:
    values, released = result.values, result.released
    cells = 1 if released is None else released.size
    return float(table_sensitivity(values["per_person"], values["per_cell"], values["neighbours"], 0, cells).l2)


def _noise(result: DenoisingResult, sigma: float, moved: float) -> Iterator[Claim]:
    setting = result.setting
    yield guarantee_claims.gaussian(
        Target(format_input_up(setting.epsilon), format_input_up(setting.delta), exact_text(moved)), format_up(sigma)
    )
    yield guarantee_claims.gaussian(
        guarantee_claims.computed_target(setting.epsilon, setting.delta, moved), exact_text(sigma)
    )


def _variance(result: DenoisingResult) -> Iterator[Claim]:
    """That the analytic σ, for which the classical one is too large or too small, is enough."""
    setting = result.setting
    _, analytic = results.sigmas(setting.epsilon, setting.delta)
    yield from _noise(result, float(analytic), 1.0)
    yield Claim("The ratio of the variances", reason="It is one of two computed numbers, and no promise.")
