"""The parameters of the section "Noise from risk": the risk, how much of it is acceptable, and the noise."""

import math
from dataclasses import replace

from dpcore import risk
from dpcore.checks import interval_bounds
from dpcore.families import FAMILIES
from dpcore.sensitivity import PER_CELL_RANGE
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.number_format import exact_text, format_input_down, format_nearest
from pages.framework.parameters.parameter import Correction, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import CELLS as TABLE_CELLS
from pages.shared.counts.table import PER_PERSON
from pages.shared.releases import RELEASES
from pages.shared.shared_parameters import L2_SENSITIVITY
from pages.tradeoff.noise_from_risk.results import (
    MAX_WHOLE_SENSITIVITY,
    OF_NUMBERS,
    OUTCOME,
    RiskSetting,
    is_possible,
    limit_key,
)

SECTION_KEY = "risk"
_SHARES = ("0.001", "0.002", "0.005", "0.01", "0.015", "0.02", "0.03", "0.05", "0.07", "0.1", "0.15", "0.2", "0.25")
_SHARES += ("0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95")
_SHARES += ("0.98", "0.99")
_PROBABILITY = "(0, 1)"
DEFAULT_ALPHA = "0.05"
"""α where that of the page cannot be used, and at which the pages say which risk an ε ensures."""
_ENDS = "← less risk, more noise · more risk, less noise →"
RISK = Choice(
    "risk",
    "risk",
    {
        OUTCOME: "Belief after any outcome",
        "posterior": "Belief after one test",
        "power": "Members found",
        "advantage": "Advantage over guessing",
        "success": "Right guesses: who is in it",
        "reconstruction": "Right guesses: a value",
    },
    OUTCOME,
    older_default="power",
)
NOISE = Choice(
    "noise",
    "noise",
    {key: FAMILIES[key].name for key in OF_NUMBERS} | {"dp_sgd": "DP-SGD", "releases": "My releases"},
    "geometric",
    older_default="gaussian",
)
CELLS = replace(
    TABLE_CELLS,
    default="1",
    help="How many numbers you release, such as the cells of a table: each gets its own noise.",
)


_LIMITS = (
    (
        *("power", "TPR", "0.2", "true positive rate of an attack"),
        "Of the people who are in the data, the share that the best attack may find when it accuses the share α of "
        "those who are not. No noise reaches less than α itself: an attacker may accuse at random.",
    ),
    (
        *("advantage", "advantage", "0.1", "advantage of an attack over guessing"),
        "The true positive rate less the false positive rate of the best attack, at the false positive rate that suits "
        "it best. A low advantage does not bound rare events.",
    ),
    (
        *("posterior", "posterior", "0.2", "posterior of an attacker"),
        "The most that an attacker may believe that a person is in the data, after the release. The prior is what the "
        "attacker believes before it.",
    ),
    (
        *("success", "success", "0.92", "share of correct guesses of membership"),
        "The share of correct guesses of the best attack, among members and others in the proportion of the prior. "
        "Always guessing the more frequent answer is right that often without any release.",
    ),
    (
        *("reconstruction", "correct guess", "0.2", "probability of a correct guess of a record"),
        "The probability that an attacker guesses a person’s record or attribute, for one who would guess it with the "
        "baseline’s probability without the release.",
    ),
)
LIMITS = {
    kind: Quantity(
        *(f"max_{kind}", symbol, f"Largest acceptable {label}", _PROBABILITY, default),
        *(meaning, _ENDS, _SHARES),
        caption=f"{symbol} · limit",
    )
    for kind, symbol, default, label, meaning in _LIMITS
}
BASELINE = Quantity(
    "baseline",
    "baseline",
    "Baseline: probability of a correct guess without the release",
    _PROBABILITY,
    "0.05",
    help="The probability that the attacker guesses the record or attribute without seeing the release: 1/20 for one "
    "of 20 equally likely values.",
    ends="← rarer guess · baseline · likelier guess →",
    scale=("1e-6", "1e-5", "1e-4", *_SHARES),
    caption="baseline · correct without the release",
)
SAMPLING_RATE = Quantity(
    "sampling_rate",
    "q",
    "Sampling rate q: probability that a record takes part in a step",
    "[0.001, 1]",
    "0.002",
    help="The expected batch divided by the number of records, for Poisson sampling. One record is added or removed.",
    ends="← fewer records in a step · q · more →",
    scale=("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"),
    caption="q · sampling rate",
)
STEPS = Quantity(
    "steps",
    "T",
    "Steps T of the training",
    "[1, 20000]",
    "10000",
    help="How many noisy gradients the training uses: the number of epochs divided by the sampling rate.",
    ends="← fewer · T · more →",
    scale=("1", "10", "20", "50", "100", "200", "500", "1000", "2000", "5000", "10000", "20000"),
    whole=True,
    caption="T · steps",
)
PARAMETERS = (
    *(RISK, NOISE, *LIMITS.values(), BASELINE, SAMPLING_RATE, STEPS, RELEASES, PER_PERSON, CELLS),
    *CONDITION_PARAMETERS,
)


