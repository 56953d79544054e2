"""The guarantees of the answer's noise and its half-width, which are proved on request."""

import math
from collections.abc import Iterator

from dpcore.calibrations import PURE_DP, Calibration
from dpcore.families import FAMILIES
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import MechanismRow, recommended_row
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.shared.looks import family_look, guarantee_claim

_TWO_CELLS = "Of two cells its δ is a sum over all the ways in which they move together, not enclosed here."


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """Yield the guarantees of the recommended noise and of the analytic Gaussian, with their half-widths."""
    row, analytic = recommended_row(result.rows, result.setting).row, result.rows["analytic"]
    yield from _row_claims(row, result.setting)
    if row is not analytic:
        yield from _row_claims(analytic, result.setting)


def _row_claims(row: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield the claims of a noise: what is known as it was entered, and what follows as it is shown."""
    epsilon = setting.epsilon if setting.target is None else row.epsilon
    half_width = row.half_width if setting.target is None else setting.target
    if math.isnan(epsilon) or math.isnan(half_width) or epsilon > 1e6:
        return
    rule = row.calibration
    if rule.family == "discrete_gaussian":
        yield from _discrete_gaussian_claims(row, setting)
    elif rule.family == "truncated_geometric":
        yield from _truncated_claims(row, half_width, setting)
    elif (look := family_look(rule.family)).claim is None:
        yield Claim(f"{rule.name} noise", reason=look.unclaimed)
    else:
        is_epsilon_known = setting.target is None
        epsilon_text = format_input_up(epsilon) if is_epsilon_known else format_up(epsilon)
        half_width_text = format_up(half_width) if is_epsilon_known else format_input_up(half_width)
        yield from calibration_claims(rule, epsilon_text, half_width_text, setting.facts.sensitivity(rule), setting)


def _discrete_gaussian_claims(row: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield that discrete Gaussian noise on one number satisfies its guarantee, and its half-width."""
    mechanism = row.mechanism
    if setting.facts.single:
        target = Target(
            format_input_up(setting.epsilon), format_input_up(setting.delta), format_up(setting.facts.l1, 15)
        )
        yield guarantee_claims.discrete(target, format_up(mechanism.scale))
    else:
        yield Claim(f"The guarantee of {mechanism.name} noise", reason=_TWO_CELLS)
    level = format_input_up(setting.significance)
    yield guarantee_claims.half_width_claim(
        mechanism.family, "σ", exact_text(mechanism.scale), format_up(row.half_width), level
    )


def _truncated_claims(row: MechanismRow, half_width: float, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield that truncated geometric noise satisfies its guarantee, its half-width, and that no error is larger."""
    moved, n_moved = (setting.facts.l1, 1) if setting.facts.single else (1.0, 2)
    mechanism, is_epsilon_known = row.chosen, setting.target is None
    bound, scale = f"{mechanism.parameters[0]:.0f}", exact_text(mechanism.parameters[1])
    epsilon = format_input_up(setting.epsilon) if is_epsilon_known else format_up(row.epsilon)
    target = Target(epsilon, format_input_up(setting.delta), f"{moved:.0f}")
    yield guarantee_claims.truncated_geometric(target, bound, scale, n_moved)
    size = format_up(half_width) if is_epsilon_known else format_input_up(half_width)
    for distance, level in ((size, format_input_up(setting.significance)), (bound, "0")):
        yield guarantee_claims.truncated_half_width_claim(mechanism.family, bound, scale, distance, level)


def calibration_claims(
    rule: Calibration, epsilon: str, half_width: str, sensitivity: float, setting: AccuracySetting
) -> Iterator[Claim]:
    """Yield that noise with the guarantee at an ε falls within a half-width, both as they are shown."""
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    scale = float(rule.scale(float(guarantee_claims.number(epsilon)), delta, sensitivity))
    target = Target(epsilon, format_input_up(setting.delta), format_up(sensitivity, 15))
    yield guarantee_claim(rule.family, target, format_up(scale))
    symbol, level = FAMILIES[rule.family].symbol, format_input_up(setting.significance)
    yield guarantee_claims.half_width_claim(rule.family, symbol, exact_text(scale), half_width, level)
