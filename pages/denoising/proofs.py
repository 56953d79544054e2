"""What the noise below the denoising promises, to be proved; what denoising wins back is estimated."""

from collections.abc import Iterator

from pages.denoising import variance
from pages.denoising.found import Found
from pages.denoising.map_release import map_release
from pages.denoising.parameters import SECTION
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.counts.table import table_sensitivity
from pages.shared.guarantee_claims import Target

_ESTIMATE = "It is a mean over simulated releases of these numbers: an estimate, and no promise."
_WON = "What the denoising wins back"


def claims(found: Found) -> Iterator[Claim]:
    """The noise of the open section, and that the rest is estimated."""
    section = found.values.get("section", SECTION.default)
    if section == "counts" and found.released is not None and not found.released.drowned:
        yield from _noise(found, found.released.sigma, _counts_moved(found))
    if section == "map" and (made := map_release(found)) is not None:
        yield from _noise(found, made.sigma, made.sensitivity)
    if section == "variance":
        yield from _variance(found)
    else:
        yield Claim(_WON, reason=_ESTIMATE)


def _counts_moved(found: Found) -> float:
    values, released = found.values, found.released
    cells = 1 if released is None else released.size
    return float(table_sensitivity(values["per_person"], values["per_cell"], values["neighbours"], 0, cells).l2)


def _noise(found: Found, sigma: float, moved: float) -> Iterator[Claim]:
    now = found.setting
    yield guarantee_claims.gaussian(
        Target(format_input_up(now.epsilon), format_input_up(now.delta), exact_text(moved)), format_up(sigma)
    )
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(now.epsilon, now.delta, moved), exact_text(sigma))


def _variance(found: Found) -> Iterator[Claim]:
    """That the analytic σ, for which the classical one is too large or too small, is enough."""
    now = found.setting
    _, analytic = variance.sigmas(now.epsilon, now.delta)
    yield from _noise(found, float(analytic), 1.0)
    yield Claim("The ratio of the variances", reason="It is one of two computed numbers, and no promise.")
