"""The guarantees of a calibration, which are proved on request."""

from collections.abc import Iterator

from dpcore.calibrations import PURE_DP, Calibration
from pages.accuracy.query import AccuracySetting
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target

SYMBOLS = {"laplace": "b", "geometric": "s", "gaussian": "σ"}


def calibration_claims(
    rule: Calibration, epsilon: str, half_width: str, sensitivity: float, setting: AccuracySetting
) -> Iterator[Claim]:
    """Yield that noise with the guarantee at an ε falls within a half-width, both as they are shown."""
    delta = 0.0 if rule.promise == PURE_DP else setting.delta
    scale = float(rule.scale(float(guarantee_claims.number(epsilon)), delta, sensitivity))
    target = Target(epsilon, format_input_up(setting.delta), format_up(sensitivity, 15))
    if rule.family == "gaussian":
        yield guarantee_claims.gaussian(target, format_up(scale))
    else:
        yield {"laplace": guarantee_claims.laplace, "geometric": guarantee_claims.geometric}[rule.family](
            target, format_up(scale)
        )
    symbol, level = SYMBOLS[rule.family], format_input_up(setting.significance)
    yield guarantee_claims.within(rule.family, symbol, exact_text(scale), half_width, level)
