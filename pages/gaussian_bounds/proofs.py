"""What each σ of the page promises, to be proved."""

from collections.abc import Iterator

from dpcore.calibrations import FAILS, FLOOR, PROBABILISTIC_DP, SILENT, UNDEFINED
from dpcore.comparison import BoundRow
from pages.gaussian_bounds.exhibits import Found
from pages.shared import promises
from pages.shared.common import Setting
from pages.shared.formulas import short_name
from pages.shared.proofs import Claim
from pages.shared.text import down, up


def claims(found: Found) -> Iterator[Claim]:
    """The σ of the answer as it is shown and as it was computed, then that of every other bound as it is shown."""
    now, (analytic, *others) = found.setting, found.rows.values()
    yield promises.gaussian(now, up(analytic.sigma))
    yield promises.gaussian_computed(now, analytic.sigma)
    for row in others:
        if row.status not in (SILENT, UNDEFINED):
            yield from _bound(row, now)


def _bound(row: BoundRow, now: Setting) -> Iterator[Claim]:
    """What a bound promises; the floor, that less noise does not, and what fails really gives."""
    name, sigma = f"{short_name(row.calibration)}: ", (down if row.status == FLOOR else up)(row.sigma)
    notion = "pDP δ" if row.calibration.promise == PROBABILISTIC_DP else "δ"
    yield promises.gaussian(now, sigma, name, notion, broken=row.status in (FAILS, FLOOR))
    if row.status == FAILS:
        yield promises.gaussian(now, sigma, name, most=up(row.true_delta))