def limit_of(kind: str) -> Quantity:
    """Return the parameter that is the limit of a risk."""
    return LIMITS[limit_key(kind).removeprefix("max_")]


def risk_setting(values: Values) -> RiskSetting:
    """Return the risk, its limit, the numbers at which it is read, and the noise, of the values of a page."""
    kind = values[RISK.key]
    return RiskSetting(
        kind,
        values[limit_key(kind)],
        tuple(values[name] for name in risk.CONDITIONS[kind]),
        values[NOISE.key],
        values[L2_SENSITIVITY.key],
        int(values[PER_PERSON.key]),
        int(values[CELLS.key]),
        values["delta"],
        values["significance"],
        (values[SAMPLING_RATE.key], values[STEPS.key]),
        tuple(item.release for item in values[RELEASES.key]) if values[NOISE.key] == "releases" else (),
    )


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


def is_outside(setting: RiskSetting) -> bool:
    """Return whether the limit is not between those at which noise is needed and enough."""
    low, high = least_limit(setting.kind, setting.conditions)
    return not low < setting.limit < high


def risk_corrections(values: Values) -> list[Correction]:
    """Return the corrections of a limit that no noise meets or that needs none, and of a sensitivity not whole."""
    if values["section"] != SECTION_KEY:
        return []
    corrections = [*_inner_alpha(values), *_enough_cells(values), *_sensitivity(values)]
    values = values | {
        correction.key: correction.used if correction.key == NOISE.key else float(correction.used)
        for correction in corrections
    }
    setting, limit = risk_setting(values), limit_of(values[RISK.key])
    if is_possible(setting) and not is_outside(setting):
        return corrections
    low, high = least_limit(setting.kind, setting.conditions)
    used = _between(low, high)
    problem = f"{_range_sentence(limit, low, high)}; {format_input_down(setting.limit)} was given."
    if low < used < high and is_possible(risk_setting(values | {limit.key: used})):
        if is_outside(
            setting
        ):  # as while the first of a pair of numbers is typed: no noise is stated for another limit
            return [*corrections, Correction(limit.key, exact_text(setting.limit), problem)]
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
    name = limit.symbol
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
            f"α must be above 0 and below 1 for a risk at a false positive rate; {entered} was given. "
            f"{DEFAULT_ALPHA} is used instead.",
        )
    ]


def _enough_cells(values: Values) -> list[Correction]:
    """Return the correction of a number of cells below that of one person: at least these are released."""
    least, entered = values[PER_PERSON.key], values[CELLS.key]
    if entered >= least or values[NOISE.key] not in OF_NUMBERS:
        return []
    sentence = (
        f"{CELLS.symbol}, the number of cells, must be at least {PER_PERSON.symbol}, the cells of one "
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
                f"{NOISE.symbol} must not be geometric where one person changes the numbers by more than "
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
        f"{L2_SENSITIVITY.symbol} must be {allowed}; {format_input_down(entered)} was given. "
        f"{exact_text(used)} is used instead."
    )
    return [Correction(L2_SENSITIVITY.key, exact_text(used), sentence)]
