"""The guarantees of the noise at the least number of records, which are proved on request."""

import math
from collections.abc import Iterator

from pages.accuracy.error.claims import calibration_claims
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared import guarantee_claims


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """Yield that the noise at the n that is shown falls within the wanted half-width."""
    setting, width = result.setting, result.setting.facts.person_width
    if width is None or setting.accuracy >= (setting.facts.width or math.inf):
        return
    for n, key in zip(result.least_records, ("laplace", "analytic"), strict=True):
        if not math.isnan(n):
            rule = result.rows[key].calibration
            sensitivity = width / float(guarantee_claims.number(format_up(n)))
            epsilon, half_width = format_input_up(setting.epsilon), format_input_up(setting.accuracy)
            yield from calibration_claims(rule, epsilon, half_width, sensitivity, setting)
