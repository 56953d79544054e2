"""The parameters of this page alone: the values, the range, the steps on which a release lies, and which quantile."""

import math
from dataclasses import replace
from decimal import Decimal

from dpcore.checks import BOUND_RANGE
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, NumberList, Pin, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.shared_parameters import EPSILON, more_text
from pages.shared.values import parameters as of_values
from pages.shared.values.parameters import OWN_VALUES, SHAPE, SOURCE, shape_corrections

ALMOST_NOTHING = Decimal("1e-30")
"""The δ that a proof in intervals leaves where a guarantee has none."""
LEAST_EPSILON, LARGEST_EPSILON = 1e-6, 1e3
MOST_PEOPLE = 1_000_000
MOST_CANDIDATES = 3_000
MEDIAN = replace(of_values.MEDIAN, default="30")
P90 = replace(of_values.P90, default="84")
N_RECORDS = replace(
    of_values.N_RECORDS,
    limits="[1, 1e6]",
    default="200",
    help="How many people have a value. An approximate number is enough.",
    scale=steps(0, 6, ("1", "2", "5")),
)
UNIT = replace(of_values.UNIT, default="days")
QUANTILE = Quantity(
    "quantile",
    "q",
    "Quantile q: the share of the values that lie below it",
    "[0, 1]",
    "0.5",
    help="0.5 is the median, 0.9 the 90th percentile, 1 the maximum." + more_text("median", "medians"),
    ends="← lower · q · higher →",
    scale=("0", "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99", "1"),
    caption="q · quantile",
)
LOW = Quantity(
    "low",
    "lo",
    "Lowest value lo that can be released, in the unit of the values",
    BOUND_RANGE,
    "0",
    help="It must be public knowledge, such as 0 for a time. Values below it count as it.",
    caption="lo · lowest value",
)
HIGH = Quantity(
    "high",
    "hi",
    "Highest value hi that can be released, in the unit of the values",
    BOUND_RANGE,
    "600",
    help="It must be public knowledge. Values above it count as it. The wider the range, the larger ε must be.",
    ends="← narrower · hi · wider →",
    scale=steps(0, 9, ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")),
    caption="hi · highest value",
)
STEP = AutomaticQuantity(
    "step",
    "step",
    "Step between the values that can be released, in the unit of the values",
    "[1e-9, 1e13]",
    "1",
    help="With a step of 1 in days, a whole number of days is released, and public figures are taken as values in "
    "whole days. The word none stands for any number of the range: that is worse where people have equal values.",
    caption="step · of what is released",
    word="none",
    button="Any number of the range",
)
ACCEPTED = Quantity(
    "accuracy",
    "±",
    "Error you can accept, ± in the unit of the values",
    "[1e-9, 1e13]",
    "1",
    help="The page says how many people, or which ε, are enough for it.",
    ends="← more accurate · ± · less →",
    scale=steps(-1, 4, ("1", "2", "5")),
    caption="± · acceptable error",
)
QUANTILES = NumberList(
    "quantiles",
    "quantiles",
    Quantity("level", "quantile", "A quantile", "[0.001, 0.999]", "0.5"),
    "0.25, 0.5, 0.75",
    20,
)
QUANTILES_HELP = "At most 20, each between 0 and 1: 0.25, 0.5, 0.75 are the quartiles."
COUNTS = NumberList(
    "counts",
    "counts",
    Quantity("count", "count", "Count of one candidate", "[0, 1e9]", "100", whole=True),
    "120, 113, 98, 97, 60",
    20,
    may_repeat=True,
)
COUNTS_HELP = (
    "The counts that you expect of 2 to 20 candidates, such as districts, from public figures or an older release. "
    "They are in the link: enter no confidential counts."
)
CHOSEN = Quantity(
    "chosen",
    "m",
    "How many of the largest are published, m",
    "[1, 3]",
    "1",
    help="Each is chosen among those that are left, with an equal part of ε.",
    whole=True,
    caption="m · how many largest",
)
WANTED = Quantity(
    "wanted",
    "wanted probability",
    "Probability with which the right ones shall be published",
    "[0, 0.999999]",
    "0.95",
    help="The page says which ε is enough for it.",
    ends="← lower · probability · higher →",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
    caption="wanted probability",
)
MECHANISM = Choice(
    "chooser",
    "mechanism",
    {
        "permute_and_flip": "Permute-and-flip",
        "exponential": "Exponential mechanism",
        "report_noisy_max": "Largest count with Laplace noise",
    },
    "permute_and_flip",
)
_PINNABLE: tuple[Parameter, ...] = (
    *(SOURCE, SHAPE, MEDIAN, P90, N_RECORDS, QUANTILE, LOW, HIGH, STEP, NEIGHBOURS, UNIT, ACCEPTED),
    *(QUANTILES, COUNTS, CHOSEN, WANTED, MECHANISM),
    *CONDITION_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of an ε that is too small or large, of impossible shapes, and of a range that is none."""
    return [*_epsilon(values), *shape_corrections(values, MEDIAN, P90), *_range(values), *_candidates(values)]


PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, OWN_VALUES, Pin(_PINNABLE, correct))


def _epsilon(values: Values) -> list[Correction]:
    """Return the correction of an ε at which no quantile can be released."""
    epsilon = values[EPSILON.key]
    if LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        return []
    allowed = f"from {exact_text(LEAST_EPSILON)} to {exact_text(LARGEST_EPSILON)}"
    problem = (
        f"{EPSILON.symbol} ({EPSILON.key}) must be {allowed} for a quantile; {format_input_up(epsilon)} was given. "
        f"{EPSILON.default} is used instead."
    )
    return [Correction(EPSILON.key, EPSILON.default, problem)]


def _candidates(values: Values) -> list[Correction]:
    """Return the corrections of a single count, which leaves no choice, and of more winners than there are losers."""
    n = len(values[COUNTS.key])
    if n < 2:
        problem = (
            f"{COUNTS.symbol} ({COUNTS.key}) must be at least 2 numbers; 1 was given. {COUNTS.default} is used instead."
        )
        return [Correction(COUNTS.key, COUNTS.default, problem)]
    if values[CHOSEN.key] < n:
        return []
    allowed = f"{CHOSEN.symbol} ({CHOSEN.key}) must be below the number of counts, {n}"
    problem = f"{allowed}; {values[CHOSEN.key]:.0f} was given. {CHOSEN.default} is used instead."
    return [Correction(CHOSEN.key, CHOSEN.default, problem)]


def _range(values: Values) -> list[Correction]:
    """Return the corrections of bounds that are no range, and of a step with which it has too many or too few values.

    Values that are used beside each other are corrected together: no correction needs another one.
    """
    low, high, step = values[LOW.key], values[HIGH.key], values[STEP.key]
    corrections = []
    if not low < high:
        high = low + max(2 * abs(low), 1.0)
        used = exact_text(high)
        problem = (
            f"{HIGH.symbol} ({HIGH.key}) must be above {LOW.symbol}, {format_input_down(low)}; "
            f"{format_input_up(values[HIGH.key])} was given. {used} is used instead."
        )
        corrections.append(Correction(HIGH.key, used, problem))
    if not math.isnan(step) and not 1 <= (high - low) / step <= MOST_CANDIDATES:
        problem = (
            f"{STEP.symbol} ({STEP.key}) must divide the range into 1 to {MOST_CANDIDATES:,} parts; "
            f"{format_input_up(step)} was given. {STEP.word} is used instead."
        )
        corrections.append(Correction(STEP.key, STEP.word, problem))
    return corrections
