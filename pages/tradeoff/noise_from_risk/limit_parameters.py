"""The corrections of a limit, a sensitivity and a number of cells that cannot be used together."""

import math

from dpcore import risk
from dpcore.checks import interval_bounds
from dpcore.sensitivity import PER_CELL_RANGE
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import exact_text, format_input_down, format_nearest
from pages.framework.parameters.parameter import Correction, Values
from pages.shared.counts.parameters import PER_PERSON
from pages.shared.shared_parameters import L2_SENSITIVITY
from pages.tradeoff.noise_from_risk.parameters import (
    BASELINE,
    CELLS,
    DEFAULT_ALPHA,
    LIMITS,
    NOISE,
    RISK,
    SECTION_KEY,
    limit_of,
    risk_setting,
)
from pages.tradeoff.noise_from_risk.results import MAX_WHOLE_SENSITIVITY, is_possible
from pages.tradeoff.noise_from_risk.setting_data import OF_NUMBERS


def least_limit(kind: str, conditions: tuple[float, ...]) -> tuple[float, float]:
    """Return the limits between which noise is needed and enough: a blind guess, and what no attack exceeds."""
    if kind == "advantage":
        return 0.0, 1.0
    if kind == "success":
        return max(conditions[0], 1 - conditions[0]), 1.0
    if kind == "posterior":
        prior, alpha = conditions
        return prior, prior / (prior + (1 - prior) * alpha)
    return conditions[0], 1.0


def risk_corrections(values: Values) -> list[Correction]:
    """Return the corrections of a limit that no noise meets or that needs none, and of a sensitivity not whole."""
    if values["section"] != SECTION_KEY:
        return []
    corrections = [*_inner_alpha(values), *_enough_cells(values), *_sensitivity(values)]
    values = values | {
        correction.key: correction.used if correction.key == NOISE.key else float(correction.used)
        for correction in corrections
    }
    if is_possible(risk_setting(values)):
        return corrections
    setting, limit = risk_setting(values), limit_of(values[RISK.key])
    low, high = least_limit(setting.kind, setting.conditions)
    used = _between(low, high)
    problem = f"{_range_sentence(limit, low, high)}; {format_input_down(setting.limit)} was given."
    if low < used < high and is_possible(risk_setting(values | {limit.key: used})):
        return [*corrections, Correction(limit.key, exact_text(used), f"{problem} {exact_text(used)} is used instead.")]
    names = {
        "alpha": DEFAULT_ALPHA,
        "prior": "0.1",
        "baseline": BASELINE.default,
        L2_SENSITIVITY.key: L2_SENSITIVITY.default,
        PER_PERSON.key: PER_PERSON.default,
    }
    sentence = f"{problem} The defaults of the section are used instead."
    return [
        Correction(limit.key, limit.default, sentence),
        *(Correction(key, default, "") for key, default in names.items()),
        Correction("delta", "1e-6", ""),
        Correction("significance", "0.05", ""),
    ]


def _between(low: float, high: float) -> float:
    """Return a tenth of the way between two limits, with as few digits as lie between them."""
    place = low + 0.1 * (high - low)
    rounded = (float(f"{place:.{digits}g}") for digits in (4, 8, 12))
    return next((value for value in rounded if low < value < high), place)


def _range_sentence(limit: Quantity, low: float, high: float) -> str:
    """Return what a limit must be, with digits that tell its ends apart, without the full stop."""
    name = f"{limit.symbol} ({limit.key})"
    if low >= high:
        return f"{name} has no possible value here, as a blind guess reaches what no attack exceeds but for a rounding"
    ends = format_nearest(low), format_nearest(high)
    ends = ends if ends[0] != ends[1] else (exact_text(low), exact_text(high))
    least = "the prior before the release" if limit is LIMITS["posterior"] else "what a blind guess reaches"
    least += " at this prior probability (0.5 is the least)" if limit is LIMITS["success"] and low > 0.5 else ""
    return f"{name} must be above {ends[0]}, {least}, and below {ends[1]}, which no attack exceeds"


def _inner_alpha(values: Values) -> list[Correction]:
    """Return the correction of a false positive rate at which every test has the same power."""
    if "alpha" not in risk.CONDITIONS[values[RISK.key]] or 0 < values["alpha"] < 1:
        return []
    entered = format_input_down(values["alpha"])
    return [
        Correction(
            "alpha",
            DEFAULT_ALPHA,
            f"α (alpha) must be above 0 and below 1 for a risk at a false positive rate; {entered} was given. "
            f"{DEFAULT_ALPHA} is used instead.",
        )
    ]


def _enough_cells(values: Values) -> list[Correction]:
    """Return the correction of a number of cells below that of one person: at least these are released."""
    least, entered = values[PER_PERSON.key], values[CELLS.key]
    if entered >= least or values[NOISE.key] not in OF_NUMBERS:
        return []
    sentence = (
        f"{CELLS.symbol} ({CELLS.key}), the number of cells, must be at least {PER_PERSON.symbol}, the cells of one "
        f"person, {least:,.0f}; {entered:,.0f} was given. {least:,.0f} is used instead."
    )
    return [Correction(CELLS.key, exact_text(least), sentence)]


def _sensitivity(values: Values) -> list[Correction]:
    """Return the correction of a sensitivity that the noise cannot have.

    Geometric noise has the next whole number, and where that of one person together is too large for it, Laplace noise
    takes its place. Several cells have a sensitivity within the range of tables.
    """
    entered, n_moved = values[L2_SENSITIVITY.key], int(values[PER_PERSON.key])
    if values[NOISE.key] == "geometric":
        used, allowed = max(math.ceil(entered), 1), "a whole number from 1 for geometric noise"
        if used * n_moved > MAX_WHOLE_SENSITIVITY:
            sentence = (
                f"{NOISE.symbol} ({NOISE.key}) must not be geometric where one person changes the numbers by more than "
                f"{MAX_WHOLE_SENSITIVITY:,} together; geometric was given. laplace is used instead."
            )
            return [Correction(NOISE.key, "laplace", sentence)]
    elif values[NOISE.key] in OF_NUMBERS and n_moved > 1:
        low, high = interval_bounds(PER_CELL_RANGE)
        used, allowed = (
            min(max(entered, low), high),
            f"from {format_nearest(low)} to {format_nearest(high)} for several cells",
        )
    else:
        return []
    if used == entered:
        return []
    sentence = (
        f"{L2_SENSITIVITY.symbol} ({L2_SENSITIVITY.key}) must be {allowed}; {format_input_down(entered)} was given. "
        f"{exact_text(used)} is used instead."
    )
    return [Correction(L2_SENSITIVITY.key, exact_text(used), sentence)]
