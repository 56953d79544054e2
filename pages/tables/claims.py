"""The guarantees of a table's noise and its half-widths, which are proved on request."""

import math
from collections.abc import Iterator

from dpcore.calibrations import FAILS, PROBABILISTIC_DP
from dpcore.mechanism import Mechanism
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.shared.looks import family_look, guarantee_claim
from pages.tables.results import TablesResult

_ESTIMATE = "It is estimated from simulated releases with the seed in the link, so it is not a guarantee."


def mechanism_claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the guarantee of the answer's noise, as shown and as computed, and its ± for each cell and for all."""
    mechanism = result.section_mechanism
    if not result.is_missing and mechanism is not None:
        yield from _guarantee_claims(result, mechanism)
        yield from _half_width_claims(result, mechanism)


def release_claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the same for a release, and that its error is an estimate."""
    yield from mechanism_claims(result)
    if not result.is_missing and result.mechanism is not None:
        yield Claim("The error of this release, or of many", reason=_ESTIMATE)


def _guarantee_claims(result: TablesResult, mechanism: Mechanism) -> Iterator[Claim]:
    """Yield the privacy guarantee of the noise, as it is shown and as it was computed."""
    setting, sensitivity = result.setting, result.sensitivity
    look = family_look(mechanism.family)
    is_enclosed = look.claim is not None and (mechanism.family != "discrete_gaussian" or sensitivity.n_moved == 1)
    if not is_enclosed and mechanism.family != "truncated_geometric":
        yield Claim(f"The guarantee of {mechanism.name} noise", reason=look.unclaimed)
        return
    epsilon, delta = format_input_up(setting.epsilon), format_input_up(setting.delta)
    if mechanism.family == "truncated_geometric":
        bound, scale = mechanism.parameters
        target = Target(epsilon, delta, f"{float(sensitivity.largest):.0f}")
        yield guarantee_claims.truncated_geometric(target, f"{bound:.0f}", exact_text(scale), int(sensitivity.n_moved))
    elif mechanism.family == "gaussian":
        sensitivity_text = float(sensitivity.l2)
        yield _guarantee_claim(
            mechanism, Target(epsilon, delta, exact_text(sensitivity_text)), format_up(mechanism.scale)
        )
        yield _guarantee_claim(
            mechanism,
            guarantee_claims.computed_target(setting.epsilon, setting.delta, sensitivity_text),
            exact_text(mechanism.scale),
        )
    else:  # the ℓ₁ sensitivity is the sum over the cells
        per_cell = guarantee_claims.number(format_input_down(setting.per_cell))
        l1 = per_cell * int(sensitivity.n_moved)
        if not math.isnan(setting.per_total):
            l1 = guarantee_claims.number(format_up(float(sensitivity.l1), 15))
        target = Target(epsilon, delta, f"{l1:f}")
        yield _guarantee_claim(mechanism, target, format_up(mechanism.scale))


def _guarantee_claim(mechanism: Mechanism, target: Target, scale: str) -> Claim:
    if mechanism.family == "gaussian":
        notion = "pDP δ" if mechanism.guarantee == PROBABILISTIC_DP else "δ"
        return guarantee_claims.gaussian(target, scale, notion, violated=mechanism.status == FAILS)
    return guarantee_claim(mechanism.family, target, scale)


def _half_width_claims(result: TablesResult, mechanism: Mechanism) -> Iterator[Claim]:
    """Yield the half-width for each cell and, if there are several, for all together; and that of a hard limit."""
    if mechanism.family == "truncated_geometric":
        yield from _hard_limit_claims(result, mechanism)
        return
    if family_look(mechanism.family).claim is None:
        return
    level, scale = format_input_up(result.setting.significance), exact_text(mechanism.scale)
    for n_cells, cell_significance in {
        1: result.setting.significance,
        result.n_cells: result.simultaneous_significance,
    }.items():
        half_width = format_up(float(mechanism.half_width(cell_significance)))
        yield guarantee_claims.half_width_claim(mechanism.family, mechanism.symbol, scale, half_width, level, n_cells)


def _hard_limit_claims(result: TablesResult, mechanism: Mechanism) -> Iterator[Claim]:
    """Yield the half-widths of noise that ends, and that no cell is beyond its end."""
    bound, scale = f"{mechanism.parameters[0]:.0f}", exact_text(mechanism.parameters[1])
    level = format_input_up(result.setting.significance)
    for n_cells, cell_significance in {
        1: result.setting.significance,
        result.n_cells: result.simultaneous_significance,
    }.items():
        half_width = format_up(float(mechanism.half_width(cell_significance)))
        yield guarantee_claims.truncated_half_width_claim(mechanism.family, bound, scale, half_width, level, n_cells)
    yield guarantee_claims.truncated_half_width_claim(mechanism.family, bound, scale, bound, "0", result.n_cells)
